/** The operations of a document, each with its path, parameters, bodies and security. */
import type { OpenApiDocument } from './read-openapi.ts';
import { Schemas } from './schemas.ts';
import { at, isMap, listAt, mapAt, textAt } from './values.ts';
import type { DocumentMap } from './values.ts';

/** A part of a path between slashes. */
export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'parameter'; readonly text: string }
  /** A part such as `{name}.json`. */
  | { readonly kind: 'mixed'; readonly text: string };

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: unknown;
  /** Whether the values of a list are in one parameter, with commas between them. */
  readonly hasCommas: boolean;
}

/** The content of a request or a response. */
export interface BodyContent {
  readonly mediaTypes: readonly string[];
  /** That of JSON, or else of the first media type. */
  readonly schema: unknown;
}

/**
 * Who may use an operation: everybody, whoever has a credential of a kind that services take, whoever has one of
 * these kinds or of others, whoever has one of others, or the document does not say.
 */
export type DocumentedAccess = 'public' | 'secured' | 'some' | 'other' | 'unsaid';

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
  /** Why others could not be read: the ends of sentences. */
  readonly unreadParameters: readonly string[];
  readonly request: BodyContent | undefined;
  /** Whether each request has to have the body. */
  readonly isRequestRequired: boolean;
  /** The success that is documented: each status of 2xx. */
  readonly success:
    | {
        readonly statuses: readonly string[];
        /** That of the lowest status. */
        readonly content: BodyContent | undefined;
      }
    | undefined;
  readonly access: DocumentedAccess;
  /** Why its path could not be read: the end of a sentence. */
  readonly unread: string | undefined;
}

const METHODS = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete', 'trace', 'query'];

/** The method of all operations of a path that is not in the document. */
export const ANY_METHOD = '*';

/** The paths of the largest public documents have 2,000 operations. */
export const MOST_OPERATIONS = 10_000;

interface PathItem {
  readonly path: string;
  readonly item: DocumentMap;
  /** Each method with its operation. */
  readonly methods: readonly (readonly [method: string, operation: DocumentMap])[];
  /** Why it refers to something that could not be read: the end of a sentence. */
  readonly unread: string | undefined;
}

function pathItemsOf({ root }: OpenApiDocument, schemas: Schemas): readonly PathItem[] {
  return Object.entries(mapAt(root, 'paths')).flatMap(([path, written]) => {
    if (!isMap(written) || path.startsWith('x-')) return [];
    const followed = schemas.follow(written);
    const isUnread = 'unclear' in followed;
    // A path may have operations beside its reference.
    const item = isUnread || !isMap(followed.value) ? written : { ...followed.value, ...written };
    const all = [
      ...METHODS.map((method): [string, unknown] => [method, at(item, method)]),
      ...Object.entries(mapAt(item, 'additionalOperations')),
    ];
    const methods = all.flatMap(([method, operation]): PathItem['methods'] =>
      isMap(operation) ? [[method.toUpperCase(), operation]] : [],
    );
    return [{ path, item, methods, unread: isUnread ? followed.unclear : undefined }];
  });
}

/** The number of operations of a document; each path that is not in it counts as one. */
export const countOperations = (document: OpenApiDocument): number =>
  pathItemsOf(document, new Schemas(document)).reduce(
    (sum, { methods, unread }) => sum + methods.length + (unread === undefined ? 0 : 1),
    0,
  );

/** Lists the operations of a document, in its order. */
export function operationsOf(document: OpenApiDocument, schemas: Schemas): readonly Operation[] {
  const { root } = document;
  return pathItemsOf(document, schemas).flatMap(({ path, item, methods, unread }) => {
    const shared = parametersOf(item, schemas);
    const operations = methods.map(([method, operation]): Operation => {
      const own = parametersOf(operation, schemas);
      const overridden = new Set(own.parameters.map(keyOf));
      const others = shared.parameters.filter((one) => !overridden.has(keyOf(one)));
      return {
        method,
        path,
        ...placeOf(serverOf([operation, item, root]), path),
        parameters: [...others, ...own.parameters],
        unreadParameters: [...shared.unreadParameters, ...own.unreadParameters],
        request: contentOf(at(operation, 'requestBody'), schemas),
        isRequestRequired: isRequestRequired(at(operation, 'requestBody'), schemas),
        success: successOf(mapAt(operation, 'responses'), schemas),
        access: accessOf(root, operation, schemas),
        unread: undefined,
      };
    });
    if (unread === undefined) return operations;
    const elsewhere: Operation = {
      method: ANY_METHOD,
      path,
      ...placeOf(serverOf([item, root]), path),
      parameters: [],
      unreadParameters: [],
      request: undefined,
      isRequestRequired: false,
      success: undefined,
      access: 'unsaid',
      unread,
    };
    return [...operations, elsewhere];
  });
}

