/**
 * Requests that are valid by the OpenAPI documents of a running service, and whether the documents
 * have what is answered.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';

import { randomFrom, valueOf } from './valid-values.ts';
import type { Schema } from './valid-values.ts';

/** A document, as far as requests are made of it. */
export interface FuzzedDocument {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

interface Reference {
  readonly $ref: string;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema: Schema;
}

interface Response {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/** What a run found. */
export interface DocumentedFuzzReport {
  /** How many requests had each status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** How many requests were refused for a reason that no document can tell. */
  readonly refused: Readonly<Record<string, number>>;
  /** Refusals that the document should tell, answers that it does not have, and errors of the service. */
  readonly problems: readonly string[];
}

/** Why a request that is valid by the document is refused: what depends on other items or members. */
const REASONS: readonly (readonly [reason: string, status: number, message: RegExp])[] = [
  ['the item is missing', 404, /./],
  ['the item was deleted', 410, /./],
  ['a unique value is taken, or the item is referred to', 409, /./],
  ['another revision', 412, /./],
  ['a reference to a missing item', 422, /^\w+ refers to an item that does not exist$/],
  ['an Idempotency-Key of another request', 422, /^This Idempotency-Key was used/],
  ['a member of an object that has no value yet', 422, /^\w+\.[\w.]+ is required$/],
  // Two patterns cannot be said of one text in a way that generators of clients understand.
  ['NUL in a text with a pattern of its own', 422, /^[\w.]+ must not contain a NUL character/],
  // A pattern cannot say the bounds of a number in a text.
  [
    'a number in a text, outside of its bounds',
    422,
    /^\w+ must be an integer as text, at (?:least|most) \d+/,
  ],
  ['a value that is no initial one', 422, /^\w+ must be .* in a new item$/],
  ['a check across members', 422, /^(?:\w+(?:, \w+)* and )?\w+: /],
  [
    'the owner, whom only callers without a role may leave out',
    422,
    /^(?:owner|writer)_id is required$/,
  ],
  ['an immutable member changes', 422, /may not change once it is set/],
  ['another parent than in the path', 422, /must equal the id in the path/],
  ['a time that has passed', 422, /must be in the future/],
  ['a member is sorted by twice', 400, /"sort" names .* twice/],
  ['no word to search for', 400, /holds no word/],
  ['a type of event that the version does not have', 422, /^events has .* does not have: choose/],
];

/** Headers of HTTP, and those that protect browsers: they are the same in all answers. */
const COMMON_HEADERS = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...['content-security-policy', 'cross-origin-resource-policy', 'referrer-policy'],
  ...['strict-transport-security', 'x-content-type-options', 'x-frame-options'],
]);

