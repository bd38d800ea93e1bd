/** The operations of a document, each with its path, parameters, bodies and security. */
import type { OpenApiDocument } from './read-openapi.ts';
import type { Schemas } from './schemas.ts';
import { at, isMap, listAt, mapAt, textAt } from './values.ts';
import type { DocumentMap } from './values.ts';

/** A part of a path between slashes. */
export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'parameter'; readonly text: string }
  /** A part such as `{name}.json`. */
  | { readonly kind: 'mixed'; readonly text: string };

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: unknown;
}

/** The content of a request or a response. */
interface BodyContent {
  readonly mediaType: string;
  readonly schema: unknown;
}

/**
 * Who may use an operation: everybody, whoever has a credential of a kind that services take, whoever has one of
 * another kind, or the document does not say.
 */
export type DocumentedAccess = 'public' | 'secured' | 'other' | 'unsaid';

export interface Operation {
  /** In upper case. */
  readonly method: string;
  /** As the document has it, below its server. */
  readonly path: string;
  /** What comes before the collections, from the server and the path: `/api/v1`. */
  readonly prefix: string;
  /** The version in the prefix. */
  readonly version: number | undefined;
  /** The path behind the prefix. */
  readonly segments: readonly Segment[];
  readonly parameters: readonly Parameter[];
  readonly request: BodyContent | undefined;
  /** The success that is documented: the lowest status of 2xx. */
  readonly success:
    { readonly status: string; readonly content: BodyContent | undefined } | undefined;
  readonly access: DocumentedAccess;
  /** Why a part of it could not be read: the end of a sentence. */
  readonly unclear: string | undefined;
}

export const METHODS = [
  'get',
  'head',
  'options',
  'post',
  'put',
  'patch',
  'delete',
  'trace',
] as const;

/** The paths of the largest public documents have 2,000 operations. */
export const MOST_OPERATIONS = 10_000;

/** The number of operations of a document. */
export const countOperations = ({ root }: OpenApiDocument): number =>
  Object.values(mapAt(root, 'paths')).reduce<number>(
    (sum, item) => sum + METHODS.filter((method) => at(item, method) !== undefined).length,
    0,
  );

/** Lists the operations of a document, in its order. */
export function operationsOf({ root }: OpenApiDocument, schemas: Schemas): readonly Operation[] {
  const servers = segmentsOf(serverPath(root));
  let problem: string | undefined;
  const follow = (value: unknown): unknown => {
    const followed = schemas.follow(value);
    if (!('unclear' in followed)) return followed.value;
    problem ??= followed.unclear;
    return undefined;
  };
  const parametersOf = (holder: unknown): readonly Parameter[] =>
    listAt(holder, 'parameters').flatMap((written) => {
      const parameter = follow(written);
      const name = textAt(parameter, 'name');
      const place = textAt(parameter, 'in');
      if (name === undefined || place === undefined) return [];
      const [content] = Object.values(mapAt(parameter, 'content'));
      return [{ name, in: place, schema: at(parameter, 'schema') ?? at(content, 'schema') }];
    });
  return Object.entries(mapAt(root, 'paths')).flatMap(([path, written]) => {
    problem = undefined;
    const item = follow(written) ?? written;
    const shared = parametersOf(item);
    const place = placeOf(servers, path);
    return METHODS.flatMap((method): Operation[] => {
      const stated = at(item, method);
      if (!isMap(stated)) return [];
      problem = undefined;
      const operation = follow(stated) ?? {};
      const own = parametersOf(operation);
      const overridden = new Set(own.map(keyOf));
      return [
        {
          method: method.toUpperCase(),
          path,
          ...place,
          parameters: [...shared.filter((one) => !overridden.has(keyOf(one))), ...own],
          request: contentOf(follow(at(operation, 'requestBody'))),
          success: successOf(mapAt(operation, 'responses'), follow),
          access: accessOf(root, operation),
          unclear: problem,
        },
      ];
    });
  });
}

const keyOf = (parameter: Parameter): string => `${parameter.in} ${parameter.name}`;

