/** The hooks of the routes of a collection: who may call them, whether the item exists, and its preconditions. */
import type { Permissions } from '../../definition/types.ts';
import { hasInclude } from '../../model/includes.ts';
import type { Names } from '../../model/names.ts';
import { allowsOwners, neededToChange, readOf } from '../../model/permissions.ts';
import type { Collection, Model, Relation } from '../../model/types.ts';
import { call, nameCode, plainCode } from '../../types/code.ts';
import type { Code } from '../../types/type.ts';

type Action = keyof Permissions;
type Hooks = readonly Code[];

/** The hooks of each route as an option, which is empty where it has none; those of `update` are the hooks themselves. */
export type RouteHooks = Readonly<Record<'list' | 'create' | 'item' | 'update' | 'delete', Code>>;

/** @param resource code for the resource of the collection. */
export function routeHooks(collection: Collection, resource: string): RouteHooks {
  const { permissions, requireIfMatch } = collection.definition;
  const guards = guardsOf(collection.names, permissions, resource);
  const toChange = neededToChange(permissions);
  const conditions = [
    ...(requireIfMatch ? [nameCode('requireIfMatch')] : []),
    nameCode('checkPreconditions'),
  ];
  const list = [...guards.may('read'), ...includeHooks(collection)];
  return {
    list: option(list),
    create: option(guards.may('create')),
    item: option([...list, ...(allowsOwners(permissions.read) ? [guards.item('read')] : [])]),
    update: hooksCode([...guards.may(...toChange), guards.item(...toChange), ...conditions]),
    delete: option([...guards.may('delete'), guards.item('delete'), ...conditions]),
  };
}

/** The hooks of the two routes below a parent. @param resource code for the resource of the parent. */
export function nestedHooks(
  collection: Collection,
  { target }: Relation,
  model: Model,
  resource: string,
): Pick<RouteHooks, 'list' | 'create'> {
  const { may } = guardsOf(collection.names, collection.definition.permissions, '');
  const parent = parentGuards(target, model, resource);
  return {
    list: option([...parent.may, ...may('read'), ...includeHooks(collection), parent.item]),
    create: option([...parent.may, ...may('create'), parent.item]),
  };
}

function option(hooks: Hooks): Code {
  if (hooks.length === 0) return plainCode('');
  const { text, uses } = hooksCode(hooks);
  return { text: `onRequest: ${text},`, uses };
}

/** Hooks without those that check the same: an array, or the only one. */
function hooksCode(hooks: Hooks): Code {
  const codes = [...new Set(hooks.map(({ text }) => text))];
  return {
    text: codes.length === 1 ? codes.join() : `[${codes.join(', ')}]`,
    uses: hooks.flatMap(({ uses }) => uses),
  };
}

/** A call of a function whose last arguments are permissions of a collection. */
export function callWithPermissions(
  { itemCamel }: Names,
  actions: readonly Action[],
  name: string,
  ...args: readonly string[]
): Code {
  const permissions = `${itemCamel}Permissions`;
  const { text } = call(name, ...args, ...actions.map((action) => `${permissions}.${action}`));
  return { text, uses: [name, permissions] };
}

const includeHooks = (collection: Collection): Hooks =>
  hasInclude(collection) ? [plainCode('allowIncludes(includes)')] : [];

/** The hooks that check permissions of one collection. */
interface Guards {
  /** Who may act at all, by each of these permissions: nothing is asked where everybody may. */
  readonly may: (...actions: readonly Action[]) => Hooks;
  /** Whether the item exists, and is the caller's where it must be. */
  readonly item: (...actions: readonly Action[]) => Code;
}

function guardsOf(names: Names, permissions: Permissions, resource: string): Guards {
  return {
    may: (...actions) => {
      const limited = actions.filter((action) => permissions[action].kind !== 'public');
      return limited.length === 0 ? [] : [callWithPermissions(names, limited, 'allow')];
    },
    item: (...actions) => {
      const owned = actions.filter((action) => allowsOwners(permissions[action]));
      return owned.length === 0
        ? call('requireItem', 'database', resource)
        : callWithPermissions(names, owned, 'requireOwnItem', 'database', resource);
    },
  };
}

/** The hooks that look at the parent of a nested collection. */
function parentGuards(
  { collection, names }: Relation['target'],
  model: Model,
  resource: string,
): { readonly may: Hooks; readonly item: Code } {
  if (collection === 'users') {
    return { may: [call('allow', `'authenticated'`)], item: call('requireUser', 'database') };
  }
  const read = readOf(collection, model);
  const guards = guardsOf(names, { read, create: read, update: read, delete: read }, resource);
  return { may: guards.may('read'), item: guards.item('read') };
}
