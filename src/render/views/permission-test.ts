/** What the template of a collection's permission tests says. */
import { keyPartsOf } from '../../model/key-parts.ts';
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
import { stringLiteral } from '../../shared/literals.ts';
import { columnName, quoted, tableName } from '../../shared/sql.ts';
import { unusedIdOf, testIds } from './test-ids.ts';
import { targetNames, samplesFor } from './fixture.ts';
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
  /** Whether paths have to encode ids: parts of them are texts. */
  readonly encodesIds: boolean;
  /** The name of an id that no item has. */
  readonly noId: string;
  /** What is imported from `expected.ts`. */
  readonly expected: readonly string[];
  readonly creates: boolean;
  /** The lines of the table of who may do what. */
  readonly table: readonly string[];
  /** The roles among the callers. */
  readonly roles: readonly string[];
  /** Whether items belong to who made them, and all that follows. */
  readonly owned: OwnedView | undefined;
  /** Collections that these are nested in. */
  readonly nested: readonly NestedView[];
  readonly references: readonly ReferenceView[];
  readonly includes: readonly IncludeView[];
  readonly fixtures: readonly { readonly kebab: string; readonly make: string }[];
  readonly typed: boolean;
  readonly readsPages: boolean;
  readonly changesRoles: boolean;
}

interface NestedView {
  readonly parent: Names;
  readonly noId: string;
  readonly path: string;
  readonly maker: string;
  readonly member: string;
}

/** How tests make items that belong to a user, where an owner path says so. */
interface BelongingView {
  /** The first reference of the path. */
  readonly member: string;
  /** Code for its value, where `id` is that of the user. */
  readonly value: string;
  /** `await ` if that makes items. */
  readonly await: string;
  /** Whether callers without roles may create items of their own, and leave out the reference. */
  readonly createsOwn: boolean;
  readonly leavesOut: boolean;
  /** Who hands an item over: `owner.service`, or the administrator; undefined if it stays as it is. */
  readonly giver: string | undefined;
  /** Whether an item may belong to nobody. */
  readonly nullable: boolean;
  /** A number for each different value of the reference that tests make: two if users may own several. */
  readonly makers: readonly number[];
  readonly created: number;
}

/** How tests link an item to a user, where the owner path begins with a linking collection. */
interface LinkingView {
  /** The function that creates an item of that collection, and the path of these items. */
  readonly make: string;
  readonly kebab: string;
  readonly words: string;
  /** Code for what that item has, where `id` is that of the user, and `item` the one that is linked. */
  readonly values: string;
}

interface OwnedView {
  /** How bodies name the owner; absent: they do not. */
  readonly belonging: BelongingView | undefined;
  readonly linking: LinkingView | undefined;
  /** Whether items belong to who made them: the other two are absent. */
  readonly creators: boolean;
  /** Whether the owner can be removed: a hook may set a reference to them, which `on_delete` follows then. */
  readonly mayLeave: boolean;
  /** Code for what a body has beside its fixture to belong to the owner. */
  readonly given: string;
  /** The function that creates an item of a caller: `service.create` if the body names the owner. */
  readonly makes: string;
  /** Code for its first argument, by the name of the caller; empty if it has no caller. */
  readonly as: Readonly<Record<'owner' | 'reader', string>>;
  /** Whether tests make items as a caller, and send requests by any method. */
  readonly createsAs: boolean;
  readonly sends: boolean;
  /** What owners may do, and others may not. */
  readonly methods: readonly string[];
  /** Those of them that write. */
  readonly writes: readonly string[];
  /** SQL that gives the items of the user `$1` to the user `$2`. */
  readonly handOver: string;
  /** Members that look as if they named the owner. */
  readonly members: readonly string[];
  /** Whether somebody who is not known may make items, which are nobody's then. */
  readonly strangers: boolean;
  /** A role that an owner needs to change what is theirs, where the owner alone may not. */
  readonly changer: string | undefined;
  readonly lists: OwnListsView | undefined;
}

interface OwnListsView {
  readonly sorts: readonly string[];
  /** Whether tests read pages of several items of one owner. */
  readonly pages: boolean;
  /** Parameters that find the item of another, with code for their values. */
  readonly filters: readonly { readonly parameter: string; readonly value: string }[];
  readonly nested: readonly OwnNestedView[];
}

