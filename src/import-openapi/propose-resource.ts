/** A path of a document → the definition of a collection, and what that does not say. */
import { caseOf } from '../definition/names.ts';
import type { FieldTypeDefinition } from '../import/column-type.ts';
import { isComparable } from '../import/propose-field.ts';
import { collectionNameUnlessBuiltIn } from '../import/propose-names.ts';
import { BUILT_IN_MEMBERS } from '../shared/built-in-members.ts';
import { bodyMembersOf } from './body-members.ts';
import type { BodyMember } from './body-members.ts';
import { schemaDescription } from './field-type.ts';
import type { MemberTypes } from './field-type.ts';
import { proposeLists } from './propose-lists.ts';
import { collectionOf, contentPayload, referenceTo } from './resources.ts';
import type { Action, Resource } from './resources.ts';
import type { Operation } from './operations.ts';
import { MOST_PROPERTIES } from './schemas.ts';
import type { ClearSchema, Schemas } from './schemas.ts';
import { uncheckedKeywords } from './unchecked-keywords.ts';

/** Something of a document that a definition does not have, or has in another way. */
export interface DocumentDifference {
  /** Whether the service lacks it, or has it in another way. */
  readonly kind: 'lost' | 'changed';
  /** The names of the members in the document; none: it is about the collection. */
  readonly members: readonly string[];
  readonly text: string;
}

/** A resource that becomes a collection, and the others whose items are in it. */
export interface ResourceGroup {
  readonly resource: Resource;
  /** The paths that its items have: its own, and those below other collections. */
  readonly all: readonly Resource[];
}

export interface ProposedResource {
  readonly name: string;
  readonly group: ResourceGroup;
  /** As it is written. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The member that is called id in the service, if the document calls it something else. */
  readonly idMember: string | undefined;
  readonly differences: readonly DocumentDifference[];
}

/** How much of a field is left out, each with those before it. */
export const LEFT_OUT_PARTS = ['default', 'options', 'field'] as const;

type LeftOutPart = (typeof LEFT_OUT_PARTS)[number];

/** What earlier proposals had to leave out. */
export interface ResourceRejections {
  readonly fields: Map<string, { readonly leftOut: LeftOutPart; readonly message: string }>;
  /** Messages, by the key of the collection. */
  readonly keys: Map<string, string>;
  /** The references whose collections would need each other if they were required. */
  readonly cycles: Set<string>;
}

export const noResourceRejections = (): ResourceRejections => ({
  fields: new Map(),
  keys: new Map(),
  cycles: new Set(),
});

interface DocumentTypes {
  readonly schemas: Schemas;
  readonly types: MemberTypes;
}

/** The actions that have an item in their request, those that say most about it first. */
const WRITES: readonly Action[] = ['create', 'replace', 'update'];
const READS: readonly Action[] = ['read', 'list', 'create', 'replace', 'update'];

/** Proposes a collection for a resource. */
export function proposeResource(
  group: ResourceGroup,
  document: DocumentTypes,
  rejections: ResourceRejections,
): ProposedResource {
  const { resource, all } = group;
  const { schemas } = document;
  const bodies = bodiesOf(all, schemas);
  const { id, idMember } = identityOf(resource, bodies, schemas);
  const differences: DocumentDifference[] = [];
  const fields = proposeFields(bodies, { ...document, idMember, rejections, differences });
  const hasKey = bodies.some(({ members }) => members.some(({ field }) => field === 'id'));
  if (!hasKey && idMember === undefined) naturalKey(resource, fields, differences);
  for (const one of all) proposeReference(one, group, { fields, rejections, bodies });
  const key = keyType(id, resource, document);
  const lists = proposeLists(all, fields, document);
  const permissions = permissionsOf(all);
  const definition = {
    ...(resource.proposed.singular !== undefined && { singular: resource.proposed.singular }),
    ...itemDescription(bodies),
    ...(key !== 'uuid' && { key }),
    fields: Object.fromEntries(fields),
    ...lists.keys,
    ...(Object.keys(permissions).length > 0 && { permissions }),
  };
  for (const text of uncheckedOf(bodies)) {
    differences.push({ kind: 'changed', members: [], text: `a request ${text}` });
  }
  if (bodies.some(({ item }) => item.isCut)) {
    const text = `members after the first ${MOST_PROPERTIES} of a body are left out`;
    differences.push({ kind: 'lost', members: [], text });
  }
  for (const [rejected, message] of rejections.keys) {
    differences.push({ kind: 'lost', members: [], text: `${rejected} is left out: ${message}` });
  }
  return {
    name: resource.proposed.name,
    group,
    definition: Object.fromEntries(
      Object.entries(definition).filter(([name]) => !rejections.keys.has(name)),
    ),
    idMember,
    differences,
  };
}

