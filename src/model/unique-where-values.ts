/** Values of the members of a rule of `unique`, for tests: some for which it is true, and some for which it is not. */
import type { Field, MemberRule, UniqueDefinition } from '../definition/types.ts';
import { whereCondition } from '../definition/unique.ts';
import { candidateValues } from '../expressions/candidate-values.ts';
import { truthOf } from '../expressions/evaluate.ts';
import type { MemberValues } from '../expressions/evaluate.ts';
import { membersOf } from '../expressions/expression.ts';
import { findValues } from '../expressions/find-values.ts';
import type { SearchBudget } from '../expressions/find-values.ts';
import { ownMember } from '../shared/json.ts';
import type { JsonValue } from '../shared/json.ts';
import { withoutDuplicates } from '../types/example-values.ts';
import { specOf } from '../types/registry.ts';
import { isKeptValue } from './check-values.ts';
import type { Samples } from './samples.ts';
import { mayBeSetByCode } from './set-by-code.ts';

/** Values that a body adds to those of a fixture. The ids of other items are those of `placeholderIdOf`. */
export interface WhereValues {
  readonly inside: MemberValues;
  /** Absent: no values are known for which the rule is not true. */
  readonly outside?: MemberValues;
}

/**
 * Finds the values.
 * @param budget is that of all rules of a collection.
 * @returns undefined if none are known: a hook may set the members, or they have to differ from one item to the
 * next, or belong to what another version has otherwise.
 */
export function whereValues(
  { fields, where }: UniqueDefinition,
  samples: Samples,
  budget: SearchBudget,
): WhereValues | undefined {
  if (where === undefined || where.inView !== undefined) return undefined;
  const { expression } = where;
  const { collection, checks } = samples;
  const named = new Set(membersOf(expression).map(({ name }) => name));
  const members = collection.definition.fields.filter(({ name }) => named.has(name));
  const isUnknown = (field: Field): boolean =>
    samples.members.some((member) => member.field === field && member.kind === 'series') ||
    mayBeSetByCode(collection, field);
  if (fields.some((name) => named.has(name)) || members.some(isUnknown)) return undefined;
  const candidates = candidateValues(members, [expression]).map((candidate) => {
    const field = members.find(({ name }) => name === candidate.name)!;
    const plain = plainValue(field, samples);
    if (field.readOnly) return { ...candidate, values: plain === undefined ? [] : [plain] };
    const kept = checks?.kept.get(field.name);
    const values = (kept ?? candidate.values).filter((value) => isKeptValue(checks, field, value));
    const isPlain = (value: JsonValue): boolean => JSON.stringify(value) === JSON.stringify(plain);
    return {
      ...candidate,
      values: withoutDuplicates([...values.filter(isPlain), ...values]),
    };
  });
  const sent = (values: MemberValues): MemberValues =>
    Object.fromEntries(
      members
        .filter(({ readOnly }) => !readOnly)
        .map(({ name }) => [name, ownMember(values, name) ?? null] as const),
    );
  const search = (isTrue: boolean): MemberValues | undefined => {
    const { values } = findValues(candidates, [whereCondition(expression, isTrue)], budget);
    return values && sent(values);
  };
  const inside = search(true);
  const outside = search(false);
  return inside && { inside, ...(outside !== undefined && { outside }) };
}

/** What a member of the first body is; undefined if it differs from one body to the next, or is a moment. */
function plainValue(field: Field, { members }: Samples): JsonValue | undefined {
  const member = members.find((one) => one.field.name === field.name);
  if (member !== undefined) return member.kind === 'value' ? member.value : undefined;
  const { default: defaultValue = null, type } = field;
  return defaultValue === specOf(type).currentDefault ? undefined : defaultValue;
}

/**
 * Whether no other rule of the collection keeps two items from having the same values of some members.
 * @param same these members. @param one what the first item has besides. @param other what the second has.
 */
export function mayHaveSameValues(
  rule: UniqueDefinition,
  same: readonly string[],
  one: MemberValues,
  other: MemberValues,
  samples: Samples,
): boolean {
  const { fields, unique } = samples.collection.definition;
  const valueIn = (name: string, values: MemberValues): JsonValue | undefined => {
    const field = fields.find((candidate) => candidate.name === name);
    return Object.hasOwn(values, name) ? values[name] : field && plainValue(field, samples);
  };
  const differs = (name: string): boolean => {
    if (same.includes(name)) return false;
    const member = samples.members.find(({ field }) => field.name === name);
    if (member?.kind === 'series' || (member?.kind === 'parent' && !member.shared)) return true;
    const [left, right] = [valueIn(name, one), valueIn(name, other)];
    return left === null || right === null || left !== right;
  };
  const isOutside = ({ expression }: MemberRule, values: MemberValues): boolean => {
    const members = membersOf(expression).map(({ name }) => [name, valueIn(name, values)] as const);
    return (
      members.every(([, value]) => value !== undefined) &&
      truthOf(expression, Object.fromEntries(members) as MemberValues) !== true
    );
  };
  return unique.every(
    ({ fields: names, where }) =>
      names === rule.fields ||
      names.some(differs) ||
      (where !== undefined && (isOutside(where, one) || isOutside(where, other))),
  );
}
