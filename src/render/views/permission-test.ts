/**
 * What the template of a collection's permission tests says. Who may do what is worked out here
 * from the definitions alone, apart from access.ts, so that a mistake there comes to light.
 */
import type { Permission } from '../../definition/types.ts';
import { isBackground } from '../../model/jobs.ts';
import { collectionNamed } from '../../model/lookup.ts';
import type { Names } from '../../model/names.ts';
import { capacityOf, samplesOf } from '../../model/samples.ts';
import type { Samples } from '../../model/samples.ts';
import type { Collection, Model, Relation } from '../../model/types.ts';
import { stringLiteral } from '../../shared/literals.ts';
import { namesOf, samplesFor } from './fixture.ts';

/** The data of templates/collection/permissions.test.ts.hbs. */
export interface PermissionTestView {
  readonly names: Names;
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
  readonly fixtures: readonly { readonly kebab: string; readonly make: string }[];
  readonly typed: boolean;
  readonly changesRoles: boolean;
}

interface NestedView {
  readonly parent: Names;
  readonly path: string;
  readonly maker: string;
  readonly member: string;
}

interface OwnedView {
  /** What owners may do, and others may not. */
  readonly methods: readonly string[];
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
  readonly maker: string;
  /** Callers who may create or change items, but not read what they would refer to. */
  readonly creator: string | undefined;
  readonly updater: string | undefined;
}

/** Somebody who asks. */
interface Caller {
  readonly label: string;
  readonly isKnown: boolean;
  readonly role: string | undefined;
  /** Whether the item of the test is theirs. */
  readonly isOwner: boolean;
}

type Reach = 'all' | 'own' | 'none';

const FROM_LEAST: readonly Reach[] = ['none', 'own', 'all'];

const STRANGER: Caller = {
  label: 'no credential',
  isKnown: false,
  role: undefined,
  isOwner: false,
};
const NOBODY: Caller = { label: 'no role', isKnown: true, role: undefined, isOwner: false };
const OWNER: Caller = { label: 'owner', isKnown: true, role: undefined, isOwner: true };
const ADMIN: Caller = { label: 'admin', isKnown: true, role: 'admin', isOwner: false };

