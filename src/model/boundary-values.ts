/** Values at the limits of a field: those that are accepted, and those that are refused. */
import type { Field } from '../definition/types.ts';
import { refusedValues as refusedOf } from '../types/examples.ts';
import { specOf } from '../types/registry.ts';
import type { BoundaryValue } from '../types/type.ts';
import { exampleValues } from './samples-values.ts';

/** Values that a field refuses, whatever the others are. */
export function refusedValues({ name, type, required, ...field }: Field): BoundaryValue[] {
  const [sample] = exampleValues({ name, type, required, ...field });
  const cases = refusedOf(specOf, type, sample, name);
  return required ? [...cases, { member: name, why: 'null', value: null }] : cases;
}

/** Values at the limits of a field, which are accepted. */
export const acceptedValues = ({ name, type }: Field): BoundaryValue[] =>
  specOf(type)
    .accepted(type)
    .map(([why, value]) => ({ member: name, why, value }));
