/** The type of a column → the type of a field of an adopted table, which uses the column as it is. */
import { baseType } from '../database/base-type.ts';
import type { DatabaseColumn, DatabaseType } from '../database/database-schema.ts';
import { nameWithSchema } from '../definition/existing-table.ts';
import { ARRAY_ENTRY_TYPES } from '../definition/stored.ts';
import { ownMember } from '../shared/json.ts';
import type { TypeName } from '../types/registry.ts';
import { columnType } from './column-type.ts';
import { domainBounds } from './domain-bounds.ts';
import type { DomainBounds } from './domain-bounds.ts';
import type { ColumnType, FieldTypeDefinition } from './column-type.ts';
import { columnDifference, columnLeftOut } from './difference.ts';
import type { Difference, DifferenceCode } from './difference.ts';

/** The options for adopted tables: those that definitions use as they are. */
export interface AdoptSettings {
  /** The time zone of timestamps without time zone; undefined: they are left out. */
  readonly timestamps: 'utc' | undefined;
  /**
   * The columns that mark removed rows, by their tables, with the schema if it is not `public`: those that somebody has
   * named. Of other columns only the report says that they may be.
   */
  readonly softDeleteColumns?: ReadonlyMap<string, string>;
  /** The columns of the ids in the last import, by their tables, which keep them. */
  readonly previousIdColumns?: ReadonlyMap<string, readonly string[]>;
}

/** Why a timestamp without time zone is left out. */
export const WITHOUT_ZONE =
  'it has no time zone. If its times are in UTC, import with --timestamps utc';

/** Types whose values the service would change, or could not compare as the database does. */
const NOT_ADOPTED_TYPES: ReadonlySet<string> = new Set(['cidr', 'name']);

/** Finds the field type of a column that stays as it is. */
export function adoptedColumnType(column: DatabaseColumn, settings: AdoptSettings): ColumnType {
  const { definition } = column;
  const base = baseType(column.type);
  const leaveOut = (code: DifferenceCode, reason: string): ColumnType => ({
    differences: [columnLeftOut(column, code, reason)],
  });
  if (base.element !== undefined) {
    return (
      adoptedArray(column) ??
      leaveOut('native-array', `the array ${definition} cannot be used in place`)
    );
  }
  if (base.schema === 'pg_catalog' && NOT_ADOPTED_TYPES.has(base.name)) {
    return leaveOut('type-in-place', `${definition} cannot be used in place`);
  }
  if (isWithoutZone(base) && settings.timestamps === undefined) {
    return leaveOut('timestamp-without-zone', WITHOUT_ZONE);
  }
  if (base.kind === 'enum' && hasDot(base)) {
    return leaveOut('name-with-dot', `the name of its type ${definition} has a dot`);
  }
  if (base.name === 'tsvector') return leaveOut('column-type', 'tsvector has no JSON form');
  const { type, differences } = columnType(column);
  if (type === undefined) return { differences };
  const bounds = domainBounds(column.type);
  return {
    type: {
      ...type,
      ...(base.kind === 'enum' && {
        stored: nameWithSchema({ schema: base.schema, table: base.name }),
      }),
      ...(base.schema === 'pg_catalog' && base.name === 'bpchar' && { pattern: UNPADDED }),
      ...(type.type === 'integer' && bounds),
    },
    differences: [
      ...adoptedDifferences(column, base, type.type === 'integer' ? bounds : undefined),
      ...otherValues(column, base),
    ],
  };
}

