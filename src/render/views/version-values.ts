/** The values that tests across versions send in one version and expect in another. */
import { ownMember } from '../../shared/json.ts';
import type { Field } from '../../definition/types.ts';
import type { JsonValue } from '../../shared/json.ts';
import { storedValue, shownValue } from '../../definition/versions/older-form.ts';
import { answeredValue } from '../../types/member-code.ts';
import { isRequiredInPost, isUniqueByItself } from '../../model/samples.ts';
import type { Samples } from '../../model/samples.ts';
import type { Collection, ViewMember } from '../../model/types.ts';
import { fullValues } from './fixture.ts';
import { stringLiteral, valueCode } from '../../shared/literals.ts';
import type { MemberCode } from './tested-collection.ts';

/** A value that tests write down for a member of a version. */
interface WrittenValue {
  readonly member: ViewMember;
  /** The member as the version has it. */
  readonly field: Field;
  readonly value: JsonValue;
}

/** Values for the members of a version whose values tests may choose. */
export function writtenValues(
  collection: Collection,
  members: readonly ViewMember[],
  samples: Samples,
): readonly WrittenValue[] {
  const isVaried = (name: string): boolean =>
    samples.members.some((member) => member.field.name === name && member.kind !== 'value');
  return members.flatMap((member) => {
    const field = collection.definition.fields.find(({ name }) => name === member.shown.name);
    if (field === undefined || field.readOnly || field.type.type === 'reference') return [];
    const isUnique = isVaried(field.name) || isUniqueByItself(collection, field);
    if (isUnique || member.conversion.kind === 'team') return [];
    const [value] = fullValues(field, samples.checks);
    return value === undefined ? [] : [{ member, field, value }];
  });
}

/** What one version sends, and what the other one shows of it. */
export interface WrittenMembers {
  /** Code for members with the values of the fixture: their names in both versions, and a value if the fixture lacks them. */
  readonly fixture: readonly string[];
  /** Code for members with other values. */
  readonly sent: readonly MemberCode[];
  readonly shown: readonly MemberCode[];
}

/** @param members those of the version that shows the values. */
export function writtenMembers(
  values: readonly WrittenValue[],
  members: readonly ViewMember[],
): WrittenMembers {
  const same = values.filter((one) => isSameInBothVersions(one, members));
  const others = values.filter((one) => !same.includes(one));
  return {
    fixture: same.map((one) => fixtureRow(one, members)),
    // A body satisfies the type of the fixture: members that have a default are there too.
    sent: others.map(({ field, value }) => ({
      name: field.name,
      code: valueCode(answeredValue(field.type, value)),
    })),
    shown: others.flatMap((one) => shownMember(one, members) ?? []),
  };
}

/** Whether both versions show the value of a fixture unconverted. */
function isSameInBothVersions(
  { member, field }: WrittenValue,
  members: readonly ViewMember[],
): boolean {
  const other = members.find((one) => one.stored === member.stored);
  const isSame = [member, other].every(
    (one) =>
      one === undefined ||
      (one.conversion.kind === 'same' && Object.keys(one.substitutes).length === 0),
  );
  // The types of fixtures have no object with all its members.
  return isSame && field.type.type !== 'object' && field.type.type !== 'json';
}

/** A fixture of the team may be older than a member that requests can leave out. */
function fixtureRow(
  { member, field, value }: WrittenValue,
  members: readonly ViewMember[],
): string {
  const here = members.find(({ stored }) => stored === member.stored);
  const isShown = here !== undefined && !field.writeOnly;
  const names = [stringLiteral(field.name), isShown ? stringLiteral(here.shown.name) : 'undefined'];
  const row = isRequiredInPost(field) ? names : [...names, valueCode(value)];
  return `[${row.join(', ')}]`;
}

/** The member that a version shows of a value that it converts; undefined if it shows none. */
function shownMember(
  { member, field, value }: WrittenValue,
  members: readonly ViewMember[],
): MemberCode | undefined {
  const here = members.find(({ stored }) => stored === member.stored);
  if (here === undefined || here.conversion.kind === 'team' || field.writeOnly) return undefined;
  // What the current version shows is what is stored, but for values that it does not have.
  const kept = storedValue(member.conversion, answeredValue(field.type, value));
  if (kept === undefined) return undefined;
  const shown = shownValue(
    member.stored.type,
    here.conversion,
    typeof kept === 'string' ? (ownMember(here.substitutes, kept) ?? kept) : kept,
  );
  return shown === undefined ? undefined : { name: here.shown.name, code: valueCode(shown) };
}
