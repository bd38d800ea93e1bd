/** What somebody may do after a change of definitions that they could not do before: a person has to agree to it. */
import { ACTIONS } from '../definition/permissions.ts';
import type { PermissionAction } from '../definition/permissions.ts';
import { renamedStep } from '../definition/owner-step.ts';
import type { CollectionDefinition, Field, ServiceDefinition } from '../definition/types.ts';
import { accessOf, isWider } from '../model/access.ts';
import type { Access, Reach } from '../model/access.ts';
import { isSameOwner, ownerPathText } from '../model/owner-paths.ts';
import { allowsOwners } from '../model/permissions.ts';
import type { Model } from '../model/types.ts';
import type { Position } from '../reading/position.ts';
import { enumerate } from '../reading/quote.ts';
import { VERBS_OF_ACTIONS } from './compare-owners.ts';
import { inlineYaml } from './definition-yaml.ts';
import { originsOf } from './trace.ts';
import type { PlaceOf } from './types.ts';

/** A right that a change gives. */
export interface WiderAccess {
  readonly at: Position;
  /** Who may do what, and what they could do before. */
  readonly message: string;
  /** Of a permission: the cell of the table that `explain` prints. */
  readonly cell?: {
    readonly collection: string;
    readonly caller: string;
    readonly action: PermissionAction;
    readonly before: Reach;
    readonly now: Reach;
  };
}

/** A collection before and after, under its names of now. */
interface Pair {
  readonly before: CollectionDefinition;
  readonly now: CollectionDefinition;
}

/**
 * Compares the definitions of the last run with the current ones. Collections and fields are matched as in migrations.
 * What is new gives no wider access: a new collection has no items, and nobody has a new role.
 */
export function widerAccess(before: Model, now: Model, placeOf: PlaceOf): readonly WiderAccess[] {
  if (before.service === now.service) return [];
  const origins = originsOf(before.service.collections, now.service.collections);
  const pairs = now.service.collections.flatMap((collection): Pair[] => {
    const origin = origins.get(collection.name);
    return origin === undefined ? [] : [{ before: origin, now: collection }];
  });
  return [
    ...readersOfUsers(before.service, now.service, placeOf),
    ...pairs.flatMap((pair) => [
      ...widerCells(pair, accessOf(before), accessOf(now), placeOf),
      ...otherOwners(pair, pairs, placeOf),
      ...widerMembers(pair, before.service.roles),
    ]),
  ];
}

const CALLERS = new Map([
  ['stranger', 'callers without a credential'],
  ['user', 'all users'],
]);

const callerInWords = (caller: string): string =>
  CALLERS.get(caller) ?? `users with the role ${caller}`;

const REACHES: Readonly<Record<Reach, string>> = { all: 'all', own: 'their own', none: 'none' };

function widerCells(
  { before, now }: Pair,
  accessBefore: readonly Access[],
  accessNow: readonly Access[],
  placeOf: PlaceOf,
): WiderAccess[] {
  const earlier = new Map(
    accessBefore
      .filter(({ collection }) => collection === before.name)
      .map(({ caller, actions }) => [caller, actions]),
  );
  const rows = accessNow.filter(({ collection }) => collection === now.name);
  return ACTIONS.flatMap((action) => {
    /** What a row above says already: users with a role are users, and what needs no credential is for all. */
    const told = new Set<string>();
    return rows.flatMap(({ caller, actions }): WiderAccess[] => {
      const [was, is] = [earlier.get(caller)?.[action], actions[action]];
      if (was === undefined || !isWider(is, was) || told.has(`${was} ${is}`)) return [];
      if (CALLERS.has(caller)) told.add(`${was} ${is}`);
      const verb = VERBS_OF_ACTIONS[action];
      const message = `${callerInWords(caller)} may ${verb} ${REACHES[is]} items of ${now.name}, and could ${verb} ${REACHES[was]}`;
      const cell = { collection: now.name, caller, action, before: was, now: is };
      return [{ at: placeOf('permissions', now.at), message, cell }];
    });
  });
}

