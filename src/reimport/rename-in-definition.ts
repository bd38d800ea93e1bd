/** Renames the fields of a definition and the collections that it refers to, also in lists, checks and the key. */
import { KEYWORDS, ruleTokens } from '../expressions/tokens.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';
import { isJsonObject, ownMember } from '../shared/json.ts';
import { writtenColumn, writtenFields } from './written-fields.ts';

/** The names that a definition gets. */
export interface DefinitionNames {
  /** The new name of a collection that a column refers to; undefined if there is no such collection. */
  readonly collection: (name: string, column: string) => string | undefined;
  /** The new name of the field of a column; undefined: the definition gets no such field. */
  readonly field: (column: string, name: string) => string | undefined;
  /** Whether a field names its column if that has another name. */
  readonly hasColumns: boolean;
}

/** The definition in other names, without the fields that have none or whose collection has none. */
export function renameInDefinition(definition: JsonObject, names: DefinitionNames): JsonObject {
  const fields: Record<string, JsonValue> = {};
  const renamed = new Map<string, string | undefined>();
  for (const [name, field] of writtenFields(definition)) {
    const column = writtenColumn(name, field);
    const { to } = field;
    const target = typeof to === 'string' ? names.collection(to, column) : undefined;
    const isDangling = to !== undefined && target === undefined;
    const newName = isDangling ? undefined : names.field(column, name);
    renamed.set(name, newName);
    if (newName === undefined) continue;
    const { column: _, ...rest } = field;
    fields[newName] = {
      ...(newName === column ? rest : field),
      ...(target !== undefined && { to: target }),
      ...(names.hasColumns && newName !== column && { column }),
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
