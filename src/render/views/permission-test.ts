/** What the template of a collection's permission tests says. */
import { beginsWithLink } from '../../definition/owner-step.ts';
import type { CollectionDefinition, Field, OwnerStep, Permission } from '../../definition/types.ts';
import { includedRelations } from '../../model/includes.ts';
import { isBackground } from '../../model/jobs.ts';
import { collectionNamed } from '../../model/lookup.ts';
import type { Names } from '../../model/names.ts';
import { placeholderIdOf } from '../../expressions/candidate-values.ts';
import { isKeptValue } from '../../model/check-values.ts';
import { allowsOwners, hasOwners } from '../../model/permissions.ts';
import { capacityOf, isUniqueByItself, samplesOf } from '../../model/samples.ts';
import type { Samples } from '../../model/samples.ts';
import type { Collection, Model, Relation } from '../../model/types.ts';
import type { JsonValue } from '../../shared/json.ts';
import { stringLiteral, valueCode } from '../../shared/literals.ts';
import { columnName, quoted, tableName } from '../../shared/sql.ts';
import { unusedIdOf, testIds } from './test-ids.ts';
import { madeReferences, targetNames, samplesFor } from './fixture.ts';
import type { MemberCode } from './tested-collection.ts';
import {
  callersOf,
  commonReach,
  WITHOUT_ROLE,
  OWNER,
  mayCreateForOthers,
  readReach,
  rowsOf,
  ANONYMOUS,
  tableLines,
} from './permission-table.ts';
import type { Caller, Row } from './permission-table.ts';

/** The data of templates/collection/permissions.test.ts.hbs. */
export interface PermissionTestView {
  readonly names: Names;
  /** What is imported of `test/support/`. */
  readonly imports: readonly { readonly file: string; readonly names: readonly string[] }[];
  /** The name of an id that no item has. */
  readonly noId: string;
  /** Whether tests can create items. */
  readonly creates: boolean;
  /** The lines of the table of who may do what. */
  readonly table: readonly string[];
  /** What the definition says of owners; absent: nobody owns items. */
  readonly owned: OwnedView | undefined;
  /** Paths below items of other collections. */
  readonly nested: readonly NestedView[];
  /** References to items that not everybody may read, and those that `include` embeds. */
  readonly references: readonly (readonly MemberCode[])[];
  readonly includes: readonly (readonly MemberCode[])[];
}

interface NestedView {
  /** The collection of the items, as tests know it. */
  readonly parents: string;
  readonly path: string;
  readonly member: string;
  readonly noId: string;
}

interface OwnedView {
  /** The function that tests it. */
  readonly suite: string;
  /** The owner path; absent: items belong to who creates them. */
  readonly path: readonly StepView[] | undefined;
  /** The other options of the suite. */
  readonly options: readonly MemberCode[];
}

/** A step of an owner path, with the name of the collection in tests. */
interface StepView {
  readonly items: string;
  readonly reference: string;
  readonly link: string | undefined;
}

/** A reference to items that not everybody may read. */
interface ReferenceView {
  readonly member: string;
  readonly noId: string;
  /** Callers who may create or change items, but not read what they would refer to. */
  readonly creator: string | undefined;
  readonly updater: string | undefined;
}

