/** Reads `stored` of a field: the type of its column in an existing table. */
import type { Issues } from '../reading/issues.ts';
import { enumerate } from '../reading/quote.ts';
import type { Located } from '../reading/shapes.ts';
import type { FieldType, TypeName } from '../types/registry.ts';
import { storedType } from './existing-table.ts';
import type { Field } from './types.ts';

/** Types of entries whose array `to_jsonb` converts to the JSON of answers, directly or by way of `text[]`. */
export const ARRAY_ENTRY_TYPES: ReadonlySet<TypeName> = new Set([
  ...(['string', 'text', 'enum', 'uuid', 'boolean', 'date'] as const),
  ...(['integer', 'bigint', 'number', 'decimal'] as const),
]);

/** @returns `stored` for an enum, `isArray` for a list. */
export function readStored(
  type: FieldType,
  stored: Located<string> | undefined,
  issues: Issues,
): Pick<Field, 'stored' | 'isArray'> {
  if (stored === undefined) return {};
  if (type.type !== 'list') return { stored: storedType(stored.value) };
  if (!ARRAY_ENTRY_TYPES.has(type.of.type)) {
    const message = `"stored: array" does not support entries of the type ${type.of.type}, only ${enumerate([...ARRAY_ENTRY_TYPES], 'and')}. If the column is jsonb, remove "stored". If it is an array, remove the field: the service then leaves the column as it is.`;
    issues.add(stored.at, 'contradiction', message);
  }
  return { isArray: true };
}
