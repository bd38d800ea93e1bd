/** Ids that consist of the values of several columns, in SQL. */

/** A part of an id. */
export interface IdPart {
  /** What is compared, in SQL: the column; of an enum type, its text, which the index of the key does not have. */
  readonly column: string;
  readonly type: 'bigint' | 'integer' | 'smallint' | 'text' | 'uuid';
}

/** The SQL of each part of an id. @param id in SQL. */
export const partsOf = (parts: readonly IdPart[], id: string): string[] =>
  parts.map(({ type }, at) => {
    const part = `split_part(${id}, '~', ${at + 1})`;
    return type === 'text'
      ? `replace(replace(${part}, '%7E', '~'), '%25', '%')`
      : `${part}::${type}`;
  });

/** The condition for the row with the id `$1`: by the id itself, and by its parts, for the index of the key. */
export const hasId = (parts: readonly IdPart[] | undefined): string =>
  parts === undefined
    ? '"id" = $1'
    : `"id" = $1 and (${parts.map(({ column }) => column).join(', ')}) = (${partsOf(parts, '$1').join(', ')})`;
