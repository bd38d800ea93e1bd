/** What definitions yield, as a list: every endpoint with its statuses and who may use it. */
import type { Permission } from '../../definition/types.ts';
import { mayBeRestricted } from '../../model/delete-restrictions.ts';
import { hasEvents } from '../../model/events.ts';
import { includePathsOf } from '../../model/includes.ts';
import { hasJobs, isBackground } from '../../model/jobs.ts';
import {
  permissionImplies,
  allowsOwners,
  neededToChange,
  ownCreationOf,
  readOf,
} from '../../model/permissions.ts';
import type { Collection, Model, Relation } from '../../model/types.ts';
import { hasStepRoles, hasTransitions } from '../../model/transitions.ts';

/** One operation on one path. */
export interface EndpointAccess {
  /** GET stands for HEAD too. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the prefix of a version; `{id}` is a UUID. */
  readonly path: string;
  readonly collection: string;
  /** Who may use it: `public`, `authenticated`, or roles and `owner`. */
  readonly permission: readonly string[];
  /** Whether it is only for those of them who may read the item, too. */
  readonly needsRead: boolean;
  /** The collection above it, where it is only for those of them who may read that item, too. */
  readonly needsReadOf?: string;
  /** What it answers beside those that every endpoint may (COMMON_STATUSES); rising. */
  readonly statuses: readonly number[];
}

/** The statuses that any endpoint may answer. */
export const COMMON_STATUSES: readonly number[] = [400, 401, 404, 405, 406, 429, 500, 503];

const ITEM = '/{id}';
/** A request with a body that is too large, of another kind, or not valid. */
const BODY = [413, 415, 422];
/** A page, or a query that is too long for its links. */
const LISTED = [200, 414];
/** An item that is not there, or no longer. */
const GONE = [404, 410];
/** An item that is read, or is not in the state that the request names. */
const READ = [200, 304, 412, ...GONE];

/** All endpoints: by collection, in one the list, the item, where it is nested; then the events and the jobs. */
export function endpointAccess(model: Model): EndpointAccess[] {
  const endpoints = model.collections.flatMap((collection) => [
    ...ownEndpoints(collection, model),
    ...collection.relations.flatMap((relation) => nestedEndpoints(collection, relation, model)),
  ]);
  return [
    ...endpoints,
    ...(hasEvents(model) ? [EVENTS, ...WEBHOOKS] : []),
    ...(hasJobs(model) ? [JOB] : []),
  ];
}

/** The changes of items, for administrators. Its 410 is a cursor after which events have been removed. */
const EVENTS: EndpointAccess = {
  method: 'GET',
  path: '/events',
  collection: 'events',
  permission: ['admin'],
  needsRead: false,
  statuses: [200, 403, 410, 414],
};

const webhook = (
  method: EndpointAccess['method'],
  path: string,
  statuses: readonly number[],
): EndpointAccess => ({
  method,
  path: `/webhooks${path}`,
  collection: 'webhooks',
  permission: ['admin'],
  needsRead: false,
  statuses: rising([403, ...statuses]),
});

const DELIVERIES = `${ITEM}/deliveries`;
const DELIVERY = `${DELIVERIES}/{delivery_id}`;

/** The receivers of events, for administrators. */
const WEBHOOKS: readonly EndpointAccess[] = [
  webhook('GET', '', LISTED),
  webhook('POST', '', [201, ...BODY]),
  webhook('GET', ITEM, READ),
  webhook('PUT', ITEM, [200, 412, ...GONE, ...BODY]),
  webhook('PATCH', ITEM, [200, 412, ...GONE, ...BODY]),
  webhook('DELETE', ITEM, [204, 412, ...GONE]),
  webhook('POST', `${ITEM}/secrets`, [201, ...GONE]),
  webhook('GET', DELIVERIES, [...LISTED, ...GONE]),
  webhook('GET', DELIVERY, READ),
  webhook('POST', `${DELIVERY}/redeliveries`, [202, 409, ...GONE]),
];

/** What became of work that was answered 202: for who asked for it, and administrators. */
const JOB: EndpointAccess = {
  method: 'GET',
  path: '/jobs/{id}',
  collection: 'jobs',
  permission: ['admin', 'owner'],
  needsRead: false,
  statuses: [200, 304, 403, 404, 410, 412],
};

