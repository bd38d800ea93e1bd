/** What definitions allow and probably do not mean. A warning refuses nothing. */
import { ruleText } from '../expressions/rule-text.ts';
import { beginsWithLink } from '../definition/owner-step.ts';
import type { WarningCode } from '../reading/warning-codes.ts';
import { enumerate, quote, quoteAll } from '../reading/quote.ts';
import type {
  CollectionDefinition,
  Field,
  Permission,
  ServiceDefinition,
} from '../definition/types.ts';
import type { Issue, Position } from '../reading/position.ts';
import { omittedFields } from './indexes.ts';
import { unreachable } from './unreachable.ts';
import {
  createsForOthers,
  permissionImplies,
  allowsOwners,
  ownCreationOf,
  usersRead,
  withoutOwner,
} from './permissions.ts';

/** All warnings, in the order of the collections and of their fields. */
export const warningsOf = (service: ServiceDefinition): readonly Issue[] =>
  service.collections.flatMap((collection) => {
    const acknowledged: readonly string[] = collection.acknowledge ?? [];
    return warningsAbout(collection, service).filter(({ code }) => !acknowledged.includes(code));
  });

function warningsAbout(
  collection: CollectionDefinition,
  service: ServiceDefinition,
): readonly Issue[] {
  return [
    ...revealingUniques(collection),
    ...shortenedIndexes(collection),
    ...unownedCreations(collection),
    ...keptItems(collection, service.collections),
    ...unreadChanges(collection),
    ...unreachable(collection),
    ...collection.fields.flatMap((field) => [
      ...wideCascade(field, collection, service.collections),
      ...unreadableReference(field, collection, service),
      ...rolesWithoutRead(field, collection, service),
      ...openLink(field, collection, service.collections),
      ...openOwner(field, collection, service.collections),
    ]),
  ];
}

const warning = (at: Position, code: WarningCode, message: string): Issue => ({
  at,
  code,
  message,
});

/** Unique values of a collection that somebody may write to who cannot read all of it. */
function revealingUniques(collection: CollectionDefinition): readonly Issue[] {
  const { name, fields, unique, permissions } = collection;
  const { read, create, update } = permissions;
  const readsAll: Permission = read.kind === 'some' ? { ...read, owner: false } : read;
  if (permissionImplies(create, readsAll) && permissionImplies(update, readsAll)) return [];
  const why = `and read of ${quote(name)} is narrower than create or update: a 409 tells callers of values in items that they cannot read. Widen read, remove unique, or write "acknowledge: [unique-reveals]" if it is meant so.`;
  // No request can try a value of members that only the service sets.
  const tried = new Set(fields.flatMap((field) => (field.readOnly ? [] : field.name)));
  return [
    ...fields
      .filter((field) => field.unique && tried.has(field.name))
      .map((field) =>
        warning(field.at, 'unique-reveals', `field ${quote(field.name)} is unique, ${why}`),
      ),
    ...unique
      .filter((rule) => rule.fields.some((one) => tried.has(one)))
      .map((rule) =>
        warning(
          rule.at,
          'unique-reveals',
          `${rule.fields.map(quote).join(' and ')} ${rule.fields.length === 1 ? 'is unique' : 'are unique together'}${rule.where === undefined ? '' : ` where ${ruleText(rule.where.expression)}`}, ${why}`,
        ),
      ),
  ];
}

/** Entries of `indexes` whose indexes do not have all of their fields. */
const shortenedIndexes = (collection: CollectionDefinition): readonly Issue[] =>
  omittedFields(collection).flatMap((omitted) =>
    omitted.length === 0
      ? []
      : [
          warning(
            collection.at,
            'index-shortened',
            `an entry of indexes of ${quote(collection.name)} leaves out ${quoteAll(omitted)}: with their values an index could have an entry larger than the 2,704 bytes that PostgreSQL takes, or more than 32 columns. Lower max_length or precision of its fields, or remove some.`,
          ),
        ],
  );

/** A cascade by which a caller removes items that they could not remove one by one. */
function wideCascade(
  { name, type, at }: Field,
  { name: child, permissions }: CollectionDefinition,
  collections: readonly CollectionDefinition[],
): readonly Issue[] {
  if (type.type !== 'reference' || type.onDelete !== 'cascade') return [];
  // Users are removed by administrators, who may remove everything.
  const parent = collections.find((collection) => collection.name === type.to);
  if (parent === undefined) return [];
  // The item that makes somebody an owner goes with what they own.
  const remove = isLink(child, name, collections)
    ? withoutOwner(parent.permissions.delete)
    : parent.permissions.delete;
  if (permissionImplies(remove, permissions.delete)) return [];
  const message = `field ${quote(name)} has on_delete "cascade", and delete of ${quote(parent.name)} is wider than delete of ${quote(child)}: removing one removes ${quote(child)} that the caller could not remove. Write on_delete "refuse", or narrow delete of ${quote(parent.name)}.`;
  return [warning(at, 'cascade-deletes-more', message)];
}

