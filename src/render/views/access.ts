/** Who may do what, as the routes of a collection check it. */
import type { Field, Permission, Permissions } from '../../definition/types.ts';
import { writtenRelations } from '../../model/set-by-code.ts';
import type { Names } from '../../model/names.ts';
import { hasInclude, isEmbedded } from '../../model/includes.ts';
import { numericKey } from '../../types/key.ts';
import type { KeyType } from '../../types/key.ts';
import {
  allowsOwners,
  neededToChange,
  ownCreationOf,
  ownsChanges,
  readOf,
} from '../../model/permissions.ts';
import { toPascal } from '../../model/names.ts';
import { columnName, quoted, tableName } from '../../shared/sql.ts';
import type { Collection, Model, Relation } from '../../model/types.ts';
import { isVersioned } from '../../model/versions.ts';
import { stringLiteral, valueLiteral } from '../../shared/literals.ts';
import { embeddingName } from './embedding.ts';
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
  /** The member that refers to the parent, and code for the parameters of paths with ids that are no UUIDs. */
  readonly member: string;
  readonly idParameter: string | undefined;
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
  /** Code for the owner of a new item that names none; undefined if that is nobody, or if the path sets it. */
  readonly ownByDefault: string | undefined;
}

/** A step of the path to an owner; all names are quoted. */
interface OwnerStepView {
  readonly table: string;
  readonly column: string;
  /** The reference of a linking collection, by which the step before finds the row; undefined: `"id"`. */
  readonly link: string | undefined;
}

/** The part of a collection's view that is about permissions. */
export interface AccessView {
  /** Whether some version has the collection otherwise than it is stored. */
  readonly versioned: boolean;
  /** Code for its resource. */
  readonly resource: string;
  readonly permissions: Readonly<Record<Action, { readonly code: string }>>;
  readonly hasOwner: boolean;
  /** The tables and columns of the path to the owner, quoted; undefined without a path. */
  readonly ownerPath: readonly OwnerStepView[] | undefined;
  /** Code for the arguments of the check that a new item is the caller's; undefined if all may create any. */
  readonly ownCreation: string | undefined;
  /** Code for the owner of a new item that names none; undefined if that is nobody. */
  readonly ownByDefault: string | undefined;
  /** Code for the name of that owner's reference in a body. */
  readonly ownedMember: string | undefined;
  /** Code for the options that routes pass to the repository. */
  readonly changeOptions: Readonly<Record<'create' | 'update' | 'delete', string>>;
  /** Code for the SQL expression of the owner of a row; undefined if owners do not matter to changes. */
  readonly ownerOfChanges: string | undefined;
  /** Code for what documents say of its 403. */
  readonly ownersOnly: string | undefined;
  /** Code for the hooks of each route, as an option; empty where it has none. */
  readonly hooks: Readonly<Record<'list' | 'create' | 'item' | 'delete', string>>;
  /** Code for the hooks that PUT and PATCH share. */
  readonly updateHooks: string;
  /** Code for the scopes of a list, with a comma before it. */
  readonly scopes: string;
  readonly nested: readonly NestedView[];
  /** Code for the parameters of a path with an id, unless ids are UUIDs. */
  readonly idParameter: string | undefined;
  /** Whether some path has an id that is a number, and one that is a text. */
  readonly numericIds: boolean;
  readonly textIds: boolean;
  /** Whether ids consist of several values. */
  readonly compositeIds: boolean;
  /** References that not everybody may follow. */
  readonly readable: readonly { member: string; constant: string; read: string }[];
  /** Whether one of them refers to items of the same collection. */
  readonly refersToOwn: boolean;
  /** What is imported. */
  readonly ownership: readonly string[];
  readonly users: readonly string[];
  readonly allows: boolean;
  readonly guarded: boolean;
  readonly requiresItem: boolean;
  readonly preconditions: readonly string[];
  readonly others: readonly OtherView[];
  /** Whether `include` embeds the collection, or something in it. */
  readonly embedded: boolean;
  /** Code for the arguments of `includesOf`, and its import; undefined without `include`. */
  readonly includes: string | undefined;
  readonly embedding: string;
  /** Whether they depend on the version. */
  readonly includesByVersion: boolean;
}