export function permissionTestView(collection: Collection, model: Model): PermissionTestView {
  const all = samplesOf(model);
  const samples = samplesFor(collection, all);
  const { names, definition } = collection;
  const creates = samples.obstacle === undefined;
  const isOwned =
    creates && hasOwners(definition) && isReachable(definition.owner ?? [], model, all);
  const roles = model.service.roles.filter((role) => role !== 'admin');
  const others = callersOf(roles, false);
  const usable = collection.relations.filter(
    ({ field, target }) =>
      !field.readOnly &&
      all.get(target.collection)?.obstacle === undefined &&
      isKeptValue(samples.checks, field, placeholderIdOf(field.name)),
  );
  const nestedRelations = usable.filter(({ nestedPath }) => nestedPath !== undefined);
  const nested = nestedRelations.map(({ field, nestedPath = '', target }): NestedView => ({
    parents: testItemsOf(target.names),
    path: nestedPath,
    member: field.name,
    noId: unusedIdOf(field.type),
  }));
  const references = creates ? referenceViews(usable, collection, model, others) : [];
  const includes = creates ? includeViews(usable, collection, model, others) : [];
  const owned = isOwned ? ownedView(samples, nestedRelations, model, all) : undefined;
  const { noId } = testIds(definition);
  return {
    names,
    imports: importsOf([
      ['callers', 'makeCallers'],
      ...[noId, ...[...nested, ...references].map((one) => one.noId)].map(
        (name) => ['expected', name] as const,
      ),
      ...(creates ? [itemsImport(names)] : []),
      ...nestedRelations.map(({ target }) => itemsImport(target.names)),
      ...parentsOf(definition.owner).flatMap((name) =>
        isOwned ? [itemsImport(targetNames(name, all))] : [],
      ),
      ...(owned === undefined ? [] : OWNER_IMPORTS[owned.path === undefined ? 'creator' : 'path']),
      ...(includes.length > 0 ? [['permission-tests', 'hiddenIncludeTests'] as const] : []),
      ...(references.length > 0 ? [['permission-tests', 'hiddenReferenceTests'] as const] : []),
      ['permission-tests', 'permissionTests'],
      ['service', 'sharedService'],
    ]),
    noId,
    creates,
    table: tableLines(
      callersOf(roles, isOwned),
      rowsOf(samples, nestedRelations, model).map((row) =>
        isOwned && isKeptByLink(definition, model) ? keptByLink(row) : row,
      ),
    ),
    owned,
    nested,
    references: references.map(({ member, noId: absent, creator, updater }) => [
      ...codesOf({ member }),
      { name: 'noId', code: absent },
      ...codesOf({ creator, updater }),
    ]),
    includes,
  };
}

/** A name that a test imports, after the module. */
type Imported = readonly [file: string, name: string];

const OWNER_IMPORTS: Readonly<Record<'creator' | 'path', readonly Imported[]>> = {
  creator: [
    ['creator-tests', 'creators'],
    ['creator-tests', 'creatorTests'],
  ],
  path: [
    ['owner-path', 'ownerPath'],
    ['owner-path-tests', 'ownerPathTests'],
  ],
};

/** The constant of a collection that tests know it by. */
const testItemsOf = ({ pascal }: Names): string => `test${pascal}`;

const itemsImport = (names: Names): Imported => [`items/${names.kebab}`, testItemsOf(names)];

/** The imports in the order of their modules, each name once. */
function importsOf(imported: readonly Imported[]): PermissionTestView['imports'] {
  const files = new Map<string, Set<string>>();
  for (const [file, name] of imported) files.set(file, (files.get(file) ?? new Set()).add(name));
  return [...files]
    .map(([file, names]) => ({ file, names: [...names] }))
    .toSorted((one, other) => (one.file < other.file ? -1 : 1));
}

/** The members of an object that it has, with code for their values; lists that are not empty. */
const codesOf = (members: Readonly<Record<string, JsonValue | undefined>>): MemberCode[] =>
  Object.entries(members).flatMap(([name, value]) =>
    value === undefined || value === false || (Array.isArray(value) && value.length === 0)
      ? []
      : [{ name, code: valueCode(value) }],
  );

/** The same in brief, for a version that has the collection otherwise than the current one. */
export interface OlderPermissionsView {
  readonly table: readonly string[];
  readonly roles: readonly string[];
  readonly owned: boolean;
  readonly ownLists: boolean;
  /** Nested paths of the table, with the reference to the item of each. */
  readonly nested: readonly { readonly row: string; readonly member: string }[];
  /** References that somebody may send who may not read what they lead to. */
  readonly references: readonly {
    readonly member: string;
    readonly noId: string;
    readonly creator: string;
  }[];
}

