/** Compares a collection as clients of a version see it: paths, lists, permissions and behaviour. */
import { ACTIONS } from '../definition/permissions.ts';
import type { PermissionAction } from '../definition/permissions.ts';
import { includedName } from '../definition/include.ts';
import { renamedStep } from '../definition/owner-step.ts';
import type { CollectionDefinition, Field, OwnerStep, Permission } from '../definition/types.ts';
import { canHoldIds } from '../types/key.ts';
import type { ReferenceType } from '../types/reference.ts';
import { renameMembers } from '../expressions/expression.ts';
import type { Expression } from '../expressions/expression.ts';
import { isNullableTime } from '../model/columns.ts';
import { toKebab } from '../model/names.ts';
import { isSameOwner, ownerPathText } from '../model/owner-paths.ts';
import type { BreakCode } from './break-catalogue.ts';
import { checkBreak, isContractCheck, narrowerChecks } from './compare-checks.ts';
import { ownerChanged, VERBS_OF_ACTIONS } from './compare-owners.ts';
import { compareEvents } from './compare-events.ts';
import { compareMembers } from './compare-members.ts';
import { narrowerUnique, uniqueBreak } from './compare-unique.ts';
import { nameBefore } from './trace.ts';
import { plainAdvice } from './types.ts';
import type { Break, Advice, ComparisonContext, ListedMember } from './types.ts';
import { undoAdvice } from './compare-types.ts';
import {
  inlineYaml,
  isContractUnique,
  inlinePair,
  permissionKey,
  versionMap,
} from './definition-yaml.ts';

/** The context in which two states of a collection are compared. */
interface CollectionContext extends ComparisonContext {
  /** The new name of the target of a reference. A rename is reported for the target alone. */
  readonly targetNow: (name: string) => string;
  /** A step of an owner path under its new names. */
  readonly stepNow: (step: OwnerStep) => OwnerStep;
}

/** Compares two states of one collection. */
export function compareCollection(
  before: CollectionDefinition,
  after: CollectionDefinition,
  context: CollectionContext,
): Break[] {
  const describe: Tell = (code, key, what, who, advice) => ({
    code,
    at: context.placeOf(key, after.at),
    what: `collection ${before.name} ${what}`,
    who,
    advice,
  });
  return [
    ...compareKeys(before, after, describe),
    ...compareTimes(before, after, describe),
    ...compareMembers(before.fields, after.fields, {
      of: `of ${before.name}`,
      at: context.placeOf('fields', after.at),
      sorted: before.sort,
      filtered: before.filter,
    }),
    ...before.fields.flatMap((field) => compareReference(field, before, after, context)),
    ...compareLists(before, after, context, describe),
    ...ACTIONS.flatMap((action) => comparePermission(action, before, after, describe)),
    ...compareOwners(before, after, context),
    ...compareBehaviour(before, after, describe),
    ...compareEvents(before, after, context.placeOf),
    ...compareUnique(before, after, context),
    ...compareChecks(before, after, context),
  ];
}

/** Reports a type of ids that cannot hold those of before: what clients have stored leads nowhere. */
const compareKeys = (
  before: CollectionDefinition,
  after: CollectionDefinition,
  describe: Tell,
): Break[] => {
  const nowCalled = namesNow(before, after);
  const parts = before.keyFields?.map((name) => nowCalled(name)).join();
  if (canHoldIds(before.key, after.key) && parts === after.keyFields?.join()) return [];
  const [was, is] = [before, after].map(({ key, keyFields }) =>
    keyFields === undefined ? key : `{ fields: [${keyFields.join(', ')}] }`,
  );
  return [
    describe(
      'key-changed',
      'key',
      `has the key ${is}, and had ${was}`,
      'clients that have stored ids, or links with them, get 404',
      plainAdvice(undoAdvice('key', was)),
    ),
  ];
};