function ownEndpoints(collection: Collection, model: Model): EndpointAccess[] {
  const { definition, names } = collection;
  const { permissions } = definition;
  const list = `/${names.kebab}`;
  const of = (
    method: EndpointAccess['method'],
    path: string,
    permission: Permission,
    statuses: readonly number[],
    needsRead = false,
  ): EndpointAccess => ({
    method,
    path,
    collection: definition.name,
    permission: whoOf(permission),
    needsRead,
    statuses: rising([
      ...statuses,
      ...forbidden(permission),
      ...(needsRead ? forbidden(permissions.read) : []),
    ]),
  });
  const precondition = definition.requireIfMatch ? [412, 428] : [412];
  const changed = [
    200,
    ...GONE,
    ...precondition,
    ...BODY,
    ...uniqueStatuses(collection),
    ...(hasTransitions(definition.fields) ? [409] : []),
    ...(hasStepRoles(definition.fields) ? [403] : []),
  ];
  const needsRead = neededToChange(permissions).includes('read');
  const included = includedStatuses(collection, model);
  const inUse = mayBeRestricted(definition.name, model) ? [409] : [];
  return [
    of('GET', list, permissions.read, [...LISTED, ...included]),
    of('POST', list, permissions.create, createStatuses(collection)),
    of('GET', list + ITEM, permissions.read, [...READ, ...included]),
    of('PUT', list + ITEM, permissions.update, changed, needsRead),
    of('PATCH', list + ITEM, permissions.update, changed, needsRead),
    of('DELETE', list + ITEM, permissions.delete, [204, ...GONE, ...precondition, ...inUse]),
  ];
}

function nestedEndpoints(
  collection: Collection,
  { nestedPath, target }: Relation,
  model: Model,
): EndpointAccess[] {
  if (nestedPath === undefined) return [];
  const { definition } = collection;
  const { read, create } = definition.permissions;
  const readParent = readOf(target.collection, model);
  const of = (
    method: EndpointAccess['method'],
    permission: Permission,
    statuses: readonly number[],
  ): EndpointAccess => ({
    method,
    path: `/${target.names.kebab}${ITEM}/${nestedPath}`,
    collection: definition.name,
    ...whoOfBoth(permission, readParent, target.collection),
    needsRead: false,
    statuses: rising([...statuses, ...GONE, ...forbidden(readParent), ...forbidden(permission)]),
  });
  return [
    of('GET', read, [...LISTED, ...includedStatuses(collection, model)]),
    of('POST', create, createStatuses(collection)),
  ];
}

/** What `include` is answered with if it names items that only some callers may read. */
const includedStatuses = (collection: Collection, model: Model): number[] =>
  includePathsOf(collection, model).flatMap(({ target }) =>
    forbidden(target.definition.permissions.read),
  );

/** Its 409 is a value that is taken, or an `Idempotency-Key` that is under way. */
const createStatuses = (collection: Collection): number[] => [
  isBackground(collection) ? 202 : 201,
  ...(ownCreationOf(collection.definition) === undefined ? [] : [403]),
  409,
  ...BODY,
];

/** What a value that is taken is answered with, where a value can be taken. */
const uniqueStatuses = ({ table }: Collection): number[] =>
  table.indexes.some(({ unique }) => unique) ? [409] : [];

/** Administrators may do all; where a list of roles is given they are in it. */
function whoOf(permission: Permission): readonly string[] {
  if (permission.kind !== 'some') return [permission.kind];
  const roles = [...new Set(['admin', ...permission.roles])].toSorted();
  return permission.owner ? [...roles, 'owner'] : roles;
}

/** Who may use what is nested: those whom its collection lets, and who may read the parent. */
function whoOfBoth(
  permission: Permission,
  readParent: Permission,
  parent: string,
): Pick<EndpointAccess, 'permission' | 'needsReadOf'> {
  if (permissionImplies(permission, readParent) && !allowsOwners(readParent)) {
    return { permission: whoOf(permission) };
  }
  if (permission.kind !== 'some' || readParent.kind !== 'some') {
    // Whose the parent is matters here, and not whose the items below it are.
    const who = whoOf(readParent).map((one) => (one === 'owner' ? `owner of ${parent}` : one));
    return { permission: who };
  }
  if (permission.owner || readParent.owner) {
    return { permission: whoOf(permission), needsReadOf: parent };
  }
  const roles = permission.roles.filter((role) => readParent.roles.includes(role));
  return { permission: whoOf({ ...permission, roles }) };
}

const forbidden = (permission: Permission): number[] => (permission.kind === 'some' ? [403] : []);

function rising(statuses: readonly number[]): number[] {
  return [...new Set(statuses)].toSorted((one, other) => one - other);
}
