/** The bytes of a file → an OpenAPI document, as plain values. */
import { parsePlainYaml } from '../reading/plain-yaml.ts';
import { quote } from '../reading/quote.ts';
import { userError } from '../shared/errors.ts';
import type { UserError } from '../shared/errors.ts';
import { at, isMap } from './values.ts';
import type { DocumentMap } from './values.ts';

/** The documents of the largest public services have 13 MB. */
export const LARGEST_DOCUMENT = 16 * 1024 * 1024;

/** An OpenAPI document. Nothing is known of its values but that it is a map. */
export interface OpenApiDocument {
  readonly root: DocumentMap;
  /** `3.0.3`. */
  readonly openapi: string;
  /** Whether keywords beside `$ref` count: since 3.1. */
  readonly hasReferenceSiblings: boolean;
}

/**
 * Reads a document of OpenAPI 3.0, 3.1 or 3.2, in JSON or YAML.
 * @param path as messages call the file.
 * @throws UserError if it is another file.
 */
export function readOpenApi(bytes: Uint8Array, path: string): OpenApiDocument {
  if (bytes.length > LARGEST_DOCUMENT) throw tooLargeError(path, bytes.length);
  const unreadable = (reason: string) => userError('document-unreadable', { path, reason });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('it is not UTF-8');
  }
  const parsed = parseText(text);
  if ('problem' in parsed) throw unreadable(parsed.problem);
  const root = parsed.value;
  const version = at(root, 'openapi');
  if (!isMap(root) || (version === undefined && at(root, 'swagger') === undefined)) {
    throw userError('document-not-openapi', { path });
  }
  if (version === undefined) throw userError('document-swagger', { path });
  // YAML without quotes makes a number of 3.1.
  const openapi =
    typeof version === 'string' ? version : JSON.stringify(version).slice(0, LONGEST_VERSION);
  if (!/^3\.[0-2](?:\.|$)/.test(openapi)) {
    throw userError('document-version', { path, version: quote(openapi) });
  }
  return { root, openapi, hasReferenceSiblings: !openapi.startsWith('3.0') };
}

const LONGEST_VERSION = 40;

type Parsed = { readonly value: unknown } | { readonly problem: string };

export function tooLargeError(path: string, bytes: number): UserError {
  const mebibyte = 1024 * 1024;
  const megabytes = Math.ceil(bytes / mebibyte);
  return userError('document-too-large', { path, megabytes, most: LARGEST_DOCUMENT / mebibyte });
}

/** JSON is YAML too, and the parser of JSON is a hundred times faster. */
function parseText(text: string): Parsed {
  if (/^\s*\{/.test(text)) {
    try {
      return { value: JSON.parse(text) as unknown };
    } catch {
      // YAML may begin with a brace too; then its parser says what is wrong.
    }
  }
  const parsed = parsePlainYaml(text);
  if ('problem' in parsed || !hasMergeKey(text, parsed.value)) return parsed;
  const before = text.slice(0, text.search(/<<["']?\s*:/));
  const line = before.split('\n').length;
  return { problem: `line ${line} has a merge key of YAML (<<): expand merge keys first` };
}

/** Whether a map has a key that stands for the members of another map: what it adds would be missing. */
function hasMergeKey(text: string, value: unknown): boolean {
  if (!text.includes('<<')) return false;
  const found = new Set<unknown>([value]);
  for (const one of found) {
    if (at(one, '<<') !== undefined) return true;
    if (typeof one !== 'object' || one === null) continue;
    for (const inner of Object.values(one)) found.add(inner);
  }
  return false;
}