/** A hook of a route. */
interface Hook {
  /** The function that checks, which is imported. */
  readonly name: string;
  readonly code: string;
  /** The collection whose permissions it checks. */
  readonly permissions?: Names;
}

export function accessView(collection: Collection, model: Model): AccessView {
  const { names, definition } = collection;
  const { permissions } = definition;
  const versioned = isVersioned(model, definition.name);
  const resource = versioned ? 'resource' : names.constant;
  const guards = guardsOf(names, permissions, resource);
  const toChange = neededToChange(permissions);
  const includes = hasInclude(collection);
  const mayInclude: readonly Hook[] = includes
    ? [{ name: 'allowIncludes', code: 'allowIncludes(includes)' }]
    : [];
  const nested = collection.relations
    .filter(({ nestedPath }) => nestedPath !== undefined)
    .map((relation) => ({
      relation,
      hooks: nestedHooks(relation, guards, mayInclude, model, versioned),
    }));
  const readable = writtenRelations(collection).filter(
    ({ target }) => readOf(target.collection, model).kind !== 'public',
  );
  const preconditions = [
    ...(definition.requireIfMatch ? ['requireIfMatch'] : []),
    'checkPreconditions',
  ];
  const conditions = preconditions.map((name): Hook => ({ name, code: name }));
  const hooks = {
    list: [...guards.may('read'), ...mayInclude],
    create: guards.may('create'),
    item: [
      ...guards.may('read'),
      ...mayInclude,
      ...(allowsOwners(permissions.read) ? [guards.item('read')] : []),
    ],
    delete: [...guards.may('delete'), guards.item('delete'), ...conditions],
  };
  const updateHooks = [...guards.may(...toChange), guards.item(...toChange), ...conditions];
  const all = [
    ...updateHooks,
    ...Object.values(hooks).flat(),
    ...nested.flatMap((one) => [...one.hooks.list, ...one.hooks.create]),
  ];
  const calls = (name: string): boolean => all.some((hook) => hook.name === name);
  const ownScope = allowsOwners(permissions.read)
    ? `ownItemsFilter(request, ${resource}, ${names.itemCamel}Permissions.read)`
    : undefined;
  const ownership = ownershipOf(collection, resource, versioned);
  const changeOptions = (...owning: readonly Action[]): string => {
    const isLimited = owning.some((action) => allowsOwners(permissions[action]));
    return [
      'principal: request.principal',
      ...(isLimited ? ['ownedBy: request.ownedBy'] : []),
      ...(versioned ? ['resource'] : []),
    ].join(', ');
  };
  const imported = versioned ? [] : nested.map(({ relation }) => relation);
  const pathKeys = [definition.key, ...nested.map(({ relation }) => keyOf(relation.field))];
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
    ownerPath: definition.owner?.map(({ collection: table, field, link }) => ({
      table: quoted(tableName(table)),
      column: quoted(columnName(field)),
      link: link === undefined ? undefined : quoted(columnName(link)),
    })),
    ...ownership,
    changeOptions: {
      create: changeOptions(),
      update: changeOptions(...toChange),
      delete: changeOptions('delete'),
    },
    ownerOfChanges: ownerOfChanges(collection),
    hooks: {
      list: options(hooks.list),
      create: options(hooks.create),
      item: options(hooks.item),
      delete: options(hooks.delete),
    },
    updateHooks: distinct(updateHooks).join(', '),
    scopes: ownScope === undefined ? '' : `, ${ownScope}`,
    nested: nested.map((one) => ({
      ...nestedView(collection, one.relation, versioned, ownScope),
      ownByDefault:
        one.relation.field.name === definition.owner?.[0]?.field
          ? undefined
          : ownership.ownByDefault,
      hooks: { list: options(one.hooks.list), create: options(one.hooks.create) },
    })),
    idParameter: idParameter(definition.key),
    numericIds: pathKeys.some((key) => numericKey(key) !== undefined),
    textIds: pathKeys.includes('string'),
    compositeIds: definition.key === 'composite',
    readable: readable.map(({ field, target }) => ({
      member: field.name,
      constant: target.names.constant,
      read: readCode(target.collection, target.names, model),
    })),
    refersToOwn: readable.some(({ target }) => target.names === names),
    ownership: [
      ...(ownership.ownByDefault === undefined ? [] : ['ownByDefault']),
      ...(ownScope === undefined ? [] : ['ownItemsFilter']),
      ...(ownership.ownCreation === undefined ? [] : ['requireOwnCreation']),
      ...(calls('requireOwnItem') ? ['requireOwnItem'] : []),
      ...(readable.length > 0 ? ['requireReadable'] : []),
    ],
    users: [
      ...(nested.some(({ relation }) => relation.target.collection === 'users')
        ? ['requireUser']
        : []),
      ...([...imported, ...readable].some(({ target }) => target.collection === 'users')
        ? ['USER_RESOURCE']
        : []),
    ],
    allows: calls('allow'),
    guarded:
      ownScope !== undefined ||
      ownership.ownCreation !== undefined ||
      all.some((hook) => hook.permissions === names) ||
      readable.some(({ target }) => target.names === names),
    requiresItem: calls('requireItem'),
    preconditions: [...preconditions, 'expectedRevision'].toSorted(),
    others: othersOf(
      collection,
      model,
      imported,
      nested.map(({ relation }) => relation),
      readable,
    ),
    embedded: isEmbedded(collection, model),
    ...includesView(collection, model, versioned),
  };
}