export function permissionTestView(collection: Collection, model: Model): PermissionTestView {
  const all = samplesOf(model);
  const samples = samplesFor(collection, all);
  const { names, definition } = collection;
  const creates = samples.obstacle === undefined;
  const isOwned = creates && Object.values(definition.permissions).some(belongs);
  const roles = model.service.roles.filter((role) => role !== 'admin');
  const others = [STRANGER, NOBODY, ...roles.map(withRole), ADMIN];
  const callers = isOwned ? [...others.slice(0, -1), OWNER, ADMIN] : others;
  const usable = collection.relations.filter(
    ({ field, target }) => !field.readOnly && all.get(target.collection)?.obstacle === undefined,
  );
  const nestedRelations = usable.filter(({ nestedPath }) => nestedPath !== undefined);
  const nested = nestedRelations.map((relation) => nestedView(relation, all));
  const references = creates ? referenceViews(usable, collection, model, others) : [];
  const read = (caller: Caller, target: string): Reach => readBy(caller, target, model);
  const owned = isOwned ? ownedView(samples, nestedRelations, model, all) : undefined;
  return {
    names,
    creates,
    table: tableLines(callers, rowsOf(samples, nestedRelations, read)),
    roles,
    owned,
    nested,
    references,
    fixtures: fixturesOf(
      names,
      creates,
      {
        makers: [...nested, ...references].map(({ maker }) => maker),
        bodies: (owned?.lists?.nested ?? []).map(({ body }) => body),
      },
      all,
      usable,
    ),
    typed: owned?.lists !== undefined,
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
  readonly references: readonly { readonly member: string; readonly creator: string }[];
}

/** What holds in all versions, under the names of this one; undefined where all may do all. */
export function olderPermissionsView(
  collection: Collection,
  model: Model,
): OlderPermissionsView | undefined {
  const { permissions } = collection.definition;
  if (Object.values(permissions).every((one: Permission) => one.kind === 'public'))
    return undefined;
  const samples = samplesFor(collection, samplesOf(model));
  const owned = Object.values(permissions).some(belongs);
  const roles = model.service.roles.filter((role) => role !== 'admin');
  const others = [STRANGER, NOBODY, ...roles.map(withRole), ADMIN];
  const callers = owned ? [...others.slice(0, -1), OWNER, ADMIN] : others;
  // The bodies of tests hold these, and parents with them.
  const held = collection.relations.filter(({ field }) =>
    samples.members.some((member) => member.kind === 'parent' && member.field === field),
  );
  const nested = held.filter(({ nestedPath }) => nestedPath !== undefined);
  const rows = rowsOf(samples, nested, (caller, target) => readBy(caller, target, model));
  return {
    table: tableLines(
      callers,
      rows.filter(({ method, path }) => method !== 'HEAD' && !/\{(?:removed|missing)\}/.test(path)),
    ),
    roles,
    owned,
    ownLists: belongs(permissions.read) && capacityOf(samples) > 1,
    nested: nested.map(({ field, nestedPath = '', target: { names } }) => ({
      row: `/${names.kebab}/{id}/${nestedPath}`,
      path: `\`/${names.kebab}/\${body.${field.name}}/${nestedPath}\``,
    })),
    references: referenceViews(held, collection, model, others).flatMap(({ member, creator }) =>
      creator === undefined ? [] : [{ member, creator }],
    ),
  };
}

const withRole = (role: string): Caller => ({
  label: role,
  isKnown: true,
  role,
  isOwner: false,
});

const belongs = (permission: Permission): boolean => permission.kind === 'some' && permission.owner;

/** How far a permission reaches for a caller. */
function reach(permission: Permission, { isKnown, role }: Caller): Reach {
  if (permission.kind === 'public') return 'all';
  if (!isKnown) return 'none';
  if (permission.kind === 'authenticated' || role === 'admin') return 'all';
  if (role !== undefined && permission.roles.includes(role)) return 'all';
  return permission.owner ? 'own' : 'none';
}

/** How far a caller reaches who needs all of these. */
function leastReach(permissions: readonly Permission[], caller: Caller): Reach | undefined {
  const reaches = permissions.map((permission) => reach(permission, caller));
  return FROM_LEAST.find((one) => reaches.includes(one));
}

/** How far a caller reads a collection; a user is read by themselves and by administrators. */
function readBy(caller: Caller, collection: string, model: Model): Reach {
  const found = collectionNamed(model, collection);
  return reach(
    found?.definition.permissions.read ?? { kind: 'some', roles: [], owner: true },
    caller,
  );
}

interface Row {
  readonly method: string;
  readonly path: string;
  readonly status: (caller: Caller) => number;
}

/** The rows of the table, each with the status that a caller is answered. */
function rowsOf(
  { collection, obstacle, members }: Samples,
  nested: readonly Relation[],
  read: (caller: Caller, target: string) => Reach,
): Row[] {
  const { definition, names } = collection;
  const { permissions } = definition;
  const path = `/${names.kebab}`;
  const refused = ({ isKnown }: Caller): number => (isKnown ? 403 : 401);
  /** What those are answered who may create; parents are an administrator's. */
  const created = (caller: Caller, apart?: string): number => {
    if (obstacle !== undefined) return 422;
    const isHidden = members.some(
      (member) =>
        member.kind === 'parent' &&
        member.field.name !== apart &&
        read(caller, member.type.to) !== 'all',
    );
    if (isHidden) return 422;
    return isBackground(collection) ? 202 : 201;
  };
  /** What a caller is answered who needs each of these permissions for the item of `owner`. */
  const onItem =
    (status: number, ...needed: readonly Permission[]) =>
    (caller: Caller): number => {
      const reached = leastReach(needed, caller);
      if (reached === 'none') return refused(caller);
      return reached === 'all' || caller.isOwner ? status : 403;
    };
  /** A role that is missing comes before an item that is missing; nobody owns what is not there. */
  const onNone =
    (status: number, ...needed: readonly Permission[]) =>
    (caller: Caller): number =>
      leastReach(needed, caller) === 'none' ? refused(caller) : status;
  const below =
    (target: string, permission: Permission, done: (caller: Caller) => number) =>
    (caller: Caller): number => {
      const parent = read(caller, target);
      if (parent === 'none' || reach(permission, caller) === 'none') return refused(caller);
      return parent === 'own' ? 403 : done(caller);
    };
  const belowNone =
    (target: string, permission: Permission, status: number) =>
    (caller: Caller): number =>
      read(caller, target) === 'none' || reach(permission, caller) === 'none'
        ? refused(caller)
        : status;
  const list = (at: string, status: Row['status']): Row[] => [
    { method: 'GET', path: at, status },
    { method: 'HEAD', path: at, status },
  ];
  const changes = [permissions.update, permissions.read];
  const none = (at: string, status: number): Row[] => [
    { method: 'GET', path: at, status: onNone(status, permissions.read) },
    { method: 'PUT', path: at, status: onNone(status, ...changes) },
    { method: 'PATCH', path: at, status: onNone(status, ...changes) },
    { method: 'DELETE', path: at, status: onNone(status, permissions.delete) },
  ];
  const item = `${path}/{id}`;
  return [
    ...list(path, onNone(200, permissions.read)),
    {
      method: 'POST',
      path,
      status: (caller) =>
        reach(permissions.create, caller) === 'none' ? refused(caller) : created(caller),
    },
    ...(obstacle === undefined
      ? [
          ...list(item, onItem(200, permissions.read)),
          { method: 'PUT', path: item, status: onItem(200, ...changes) },
          { method: 'PATCH', path: item, status: onItem(200, ...changes) },
          { method: 'DELETE', path: item, status: onItem(204, permissions.delete) },
          ...none(`${path}/{removed}`, 410),
        ]
      : []),
    ...none(`${path}/{missing}`, 404),
    ...nested.flatMap(({ target: { collection: parent, names: of }, field, nestedPath = '' }) => {
      const inside = (id: string): string => `/${of.kebab}/{${id}}/${nestedPath}`;
      const nothing = (id: string, status: number): Row[] => [
        { method: 'GET', path: inside(id), status: belowNone(parent, permissions.read, status) },
        { method: 'POST', path: inside(id), status: belowNone(parent, permissions.create, status) },
      ];
      return [
        ...list(
          inside('id'),
          below(parent, permissions.read, () => 200),
        ),
        {
          method: 'POST',
          path: inside('id'),
          status: below(parent, permissions.create, (caller) => created(caller, field.name)),
        },
        ...nothing('removed', 410),
        ...nothing('missing', 404),
      ];
    }),
  ];
}

/** A table as text: columns that stand one below the other, two spaces apart. */
function tableLines(callers: readonly Caller[], rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(({ path }) => path.length));
  const start = (method: string, path: string): string =>
    `${method.padEnd(6)}  ${path.padEnd(width)}`;
  const line = (first: string, cells: readonly string[]): string =>
    [first, ...cells.map((cell, at) => cell.padEnd(callers[at]?.label.length ?? 0))]
      .join('  ')
      .trimEnd();
  return [
    line(
      start('', ''),
      callers.map(({ label }) => label),
    ),
    ...rows.map(({ method, path, status }) =>
      line(
        start(method, path),
        callers.map((caller) => String(status(caller))),
      ),
    ),
  ];
}