/** A required reference to a collection of which some who may create read nothing at all. */
function unreadableReference(
  { name, type, required, readOnly, at }: Field,
  { name: child, permissions: { create } }: CollectionDefinition,
  service: ServiceDefinition,
): readonly Issue[] {
  if (type.type !== 'reference' || !required || readOnly) return [];
  const { to } = type;
  const read = readIn(service, to);
  const who = read && whoReadsNothing(create, read);
  if (who === undefined) return [];
  const narrow = `${who.roles ? `take ${who.roles} out of` : 'narrow'} create of ${quote(child)}`;
  const remedy =
    to === 'users'
      ? `${narrow.charAt(0).toUpperCase()}${narrow.slice(1)}`
      : `${who.roles ? `Add ${who.roles} to` : 'Widen'} read of ${quote(to)}, or ${narrow}`;
  const message = `${who.words} may create ${quote(child)} and may not read ${quote(to)}, to which the required field ${quote(name)} refers: every POST of theirs is 422. ${remedy}.`;
  return [warning(at, 'create-needs-read', message)];
}

/** Who may read a collection, or `users`. */
const readIn = (service: ServiceDefinition, name: string): Permission | undefined =>
  name === 'users'
    ? usersRead(service)
    : service.collections.find((collection) => collection.name === name)?.permissions.read;

/** Roles that may set a reference, and read nothing that it could refer to but perhaps themselves. */
function rolesWithoutRead(
  { name, type, required, readOnly, immutable, at }: Field,
  { name: child, permissions, owner = [] }: CollectionDefinition,
  service: ServiceDefinition,
): readonly Issue[] {
  if (type.type !== 'reference' || readOnly) return [];
  const { to } = type;
  const read = readIn(service, to);
  if (read?.kind !== 'some' || (read.owner && to !== 'users')) return [];
  const rolesOf = (permission: Permission): readonly string[] =>
    permission.kind === 'some' ? permission.roles : [];
  const others = createsForOthers(permissions);
  const mayName = (role: string): boolean =>
    // Roles that own what they create name themselves.
    owner.length !== 1 || owner[0]?.field !== name || rolesOf(others).includes(role);
  // Another warning is about those who can create nothing.
  const isReported = required && to !== 'users';
  const setters = [
    ...(isReported ? [] : rolesOf(permissions.create)),
    ...(immutable ? [] : rolesOf(permissions.update)),
  ].filter((role) => !(isReported && rolesOf(permissions.create).includes(role)));
  const roles = [...new Set(setters)].filter(
    (role) => role !== 'admin' && !read.roles.includes(role) && mayName(role),
  );
  if (roles.length === 0) return [];
  const who = `${roles.length === 1 ? 'role' : 'roles'} ${quoteAll(roles)}`;
  const message =
    to === 'users'
      ? `${who} may set ${quote(name)} of ${quote(child)} and may not read users: any id but the caller's own is 422. Write "users: { read: [${[...read.roles, ...roles].join(', ')}] }" in the service.`
      : `${who} may set ${quote(name)} of ${quote(child)} and may not read ${quote(to)}: any id is 422. Add ${quoteAll(roles)} to read of ${quote(to)}.`;
  return [warning(at, 'role-needs-read', message)];
}

/** Callers who may create only items of their own, where new items belong to nobody: a linking collection names the owner. */
function unownedCreations(collection: CollectionDefinition): readonly Issue[] {
  const { name, owner = [], permissions, at } = collection;
  const creation = ownCreationOf(collection);
  if (creation === undefined || creation.member !== undefined) return [];
  const others = createsForOthers(permissions);
  // Otherwise all known callers may, and the others create items of nobody.
  if (others.kind !== 'some') return [];
  const who = whoReadsNothing(permissions.create, others);
  if (who === undefined) return [];
  // Without a credential, a new item may belong to nobody.
  const words = permissions.create.kind === 'public' ? `signed-in ${who.words}` : who.words;
  const remedy = who.roles
    ? `Add ${who.roles} to ${creation.others} of ${quote(name)}, or take ${who.roles} out of create`
    : `Narrow create of ${quote(name)}`;
  const message = `${words} may create ${quote(name)}, but only their own, and a new one belongs to nobody until one of ${quote(owner[1]?.collection ?? '')} refers to it: every POST of theirs is 403. ${remedy}.`;
  return [warning(at, 'create-owns-nothing', message)];
}

/** Whether a field is the reference by which a linking collection says whose items are. */
const isLink = (
  linking: string,
  field: string,
  collections: readonly CollectionDefinition[],
): boolean =>
  collections.some(({ owner = [] }) =>
    owner.some(({ collection, link }) => collection === linking && link === field),
  );

