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
import { valueCode } from '../../shared/literals.ts';
import { codeWithFallback } from './tested-collection.ts';
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

/** Whether both versions show the value of a fixture unconverted. @param others the members of the other version. */
export function isSameInBothVersions(
  { member, field }: WrittenValue,
  others: readonly ViewMember[],
): boolean {
  const other = others.find((one) => one.stored === member.stored);
  const isSame = [member, other].every(
    (one) =>
      one === undefined ||
      (one.conversion.kind === 'same' && Object.keys(one.substitutes).length === 0),
  );
  // The types of fixtures have no object with all its members.
  return isSame && field.type.type !== 'object' && field.type.type !== 'json';
}

/** Code for the value that a fixture gives, which may be null. */
function fixtureCode({ field, value }: WrittenValue, fixture: string): string {
  const own = `${fixture}.${field.name}`;
  return isRequiredInPost(field) ? own : codeWithFallback(own, value);
}

/**
 * A body that satisfies the type of the fixture: members that have a default stand too.
 * @param fixture the constant that holds the values of the fixture.
 * @param others the members of the other version.
 */
export const bodyOf = (
  values: readonly WrittenValue[],
  fixture: string,
  others: readonly ViewMember[],
): MemberCode[] =>
  values.map((one) => ({
    name: one.field.name,
    code: isSameInBothVersions(one, others)
      ? fixtureCode(one, fixture)
      : valueCode(answeredValue(one.field.type, one.value)),
  }));

/** The members that a version shows of values that were sent in another one. @param members those of the version. */
export const valuesShownIn = (
  members: readonly ViewMember[],
  values: readonly WrittenValue[],
  fixture: string,
): MemberCode[] =>
  values.flatMap((one) => {
    const { member, field, value } = one;
    const here = members.find(({ stored }) => stored === member.stored);
    if (here === undefined || here.conversion.kind === 'team' || field.writeOnly) return [];
    const { name } = here.shown;
    if (isSameInBothVersions(one, members)) return [{ name, code: fixtureCode(one, fixture) }];
    // What the current version shows is what is stored, but for values that it does not have.
    const kept = storedValue(member.conversion, answeredValue(field.type, value));
    if (kept === undefined) return [];
    const shown = shownValue(
      member.stored.type,
      here.conversion,
      typeof kept === 'string' ? (ownMember(here.substitutes, kept) ?? kept) : kept,
    );
    return shown === undefined ? [] : [{ name, code: valueCode(shown) }];
  });
