/** Ids that consist of the values of several columns, in SQL. */

/** A part of an id. */
export interface IdPart {
  /** The column, in SQL. One of an enum type is cast to text, so the index of the key cannot find its values. */
  readonly expression: string;
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
export const idCondition = (parts: readonly IdPart[] | undefined): string =>
  parts === undefined
    ? '"id" = $1'
    : `"id" = $1 and (${parts.map(({ expression }) => expression).join(', ')}) = (${partsOf(parts, '$1').join(', ')})`;