interface OwnNestedView extends NestedView {
  /** The fixture of the parent's body, where the parent has to be the caller's own. */
  readonly body: string | undefined;
}

/** A reference to items that not everybody may read. */
interface ReferenceView {
  readonly member: string;
  readonly noId: string;
  readonly maker: string;
  /** Callers who may create or change items, but not read what they would refer to. */
  readonly creator: string | undefined;
  readonly updater: string | undefined;
}

/** A reference that `include` embeds, to items that not all readers of these may read. */
interface IncludeView {
  readonly name: string;
  readonly member: string;
  readonly maker: string;
  /** A caller who may read none of them, and what they get. */
  readonly refused: { readonly caller: string; readonly status: number } | undefined;
  /** A caller who may read only their own. */
  readonly limited: string | undefined;
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
  const nested = nestedRelations.map((relation) => nestedView(relation, all));
  const references = creates ? referenceViews(usable, collection, model, others) : [];
  const includes = creates ? includeViews(usable, collection, model, others) : [];
  const targetsOf = (views: readonly { readonly member: string }[]): ReadonlySet<string> =>
    new Set(
      usable
        .filter(({ field }) => views.some(({ member }) => member === field.name))
        .map(({ target }) => target.collection),
    );
  const owned = isOwned ? ownedView(samples, nestedRelations, model, all) : undefined;
  const { noId } = testIds(definition);
  return {
    names,
    encodesIds: keyPartsOf(collection).some(({ type }) => type === 'text'),
    noId,
    expected: [...new Set([noId, ...[...nested, ...references].map((one) => one.noId)])],
    creates,
    table: tableLines(
      callersOf(roles, isOwned),
      rowsOf(samples, nestedRelations, model).map((row) =>
        isOwned && isKeptByLink(definition, model) ? keptByLink(row) : row,
      ),
    ),
    roles,
    owned,
    nested,
    references,
    includes,
    fixtures: fixturesOf(
      names,
      creates,
      {
        made: new Set([
          ...targetsOf([...nested, ...references, ...includes]),
          ...(owned === undefined || owned.creators ? [] : parentsOf(definition.owner ?? [])),
        ]),
        bodies: targetsOf((owned?.lists?.nested ?? []).filter(({ body }) => body !== undefined)),
      },
      all,
    ),
    typed: owned?.lists !== undefined,
    readsPages: owned?.lists?.pages === true,
    changesRoles: owned?.changer !== undefined,
  };
}

/** The same in brief, for a version that has the collection otherwise than the current one. */
export interface OlderPermissionsView {
  readonly table: readonly string[];
  readonly roles: readonly string[];
  readonly owned: boolean;
  readonly ownLists: boolean;
  /** Rows of the table, with code for their paths. */
  readonly nested: readonly { readonly row: string; readonly path: string }[];
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
      path: `\`/${names.kebab}/\${body.${field.name}}/${nestedPath}\``,
    })),
    references: referenceViews(held, collection, model, callersOf(roles, false)).flatMap(
      ({ member, noId, creator }) => (creator === undefined ? [] : [{ member, noId, creator }]),
    ),
  };
}

const nestedView = (
  { field, nestedPath = '', target }: Relation,
  all: ReadonlyMap<string, Samples>,
): NestedView => ({
  parent: target.names,
  noId: unusedIdOf(field.type),
  path: nestedPath,
  maker: `create${targetNames(target.collection, all).type}`,
  member: field.name,
});

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
        maker: `create${target.names.type}`,
        creator: creator && stringLiteral(creator),
        updater: updater && stringLiteral(updater),
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
): IncludeView[] {
  const readers = callers.filter(
    (caller) => commonReach([collection.definition.permissions.read], caller) === 'all',
  );
  return includedRelations(collection).flatMap(({ name, field, target }): IncludeView[] => {
    if (!usable.some((one) => one.field === field)) return [];
    const who = (reach: 'own' | 'none'): string | undefined =>
      readers.find((caller) => readReach(caller, target.collection, model) === reach)?.label;
    const [refused, limited] = [who('none'), who('own')];
    if (refused === undefined && limited === undefined) return [];
    return [
      {
        name,
        member: field.name,
        maker: `create${target.names.type}`,
        refused:
          refused === undefined
            ? undefined
            : {
                caller: stringLiteral(refused),
                status: refused === ANONYMOUS.label ? 401 : 403,
              },
        limited: limited && stringLiteral(limited),
      },
    ];
  });
}

