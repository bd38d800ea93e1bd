/** Values at the limits of a field: those that are accepted, and those that are refused. */
import type { Field } from '../definition/types.ts';
import { exampleValues, refusedValues } from '../types/example-values.ts';
import { specOf } from '../types/registry.ts';
import type { BoundaryValue } from '../types/type.ts';

/** Values that a field refuses, whatever the others are. */
export function refusedFieldValues(field: Field): BoundaryValue[] {
  const { name, type, required } = field;
  const [sample] = exampleValues(specOf, field);
  const cases = refusedValues(specOf, type, sample, name);
  return required ? [...cases, { member: name, why: 'null', value: null }] : cases;
}

/** Values at the limits of a field, which are accepted. */
export const acceptedFieldValues = ({ name, type }: Field): BoundaryValue[] =>
  specOf(type)
    .accepted(type)
    .map(([why, value]) => ({ member: name, why, value }));
