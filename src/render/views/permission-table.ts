/**
 * The table of a collection's permission tests: who may do what. It is worked out from the definitions alone,
 * apart from access.ts, so that a mistake there comes to light.
 */
import { beginsWithLink } from '../../definition/owner-step.ts';
import type { OwnerStep, Permission, Permissions } from '../../definition/types.ts';
import { isBackground } from '../../model/jobs.ts';
import { readOf } from '../../model/permissions.ts';
import type { Samples } from '../../model/samples.ts';
import type { Model, Relation } from '../../model/types.ts';

/** A caller in the tests of permissions. */
export interface Caller {
  readonly label: string;
  readonly isKnown: boolean;
  readonly role: string | undefined;
  /** Whether the item of the test is theirs. */
  readonly isOwner: boolean;
}

/** The items of a collection that a permission is for. */
type Reach = 'all' | 'own' | 'none';

const FROM_LEAST: readonly Reach[] = ['none', 'own', 'all'];

/** A caller without credentials. */
export const ANONYMOUS: Caller = {
  label: 'no credential',
  isKnown: false,
  role: undefined,
  isOwner: false,
};
/** A user without roles who owns nothing. */
export const WITHOUT_ROLE: Caller = {
  label: 'no role',
  isKnown: true,
  role: undefined,
  isOwner: false,
};
/** The owner of the item of the test. */
export const OWNER: Caller = { label: 'owner', isKnown: true, role: undefined, isOwner: true };
const ADMIN: Caller = { label: 'admin', isKnown: true, role: 'admin', isOwner: false };

/** The callers of tests, in the order of the columns. @param isOwned whether items have an owner. */
export const callersOf = (roles: readonly string[], isOwned: boolean): readonly Caller[] => [
  ANONYMOUS,
  WITHOUT_ROLE,
  ...roles.map(withRole),
  ...(isOwned ? [OWNER] : []),
  ADMIN,
];

const withRole = (role: string): Caller => ({
  label: role,
  isKnown: true,
  role,
  isOwner: false,
});

/** How far a permission reaches for a caller. */
function reach(permission: Permission, { isKnown, role }: Caller): Reach {
  if (permission.kind === 'public') return 'all';
  if (!isKnown) return 'none';
  if (permission.kind === 'authenticated' || role === 'admin') return 'all';
  if (role !== undefined && permission.roles.includes(role)) return 'all';
  return permission.owner ? 'own' : 'none';
}

/** How far a caller reaches with all of these permissions. */
export function commonReach(permissions: readonly Permission[], caller: Caller): Reach | undefined {
  const reaches = permissions.map((permission) => reach(permission, caller));
  return FROM_LEAST.find((one) => reaches.includes(one));
}

/** How far a caller reads a collection; a user is read by themselves, and by roles that may read users. */
export function readReach(caller: Caller, collection: string, model: Model): Reach {
  return reach(readOf(collection, model), caller);
}

/** A row of the table. */
export interface Row {
  readonly method: string;
  readonly path: string;
  /** Whether the item of the path is there; its path says `removed` or `missing` if not. */
  readonly isThere: boolean;
  /** The status that a caller is answered. */
  readonly status: (caller: Caller) => number;
}

/**
 * Whether a body may only be sent by who may create items of others. The items that it refers to are those of
 * other users, or of nobody.
 */
function isForOthers(
  { samples, permissions, owner }: Rules,
  caller: Caller,
  except?: string,
): boolean {
  const [first, ...rest] = owner;
  const { collection, members } = samples;
  if (first === undefined || mayCreateForOthers(permissions, caller)) return false;
  // A new item belongs to nobody, and only a stranger may create such a one.
  if (beginsWithLink(owner)) return caller.isKnown;
  const field = collection.definition.fields.find(({ name }) => name === first.field);
  if (field?.readOnly === true) return false;
  const isSent = except === first.field || members.some((one) => one.field.name === first.field);
  if (isSent) return true;
  // What a known caller leaves out is the caller, or on a longer path nobody.
  return caller.isKnown && rest.length > 0;
}

/** Whether a caller may create items that belong to others. */
export const mayCreateForOthers = ({ read, update }: Permissions, caller: Caller): boolean =>
  reach(read.kind === 'some' ? read : update, caller) === 'all';

/** What is known of the permissions of a collection and of those around it. */
interface Rules {
  readonly samples: Samples;
  readonly permissions: Permissions;
  /** How far a caller reads a collection. */
  readonly read: (caller: Caller, collection: string) => Reach;
  /** The path to the owner, if there is one. */
  readonly owner: readonly OwnerStep[];
}

/**
 * The rows of the table.
 * @param nested the references that it is nested by.
 * @param owner the path to the owner, which a version may not have.
 */