/** Sends valid requests for the operations of a document, one after the other. */
export async function fuzzDocument(
  origin: string,
  document: FuzzedDocument,
  { requests, seed, authorization }: { requests: number; seed: number; authorization: string },
): Promise<DocumentedFuzzReport> {
  const random = randomFrom(seed);
  const statuses: Record<number, number> = {};
  const refused: Record<string, number> = {};
  const problems: string[] = [];
  /** The ids of the items below each path, and their entity tags. */
  const items = new Map<string, { readonly id: string; readonly tag: string }[]>();
  const find = <T>(part: T | Reference): T => {
    if (typeof part !== 'object' || part === null || !('$ref' in part)) return part;
    const [kind = '', name = ''] = part.$ref.split('/').slice(2);
    return document.components[kind]?.[name] as T;
  };
  const validator = new Ajv2020({
    strict: false,
    validateFormats: false,
    multipleOfPrecision: 6,
    // A member may be called as what each object inherits: `constructor`.
    ownProperties: true,
  });
  validator.addSchema(document, 'document');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      Array.from({ length: WEIGHTS[method] ?? 1 }, () => ({ path, method, operation })),
    ),
  );
  const vendorType = JSON.stringify(document).match(/application\/vnd\.[\w.-]+\+json/)?.[0] ?? '';

  for (let at = 0; at < requests; at++) {
    const { path, method, operation } = random.pick(operations);
    const request = requestOf(path, method, operation);
    const response = await fetch(origin + request.url, request);
    const text = await response.text();
    const { status } = response;
    statuses[status] = (statuses[status] ?? 0) + 1;
    const told = `${method.toUpperCase()} ${request.url} ${JSON.stringify(request.headers)} ${request.body ?? ''}\n  → ${status} ${text.slice(0, 500)}`;
    const undocumented = undocumentedIn(path, method, operation, response, text);
    if (undocumented !== undefined) problems.push(`${undocumented}: ${told}`);
    if (status >= 500) problems.push(`an error of the service: ${told}`);
    if (status >= 400 && status < 500) {
      const { message } = JSON.parse(text) as { message: string };
      const reason = reasonOf(status, message);
      refused[reason ?? `${status}`] = (refused[reason ?? `${status}`] ?? 0) + 1;
      if (reason === undefined) problems.push(`refused, though the document allows it: ${told}`);
    }
    remember(response, request.url, text);
  }
  return { statuses, refused, problems };

  function requestOf(path: string, method: string, operation: Operation) {
    const headers: Record<string, string> = { authorization, accept: vendorType };
    const query: string[] = [];
    let url = path;
    const [collection = ''] = path.split('/{id}');
    const item = random.chance(0.9) ? anItem(collection) : undefined;
    for (const parameter of operation.parameters?.map((part) => find<Parameter>(part)) ?? []) {
      const { in: place, name, required = false, explode = true } = parameter;
      if (!required && !random.chance(place === 'query' ? 0.1 : 0.2)) continue;
      const schema = find(parameter.schema);
      const value = valueOf(schema, random, idFor(collection));
      if (place === 'path') {
        url = url.replace(`{${name}}`, encodeURIComponent(item?.id ?? String(value)));
      } else if (place === 'header') {
        const isTag = name === 'If-Match' && random.chance(0.7);
        const sent = isTag ? (item?.tag ?? '*') : String(value);
        // What HTTP cannot carry in a header is no matter of the document.
        if (/^[!-~](?:[ -~]*[!-~])?$/.test(sent)) headers[name] = sent;
      } else if (name !== 'cursor') {
        const values = [value].flat().map((part) => encodeURIComponent(String(part)));
        const key = encodeURIComponent(name);
        query.push(...(explode ? values : [values.join(',')]).map((part) => `${key}=${part}`));
      }
    }
    if (query.length > 0) url += `?${query.join('&')}`;
    if (operation.requestBody === undefined) return { url, method: method.toUpperCase(), headers };
    const [type, { schema }] = random.pick(Object.entries(operation.requestBody.content));
    headers['content-type'] = type;
    const body = JSON.stringify(valueOf(find(schema), random, idFor(collection)));
    return { url, method: method.toUpperCase(), headers, body };
  }

  /** An item below a path; undefined if there is none. */
  function anItem(path: string) {
    const known = items.get(path) ?? [];
    return known.length === 0 ? undefined : random.pick(known);
  }

  /** Ids for members: of the collection that a member names, if there is one. */
  function idFor(collection: string): (member: string) => string {
    return (member) => {
      const base = collection.slice(0, collection.lastIndexOf('/') + 1);
      const start = base + member.replace(/_id$/, '').replaceAll('_', '-').slice(0, 3);
      const paths = [...items.keys()];
      const named = paths.filter((path) => path.startsWith(start));
      const any =
        random.chance(0.9) && anItem(random.pick(named.length > 0 ? named : ['', ...paths]));
      return any ? any.id : `01890a5d-ac96-774b-bcce-${random.below(1e12)}`.padEnd(36, '0');
    };
  }

  /** Keeps the id and the entity tag of an item that was created, read or changed. */
  function remember({ status, headers }: globalThis.Response, url: string, text: string): void {
    if (status > 202 || !text.startsWith('{')) return;
    const { id } = JSON.parse(text) as { id?: string };
    if (id === undefined) return;
    // What is created below another item has its own URL.
    const path = (headers.get('location') ?? url).replace(/\/[^/]*$/, '');
    const known = (items.get(path) ?? []).filter((other) => other.id !== id);
    items.set(path, [...known, { id, tag: headers.get('etag') ?? '*' }].slice(-30));
  }

  function undocumentedIn(
    path: string,
    method: string,
    operation: Operation,
    response: globalThis.Response,
    text: string,
  ): string | undefined {
    const { status, headers } = response;
    const at = operation.responses[status];
    if (at === undefined) return 'an undocumented status';
    const { headers: documented = {}, content } = find<Response>(at);
    const names = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
    for (const name of headers.keys()) {
      if (!names.has(name) && !COMMON_HEADERS.has(name)) return `an undocumented header ${name}`;
    }
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    if (content === undefined) return text === '' ? undefined : 'an undocumented body';
    if (content[type] === undefined) return `an undocumented media type ${type}`;
    const pointer =
      '$ref' in at ? at.$ref : `#/paths/${escape(path)}/${method}/responses/${status}`;
    const isValid = validator.compile({
      $ref: `document${pointer}/content/${escape(type)}/schema`,
    });
    const value: unknown = type.endsWith('json') ? JSON.parse(text) : text;
    return isValid(value) ? undefined : `another body: ${validator.errorsText(isValid.errors)}`;
  }
}

/** How often operations of a method are chosen. */
const WEIGHTS: Readonly<Record<string, number>> = { post: 5, get: 2, put: 3, patch: 3 };

/** The reason of a refusal; undefined if the document could have told it. A 422 names every member. */
function reasonOf(status: number, message: string): string | undefined {
  const parts = status === 422 ? message.replace(/\.$/, '').split('; ') : [message];
  const reasons = parts.map(
    (part) => REASONS.find((reason) => reason[1] === status && reason[2].test(part))?.[0],
  );
  return reasons.includes(undefined) ? undefined : reasons[0];
}

const escape = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
