/**
 * Every key of the definition language but the options of types, which `src/types/` has: the parser
 * reads by this table, and the JSON Schemas for editors are made from it. A new key is a row here.
 */
import { key, LONGEST_NAME, olderNamesKey, names, REFERENCES } from '../reading/common-keys.ts';
import { orderedName, SNAKE_CASE, snakeName, SPAN_KEYS } from '../reading/common-keys.ts';
import { WARNING_CODES } from '../reading/warning-codes.ts';
import { mismatch } from '../reading/mismatch.ts';
import { entries, type Keys, map } from '../reading/records.ts';
import { anything, flag, list, oneOrMore, text, whole, word } from '../reading/shapes.ts';
import type { Located, Shape } from '../reading/shapes.ts';
import { byVersion, HIGHEST_VERSION, VERSIONS } from '../reading/version-shapes.ts';
import type { TypeName } from '../types/registry.ts';
import { CHECK } from './checks.ts';
import { COLUMN_NAME, HISTORY, KEY, SOFT_DELETE, TABLE_NAME } from './existing-table-shapes.ts';
import { JOB_TIMEOUT } from './job-timeout-shape.ts';
import { PERMISSION } from './permissions.ts';
import { STEPS } from './step-shape.ts';
import { UNIQUE } from './unique-shape.ts';
import { ownMember } from '../shared/json.ts';

/** kebab-case, as the name of the service is. */
const KEBAB_CASE = '^[a-z][a-z0-9]*(-[a-z0-9]+)*$';
/** As many as one page may hold, so that no list is ever returned whole. */
const LARGEST_PAGE = 10_000;

const version = whole(1, HIGHEST_VERSION);

const PAGES_KEYS = {
  default: key(whole(1, LARGEST_PAGE), 'Items on a page where a request names no limit.'),
  maximum: key(whole(1, LARGEST_PAGE), 'The greatest limit that a request may name.'),
} satisfies Keys;

const PAGES = map(PAGES_KEYS);

const USERS_KEYS = {
  read: key(
    list(snakeName, 1),
    'Roles that may read the id and the username of every user, and so refer to users.',
    { examples: [['warden']] },
  ),
} satisfies Keys;

/** Whether there are seeds; only a single file has the seeds themselves. */
const HAS_SEEDS: Shape<boolean> = {
  ...flag,
  read(tree, what, issues) {
    if (tree.kind !== 'map') return flag.read(tree, what, issues);
    const hint = '"seeds: true", and the seeds of each collection into seeds/{collection}.yaml';
    return mismatch(tree, what, 'true or false', hint, issues);
  },
};

const SEED_ENTRIES = entries(
  {
    ...names('Collections, and users, with their items by name.'),
    additionalProperties: {
      type: ['object', 'null'],
      additionalProperties: { type: ['object', 'null'] },
    },
  },
  'of collections with items by name',
);

/** The seeds of a single file, which `seeds: true` of service.yaml stands for in a project. */
const SEEDS: typeof SEED_ENTRIES = {
  ...SEED_ENTRIES,
  read(tree, what, issues) {
    if (tree.kind !== 'scalar' || typeof tree.value !== 'boolean') {
      return SEED_ENTRIES.read(tree, what, issues);
    }
    const wanted = 'the seeds: "seeds: true" is for a project, which has them in files';
    const hint = '"seeds: { authors: { le_guin: { name: Ursula K. Le Guin } } }", or leave it out';
    return mismatch(tree, what, wanted, hint, issues);
  },
};

