/** The members of existing tables whose columns can hold values that no request can send: `NaN`, months, `24:00`. */
import type { Field } from '../definition/types.ts';
import { arrayEntryType } from './array-column.ts';
import { isExisting } from './existing.ts';
import type { Collection } from './types.ts';

const TYPES = ['decimal', 'duration', 'number', 'time'] as const;

type OtherType = (typeof TYPES)[number];

/** The type whose columns can hold other values; undefined if there are none, or if both bounds of the field exclude them. */
function otherType(field: Field): OtherType | undefined {
  const type = arrayEntryType(field) ?? field.type;
  const { minimum, maximum } = type as { readonly minimum?: unknown; readonly maximum?: unknown };
  const isBounded = minimum !== undefined && maximum !== undefined;
  return field.writeOnly || isBounded ? undefined : TYPES.find((one) => one === type.type);
}

/** The members of a collection whose answers can have other values, with their types. */
export const membersWithOtherValues = (
  collection: Collection,
): readonly (readonly [name: string, type: OtherType])[] =>
  isExisting(collection)
    ? collection.definition.fields.flatMap((field) => {
        const type = otherType(field);
        return type === undefined ? [] : [[field.name, type] as const];
      })
    : [];
