/**
 * SQL for the rows of an existing table, in the form that the service answers. It reads the table and not the view of the
 * service, and the values are not those that the emitted code makes of them: only the order of enums and of long texts is
 * written in one place for both.
 */
import { arrayEntryType } from '../model/array-column.ts';
import { beginningOf, sourceOf } from '../model/columns.ts';
import type { Column } from '../model/columns.ts';
import { columnOfMember, existingOf, hasSoftDelete } from '../model/existing.ts';
import { comparedPart, idOfParts, keyPartsOf, partsOfId } from '../model/key-parts.ts';
import type { KeyPart } from '../model/key-parts.ts';
import type { Collection } from '../model/types.ts';
import { quoted } from '../shared/sql.ts';
import type { JsonValue } from '../shared/json.ts';
import { isKept } from '../shared/soft-delete.ts';
import { keySpec } from '../types/key.ts';
import { specOf } from '../types/registry.ts';
import type { FieldType, ScalarType, TypeName } from '../types/registry.ts';

/** The rows of a collection with an existing table. Ids are texts, as in answers. */
export interface StoredTable {
  /** The schema and the name, quoted. */
  readonly name: string;
  /** The members that answers show. */
  readonly members: readonly string[];
  /** The members that no answer shows. */
  readonly writeOnly: readonly string[];
  /**
   * Selects rows in the order of their keys. Parameters: the id that they come after or null, the id of the last one or
   * null, and how many at most.
   */
  readonly selectRange: string;
  /** Selects the row with an id. */
  readonly selectRow: string;
  /** Whether PostgreSQL can read each part of a text as what it is compared as, if ids consist of several values. */
  readonly isCompositeId: (id: string) => boolean;
  /**
   * Selects the rows with some ids, in their order: ids, revisions, and whether they come after another id. Parameters: the
   * ids, and that other one or null.
   */
  readonly selectRevisions: string;
  /** Counts the rows that are marked as removed; undefined without soft_delete. */
  readonly countRemoved: string | undefined;
  /** Selects the ids of the first rows in the order of a list. @param sort as in a request; empty: by id. */
  readonly selectIds: (sort: string, limit: number) => string;
}

/** A row that was selected: its id, and the values of the members in their order. */
export interface StoredRow {
  readonly id: string;
  /** Another one after each change. */
  readonly revision: string;
  readonly values: readonly JsonValue[];
  /** The texts of values that the types of the members do not have, such as `infinity`; null for all others. */
  readonly unrepresentable: readonly (string | null)[];
}

/** @param collection one with an existing table, as the current version has it. */
export function storedTable(collection: Collection): StoredTable {
  const { definition, table } = collection;
  const existing = existingOf(table);
  const name = `${quoted(existing.schema)}.${quoted(existing.table)}`;
  // Qualified: in `order by`, a plain name is a column of the result.
  const qualified = (column: string): string => `"row".${quoted(column)}`;
  const key = keyOf(collection, qualified);
  const parts = keyPartsOf(collection);
  const fields = definition.fields.filter(({ name: own, writeOnly }) => !writeOnly && own !== 'id');
  const typed: readonly (readonly [member: string, type: FieldType])[] = [
    ...fields.map((field) => [field.name, field.type] as const),
    ...definition.times.map((time) => [time, { type: 'timestamp' }] as const),
  ];
  const entryTypes = new Map(fields.map((field) => [field.name, arrayEntryType(field)]));
  const columnOf = (member: string): string => qualified(columnOfMember(definition, member));
  const values = typed.map(([member, type]) => {
    const entryType = entryTypes.get(member);
    const column = columnOf(member);
    return entryType === undefined ? jsonOf(type, column) : jsonOfArray(entryType, column);
  });
  const unrepresentable = typed.map(([member, type]) => {
    const entryType = entryTypes.get(member);
    const column = columnOf(member);
    const condition =
      entryType === undefined
        ? unrepresentableCondition(type, column)
        : unrepresentableArray(entryType, column);
    return condition === undefined ? 'null' : `case when ${condition} then ${column}::text end`;
  });
  const { softDelete } = existing;
  const isKeptRow = softDelete && isKept(qualified(softDelete.column), softDelete);
  const kept = isKeptRow === undefined ? '' : ` and ${isKeptRow}`;
  const revision = `"row".xmin::text || ':' || "row".ctid::text as "revision"`;
  const select =
    `select ${key.id} as "id", ${revision}, array_to_json(array[${values.join(', ')}]::json[]) as "values", ` +
    `array[${unrepresentable.join(', ')}]::text[] as "unrepresentable" from ${name} as "row"`;
  const orderOf = (part: string): string => {
    const [member, direction] = part.startsWith('-') ? [part.slice(1), 'desc'] : [part, 'asc'];
    const type = typed.find(([one]) => one === member)?.[1];
    if (type === undefined) throw new Error(`lists are not sorted by ${member}`);
    // Nulls are last in ascending and first in descending order: the default of PostgreSQL.
    return `${orderBy(type, columnOf(member))} ${direction}, ${key.order(direction)}`;
  };
  return {
    name,
    members: typed.map(([member]) => member),
    writeOnly: definition.fields.filter((field) => field.writeOnly).map((field) => field.name),
    isCompositeId: (id) => {
      const own = id.split('~');
      return own.length === parts.length && parts.every((part, at) => isPart(part, own[at] ?? ''));
    },
    selectRow: `${select} where ${key.columns} = (${key.values('$1::text')})${kept}`,
    selectRange:
      `${select} where ($1::text is null or ${key.columns} > (${key.values('$1::text')})) and ($2::text is null or ${key.columns} <= (${key.values('$2::text')}))${kept}` +
      ` order by ${key.order('asc')} limit $3`,
    selectRevisions:
      `select ${key.id} as "id", ${revision}, $2::text is null or ${key.columns} > (${key.values('$2::text')}) as "isAfter" ` +
      `from ${name} as "row" where ${key.columns} in (select ${key.values('"one"')} from unnest($1::text[]) as "one")${kept}` +
      ` order by ${key.order('asc')}`,
    countRemoved:
      isKeptRow &&
      `select count(*)::float8 as "rows" from ${name} as "row" where not (${isKeptRow})`,
    selectIds: (sort, limit) =>
      `select ${key.id} as "id" from ${name} as "row" where true${kept} order by ${sort === '' ? key.order('asc') : orderOf(sort)} limit ${limit}`,
  };
}