/** What holds in all versions, under the names of this one; undefined where all may do all. */
export function olderPermissionsView(
  collection: Collection,
  model: Model,
  stored: Collection,
): OlderPermissionsView | undefined {
  const { permissions, owner } = collection.definition;
  if (Object.values(permissions).every((one: Permission) => one.kind === 'public'))
    return undefined;
  const samples = samplesFor(collection, samplesOf(model));
  // With an owner path, the tests of the current version make items that belong to a caller.
  const owned = Object.values(permissions).some(allowsOwners) && owner === undefined;
  const roles = model.service.roles.filter((role) => role !== 'admin');
  // The bodies of tests hold these, and parents with them.
  const held = collection.relations.filter(({ field }) =>
    samples.members.some((member) => member.kind === 'parent' && member.field === field),
  );
  const nested = held.filter(({ nestedPath }) => nestedPath !== undefined);
  const path = owner?.length === 0 ? stored.definition.owner : owner;
  const rows = rowsOf(samples, nested, model, path);
  return {
    table: tableLines(
      callersOf(roles, owned),
      rows.filter(({ method, isThere }) => method !== 'HEAD' && isThere),
    ),
    roles,
    owned,
    ownLists: owned && allowsOwners(permissions.read) && capacityOf(samples) > 1,
    nested: nested.map(({ field, nestedPath = '', target: { names } }) => ({
      row: `/${names.kebab}/{id}/${nestedPath}`,
      member: field.name,
    })),
    references: referenceViews(held, collection, model, callersOf(roles, false)).flatMap(
      ({ member, noId, creator }) =>
        creator === undefined ? [] : [{ member, noId, creator: stringLiteral(creator) }],
    ),
  };
}

/** References to what not all callers may read who may send them. */
function referenceViews(
  relations: readonly Relation[],
  { definition }: Collection,
  model: Model,
  callers: readonly Caller[],
): ReferenceView[] {
  const { permissions, owner } = definition;
  return relations.flatMap(({ field, target }): ReferenceView[] => {
    const who = (...needed: readonly Permission[]): string | undefined =>
      callers.find(
        (caller) =>
          commonReach(needed, caller) === 'all' &&
          // Others get 403 for a new item that is not theirs.
          (owner === undefined || mayCreateForOthers(permissions, caller)) &&
          readReach(caller, target.collection, model) !== 'all',
      )?.label;
    const creator = who(permissions.create);
    const updater = field.immutable ? undefined : who(permissions.update, permissions.read);
    if (creator === undefined && updater === undefined) return [];
    return [
      {
        member: field.name,
        noId: unusedIdOf(field.type),
        creator,
        updater,
      },
    ];
  });
}

/** Embedded items that somebody may not read who may read the items themselves. */
function includeViews(
  usable: readonly Relation[],
  collection: Collection,
  model: Model,
  callers: readonly Caller[],
): MemberCode[][] {
  const readers = callers.filter(
    (caller) => commonReach([collection.definition.permissions.read], caller) === 'all',
  );
  return includedRelations(collection).flatMap(({ name, field, target }): MemberCode[][] => {
    if (!usable.some((one) => one.field === field)) return [];
    const who = (reach: 'own' | 'none'): string | undefined =>
      readers.find((caller) => readReach(caller, target.collection, model) === reach)?.label;
    const [refused, limited] = [who('none'), who('own')];
    if (refused === undefined && limited === undefined) return [];
    return [codesOf({ name, member: field.name, refused, limited })];
  });
}

/** The collections that an owner path goes over. */
const parentsOf = (owner: readonly OwnerStep[] = []): readonly string[] =>
  owner.slice(1).map(({ collection }) => collection);

/** Whether tests can make the items of an owner path. */
const isReachable = (
  owner: readonly OwnerStep[],
  model: Model,
  all: ReadonlyMap<string, Samples>,
): boolean =>
  parentsOf(owner).every((name) => all.get(name)?.obstacle === undefined) &&
  owner.every((step, at) =>
    at === 0 && beginsWithLink(owner) ? true : fieldOf(step, model)?.readOnly === false,
  ) &&
  // The fixtures make what the references of the path lead to.
  owner
    .slice(0, -1)
    .every(
      ({ collection, field }, at) =>
        (at === 0 && beginsWithLink(owner)) || isMade(collection, field, all),
    ) &&
  // What a linking collection links is made before.
  owner.every((step, at) => {
    const link = linkOf(step, model);
    const isFirst = at === 1 && beginsWithLink(owner);
    return link === undefined || (!link.readOnly && (isFirst || link.required));
  });

/** Whether the fixture of a collection makes what a reference leads to. */
const isMade = (collection: string, field: string, all: ReadonlyMap<string, Samples>): boolean => {
  const samples = all.get(collection);
  return (
    samples !== undefined && madeReferences(samples, all).some((one) => one.field.name === field)
  );
};

