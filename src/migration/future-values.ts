/** SQL for the values that a field will have after a migration, over the table before it. */
import type { Field } from '../definition/types.ts';
import { columnName, quoted } from '../shared/sql.ts';
import { isScalarColumn } from '../types/registry.ts';
import type { SqlConversion } from '../types/sql-conversion.ts';
import { conversionOf } from './conversion.ts';
import { backfillSql } from './backfill.ts';
import type { CollectionPair, FieldPair } from './compare-models.ts';

/** The conversion of a kept field. */
export function conversionIn({ before, now }: FieldPair): SqlConversion {
  const conversion = conversionOf(before.type, now.type);
  if (conversion === undefined) throw new Error(`${now.name} cannot be converted`);
  return conversion;
}

/** The new value where a column is not null; null stays null. */
export function convertedSql(pair: FieldPair, column: string): string {
  const conversion = conversionIn(pair);
  const value = conversion.sql(column);
  // The functions that make JSON have a value for null.
  return isScalarColumn(pair.now.type) || conversion.isIdentity === true
    ? value
    : `case when ${column} is not null then ${value} end`;
}

/** The backfill of a kept field that becomes required. */
export const backfillOfNowRequired = ({ before, now }: FieldPair): string | undefined =>
  now.required && !before.required ? backfillSql(now) : undefined;

/** The value that a field will have, over the table as it was before; undefined for null. */
export function futureValue(pair: CollectionPair, field: Field): string | undefined {
  const origin = [...pair.copies, ...pair.fields].find(({ now }) => now === field);
  if (origin === undefined) return backfillSql(field);
  const column = quoted(columnName(origin.before.name));
  const value = convertedSql(origin, column);
  const fill = backfillOfNowRequired(origin);
  if (fill !== undefined) return `coalesce(${value}, ${fill})`;
  return value === column ? column : `(${value})`;
}