/** Whether PostgreSQL can read a text as what a part is compared as. */
const isPart = ({ type }: KeyPart, text: string): boolean =>
  type === 'text' || keySpec(type).isId(text);

/** A key in SQL. */
interface StoredKey {
  /** The id as a text. */
  readonly id: string;
  readonly columns: string;
  readonly order: (direction: string) => string;
  /** What the columns are compared with, separated by commas. @param id an id as a text, in SQL. */
  readonly values: (id: string) => string;
}

function keyOf(collection: Collection, qualified: (column: string) => string): StoredKey {
  const { definition, table } = collection;
  const parts = keyPartsOf(collection);
  if (parts.length === 0) {
    const column = qualified(existingOf(table).keyColumns[0]);
    return {
      id: `${column}::text`,
      columns: column,
      order: (direction) => `${column} ${direction}`,
      values: (id) => `${id}::${keySpec(definition.key).sql}`,
    };
  }
  const nameOf = (column: Column): string => qualified(sourceOf(column));
  const columns = parts.map((part) => comparedPart(part, nameOf(part.column)));
  return {
    id: idOfParts(parts, nameOf),
    columns: `(${columns.join(', ')})`,
    order: (direction) => columns.map((column) => `${column} ${direction}`).join(', '),
    values: (id) => partsOfId(parts, id).join(', '),
  };
}

/** The stored value, converted to the type of the field as far as types of PostgreSQL differ. */
const cast = (type: FieldType, column: string): string => {
  const { cast: to } = specOf(type).column(type);
  return `${column}::${to}`;
};

function jsonOf(type: FieldType, column: string): string {
  const spec = specOf(type);
  const isPlain = spec.isOwnJson === true || spec.isJson === true;
  if (isPlain) return `to_json(${column})`;
  const value = `(${cast(type, column)})`;
  // Days, which tables of the service never have, stay days.
  const text = type.type === 'duration' ? `${value}::text` : spec.toText(type, value);
  const condition = UNREPRESENTABLE[type.type]?.(value);
  // The conversion of such a value may fail.
  return `to_json(${condition === undefined ? text : `case when ${condition} then null else ${text} end`})`;
}

/** Entries are converted one by one. An array of several dimensions is not a value of the field. */
function jsonOfArray(entryType: ScalarType, column: string): string {
  const entries = `select json_agg(${jsonOf(entryType, '"entry"."value"')} order by "entry"."place")
    from unnest(${column}) with ordinality as "entry"("value", "place")`;
  return `case when ${column} is not null then coalesce((${entries}), '[]') end`;
}

/** The condition of values that a field of the type cannot have, though the column can; undefined if there are none. */
const unrepresentableCondition = (type: FieldType, column: string): string | undefined =>
  UNREPRESENTABLE[type.type]?.(`(${cast(type, column)})`);

/** The same of arrays: of those with such an entry, or with several dimensions. */
function unrepresentableArray(entryType: ScalarType, column: string): string {
  const ofEntry = unrepresentableCondition(entryType, '"entry"."value"');
  const hasDimensions = `array_ndims(${column}) > 1`;
  if (ofEntry === undefined) return hasDimensions;
  return `${hasDimensions} or exists (select from unnest(${column}) as "entry"("value") where ${ofEntry})`;
}

const isOutOfCalendar = (value: string): string =>
  `not isfinite(${value}) or ${value} < '0001-01-01' or ${value} >= '10000-01-01'`;
const isNoNumber = (value: string): string => `${value}::text in ('NaN', 'Infinity', '-Infinity')`;

const UNREPRESENTABLE: Readonly<Partial<Record<TypeName, (value: string) => string>>> = {
  date: isOutOfCalendar,
  timestamp: isOutOfCalendar,
  decimal: isNoNumber,
  duration: (value) =>
    `${value} < '0' or extract(year from ${value}) <> 0 or extract(month from ${value}) <> 0`,
  number: isNoNumber,
  time: (value) => `${value} = '24:00'`,
};

function orderBy(type: FieldType, column: string): string {
  const value = `(${cast(type, column)})`;
  const { orderBy: own, maxCharacters } = specOf(type);
  if (own !== undefined) return own(type, value);
  return maxCharacters === undefined ? value : `${beginningOf(value)} collate "C"`;
}

/** Whether two JSON values are equal: the order of members is free, and 0 equals -0. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) && isSameJson((one as Values)[name], (other as Values)[name]),
    )
  );
}

type Values = Readonly<Record<string, unknown>>;

interface ShownReference {
  readonly member: string;
  readonly path: string;
  /** The statuses that the item may have: that of a removed one, if its row stays. */
  readonly statuses: readonly number[];
}

/** The references of a collection that answers show, each with the path of the collection that it refers to. */
export const shownReferences = ({ definition, relations }: Collection): readonly ShownReference[] =>
  relations
    .filter(({ field }) => !field.writeOnly && definition.fields.includes(field))
    .map(({ field, target }) => ({
      member: field.name,
      path: target.names.kebab,
      statuses: hasSoftDelete(target) ? [200, 410] : [200],
    }));