/** The path of the first server, without its scheme and host. */
function serverPath(root: DocumentMap): string {
  const [server] = listAt(root, 'servers');
  const url = textAt(server, 'url') ?? '';
  const variables = mapAt(server, 'variables');
  const filled = url
    .slice(0, 2000)
    .replaceAll(/\{([^{}]*)\}/g, (_, name: string) => textAt(at(variables, name), 'default') ?? '');
  return filled.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
}

const segmentsOf = (path: string): readonly Segment[] =>
  path
    .split('/')
    .filter((text) => text !== '')
    .map((text) => {
      const [, name] = /^\{([^{}]+)\}$/.exec(text) ?? [];
      if (name !== undefined) return { kind: 'parameter', text: name };
      return { kind: /[{}]/.test(text) ? 'mixed' : 'literal', text };
    });

const VERSION = /^v([0-9]{1,4})(?:\.[0-9]+)*$/i;

/** Tells the prefix of a path from its collections. */
function placeOf(
  server: readonly Segment[],
  path: string,
): Pick<Operation, 'prefix' | 'version' | 'segments'> {
  const own = segmentsOf(path);
  const isPrefix = ({ kind, text }: Segment): boolean =>
    kind === 'literal' && (VERSION.test(text) || /^(?:api|rest)$/i.test(text));
  const end = own.findIndex((segment) => !isPrefix(segment));
  const before = [...server, ...own.slice(0, end === -1 ? own.length : end)];
  const versions = before.flatMap(({ text }) => VERSION.exec(text)?.[1] ?? []);
  const version = versions.length === 0 ? undefined : Number(versions.at(-1));
  return {
    prefix: before.map(({ text }) => `/${text}`).join(''),
    version: version === 0 ? undefined : version,
    segments: end === -1 ? [] : own.slice(end),
  };
}

/** JSON, if it is among the media types, and otherwise the first one. */
function contentOf(holder: unknown): BodyContent | undefined {
  const all = Object.entries(mapAt(holder, 'content'));
  const [mediaType, content] = all.find(([one]) => isJson(one)) ?? all[0] ?? [];
  return mediaType === undefined ? undefined : { mediaType, schema: at(content, 'schema') };
}

/** Whether a media type is that of JSON, or any. */
export function isJson(mediaType: string): boolean {
  const [type = ''] = mediaType.toLowerCase().split(';');
  const trimmed = type.trim();
  return (
    ['*/*', 'application/*', 'application/json'].includes(trimmed) || trimmed.endsWith('+json')
  );
}

function successOf(
  responses: DocumentMap,
  follow: (value: unknown) => unknown,
): Operation['success'] {
  const [status] = Object.keys(responses)
    .filter((one) => /^2(?:[0-9]{2}|XX)$/i.test(one))
    .toSorted();
  if (status === undefined) return undefined;
  return { status, content: contentOf(follow(at(responses, status))) };
}

function accessOf(root: DocumentMap, operation: unknown): DocumentedAccess {
  const security = at(operation, 'security') ?? at(root, 'security');
  if (!Array.isArray(security)) return 'unsaid';
  // An empty requirement stands for a request without a credential.
  if (security.length === 0) return 'public';
  const requirements = security.filter(isMap).map((one) => Object.keys(one));
  if (requirements.some((schemes) => schemes.length === 0)) return 'public';
  const known = mapAt(mapAt(root, 'components'), 'securitySchemes');
  const isTaken = (schemes: readonly string[]): boolean =>
    schemes.every((name) => isTakenScheme(at(known, name)));
  return requirements.some(isTaken) ? 'secured' : 'other';
}

/** Whether services take credentials of a scheme: access tokens as Bearer, or a username and password. */
function isTakenScheme(scheme: unknown): boolean {
  const type = textAt(scheme, 'type');
  if (type === 'oauth2' || type === 'openIdConnect') return true;
  return (
    type === 'http' && ['bearer', 'basic'].includes((textAt(scheme, 'scheme') ?? '').toLowerCase())
  );
}
