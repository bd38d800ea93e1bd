/** The fields of a definition as it is written, and their columns. Its keys may be `constructor` or `toString`. */
import { isJsonObject, ownMember } from '../shared/json.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';

/** The fields of a definition; none if it has none. */
export function writtenFields(definition: JsonObject): readonly (readonly [string, JsonObject])[] {
  const fields = ownMember(definition, 'fields');
  if (!isJsonObject(fields)) return [];
  return Object.entries(fields).map(([name, field]) => [name, isJsonObject(field) ? field : {}]);
}

/** The column of a field. */
export function writtenColumn(name: string, field: JsonObject): string {
  const column = ownMember(field, 'column');
  return typeof column === 'string' ? column : name;
}

/** The fields of a definition by their columns. */
export const fieldsByColumn = (definition: JsonObject): ReadonlyMap<string, JsonObject> =>
  new Map(
    writtenFields(definition).map(([name, field]) => [writtenColumn(name, field), field] as const),
  );

/** The columns of a definition by the names of their fields. */
export const columnsByName = (definition: JsonObject): ReadonlyMap<string, string> =>
  new Map(
    writtenFields(definition).map(([name, field]) => [name, writtenColumn(name, field)] as const),
  );

/** A table or a type as import names it: without the schema `public`, which a definition may write. */
export const withoutPublicSchema = (name: string): string => name.replace(/^public\./, '');

/** The columns of a definition that have no field: the key, the times, and the one that marks removed rows. */
export function columnsWithoutField(definition: JsonObject): readonly string[] {
  const [key, history, softDelete] = ['key', 'history', 'soft_delete'].map((name) => {
    const value = ownMember(definition, name);
    return isJsonObject(value) ? value : {};
  });
  const times = Object.values(history ?? {}).map((time) => timeColumn(time).column);
  return [key?.['column'], ...times, softDelete?.['column']].filter(
    (column) => typeof column === 'string',
  );
}

/** The column of a time in `history`: its name, or a map of the name and whether it takes nulls. */
export const timeColumn = (
  time: JsonValue | undefined,
): { readonly column: string; readonly isNullable: boolean } =>
  isJsonObject(time)
    ? {
        column: String(ownMember(time, 'column')),
        isNullable: ownMember(time, 'nullable') === true,
      }
    : { column: String(time), isNullable: false };