const fieldOf = ({ collection, field }: OwnerStep, model: Model): Field | undefined =>
  collectionNamed(model, collection)?.definition.fields.find(({ name }) => name === field);

const linkOf = ({ collection, link }: OwnerStep, model: Model): Field | undefined =>
  link === undefined ? undefined : fieldOf({ collection, field: link }, model);

/** Whether an item that a user owns cannot be removed: the item that links it to the user refers to it. */
function isKeptByLink({ owner }: Pick<CollectionDefinition, 'owner'>, model: Model): boolean {
  const step = beginsWithLink(owner) ? owner?.[1] : undefined;
  const type = step && linkOf(step, model)?.type;
  return type?.type === 'reference' && type.onDelete === 'refuse';
}

/** A row of an item that cannot be removed. */
const keptByLink = (row: Row): Row => ({
  ...row,
  status: (caller) => {
    const status = row.status(caller);
    return row.method === 'DELETE' && status === 204 ? 409 : status;
  },
});

/** Whether no two items have the same value of a reference. */
function isUniqueIn({ collection, field }: OwnerStep, model: Model): boolean {
  const definition = collectionNamed(model, collection)?.definition;
  return (
    definition?.fields.some(({ name, unique }) => name === field && unique) === true ||
    definition?.unique.some((rule) => rule.fields.includes(field)) === true
  );
}

/** What users may do with the reference by which an item belongs to them. */
function referenceOptions(samples: Samples, model: Model): Readonly<Record<string, JsonValue>> {
  const { definition } = samples.collection;
  const { owner, permissions } = definition;
  const [first, ...rest] = owner ?? [];
  const field = first && fieldOf(first, model);
  if (first === undefined || field === undefined || beginsWithLink(owner)) return {};
  const parents = samples.members.flatMap((member) =>
    member.kind === 'parent' && member.field !== field ? [member.type.to] : [],
  );
  const target = field.type.type === 'reference' ? field.type.to : 'users';
  const readsTarget = readReach(WITHOUT_ROLE, target, model);
  const targetPath = collectionNamed(model, target)?.definition.owner;
  const ownTarget = beginsWithLink(targetPath) ? targetPath?.slice(1) : targetPath;
  const readsOwn =
    readsTarget === 'all' ||
    (readsTarget === 'own' &&
      (rest.length === 0 || JSON.stringify(ownTarget) === JSON.stringify(rest)));
  const createsOwn =
    commonReach([permissions.create], WITHOUT_ROLE) === 'all' &&
    !mayCreateForOthers(permissions, WITHOUT_ROLE) &&
    readsOwn &&
    parents.every((parent) => readReach(WITHOUT_ROLE, parent, model) === 'all');
  const changes = commonReach([permissions.update, permissions.read], WITHOUT_ROLE) !== 'none';
  const handsOver = changes && readsTarget === 'all';
  return {
    ...(createsOwn && { created: isBackground(samples.collection) ? 202 : 201 }),
    canLeaveOut: createsOwn && rest.length === 0 && !isBackground(samples.collection),
    ...(!field.immutable && { giver: handsOver ? 'owner' : 'admin' }),
    isNullable: !field.required && !field.immutable,
  };
}

/** How many values of the first reference of a path lead to one user in tests of pages. */
function pagesOf(owner: readonly OwnerStep[], model: Model): number {
  const [, ...rest] = owner;
  const isOne = rest.length === 0 || beginsWithLink(owner);
  return isOne || rest.some((step) => isUniqueIn(step, model)) ? 1 : 2;
}

/** SQL that gives the items of one user to another: at the end of the owner path, or by their creator. */
function handOverSql({ definition, table }: Collection): string {
  const last = definition.owner?.at(-1);
  const [owned, column] =
    last === undefined
      ? [table.name, '_owner_id']
      : [tableName(last.collection), columnName(last.field)];
  return `update ${quoted(owned)} set ${quoted(column)} = $2 where ${quoted(column)} = $1`;
}

