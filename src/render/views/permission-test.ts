/** What the template of a collection's permission tests says. */
import type { Permission } from '../../definition/types.ts';
import type { Names } from '../../model/names.ts';
import { idOf } from '../../expressions/candidate-values.ts';
import { isKeptValue } from '../../model/check-values.ts';
import { capacityOf, samplesOf } from '../../model/samples.ts';
import type { Samples } from '../../model/samples.ts';
import type { Collection, Model, Relation } from '../../model/types.ts';
import { stringLiteral } from '../../shared/literals.ts';
import { targetNames, samplesFor } from './fixture.ts';
import {
  belongs,
  callersOf,
  leastReach,
  NOBODY,
  OWNER,
  readBy,
  rowsOf,
  STRANGER,
  tableLines,
} from './permission-table.ts';
import type { Caller } from './permission-table.ts';

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

export function permissionTestView(collection: Collection, model: Model): PermissionTestView {
  const all = samplesOf(model);
  const samples = samplesFor(collection, all);
  const { names, definition } = collection;
  const creates = samples.obstacle === undefined;
  const isOwned = creates && Object.values(definition.permissions).some(belongs);
  const roles = model.service.roles.filter((role) => role !== 'admin');
  const others = callersOf(roles, false);
  const usable = collection.relations.filter(
    ({ field, target }) =>
      !field.readOnly &&
      all.get(target.collection)?.obstacle === undefined &&
      isKeptValue(samples.checks, field, idOf(field.name)),
  );
  const nestedRelations = usable.filter(({ nestedPath }) => nestedPath !== undefined);
  const nested = nestedRelations.map((relation) => nestedView(relation, all));
  const references = creates ? referenceViews(usable, collection, model, others) : [];
  const targetsOf = (views: readonly { readonly member: string }[]): ReadonlySet<string> =>
    new Set(
      usable
        .filter(({ field }) => views.some(({ member }) => member === field.name))
        .map(({ target }) => target.collection),
    );
  const owned = isOwned ? ownedView(samples, nestedRelations, model, all) : undefined;
  return {
    names,
    creates,
    table: tableLines(callersOf(roles, isOwned), rowsOf(samples, nestedRelations, model)),
    roles,
    owned,
    nested,
    references,
    fixtures: fixturesOf(
      names,
      creates,
      {
        made: targetsOf([...nested, ...references]),
        bodies: targetsOf((owned?.lists?.nested ?? []).filter(({ body }) => body !== undefined)),
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
  // The bodies of tests hold these, and parents with them.
  const held = collection.relations.filter(({ field }) =>
    samples.members.some((member) => member.kind === 'parent' && member.field === field),
  );
  const nested = held.filter(({ nestedPath }) => nestedPath !== undefined);
  const rows = rowsOf(samples, nested, model);
  return {
    table: tableLines(
      callersOf(roles, owned),
      rows.filter(({ method, isThere }) => method !== 'HEAD' && isThere),
    ),
    roles,
    owned,
    ownLists: belongs(permissions.read) && capacityOf(samples) > 1,
    nested: nested.map(({ field, nestedPath = '', target: { names } }) => ({
      row: `/${names.kebab}/{id}/${nestedPath}`,
      path: `\`/${names.kebab}/\${body.${field.name}}/${nestedPath}\``,
    })),
    references: referenceViews(held, collection, model, callersOf(roles, false)).flatMap(
      ({ member, creator }) => (creator === undefined ? [] : [{ member, creator }]),
    ),
  };
}

const nestedView = (
  { field, nestedPath = '', target }: Relation,
  all: ReadonlyMap<string, Samples>,
): NestedView => ({
  parent: target.names,
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
  const postedBy = rowsOf(samples, [], model).find(({ method }) => method === 'POST');
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
  relations: readonly Relation[],
): { kebab: string; make: string }[] {
  const functions = new Map<string, Set<string>>();
  const add = (kebab: string, name: string): void => {
    functions.set(kebab, (functions.get(kebab) ?? new Set()).add(name));
  };
  if (creates) add(names.kebab, `${names.itemCamel}Body`);
  for (const { target } of relations) {
    const { kebab, type, itemCamel } = targetNames(target.collection, all);
    if (used.made.has(target.collection)) add(kebab, `create${type}`);
    if (used.bodies.has(target.collection)) add(kebab, `${itemCamel}Body`);
  }
  return [...functions]
    .map(([kebab, set]) => ({ kebab, make: [...set].toSorted().join(', ') }))
    .toSorted((one, other) => (one.kebab < other.kebab ? -1 : 1));
}
