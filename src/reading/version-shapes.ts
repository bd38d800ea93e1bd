/** The forms of version keys: versions with their lifecycle, maps from versions, and values of enums. */
import { Issues } from './issues.ts';
import { mismatch } from './mismatch.ts';
import { map, type Keys, type Reading } from './records.ts';
import { flag, list, text, whole, type JsonSchema, type Located, type Shape } from './shapes.ts';
import { quote } from './quote.ts';
import type { Tree } from './tree.ts';
import type { Position } from './position.ts';

/** The highest number that a version may have. */
export const HIGHEST_VERSION = 9999;

const VERSION = whole(1, HIGHEST_VERSION);
const VERSION_TEXT = '^[1-9][0-9]{0,3}$';
const DAY = text({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }, 'a day such as 2026-11-01');

const LIFECYCLE_KEYS = {
  deprecated: {
    shape: DAY,
    description: 'The day from which clients are told to move on: YYYY-MM-DD.',
  },
  sunset: { shape: DAY, description: 'The day on which the version ends: YYYY-MM-DD.' },
  frozen: {
    shape: flag,
    description:
      'Whether clients rely on the highest version already: then what breaks them is refused. Those below it are frozen anyway.',
  },
} satisfies Keys;

/** A version and its lifecycle as written. */
export interface WrittenVersion {
  readonly version: Located<number>;
  readonly about: Reading<typeof LIFECYCLE_KEYS>;
}

const LISTED = list(VERSION, 1);
const LIFECYCLE = map(LIFECYCLE_KEYS);

/** The served versions: a list, or a map with the lifecycle of each. */
export const VERSIONS: Shape<readonly WrittenVersion[]> = {
  schema: { anyOf: [LISTED.schema, mapSchema(LIFECYCLE.schema)] },
  read(tree, what, issues) {
    if (tree.kind === 'scalar' && tree.value !== null) {
      const [, number] = /^v?([1-9][0-9]{0,3})$/.exec(tree.source) ?? [];
      const hint = number === undefined ? 'a list such as [1]' : `[${number}]`;
      return mismatch(tree, what, 'a list or a map of versions', hint, issues);
    }
    if (tree.kind !== 'map') {
      return LISTED.read(tree, what, issues)?.map((version) => ({ version, about: {} }));
    }
    return readByVersion(tree, what, LIFECYCLE, issues)?.map(({ version, value }) => ({
      version,
      about: value.value,
    }));
  },
};

/** The value of something up to and including a version. */
export interface UpTo<T> {
  readonly version: Located<number>;
  readonly value: Located<T>;
}

/** A map from versions. */
export function byVersion<T>(shape: Shape<T>): Shape<readonly UpTo<T>[]> {
  return {
    schema: mapSchema(shape.schema),
    read: (tree, what, issues) => readByVersion(tree, what, shape, issues),
  };
}

function mapSchema(value: JsonSchema): JsonSchema {
  return {
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: VERSION_TEXT },
    additionalProperties: value,
  };
}

function readByVersion<T>(
  tree: Tree,
  what: string,
  shape: Shape<T>,
  issues: Issues,
): readonly UpTo<T>[] | undefined {
  if (tree.kind !== 'map') {
    const fits = tree.kind === 'scalar' && shape.read(tree, '', new Issues()) !== undefined;
    const hint = fits ? `a map such as { 1: ${tree.source} }` : undefined;
    return mismatch(tree, what, 'a map from versions', hint, issues);
  }
  if (tree.entries.length === 0) {
    issues.add(tree.at, 'empty-list', `${what} is empty. Write at least one entry.`);
    return undefined;
  }
  return tree.entries.flatMap(({ name, at, value: inner }) => {
    if (!new RegExp(VERSION_TEXT).test(name)) {
      const message = `${what} has the key ${quote(name)}, which is no version. Write a number such as 1.`;
      issues.add(at, 'unknown-version', message);
      return [];
    }
    const value = shape.read(inner, `${what} ${name}`, issues);
    if (value === undefined) return [];
    return [{ version: { value: Number(name), at }, value: { value, at: inner.at } }];
  });
}

const VALUE_KEYS = {
  value: { shape: text(), description: 'The value.', missing: '"value: archived"' },
  since: { shape: VERSION, description: 'The first version that has it.' },
  until: { shape: VERSION, description: 'The last version that has it.' },
  as: { shape: text(), description: 'What versions without it show in its place.' },
  renamed_from: {
    shape: text(),
    description: 'What it was called before.',
  },
} satisfies Keys;

const VALUE_MAP = map(VALUE_KEYS);

/** A value of an enum as it is written. */
export interface WrittenValue extends Located<string> {
  /** Where it says which versions have it. */
  readonly versioned?: Omit<Reading<typeof VALUE_KEYS>, 'value' | 'renamed_from'> & {
    readonly at: Position;
  };
  readonly renamedFrom?: Located<string>;
  /** Its current name, in the type of an older version. */
  readonly currentName?: Located<string>;
}

/** The values of an enum: a list, or in an older form a map from the values of today. */
export const ENUM_VALUES: Shape<readonly WrittenValue[]> = {
  schema: {
    anyOf: [
      { type: 'array', minItems: 1, items: { anyOf: [{ type: 'string' }, VALUE_MAP.schema] } },
      { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
    ],
  },
  read(tree, what, issues) {
    if (tree.kind !== 'map') return list(ENTRY, 1).read(tree, what, issues)?.map(unwrapped);
    if (tree.entries.length === 0) {
      issues.add(tree.at, 'empty-list', `${what} is empty. Write at least one entry.`);
      return undefined;
    }
    return tree.entries.flatMap(({ name, at, value: inner }) => {
      const value = text().read(inner, `${what} ${quote(name)}`, issues);
      return value === undefined ? [] : [{ value, at: inner.at, currentName: { value: name, at } }];
    });
  },
};

type Entry = Omit<WrittenValue, 'at'>;

const ENTRY: Shape<Entry> = {
  schema: {},
  read(tree, what, issues) {
    if (tree.kind !== 'map') {
      const value = text().read(tree, what, issues);
      return value === undefined ? undefined : { value };
    }
    const read = VALUE_MAP.read(tree, what, issues);
    if (read?.value === undefined) return undefined;
    const { value, renamed_from: renamedFrom, ...versioned } = read;
    const isVersioned = Object.keys(versioned).length > 0 || renamedFrom === undefined;
    return {
      value: value.value,
      ...(isVersioned && { versioned: { ...versioned, at: tree.at } }),
      ...(renamedFrom !== undefined && { renamedFrom }),
    };
  },
};

const unwrapped = ({ value, at }: Located<Entry>): WrittenValue => ({ ...value, at });
