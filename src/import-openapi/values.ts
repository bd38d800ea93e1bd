/** Access to the values of a document, which may have any form: nothing is assumed of them, and prototypes are never read. */

/** A map of a document. */
export type DocumentMap = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is DocumentMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of a map; undefined if it has none of that name, or is no map. */
export const at = (map: unknown, key: string): unknown =>
  isMap(map) && Object.hasOwn(map, key) ? map[key] : undefined;

/** A member that is a map; an empty one if it is not. */
export const mapAt = (map: unknown, key: string): DocumentMap => {
  const value = at(map, key);
  return isMap(value) ? value : {};
};

export const listAt = (map: unknown, key: string): readonly unknown[] => {
  const value = at(map, key);
  return Array.isArray(value) ? value : [];
};

export const textAt = (map: unknown, key: string): string | undefined => {
  const value = at(map, key);
  return typeof value === 'string' ? value : undefined;
};