/** The keys of `service.yaml`. */
export const SERVICE_KEYS = {
  name: key(
    text({ pattern: KEBAB_CASE, maxLength: LONGEST_NAME }),
    'The name in kebab-case; the vendor media type is application/vnd.{name}.v1+json. Absent: the name of the folder.',
    { examples: ['bookshop'] },
  ),
  title: key(
    text({ minLength: 1 }),
    'The name for people, as documents show it. Absent: the name in words.',
    { examples: ['Bookshop'] },
  ),
  description: key(text(), 'What the service is for.'),
  versions: key(
    VERSIONS,
    'All versions that are served; the highest is the current one. A list, or a map with what is known of each: deprecated and sunset (days), and frozen. Absent: [1].',
    { examples: [[1], { 1: { deprecated: '2026-11-01', sunset: '2027-05-01' }, 2: {} }] },
  ),
  retired: key(
    list(version),
    'Versions that once were: all of their paths answer 410. Absent: none.',
    { examples: [[1]] },
  ),
  versioning: key(
    oneOrMore(['path', 'accept']),
    'How a request names its version: by the path, by the Accept header, or either. Absent: both.',
    { examples: [['path', 'accept']] },
  ),
  pages: key(PAGES, 'The size of a page. Absent: 20, and 100 at most.', {
    examples: [{ default: 20, maximum: 100 }],
  }),
  roles: key(list(snakeName), 'Roles beside admin, which is always there. Absent: none.', {
    examples: [['editor']],
  }),
  users: key(
    map(USERS_KEYS),
    'What roles may do with users, beside administrators, who may do all. Absent: nothing.',
    { examples: [{ read: ['warden'] }] },
  ),
  schema: key(
    snakeName,
    'The schema of PostgreSQL that the service has its own tables in; the service creates it. It is required if collections have existing tables, and cannot change once it is generated. Absent: the schema of the connection, which is usually public.',
    { examples: ['service'] },
  ),
  seeds: key(
    HAS_SEEDS,
    'Whether the project has seeds: items in seeds/{collection}.yaml, which the script seed creates. Absent: false.',
  ),
  redis: key(
    flag,
    'Whether Redis, at REDIS_URL, counts requests and failed logins for the database. It costs a dependency and a server to run. Absent: false.',
  ),
} satisfies Keys;

const PERMISSION_KEYS = {
  read: key(PERMISSION.read, 'Who may read items.'),
  create: key(PERMISSION.create, 'Who may create items.'),
  update: key(PERMISSION.update, 'Who may change items.'),
  delete: key(PERMISSION.delete, 'Who may remove items.'),
} satisfies Keys;

/** Whether the database computes the values of a column. */
const IS_COMPUTED: Shape<boolean> = {
  ...flag,
  read(tree, what, issues) {
    const isText = tree.kind === 'scalar' && typeof tree.value === 'string';
    // `generated` of `key` has a word, PostgreSQL has others, and a default has an expression.
    return isText
      ? mismatch(tree, what, 'true or false', 'true', issues)
      : flag.read(tree, what, issues);
  },
};

/** Names in snake_case with dots between them. */
const OWNER_PATH = SNAKE_CASE.replace(/^\^(.*)\$$/, '^$1(\\.$1)*$');

const fieldNames = (): Shape<readonly Located<string>[]> => list(snakeName);