/** The collections that an owner path goes over. */
const parentsOf = (owner: readonly OwnerStep[]): readonly string[] =>
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
  // The fixture of a linking collection creates what it links, if that is required.
  owner.every((step, at) => {
    const link = linkOf(step, model);
    const isFirst = at === 1 && beginsWithLink(owner);
    return link === undefined || (!link.readOnly && (isFirst || link.required));
  });

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

/** Code for the value of a reference by which an item belongs to the user `id`. @param rest the steps after it. */
const valueOf = (rest: readonly OwnerStep[], all: ReadonlyMap<string, Samples>): string =>
  rest.reduceRight((id, { collection, field, link = 'id' }) => {
    const { type } = targetNames(collection, all);
    return `(await create${type}(service, { ${field}: ${id} })).${link}`;
  }, 'id');

function linkingView(
  { owner = [] }: Pick<CollectionDefinition, 'owner'>,
  all: ReadonlyMap<string, Samples>,
): LinkingView | undefined {
  const [, step, ...rest] = owner;
  if (step?.link === undefined || !beginsWithLink(owner)) return undefined;
  const names = targetNames(step.collection, all);
  return {
    make: `create${names.type}`,
    kebab: names.kebab,
    words: names.words,
    values: `${step.link}: item.id, ${step.field}: ${valueOf(rest, all)}`,
  };
}

/** Whether no two items have the same value of a reference. */
function isUniqueIn({ collection, field }: OwnerStep, model: Model): boolean {
  const definition = collectionNamed(model, collection)?.definition;
  return (
    definition?.fields.some(({ name, unique }) => name === field && unique) === true ||
    definition?.unique.some((rule) => rule.fields.includes(field)) === true
  );
}

function belongingView(
  samples: Samples,
  model: Model,
  all: ReadonlyMap<string, Samples>,
): BelongingView | undefined {
  const { definition } = samples.collection;
  const { owner, permissions } = definition;
  const [first, ...rest] = owner ?? [];
  const field = first && fieldOf(first, model);
  if (first === undefined || field === undefined || beginsWithLink(owner)) return undefined;
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
    member: first.field,
    value: valueOf(rest, all),
    await: rest.length === 0 ? '' : 'await ',
    createsOwn,
    leavesOut: createsOwn && rest.length === 0 && !isBackground(samples.collection),
    giver: field.immutable ? undefined : handsOver ? 'owner.service' : 'service',
    nullable: !field.required && !field.immutable,
    makers: rest.length === 0 || rest.some((step) => isUniqueIn(step, model)) ? [0] : [0, 1],
    created: isBackground(samples.collection) ? 202 : 201,
  };
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
  const { read, update, delete: remove } = definition.permissions;
  const isOwn = (...needed: readonly Permission[]): boolean =>
    commonReach(needed, WITHOUT_ROLE) === 'own';
  const taken = new Set(definition.fields.map(({ name }) => name));
  const canChange = (caller: Caller): boolean => {
    const reached = commonReach([update, read], caller);
    return reached === 'all' || (reached === 'own' && caller.isOwner);
  };
  const changer = model.service.roles.find(
    (role) =>
      canChange({ ...OWNER, role }) && !canChange(OWNER) && !canChange({ ...WITHOUT_ROLE, role }),
  );
  const belonging = belongingView(samples, model, all);
  const linking = linkingView(definition, all);
  const creators = belonging === undefined && linking === undefined;
  const postedBy = rowsOf(samples, [], model).find(({ method }) => method === 'POST');
  const methods = [
    ...(isOwn(read) ? ['GET'] : []),
    ...(isOwn(update, read) ? ['PUT', 'PATCH'] : []),
    ...(isOwn(remove) && !isKeptByLink(definition, model) ? ['DELETE'] : []),
  ];
  const lists =
    allowsOwners(read) && capacityOf(samples) > 1
      ? ownListsView(samples, nested, model, all)
      : undefined;
  return {
    belonging,
    linking,
    creators,
    mayLeave: !definition.fields.some(
      ({ type, setBy }) => setBy === 'service' && type.type === 'reference' && type.to === 'users',
    ),
    createsAs: creators || lists?.nested.some(({ body }) => body !== undefined) === true,
    given: belonging === undefined ? '' : `, ${belonging.await}belongingTo(owner)`,
    makes: creators ? 'createAs' : linking === undefined ? 'service.create' : 'createFor',
    as:
      belonging === undefined
        ? { owner: 'owner, ', reader: 'reader, ' }
        : { owner: '', reader: '' },
    sends: creators || methods.length > 0 || changer !== undefined,
    methods,
    writes: methods.filter((method) => method !== 'GET'),
    handOver: handOverSql(samples.collection),
    members: ['_owner_id', 'owner_id', 'owner'].filter((name) => !taken.has(name)),
    strangers: postedBy?.status(ANONYMOUS) === 201,
    changer,
    lists,
  };
}

