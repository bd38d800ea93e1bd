/** Options as they are written in a definition. */
import type { Keys } from '../reading/records.ts';

type Written = Readonly<Record<string, unknown>>;

/** Keys with a value. */
export const withoutUndefined = (keys: Written): Written =>
  Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined));

/** The options of a type, each under its key: `maxLength` is `max_length`. */
export const writtenOptions = (type: object, keys: Keys): Written =>
  withoutUndefined(
    Object.fromEntries(
      Object.keys(keys).map((key) => [key, (type as Record<string, unknown>)[camelCase(key)]]),
    ),
  );

const camelCase = (key: string): string =>
  key.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
