/** How an operation of a document differs for its clients from the one that the service offers. */
import { caseOf } from '../definition/names.ts';
import { inlineYaml } from '../compatibility/definition-yaml.ts';
import { bodyMembersOf } from './body-members.ts';
import type { BodyMember } from './body-members.ts';
import type { MemberTypes } from './field-type.ts';
import type { OfferedMember, OfferedOperation } from './offered.ts';
import type { DocumentedAccess, Operation, Segment } from './operations.ts';
import { payloadOf } from './payload.ts';
import { listOrders, SIZE_PARAMETERS, SORT_PARAMETERS } from './propose-lists.ts';
import type { ProposedResource } from './propose-resource.ts';
import type { Action } from './resources.ts';
import type { Pages } from '../definition/types.ts';
import { numberOfKeyword } from './schemas.ts';
import type { ResolvedSchema, Schemas } from './schemas.ts';

/** What clients of an operation have to change. The codes are public: they are in the JSON report. */
export const OPERATION_CHANGES = {
  'base-path': 'another base path',
  path: 'another path below it',
  method: 'another method',
  key: 'another kind of id in the path',
  status: 'another status of success',
  access: 'another credential, or one where the document demands none',
  parameters: 'other parameters',
  request: 'another request body',
  response: 'another response body',
} as const;

export type OperationChangeCode = keyof typeof OPERATION_CHANGES;

export interface OperationChange {
  readonly code: OperationChangeCode;
  readonly text: string;
}

interface ComparedDocument {
  readonly schemas: Schemas;
  readonly types: MemberTypes;
}

/** What is the same for all members of a collection. */
type Renamed = Pick<ProposedResource, 'idMember'>;

/** Compares an operation of a document with that of the service. */
export function compareOperation(
  operation: Operation,
  action: Action,
  offered: OfferedOperation,
  document: ComparedDocument & { readonly prefix: string } & Renamed,
): readonly OperationChange[] {
  const changes: OperationChange[] = [];
  const add = (code: OperationChangeCode, text: string): void => {
    if (!changes.some((one) => one.code === code && one.text === text))
      changes.push({ code, text });
  };
  const { method, path, prefix, segments, success, access } = operation;
  const own = plainPath(segments);
  const other = offered.path.slice(document.prefix.length).replaceAll(/\{[^{}]*\}/g, '{}');
  if (prefix !== document.prefix)
    add('base-path', `${prefix === '' ? '/' : prefix} is ${document.prefix}`);
  // Paths with an empty part, such as one at the end, are others.
  if (own !== other || /.\/$|\/\//.test(path)) add('path', `${path} is ${offered.path}`);
  if (method !== offered.method) add('method', `${method} is ${offered.method}`);
  compareKeys(operation, offered, document.schemas, add);
  if (success === undefined) add('status', `answers ${offered.status}`);
  else if (success.status !== offered.status) {
    add('status', `answers ${offered.status}, and not ${success.status.toUpperCase()}`);
  }
  if (!offered.isPublic && access !== 'secured') add('access', ACCESS_CHANGES[access]);
  for (const text of parameterChanges(operation, action, offered, document))
    add('parameters', text);
  for (const text of requestChanges(operation, action, offered, document)) add('request', text);
  for (const text of responseChanges(operation, action, offered, document)) add('response', text);
  return changes;
}

const ACCESS_CHANGES: Readonly<Record<Exclude<DocumentedAccess, 'secured'>, string>> = {
  public: 'needs a credential',
  unsaid: 'needs a credential, of which the document says nothing',
  other: 'takes an access token (Bearer) or a username and password (Basic)',
};

const plainPath = (segments: readonly Segment[]): string =>
  segments.map(({ kind, text }) => (kind === 'parameter' ? '/{}' : `/${text}`)).join('');

/** Ids in the path that are no ids of the service. */
function compareKeys(
  { parameters }: Operation,
  { definition, path }: OfferedOperation,
  schemas: Schemas,
  add: (code: OperationChangeCode, text: string) => void,
): void {
  const inPath = parameters.filter((one) => one.in === 'path');
  // Keys of the collections above are told where these are.
  const last = inPath.at(-1);
  if (last === undefined || !path.endsWith('{id}')) return;
  const schema = schemas.resolve(last.schema ?? true);
  const isUuid = schema.unclear === undefined && schema.keywords.get('format') === 'uuid';
  const isNumber = schema.unclear === undefined && schema.type === 'integer';
  if (definition.key === 'uuid' ? !isUuid : !isNumber) {
    const what = definition.key === 'uuid' ? 'a UUID' : 'a number that the service assigns';
    add('key', `${last.name} is the id, ${what}`);
  }
}

/** Parameters by which other services page. */
const PAGE_PARAMETERS: ReadonlySet<string> = new Set([
  ...['page', 'offset', 'skip', 'start', 'after', 'before', 'starting_after', 'ending_before'],
  ...['page_token', 'next_token', 'continuation_token', 'page_number', 'pagination_token'],
]);

/** Headers that each service reads. */
const KNOWN_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'authorization', 'content-type', 'if-match', 'if-none-match'],
  ...['idempotency-key', 'x-request-id'],
]);