/** Items that belong to other users than before, who may act on them. */
function otherOwners(
  { before, now }: Pair,
  pairs: readonly Pair[],
  placeOf: PlaceOf,
): WiderAccess[] {
  const was = before.owner?.map((step) => {
    const pair = pairs.find((one) => one.before.name === step.collection);
    const names = originsOf(pair?.before.fields ?? [], pair?.now.fields ?? []);
    const nameOf = (field: string): string =>
      [...names].find(([, origin]) => origin.name === field)?.[0] ?? field;
    return renamedStep(step, pair?.now.name ?? step.collection, nameOf) ?? step;
  });
  const actions = ACTIONS.filter((action) =>
    [before, now].every(({ permissions }) => allowsOwners(permissions[action])),
  );
  if (isSameOwner(was, now.owner) || actions.length === 0) return [];
  const verbs = enumerate(
    actions.map((action) => VERBS_OF_ACTIONS[action]),
    'and',
  );
  const message = `${ownersInWords(now.owner)} may ${verbs} items of ${now.name}, and ${ownersInWords(was)} could`;
  return [{ at: placeOf('owner', now.at), message }];
}

const ownersInWords = (owner: CollectionDefinition['owner']): string =>
  owner === undefined ? 'the users who created them' : `the users at ${ownerPathText({ owner })}`;

/** Values that can be read or written now, and steps that more users may take. */
function widerMembers({ before, now }: Pair, roles: readonly string[]): WiderAccess[] {
  const origins = originsOf(before.fields, now.fields);
  return now.fields.flatMap((field): WiderAccess[] => {
    const was = origins.get(field.name);
    if (was === undefined) return [];
    const name = `${now.name}.${field.name}`;
    const messages = [
      ...(was.writeOnly && !field.writeOnly
        ? [`those who may read ${now.name} may read the values of ${name}, and nobody could`]
        : []),
      ...(was.readOnly && !field.readOnly
        ? [`those who may create or change ${now.name} may set ${name}, and only the service could`]
        : []),
      ...widerSteps(was, field, now.name, roles),
    ];
    return messages.map((message) => ({ at: field.at, message }));
  });
}

/**
 * Steps that certain roles could take, and more users may.
 * @param roles those that users may have had before.
 */
function widerSteps(
  before: Field,
  now: Field,
  collection: string,
  roles: readonly string[],
): string[] {
  const states = before.transitions?.states ?? [];
  return states.flatMap(({ value, steps }) =>
    steps.flatMap(({ to, by }): string[] => {
      const state = now.transitions?.states.find((one) => one.value === value);
      const step = state?.steps.find((one) => one.to === to);
      // Without transitions, whoever may change an item may make each change.
      if (by === undefined || (now.transitions !== undefined && step === undefined)) return [];
      const added = step?.by?.filter((role) => roles.includes(role) && !by.includes(role));
      if (added?.length === 0) return [];
      const who =
        added === undefined
          ? `those who may change ${collection}`
          : `users with the role ${enumerate(added, 'or')}`;
      const change = `from ${inlineYaml(value)} to ${inlineYaml(to)}`;
      return [
        `${who} may take ${collection}.${now.name} ${change}, and only ${enumerate(by, 'or')} could`,
      ];
    }),
  );
}

/** Roles that may read the id and the name of all users. */
const readersOfUsers = (
  { usersRead: was = [], roles }: ServiceDefinition,
  { usersRead: is = [] }: ServiceDefinition,
  placeOf: PlaceOf,
): WiderAccess[] =>
  is
    .filter((role) => roles.includes(role) && !was.includes(role))
    .map((role) => ({
      at: placeOf('users'),
      message: `${callerInWords(role)} may read the names of all users, and could read their own`,
    }));
