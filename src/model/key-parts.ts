/** Ids that consist of the values of several columns, in SQL. In an id, `%` and `~` of a text are `%25` and `%7E`. */
import type { Column } from './columns.ts';
import type { Collection } from './types.ts';

const PART_TYPES = ['bigint', 'integer', 'smallint', 'uuid'] as const;

/** A part of an id. */
export interface KeyPart {
  readonly column: Column;
  /** What it is compared as. */
  readonly type: (typeof PART_TYPES)[number] | 'text';
}

/** The parts of the ids of a collection; empty, if they do not consist of several values. */
export const keyPartsOf = ({ definition, table }: Collection): readonly KeyPart[] =>
  definition.key !== 'composite'
    ? []
    : (definition.keyFields ?? []).flatMap((name) => {
        const column = table.columns.find(({ field }) => field === name);
        return column === undefined ? [] : [{ column, type: typeOf(column) }];
      });

function typeOf({ cast }: Column): KeyPart['type'] {
  return PART_TYPES.find((type) => type === cast) ?? 'text';
}

/** A part as it is compared. @param column its column, quoted. */
export const comparedPart = ({ column }: KeyPart, name: string): string =>
  column.isNativeEnum === true ? `(${name}::text collate "C")` : name;

/** The id of a row. @param nameOf the column of a part in SQL. */
export const idOfParts = (parts: readonly KeyPart[], nameOf: (column: Column) => string): string =>
  parts
    .map(({ column, type }) => {
      const text = `${nameOf(column)}::text`;
      // Without a collation of its own, a view could not join texts of different ones.
      return type === 'text'
        ? `replace(replace(${text} collate "C", '%', '%25'), '~', '%7E')`
        : text;
    })
    .join(` || '~' || `);

/** The parts of an id. @param id in SQL. */
export const partsOfId = (parts: readonly KeyPart[], id: string): string[] =>
  parts.map(({ type }, at) => {
    const part = `split_part(${id}, '~', ${at + 1})`;
    return type === 'text'
      ? `replace(replace(${part}, '%7E', '~'), '%25', '%')`
      : `${part}::${type}`;
  });