function parameterChanges(
  { parameters }: Operation,
  action: Action,
  { definition: { filter, sort, pages }, filterTypes }: OfferedOperation,
  { schemas, types }: ComparedDocument,
): readonly string[] {
  return parameters.flatMap(({ name, in: place, schema }) => {
    if (place === 'path') return [];
    if (place === 'header') {
      return KNOWN_HEADERS.has(name.toLowerCase()) ? [] : [`the header ${name} is not read`];
    }
    if (place !== 'query') return [`the ${place} parameter ${name} is not read`];
    const own = caseOf(name, '_');
    if (action !== 'list') return [`the parameter ${name} is not offered`];
    if (SORT_PARAMETERS.has(own)) {
      const offered = sort.flatMap((member) => [member, `-${member}`]);
      const orders = listOrders(schema, schemas);
      const resolved = schemas.resolve(schema);
      const isScalar = resolved.unclear === undefined && resolved.type === 'string';
      const isSame =
        name === 'sort' &&
        isScalar &&
        !resolved.keywords.has('default') &&
        orders.length > 0 &&
        orders.every((one) => offered.includes(one));
      return isSame
        ? []
        : [`${name} is sort, which takes ${sort.join(', ')}, with - in front to descend`];
    }
    if (filter.includes(own)) {
      const type = types.typeOf(schema ?? true).definition?.type;
      const expected = filterTypes.get(own) ?? '';
      if (type !== expected) return [`${name} takes a ${expected}`];
      return name === own ? [] : [`${name} is called ${own}`];
    }
    if (SIZE_PARAMETERS.has(own)) return sizeChange(name, schemas.resolve(schema ?? true), pages);
    if (own === 'cursor' || PAGE_PARAMETERS.has(own)) {
      return [`${name} is replaced by the links to pages`];
    }
    return [`the parameter ${name} is not offered`];
  });
}

function sizeChange(name: string, schema: ResolvedSchema, pages: Pages): readonly string[] {
  const number = (key: string): number | undefined =>
    schema.unclear === undefined ? numberOfKeyword(schema, key) : undefined;
  const isSame =
    (number('default') ?? pages.default) === pages.default &&
    (number('maximum') ?? pages.maximum) <= pages.maximum;
  if (isSame) return name === 'limit' ? [] : [`${name} is called limit`];
  return [`${name} is limit, ${pages.default} by default and ${pages.maximum} at most`];
}

const mediaTypeChange = (mediaType: string, action: Action): readonly string[] =>
  isServed(mediaType, action) ? [] : [`the body is application/json, and not ${mediaType}`];

/** Whether a service takes and answers with bodies of a media type. */
function isServed(mediaType: string, action: Action): boolean {
  const [type = ''] = mediaType.toLowerCase().split(';');
  const served = ['*/*', 'application/*', 'application/json'];
  return [...served, ...(action === 'update' ? ['application/merge-patch+json'] : [])].includes(
    type.trim(),
  );
}

