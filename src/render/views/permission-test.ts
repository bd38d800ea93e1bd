/**
 * What the template of a collection's permission tests says. Who may do what is worked out here
 * from the definitions alone, apart from access.ts, so that a mistake there comes to light.
 */
import type { Permission } from '../../definition/types.ts';
import type { Names } from '../../model/names.ts';
import { capacityOf, samplesOf } from '../../model/samples.ts';
import type { Samples } from '../../model/samples.ts';
import type { Collection, Model, Relation } from '../../model/types.ts';
import { stringLiteral } from '../literals.ts';
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
  readonly usesNoId: boolean;
}

interface NestedView {
  readonly parent: Names;
  /** What the path is called in the table. */
  readonly row: string;
  readonly path: string;
  readonly maker: string;
  readonly member: string;
}

interface OwnedView {
  /** What owners may do, and others may not. */
  readonly methods: readonly string[];
  /** Of these, the ones that leave the item there. */
  readonly lasting: readonly string[];
  /** Members that look as if they named the owner. */
  readonly members: readonly string[];
  readonly lists: OwnListsView | undefined;
}

interface OwnListsView {
  readonly sorts: readonly string[];
  /** Members that lists are filtered by, and whether they are searched in. */
  readonly filters: readonly { readonly parameter: string; readonly member: string }[];
  readonly nested: readonly NestedView[];
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
  const owned = isOwned ? ownedView(samples, nestedRelations, model, all) : undefined;
  return {
    names,
    creates,
    table: tableLines(
      callers,
      rowsOf(samples, nestedRelations, (caller, target) => readBy(caller, target, model)),
    ),
    roles,
    owned,
    nested,
    references,
    fixtures: fixturesOf(names, creates, [...nested, ...references], all, usable),
    typed: isOwned && owned?.lists !== undefined,
    usesNoId: !creates || owned !== undefined || references.length > 0,
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

/** How far a caller reads a collection; a user is read by themselves and by administrators. */
function readBy(caller: Caller, collection: string, { collections }: Model): Reach {
  const found = collections.find(({ definition }) => definition.name === collection);
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
    return isHidden ? 422 : 201;
  };
  const onItem =
    (permission: Permission, status: number) =>
    (caller: Caller): number => {
      const reached = reach(permission, caller);
      if (reached === 'none') return refused(caller);
      if (obstacle !== undefined) return 404;
      return reached === 'all' || caller.isOwner ? status : 403;
    };
  const below =
    (target: string, permission: Permission, done: (caller: Caller) => number) =>
    (caller: Caller): number => {
      const parent = read(caller, target);
      if (parent === 'none' || reach(permission, caller) === 'none') return refused(caller);
      return parent === 'own' ? 403 : done(caller);
    };
  return [
    {
      method: 'GET',
      path,
      status: (caller) => (reach(permissions.read, caller) === 'none' ? refused(caller) : 200),
    },
    {
      method: 'POST',
      path,
      status: (caller) =>
        reach(permissions.create, caller) === 'none' ? refused(caller) : created(caller),
    },
    { method: 'GET', path: `${path}/{id}`, status: onItem(permissions.read, 200) },
    { method: 'PUT', path: `${path}/{id}`, status: onItem(permissions.update, 200) },
    { method: 'PATCH', path: `${path}/{id}`, status: onItem(permissions.update, 200) },
    { method: 'DELETE', path: `${path}/{id}`, status: onItem(permissions.delete, 204) },
    ...nested.flatMap(({ target, field, nestedPath = '' }): Row[] => {
      const inside = `/${target.names.kebab}/{id}/${nestedPath}`;
      return [
        {
          method: 'GET',
          path: inside,
          status: below(target.collection, permissions.read, () => 200),
        },
        {
          method: 'POST',
          path: inside,
          status: below(target.collection, permissions.create, (caller) =>
            created(caller, field.name),
          ),
        },
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
  row: stringLiteral(`/${target.names.kebab}/{id}/${nestedPath}`),
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
    const who = (permission: Permission): string | undefined =>
      callers.find(
        (caller) =>
          reach(permission, caller) === 'all' && readBy(caller, target.collection, model) !== 'all',
      )?.label;
    const creator = who(permissions.create);
    const updater = field.immutable ? undefined : who(permissions.update);
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
  const lasting = [...(belongs(read) ? ['GET'] : []), ...(belongs(update) ? ['PUT', 'PATCH'] : [])];
  const taken = new Set(definition.fields.map(({ name }) => name));
  return {
    methods: [...lasting, ...(belongs(remove) ? ['DELETE'] : [])],
    lasting,
    members: ['_owner_id', 'owner_id', 'owner'].filter((name) => !taken.has(name)),
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
      ...definition.filter
        .filter((name) => given.has(name))
        .map((member) => ({ parameter: member, member })),
      ...definition.search
        .filter((name) => given.has(name))
        .map((member) => ({ parameter: 'q', member })),
    ],
    nested: nested
      .filter(
        ({ field, target }) => !field.unique && readBy(OWNER, target.collection, model) === 'all',
      )
      .map((relation) => nestedView(relation, all)),
  };
}

/** What is imported from the fixtures. */
function fixturesOf(
  names: Names,
  creates: boolean,
  makers: readonly { readonly maker: string }[],
  all: ReadonlyMap<string, Samples>,
  relations: readonly Relation[],
): { kebab: string; make: string }[] {
  const functions = new Map<string, Set<string>>();
  const add = (kebab: string, name: string): void => {
    functions.set(kebab, (functions.get(kebab) ?? new Set()).add(name));
  };
  if (creates) add(names.kebab, `${names.itemCamel}Body`);
  for (const { target } of relations) {
    const { kebab, type } = namesOf(target.collection, all);
    if (makers.some(({ maker }) => maker === `create${type}`)) add(kebab, `create${type}`);
  }
  return [...functions]
    .map(([kebab, set]) => ({ kebab, make: [...set].toSorted().join(', ') }))
    .toSorted((one, other) => (one.kebab < other.kebab ? -1 : 1));
}
