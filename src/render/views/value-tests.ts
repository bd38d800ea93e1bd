/** Tests of values: those that are refused and accepted, other spellings, and members that cannot change. */
import type { Field } from '../../definition/types.ts';
import type { JsonValue } from '../../shared/json.ts';
import { acceptedFieldValues, refusedFieldValues } from '../../model/boundary-values.ts';
import { isKeptValue } from '../../model/check-values.ts';
import { isRequiredInPost } from '../../model/samples.ts';
import type { Member, Samples } from '../../model/samples.ts';
import { exampleValues } from '../../types/example-values.ts';
import { answeredValue } from '../../types/member-code.ts';
import { specOf } from '../../types/registry.ts';
import type { SpellingCode } from '../../types/type.ts';
import { valueCode } from '../../shared/literals.ts';
import { unusedIdOf } from './test-ids.ts';
import type { TestedCollection, UsesAnother } from './tested-collection.ts';

/** A body with a value that is refused. */
export interface RefusedView {
  readonly member: string;
  readonly why: string;
  readonly changes: string;
}

/** A value that is accepted. */
export interface AcceptedView {
  readonly member: string;
  readonly why: string;
  readonly value: string;
}

/** Another spelling of a value, with what is answered. */
export interface SpelledView extends SpellingCode {
  readonly member: string;
}

/** A member that cannot change, and code for one value or several, of which an item has one at most. */
export interface ImmutableView {
  readonly name: string;
  readonly other: string;
}

/** Values beyond the limits of each member. */
export const refusedTests = ({ writable }: TestedCollection): RefusedView[] =>
  writable.flatMap((field) =>
    refusedFieldValues(field).map(({ member, why, value }) => ({
      member,
      why,
      changes: `{ ${field.name}: ${valueCode(value)} }`,
    })),
  );

/** Values at the limits of members whose values do not have to differ from one item to the next. */
export function acceptedTests({ creates, writable, samples }: TestedCollection): AcceptedView[] {
  if (!creates) return [];
  const isSeries = ({ name }: Field): boolean =>
    samples.members.some(({ kind, field }) => kind === 'series' && field.name === name);
  return writable
    .filter((field) => !field.writeOnly && !isSeries(field))
    .flatMap((field) =>
      acceptedFieldValues(field)
        .filter(({ value }) => isKeptValue(samples.checks, field, value) || isWhole(field, samples))
        .map(({ member, why, value }) => ({
          member,
          why,
          value: valueCode(value),
        })),
    );
}

/** Whether checks ask only whether the member is null, and it may be another value. */
const isWhole = (field: Field, { checks }: Samples): boolean =>
  specOf(field.type).comparison === undefined &&
  checks?.kept.get(field.name)?.some((value) => value !== null) === true;

/** Values in other spellings, such as a time with an offset. */
export const spelledTests = ({ creates, writable, values }: TestedCollection): SpelledView[] =>
  (creates ? writable : [])
    .filter((field) => !field.writeOnly && values.another.has(field.name))
    .flatMap((field) => {
      const { type, name } = field;
      const spellings =
        specOf(type).respellCode?.(type, `full.${name}`, isRequiredInPost(field)) ?? [];
      return spellings.map((one) => ({ member: name, ...one }));
    });

/** Members that cannot change once an item is created. */
export const immutableTests = (tested: TestedCollection): (ImmutableView & UsesAnother)[] =>
  (tested.creates ? tested.writable : [])
    .filter((field) => field.immutable && !field.writeOnly)
    .flatMap((field) => otherValue(field, tested));

/** A value that a member cannot change to after `valid(n)`; none where there is no other. */
function otherValue(
  field: Field,
  { samples, values, relations }: TestedCollection,
): (ImmutableView & UsesAnother)[] {
  const { name, type } = field;
  if (type.type === 'reference') {
    return relations.some((relation) => relation.field === field)
      ? [{ name, other: unusedIdOf(type), usesAnother: false }]
      : [];
  }
  const value = values.another.get(name);
  const base = samples.members.find((member) => member.field === field);
  const [first, ...later] = firstValues(field, base).map((one) => JSON.stringify(one));
  if (value === undefined) return [];
  if (JSON.stringify(value) !== first) {
    const own = `full.${name}`;
    const other = field.required ? own : `${own}, ${valueCode(value)}`;
    return [{ name, other, usesAnother: true }];
  }
  // A series of few values, such as those of an enum, begins anew before `another()`.
  const other = later.find((one) => one !== first);
  if (other === undefined) return [];
  return [{ name, other: valueCode(JSON.parse(other) as JsonValue), usesAnother: false }];
}

/** What `valid(n)` has for a member, in the order of `n`: one value if it is always the same. */
function firstValues({ type, default: fallback }: Field, base: Member | undefined): JsonValue[] {
  if (base?.kind === 'series') return base.values.map((value) => answeredValue(type, value));
  if (base?.kind === 'value') return [answeredValue(type, base.value)];
  return base === undefined ? [fallback ?? null] : [];
}

/** Values that are refused: objects without one of their required properties. */
export function missingPropertyTests(field: Field): Omit<RefusedView, 'why'>[] {
  const { type } = field;
  if (type.type !== 'object') return [];
  const whole = exampleValues(specOf, field)[0];
  return type.properties
    .filter((property) => property.required && property.default === undefined)
    .map((property) => {
      const rest = Object.entries((whole ?? {}) as object).filter(
        ([name]) => name !== property.name,
      );
      const changes = Object.fromEntries(rest) as JsonValue;
      return {
        member: `${field.name}.${property.name}`,
        changes: `{ ${field.name}: ${valueCode(changes)} }`,
      };
    });
}