function ownedView(
  samples: Samples,
  nested: readonly Relation[],
  model: Model,
  all: ReadonlyMap<string, Samples>,
): OwnedView {
  const { definition } = samples.collection;
  const { owner } = definition;
  const { read, update, delete: remove } = definition.permissions;
  const isOwn = (...needed: readonly Permission[]): boolean =>
    commonReach(needed, WITHOUT_ROLE) === 'own';
  const canChange = (caller: Caller): boolean => {
    const reached = commonReach([update, read], caller);
    return reached === 'all' || (reached === 'own' && caller.isOwner);
  };
  const changer = model.service.roles.find(
    (role) =>
      canChange({ ...OWNER, role }) && !canChange(OWNER) && !canChange({ ...WITHOUT_ROLE, role }),
  );
  const methods = [
    ...(isOwn(read) ? ['GET'] : []),
    ...(isOwn(update, read) ? ['PUT', 'PATCH'] : []),
    ...(isOwn(remove) && !isKeptByLink(definition, model) ? ['DELETE'] : []),
  ];
  const writes = methods.some((method) => method !== 'GET');
  const readsLists = allowsOwners(read) && capacityOf(samples) > 1;
  const options = {
    methods,
    handOver: writes ? handOverSql(samples.collection) : undefined,
    changer,
    lists: readsLists ? ownLists(samples, nested, model) : undefined,
  };
  if (owner === undefined) {
    return {
      suite: 'creatorTests',
      path: undefined,
      options: codesOf({ ...options, ...creatorOptions(samples, model) }),
    };
  }
  const pages = readsLists && hasPages(samples, owner, model) ? pagesOf(owner, model) : undefined;
  return {
    suite: 'ownerPathTests',
    path: owner.map(({ collection, field, link }) => ({
      items: testItemsOf(targetNames(collection, all)),
      reference: field,
      link,
    })),
    options: codesOf({ ...options, pages, ...referenceOptions(samples, model) }),
  };
}

/** What is tested where items belong to who creates them. */
function creatorOptions(samples: Samples, model: Model): Readonly<Record<string, JsonValue>> {
  const { fields } = samples.collection.definition;
  const taken = new Set(fields.map(({ name }) => name));
  const postedBy = rowsOf(samples, [], model).find(({ method }) => method === 'POST');
  return {
    unknownMembers: ['_owner_id', 'owner_id', 'owner'].filter((name) => !taken.has(name)),
    // A hook may set a reference to the owner, which `on_delete` follows when they are removed.
    canLeave: !fields.some(
      ({ type, setBy }) => setBy === 'service' && type.type === 'reference' && type.to === 'users',
    ),
    isOpen: postedBy?.status(ANONYMOUS) === 201,
  };
}

/** Whether tests read pages: these need several items of one user. */
function hasPages({ capacity }: Samples, owner: readonly OwnerStep[], model: Model): boolean {
  const limiting = beginsWithLink(owner) ? owner.slice(1) : owner.slice(0, 1);
  return capacity >= 6 && !limiting.some((step) => isUniqueIn(step, model));
}

/** What lists of an owner have. */
function ownLists(
  { collection, members }: Samples,
  nested: readonly Relation[],
  model: Model,
): Readonly<Record<string, JsonValue>> {
  const { definition } = collection;
  const given = new Set(
    members
      .filter(({ field }) => field.required && !field.writeOnly)
      .map(({ field }) => field.name),
  );
  const filters = definition.filter.filter((name) => given.has(name));
  const searched = definition.search.filter((name) => given.has(name));
  const lists = nested.flatMap(({ field, target, nestedPath = '' }) => {
    const reach = readReach(OWNER, target.collection, model);
    const parent = collectionNamed(model, target.collection)?.definition;
    if (isUniqueByItself(collection, field) || reach === 'none') return [];
    // The parent would have to be that of the owner.
    if (field.name === definition.owner?.[0]?.field) return [];
    if (reach === 'own' && parent?.owner !== undefined) return [];
    const path = `/${target.names.kebab}/{id}/${nestedPath}`;
    if (reach === 'all') return [{ path, member: field.name }];
    return [{ path, member: field.name, parent: parent === undefined ? 'caller' : 'own' }];
  });
  return {
    sorts: [...definition.sort],
    ...(filters.length > 0 && { filters }),
    ...(searched.length > 0 && { searched }),
    ...(lists.length > 0 && { nested: lists }),
  };
}
