/** `checkGenerated`: what cannot stand beside `generated` of a field, whose values the database computes. */
import type { Issues } from '../reading/issues.ts';
import { quote } from '../reading/quote.ts';
import type { WrittenReference } from '../types/reference.ts';
import type { CommonOptions } from './common-options.ts';

/** Why the database does not need an option of a field that it computes, and what to do. */
const REFUSED = {
  default: 'nothing else gives it a value. Remove default.',
  database_default: 'its column has no default. Remove database_default.',
  set_by: 'the service does not set it. Remove set_by.',
  read_only: 'requests may not set it anyway. Remove read_only.',
  write_only: 'no client could see or set it. Remove the field.',
  immutable: 'it changes with the columns that it is computed from. Remove immutable.',
  transitions: 'no request takes a step. Remove transitions.',
} as const;

/** Refuses what a field cannot be if it is generated. */
export function checkGenerated(
  name: string,
  common: CommonOptions,
  reference: WrittenReference | undefined,
  issues: Issues,
): void {
  const { generated, required } = common;
  if (generated?.value !== true) return;
  const start = `field ${quote(name)} is generated: the database computes it, and`;
  for (const [key, why] of Object.entries(REFUSED)) {
    const option = common[key as keyof typeof REFUSED];
    if (option === undefined || option.value === false) continue;
    issues.add(option.keyAt, 'contradiction', `${start} ${why}`);
  }
  if (reference === undefined) return;
  if (reference.nested !== undefined) {
    const message = `${start} a POST at its nested path would set it. Remove nested, and filter lists by the field.`;
    issues.add(generated.keyAt, 'contradiction', message);
  }
  if (reference.onDelete === 'clear') {
    const message = `${start} no removal can clear it. Write on_delete "refuse" or "cascade".`;
    issues.add(reference.onDeleteAt, 'contradiction', message);
  }
  if (required?.value === true) {
    const message = `${start} tests know no item that it could refer to. Remove required: in responses, the member may then be null.`;
    issues.add(required.keyAt, 'contradiction', message);
  }
}
