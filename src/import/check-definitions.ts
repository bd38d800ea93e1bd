/** Parses the definitions of an import, and tells what each issue is about. */
import path from 'node:path';

import { parseFolder } from '../definition/folder.ts';
import type { ParsedDefinitions } from '../definition/types.ts';
import { definitionText } from './definition-text.ts';

/** An issue of the definition of a collection, and what it is about. */
export interface CollectionIssue {
  /** The name of its file: `service` for the service itself. */
  readonly collection: string;
  /** The key of the collection: `fields`. */
  readonly section: string;
  /** The name of a field or a check. */
  readonly entry: string | undefined;
  /** The place in the list or map of that key, from 0. */
  readonly index: number;
  readonly message: string;
}

interface CheckedDefinitions {
  readonly issues: readonly CollectionIssue[];
  /** Undefined if there are issues, or no proposals. */
  readonly parsed?: ParsedDefinitions;
}

/**
 * Parses the proposed definitions together.
 * @param fallbackName what the service is called, in kebab-case.
 * @param service the keys of `service.yaml`; undefined: only its name.
 */
export async function checkDefinitions(
  proposals: readonly { readonly name: string; readonly definition: Keys }[],
  fallbackName: string,
  service: Keys | undefined,
): Promise<CheckedDefinitions> {
  if (proposals.length === 0) return { issues: [] };
  const texts = new Map(
    proposals.map(({ name, definition }) => [collectionFile(name), definitionText(definition)]),
  );
  if (service !== undefined) texts.set(SERVICE_FILE, definitionText(service));
  const files = Array.from(texts, ([file, text]) => ({
    path: file,
    bytes: new TextEncoder().encode(text),
  }));
  const parsed = await parseFolder(files, { fallbackName });
  if (parsed.ok) return { issues: [], parsed };
  const issues = parsed.issues.map(({ at, message }) => ({
    collection: path.basename(at.file, '.yaml'),
    ...definitionKeyAt(texts.get(at.file) ?? '', at.line),
    message,
  }));
  return { issues };
}

type Keys = Readonly<Record<string, unknown>>;

/** What a line of a definition is about, by how `definitionText` writes it. */
function definitionKeyAt(
  text: string,
  line: number,
): Pick<CollectionIssue, 'section' | 'entry' | 'index'> {
  const lines = text.split('\n').slice(0, line);
  const start = lines.findLastIndex((one) => /^\w/.test(one));
  const [, section = ''] = /^(\w+):/.exec(lines[start] ?? '') ?? [];
  const [, entry] = /^ {2}['"]?(\w+)['"]?: /.exec(lines.at(-1) ?? '') ?? [];
  return { section, entry, index: lines.length - start - 2 };
}

const SERVICE_FILE = 'definitions/service.yaml';
const collectionFile = (name: string): string => `definitions/collections/${name}.yaml`;