/** The item in a request or a response of an operation. */
interface Body {
  readonly action: Action;
  readonly side: 'request' | 'response';
  readonly item: ClearSchema;
  /** The reference that the path says already. */
  readonly given: string | undefined;
  readonly members: readonly BodyMember[];
}

function bodiesOf(all: readonly Resource[], schemas: Schemas): readonly Body[] {
  const of = (
    actions: readonly Action[],
    side: Body['side'],
    contentOf: (operation: Operation) => Operation['request'],
  ): readonly Body[] =>
    actions.flatMap((action) =>
      all.flatMap((resource): Body[] => {
        const operation = resource.actions.get(action);
        const payload =
          operation && contentPayload(contentOf(operation), action, resource, schemas);
        if (payload === undefined) return [];
        const { item } = payload;
        const given = resource.parent && referenceTo(resource.parent);
        return [{ action, side, item, given, members: bodyMembersOf(item, schemas, side) }];
      }),
    );
  return [
    ...of(READS, 'response', ({ success }) => success?.content),
    ...of(WRITES, 'request', ({ request }) => request),
  ];
}

/** What requests are not checked for. */
const uncheckedOf = (bodies: readonly Body[]): ReadonlySet<string> =>
  new Set(
    bodies.flatMap(({ side, item }) => (side === 'request' ? uncheckedKeywords(item, {}) : [])),
  );

const itemDescription = (bodies: readonly Body[]): { readonly description?: string } =>
  bodies[0] === undefined ? {} : schemaDescription(bodies[0].item);

/**
 * Tells which member is the id: that of the name, or one that only responses have, that paths name, and that is a
 * UUID, a number, or called `{something}_id`.
 */
function identityOf(
  { idParameter }: Resource,
  bodies: readonly Body[],
  schemas: Schemas,
): { readonly id: BodyMember | undefined; readonly idMember: string | undefined } {
  const find = (field: string, side: Body['side']): BodyMember | undefined =>
    bodies
      .filter((body) => body.side === side)
      .flatMap(({ members }) => members)
      .find((member) => member.field === field);
  const id = find('id', 'response');
  if (id !== undefined || idParameter === undefined) return { id, idMember: undefined };
  const named = find(caseOf(idParameter, '_'), 'response');
  if (named === undefined || find(named.field, 'request') !== undefined) {
    return { id: undefined, idMember: undefined };
  }
  const schema = schemas.resolve(named.schema);
  const isIdentifier =
    named.field.endsWith('_id') ||
    (schema.unclear === undefined &&
      (schema.type === 'integer' || schema.keywords.get('format') === 'uuid'));
  return isIdentifier
    ? { id: named, idMember: named.field }
    : { id: undefined, idMember: undefined };
}

/** The type of ids. */
function keyType(
  id: BodyMember | undefined,
  { actions }: Resource,
  { schemas }: DocumentTypes,
): 'uuid' | 'integer' | 'bigint' {
  const operation = ['read', 'replace', 'update', 'remove']
    .map((action) => actions.get(action as Action))
    .find((one) => one !== undefined);
  const last = operation?.segments.at(-1)?.text;
  const inPath = operation?.parameters.find((one) => one.in === 'path' && one.name === last);
  const schema = schemas.resolve(id?.schema ?? inPath?.schema ?? true);
  if (schema.unclear !== undefined || schema.type !== 'integer') return 'uuid';
  return schema.keywords.get('format') === 'int32' ? 'integer' : 'bigint';
}

type Fields = Map<string, FieldTypeDefinition>;

interface FieldsContext extends DocumentTypes {
  readonly idMember: string | undefined;
  readonly rejections: ResourceRejections;
  readonly differences: DocumentDifference[];
}

const MOST_FIELDS = 500;