const nestedView = (
  { field, nestedPath = '', target }: Relation,
  all: ReadonlyMap<string, Samples>,
): NestedView => ({
  parent: target.names,
  path: nestedPath,
  maker: `create${namesOf(target.collection, all).type}`,
  member: field.name,
});

/** References to what not all callers may read who may send them. */
function referenceViews(
  relations: readonly Relation[],
  { definition }: Collection,
  model: Model,
  callers: readonly Caller[],
): ReferenceView[] {
  const { permissions } = definition;
  return relations.flatMap(({ field, target }): ReferenceView[] => {
    const who = (...needed: readonly Permission[]): string | undefined =>
      callers.find(
        (caller) =>
          leastReach(needed, caller) === 'all' &&
          readBy(caller, target.collection, model) !== 'all',
      )?.label;
    const creator = who(permissions.create);
    const updater = field.immutable ? undefined : who(permissions.update, permissions.read);
    if (creator === undefined && updater === undefined) return [];
    return [
      {
        member: field.name,
        maker: `create${target.names.type}`,
        creator: creator && stringLiteral(creator),
        updater: updater && stringLiteral(updater),
      },
    ];
  });
}

function ownedView(
  samples: Samples,
  nested: readonly Relation[],
  model: Model,
  all: ReadonlyMap<string, Samples>,
): OwnedView {
  const { definition } = samples.collection;
  const { read, update, delete: remove } = definition.permissions;
  const isOwn = (...needed: readonly Permission[]): boolean => leastReach(needed, NOBODY) === 'own';
  const taken = new Set(definition.fields.map(({ name }) => name));
  const canChange = (caller: Caller): boolean => {
    const reached = leastReach([update, read], caller);
    return reached === 'all' || (reached === 'own' && caller.isOwner);
  };
  const changer = model.service.roles.find(
    (role) => canChange({ ...OWNER, role }) && !canChange(OWNER) && !canChange({ ...NOBODY, role }),
  );
  const postedBy = rowsOf(samples, [], (caller, target) => readBy(caller, target, model)).find(
    ({ method }) => method === 'POST',
  );
  return {
    methods: [
      ...(isOwn(read) ? ['GET'] : []),
      ...(isOwn(update, read) ? ['PUT', 'PATCH'] : []),
      ...(isOwn(remove) ? ['DELETE'] : []),
    ],
    members: ['_owner_id', 'owner_id', 'owner'].filter((name) => !taken.has(name)),
    strangers: postedBy?.status(STRANGER) === 201,
    changer,
    lists:
      belongs(read) && capacityOf(samples) > 1
        ? ownListsView(samples, nested, model, all)
        : undefined,
  };
}

