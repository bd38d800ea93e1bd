/** How large an item can be as JSON, by the bounds of its fields. */
import type { Field, FieldType } from '../definition/types.ts';
import { mostBytes } from './text-bounds.ts';

/** Bytes of a character of a text at most: `\u0001`. */
const ESCAPED = 6;
/** Texts of numbers, ids and times, with their quotes; those of times also as only SQL can store them. */
const NUMBER = 26;
const ID = 38;
const TIME = 50;
const NULL = 4;
/** What a member has beside its name and its value: two quotes, a colon, and a comma or bracket. */
const NAME = 4;

/** What every item has: its id and two times. */
const OWN = '"id":'.length + ID + 2 * ('"created_at":'.length + TIME);

/** What is known of the size of items. */
export interface ItemSize {
  /** Bytes of an item as JSON at most, with a comma after it, without the values of `unbounded`. */
  readonly largest: number;
  /** The fields whose values have no bound. */
  readonly unbounded: readonly string[];
}

/** The size of items with these fields. */
export function itemSize(fields: readonly Field[]): ItemSize {
  const isBounded = ({ type }: Field): boolean => Number.isFinite(valueBytes(type));
  const unbounded = fields.filter((field) => !isBounded(field)).map(({ name }) => name);
  const names = unbounded.reduce((sum, name) => sum + name.length + NAME, 0);
  return { largest: OWN + names + objectBytes(fields.filter(isBounded)), unbounded };
}

const objectBytes = (
  members: readonly { readonly name: string; readonly type: FieldType }[],
): number =>
  members.reduce(
    (sum, { name, type }) => sum + name.length + NAME + Math.max(NULL, valueBytes(type)),
    // The brackets, and the commas of what every item has.
    6,
  );

function valueBytes(type: FieldType): number {
  switch (type.type) {
    case 'string':
    case 'text':
      return textBytes(Math.min(type.maxLength ?? Infinity, mostBytes(type)));
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

/** @param longest the characters of the text, or its bytes, of which there are as many or more. */
const textBytes = (longest: number): number => 2 + ESCAPED * longest;