function proposeFields(bodies: readonly Body[], context: FieldsContext): Fields {
  const names = new Map<string, Set<string>>();
  for (const { members } of bodies) {
    for (const { name, field } of members)
      names.set(field, (names.get(field) ?? new Set()).add(name));
  }
  const fields: Fields = new Map();
  for (const [field, [name = '', ...others]] of names) {
    const add = (kind: DocumentDifference['kind'], text: string, members = [name]): void => {
      context.differences.push({ kind, members, text });
    };
    if (field === '') add('lost', 'is left out: it has no letter of a to z');
    else if (field === context.idMember) add('changed', 'is called id in the service');
    else if (BUILT_IN_MEMBERS.includes(field)) {
      if (field !== name) add('changed', `is called ${field} in the service`);
    } else if (fields.size >= MOST_FIELDS) {
      add('lost', `is left out: a collection has at most ${MOST_FIELDS} fields`);
    } else if (others.length > 0) {
      add('lost', `are left out: both would be ${field}`, [name, ...others]);
    } else {
      const definition = proposeDocumentField(field, bodies, context, add);
      if (definition === undefined) continue;
      if (field !== name) add('changed', `is called ${field} in the service`);
      fields.set(field, definition);
    }
  }
  return fields;
}

function proposeDocumentField(
  field: string,
  bodies: readonly Body[],
  context: FieldsContext,
  add: (kind: DocumentDifference['kind'], text: string) => void,
): FieldTypeDefinition | undefined {
  const { types, schemas, rejections } = context;
  const isOn = (side: Body['side']) => (body: Body) => body.side === side;
  const found = (side: Body['side']) =>
    bodies
      .filter(isOn(side))
      .flatMap(({ action, members }) =>
        members.filter((one) => one.field === field).map((member) => ({ action, member })),
      );
  const sent = found('request');
  const shown = found('response');
  const typed = combinedType(
    [...sent, ...shown].map(({ member }) => types.typeOf(member.schema)),
    sent.filter(({ action }) => action === sent[0]?.action).length,
  );
  if (typeof typed === 'string') {
    add('lost', `is left out: ${typed}`);
    return undefined;
  }
  const rejected = rejections.fields.get(field);
  if (rejected?.leftOut === 'field') {
    add('lost', `is left out: ${rejected.message}`);
    return undefined;
  }
  for (const note of typed.notes) add('changed', note);
  const hasRequests = bodies.some(isOn('request'));
  const hasResponses = bodies.some(isOn('response'));
  const hasCreate = bodies.some(({ side, action }) => side === 'request' && action === 'create');
  const isReadOnly = hasRequests && sent.length === 0;
  const isWriteOnly = hasResponses && shown.length === 0;
  const isPresent = shown.some(({ member }) => member.isRequired) && !typed.isNullable;
  const demanding = bodies.filter(
    ({ side, action, given }) =>
      side === 'request' && action === (hasCreate ? 'create' : 'replace') && given !== field,
  );
  const isDemanded = hasRequests
    ? demanding.length > 0 && demanding.every(({ members }) => isRequiredIn(members, field))
    : isPresent;
  // A request that changes an item keeps what it leaves out, whatever the default.
  const setting = sent.filter(({ action }) => action !== 'update');
  const value =
    rejected === undefined ? defaultOf(sent.length > 0 ? setting : shown, schemas) : undefined;
  const isRequired = !typed.isNullable && (isDemanded || (isPresent && value !== undefined));
  if (rejected !== undefined) {
    const what = rejected.leftOut === 'default' ? 'its default' : 'its options';
    add('changed', `is without ${what}: ${rejected.message}`);
  }
  const isInPath = bodies.some(({ action, given }) => action === 'create' && given === field);
  if (isReadOnly && value === undefined && !isInPath) {
    add('changed', 'is null until a hook sets it');
  }
  const [described] = [...shown, ...sent].map(({ member }) =>
    schemaDescription(schemas.resolve(member.schema)),
  );
  return {
    ...(rejected?.leftOut === 'options' ? withoutOptions(typed.definition) : typed.definition),
    ...(isRequired && { required: true }),
    ...(isReadOnly && { read_only: true }),
    ...(isWriteOnly && !isReadOnly && { write_only: true }),
    ...(value !== undefined && { default: value }),
    ...described,
  };
}

const isRequiredIn = (members: readonly BodyMember[], field: string): boolean =>
  members.some((one) => one.field === field && one.isRequired);

interface CombinedType {
  readonly definition: FieldTypeDefinition;
  readonly isNullable: boolean;
  readonly notes: readonly string[];
}

