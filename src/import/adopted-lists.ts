/** The indexes of an adopted table → `sort` and `filter` of a collection. */
import type { DatabaseTable } from '../database/database-schema.ts';
import { LIST_PARAMETERS } from '../definition/field-lists.ts';
import { comparesLikeService } from './adopted-column-type.ts';
import type { AdoptedTimes } from './adopted-history.ts';
import { tableDifference } from './difference.ts';
import type { Difference } from './difference.ts';
import { isComparable, uniqueKeysOf } from './propose-field.ts';
import type { ProposedField } from './propose-field.ts';

interface AdoptedLists {
  readonly sort: readonly string[];
  readonly filter: readonly string[];
  readonly differences: readonly Difference[];
}

/** Lists are sorted and filtered only by what an index begins with: the service creates no index. */
export function proposeAdoptedLists(
  table: DatabaseTable,
  fields: readonly ProposedField[],
  times: AdoptedTimes,
): AdoptedLists {
  const first = firstColumns(table);
  const isReference = ({ definition }: ProposedField): boolean => definition.type === 'reference';
  const isParameter = ({ name }: ProposedField): boolean => LIST_PARAMETERS.has(name);
  const comparable = fields.filter(
    (field) =>
      isReference(field) || (isComparable(field.definition) && comparesLikeService(field.column)),
  );
  const indexed = comparable.filter(({ column }) => first.has(column.name));
  const without = fields.filter((field) => isReference(field) && !indexed.includes(field));
  return {
    sort: [
      ...Object.entries(times).flatMap(([time, { name }]) => (first.has(name) ? [time] : [])),
      ...indexed.filter((field) => !isReference(field)).map(({ name }) => name),
    ],
    filter: indexed.filter((field) => !isParameter(field)).map(({ name }) => name),
    differences: [
      ...indexed.filter(isParameter).map(({ name }) => {
        const text = `lists cannot be filtered by ${name}: each list has a parameter of that name`;
        return tableDifference('index', text);
      }),
      ...without.map(({ column, name }): Difference => {
        const text = `is not the first column of an index: lists cannot be filtered by ${name}`;
        return { code: 'index-missing', columns: [column.name], text };
      }),
    ],
  };
}

/** The first column of each index that has all rows in order. */
function firstColumns(table: DatabaseTable): ReadonlySet<string | null | undefined> {
  const indexes = table.indexes.filter(({ method }) => method === 'btree');
  return new Set(
    [...uniqueKeysOf(table), ...indexes]
      .filter(({ where }) => where === null)
      .map(({ columns }) => columns[0]),
  );
}
