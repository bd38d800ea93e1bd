/** How large an item can be as JSON, by the bounds of its fields. */
import type { Field, FieldType } from '../definition/types.ts';

/** Bytes of a character of a text at most: `\u0001`. */
const ESCAPED = 6;
/** Texts of numbers, ids and times, with their quotes; those of times also as only SQL can store them. */
const NUMBER = 26;
const ID = 38;
const TIME = 50;
const NULL = 4;

/** What every item has: its id and two times. */
const OWN = '"id":'.length + ID + 2 * ('"created_at":'.length + TIME);

/** Bytes of an item as JSON at most, with a comma after it; undefined where a field has no bound. */
export function largestItem(fields: readonly Field[]): number | undefined {
  const bytes = objectBytes(fields) + OWN;
  return Number.isFinite(bytes) ? bytes : undefined;
}

/** Each member has its name, two quotes, a colon, and a comma or bracket. */
const objectBytes = (
  members: readonly { readonly name: string; readonly type: FieldType }[],
): number =>
  members.reduce(
    (sum, { name, type }) => sum + name.length + 4 + Math.max(NULL, valueBytes(type)),
    // The brackets, and the commas of what every item has.
    6,
  );

function valueBytes(type: FieldType): number {
  switch (type.type) {
    case 'string':
    case 'text':
      return textBytes(type.maxLength);
    case 'enum':
      return Math.max(...type.values.map((value) => textBytes(value.length)));
    case 'integer':
    case 'bigint':
    case 'number':
      return NUMBER;
    case 'decimal':
      return type.precision + 6;
    case 'boolean':
      return 'false'.length;
    case 'date':
    case 'timestamp':
      return TIME;
    case 'uuid':
    case 'reference':
      return ID;
    case 'list':
      return 2 + (type.maxItems ?? Infinity) * (1 + Math.max(NULL, valueBytes(type.of)));
    case 'object':
      return objectBytes(type.properties);
    case 'json':
      return Infinity;
  }
}

const textBytes = (longest = Infinity): number => 2 + ESCAPED * longest;
