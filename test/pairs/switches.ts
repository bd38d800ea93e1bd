/** What decides which code a service gets, and a service for each combination. */
import { pairwise } from './pairwise.ts';
import type { Row } from './pairwise.ts';

export const SWITCHES = {
  key: [
    'uuid',
    'integer',
    'bigint',
    'chosen uuid',
    'chosen bigint',
    'string',
    'two fields',
    'a reference',
  ],
  // The key of another collection, as ids of several kinds in one service take more code than those of one.
  anotherKey: ['none', 'integer', 'string', 'two fields'],
  table: ['own', 'existing'],
  softDelete: ['no', 'yes'],
  databaseDefault: ['no', 'yes'],
  create: ['direct', 'background'],
  events: ['no', 'yes'],
  versions: ['one', 'both', 'path', 'accept'],
  difference: ['none', 'name', 'type'],
  lifecycle: ['none', 'deprecated', 'retired'],
  owner: ['none', 'creator', 'path', 'link'],
  checks: ['none', 'plain', 'after hooks'],
  transitions: ['none', 'plain', 'roles'],
  setBy: ['none', 'hook', 'sequence'],
  unique: ['none', 'plain', 'where'],
  include: ['no', 'yes'],
  search: ['no', 'yes'],
  seeds: ['no', 'yes'],
  schema: ['no', 'yes'],
  redis: ['no', 'yes'],
  ifMatch: ['no', 'yes'],
  permissions: ['authenticated', 'public', 'roles'],
} as const;

export type Switches = Row<typeof SWITCHES>;

/** The keys that tables of the service can have. */
const OWN_KEYS: readonly string[] = ['none', 'uuid', 'integer', 'bigint'];

/** Each pair of values is in one of these, but for those that definitions cannot have together. */
export const PAIRS: readonly Switches[] = pairwise(SWITCHES, refuses);

/** What no definition can have together. */
function refuses({
  key,
  anotherKey,
  table,
  softDelete,
  databaseDefault,
  versions,
  owner,
  difference,
  lifecycle,
  setBy,
  checks,
  schema,
}: Partial<Switches>): boolean {
  const needsTable =
    softDelete === 'yes' ||
    databaseDefault === 'yes' ||
    [key, anotherKey].some((one) => one !== undefined && !OWN_KEYS.includes(one));
  const needsVersions = difference !== 'none' && difference !== undefined;
  return (
    (table === 'own' && needsTable) ||
    (table === 'existing' && schema === 'no') ||
    // A reference to an id of several values is several fields.
    (owner === 'link' && key === 'two fields') ||
    (versions === 'one' && (needsVersions || lifecycle === 'deprecated')) ||
    // Its member is that which a hook sets.
    (checks === 'after hooks' && setBy !== undefined && setBy !== 'hook')
  );
}

/** The definitions of a service with these. What existing tables cannot have is that of a table of the service beside it. */
export function definitionsOf(switches: Switches): object {
  const { versions, lifecycle, schema, seeds, table, owner, anotherKey } = switches;
  const isExisting = table === 'existing';
  const older = lifecycle === 'deprecated' ? { deprecated: '2026-01-01' } : {};
  return {
    name: 'pairs',
    roles: ['editor'],
    ...(versions !== 'one' && {
      versioning: versions === 'both' ? ['path', 'accept'] : [versions],
    }),
    versions: versions === 'one' ? [2] : { 2: older, 3: {} },
    ...(lifecycle === 'retired' && { retired: [1] }),
    ...(schema === 'yes' && { schema: 'own' }),
    ...(switches.redis === 'yes' && { redis: true }),
    collections: {
      shelves: {
        ...(isExisting && { table: 'old_shelves', history: {} }),
        fields: { label: { type: 'string', max_length: 40, required: true } },
      },
      words: {
        ...keyOf(switches.key),
        ...(isExisting && { table: 'old_words', history: {} }),
        ...merged(anywhere(switches), isExisting ? {} : inOwnTable(switches)),
      },
      ...(anotherKey !== 'none' && {
        others: {
          ...keyOf(anotherKey),
          ...(isExisting && { table: 'old_others', history: {} }),
          fields: { note: { type: 'text' }, ...partsOf(anotherKey) },
        },
      }),
      ...(isExisting && { terms: merged({ fields: { text: TEXT } }, inOwnTable(switches)) }),
      ...(owner === 'link' && {
        readers: {
          fields: {
            word_id: { type: 'reference', to: 'words', required: true, unique: true },
            user_id: { type: 'reference', to: 'users', required: true },
          },
        },
      }),
    },
    ...(seeds === 'yes' && { seeds: { shelves: { first: { label: 'First' } } } }),
  };
}