export function rowsOf(
  samples: Samples,
  nested: readonly Relation[],
  model: Model,
  owner: readonly OwnerStep[] = samples.collection.definition.owner ?? [],
): Row[] {
  const { definition, names } = samples.collection;
  const { permissions } = definition;
  const read = (caller: Caller, target: string): Reach => readReach(caller, target, model);
  const rules: Rules = { samples, permissions, read, owner };
  const path = `/${names.kebab}`;
  const item = `${path}/{id}`;
  const changes = [permissions.update, permissions.read];
  return [
    ...listRows(path, onNone(200, permissions.read)),
    {
      method: 'POST',
      path,
      isThere: true,
      status: (caller) =>
        reach(permissions.create, caller) === 'none' ? refused(caller) : created(rules, caller),
    },
    ...(samples.obstacle === undefined
      ? [
          ...listRows(item, onItem(200, permissions.read)),
          { method: 'PUT', path: item, isThere: true, status: onItem(200, ...changes) },
          { method: 'PATCH', path: item, isThere: true, status: onItem(200, ...changes) },
          { method: 'DELETE', path: item, isThere: true, status: onItem(204, permissions.delete) },
          ...absentRows(rules, `${path}/{removed}`, 410),
        ]
      : []),
    ...absentRows(rules, `${path}/{missing}`, 404),
    ...nested.flatMap((relation) => nestedRows(rules, relation)),
  ];
}

/** The rows of a list or an item that is read. */
const listRows = (path: string, status: Row['status']): Row[] => [
  { method: 'GET', path, isThere: true, status },
  { method: 'HEAD', path, isThere: true, status },
];

/** The rows of an item that is not there. */
function absentRows({ permissions }: Rules, path: string, status: number): Row[] {
  const changes = [permissions.update, permissions.read];
  return [
    { method: 'GET', path, isThere: false, status: onNone(status, permissions.read) },
    { method: 'PUT', path, isThere: false, status: onNone(status, ...changes) },
    { method: 'PATCH', path, isThere: false, status: onNone(status, ...changes) },
    { method: 'DELETE', path, isThere: false, status: onNone(status, permissions.delete) },
  ];
}

/** The rows of a collection below a parent. */
function nestedRows(rules: Rules, { target, field, nestedPath = '' }: Relation): Row[] {
  const { permissions, read } = rules;
  const { collection: parent } = target;
  const inside = (id: string): string => `/${target.names.kebab}/{${id}}/${nestedPath}`;
  const isRefused = (permission: Permission, caller: Caller): boolean =>
    read(caller, parent) === 'none' || reach(permission, caller) === 'none';
  const below =
    (permission: Permission, done: (caller: Caller) => number): Row['status'] =>
    (caller) => {
      if (isRefused(permission, caller)) return refused(caller);
      return read(caller, parent) === 'own' ? 403 : done(caller);
    };
  const belowNone =
    (permission: Permission, status: number): Row['status'] =>
    (caller) =>
      isRefused(permission, caller) ? refused(caller) : status;
  const absent = (id: string, status: number): Row[] => [
    {
      method: 'GET',
      path: inside(id),
      isThere: false,
      status: belowNone(permissions.read, status),
    },
    {
      method: 'POST',
      path: inside(id),
      isThere: false,
      status: belowNone(permissions.create, status),
    },
  ];
  return [
    ...listRows(
      inside('id'),
      below(permissions.read, () => 200),
    ),
    {
      method: 'POST',
      path: inside('id'),
      isThere: true,
      status: below(permissions.create, (caller) => created(rules, caller, field.name)),
    },
    ...absent('removed', 410),
    ...absent('missing', 404),
  ];
}

const refused = ({ isKnown }: Caller): number => (isKnown ? 403 : 401);

/**
 * What those are answered who may create; parents are an administrator's.
 * @param except the reference to a parent that is in the path.
 */
function created(rules: Rules, caller: Caller, except?: string): number {
  const { samples, read } = rules;
  const { collection, obstacle, members } = samples;
  if (obstacle !== undefined) return 422;
  if (isForOthers(rules, caller, except)) return refused(caller);
  const isHidden = members.some(
    (member) =>
      member.kind === 'parent' &&
      member.field.name !== except &&
      read(caller, member.type.to) !== 'all',
  );
  if (isHidden) return 422;
  return isBackground(collection) ? 202 : 201;
}

/** What a caller is answered who needs each of these permissions for the item of `owner`. */
const onItem =
  (status: number, ...needed: readonly Permission[]): Row['status'] =>
  (caller) => {
    const reached = commonReach(needed, caller);
    if (reached === 'none') return refused(caller);
    return reached === 'all' || caller.isOwner ? status : 403;
  };

/** A role that is missing comes before an item that is missing; nobody owns what is not there. */
const onNone =
  (status: number, ...needed: readonly Permission[]): Row['status'] =>
  (caller) =>
    commonReach(needed, caller) === 'none' ? refused(caller) : status;

/** A table as text: columns that stand one below the other, two spaces apart. */
export function tableLines(callers: readonly Caller[], rows: readonly Row[]): string[] {
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