/**
 * One type of those that several bodies have; of the options those of requests count.
 * @param deciding how many of them say whether it may be null: those of the request that creates items come first.
 * @returns why there is none, as a text.
 */
function combinedType(
  all: readonly ReturnType<MemberTypes['typeOf']>[],
  deciding: number,
): CombinedType | string {
  const [first] = all;
  const notes = new Set(all.flatMap((one) => [...one.notes, ...one.unchecked]));
  const definition = first?.definition;
  if (definition === undefined) return first?.notes.join(', and ') ?? '';
  const other = all.find((one) => one.definition?.type !== definition.type)?.definition;
  if (other !== undefined) {
    const [one, two] = [definition.type, other.type].map((type) => `type ${type}`);
    return `it has the ${one} in one body, and the ${two} in another`;
  }
  const isNullable = all.slice(0, Math.max(deciding, 1)).some((one) => one.isNullable);
  if (definition.type !== 'enum') return { definition, isNullable, notes: [...notes] };
  const values = all.flatMap((one) => (one.definition?.['values'] ?? []) as readonly string[]);
  return {
    definition: { ...definition, values: [...new Set(values)] },
    isNullable,
    notes: [...notes],
  };
}

/** The type alone: texts for an enum, and any JSON for what has parts. */
function withoutOptions({ type }: FieldTypeDefinition): FieldTypeDefinition {
  if (type === 'enum') return { type: 'string' };
  return { type: type === 'list' || type === 'object' ? 'json' : type };
}

/** The default of a member, if it is a scalar. */
function defaultOf(
  all: readonly { readonly member: BodyMember }[],
  schemas: Schemas,
): string | number | boolean | undefined {
  for (const { member } of all) {
    const schema = schemas.resolve(member.schema);
    const value = schema.unclear === undefined ? schema.keywords.get('default') : undefined;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return value;
    }
  }
  return undefined;
}

/** A member by which paths name items, and that requests send: no two items have the same value. */
function naturalKey(
  { idParameter }: Resource,
  fields: Fields,
  differences: DocumentDifference[],
): void {
  const field = caseOf(idParameter ?? '', '_');
  const definition = fields.get(field);
  if (definition === undefined || idParameter === undefined) return;
  const isUnique =
    isComparable(definition) &&
    definition['default'] === undefined &&
    definition.type !== 'boolean';
  if (isUnique) fields.set(field, { ...definition, unique: true });
  const text =
    'is not in paths of the service, which have the id; to find items by it, add it to filter';
  differences.push({ kind: 'changed', members: [idParameter], text });
}

/** The reference of items to the collection above them. */
function proposeReference(
  one: Resource,
  { resource }: ResourceGroup,
  {
    fields,
    rejections,
    bodies,
  }: {
    readonly fields: Fields;
    readonly rejections: ResourceRejections;
    readonly bodies: readonly Body[];
  },
): void {
  if (one.parent === undefined) return;
  const parent = collectionOf(one.parent);
  const name = referenceTo(parent);
  if (rejections.fields.get(name)?.leftOut === 'field') return;
  const known = fields.get(name);
  // Without a path of its own an item is always created below its parent.
  const isBelow = resource === one && bodies.length > 0;
  const isRequired = (isBelow || known?.['required'] === true) && !rejections.cycles.has(name);
  const nested = collectionNameUnlessBuiltIn(one.segment)?.name;
  fields.set(name, {
    type: 'reference',
    to: parent.proposed.name,
    ...(isRequired && { required: true }),
    nested: nested === undefined || nested === resource.proposed.name ? true : nested,
    ...(known?.['description'] !== undefined && { description: known['description'] }),
  });
}

const PERMISSION_OF: Readonly<Record<Action, string>> = {
  list: 'read',
  read: 'read',
  create: 'create',
  replace: 'update',
  update: 'update',
  remove: 'delete',
};

/** The permissions of which the document says that all may: each action whose operations are all public. */
function permissionsOf(all: readonly Resource[]): Readonly<Record<string, string>> {
  const access = new Map<string, boolean>();
  for (const { actions } of all) {
    for (const [action, operation] of actions) {
      const permission = PERMISSION_OF[action];
      access.set(permission, (access.get(permission) ?? true) && operation.access === 'public');
    }
  }
  return Object.fromEntries(
    [...access].flatMap(([permission, isPublic]) => (isPublic ? [[permission, 'public']] : [])),
  );
}
