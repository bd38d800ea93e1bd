/** Compares the members of items, and of objects in them: names, types and options. */
import type { Field } from '../definition/types.ts';
import type { Property } from '../types/object.ts';
import type { FieldType } from '../types/registry.ts';
import type { Position } from '../reading/position.ts';
import type { BreakCode } from './break-catalogue.ts';
import { nameBefore } from './trace.ts';
import { plainAdvice } from './types.ts';
import type { Break, Advice } from './types.ts';
import { compareTypes, olderFormAdvice, undoAdvice } from './compare-types.ts';
import type { ValueUse } from './compare-types.ts';
import { compareTransitions } from './compare-transitions.ts';
import { inlineYaml, isUniquable, inlinePair, versionMap } from './definition-yaml.ts';

/** The item or object that has the members, and how clients use them. */
interface MembersContext {
  /** `of books`, `of "address" of books`. */
  readonly of: string;
  /** The position for members that were removed. */
  readonly at: Position;
  readonly sorted: readonly string[];
  readonly filtered: readonly string[];
  /** For members of an object: how clients use the field that holds it. */
  readonly within?: ValueUse;
}

type Member = Field | Property;

/** Compares the fields of a collection, by the names that clients know. */
export function compareMembers(
  before: readonly Member[],
  after: readonly Member[],
  place: MembersContext,
): Break[] {
  const breaks: Break[] = [];
  for (const member of before) {
    const now = after.find((one) => nameBefore(one, before) === member.name);
    const use = useOf(member, place);
    if (now === undefined) breaks.push(memberGone(member, use, place));
    else {
      if (now.name !== member.name) breaks.push(memberRenamed(member, now, use, place));
      breaks.push(...compareMember(member, now, use, place));
    }
  }
  const added = after.filter((one) => before.every(({ name }) => nameBefore(one, before) !== name));
  return [...breaks, ...added.flatMap((member) => compareNew(member, place))];
}

/** The options of a field; a member of an object has none. */
const optionsOf = (
  member: Member,
): Pick<
  Field,
  'unique' | 'readOnly' | 'setBy' | 'isGenerated' | 'hasDatabaseDefault' | 'writeOnly' | 'immutable'
> =>
  'readOnly' in member
    ? member
    : { unique: false, readOnly: false, writeOnly: false, immutable: false };

function useOf(member: Member, { within, sorted, filtered }: MembersContext): ValueUse {
  if (within !== undefined) return { ...within, sorted: false, filtered: false };
  const { readOnly, writeOnly } = optionsOf(member);
  return {
    sent: !readOnly,
    read: !writeOnly,
    sorted: sorted.includes(member.name),
    filtered: filtered.includes(member.name),
    field: member.type,
  };
}

const nameOf = ({ name }: Member, { of }: MembersContext): string => `member "${name}" ${of}`;

/** Which clients break if a name is removed. */
const affectedClients = ({ sent, read }: ValueUse): string =>
  [
    ...(read ? ['clients that read it find nothing'] : []),
    ...(sent ? ['clients that send it get 422'] : []),
  ].join(', and ');

function memberGone(member: Member, use: ValueUse, place: MembersContext): Break {
  const needsDefault = isNeeded(member);
  const advice: Advice =
    place.within === undefined
      ? ({ last, write }) =>
          write(`it again, with "until: ${last}"${needsDefault ? ' and a "default"' : ''}`)
      : olderFormAdvice(use.field);
  return {
    code: 'member-gone',
    at: place.at,
    what: `${nameOf(member, place)} was removed`,
    who: affectedClients(use),
    advice,
  };
}

function memberRenamed(before: Member, after: Member, use: ValueUse, place: MembersContext): Break {
  // A field can keep its name in older versions; a property needs an older type of the whole field.
  const advice: Advice =
    place.within === undefined
      ? ({ last, write }) =>
          write(`"${inlinePair('name_in', versionMap(last, before.name))}" on it`)
      : olderFormAdvice(use.field);
  return {
    code: 'member-renamed',
    at: after.at,
    what: `${nameOf(before, place)} is now called "${after.name}"`,
    who: affectedClients(use),
    advice,
  };
}

function compareNew(member: Member, place: MembersContext): Break[] {
  const use = useOf(member, place);
  if (!isNeeded(member) || !use.sent) return [];
  const advice: Advice =
    place.within === undefined
      ? ({ next, write }) =>
          write(`"since: ${next}" and a "default" for it, or leave "required" out`)
      : plainAdvice('Give it a "default", or leave "required" out.');
  return [
    {
      code: 'member-required',
      at: member.at,
      what: `${nameOf(member, place)} is new and required`,
      who: 'clients that create or replace items without it get 422',
      advice,
    },
  ];
}

function compareMember(
  before: Member,
  after: Member,
  use: ValueUse,
  place: MembersContext,
): Break[] {
  const name = nameOf(before, place);
  const describe = (code: BreakCode, what: string, who: string, advice: Advice): Break => ({
    code,
    at: after.at,
    what: `${name} ${what}`,
    who,
    advice,
  });
  return [
    ...comparePresence(before, after, use, describe),
    ...compareOptions(before, after, use, describe),
    ...compareTypes(before.type, after.type, use).map(({ code, what, who, advice }) =>
      describe(code, what, who, advice),
    ),
    ...(use.sent && 'readOnly' in before && 'readOnly' in after && !after.readOnly
      ? compareTransitions(before, after)
      : []
    ).map(({ code, what, who, advice }) => describe(code, what, who, advice)),
    ...compareProperties(before.type, after.type, {
      ...place,
      of: `of "${before.name}" ${place.of}`,
      at: after.at,
      within: use,
    }),
  ];
}

