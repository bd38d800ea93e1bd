/**
 * Takes the fields of some columns from another definition, with all entries of lists and checks that name them. That
 * is how a merge leaves a field alone.
 */
import { isDeepStrictEqual } from 'node:util';

import type { JsonObject, JsonValue } from '../shared/json.ts';
import { isJsonObject, ownMember } from '../shared/json.ts';
import { isFieldList, renameInDefinition } from './rename-in-definition.ts';
import { columnsByName, writtenColumn, writtenFields } from './written-fields.ts';

/**
 * The target with the fields of some columns as the source has them. A column that the source does not have gets no
 * field.
 */
export function withColumnsOf(
  target: JsonObject,
  source: JsonObject,
  columns: ReadonlySet<string>,
): JsonObject {
  if (columns.size === 0) return target;
  const targetRest = withoutColumns(target, columns);
  const fields = mergedFields(target, source, columns);
  const names = new Map(fields.map(([name, field]) => [writtenColumn(name, field), name]));
  const renamed = (definition: JsonObject): JsonObject =>
    renameInDefinition(definition, {
      collection: (name) => name,
      field: (column) => names.get(column),
      hasColumns: true,
    });
  const sourceAll = renamed(source);
  const sourceRest = renamed(withoutColumns(source, columns));
  const lists = [...new Set([...Object.keys(targetRest), ...Object.keys(sourceAll)])];
  const merged: Record<string, JsonValue> = { ...targetRest, fields: Object.fromEntries(fields) };
  for (const key of lists.filter(isFieldList)) {
    const kept = listOf(targetRest, key);
    const others = listOf(sourceRest, key);
    const added = listOf(sourceAll, key).filter((one) => !has(others, one) && !has(kept, one));
    if (added.length > 0) merged[key] = [...kept, ...added];
  }
  const checks = {
    ...membersOf(sourceAll, 'checks', (name) => !hasCheck(sourceRest, name)),
    ...membersOf(targetRest, 'checks', () => true),
  };
  return { ...merged, ...(Object.keys(checks).length > 0 && { checks }) };
}

/** A definition without the fields of some columns, and without all entries that name them. */
export const withoutColumns = (definition: JsonObject, columns: ReadonlySet<string>): JsonObject =>
  renameInDefinition(definition, {
    collection: (name) => name,
    field: (column, name) => (columns.has(column) ? undefined : name),
    hasColumns: true,
  });

/** Whether a list or a check of a definition names the field of a column, and another definition does not have it. */
export function hasOwnUse(definition: JsonObject, other: JsonObject, column: string): boolean {
  const without = withoutColumns(definition, new Set([column]));
  return Object.keys(definition).some((key) => {
    if (key === 'checks') {
      const otherChecks = membersOf(other, 'checks', () => true);
      const used = membersOf(definition, 'checks', (name) => !hasCheck(without, name));
      return Object.entries(used).some(
        ([name, one]) => !isDeepStrictEqual(ownMember(otherChecks, name), one),
      );
    }
    if (!isFieldList(key)) return false;
    const rest = listOf(without, key);
    const others = listOf(other, key);
    return listOf(definition, key).some((one) => !has(rest, one) && !has(others, one));
  });
}

/** The fields of the target in their order, and then those of the source that it lacks. */
function mergedFields(
  target: JsonObject,
  source: JsonObject,
  columns: ReadonlySet<string>,
): readonly (readonly [string, JsonObject])[] {
  const targetFields = writtenFields(target);
  const sourceFields = new Map(
    writtenFields(source).map(([name, field]) => [writtenColumn(name, field), { name, field }]),
  );
  const taken = new Set(
    targetFields.flatMap(([name, field]) =>
      columns.has(writtenColumn(name, field)) ? [] : [name],
    ),
  );
  const sourceField = (
    column: string,
    otherName: string,
  ): readonly (readonly [string, JsonObject])[] => {
    const found = sourceFields.get(column);
    if (found === undefined) return [];
    const name = taken.has(found.name) ? otherName : found.name;
    return [[name, name === found.name ? found.field : { ...found.field, column }]];
  };
  const targetColumns = new Set(columnsByName(target).values());
  return [
    ...targetFields.flatMap(([name, field]) => {
      const column = writtenColumn(name, field);
      return columns.has(column) ? sourceField(column, name) : [[name, field] as const];
    }),
    ...[...columns]
      .filter((column) => !targetColumns.has(column))
      .flatMap((column) => sourceField(column, column)),
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
