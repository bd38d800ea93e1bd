/** Conversions of lists, objects and JSON, which one column holds whole. */
import type { ObjectType, Property } from '../types/object.ts';
import type { ListType } from '../types/list.ts';
import { isScalarColumn, isSameType, specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import { unchanged } from '../types/sql-conversion.ts';
import type { SqlConversion } from '../types/sql-conversion.ts';
import { isStringOrText } from '../types/text.ts';
import { literal } from '../shared/sql.ts';
import { scalarConversion } from './scalar-conversion.ts';
import type { ScalarColumnType } from './scalar-conversion.ts';
import { buildObject } from '../model/default-sql.ts';
import { memberBackfillSql } from './backfill.ts';
import { matchRenames } from '../types/match-renames.ts';

/**
 * How values of one type become those of another, in the form in which their columns hold them;
 * undefined where none of them would.
 */
export function conversionOf(from: FieldType, to: FieldType): SqlConversion | undefined {
  if (isSameType(from, to)) return unchanged();
  if (isScalarColumn(from) && isScalarColumn(to)) return scalarConversion(from, to);
  if (to.type === 'json') {
    return isScalarColumn(from)
      ? { sql: (value) => toJsonSql(from, value), isWider: true }
      : unchanged();
  }
  if (isScalarColumn(from)) return to.type === 'list' ? toListOfOne(from, to) : undefined;
  if (from.type === 'list' && to.type === 'list') return betweenLists(from, to);
  if (from.type === 'object' && to.type === 'object') return betweenObjects(from, to);
  if (from.type === 'list') return isScalarColumn(to) ? fromListOfOne(from, to) : undefined;
  if (!isStringOrText(to)) return undefined;
  return { sql: (value) => `(${value})::text`, isWider: true };
}

/** A value as it stands in JSON. */
function toJsonSql(type: FieldType, value: string): string {
  if (!isScalarColumn(type)) return value;
  const spec = specOf(type);
  return `to_jsonb(${spec.isOwnJson === true ? value : spec.toText(type, value)})`;
}

/** A value out of JSON. */
function fromJsonSql(type: FieldType, json: string): string {
  if (!isScalarColumn(type)) return json;
  const text = `(${json} #>> '{}')`;
  return specOf(type).fromJson?.(type, text) ?? text;
}

/** The conversion of a value within JSON: of an entry of a list, or of a member. */
function withinJson(from: FieldType, to: FieldType): SqlConversion | undefined {
  const conversion = conversionOf(from, to);
  if (conversion === undefined) return undefined;
  const { sql, fits, isIdentity, ...rest } = conversion;
  const isSame = isIdentity === true && specOf(from).isOwnJson === specOf(to).isOwnJson;
  return {
    ...rest,
    sql: (json) => (isSame ? json : toJsonSql(to, sql(fromJsonSql(from, json)))),
    ...(isSame && { isIdentity }),
    ...(fits !== undefined && { fits: (json) => fits(fromJsonSql(from, json)) }),
  };
}

function toListOfOne(from: ScalarColumnType, to: ListType): SqlConversion | undefined {
  const entry = scalarConversion(from, to.of);
  if (entry === undefined) return undefined;
  const { isIdentity: _, ...rest } = entry;
  return { ...rest, sql: (value) => `jsonb_build_array(${toJsonSql(to.of, entry.sql(value))})` };
}

function fromListOfOne(from: ListType, to: ScalarColumnType): SqlConversion | undefined {
  const entry = scalarConversion(from.of, to);
  if (entry === undefined) return undefined;
  const { sql, fits, losses } = entry;
  const only = (list: string): string => fromJsonSql(from.of, `(${list} -> 0)`);
  return {
    ...(losses !== undefined && { losses }),
    sql: (list) => sql(only(list)),
    fits: (list) =>
      `jsonb_array_length(${list}) = 0 or jsonb_array_length(${list}) = 1` +
      (fits === undefined ? '' : ` and ${fits(only(list))}`),
    isWider: false,
  };
}

function betweenLists(from: ListType, to: ListType): SqlConversion | undefined {
  const entry = withinJson(from.of, to.of);
  if (entry === undefined) return undefined;
  const { sql, fits } = entry;
  if (entry.isIdentity === true) return unchanged(entry.isWider);
  return {
    ...entry,
    sql: (list) =>
      `(select coalesce(jsonb_agg(${sql('"entry"')} order by "place"), '[]') ` +
      `from jsonb_array_elements(${list}) with ordinality as "entries" ("entry", "place"))`,
    ...(fits !== undefined && {
      fits: (list) =>
        `not exists (select from jsonb_array_elements(${list}) as "entries" ("entry") ` +
        `where not (${fits('"entry"')}))`,
    }),
  };
}

/** What one member of an object becomes. */
interface Member {
  readonly name: string;
  readonly sql: (object: string) => string;
  readonly fits?: (object: string) => string;
  /** Whether its name and its value are unchanged. */
  readonly isKept?: boolean;
}

/** Objects keep the members that go on, and get those that are new. */
function betweenObjects(from: ObjectType, to: ObjectType): SqlConversion {
  const { kept, dropped } = matchRenames(from.properties, to.properties);
  const losses = dropped.map(({ name }) => `the member ${name}`);
  let isWider = dropped.length === 0;
  let isIdentity = dropped.length === 0;
  const members = to.properties.map((now): Member => {
    const before = kept.find((pair) => pair.now === now)?.before;
    const conversion = before && withinJson(before.type, now.type);
    if (before === undefined || conversion === undefined) {
      if (before !== undefined) losses.push(`the member ${now.name}`);
      isIdentity = false;
      isWider &&= before === undefined;
      return { name: now.name, sql: () => memberBackfillSql(now) ?? `'null'::jsonb` };
    }
    losses.push(...(conversion.losses ?? []).map((what) => `of the member ${now.name} ${what}`));
    const member = keptMember(before, now, conversion);
    isIdentity &&= member.isKept === true;
    isWider &&= conversion.isWider;
    return member;
  });
  const conditions = members.flatMap(({ fits }) => fits ?? []);
  return {
    sql: (object) =>
      isIdentity ? object : buildObject(members.map(({ name, sql }) => [name, sql(object)])),
    ...(conditions.length > 0 && {
      fits: (object) => conditions.map((fits) => `(${fits(object)})`).join(' and '),
    }),
    losses,
    isWider,
    ...(isIdentity && { isIdentity }),
  };
}

const pathTo = (object: string, member: string): string => `(${object} -> ${literal(member)})`;

function keptMember(before: Property, now: Property, conversion: SqlConversion): Member {
  const backfill = now.required && !before.required ? memberBackfillSql(now) : undefined;
  const isNull = (value: string): string => `coalesce(${value}, 'null') = 'null'`;
  const { isIdentity, sql } = conversion;
  const { fits } = conversion;
  const needsValue = now.required && !before.required && backfill === undefined;
  return {
    name: now.name,
    isKept: isIdentity === true && backfill === undefined && before.name === now.name,
    sql: (object) => {
      const value = pathTo(object, before.name);
      if (isIdentity === true && backfill === undefined) return value;
      const empty = backfill ?? `'null'`;
      return `case when ${isNull(value)} then ${empty} else ${sql(value)} end`;
    },
    ...((fits !== undefined || needsValue) && {
      fits: (object) => {
        const value = pathTo(object, before.name);
        const empty = needsValue ? 'false' : 'true';
        return `case when ${isNull(value)} then ${empty} else ${fits?.(value) ?? 'true'} end`;
      },
    }),
  };
}

/** Required new members without a default or backfill. */
export function membersWithoutValue(from: FieldType, to: FieldType): readonly Property[] {
  if (from.type !== 'object' || to.type !== 'object') return [];
  const { kept, added } = matchRenames(from.properties, to.properties);
  const isUnfilled = (property: Property): boolean =>
    property.required && memberBackfillSql(property) === undefined;
  return [
    ...added.filter(isUnfilled),
    ...kept.flatMap(({ before, now }) =>
      withinJson(before.type, now.type) === undefined
        ? [now].filter(isUnfilled)
        : membersWithoutValue(before.type, now.type),
    ),
  ];
}
