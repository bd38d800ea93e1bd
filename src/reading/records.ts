/** Maps: those with certain keys, and those whose keys are names that the user chooses. */
import type { Issues } from './issues.ts';
import { isNull, mismatch } from './mismatch.ts';
import { nearest } from './nearest.ts';
import { quote, quoteAll } from './quote.ts';
import type { JsonSchema, Located, Shape } from './shapes.ts';
import type { Entry, MapTree } from './tree.ts';
import type { Position } from './position.ts';

/** One key of a map: the shape of its value, and what the documentation says of it. */
export interface Key<T> {
  readonly shape: Shape<T>;
  readonly description: string;
  readonly examples?: readonly unknown[];
  /** Said where the key is missing, as the end of `Write …`; absent, the key may be left out. */
  readonly missing?: string;
}

export type Keys = { readonly [name: string]: Key<unknown> };

/** What a map with certain keys reads as. */
export type Reading<K extends Keys> = {
  readonly [N in keyof K]?: K[N] extends Key<infer T> ? Located<T> & { keyAt: Position } : never;
};

/** A map with certain keys. */
export function map<K extends Keys>(keys: K): Shape<Reading<K>> {
  return {
    schema: { type: 'object', ...objectSchema(keys) },
    read(tree, what, issues) {
      if (tree.kind !== 'map') return mismatch(tree, what, 'a map', undefined, issues);
      return readKeys(tree, keys, what, issues);
    },
  };
}

/** A map from names that the user chooses; the entries are read elsewhere. */
export function entries(schema: JsonSchema, what: string): Shape<readonly Entry[]> {
  return {
    schema,
    read(tree, label, issues) {
      if (tree.kind !== 'map') return mismatch(tree, label, `a map ${what}`, undefined, issues);
      if (tree.entries.length > 0) return tree.entries;
      issues.add(tree.at, 'empty-list', `${label} is empty. Write at least one entry.`);
      return undefined;
    },
  };
}

/** The keywords of a schema for a map with certain keys. */
export function objectSchema(keys: Keys): JsonSchema {
  const required = Object.keys(keys).filter((name) => keys[name]!.missing !== undefined);
  return {
    properties: Object.fromEntries(
      Object.entries(keys).map(([name, { shape, description, examples }]) => [
        name,
        { ...shape.schema, description, ...(examples && { examples }) },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/**
 * Reads the keys of a map: unknown ones, values that do not fit and missing ones are told.
 * `elsewhere` says where an unknown key belongs, if it is known in another place.
 */
export function readKeys<K extends Keys>(
  tree: MapTree,
  keys: K,
  what: string,
  issues: Issues,
  elsewhere: (key: string) => string | undefined = () => undefined,
): Reading<K> {
  const read: Record<string, Located<unknown> & { keyAt: Position }> = {};
  const present = new Set<string>();
  for (const { name, at, value } of tree.entries) {
    const key = Object.hasOwn(keys, name) ? keys[name]! : undefined;
    if (key === undefined) {
      const message = elsewhere(name) ?? unknownKey(name, Object.keys(keys), what);
      issues.add(at, 'unknown-key', message);
      continue;
    }
    present.add(name);
    if (key.missing !== undefined && isNull(value)) {
      issues.add(at, 'missing-key', `${what} has no ${quote(name)}. Write ${key.missing}.`);
      continue;
    }
    const found = key.shape.read(value, name, issues);
    if (found !== undefined) read[name] = { value: found, at: value.at, keyAt: at };
  }
  for (const [name, key] of neededOf(keys)) {
    if (present.has(name)) continue;
    issues.add(tree.at, 'missing-key', `${what} has no ${quote(name)}. Write ${key.missing}.`);
  }
  return read as Reading<K>;
}

/** The keys that may not be left out: of a table they are looked for once. */
function neededOf(keys: Keys): readonly (readonly [string, Key<unknown>])[] {
  const before = needed.get(keys);
  if (before !== undefined) return before;
  const found = Object.entries(keys).filter(([, key]) => key.missing !== undefined);
  needed.set(keys, found);
  return found;
}

const needed = new WeakMap<Keys, readonly (readonly [string, Key<unknown>])[]>();

function unknownKey(name: string, known: readonly string[], what: string): string {
  const near = nearest(name, known);
  const start = `key ${quote(name)} is not known in ${what}.`;
  if (near !== undefined) return `${start} Write ${quote(near)}.`;
  return `${start} Known are ${quoteAll(known)}.`;
}