function parametersOf(
  holder: DocumentMap,
  schemas: Schemas,
): Pick<Operation, 'parameters' | 'unreadParameters'> {
  const parameters: Parameter[] = [];
  const unreadParameters: string[] = [];
  for (const written of listAt(holder, 'parameters')) {
    const followed = schemas.follow(written);
    const parameter = 'unclear' in followed ? undefined : followed.value;
    const name = textAt(parameter, 'name');
    const place = textAt(parameter, 'in');
    if (name === undefined || place === undefined) {
      unreadParameters.push('unclear' in followed ? followed.unclear : 'has no name or no place');
      continue;
    }
    const [content] = Object.values(mapAt(parameter, 'content'));
    const schema = at(parameter, 'schema') ?? at(content, 'schema');
    // Another style has spaces or pipes in their place.
    const hasCommas =
      at(parameter, 'explode') === false &&
      ['form', undefined].includes(textAt(parameter, 'style'));
    parameters.push({ name, in: place, schema, hasCommas });
  }
  return { parameters, unreadParameters };
}

const keyOf = (parameter: Parameter): string => `${parameter.in} ${parameter.name}`;

/**
 * The path of the first server, without its scheme and host.
 * @param holders an operation, its path and the document: the first that has servers counts.
 */
function serverOf(holders: readonly DocumentMap[]): readonly Segment[] {
  const servers = holders.map((holder) => listAt(holder, 'servers'));
  const [server] = servers.find((all) => all.length > 0) ?? [];
  const url = textAt(server, 'url') ?? '';
  const variables = mapAt(server, 'variables');
  const filled = url
    .slice(0, 2000)
    .replaceAll(/\{([^{}]*)\}/g, (_, name: string) => textAt(at(variables, name), 'default') ?? '');
  return segmentsOf(
    filled.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '').replace(/[?#].*$/s, ''),
  );
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

/** The media types of a body, with the schema of JSON if it is among them. */
function contentOf(written: unknown, schemas: Schemas): BodyContent | undefined {
  const followed = schemas.follow(written);
  // What cannot be followed is no schema that can be read.
  if ('unclear' in followed) return { mediaTypes: [], schema: written };
  const all = Object.entries(mapAt(followed.value, 'content'));
  const [first] = all;
  if (first === undefined) return undefined;
  const [, content] = all.find(([one]) => isJson(one)) ?? first;
  return { mediaTypes: all.map(([mediaType]) => mediaType), schema: at(content, 'schema') };
}

function isRequestRequired(written: unknown, schemas: Schemas): boolean {
  const followed = schemas.follow(written);
  return !('unclear' in followed) && at(followed.value, 'required') === true;
}

/** Whether a media type is that of JSON, or any. */
function isJson(mediaType: string): boolean {
  const [type = ''] = mediaType.toLowerCase().split(';');
  const trimmed = type.trim();
  return (
    ['*/*', 'application/*', 'application/json'].includes(trimmed) || trimmed.endsWith('+json')
  );
}

function successOf(responses: DocumentMap, schemas: Schemas): Operation['success'] {
  const statuses = Object.keys(responses)
    .filter((one) => /^2(?:[0-9]{2}|XX)$/i.test(one))
    .map((one) => one.toUpperCase())
    .toSorted();
  const [lowest] = statuses;
  if (lowest === undefined) return undefined;
  const response = at(responses, lowest) ?? at(responses, lowest.toLowerCase());
  return { statuses, content: contentOf(response, schemas) };
}

function accessOf(root: DocumentMap, operation: unknown, schemas: Schemas): DocumentedAccess {
  const security = at(operation, 'security') ?? at(root, 'security');
  if (!Array.isArray(security)) return 'unsaid';
  // An empty requirement stands for a request without a credential.
  if (security.length === 0) return 'public';
  const requirements = security.filter(isMap).map((one) => Object.keys(one));
  if (requirements.some((schemes) => schemes.length === 0)) return 'public';
  const known = mapAt(mapAt(root, 'components'), 'securitySchemes');
  const isTaken = (name: string): boolean => {
    const followed = schemas.follow(at(known, name));
    return !('unclear' in followed) && isTakenScheme(followed.value);
  };
  const taken = requirements.filter((schemes) => schemes.every(isTaken));
  if (taken.length === 0) return 'other';
  return taken.length === requirements.length ? 'secured' : 'some';
}

/** Whether services take credentials of a scheme: access tokens as Bearer, or a username and password. */
function isTakenScheme(scheme: unknown): boolean {
  const type = textAt(scheme, 'type');
  if (type === 'oauth2' || type === 'openIdConnect') return true;
  return (
    type === 'http' && ['bearer', 'basic'].includes((textAt(scheme, 'scheme') ?? '').toLowerCase())
  );
}
