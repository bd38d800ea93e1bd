/**
 * Writes a definition of import with the names of the definitions on disk: a table is the same collection, and a column
 * the same field, whatever the team calls it.
 */
import { KEYWORDS, ruleTokens } from '../expressions/tokens.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';
import { ownMember } from '../shared/json.ts';
import { writtenColumn, writtenFields, isJsonObject } from './written-fields.ts';

/** The names that the definitions on disk use. */
export interface OwnNames {
  /** The collection for one of import, to which a column refers; undefined if there is none. */
  readonly collection: (name: string, column: string) => string | undefined;
  /** The field of a column; undefined if there is none, and import may not add it. */
  readonly field: (column: string, proposed: string) => string | undefined;
  /** Whether a field names its column if that has another name. */
  readonly hasColumns: boolean;
}

/** The definition, without the fields that have no name or refer to no collection. */
export function inNames(definition: JsonObject, names: OwnNames): JsonObject {
  const fields: Record<string, JsonValue> = {};
  const renamed = new Map<string, string | undefined>();
  for (const [name, field] of writtenFields(definition)) {
    const column = writtenColumn(name, field);
    const { to } = field;
    const target = typeof to === 'string' ? names.collection(to, column) : undefined;
    const own = to !== undefined && target === undefined ? undefined : names.field(column, name);
    renamed.set(name, own);
    if (own === undefined) continue;
    const { column: _, ...rest } = field;
    fields[own] = {
      ...(own === column ? rest : field),
      ...(target !== undefined && { to: target }),
      ...(names.hasColumns && own !== column && { column }),
    };
  }
  const nameOf = (name: string): string | undefined =>
    renamed.has(name) ? renamed.get(name) : name;
  const { checks, ...others } = definition;
  return {
    ...others,
    ...(ownMember(definition, 'fields') !== undefined && { fields }),
    ...listsIn(definition, nameOf),
    ...keyIn(definition, nameOf),
    ...checksIn(checks, nameOf),
  };
}

const FIELD_LISTS: readonly string[] = ['sort', 'filter', 'search', 'unique', 'indexes', 'include'];

/** Whether a key of a definition has a list of fields. */
export const isFieldList = (key: string): boolean => FIELD_LISTS.includes(key);

type NameOf = (name: string) => string | undefined;

/** The lists of fields; entries that name a field that is left out are left out, too. */
function listsIn(definition: JsonObject, nameOf: NameOf): JsonObject {
  const lists = FIELD_LISTS.flatMap((key) => {
    const list = ownMember(definition, key);
    if (!Array.isArray(list)) return [];
    return [[key, list.map((one: JsonValue) => entryIn(one, nameOf)).filter(isValue)] as const];
  });
  return Object.fromEntries(lists);
}

/** A key that consists of fields. */
function keyIn(definition: JsonObject, nameOf: NameOf): JsonObject {
  const key = ownMember(definition, 'key');
  if (!isJsonObject(key) || ownMember(key, 'fields') === undefined) return {};
  const renamed = entryIn(key, nameOf);
  return renamed === undefined ? {} : { key: renamed };
}

/** An entry of a list: a field, one that descends (`-length`), a list of them, or a map of them and a condition. */
function entryIn(entry: JsonValue, nameOf: NameOf): JsonValue | undefined {
  if (typeof entry === 'string') {
    if (!entry.startsWith('-')) return nameOf(entry);
    const name = nameOf(entry.slice(1));
    return name === undefined ? undefined : `-${name}`;
  }
  if (Array.isArray(entry)) {
    const names = entry.map((one: JsonValue) => entryIn(one, nameOf));
    return names.every(isValue) ? names : undefined;
  }
  if (!isJsonObject(entry)) return entry;
  const fields = entryIn(ownMember(entry, 'fields') ?? [], nameOf);
  const where = ownMember(entry, 'where');
  const rule = typeof where === 'string' ? ruleIn(where, nameOf) : undefined;
  if (fields === undefined || (where !== undefined && rule === undefined)) return undefined;
  return { ...entry, fields, ...(rule !== undefined && { where: rule }) };
}

function checksIn(checks: JsonValue | undefined, nameOf: NameOf): JsonObject {
  if (!isJsonObject(checks)) return {};
  const renamed = Object.entries(checks).flatMap(([name, check]) => {
    if (!isJsonObject(check)) return [];
    const rule = ruleIn(String(check['rule']), nameOf);
    return rule === undefined ? [] : [[name, { ...check, rule }] as const];
  });
  return renamed.length === 0 ? {} : { checks: Object.fromEntries(renamed) };
}

/** A rule with other names; undefined if one has none. */
function ruleIn(rule: string, nameOf: NameOf): string | undefined {
  const tokens = ruleTokens(rule);
  if (!Array.isArray(tokens)) return rule;
  let renamed = rule;
  for (const { kind, value, at, end } of tokens.toReversed()) {
    if (kind !== 'name') continue;
    const name = nameOf(value);
    if (name === undefined) return undefined;
    const written = KEYWORDS.has(name) ? `"${name}"` : name;
    if (name !== value) renamed = renamed.slice(0, at) + written + renamed.slice(end);
  }
  return renamed;
}

const isValue = (value: JsonValue | undefined): value is JsonValue => value !== undefined;
