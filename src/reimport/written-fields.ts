/** The fields of a definition as it is written, and their columns. Its keys may be `constructor` or `toString`. */
import { ownMember } from '../shared/json.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';

/** Whether a value is a map. */
export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

/** The columns of a definition that have no field: the key, the times, and the mark of removed rows. */
export function columnsWithoutField(definition: JsonObject): readonly string[] {
  const [key, history, mark] = ['key', 'history', 'soft_delete'].map((name) => {
    const value = ownMember(definition, name);
    return isJsonObject(value) ? value : {};
  });
  return [key?.['column'], ...Object.values(history ?? {}), mark?.['column']].filter(
    (column) => typeof column === 'string',
  );
}