/** Reports times that items no longer have, or that may be null now, because an existing table is used otherwise. */
const compareTimes = (
  before: CollectionDefinition,
  after: CollectionDefinition,
  describe: Tell,
): Break[] =>
  before.times.flatMap((time) => {
    if (!after.times.includes(time)) {
      const what = `has no member "${time}"`;
      const advice = plainAdvice(`Write the column of ${time} into history again.`);
      return [
        describe('member-gone', 'history', what, 'clients that read it find nothing', advice),
      ];
    }
    if (isNullableTime(before, time) || !isNullableTime(after, time)) return [];
    const what = `has a member "${time}" that may be null, and was never null`;
    const advice = plainAdvice(`Remove nullable of ${time} from history.`);
    return [
      describe('member-nullable', 'history', what, 'clients that read a time find null', advice),
    ];
  });

type Tell = (code: BreakCode, key: string, what: string, who: string, advice: Advice) => Break;

/** The field under the name that it has now. */
const fieldNow = (
  { name }: Field,
  before: CollectionDefinition,
  { fields }: CollectionDefinition,
): Field | undefined => fields.find((field) => nameBefore(field, before.fields) === name);

/** The current name of each member of before. */
const namesNow =
  (before: CollectionDefinition, after: CollectionDefinition) =>
  (name: string): string => {
    const field = before.fields.find((one) => one.name === name);
    return (field && fieldNow(field, before, after))?.name ?? name;
  };

/** Where a reference leads, where it is nested, and what a removal does. */
function compareReference(
  field: Field,
  before: CollectionDefinition,
  after: CollectionDefinition,
  { targetNow, currentNames }: CollectionContext,
): Break[] {
  const was = field.type;
  if (was.type !== 'reference') return [];
  const now = fieldNow(field, before, after);
  const is = now?.type.type === 'reference' ? now.type : undefined;
  const name = `member "${field.name}" of ${before.name}`;
  const at = now?.at ?? after.at;
  const nested = pathOf(was);
  const isGone = nested !== undefined && (is === undefined || is.nestedAs !== was.nestedAs);
  return [
    ...(isGone
      ? [
          {
            code: 'nested-path-gone' as const,
            at,
            what: `path ${nested} ${is?.nestedAs === undefined ? 'was removed' : `is now called ${pathOf(is)}`}`,
            who: 'clients that ask for it or create there get 404',
            advice: keepPathAdvice(
              currentNames?.member(after.name, now?.name ?? field.name) ?? field.name,
              was,
              is,
            ),
          },
        ]
      : []),
    ...(is !== undefined && is.to !== targetNow(was.to)
      ? [
          {
            code: 'reference-changed' as const,
            at,
            what: `${name} refers to ${is.to}, and referred to ${was.to}`,
            who: 'clients that send the id of one of the old ones get 422, and clients that follow it get 404',
            advice: plainAdvice(
              undoAdvice(
                'to',
                currentNames?.collection(targetNow(was.to))?.name ?? targetNow(was.to),
              ),
            ),
          },
        ]
      : []),
    ...(is !== undefined && is.onDelete !== was.onDelete
      ? [
          {
            code: 'reference-changed' as const,
            at,
            what: `${name} has on_delete ${is.onDelete}, and had ${was.onDelete}`,
            who: REMOVED[is.onDelete](was.to, before.name),
            advice: plainAdvice(undoAdvice('on_delete', was.onDelete)),
          },
        ]
      : []),
  ];
}

/** The advice to keep a path for older versions. */
const keepPathAdvice =
  (name: string, was: ReferenceType, is: ReferenceType | undefined): Advice =>
  ({ last, write }) => {
    const keys =
      is?.nestedAs === undefined
        ? { as: was.nestedAs, until: last }
        : { as: is.nestedAs, name_in: versionMap(last, was.nestedAs) };
    return write(`"nested: ${inlineYaml(keys)}" on ${name}`);
  };

const pathOf = ({ to, nestedAs }: ReferenceType): string | undefined =>
  nestedAs === undefined ? undefined : `/${toKebab(to)}/{id}/${toKebab(nestedAs)}`;