/** The list type of an array column that can be used in place; undefined if the type of its entries is not supported. */
function adoptedArray(column: DatabaseColumn): ColumnType | undefined {
  const { element } = baseType(column.type);
  const { type } = columnType(column);
  const { of } = (type ?? {}) as { readonly of?: FieldTypeDefinition };
  if (element === undefined || type === undefined || of === undefined) return undefined;
  const entry = baseType(element);
  const isEntry = ARRAY_ENTRY_TYPES.has(of.type as TypeName) && entry.name !== 'bpchar';
  if (!isEntry || NOT_ADOPTED_TYPES.has(entry.name)) return undefined;
  const bounds = of.type === 'integer' ? domainBounds(element) : undefined;
  const rules = [...column.type.checks, ...(bounds === undefined ? element.checks : [])];
  const text = `is ${column.definition}, with checks of its own: ${rules.join(' and ')}`;
  return {
    type: { ...type, of: { ...of, ...bounds }, stored: 'array' },
    differences: [
      ...(rules.length === 0 ? [] : [columnDifference(column, 'domain', text)]),
      ...otherValues(column, entry),
    ],
  };
}

/** What columns of a type can hold and fields cannot have, and the defaults that are such values. */
const OTHER_VALUES: Readonly<Record<string, readonly [values: string, isDefault: RegExp]>> = {
  interval: [
    'months, years and negative intervals',
    /^'(?:[^']*(?:mon|year|-|infinity)|P[0-9]+[YM])/i,
  ],
  float4: ['NaN and Infinity', /'-?(?:nan|infinity)'/i],
  float8: ['NaN and Infinity', /'-?(?:nan|infinity)'/i],
  numeric: ['NaN', /'nan'/i],
  time: ['24:00', /'24:/],
};
/** Of times, only a default is worth a line: each table has times. */
const OTHER_TIMES = /'-?infinity|BC'/i;

function otherValues(column: DatabaseColumn, base: DatabaseType): readonly Difference[] {
  const { default: sql, isGenerated } = column;
  if (base.schema !== 'pg_catalog') return [];
  const isTime = ['date', 'timestamp', 'timestamptz'].includes(base.name);
  const [values, isOther] = isTime
    ? ['infinity and dates before the year 1', OTHER_TIMES]
    : (ownMember(OTHER_VALUES, base.name) ?? []);
  const isDefault = !isGenerated && sql !== null && isOther?.test(sql) === true;
  if (values === undefined || (isTime && !isDefault)) return [];
  const made = isDefault ? `; its default ${sql} is such a value` : '';
  const text = `can hold ${values}: items show such a value, and requests cannot send it (422)${made}`;
  return [columnDifference(column, 'other-values', text)];
}

/** Texts of `char(n)`: blanks at the end are no part of the value. */
const UNPADDED = '^(?:[\\s\\S]*[^ ])?$';

/** Whether a name cannot be written with that of its schema and a dot before it. */
export const hasDot = ({ schema, name }: Pick<DatabaseType, 'schema' | 'name'>): boolean =>
  schema.includes('.') || name.includes('.');

const isWithoutZone = ({ schema, name }: DatabaseType): boolean =>
  schema === 'pg_catalog' && name === 'timestamp';

/** Whether values that the service compares as different are different for the database, and as exact. */
export const comparesLikeService = ({ type, comparesExactly }: DatabaseColumn): boolean =>
  comparesExactly && baseType(type).name !== 'float4';

function adoptedDifferences(
  column: DatabaseColumn,
  base: DatabaseType,
  bounds: DomainBounds | undefined,
): readonly Difference[] {
  const { type, definition, comparesExactly } = column;
  const domain = `is the domain ${definition}, with checks of its own: ${type.checks.join(' and ')}`;
  const comparison = `is ${definition}, which can treat different texts as equal: lists are neither sorted nor filtered by it`;
  return [
    ...(type.kind === 'domain' && type.checks.length > 0 && bounds === undefined
      ? [columnDifference(column, 'domain', domain)]
      : []),
    ...(comparesExactly ? [] : [columnDifference(column, 'comparison', comparison)]),
    ...(base.schema === 'pg_catalog' && base.name === 'float4'
      ? [
          columnDifference(
            column,
            'single-precision',
            `is ${definition}: lists are neither sorted nor filtered by it`,
          ),
        ]
      : []),
  ];
}