const TEXT = { type: 'string', max_length: 60, required: true };

/** What a collection says. */
interface Said {
  readonly fields: Readonly<Record<string, object>>;
  readonly [key: string]: unknown;
}

const merged = (one: Said, other: Partial<Said>): object => ({
  ...one,
  ...other,
  fields: { ...one.fields, ...other.fields },
});

/** What is for tables of the service only. */
function inOwnTable({ create, search, owner }: Switches): Partial<Said> {
  return {
    ...(create === 'background' && { create }),
    ...(search === 'yes' && { search: ['text'] }),
    ...((owner === 'creator' || owner === 'path') && {
      permissions: { update: ['owner', 'editor'], delete: ['owner', 'editor'] },
    }),
    ...(owner === 'path' && { owner: 'keeper_id' }),
    fields: { ...(owner === 'path' && { keeper_id: { type: 'reference', to: 'users' } }) },
  };
}

/** What is for all tables. */
function anywhere(switches: Switches): Said {
  const { key, checks, difference, owner, permissions, transitions, unique } = switches;
  const all =
    permissions === 'public' ? 'public' : permissions === 'roles' ? ['editor'] : 'authenticated';
  const own = owner === 'link' ? ['owner', 'editor'] : all;
  return {
    ...(switches.softDelete === 'yes' && { soft_delete: { column: 'gone_at' } }),
    ...(switches.events === 'yes' && { events: true }),
    ...(switches.ifMatch === 'yes' && { require_if_match: true }),
    ...(switches.include === 'yes' && { include: ['shelf_id'] }),
    permissions: {
      read: owner === 'link' && permissions === 'roles' ? own : all,
      create: all,
      update: own,
      delete: own,
    },
    ...(owner === 'link' && { owner: 'readers.user_id' }),
    ...(checks !== 'none' && {
      checks: {
        some: {
          rule:
            checks === 'plain' ? 'size > 0 or weight > 0' : "state != 'closed' or stamp != null",
        },
      },
    }),
    ...(unique !== 'none' && {
      unique: [unique === 'plain' ? ['text', 'size'] : { fields: ['text'], where: 'size > 10' }],
    }),
    fields: {
      text: TEXT,
      size: {
        type: 'integer',
        ...(difference === 'name' && { name_in: { 2: 'extent' } }),
        ...(difference === 'type' && { type_in: { 2: { type: 'string' } } }),
      },
      weight: { type: 'integer', ...(difference === 'type' && { since: 3 }) },
      state: {
        type: 'enum',
        values: ['open', 'closed'],
        required: true,
        default: 'open',
        ...(transitions !== 'none' && {
          transitions: {
            open: [transitions === 'roles' ? { to: 'closed', by: ['editor'] } : 'closed'],
            closed: [],
          },
        }),
      },
      shelf_id: {
        type: 'reference',
        to: 'shelves',
        nested: true,
        ...(key === 'a reference' && { required: true, immutable: true }),
      },
      ...(switches.databaseDefault === 'yes' && {
        barcode: { type: 'uuid', required: true, unique: true, database_default: true },
      }),
      ...(switches.setBy === 'hook' && { stamp: { type: 'timestamp', set_by: 'service' } }),
      ...(switches.setBy === 'sequence' && {
        number: { type: 'integer', set_by: 'service', default: 'sequence' },
      }),
      ...partsOf(key),
    },
  };
}

/** The fields that a key of two has. */
const partsOf = (key: Switches['key' | 'anotherKey']): Readonly<Record<string, object>> =>
  key === 'two fields'
    ? {
        one: { type: 'integer', required: true, immutable: true },
        other: { type: 'string', max_length: 20, required: true, immutable: true },
      }
    : {};

/** The key of a collection. */
function keyOf(key: Switches['key' | 'anotherKey']): object {
  switch (key) {
    case 'none':
    case 'uuid':
      return {};
    case 'integer':
    case 'bigint':
    case 'string':
      return { key };
    case 'chosen uuid':
      return { key: { type: 'uuid', generated: 'client' } };
    case 'chosen bigint':
      return { key: { type: 'bigint', generated: 'client' } };
    case 'two fields':
      return { key: { fields: ['one', 'other'] } };
    case 'a reference':
      return { key: { fields: ['shelf_id'] } };
  }
}
