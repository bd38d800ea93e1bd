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
import { codeText, nameText } from './options.ts';
import type { Option, Options } from './options.ts';
import { unusedIdOf } from './test-ids.ts';
import type { TestedCollection } from './tested-collection.ts';

/** A member, why its value is refused, and the changes of a body. */
type RefusedRow = readonly [member: string, why: string, changes: Options];

/** A member, why its value is accepted, and the value. */
type AcceptedRow = readonly [member: string, why: string, value: JsonValue];

/** Another spelling of the value of a member, with what is answered. */
export interface SpelledValue extends SpellingCode {
  readonly member: string;
}

/** A member that cannot change, and one value or several, of which an item has one at most. */
type ImmutableRow = readonly [member: string, ...others: Option[]];

/** Values beyond the limits of each member. */
export const refusedTests = ({ writable }: Pick<TestedCollection, 'writable'>): RefusedRow[] =>
  writable.flatMap((field) =>
    refusedFieldValues(field).map(({ member, why, value }): RefusedRow => [
      member,
      why,
      { [field.name]: value },
    ]),
  );

/** Values at the limits of members whose values do not have to differ from one item to the next. */
export function acceptedTests({ creates, writable, samples }: TestedCollection): AcceptedRow[] {
  if (!creates) return [];
  const isSeries = ({ name }: Field): boolean =>
    samples.members.some(({ kind, field }) => kind === 'series' && field.name === name);
  return writable
    .filter((field) => !field.writeOnly && !isSeries(field))
    .flatMap((field) =>
      acceptedFieldValues(field)
        .filter(({ value }) => isKeptValue(samples.checks, field, value) || isWhole(field, samples))
        .map(({ member, why, value }): AcceptedRow => [member, why, value]),
    );
}

/** Whether checks ask only whether the member is null, and it may be another value. */
const isWhole = (field: Field, { checks }: Samples): boolean =>
  specOf(field.type).comparison === undefined &&
  checks?.kept.get(field.name)?.some((value) => value !== null) === true;

/** Values in other spellings, such as a time with an offset. */
export const spelledTests = ({ creates, writable, values }: TestedCollection): SpelledValue[] =>
  (creates ? writable : [])
    .filter((field) => !field.writeOnly && values.another.has(field.name))
    .flatMap((field) => {
      const { type, name } = field;
      const spellings =
        specOf(type).respellCode?.(type, `full.${name}`, isRequiredInPost(field)) ?? [];
      return spellings.map((one) => ({ member: name, ...one }));
    });

/** Members that cannot change once an item is created. */
export const immutableTests = (tested: TestedCollection): ImmutableRow[] =>
  (tested.creates ? tested.writable : [])
    .filter((field) => field.immutable && !field.writeOnly)
    .flatMap((field) => otherValue(field, tested));

/** A value that a member cannot change to after `valid(n)`; none where there is no other. */
function otherValue(
  field: Field,
  { samples, values, relations }: TestedCollection,
): ImmutableRow[] {
  const { name, type } = field;
  if (type.type === 'reference') {
    return relations.some((relation) => relation.field === field)
      ? [[name, nameText(unusedIdOf(type))]]
      : [];
  }
  const value = values.another.get(name);
  const base = samples.members.find((member) => member.field === field);
  const [first, ...later] = firstValues(field, base).map((one) => JSON.stringify(one));
  if (value === undefined) return [];
  if (JSON.stringify(value) !== first) {
    const own = codeText(`full.${name}`, 'full');
    return [field.required ? [name, own] : [name, own, value]];
  }
  // A series of few values, such as those of an enum, begins anew before `another()`.
  const other = later.find((one) => one !== first);
  return other === undefined ? [] : [[name, JSON.parse(other) as JsonValue]];
}

/** What `valid(n)` has for a member, in the order of `n`: one value if it is always the same. */
function firstValues({ type, default: fallback }: Field, base: Member | undefined): JsonValue[] {
  if (base?.kind === 'series') return base.values.map((value) => answeredValue(type, value));
  if (base?.kind === 'value') return [answeredValue(type, base.value)];
  return base === undefined ? [fallback ?? null] : [];
}

/** Values that are refused: objects without one of their required properties. */
export function missingPropertyTests(field: Field): [member: string, changes: Options][] {
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
      return [`${field.name}.${property.name}`, { [field.name]: changes }];
    });
}