function ownListsView(
  { collection, members, capacity }: Samples,
  nested: readonly Relation[],
  model: Model,
  all: ReadonlyMap<string, Samples>,
): OwnListsView {
  const { definition } = collection;
  const { owner = [] } = definition;
  const limiting = beginsWithLink(owner) ? owner.slice(1) : owner.slice(0, 1);
  const given = new Set(
    members
      .filter(({ field }) => field.required && !field.writeOnly)
      .map(({ field }) => field.name),
  );
  return {
    sorts: definition.sort.flatMap((name) => [name, `-${name}`]),
    // Tests of pages need several items of one user.
    pages: owner.length > 0 && capacity >= 6 && !limiting.some((one) => isUniqueIn(one, model)),
    filters: [
      ...definition.filter.flatMap((name) =>
        given.has(name)
          ? [
              { parameter: name, value: `other.${name}` },
              { parameter: `${name}[null]`, value: 'false' },
            ]
          : [],
      ),
      ...definition.search
        .filter((name) => given.has(name))
        .map((name) => ({ parameter: 'q', value: `other.${name}` })),
    ],
    nested: nested.flatMap((relation) => {
      const parents = readReach(OWNER, relation.target.collection, model);
      if (isUniqueByItself(collection, relation.field) || parents === 'none') return [];
      // The parent would have to be that of the owner.
      if (relation.field.name === definition.owner?.[0]?.field) return [];
      const parent = collectionNamed(model, relation.target.collection);
      if (parents === 'own' && parent?.definition.owner !== undefined) return [];
      const { itemCamel } = targetNames(relation.target.collection, all);
      const body = parents === 'own' ? `${itemCamel}Body` : undefined;
      return [{ ...nestedView(relation, all), body }];
    }),
  };
}

/**
 * What is imported from the fixtures.
 * @param used the collections whose items are made, and those of which only bodies are.
 */
function fixturesOf(
  names: Names,
  creates: boolean,
  used: { readonly made: ReadonlySet<string>; readonly bodies: ReadonlySet<string> },
  all: ReadonlyMap<string, Samples>,
): { kebab: string; make: string }[] {
  const functions = new Map<string, Set<string>>();
  const add = (kebab: string, name: string): void => {
    functions.set(kebab, (functions.get(kebab) ?? new Set()).add(name));
  };
  if (creates) add(names.kebab, `${names.itemCamel}Body`);
  for (const target of new Set([...used.made, ...used.bodies])) {
    const { kebab, type, itemCamel } = targetNames(target, all);
    if (used.made.has(target)) add(kebab, `create${type}`);
    if (used.bodies.has(target)) add(kebab, `${itemCamel}Body`);
  }
  return [...functions]
    .map(([kebab, set]) => ({ kebab, make: [...set].toSorted().join(', ') }))
    .toSorted((one, other) => (one.kebab < other.kebab ? -1 : 1));
}