/** The keys of a collection. */
export const COLLECTION_KEYS = {
  name: key(
    snakeName,
    'A plural noun in snake_case; the path is its kebab-case form. Absent: the name of the file.',
    { examples: ['books', 'order_items'] },
  ),
  singular: key(
    snakeName,
    "The singular in snake_case, where the language's rules do not give it.",
    { examples: ['media_item', 'staff_member'] },
  ),
  description: key(text(), 'What an item is; goes to the OpenAPI document and the doc comments.'),
  renamed_from: key(
    snakeName,
    'What the collection was called before: its items are kept. Once that is generated, it may stay or go.',
    { examples: ['books'] },
  ),
  ...SPAN_KEYS,
  ...olderNamesKey('titles'),
  key: key(
    KEY,
    'The type of ids, or a map with it. uuid: the service generates them. integer, bigint, and smallint with table: a sequence of the database assigns them, from 1; in JSON and in paths they are text. string, with table: clients choose them, of 1 to 255 characters. Once it is generated, only a number can change, to a wider type. Absent: uuid.',
    { examples: ['integer', { type: 'integer', column: 'film_id' }] },
  ),
  table: key(
    TABLE_NAME,
    'The name of an existing table that other programs made and use too, with its schema if that is not public. The service reads and writes its rows through a view, and never changes its schema. Absent: the service has a table of its own.',
    { examples: ['film', 'sales.orders'] },
  ),
  history: key(
    HISTORY,
    'With table: the columns of created_at and updated_at; items have only those that are named. Absent: the columns of the same names.',
    {
      examples: [
        { updated_at: 'last_update' },
        { created_at: { column: 'created_at', nullable: true } },
      ],
    },
  ),
  soft_delete: key(
    SOFT_DELETE,
    'With table: the column by which programs mark removed rows. DELETE sets it and keeps the row; lists and references leave out rows in which it is set, and GET answers 410. Absent: DELETE deletes the row.',
    { examples: [{ column: 'deleted_at' }] },
  ),
  fields: key(
    entries(
      { ...names('Fields by name.'), additionalProperties: REFERENCES.field },
      'of fields by name',
    ),
    'The fields of an item. id, created_at and updated_at are there already; with table, history says which of the two times.',
    { missing: '"fields:" with a field under it, such as "title: { type: string }"' },
  ),
  sort: key(
    fieldNames(),
    'Fields that lists may be sorted by; created_at and updated_at too. Absent: [created_at], if items have that.',
    { examples: [['title', 'created_at']] },
  ),
  filter: key(fieldNames(), 'Fields that lists may be filtered by. Absent: none.'),
  search: key(
    fieldNames(),
    'String and text fields that q searches in; a version searches in those that it has as texts. Of each text its first 10,000 different words are found. Absent: none.',
  ),
  include: key(
    fieldNames(),
    'References whose items responses embed if the query names them: with author_id, include=author embeds the author as the member author. Absent: none.',
    { examples: [['author_id']] },
  ),
  pages: key(PAGES, "The size of a page in this collection. Absent: the service's."),
  permissions: key(
    map(PERMISSION_KEYS),
    'Who may do what: public, authenticated, owner, or a list of roles. Absent: authenticated.',
    { examples: [{ read: 'public', create: ['editor'] }] },
  ),
  owner: key(
    text({ pattern: OWNER_PATH }, 'a path of references, such as member_id.user_id'),
    'Who owns an item: the user at the end of this path of references, such as borrower_id or member_id.user_id; nobody where a reference on it is null. The name of a collection leads to its item that refers to the current one: memberships.user_id. Absent: the user who created it.',
    { examples: ['borrower_id', 'member_id.user_id', 'memberships.user_id'] },
  ),
  create: key(
    word(['direct', 'background']),
    'direct answers a POST with 201; background queues the work and answers 202. Absent: direct.',
  ),
  job_timeout: key(
    JOB_TIMEOUT,
    'With create: background: how long an attempt of a job may take, from PT1S to P7D. Its signal then aborts, and the attempt fails and is retried as after any other error. Absent: PT5M.',
    { examples: ['PT30S'] },
  ),
  require_if_match: key(
    flag,
    'Whether PUT, PATCH and DELETE without If-Match are refused with 428. Absent: false.',
  ),
  events: key(
    flag,
    'Whether each change of an item writes an event, such as book.created, book.updated and book.deleted, in the transaction of the change. GET /events lists them. Absent: false.',
  ),
  acknowledge: key(
    list(word(WARNING_CODES)),
    'Codes of warnings about this collection that are meant so: they are not printed any more. Absent: none.',
    { examples: [['unique-reveals']] },
  ),
  unique: key(
    list(UNIQUE),
    'Lists of fields that are unique together. With "where", they are unique among the items for which a rule is true.',
    {
      examples: [[['author_id', 'title']], [{ fields: ['slug'], where: 'archived = false' }]],
    },
  ),
  checks: key(
    entries(
      { ...names('Checks by name.'), additionalProperties: CHECK.schema },
      'of checks by name',
    ),
    'Rules over several fields, by name: a body that violates one is refused (422), and the database has each as a CHECK. A comparison with null is neither true nor false, and a rule is violated only if it is false. Absent: none.',
    {
      examples: [
        {
          ends_after_start: {
            rule: 'ends_at > starts_at',
            message: 'The end is after the start.',
          },
        },
      ],
    },
  ),
  indexes: key(
    list(list(orderedName, 1)),
    'Lists of fields to index, beside what sort, filter and references index already: first those that a list is filtered by, then those that it is sorted by, with - in front of one that descends. The id follows by itself, an entry that another index serves gets none, and fields with which an entry could be too large are left out.',
    { examples: [[['status', '-published_at']]] },
  ),
} satisfies Keys;

const { name: _, ...KEYS_WITHOUT_NAME } = COLLECTION_KEYS;

/** The keys of a collection in a map of them: its name is the key there. */
export const UNNAMED_COLLECTION_KEYS = KEYS_WITHOUT_NAME;

/** The keys of a service in one file. */
export const SINGLE_KEYS = {
  ...SERVICE_KEYS,
  collections: key(
    entries(
      { ...names('Collections by name.'), additionalProperties: REFERENCES.collection },
      'of collections by name',
    ),
    'The collections by name: plural nouns in snake_case.',
    { missing: '"collections:" with a collection under it, such as "books:"' },
  ),
  seeds: key(
    SEEDS,
    'Items that the script seed creates, by collection and by name. A reference has the name of another item. In a project they are the files seeds/{collection}.yaml. Absent: none.',
    {
      examples: [
        {
          authors: { le_guin: { name: 'Ursula K. Le Guin' } },
          books: { dispossessed: { title: 'The Dispossessed', author_id: 'le_guin' } },
        },
      ],
    },
  ),
} satisfies Keys;