function requestChanges(
  { request }: Operation,
  action: Action,
  { request: offered }: OfferedOperation,
  document: ComparedDocument & Renamed,
): readonly string[] {
  if (offered === undefined) return request === undefined ? [] : ['no body is read'];
  if (request === undefined) return ['the body is an item'];
  const payload = payloadOf(request.schema, document.schemas);
  const mediaType = mediaTypeChange(request.mediaType, action);
  if (payload?.kind !== 'item') return [...mediaType, 'the body is an item'];
  const members = bodyMembersOf(payload.item, document.schemas, 'request');
  const known = new Set(members.map(({ field }) => field));
  const demanded = [...offered.values()].filter(
    ({ name, isDemanded }) => action !== 'update' && isDemanded && !known.has(name),
  );
  return [
    ...mediaType,
    ...envelopeChange('the item', payload.envelope),
    ...members.flatMap((member) => {
      const other = offered.get(member.field);
      if (other === undefined) return [`${member.name} is not accepted`];
      const { isNullable } = document.types.typeOf(member.schema);
      const isDemanded = action !== 'update' && other.isDemanded && !member.isRequired;
      return [
        ...memberChanges(member, other, document),
        ...(isDemanded ? [`${member.field} is required`] : []),
        ...(isNullable && !other.isNullable ? [`${member.field} may not be null`] : []),
        ...(action === 'update' ? [] : defaultChange(member, other, document)),
      ];
    }),
    ...demanded.map(({ name }) => `${name} is required`),
  ];
}

/** What a request that leaves out a member means. */
function defaultChange(
  { schema, field }: BodyMember,
  { default: offered }: OfferedMember,
  { schemas }: ComparedDocument,
): readonly string[] {
  const resolved = schemas.resolve(schema);
  const own = resolved.unclear === undefined ? resolved.keywords.get('default') : undefined;
  if (own === undefined || own === null || own === offered) return [];
  return [`${field} has ${offered === undefined ? 'no default' : 'another default'}`];
}

function responseChanges(
  { success }: Operation,
  action: Action,
  { response: offered }: OfferedOperation,
  document: ComparedDocument & Renamed,
): readonly string[] {
  const content = success?.content;
  if (offered === undefined) return content === undefined ? [] : ['the body is empty'];
  const what = action === 'list' ? 'list' : 'item';
  const payload = content && payloadOf(content.schema, document.schemas);
  if (content === undefined || payload?.kind !== what) {
    return [what === 'list' ? 'the body is a list of items' : 'the body is the item'];
  }
  const mediaType = mediaTypeChange(content.mediaType, action);
  const members = bodyMembersOf(payload.item, document.schemas, 'response');
  const known = new Set<string>();
  const changes = members.flatMap((member): readonly string[] => {
    const name = member.field === document.idMember ? 'id' : member.field;
    const other = offered.get(name);
    if (other === undefined || known.has(name)) return [`${member.name} is left out`];
    known.add(name);
    const { isNullable } = document.types.typeOf(member.schema);
    const canBeNull = other.isNullable && member.isRequired && !isNullable;
    return [
      ...memberChanges(member, other, document),
      ...(canBeNull ? [`${name} can be null`] : []),
    ];
  });
  const added = [...offered.keys()].filter((name) => !known.has(name));
  return [
    ...mediaType,
    ...envelopeChange(what === 'list' ? 'the list' : 'the item', payload.envelope),
    ...changes,
    ...added.map((name) => `${name} is added`),
  ];
}

const envelopeChange = (what: string, envelope: string | undefined): readonly string[] =>
  envelope === undefined ? [] : [`${what} is the body itself, and not its member ${envelope}`];

/** The name and the type of a member. */
function memberChanges(
  member: BodyMember,
  other: OfferedMember,
  { types }: ComparedDocument,
): readonly string[] {
  const { definition, notes } = types.typeOf(member.schema);
  const renamed = member.name === other.name ? [] : [`${member.name} is called ${other.name}`];
  const one = JSON.stringify(canonical(definition));
  const isSame = one === JSON.stringify(canonical(other.type));
  const changed = isSame
    ? notes.map((note) => `${other.name} ${note}`)
    : [`${other.name} is ${typeText(other.type)}, and not ${typeText(definition)}`];
  return [...renamed, ...changed];
}

/** A type without what says nothing of its values, in one order. */
function canonical(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(canonical);
  if (typeof type !== 'object' || type === null) return type;
  return Object.entries(type)
    .filter(([key]) => key !== 'description')
    .map(([key, value]): readonly [string, unknown] => [key, canonical(value)])
    .toSorted(([first], [second]) => (first < second ? -1 : 1));
}

const LONGEST_TYPE = 160;

/** A type in one line of YAML, cut where it is long. */
function typeText(type: unknown): string {
  const text = inlineYaml(type ?? { type: 'unknown' });
  return text.length > LONGEST_TYPE ? `${text.slice(0, LONGEST_TYPE)}…` : text;
}
