/**
 * Takes the fields of some columns from another definition, with all entries of lists and checks that name them. That
 * is how a merge leaves a field alone.
 */
import { isDeepStrictEqual } from 'node:util';

import type { JsonObject, JsonValue } from '../shared/json.ts';
import { ownMember } from '../shared/json.ts';
import { inNames, isFieldList } from './in-own-names.ts';
import { isJsonObject, writtenColumn, writtenFields } from './written-fields.ts';

/**
 * A definition with the fields of some columns as another one has them. A column that the other one does not have has
 * no field.
 */
export function withColumnsOf(
  definition: JsonObject,
  other: JsonObject,
  columns: ReadonlySet<string>,
): JsonObject {
  if (columns.size === 0) return definition;
  const [rest, otherRest] = [definition, other].map((one) => withoutColumns(one, columns)) as [
    JsonObject,
    JsonObject,
  ];
  const fields = mergedFields(definition, other, columns);
  const names = new Map(fields.map(([name, field]) => [writtenColumn(name, field), name]));
  const renamed = (one: JsonObject): JsonObject =>
    inNames(one, {
      collection: (name) => name,
      field: (column) => names.get(column),
      hasColumns: true,
    });
  const [all, without] = [renamed(other), renamed(otherRest)];
  const lists = [...new Set([...Object.keys(rest), ...Object.keys(all)])].filter(isFieldList);
  const merged: Record<string, JsonValue> = { ...rest, fields: Object.fromEntries(fields) };
  for (const key of lists) {
    const [own, theirs, others] = [rest, all, without].map((one) => listOf(one, key)) as [
      readonly JsonValue[],
      readonly JsonValue[],
      readonly JsonValue[],
    ];
    const added = theirs.filter((one) => !has(others, one) && !has(own, one));
    if (added.length > 0) merged[key] = [...own, ...added];
  }
  const checks = {
    ...membersOf(all, 'checks', (name) => !hasCheck(without, name)),
    ...membersOf(rest, 'checks', () => true),
  };
  return { ...merged, ...(Object.keys(checks).length > 0 && { checks }) };
}

/** A definition without the fields of some columns, and without all entries that name them. */
export const withoutColumns = (definition: JsonObject, columns: ReadonlySet<string>): JsonObject =>
  inNames(definition, {
    collection: (name) => name,
    field: (column, name) => (columns.has(column) ? undefined : name),
    hasColumns: true,
  });

/** Whether a list or a check of a definition names the field of a column, and another definition does not have it. */
export function hasOwnUse(definition: JsonObject, other: JsonObject, column: string): boolean {
  const without = withoutColumns(definition, new Set([column]));
  return Object.keys(definition).some((key) => {
    if (key === 'checks') {
      const former = membersOf(other, 'checks', () => true);
      const used = membersOf(definition, 'checks', (name) => !hasCheck(without, name));
      return Object.entries(used).some(([name, one]) => !isDeepStrictEqual(former[name], one));
    }
    if (!isFieldList(key)) return false;
    const [rest, former] = [listOf(without, key), listOf(other, key)];
    return listOf(definition, key).some((one) => !has(rest, one) && !has(former, one));
  });
}

/** The fields of a definition in their order, and then those of the other one that it lacks. */
function mergedFields(
  definition: JsonObject,
  other: JsonObject,
  columns: ReadonlySet<string>,
): readonly (readonly [string, JsonObject])[] {
  const own = writtenFields(definition);
  const others = new Map(
    writtenFields(other).map(([name, field]) => [writtenColumn(name, field), { name, field }]),
  );
  const taken = new Set(
    own.flatMap(([name, field]) => (columns.has(writtenColumn(name, field)) ? [] : [name])),
  );
  const heldField = (column: string, name: string): readonly (readonly [string, JsonObject])[] => {
    const held = others.get(column);
    if (held === undefined) return [];
    const free = taken.has(held.name) ? name : held.name;
    return [[free, free === held.name ? held.field : { ...held.field, column }]];
  };
  const known = new Set(own.map(([name, field]) => writtenColumn(name, field)));
  return [
    ...own.flatMap(([name, field]) => {
      const column = writtenColumn(name, field);
      return columns.has(column) ? heldField(column, name) : [[name, field] as const];
    }),
    ...[...columns]
      .filter((column) => !known.has(column))
      .flatMap((column) => heldField(column, column)),
  ];
}

function membersOf(
  definition: JsonObject,
  key: string,
  isWanted: (name: string) => boolean,
): JsonObject {
  const members = ownMember(definition, key);
  if (!isJsonObject(members)) return {};
  return Object.fromEntries(Object.entries(members).filter(([name]) => isWanted(name)));
}

const hasCheck = (definition: JsonObject, name: string): boolean =>
  Object.hasOwn(
    membersOf(definition, 'checks', () => true),
    name,
  );

function listOf(definition: JsonObject, key: string): readonly JsonValue[] {
  const list = ownMember(definition, key);
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}

const has = (list: readonly JsonValue[], one: JsonValue): boolean =>
  list.some((other) => isDeepStrictEqual(other, one));
