/** Who may do what, as the routes of a collection check it. */
import type { Permission, Permissions } from '../../definition/types.ts';
import { isBackground } from '../../model/jobs.ts';
import type { Names } from '../../model/names.ts';
import { isOwned, neededToChange, readOf, USERS_READ } from '../../model/permissions.ts';
import { toPascal } from '../../model/names.ts';
import { quoted } from '../../model/sql.ts';
import type { Collection, Model, Relation } from '../../model/types.ts';
import { isVersioned } from '../../model/versions.ts';
import { stringLiteral, valueLiteral } from '../literals.ts';
import { wordsOf } from './documentation.ts';
import type { OperationView } from './documentation.ts';

type Action = keyof Permissions;

/** Another collection that the routes of one know. */
interface OtherView {
  readonly names: Names;
  /** Whether its resource is imported, and its permissions. */
  readonly resource: boolean;
  readonly permissions: boolean;
}

/** A collection that is nested in a parent: `/authors/{id}/books`. */
interface NestedView {
  /** The member that refers to the parent. */
  readonly member: string;
  /** Code for the hooks of its two routes, and for the scopes of its list. */
  readonly hooks: { readonly list: string; readonly create: string };
  readonly scopes: string;
  /** Code for the parent's resource, and for the paths of the routes and of the list. */
  readonly resource: string;
  readonly url: string;
  readonly below: string;
  /** A constant that holds the path, where versions differ in it. */
  readonly variable: string;
  /** Code for the names and summaries of its two routes, and for the member of its body. */
  readonly operations: Readonly<Record<'list' | 'create', OperationView>>;
  readonly bodyMember: string;
}

/** The part of a collection's view that is about permissions. */
export interface AccessView {
  /** Whether some version has the collection otherwise than it is stored. */
  readonly versioned: boolean;
  /** Code for its resource. */
  readonly resource: string;
  readonly permissions: Readonly<Record<Action, { readonly code: string }>>;
  readonly hasOwner: boolean;
  /** Code for the hooks of each route, as an option; empty where it has none. */
  readonly hooks: Readonly<Record<'list' | 'create' | 'item' | 'delete', string>>;
  /** Code for the hooks that PUT and PATCH share. */
  readonly updateHooks: string;
  /** Code for the scopes of a list, with a comma before it. */
  readonly scopes: string;
  readonly nested: readonly NestedView[];
  /** References that not everybody may follow. */
  readonly readable: readonly { member: string; constant: string; read: string }[];
  /** What is imported. */
  readonly ownership: readonly string[];
  readonly users: readonly string[];
  readonly allows: boolean;
  readonly guarded: boolean;
  readonly requiresItem: boolean;
  readonly preconditions: readonly string[];
  readonly others: readonly OtherView[];
}

export function accessView(collection: Collection, model: Model): AccessView {
  const { names, definition } = collection;
  const { permissions } = definition;
  const versioned = isVersioned(model, definition.name);
  const resource = versioned ? 'resource' : names.constant;
  const guards = guardsOf(names, permissions, resource);
  const toChange = neededToChange(permissions);
  const nested = collection.relations.filter(({ nestedPath }) => nestedPath !== undefined);
  const readable = collection.relations.filter(
    ({ target }) => readOf(target.collection, model).kind !== 'public',
  );
  const preconditions = [
    ...(definition.requireIfMatch ? ['requireIfMatch'] : []),
    'checkPreconditions',
  ];
  const code = {
    list: options(guards.may('read')),
    create: options(guards.may('create')),
    item: options(guards.may('read'), isOwned(permissions.read) ? guards.item('read') : ''),
    delete: options(guards.may('delete'), guards.item('delete'), ...preconditions),
  };
  const updateHooks = distinct(
    guards.may(...toChange),
    guards.item(...toChange),
    ...preconditions,
  ).join(', ');
  const ownScope = isOwned(permissions.read)
    ? `ownItemsFilter(request, ${resource}, ${names.itemCamel}Permissions.read)`
    : '';
  const words = wordsOf(collection, versioned);
  const nestedViews = nested.map((relation): NestedView => {
    const { field, column, nestedPath = '', target } = relation;
    const variable = `by${toPascal(field.name.replace(/_id$/, ''))}`;
    const constant = target.collection === 'users' ? 'USER_RESOURCE' : target.names.constant;
    const ofParent = versioned ? `${variable}.resource` : constant;
    const before = parentGuards(relation, model, ofParent);
    const parent = versioned ? '${' + variable + '.parent}' : target.names.kebab;
    const path = versioned ? '${' + variable + '.path}' : nestedPath;
    const url = `/${parent}/:id/${path}`;
    const name = versioned
      ? '${' + variable + '.name}'
      : `${toPascal(nestedPath)}Of${target.names.type}`;
    const anItem = versioned ? '${' + variable + '.resource.anItem}' : target.names.anItem;
    const scope = `{ column: ${valueLiteral(`${quoted(collection.table.name)}.${quoted(column)}`)}, id }`;
    return {
      member: field.name,
      resource: ofParent,
      url: versioned ? '`' + url + '`' : `'${url}'`,
      below: '`' + parent + '/${id}/' + path + '`',
      variable,
      hooks: {
        list: options(before.may, guards.may('read'), before.item),
        create: options(before.may, guards.may('create'), before.item),
      },
      operations: {
        list: {
          operationId: words.text(`list${name}`),
          summary: words.text(`List the ${words.words} of ${anItem}`),
        },
        create: {
          operationId: words.text(`create${name}`),
          summary: words.text(`Create ${words.anItem} of ${anItem}`),
        },
      },
      bodyMember: versioned ? `resource.references.${field.name}` : stringLiteral(field.name),
      scopes: `[${[scope, ownScope === '' ? '' : `...${ownScope}`].filter(Boolean).join(', ')}]`,
    };
  });
  const all = [
    updateHooks,
    ...Object.values(code),
    ...nestedViews.flatMap(({ hooks }) => [hooks.list, hooks.create]),
  ].join(' ');
  const readableViews = readable.map(({ field, target }) => ({
    member: field.name,
    constant: target.names.constant,
    read: readCode(target.collection, target.names),
  }));
  return {
    versioned,
    resource,
    permissions: {
      read: { code: permissionCode(permissions.read) },
      create: { code: permissionCode(permissions.create) },
      update: { code: permissionCode(permissions.update) },
      delete: { code: permissionCode(permissions.delete) },
    },
    hasOwner: collection.table.hasOwner,
    hooks: code,
    updateHooks,
    scopes: ownScope === '' ? '' : `, ${ownScope}`,
    nested: nestedViews,
    readable: readableViews,
    ownership: [
      ...(collection.table.hasOwner && !isBackground(collection) ? ['ownerOf'] : []),
      ...(ownScope === '' ? [] : ['ownItemsFilter']),
      ...(all.includes('requireOwnItem(') ? ['requireOwnItem'] : []),
      ...(readable.length > 0 ? ['requireReadable'] : []),
    ],
    users: [
      ...(nested.some(({ target }) => target.collection === 'users') ? ['requireUser'] : []),
      ...([...(versioned ? [] : nested), ...readable].some(
        ({ target }) => target.collection === 'users',
      )
        ? ['USER_RESOURCE']
        : []),
    ],
    allows: all.includes('allow('),
    guarded: `${all} ${ownScope} ${readableViews.map(({ read }) => read).join(' ')}`.includes(
      `${names.itemCamel}Permissions.`,
    ),
    requiresItem: all.includes('requireItem('),
    preconditions: [...preconditions, 'expectedRevision'].toSorted(),
    others: othersOf(collection, model, versioned ? [] : nested, nested, readable),
  };
}

