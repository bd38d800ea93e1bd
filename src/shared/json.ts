/** JSON values. */

/** A value that JSON can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** A map as an object that inherits nothing: no name has a value that was not given. */
export const recordWithoutPrototype = <Value>(
  entries: Iterable<readonly [string, Value]>,
): Readonly<Record<string, Value>> => {
  const record = Object.create(null) as Record<string, Value>;
  for (const [name, value] of entries) record[name] = value;
  return record;
};

/** A member of an object, and nothing that the object inherits. */
export const ownMember = <Value>(
  value: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(value, name) ? value[name] : undefined);

/** Whether a value is an object. */
export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