function ownListsView(
  { collection, members }: Samples,
  nested: readonly Relation[],
  model: Model,
  all: ReadonlyMap<string, Samples>,
): OwnListsView {
  const { definition } = collection;
  const given = new Set(
    members
      .filter(({ field }) => field.required && !field.writeOnly)
      .map(({ field }) => field.name),
  );
  return {
    sorts: definition.sort.flatMap((name) => [name, `-${name}`]),
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
      const parents = readBy(OWNER, relation.target.collection, model);
      if (relation.field.unique || parents === 'none') return [];
      const { itemCamel } = namesOf(relation.target.collection, all);
      const body = parents === 'own' ? `${itemCamel}Body` : undefined;
      return [{ ...nestedView(relation, all), body }];
    }),
  };
}

/** What is imported from the fixtures. */
function fixturesOf(
  names: Names,
  creates: boolean,
  { makers, bodies }: { readonly makers: readonly string[]; readonly bodies: readonly unknown[] },
  all: ReadonlyMap<string, Samples>,
  relations: readonly Relation[],
): { kebab: string; make: string }[] {
  const functions = new Map<string, Set<string>>();
  const add = (kebab: string, name: string): void => {
    functions.set(kebab, (functions.get(kebab) ?? new Set()).add(name));
  };
  if (creates) add(names.kebab, `${names.itemCamel}Body`);
  for (const { target } of relations) {
    const { kebab, type, itemCamel } = namesOf(target.collection, all);
    if (makers.includes(`create${type}`)) add(kebab, `create${type}`);
    if (bodies.includes(`${itemCamel}Body`)) add(kebab, `${itemCamel}Body`);
  }
  return [...functions]
    .map(([kebab, set]) => ({ kebab, make: [...set].toSorted().join(', ') }))
    .toSorted((one, other) => (one.kebab < other.kebab ? -1 : 1));
}
