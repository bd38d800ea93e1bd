/** How large an item can be as JSON, by what the database enforces. */
import type { CollectionDefinition, Field } from '../definition/types.ts';
import { TIMESTAMP_BYTES } from '../types/date.ts';
import { specOf } from '../types/registry.ts';
import { keySpec } from '../types/key.ts';

const NULL = 4;
/** What a member has beside its name and its value: two quotes, a colon, and a comma. */
const NAME = 4;

/** What every item has beside the value of its id and its times: the commas, and the brackets. */
const OWN = '"id":'.length + 6;
const TIME = '"created_at":'.length + TIMESTAMP_BYTES;

/** The types whose values are bounded in any column. */
const BOUNDED: ReadonlySet<string> = new Set([
  ...['boolean', 'integer', 'bigint', 'number', 'decimal', 'uuid', 'reference'],
  ...['date', 'time', 'timestamp'],
]);

/** Bounds on the size of an item. */
export interface ItemSize {
  /** Bytes of an item as JSON at most, with a comma after it, without the values of `unbounded`. */
  readonly largest: number;
  /** The fields whose values have no bound in the database. */
  readonly unbounded: readonly string[];
}

/** The size of items of a collection with these fields. Nothing holds an existing table to the limits of texts. */
export function itemSize(
  { key, times, existing }: Pick<CollectionDefinition, 'key' | 'times' | 'existing'>,
  fields: readonly Field[],
): ItemSize {
  const unbounded: string[] = [];
  let largest = OWN + times.length * TIME + keySpec(key).jsonBytes;
  // Nothing holds the texts in columns of existing tables to a length.
  if (existing !== undefined && (key === 'string' || key === 'composite')) unbounded.push('id');
  for (const { name, type } of fields) {
    if (name === 'id') continue;
    const isText = type.type === 'reference' && type.key === 'string';
    const isBounded = existing === undefined || (BOUNDED.has(type.type) && !isText);
    const bytes = isBounded ? specOf(type).jsonBytes(type) : Infinity;
    largest += name.length + NAME;
    if (Number.isFinite(bytes)) largest += Math.max(NULL, bytes);
    else unbounded.push(name);
  }
  return { largest, unbounded };
}
