/** Example values of fields and properties, in the one form in which the service answers them. */
import type { Field } from '../definition/types.ts';
import type { JsonValue } from '../shared/json.ts';
import * as examples from '../types/examples.ts';
import type { Property } from '../types/object.ts';
import { specOf } from '../types/registry.ts';
import type { FieldType, ScalarType } from '../types/registry.ts';
import type { SampleMember } from '../types/type.ts';

/**
 * Different values that a scalar takes, those of the definition first, then the plainest; fewer than
 * asked for where there are no more. None for a pattern that nothing was found for.
 */
export const differentValues = (
  type: ScalarType,
  count: number,
  place: SampleMember,
): JsonValue[] => examples.differentValues(specOf, type, count, place);

/** One or two values of any type but a reference; none where a pattern has no sample. */
export const exampleValues = (member: Field | Property): JsonValue[] =>
  examples.exampleValues(specOf, member);

/** Another spelling of the same value, where its type has one: what clients may send as well. */
export const respelled = (type: FieldType, value: JsonValue): JsonValue =>
  value === null ? null : (specOf(type).respell?.(type, value) ?? value);
