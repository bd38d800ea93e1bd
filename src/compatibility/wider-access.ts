/** Wider access: what a change of definitions lets somebody read or write that they could not. A person has to agree to it. */
import { ACTIONS } from '../definition/permissions.ts';
import type { PermissionAction } from '../definition/permissions.ts';
import { renamedStep } from '../definition/owner-step.ts';
import type {
  CollectionDefinition,
  ExistingTable,
  Field,
  ServiceDefinition,
} from '../definition/types.ts';
import { accessOf, isWider } from '../model/access.ts';
import type { Access, Reach } from '../model/access.ts';
import { isSameOwner } from '../model/owner-paths.ts';
import { allowsOwners } from '../model/permissions.ts';
import type { Model } from '../model/types.ts';
import type { Position } from '../reading/position.ts';
import { enumerate } from '../reading/quote.ts';
import { ownersInWords, VERBS_OF_ACTIONS } from './compare-owners.ts';
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

interface WiderAccessOptions {
  readonly placeOf: PlaceOf;
  /** Whether an existing table is known to have no such column: then a field of it has no values. */
  readonly lacksColumn: (table: ExistingTable, column: string) => boolean;
}

/** A collection before and after, under its names of now. */
interface Pair {
  readonly before: CollectionDefinition;
  readonly now: CollectionDefinition;
}

/**
 * Compares the definitions of the last run with the current ones. Collections and fields are matched as in migrations.
 * What is new has no values and gives no wider access, unless it is of an existing table. Nobody has a new role.
 */
export function widerAccess(
  before: Model,
  now: Model,
  { placeOf, lacksColumn }: WiderAccessOptions,
): readonly WiderAccess[] {
  if (before.service === now.service) return [];
  const origins = originsOf(before.service.collections, now.service.collections);
  const pairs = now.service.collections.flatMap((collection): Pair[] => {
    const origin = origins.get(collection.name);
    return origin === undefined ? [] : [{ before: origin, now: collection }];
  });
  const { roles } = before.service;
  const [accessBefore, accessNow] = [accessOf(before), accessOf(now)];
  const rowsOf = (access: readonly Access[], name: string): readonly Access[] =>
    access.filter(({ collection }) => collection === name);
  return [
    ...readersOfUsers(before.service, now.service, placeOf),
    ...now.service.collections.flatMap((collection) => {
      const origin = origins.get(collection.name);
      const rows = rowsOf(accessNow, collection.name);
      if (origin !== undefined && isSameTable(origin, collection)) {
        const earlier = rowsOf(accessBefore, origin.name);
        return widerCells(collection, earlier, rows, placeOf);
      }
      // The table has rows already.
      return collection.existing === undefined
        ? []
        : widerCells(collection, withoutRights(rows, roles), rows, placeOf);
    }),
    ...pairs.flatMap((pair) => [
      ...otherOwners(pair, pairs, placeOf),
      ...widerMembers(pair, roles, lacksColumn),
    ]),
  ];
}

/** The first rows of the table: a role may have the name of one of them. */
const CALLERS = ['callers without a credential', 'all users'];

const callerInWords = (caller: string, row?: number): string =>
  CALLERS[row ?? CALLERS.length] ?? `users with the role ${caller}`;

/** The key of a row, which no other row of the collection has. */
const rowKey = ({ caller }: Access, row: number): string =>
  row < CALLERS.length ? `${row}` : `role ${caller}`;

/** Whether items are in the table that they were in: in one of the service, they always are. */
const isSameTable = (
  { existing: before }: CollectionDefinition,
  { existing: now }: CollectionDefinition,
): boolean => now === undefined || (now.schema === before?.schema && now.table === before.table);

const REACHES: Readonly<Record<Reach, string>> = { all: 'all', own: 'their own', none: 'none' };
/** Of a creation. */
const CREATED: Readonly<Record<Reach, string>> = { all: 'any', own: 'their own', none: 'none' };

/** The rows of those who might have called before, as if they could do nothing. */
const withoutRights = (rows: readonly Access[], roles: readonly string[]): readonly Access[] =>
  rows
    .filter(({ caller }, row) => row < CALLERS.length || roles.includes(caller))
    .map((row) => ({
      ...row,
      actions: { read: 'none', create: 'none', update: 'none', delete: 'none' },
    }));

function widerCells(
  { name, at }: CollectionDefinition,
  before: readonly Access[],
  now: readonly Access[],
  placeOf: PlaceOf,
): WiderAccess[] {
  const earlier = new Map(before.map((access, row) => [rowKey(access, row), access.actions]));
  const users = now[1];
  return ACTIONS.flatMap((action) => {
    const inWords = action === 'create' ? CREATED : REACHES;
    /** What a row above says already: users with a role are users. */
    const told = new Set<string>();
    return now.flatMap((access, row): WiderAccess[] => {
      const { caller, actions } = access;
      const [was, is] = [earlier.get(rowKey(access, row))?.[action], actions[action]];
      if (was === undefined || !isWider(is, was) || told.has(`${was} ${is}`)) return [];
      if (row < CALLERS.length && users?.actions[action] === is) told.add(`${was} ${is}`);
      const verb = VERBS_OF_ACTIONS[action];
      const message = `${callerInWords(caller, row)} may ${verb} ${inWords[is]} items of ${name}, and could ${verb} ${inWords[was]}`;
      const cell = { collection: name, caller, action, before: was, now: is };
      return [{ at: placeOf('permissions', at), message, cell }];
    });
  });
}