/** Code for the SQL expression of the owner of a row, if changes demand one. */
function ownerOfChanges({ names, definition, table }: Collection): string | undefined {
  if (!ownsChanges(definition.permissions)) return undefined;
  return definition.owner === undefined
    ? stringLiteral(`${quoted(table.name)}."_owner_id"`)
    : `ownerOfRow(${names.constant}.owner)`;
}

/** How routes know what `include` may name. */
function includesView(
  collection: Collection,
  model: Model,
  versioned: boolean,
): Pick<AccessView, 'includes' | 'embedding' | 'includesByVersion'> {
  const { code, definition } = collection;
  const embedding = embeddingName({ collection: definition.name, code }, model);
  const byVersion = model.versions !== undefined;
  const own = versioned ? `${embedding}[version]` : embedding;
  return {
    includes: hasInclude(collection) ? `${own}${byVersion ? ', version' : ''}` : undefined,
    embedding,
    includesByVersion: hasInclude(collection) && byVersion,
  };
}

/** How routes create items that belong to the user at the end of a path. */
function ownershipOf(
  collection: Collection,
  resource: string,
  versioned: boolean,
): Pick<AccessView, 'ownCreation' | 'ownByDefault' | 'ownedMember' | 'ownersOnly'> {
  const { definition, names } = collection;
  const check = ownCreationOf(definition);
  if (check === undefined) {
    return {
      ownCreation: undefined,
      ownByDefault: undefined,
      ownedMember: undefined,
      ownersOnly: undefined,
    };
  }
  const { member, others, isDirect } = check;
  const permission = `${names.itemCamel}Permissions.${others}`;
  const shown = versioned ? `resource.references.${member}` : stringLiteral(member ?? '');
  const text = wordsOf(collection, versioned).text;
  const item = versioned ? '${resource.item}' : names.itemWords;
  return {
    ownCreation: `${resource}, ${member === undefined ? 'null' : `values.${member}`}, ${permission}`,
    ownByDefault: isDirect
      ? `ownByDefault(request, ${stringLiteral(member ?? '')}, ${shown}, ${permission})`
      : undefined,
    ownedMember: isDirect ? shown : undefined,
    ownersOnly: text(
      `You do not have the permission, or the ${item} would not belong to you, and you may create only your own.`,
    ),
  };
}

/** Whether the ids that a reference has are numbers. */
const keyOf = ({ type }: Field): KeyType =>
  (type.type === 'reference' ? type.key : undefined) ?? 'uuid';

/** Code for the parameters of a path with an id, unless ids are UUIDs. */
const idParameter = (key: KeyType): string | undefined =>
  ({
    uuid: undefined,
    smallint: 'numericIdParameter',
    integer: 'numericIdParameter',
    bigint: 'numericIdParameter',
    string: 'textIdParameter',
    composite: 'compositeIdParameter',
  })[key];