const REMOVED = {
  refuse: (to: string, from: string) => `clients that remove ${to} with ${from} get 409`,
  cascade: (to: string, from: string) => `clients that remove ${to} remove their ${from} too`,
  clear: (to: string, from: string) =>
    `clients that remove ${to} leave ${from} without a reference`,
} as const;

/** Filters, sort keys, search, included references and pages. */
function compareLists(
  before: CollectionDefinition,
  after: CollectionDefinition,
  { isListed, currentNames }: CollectionContext,
  describe: Tell,
): Break[] {
  // Removed and renamed members are reported as such.
  const isThere = (name: string): boolean =>
    before.fields.every((field) => field.name !== name) ||
    after.fields.some((field) => field.name === name);
  const nowCalled = namesNow(before, after);
  const missing = (key: ListedMember['list']): readonly string[] =>
    before[key].filter((name) => !after[key].includes(name) && isThere(name));
  const add = (name: string, key: ListedMember['list']): Advice =>
    plainAdvice(
      isListed({ collection: after.name, list: key, member: name })
        ? 'Keep its type, or write a "type_in" that needs no functions of yours: the database cannot compare what they convert.'
        : `Write "${inlinePair(key, [
            ...(currentNames?.collection(after.name)?.[key] ?? after[key]),
            currentNames?.member(after.name, nowCalled(name)) ?? nowCalled(name),
          ])}".`,
    );
  const { default: usual, maximum } = before.pages;
  return [
    ...missing('filter').map((name) =>
      describe(
        'filter-gone',
        'filter',
        `no longer has the filter ${name}`,
        'clients that filter by it get 400',
        add(name, 'filter'),
      ),
    ),
    ...missing('sort').map((name) =>
      describe(
        'sort-gone',
        'sort',
        `no longer has the sort key ${name}`,
        'clients that sort by it get 400',
        add(name, 'sort'),
      ),
    ),
    ...missing('search').map((name) =>
      describe(
        'search-narrower',
        'search',
        `is no longer searched in ${name}`,
        after.search.length === 0
          ? 'clients that ask with q get 400'
          : 'clients that ask with q do not find what it holds',
        add(name, 'search'),
      ),
    ),
    ...missing('include').map((name) =>
      describe(
        'include-gone',
        'include',
        `no longer includes ${name}`,
        `clients that ask with include=${includedName(name)} get 400`,
        add(name, 'include'),
      ),
    ),
    ...(after.pages.default < usual
      ? [
          describe(
            'pages-smaller',
            'pages',
            `has ${after.pages.default} items on a page, and had ${usual}`,
            'clients that read the first page alone miss some',
            plainAdvice(`Write "${inlinePair('pages', { ...after.pages, default: usual })}".`),
          ),
        ]
      : []),
    ...(after.pages.maximum < maximum
      ? [
          describe(
            'pages-smaller',
            'pages',
            `has ${after.pages.maximum} items on a page at most, and had ${maximum}`,
            'clients that ask for a greater limit get 400',
            plainAdvice(`Write "${inlinePair('pages', { ...after.pages, maximum })}".`),
          ),
        ]
      : []),
  ];
}

function comparePermission(
  action: PermissionAction,
  before: CollectionDefinition,
  after: CollectionDefinition,
  describe: Tell,
): Break[] {
  const was = before.permissions[action];
  const is = after.permissions[action];
  const what = `has the permission "${inlinePair(action, permissionKey(is))}", and had ${inlineYaml(permissionKey(was))}`;
  const advice = plainAdvice(undoAdvice(action, permissionKey(was)));
  const lost = lostAccess(was, is);
  if (lost !== undefined) {
    const who = `clients that ${VERBS_OF_ACTIONS[action]} items ${lost}`;
    return [describe('permission-narrower', 'permissions', what, who, advice)];
  }
  // What one sees beside one's own items may be taken for one's own.
  const isWider = action === 'read' && was.kind === 'some' && was.owner && is.kind !== 'some';
  const who = 'clients that list their own items now find those of others among them';
  return isWider ? [describe('list-wider', 'permissions', what, who, advice)] : [];
}

