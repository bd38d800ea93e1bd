/** How an operation of a document differs for its clients from the one that the service offers. */
import { bodyMembersOf } from './body-members.ts';
import type { BodyMember } from './body-members.ts';
import { parameterChanges } from './compare-parameters.ts';
import { typeChanges } from './compare-types.ts';
import type { TypeUse } from './compare-types.ts';
import { isAnyValue } from './field-type.ts';
import type { MemberTypes } from './field-type.ts';
import type { OfferedMember, OfferedOperation } from './offered.ts';
import type { BodyContent, DocumentedAccess, Operation, Segment } from './operations.ts';
import type { ProposedResource } from './propose-resource.ts';
import { unreadReason } from './payload.ts';
import { contentPayload } from './resources.ts';
import type { Action, Resource } from './resources.ts';
import { enumerate } from '../reading/quote.ts';
import type { ClearSchema, Schemas } from './schemas.ts';
import { isMap } from './values.ts';

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
type Renamed = Pick<ProposedResource, 'idMember'> & Pick<Resource, 'envelope'>;

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
  else {
    const others = success.statuses.filter((status) => status !== offered.status);
    if (others.length > 0) add('status', `answers ${offered.status}, and not ${enumerate(others)}`);
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
  some: 'takes an access token (Bearer) or a username and password (Basic), and no other credential',
};

const plainPath = (segments: readonly Segment[]): string =>
  segments.map(({ kind, text }) => (kind === 'parameter' ? '/{}' : `/${text}`)).join('');

/** Ids in the path that are no ids of the service. */
function compareKeys(
  { parameters, segments }: Operation,
  { keys }: OfferedOperation,
  schemas: Schemas,
  add: (code: OperationChangeCode, text: string) => void,
): void {
  const names = segments.flatMap(({ kind, text }) => (kind === 'parameter' ? [text] : []));
  for (const [index, key] of [...keys].toReversed().entries()) {
    const name = names.at(-1 - index);
    const inPath = parameters.find((one) => one.in === 'path' && one.name === name);
    if (name === undefined) continue;
    const schema = schemas.resolve(inPath?.schema ?? true);
    const isUuid = schema.unclear === undefined && schema.keywords.get('format') === 'uuid';
    const isNumber = schema.unclear === undefined && schema.type === 'integer';
    if (key === 'uuid' ? !isUuid : !isNumber) {
      const what = key === 'uuid' ? 'a UUID' : 'a number that the service assigns';
      add('key', `${name} is the id, ${what}`);
    }
  }
}

/** The media types of a body that the service neither takes nor sends. */
function mediaTypeChange(
  { mediaTypes }: BodyContent,
  action: Action,
  side: 'request' | 'response',
  own: string,
): readonly string[] {
  const served = ['*/*', 'application/*', 'application/json', own];
  if (action === 'update' && side === 'request') served.push('application/merge-patch+json');
  const others = mediaTypes.filter((mediaType) => {
    const [type = ''] = mediaType.toLowerCase().split(';');
    return !served.includes(type.trim());
  });
  return others.length === 0
    ? []
    : [`the body is application/json, and not ${enumerate(others, 'or')}`];
}

function requestChanges(
  { request, isRequestRequired }: Operation,
  action: Action,
  { request: offered, mediaType: mediaTypeOfService }: OfferedOperation,
  document: ComparedDocument & Renamed,
): readonly string[] {
  if (offered === undefined) return request === undefined ? [] : ['no body is read'];
  if (request === undefined) return ['the body is an item'];
  const payload = contentPayload(request, action, document, document.schemas);
  const mediaType = mediaTypeChange(request, action, 'request', mediaTypeOfService);
  if (payload === undefined) {
    return [...mediaType, `the body is an item${whyUnread(request, action, document)}`];
  }
  const members = bodyMembersOf(payload.item, document.schemas, 'request');
  const known = new Set(members.map(({ field }) => field));
  const demanded = [...offered.values()].filter(
    ({ name, isDemanded }) => action !== 'update' && isDemanded && !known.has(name),
  );
  return [
    ...(isRequestRequired ? [] : ['a body is required']),
    ...mediaType,
    ...envelopeChange('the item', payload.envelope),
    ...members.flatMap((member) => {
      const other = offered.get(member.field);
      if (other === undefined) return [`${member.name} is not accepted`];
      const isNullable =
        document.types.typeOf(member.schema).isNullable ||
        isAnyValue(document.schemas.resolve(member.schema));
      const isDemanded = action !== 'update' && other.isDemanded && !member.isRequired;
      return [
        ...memberChanges(member, other, document, action === 'update' ? 'patch' : 'request'),
        ...(isDemanded ? [`${member.field} is required`] : []),
        ...(isNullable && !other.isNullable ? [`${member.field} may not be null`] : []),
        ...(action === 'update' ? [] : defaultChange(member, other, document)),
      ];
    }),
    ...demanded.map(({ name }) => `${name} is required`),
    ...(isOpen(payload.item) ? ['members that the document does not list are refused'] : []),
    ...(action === 'replace' ? resetChange(offered, known) : []),
  ];
}