/** What the routes of a nested collection say, without their hooks. */
function nestedView(
  collection: Collection,
  { field, column, nestedPath = '', target }: Relation,
  versioned: boolean,
  ownScope: string | undefined,
): Omit<NestedView, 'hooks' | 'ownByDefault'> {
  const words = wordsOf(collection, versioned);
  const variable = variableOf(field);
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
    idParameter: idParameter(keyOf(field)),
    resource: parentResource(field, target, versioned),
    url: versioned ? '`' + url + '`' : `'${url}'`,
    below:
      '`' +
      parent +
      `/\${${keyOf(field) === 'string' ? 'encodeURIComponent(id)' : 'id'}}/` +
      path +
      '`',
    variable,
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
    scopes: `[${[scope, ...(ownScope === undefined ? [] : [`...${ownScope}`])].join(', ')}]`,
  };
}

const variableOf = (field: Field): string => `by${toPascal(field.name.replace(/_id$/, ''))}`;

/** Code for the resource of a parent. */
function parentResource(field: Field, target: Relation['target'], versioned: boolean): string {
  if (versioned) return `${variableOf(field)}.resource`;
  return target.collection === 'users' ? 'USER_RESOURCE' : target.names.constant;
}

/** The hooks of the two routes of a nested collection. */
function nestedHooks(
  relation: Relation,
  guards: Guards,
  mayInclude: readonly Hook[],
  model: Model,
  versioned: boolean,
): Record<'list' | 'create', readonly Hook[]> {
  const resource = parentResource(relation.field, relation.target, versioned);
  const before = parentGuards(relation, model, resource);
  return {
    list: [...before.may, ...guards.may('read'), ...mayInclude, before.item],
    create: [...before.may, ...guards.may('create'), before.item],
  };
}

/** The hooks that check permissions of one collection. */
interface Guards {
  /** Who may act at all, by each of these permissions: nothing is asked where everybody may. */
  readonly may: (...actions: readonly Action[]) => readonly Hook[];
  /** Whether the item is there, and the caller's where it must be. */
  readonly item: (...actions: readonly Action[]) => Hook;
}

function guardsOf(names: Names, permissions: Permissions, resource: string): Guards {
  const codeOf = (actions: readonly Action[]): string =>
    actions.map((action) => `${names.itemCamel}Permissions.${action}`).join(', ');
  return {
    may: (...actions) => {
      const limited = actions.filter((action) => permissions[action].kind !== 'public');
      return limited.length === 0
        ? []
        : [{ name: 'allow', code: `allow(${codeOf(limited)})`, permissions: names }];
    },
    item: (...actions) => {
      const owned = actions.filter((action) => allowsOwners(permissions[action]));
      return owned.length === 0
        ? { name: 'requireItem', code: `requireItem(database, ${resource})` }
        : {
            name: 'requireOwnItem',
            code: `requireOwnItem(database, ${resource}, ${codeOf(owned)})`,
            permissions: names,
          };
    },
  };
}

/** The hooks that look at the parent of a nested collection. */
function parentGuards(
  { target }: Relation,
  model: Model,
  resource: string,
): { readonly may: readonly Hook[]; readonly item: Hook } {
  if (target.collection === 'users') {
    return {
      may: [{ name: 'allow', code: `allow('authenticated')` }],
      item: { name: 'requireUser', code: 'requireUser(database)' },
    };
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

const readCode = (collection: string, names: Names, model: Model): string =>
  collection === 'users'
    ? permissionCode(readOf(collection, model))
    : `${names.itemCamel}Permissions.read`;

const permissionCode = (permission: Permission): string =>
  permission.kind === 'some'
    ? valueLiteral([...permission.roles, ...(permission.owner ? ['owner'] : [])])
    : valueLiteral(permission.kind);

/** The option of a route that has these hooks, in their order; nothing where it has none. */
function options(hooks: readonly Hook[]): string {
  const codes = distinct(hooks);
  if (codes.length === 0) return '';
  return `onRequest: ${codes.length === 1 ? codes[0] : `[${codes.join(', ')}]`},`;
}

/** The code of hooks, without those that check the same. */
const distinct = (hooks: readonly Hook[]): string[] => [...new Set(hooks.map(({ code }) => code))];
