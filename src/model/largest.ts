/** How large an item can be as JSON, by what the database enforces. */
import type { Field, FieldType } from '../definition/types.ts';

/** Bytes of a character of a text at most: `\u0001`. */
const ESCAPED = 6;
/** Texts of numbers, ids and times, with their quotes; those of times also as only SQL can store them. */
const NUMBER = 26;
const ID = 38;
const TIME = 50;
const NULL = 4;
/** What a member has beside its name and its value: two quotes, a colon, and a comma. */
const NAME = 4;

/** What every item has: its id and two times, with their commas, and the brackets. */
const OWN = '"id":'.length + ID + 2 * ('"created_at":'.length + TIME) + 6;

/** Bounds on the size of an item. */
export interface ItemSize {
  /** Bytes of an item as JSON at most, with a comma after it, without the values of `unbounded`. */
  readonly largest: number;
  /** The fields whose values have no bound in the database. */
  readonly unbounded: readonly string[];
}

/** The size of items with these fields. */
export function itemSize(fields: readonly Field[]): ItemSize {
  const unbounded: string[] = [];
  let largest = OWN;
  for (const { name, type } of fields) {
    const bytes = valueBytes(type);
    largest += name.length + NAME;
    if (Number.isFinite(bytes)) largest += Math.max(NULL, bytes);
    else unbounded.push(name);
  }
  return { largest, unbounded };
}

/** SQL may write what the service would refuse: only a type or a check of the column is a bound. */
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
    case 'object':
    case 'json':
      return Infinity;
  }
}

const textBytes = (longest = Infinity): number => 2 + ESCAPED * longest;
