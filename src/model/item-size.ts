/** How large an item can be as JSON, by what the database enforces. */
import type { Field } from '../definition/types.ts';
import { TIMESTAMP_BYTES } from '../types/date.ts';
import { specOf } from '../types/registry.ts';
import { keySpec } from '../types/key.ts';
import type { KeyType } from '../types/key.ts';

const NULL = 4;
/** What a member has beside its name and its value: two quotes, a colon, and a comma. */
const NAME = 4;

/** What every item has beside the value of its id: two times, with the commas, and the brackets. */
const OWN = '"id":'.length + 2 * ('"created_at":'.length + TIMESTAMP_BYTES) + 6;

/** Bounds on the size of an item. */
export interface ItemSize {
  /** Bytes of an item as JSON at most, with a comma after it, without the values of `unbounded`. */
  readonly largest: number;
  /** The fields whose values have no bound in the database. */
  readonly unbounded: readonly string[];
}

/** The size of items with such ids and these fields. */
export function itemSize(key: KeyType, fields: readonly Field[]): ItemSize {
  const unbounded: string[] = [];
  let largest = OWN + keySpec(key).jsonBytes;
  for (const { name, type } of fields) {
    const bytes = specOf(type).jsonBytes(type);
    largest += name.length + NAME;
    if (Number.isFinite(bytes)) largest += Math.max(NULL, bytes);
    else unbounded.push(name);
  }
  return { largest, unbounded };
}
