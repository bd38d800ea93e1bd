/** The shapes of the keys of a collection whose items are in an existing table. */
import { LONGEST_NAME, key, snakeName } from '../reading/common-keys.ts';
import { quote, enumerate } from '../reading/quote.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { map } from '../reading/records.ts';
import type { Shape } from '../reading/shapes.ts';
import { text, word, list, flag } from '../reading/shapes.ts';
import type { SoftDelete } from '../shared/soft-delete.ts';
import { KEY_TYPES, KEY_SOURCES } from '../types/key.ts';

/**
 * A text that names something in PostgreSQL.
 * @param partsOf the names that the text consists of.
 * @param hint what to write in place of another text.
 */
const nameShape = (
  pattern: RegExp,
  partsOf: (name: string) => readonly string[],
  hint: string,
): Shape<string> => {
  const shape = text({ pattern: pattern.source });
  return {
    ...shape,
    read(tree, what, issues) {
      const value = shape.read(tree, what, issues);
      const isName =
        value !== undefined &&
        pattern.test(value) &&
        partsOf(value).every((part) => Buffer.byteLength(part) <= LONGEST_NAME);
      if (isName || value === undefined) return value;
      issues.add(tree.at, 'bad-name', `${what} ${quote(value)} is not a name. Write ${hint}.`);
      return undefined;
    },
  };
};

const LENGTH = `of at most ${LONGEST_NAME} bytes`;

/** The name of a column or an index that other programs made: any text that PostgreSQL takes. */
export const COLUMN_NAME = nameShape(/^.+$/u, (name) => [name], `another ${LENGTH}`);

/** The name of a table or a type, after that of its schema and a dot unless it is `public`. */
export const TABLE_NAME = nameShape(
  /^[^.\n\r]+([.][^.\n\r]+)?$/u,
  (name) => name.split('.'),
  'one such as sales.orders',
);

const KEY_TYPE = word(KEY_TYPES, {
  int: 'integer',
  serial: 'integer',
  int2: 'smallint',
  smallserial: 'smallint',
  bigserial: 'bigint',
  int64: 'bigint',
  text: 'string',
  varchar: 'string',
});

const KEY_SOURCE = word(KEY_SOURCES, { server: 'service', sequence: 'database', user: 'client' });

const KEY_KEYS = {
  type: key(KEY_TYPE, 'The type of ids.', { examples: ['integer'] }),
  fields: key(
    list(snakeName, 1),
    'With table: the fields whose values ids consist of, with ~ between them, in place of type; or a single reference, whose value is the id.',
    { examples: [['film_id', 'actor_id']] },
  ),
  column: key(COLUMN_NAME, 'With table: the column of the ids. Absent: id.', {
    examples: ['film_id'],
  }),
  generated: key(
    KEY_SOURCE,
    'With table: what generates ids. client: requests send the id of a new item, which no other item has or had. Absent: client for string, database for integer and bigint, service for uuid.',
    { examples: ['client'] },
  ),
  name: key(
    COLUMN_NAME,
    'With table: the name of the primary key or the unique index of the ids. Absent: the name of the table and _pkey.',
    { examples: ['films_key'] },
  ),
} satisfies Keys;

const KEY_MAP = map(KEY_KEYS);

/** The key of a collection: its type, or a map of the type and the column. */
export const KEY: Shape<Reading<typeof KEY_KEYS>> = {
  schema: {
    anyOf: [
      KEY_TYPE.schema,
      {
        ...KEY_MAP.schema,
        anyOf: [
          { required: ['type'], not: { required: ['fields'] } },
          {
            required: ['fields'],
            not: { anyOf: [{ required: ['column'] }, { required: ['generated'] }] },
          },
        ],
      },
    ],
  },
  ...(KEY_TYPE.hint && { hint: KEY_TYPE.hint }),
  read(tree, what, issues) {
    if (tree.kind === 'map') {
      const read = KEY_MAP.read(tree, what, issues);
      const has = (name: string): boolean => tree.entries.some((one) => one.name === name);
      if (read !== undefined && !has('type') && !has('fields')) {
        const message = `${what} has no "type". Write "type:" and one of ${enumerate(KEY_TYPES, 'or')}, or "fields:" and the fields whose values ids consist of.`;
        issues.add(tree.at, 'missing-key', message);
      }
      return read;
    }
    const type = KEY_TYPE.read(tree, what, issues);
    return type && { type: { value: type, at: tree.at, keyAt: tree.at } };
  },
};

const TIME_KEYS = {
  column: key(COLUMN_NAME, 'The name of the column.', {
    missing: '"column:" and the name of a column',
    examples: ['created_at'],
  }),
  nullable: key(
    flag,
    'Whether the column takes nulls: then the member is null in rows that other programs inserted without the time.',
  ),
} satisfies Keys;

const TIME_MAP = map(TIME_KEYS);

/** The column of a time: its name, or a map of the name and whether it takes nulls. */
const TIME: Shape<Reading<typeof TIME_KEYS>> = {
  schema: { anyOf: [COLUMN_NAME.schema, TIME_MAP.schema] },
  read(tree, what, issues) {
    if (tree.kind === 'map') return TIME_MAP.read(tree, what, issues);
    const column = COLUMN_NAME.read(tree, what, issues);
    return column === undefined
      ? undefined
      : { column: { value: column, at: tree.at, keyAt: tree.at } };
  },
};

const HISTORY_KEYS = {
  created_at: key(TIME, 'The column with the time at which a row was inserted.', {
    examples: ['created_at'],
  }),
  updated_at: key(
    TIME,
    'The column with the time of the last change; the service sets it with each change.',
    { examples: ['last_update', { column: 'updated_at', nullable: true }] },
  ),
} satisfies Keys;

/** The columns of the times. */
export const HISTORY = map(HISTORY_KEYS);

const SOFT_DELETE_KEYS = {
  column: key(COLUMN_NAME, 'The column that a removal sets.', {
    missing: '"column:" and the name of a column',
    examples: ['deleted_at'],
  }),
  type: key(
    word(['timestamp', 'boolean'] satisfies SoftDelete['type'][], { bool: 'boolean' }),
    'What it holds: the time of the removal, or null; or true of a removed item. Absent: timestamp.',
  ),
} satisfies Keys;

/** The column that marks removed items. */
export const SOFT_DELETE = map(SOFT_DELETE_KEYS);
