/** The columns of an adopted table that become `created_at` and `updated_at`. */
import type { DatabaseColumn, DatabaseTable } from '../database/database-schema.ts';
import { baseType } from '../database/base-type.ts';
import { caseOf } from '../definition/names.ts';
import { BUILT_IN_TIMES } from '../shared/built-in-members.ts';
import type { BuiltInTime } from '../shared/built-in-members.ts';
import type { AdoptSettings } from './adopted-column-type.ts';
import { WITHOUT_ZONE } from './adopted-column-type.ts';
import { columnLeftOut } from './difference.ts';
import type { Difference } from './difference.ts';

/** The columns of the times that a table has. */
export type AdoptedTimes = Readonly<Partial<Record<BuiltInTime, DatabaseColumn>>>;

/** What other programs call the columns. */
const OTHER_NAMES: Readonly<Record<BuiltInTime, readonly string[]>> = {
  created_at: [],
  updated_at: ['last_update', 'updated', 'modified_at', 'last_modified'],
};

/**
 * Finds the columns of the times. A column with another name is taken only if it is the only one, and takes no nulls: its
 * name alone does not say that the service may set it.
 */
export function adoptedTimes({ columns }: DatabaseTable, settings: AdoptSettings): AdoptedTimes {
  const fit = columns.filter((column) => isTime(column, settings));
  return Object.fromEntries(
    BUILT_IN_TIMES.flatMap((time) => {
      const column = columnOf(time, fit);
      return column === undefined ? [] : [[time, column]];
    }),
  );
}

/** A column that takes no nulls comes first. */
function columnOf(time: BuiltInTime, fit: readonly DatabaseColumn[]): DatabaseColumn | undefined {
  const spelledIn = (columns: readonly DatabaseColumn[]): readonly DatabaseColumn[] => {
    const exact = columns.filter(({ name }) => name === time);
    return exact.length > 0 ? exact : columns.filter(({ name }) => caseOf(name, '_') === time);
  };
  const notNull = fit.filter((column) => column.notNull);
  const others = notNull.filter(({ name }) => OTHER_NAMES[time].includes(caseOf(name, '_')));
  const candidates = [spelledIn(notNull), others, spelledIn(fit)].find((one) => one.length > 0);
  return candidates?.length === 1 ? candidates[0] : undefined;
}

/** Whether a column is a timestamp with a name such as `last_update`. */
export const hasUpdatedAtName = ({ name, type }: DatabaseColumn): boolean =>
  baseType(type).name.startsWith('timestamp') && OTHER_NAMES.updated_at.includes(caseOf(name, '_'));

/** Whether the service can set a column to a time with each change. */
function isTime(
  { type: { schema, name }, isGenerated }: DatabaseColumn,
  { timestamps }: AdoptSettings,
): boolean {
  if (schema !== 'pg_catalog' || isGenerated) return false;
  return name === 'timestamptz' || (name === 'timestamp' && timestamps === 'utc');
}

/** `history` as it is written; none if the columns have the names of the members, and take no nulls. */
export function historyDefinition(times: AdoptedTimes): { readonly history?: unknown } {
  const isPlain = (time: BuiltInTime): boolean => times[time]?.name === time && times[time].notNull;
  if (BUILT_IN_TIMES.every(isPlain)) return {};
  return {
    history: Object.fromEntries(
      Object.entries(times).map(([time, { name, notNull }]) => [
        time,
        notNull ? name : { column: name, nullable: true },
      ]),
    ),
  };
}

/** Why a column that would be called `created_at` or `updated_at` is left out. */
export function timeLeftOut(
  column: DatabaseColumn,
  table: DatabaseTable,
  settings: AdoptSettings,
): Difference {
  const { definition, type } = column;
  if (isTime(column, settings)) {
    const time = BUILT_IN_TIMES.find((one) => one === caseOf(column.name, '_'));
    const taken = time && adoptedTimes(table, settings)[time];
    const reason =
      taken === undefined
        ? 'another column has the same name in snake_case, and nothing says which of them is that member'
        : `the column ${taken.name} has the values of that member`;
    return columnLeftOut(column, 'timestamps', reason);
  }
  if (column.isGenerated) {
    const reason = 'the database computes it, and the service sets the member of that name';
    return columnLeftOut(column, 'timestamps', reason);
  }
  if (type.name === 'timestamp' && settings.timestamps === undefined) {
    return columnLeftOut(column, 'timestamp-without-zone', WITHOUT_ZONE);
  }
  const reason = `it is ${definition}, and the member of that name is a timestamp`;
  return columnLeftOut(column, 'timestamps', reason);
}
