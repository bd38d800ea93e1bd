/** `checkDatabaseDefault`: what cannot stand beside `database_default` of a field, whose value the database may compute. */
import type { Issues } from '../reading/issues.ts';
import { quote } from '../reading/quote.ts';
import type { TypeName } from '../types/registry.ts';
import type { CommonOptions } from './common-options.ts';

/** Why an option of the field cannot be, and what to do. */
const REFUSED = {
  default: 'the database computes the value. Remove default.',
  read_only:
    'requests can leave it out anyway. If only the database sets it, write "set_by: service" in place of read_only.',
  transitions: 'the first value is not known. Remove transitions.',
} as const;

/** Refuses what a field cannot be if the database computes its value for a new item. */
export function checkDatabaseDefault(
  name: string,
  typeName: TypeName,
  common: CommonOptions,
  issues: Issues,
): void {
  const { database_default: own, generated } = common;
  // `generated` refuses it.
  if (own?.value !== true || generated?.value === true) return;
  const start = `field ${quote(name)} has a database default:`;
  for (const [key, why] of Object.entries(REFUSED)) {
    const option = common[key as keyof typeof REFUSED];
    if (option === undefined || option.value === false) continue;
    issues.add(option.keyAt, 'contradiction', `${start} ${why}`);
  }
  if (typeName === 'reference') {
    const message = `${start} a reference cannot have one. Remove database_default.`;
    issues.add(own.keyAt, 'contradiction', message);
  }
}