/** A reference that says whose items are, and that callers without a role may set. */
function openLink(
  { name, type, readOnly, immutable, at }: Field,
  { name: linking, permissions: { create, update } }: CollectionDefinition,
  collections: readonly CollectionDefinition[],
): readonly Issue[] {
  if (!isLink(linking, name, collections) || type.type !== 'reference' || readOnly) return [];
  const { to } = type;
  const isOpen = [create, ...(immutable ? [] : [update])].some(
    (permission) => permission.kind !== 'some' || permission.owner,
  );
  const read = collections.find((one) => one.name === to)?.permissions.read;
  // A reference to an item that the caller may not read is refused.
  if (!isOpen || read?.kind === 'some') return [];
  const message = `callers without a role may set ${quote(name)} of ${quote(linking)}, and may read all of ${quote(to)}: they can make themselves the owners of items that have none. Narrow create and update of ${quote(linking)}, or read of ${quote(to)}.`;
  return [warning(at, 'link-takes-items', message)];
}

/** A reference from which an owner path goes on, and that callers without a role may change. */
function openOwner(
  { name, type, readOnly, immutable, at }: Field,
  { name: collection, permissions: { update } }: CollectionDefinition,
  collections: readonly CollectionDefinition[],
): readonly Issue[] {
  if (type.type !== 'reference' || readOnly || immutable || update.kind === 'some') return [];
  const owned = collections.filter(({ owner = [] }) =>
    owner.slice(1).some((step) => step.collection === collection && step.field === name),
  );
  if (owned.length === 0) return [];
  const items = quoteAll(owned.slice(0, MOST_NAMED).map((one) => one.name));
  const message = `callers without a role may change ${quote(name)} of ${quote(collection)}, by which ${items} have their owners: they can make themselves the owners of items of others. Narrow update of ${quote(collection)}.`;
  return [warning(at, 'link-takes-items', message)];
}

/** Items that their owners may delete, and that the item that makes them the owners keeps from it. */
function keptItems(
  { name, owner, permissions, existing, at }: CollectionDefinition,
  collections: readonly CollectionDefinition[],
): readonly Issue[] {
  const [, step] = beginsWithLink(owner) ? (owner ?? []) : [];
  const linking = collections.find((one) => one.name === step?.collection);
  const field = linking?.fields.find((one) => one.name === step?.link);
  if (linking === undefined || field?.type.type !== 'reference') return [];
  if (!allowsOwners(permissions.delete) || field.type.onDelete !== 'refuse') return [];
  const advice =
    existing?.softDelete === undefined
      ? `Write "on_delete: cascade" at ${quote(field.name)}, or take`
      : 'Take';
  const message = `delete of ${quote(name)} names owner, but each DELETE by an owner is 409: the item of ${quote(linking.name)} that gives an item its owner refers to it by ${quote(field.name)}. ${advice} owner out of delete of ${quote(name)}.`;
  return [warning(at, 'owner-cannot-delete', message)];
}

/** Roles and owners who may change items, and read none of those: a change answers the item. */
function unreadChanges({ name, permissions, at }: CollectionDefinition): readonly Issue[] {
  const { read, update } = permissions;
  // Everybody who may update is everybody who may read.
  if (update.kind !== 'some') return [];
  const roles = whoReadsNothing(update, read);
  const owners = allowsOwners(update) && read.kind === 'some' && !read.owner;
  const callers = [...(owners ? ['owners'] : []), ...(roles === undefined ? [] : [roles.words])];
  if (callers.length === 0) return [];
  const named = [
    ...(owners ? ['owner'] : []),
    ...(roles?.roles === undefined ? [] : [roles.roles]),
  ];
  const message = `${enumerate(callers, 'and')} may update ${quote(name)} and may not read what they may update: a change answers the whole item, so every PUT and PATCH of theirs is refused. Add ${enumerate(named, 'and')} to read, or take ${enumerate(named, 'and')} out of update.`;
  return [warning(at, 'update-needs-read', message)];
}

/** The most values that one message names. */
const MOST_NAMED = 10;

/** Callers whom one permission lets act, and another one on no item; undefined where there are none. */
function whoReadsNothing(
  create: Permission,
  read: Permission,
): { readonly words: string; readonly roles?: string } | undefined {
  if (read.kind === 'public') return undefined;
  if (read.kind === 'authenticated' || read.owner) {
    return create.kind === 'public' ? { words: 'callers without credentials' } : undefined;
  }
  const readers = read.roles.filter((role) => role !== 'admin');
  if (create.kind !== 'some') {
    const words =
      readers.length === 0
        ? 'callers who are not administrators'
        : `callers without the role ${quoteAll(readers, 'or')}`;
    return { words };
  }
  const roles = create.roles.filter((role) => role !== 'admin' && !readers.includes(role));
  if (roles.length === 0) return undefined;
  const words = `${roles.length === 1 ? 'role' : 'roles'} ${quoteAll(roles)}`;
  return { words, roles: quoteAll(roles) };
}