/** What is gone has no name: another thing may have taken it. */
const GONE = '';

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
      [...names].find(([, origin]) => origin.name === field)?.[0] ?? GONE;
    return renamedStep(step, pair?.now.name ?? GONE, nameOf) ?? step;
  });
  const actions = ACTIONS.filter((action) =>
    [before, now].every(({ permissions }) => allowsOwners(permissions[action])),
  );
  if (isSameOwner(was, now.owner) || actions.length === 0) return [];
  const verbs = enumerate(
    actions.map((action) => VERBS_OF_ACTIONS[action]),
    'and',
  );
  const message = `${ownersInWords({ owner: now.owner })} may ${verbs} items of ${now.name}, and ${ownersInWords({ owner: was })} could`;
  return [{ at: placeOf('owner', now.at), message }];
}

/** Values that can be read or written now, and changes of states that more users may make. */
function widerMembers(
  { before, now }: Pair,
  roles: readonly string[],
  lacksColumn: WiderAccessOptions['lacksColumn'],
): WiderAccess[] {
  const origins = originsOf(before.fields, now.fields);
  const mark = before.existing?.softDelete;
  const isMarkGone = mark !== undefined && mark.column !== now.existing?.softDelete?.column;
  const removed = `those who may read ${now.name} may read its removed items, and nobody could`;
  const ofMembers = now.fields.flatMap((field): WiderAccess[] => {
    const was = origins.get(field.name);
    const name = `${now.name}.${field.name}`;
    const read = `those who may read ${now.name} may read the values of ${name}, and nobody could`;
    const isNewColumn = was === undefined || columnOf(was) !== columnOf(field);
    if (now.existing !== undefined && isNewColumn && !field.writeOnly) {
      return lacksColumn(now.existing, columnOf(field)) ? [] : [{ at: field.at, message: read }];
    }
    if (was === undefined) return [];
    const messages = [
      ...(was.writeOnly && !field.writeOnly ? [read] : []),
      ...(was.readOnly && !field.readOnly
        ? [`those who may create or change ${now.name} may set ${name}, and only the service could`]
        : []),
      ...(was.immutable && !field.immutable && !was.readOnly
        ? [`those who may change ${now.name} may change ${name}, and nobody could`]
        : []),
      ...widerSteps(was, field, now, roles),
      ...newSteps(was, field, now.name, roles),
    ];
    return messages.map((message) => ({ at: field.at, message }));
  });
  return [...(isMarkGone ? [{ at: now.at, message: removed }] : []), ...ofMembers];
}

const columnOf = ({ name, column = name }: Field): string => column;

/**
 * Steps that certain roles could take, and more users may.
 * @param roles those that users may have had before.
 */
function widerSteps(
  before: Field,
  now: Field,
  { name: collection, permissions: { update } }: CollectionDefinition,
  roles: readonly string[],
): string[] {
  /** Those who may change items, if these are roles alone. */
  const updaters = update.kind === 'some' && !update.owner ? update.roles : undefined;
  const states = before.transitions?.states ?? [];
  return states.flatMap(({ value, steps }) =>
    steps.flatMap(({ to, by }): string[] => {
      const state = now.transitions?.states.find((one) => one.value === value);
      const step = state?.steps.find((one) => one.to === to);
      // Without transitions, whoever may change an item may make each change.
      if (by === undefined || (now.transitions !== undefined && step === undefined)) return [];
      const may = step?.by ?? updaters;
      const added = may?.filter((role) => roles.includes(role) && !by.includes(role));
      if (added?.length === 0) return [];
      const change = `from ${inlineYaml(value)} to ${inlineYaml(to)}`;
      return [
        `${whoMay(added, collection)} may take ${collection}.${now.name} ${change}, and only ${enumerate(by, 'or')} could`,
      ];
    }),
  );
}

/**
 * New steps from values that certain roles could leave, and new items that begin with a value that certain roles could
 * set: both pass by who had to agree.
 */
function newSteps(
  { transitions: was }: Field,
  { name, transitions: is }: Field,
  collection: string,
  roles: readonly string[],
): string[] {
  if (was === undefined || is === undefined) return [];
  const steps = was.states.flatMap((state) =>
    state.steps.map((step) => ({ from: state.value, ...step })),
  );
  const skipped = is.states.flatMap(({ value, steps: now }) => {
    const limited = steps.filter(({ from, by }) => from === value && by !== undefined);
    const agreeing = new Set(limited.flatMap(({ by = [] }) => by));
    return now
      .filter(
        ({ to }) => limited.length > 0 && !steps.some((one) => one.from === value && one.to === to),
      )
      .flatMap(({ to, by }): string[] => {
        const added = by?.filter((role) => roles.includes(role) && !agreeing.has(role));
        if (added?.length === 0) return [];
        const change = `from ${inlineYaml(value)} to ${inlineYaml(to)}`;
        return [
          `${whoMay(added, collection)} may take ${collection}.${name} ${change}, and nobody could`,
        ];
      });
  });
  const begun = is.initial
    .filter((value) => !was.initial.includes(value))
    .flatMap((value): string[] => {
      const leading = steps.filter(({ to }) => to === value);
      const isLimited = leading.length > 0 && leading.every(({ by }) => by !== undefined);
      const agreeing = [...new Set(leading.flatMap(({ by = [] }) => by))];
      return isLimited
        ? [
            `those who may create ${collection} may create them with ${collection}.${name} ${inlineYaml(value)}, and only ${enumerate(agreeing, 'or')} could set it`,
          ]
        : [];
    });
  return [...skipped, ...begun];
}

/** @param roles undefined for all who may change items. */
const whoMay = (roles: readonly string[] | undefined, collection: string): string =>
  roles === undefined
    ? `those who may change ${collection}`
    : `users with the role ${enumerate(roles, 'or')}`;

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