/** The members that a PUT of the document leaves as they are. */
function resetChange(
  offered: ReadonlyMap<string, OfferedMember>,
  known: ReadonlySet<string>,
): readonly string[] {
  const reset = [...offered.values()].filter(
    ({ name, isDemanded }) => !isDemanded && !known.has(name),
  );
  if (reset.length === 0) return [];
  const [is, names] = [reset.length === 1 ? 'is' : 'are', enumerate(reset.map(({ name }) => name))];
  return [`${names}, which the document cannot send, ${is} reset`];
}

/** Why the document does not say what a body is. */
function whyUnread(
  content: BodyContent | undefined,
  action: Action,
  { schemas }: ComparedDocument,
): string {
  if (content === undefined) return '';
  const other = action === 'list' ? 'has no list of items, or several' : 'is a list';
  return `; that of the document ${unreadReason(content.schema, schemas) ?? other}`;
}

/** What a request that leaves out a member means. */
function defaultChange(
  { schema, field }: BodyMember,
  { default: offered }: OfferedMember,
  { schemas }: ComparedDocument,
): readonly string[] {
  const resolved = schemas.resolve(schema);
  const own = resolved.unclear === undefined ? resolved.keywords.get('default') : undefined;
  if ((own ?? undefined) === offered) return [];
  if (own === undefined || own === null) return [`${field} has the default ${String(offered)}`];
  return [`${field} has ${offered === undefined ? 'no default' : 'another default'}`];
}

function responseChanges(
  { success }: Operation,
  action: Action,
  { response: offered, mediaType: mediaTypeOfService }: OfferedOperation,
  document: ComparedDocument & Renamed,
): readonly string[] {
  const content = success?.content;
  if (offered === undefined) return content === undefined ? [] : ['the body is empty'];
  const payload = contentPayload(content, action, document, document.schemas);
  if (content === undefined || payload === undefined) {
    const what = action === 'list' ? 'a list of items' : 'the item';
    return [`the body is ${what}${whyUnread(content, action, document)}`];
  }
  const mediaType = mediaTypeChange(content, action, 'response', mediaTypeOfService);
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
      ...memberChanges(member, other, document, 'response'),
      ...(canBeNull ? [`${name} can be null`] : []),
    ];
  });
  const added = [...offered.keys()].filter((name) => !known.has(name));
  return [
    ...mediaType,
    ...envelopeChange(action === 'list' ? 'the list' : 'the item', payload.envelope),
    ...changes,
    ...added.map((name) => `${name} is added`),
    ...(isOpen(payload.item) ? ['members that the document does not list are left out'] : []),
  ];
}

/** Whether a schema says itself that items have members beyond those that it lists. */
const isOpen = ({ keywords }: ClearSchema): boolean => {
  const additional = keywords.get('additionalProperties');
  return additional === true || isMap(additional) || keywords.has('patternProperties');
};

const envelopeChange = (what: string, envelope: string | undefined): readonly string[] =>
  envelope === undefined ? [] : [`${what} is the body itself, and not its member ${envelope}`];

/** The name and the type of a member. */
function memberChanges(
  { name, schema }: BodyMember,
  other: OfferedMember,
  { types }: ComparedDocument,
  use: TypeUse,
): readonly string[] {
  const { definition, notes, requestNotes } = types.typeOf(schema);
  // Without a definition the notes say why.
  const all =
    definition === undefined ? [] : [...notes, ...(use === 'response' ? [] : requestNotes)];
  return [
    ...(name === other.name ? [] : [`${name} is called ${other.name}`]),
    ...typeChanges(other.name, other.type, definition, use),
    ...all.map((note) => `${other.name} ${note}`),
  ];
}