type Tell = (code: BreakCode, what: string, who: string, advice: Advice) => Break;

/** Whether a member may be absent or null, and what it is then. */
function comparePresence(before: Member, after: Member, use: ValueUse, describe: Tell): Break[] {
  const breaks: Break[] = [];
  if (use.sent && after.required && !before.required) {
    const who = isNeeded(after)
      ? 'clients that leave it out or send null get 422'
      : 'clients that send null get 422';
    const hasSteps = 'transitions' in after && after.transitions !== undefined;
    const advice = plainAdvice(
      hasSteps
        ? 'Leave "transitions" out: a field with transitions is never null.'
        : 'Leave "required" out.',
    );
    breaks.push(describe('member-required', 'is required now', who, advice));
  }
  if (use.read && before.required && !after.required) {
    const who = 'clients that read it may find null, which it never was';
    const advice = plainAdvice('Write "required: true" again.');
    breaks.push(describe('member-nullable', 'is optional now', who, advice));
  }
  const [was, is] = [before, after].map(defaultText);
  // A default does not matter where requests could not leave the member out, or hooks had to set it.
  const isLost = isNeeded(after) && use.sent && before.required;
  if (was !== is && !isNeeded(before) && (!isNeeded(after) || isLost)) {
    const who = leavesOut(use, isLost);
    const now = is === undefined ? 'no default' : `the default ${is}`;
    const what = hasDatabaseDefault(after)
      ? `has a default that the database computes, and had ${was ?? 'none'}`
      : `has ${now}, and had ${was ?? 'none'}`;
    const advice = plainAdvice(undoDefault(before, after));
    breaks.push(describe('default-changed', what, who, advice));
  }
  return breaks;
}

/** What clients find after a change of a default. */
function leavesOut({ sent }: ValueUse, isLost: boolean): string {
  if (!sent) return 'clients find another value in new items';
  return isLost
    ? 'clients that leave it out get 422'
    : 'clients that leave it out get another value';
}

const hasDatabaseDefault = (member: Member): boolean =>
  optionsOf(member).hasDatabaseDefault === true;

/** Whether a POST needs the member. */
const isNeeded = (member: Member): boolean =>
  member.required && member.default === undefined && !hasDatabaseDefault(member);

const defaultText = (member: Member): string | undefined => {
  if (hasDatabaseDefault(member)) return 'one that the database computes';
  return member.default === undefined ? undefined : inlineYaml(member.default);
};

/** How a member gets the default back that it had. */
function undoDefault(before: Member, after: Member): string {
  if (hasDatabaseDefault(before)) return 'Write "database_default: true" again.';
  return hasDatabaseDefault(after) && before.default === undefined
    ? 'Leave "database_default" out.'
    : undoAdvice('default', before.default);
}

/** Who may set it, who sees it, and whether it may repeat. */
function compareOptions(before: Member, after: Member, use: ValueUse, describe: Tell): Break[] {
  const [was, is] = [optionsOf(before), optionsOf(after)];
  const without = (key: string): Advice => plainAdvice(`Leave "${key}" out.`);
  return [
    ...(use.read && is.writeOnly
      ? [
          describe(
            'member-hidden',
            'is write_only now',
            'clients that read it find nothing',
            without('write_only'),
          ),
        ]
      : []),
    ...(use.sent && is.readOnly
      ? [
          describe(
            'member-locked',
            `is ${lockOf(is)} now`,
            'clients that send it get 422',
            without(lockOf(is)),
          ),
        ]
      : []),
    ...(was.readOnly && !is.readOnly && !hasDatabaseDefault(after)
      ? [
          describe(
            'member-unlocked',
            `is no longer ${lockOf(was)}`,
            `clients that PUT leave it out, as they had to, and ${leftOut(after)}`,
            plainAdvice(
              `Write "${lockOf(was)}: ${lockOf(was) === 'set_by' ? 'service' : 'true'}" again.`,
            ),
          ),
        ]
      : []),
    // A PUT without it keeps the value that the database computed.
    ...(was.immutable && !is.immutable && !is.readOnly && !hasDatabaseDefault(after)
      ? [
          describe(
            'member-unlocked',
            'is no longer immutable',
            `clients that PUT without it kept it, and ${leftOut(after)}`,
            plainAdvice('Write "immutable: true" again.'),
          ),
        ]
      : []),
    ...(use.sent && is.immutable && !was.immutable
      ? [
          describe(
            'member-locked',
            'is immutable now',
            'clients that change it get 422',
            without('immutable'),
          ),
        ]
      : []),
    ...(is.unique && !was.unique && !is.readOnly && isUniquable(after.type)
      ? [
          describe(
            'unique-new',
            'is unique now',
            'clients that send a value that is taken get 409',
            without('unique'),
          ),
        ]
      : []),
  ];
}

/** The key by which requests may not set a member. */
const lockOf = ({ setBy, isGenerated }: Pick<Field, 'setBy' | 'isGenerated'>): string => {
  if (isGenerated === true) return 'generated';
  return setBy === undefined ? 'read_only' : 'set_by';
};

/** What a PUT does to a member that it leaves out. */
const leftOut = (member: Member): string => (isNeeded(member) ? 'get 422 now' : 'now set it back');

/** The members of an object that both have. */
function compareProperties(before: FieldType, after: FieldType, place: MembersContext): Break[] {
  if (before.type !== 'object' || after.type !== 'object') return [];
  return compareMembers(before.properties, after.properties, place);
}
