/** `compositeRowId`: ids that consist of the values of several columns. */
import { isCompositeId } from '../http/composite-ids.ts';
import type { IdPart } from '../http/composite-ids.ts';
import type { RowId } from './row-id.ts';

/** @param parts the columns. */
export function compositeRowId(parts: readonly IdPart[]): RowId {
  const columns = parts.map(({ expression }) => expression);
  return {
    type: 'text',
    isId: (text) => isCompositeId(text, parts),
    // By the id itself, and by its parts, for the index of the key.
    condition: `"id" = $1 and (${columns.join(', ')}) = (${valuesOf(parts, '$1').join(', ')})`,
    order: { columns, valuesOf: (id) => valuesOf(parts, id) },
    tombstones: '_text_tombstones',
    tombstoneType: 'text',
    isReused: true,
  };
}

/** The SQL of the value of each part. @param id in SQL. */
const valuesOf = (parts: readonly IdPart[], id: string): string[] =>
  parts.map(({ type }, at) => {
    const part = `split_part(${id}, '~', ${at + 1})`;
    return type === 'text'
      ? `replace(replace(${part}, '%7E', '~'), '%25', '%')`
      : `${part}::${type}`;
  });
