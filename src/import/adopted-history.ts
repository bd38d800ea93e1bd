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

/** Finds the columns of the times. A column with another name is taken only if it is the only one. */
export function adoptedTimes({ columns }: DatabaseTable, settings: AdoptSettings): AdoptedTimes {
  const fit = columns.filter((column) => isTime(column, settings));
  return Object.fromEntries(
    BUILT_IN_TIMES.flatMap((time) => {
      const column = columnOf(time, fit);
      return column === undefined ? [] : [[time, column]];
    }),
  );
}

function columnOf(time: BuiltInTime, fit: readonly DatabaseColumn[]): DatabaseColumn | undefined {
  const exact = fit.find(({ name }) => name === time);
  if (exact !== undefined) return exact;
  const spelled = fit.filter(({ name }) => caseOf(name, '_') === time);
  const others = fit.filter(({ name }) => OTHER_NAMES[time].includes(caseOf(name, '_')));
  const candidates = spelled.length === 0 ? others : spelled;
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** Whether a column is a timestamp with a name such as `last_update`. */
export const hasUpdatedAtName = ({ name, type }: DatabaseColumn): boolean =>
  baseType(type).name.startsWith('timestamp') && OTHER_NAMES.updated_at.includes(caseOf(name, '_'));

/** Whether the service can set a column to a time with each change. */
function isTime(
  { type: { schema, name }, notNull, isGenerated }: DatabaseColumn,
  { timestamps }: AdoptSettings,
): boolean {
  if (schema !== 'pg_catalog' || !notNull || isGenerated) return false;
  return name === 'timestamptz' || (name === 'timestamp' && timestamps === 'utc');
}

/** `history` as it is written; none if the columns have the names of the members. */
export function historyDefinition(times: AdoptedTimes): { readonly history?: unknown } {
  if (BUILT_IN_TIMES.every((time) => times[time]?.name === time)) return {};
  return {
    history: Object.fromEntries(Object.entries(times).map(([time, { name }]) => [time, name])),
  };
}

/** Why a column that would be called `created_at` or `updated_at` is left out. */
export function timeLeftOut(column: DatabaseColumn, settings: AdoptSettings): Difference {
  const { definition, notNull, type } = column;
  if (isTime(column, settings)) {
    return columnLeftOut(column, 'timestamps', 'another column has the values of that member');
  }
  if (type.name === 'timestamp' && notNull && settings.timestamps === undefined) {
    return columnLeftOut(column, 'timestamp-without-zone', WITHOUT_ZONE);
  }
  const actual = `${definition}${notNull ? ' not null' : ''}`;
  const reason = `it is ${actual}, and a member of that name is timestamp with time zone not null`;
  return columnLeftOut(column, 'timestamps', reason);
}