const NAMED_KEYS = {
  description: key(text(), 'Goes to the OpenAPI document and the doc comments.'),
  required: key(flag, 'Whether the value may not be null. Absent: false.'),
  default: key(
    anything(),
    'The value where a request gives none; now for a timestamp, today for a date; sequence for an integer or a bigint with set_by: service, which numbers the items.',
  ),
  example: key(anything(), 'A value for the documentation.'),
  renamed_from: key(
    snakeName,
    'What it was called before: its values are kept. Once that is generated, it may stay or go.',
    { examples: ['cost'] },
  ),
  backfill: key(
    anything(),
    'The value for items that are there already, where it is new or becomes required. Absent: the default.',
  ),
} satisfies Keys;

/** The keys that every property of an object knows, whatever its type. */
export const PROPERTY_KEYS = NAMED_KEYS;

/** The keys that only fields of some types know. */
const TYPE_FIELD_KEYS = {
  transitions: key(
    entries(
      {
        type: 'object',
        minProperties: 1,
        additionalProperties: STEPS.schema,
      },
      'of steps by value',
    ),
    'For each value the steps that an item may take from there: values, or maps of to (the value) and by (the roles that may take the step); [] if it is final. Another change is refused with 409, and a step of other roles with 403. The field is then required. Absent: every change is allowed.',
    {
      examples: [
        { draft: ['submitted'], submitted: [{ to: 'approved', by: ['editor'] }], approved: [] },
      ],
    },
  ),
  stored: key(
    TABLE_NAME,
    'In a collection with table. Of an enum: the enum type of the column, with its schema if that is not public; absent: the column has a type of texts. Of a list: array, if the column is a PostgreSQL array; absent: it is jsonb.',
    { examples: ['mpaa_rating'] },
  ),
  initial: key(
    list(text(), 1),
    'With transitions: the values that a new item may have; another one is refused with 422. Absent: the default, or without one every value.',
    { examples: [['draft']] },
  ),
} satisfies Keys;

/** The keys that fields know; some belong to one type. */
export const FIELD_KEYS = {
  ...NAMED_KEYS,
  unique: key(
    flag,
    'Whether no two items may have the same value. Texts in upper and lower case are different. Absent: false.',
  ),
  read_only: key(flag, 'Whether requests may not set it. Absent: false.'),
  set_by: key(
    word(['service']),
    'service: requests may not set it, and a default, a sequence or a hook does, also if it is required or unique. Absent: requests set it.',
  ),
  column: key(
    COLUMN_NAME,
    'In a collection with table: the name of the column. Absent: the name of the field.',
    { examples: ['customer_id'] },
  ),
  generated: key(
    IS_COMPUTED,
    'In a collection with table: whether the column is a generated one, which the database computes. Requests may not set it. Absent: false.',
  ),
  database_default: key(
    IS_COMPUTED,
    'In a collection with table: whether the database computes the value if a POST does not have the member, by a default of the column that is no constant. A PUT without it keeps the value. Absent: false.',
  ),
  write_only: key(flag, 'Whether answers never show it. Absent: false.'),
  immutable: key(flag, 'Whether it stays as it was created. Absent: false.'),
  ...SPAN_KEYS,
  ...olderNamesKey('cost'),
  type_in: key(
    byVersion(anything(REFERENCES.older)),
    'The type that its values have in older versions, each up to and including the one that is named.',
    { examples: [{ 1: { type: 'integer' } }] },
  ),
  ...TYPE_FIELD_KEYS,
} satisfies Keys;

/** The types whose fields know a key of `TYPE_FIELD_KEYS`. */
export const TYPES_WITH_KEY: Readonly<Record<string, readonly TypeName[]>> = {
  transitions: ['enum'],
  stored: ['enum', 'list'],
  initial: ['enum'],
} satisfies Record<keyof typeof TYPE_FIELD_KEYS, readonly TypeName[]>;

/** `stored` in a list: `array` only. */
const STORED_LIST = { ...TYPE_FIELD_KEYS.stored, shape: word(['array']), examples: ['array'] };

/** The keys of a table that fields of a type know. */
export const keysForType = (keys: Keys, type: TypeName): Keys =>
  Object.fromEntries(
    Object.entries(keys)
      .filter(([name]) => ownMember(TYPES_WITH_KEY, name)?.includes(type) ?? true)
      .map(([name, own]) => [name, name === 'stored' && type === 'list' ? STORED_LIST : own]),
  );

/** The keys of an older form of a field, beside its type and the options of that. */
export const OLDER_KEYS = {
  default: key(
    anything(),
    'The default in this form, where the team writes the conversion. Absent: that of the field.',
  ),
} satisfies Keys;
