/** Compares the key of an existing table, as a definition describes it, with that of a database. */
import { ownMember } from '../../shared/json.ts';
import { baseType } from '../../database/base-type.ts';
import type { DatabaseColumn } from '../../database/database-schema.ts';
import type { CollectionDefinition } from '../../definition/types.ts';
import { enumerate, quote } from '../../reading/quote.ts';

/** The types of keys, by those of columns. */
const KEY_OF_TYPE: Readonly<Record<string, CollectionDefinition['key']>> = {
  uuid: 'uuid',
  int2: 'smallint',
  int4: 'integer',
  int8: 'bigint',
  text: 'string',
  varchar: 'string',
};

/** @param isKey whether a unique index is over the column alone. @returns a sentence for each difference. */
export function compareKey(
  column: DatabaseColumn,
  { key, keySource }: CollectionDefinition,
  name: string,
  isKey: boolean,
): string[] {
  const type = baseType(column.type).name;
  const fits = ownMember(KEY_OF_TYPE, type) === key;
  const isNumbered = keySource !== 'database' || column.isIdentity || column.default !== null;
  return [
    ...(fits ? [] : [wrongType(column, name, `the key is ${key}`)]),
    ...((column.isGenerated || column.isAlwaysIdentity) && keySource === 'client'
      ? [`${quote(column.name)} of ${name} is always generated, and requests send the id`]
      : []),
    ...(key === 'string' && !column.comparesExactly
      ? [`${quote(column.name)} of ${name} is the key, and treats different texts as equal`]
      : []),
    ...(isNumbered ? [] : [`${quote(column.name)} of ${name} is the key, and has no sequence`]),
    ...(isKey
      ? []
      : [`${quote(column.name)} of ${name} is the key, and has no unique index of its own`]),
  ];
}

/**
 * Compares the columns of a key of fields; missing ones are told with the fields.
 * @param isKey whether a unique index is over these columns alone.
 * @returns a sentence for each difference.
 */
export function compareKeyFields(
  names: readonly string[],
  columns: ReadonlyMap<string, DatabaseColumn>,
  name: string,
  isKey: boolean,
): string[] {
  const found = names.flatMap((one) => columns.get(one) ?? []);
  const shown = enumerate(names.map(quote), 'and');
  const inexact = found.filter((one) => !one.comparesExactly);
  return [
    ...inexact.map(
      (one) => `${quote(one.name)} of ${name} is of the key, and treats different texts as equal`,
    ),
    ...(isKey
      ? []
      : [
          `the key of ${name} is ${shown}, and no unique index is over ${names.length === 1 ? 'it' : 'these'} alone`,
        ]),
  ];
}

/** What is wrong with the type of a column. */
export const wrongType = (
  { name: column, definition }: DatabaseColumn,
  name: string,
  what: string,
): string => `${quote(column)} of ${name} is ${definition}, and ${what}`;