/** Who could do something and cannot any more, and what they get. */
function lostAccess(before: Permission, after: Permission): string | undefined {
  if (before.kind === 'public') {
    return after.kind === 'public' ? undefined : 'without a credential get 401';
  }
  if (after.kind !== 'some') return undefined;
  if (before.kind === 'authenticated') {
    const enough = permissionKey(after);
    return `as anybody but ${typeof enough === 'string' ? enough : enough.join(' or ')} get 403`;
  }
  const roles = before.roles.filter((role) => role !== 'admin' && !after.roles.includes(role));
  const lost = [...roles, ...(before.owner && !after.owner ? ['owner'] : [])];
  return lost.length === 0 ? undefined : `as ${lost.join(' or ')} get 403`;
}

/** Whose items are. */
function compareOwners(
  before: CollectionDefinition,
  after: CollectionDefinition,
  { placeOf, stepNow, currentNames }: CollectionContext,
): Break[] {
  const was = before.owner?.map(stepNow);
  // A contract does not show a path that its version does not have all of: see implicit-breaks.ts.
  if (after.owner?.length === 0) return [];
  const current = was?.map((step) => {
    const { collection } = step;
    const nameOf = (field: string): string => currentNames?.member(collection, field) ?? field;
    return (
      renamedStep(step, currentNames?.collection(collection)?.name ?? collection, nameOf) ?? step
    );
  });
  const name = { before: before.name, written: ownerPathText({ owner: current ?? [] }) };
  return isSameOwner(was, after.owner)
    ? []
    : ownerChanged({ ...before, owner: was }, after, name, placeOf('owner', after.at));
}

/** Background creation and preconditions. */
function compareBehaviour(
  before: CollectionDefinition,
  after: CollectionDefinition,
  describe: Tell,
): Break[] {
  return [
    ...(before.create === after.create
      ? []
      : [
          describe(
            'create-changed',
            'create',
            `has "create: ${after.create}"`,
            after.create === 'background'
              ? 'clients that create items get 202 and a job, and no item'
              : 'clients that create items get 201 and the item, and no job',
            plainAdvice(`Write "create: ${before.create}" again.`),
          ),
        ]),
    ...(after.requireIfMatch && !before.requireIfMatch
      ? [
          describe(
            'if-match-demanded',
            'require_if_match',
            'has require_if_match',
            'clients that change or remove items without If-Match get 428',
            plainAdvice('Leave "require_if_match" out.'),
          ),
        ]
      : []),
  ];
}

/** Unique fields that the contract can state; others are compared as they are stored. */
function compareUnique(
  before: CollectionDefinition,
  after: CollectionDefinition,
  { placeOf, currentNames }: CollectionContext,
): readonly Break[] {
  const nowCalled = namesNow(before, after);
  const current = (name: string): string => currentNames?.member(after.name, name) ?? name;
  const rules = after.unique.filter((rule) => isContractUnique(rule, after));
  const ruleNow = (rule: Expression): Expression => renameMembers(rule, nowCalled);
  return narrowerUnique(before, rules, nowCalled, ruleNow).map((rule) =>
    uniqueBreak(rule, before.name, current, placeOf('unique', after.at)),
  );
}

/** Checks that the contract can state; those of members that a version does not have are compared as they are stored. */
function compareChecks(
  before: CollectionDefinition,
  after: CollectionDefinition,
  { placeOf }: CollectionContext,
): readonly Break[] {
  const nowCalled = namesNow(before, after);
  const checks = after.checks.filter((check) => isContractCheck(check, after));
  const ruleNow = (rule: Expression): Expression => renameMembers(rule, nowCalled);
  return narrowerChecks(before.checks, checks, ruleNow).map((check) =>
    checkBreak(check, before.checks, before.name, placeOf('checks', after.at)),
  );
}