/** Code for the hooks of a collection's own routes. */
function guardsOf(names: Names, permissions: Permissions, resource: string) {
  const codeOf = (actions: readonly Action[]): string =>
    actions.map((action) => `${names.itemCamel}Permissions.${action}`).join(', ');
  return {
    /** Who may act at all, by each of these permissions: nothing is asked where everybody may. */
    may(...actions: readonly Action[]): string {
      const limited = actions.filter((action) => permissions[action].kind !== 'public');
      return limited.length === 0 ? '' : `allow(${codeOf(limited)})`;
    },
    /** Whether the item is there, and the caller's where it must be. */
    item(...actions: readonly Action[]): string {
      const owned = actions.filter((action) => isOwned(permissions[action]));
      return owned.length === 0
        ? `requireItem(database, ${resource})`
        : `requireOwnItem(database, ${resource}, ${codeOf(owned)})`;
    },
  };
}

/** Code for the hooks that look at the parent of a nested collection. */
function parentGuards(
  { target }: Relation,
  model: Model,
  resource: string,
): { may: string; item: string } {
  if (target.collection === 'users') {
    return { may: `allow('authenticated')`, item: 'requireUser(database)' };
  }
  const read = readOf(target.collection, model);
  const guards = guardsOf(
    target.names,
    { read, create: read, update: read, delete: read },
    resource,
  );
  return { may: guards.may('read'), item: guards.item('read') };
}

function othersOf(
  { names }: Collection,
  model: Model,
  imported: readonly Relation[],
  nested: readonly Relation[],
  readable: readonly Relation[],
): OtherView[] {
  const isKnown = ({ collection }: Relation['target']): boolean =>
    [...imported, ...readable].some(({ target }) => target.collection === collection);
  const targets = new Map(
    [...nested, ...readable].map(({ target }) => [target.collection, target]),
  );
  return [...targets.values()]
    .filter((target) => target.names !== names && target.collection !== 'users')
    .map((target) => ({
      names: target.names,
      resource: isKnown(target),
      permissions: readOf(target.collection, model).kind !== 'public',
    }))
    .toSorted((one, other) => (one.names.kebab < other.names.kebab ? -1 : 1));
}

const readCode = (collection: string, names: Names): string =>
  collection === 'users' ? permissionCode(USERS_READ) : `${names.itemCamel}Permissions.read`;

const permissionCode = (permission: Permission): string =>
  permission.kind === 'some'
    ? valueLiteral([...permission.roles, ...(permission.owner ? ['owner'] : [])])
    : valueLiteral(permission.kind);

/** The option of a route that has these hooks, in their order; nothing where it has none. */
function options(...hooks: readonly string[]): string {
  const codes = distinct(...hooks);
  if (codes.length === 0) return '';
  return `onRequest: ${codes.length === 1 ? codes[0] : `[${codes.join(', ')}]`},`;
}

/** The hooks without empty code, and without those that check the same. */
const distinct = (...hooks: readonly string[]): string[] => [
  ...new Set(hooks.filter((hook) => hook !== '')),
];
