/**
 * Every key of the definition language, in one table: the parser reads by it, and the JSON
 * Schemas for editors are made from it. A new key is a new row here.
 */
import { entries, type Key, type Keys, map } from './records.ts';
import { flag, list, numberShape, oneOrMore } from './shapes.ts';
import { text, anything, whole, word } from './shapes.ts';
import { byVersion, ENUM_VALUES, HIGHEST_VERSION, VERSIONS } from './versions/shapes.ts';
import type { JsonSchema, Located, Shape } from './shapes.ts';
import { PERMISSION } from './permissions.ts';
import type { FieldType, OnDelete, StringFormat } from './types.ts';

/** What the schemas call their parts; the tables refer to them where types nest. */
export const REFERENCES = {
  collection: { $ref: '#/definitions/collection' },
  field: { $ref: '#/definitions/field' },
  property: { $ref: '#/definitions/property' },
  item: { $ref: '#/definitions/item' },
  older: { $ref: '#/definitions/older' },
} as const;

/** snake_case, as names of collections, fields and roles are. */
export const SNAKE_CASE = '^[a-z][a-z0-9]*(_[a-z0-9]+)*$';
/** kebab-case, as the name of the service is. */
export const KEBAB_CASE = '^[a-z][a-z0-9]*(-[a-z0-9]+)*$';
/** The longest identifier of PostgreSQL. */
export const LONGEST_NAME = 63;

const MOST_ITEMS = 1_000_000;
const LONGEST_TEXT = 10_485_760;
/** As many as one page may hold, so that no list is ever returned whole. */
const LARGEST_PAGE = 10_000;

function key<T>(
  shape: Shape<T>,
  description: string,
  more: { readonly examples?: readonly unknown[]; readonly missing?: string } = {},
): Key<T> {
  return { shape, description, ...more };
}

const snakeName = text({ pattern: SNAKE_CASE, maxLength: LONGEST_NAME });
const names = (description: string): JsonSchema => ({
  type: 'object',
  minProperties: 1,
  propertyNames: { pattern: SNAKE_CASE, maxLength: LONGEST_NAME },
  description,
});

const version = whole(1, HIGHEST_VERSION);

/** The keys of what not all versions have. */
const SPAN_KEYS = {
  since: key(version, 'The first version that has it. Absent: all have it.', { examples: [2] }),
  until: key(version, 'The last version that has it. Absent: it is there to stay.', {
    examples: [1],
  }),
} satisfies Keys;

const nameIn = (example: string) => ({
  name_in: key(
    byVersion(snakeName),
    'What it is called in older versions, each up to and including the one that is named.',
    { examples: [{ 1: example }] },
  ),
});

const PAGES_KEYS = {
  default: key(whole(1, LARGEST_PAGE), 'Items on a page where a request names no limit.'),
  maximum: key(whole(1, LARGEST_PAGE), 'The greatest limit that a request may name.'),
} satisfies Keys;

const PAGES = map(PAGES_KEYS);

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
} satisfies Keys;

const PERMISSION_KEYS = {
  read: key(PERMISSION.read, 'Who may read items.'),
  create: key(PERMISSION.create, 'Who may create items.'),
  update: key(PERMISSION.update, 'Who may change items.'),
  delete: key(PERMISSION.delete, 'Who may remove items.'),
} satisfies Keys;

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
  ...nameIn('titles'),
  fields: key(
    entries(
      { ...names('Fields by name.'), additionalProperties: REFERENCES.field },
      'of fields by name',
    ),
    'The fields of an item. id, created_at and updated_at are there already.',
    { missing: '"fields:" with a field under it, such as "title: { type: string }"' },
  ),
  sort: key(
    fieldNames(),
    'Fields that lists may be sorted by; created_at and updated_at too. Absent: [created_at].',
    { examples: [['title', 'created_at']] },
  ),
  filter: key(fieldNames(), 'Fields that lists may be filtered by. Absent: none.'),
  search: key(
    fieldNames(),
    'String and text fields that q searches in; a version searches in those that it has as texts. Of each text its first 10,000 different words are found. Absent: none.',
  ),
  pages: key(PAGES, "The size of a page in this collection. Absent: the service's."),
  permissions: key(
    map(PERMISSION_KEYS),
    'Who may do what: public, authenticated, owner, or a list of roles. Absent: authenticated.',
    { examples: [{ read: 'public', create: ['editor'] }] },
  ),
  create: key(
    word(['direct', 'background']),
    'direct answers a POST with 201; background queues the work and answers 202. Absent: direct.',
  ),
  require_if_match: key(
    flag,
    'Whether PUT, PATCH and DELETE without If-Match are refused with 428. Absent: false.',
  ),
  unique: key(list(list(snakeName, 1)), 'Lists of fields that are unique together.', {
    examples: [[['author_id', 'title']]],
  }),
  indexes: key(
    list(list(snakeName, 1)),
    'Lists of fields to index, beside what sort, filter and references index already.',
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
} satisfies Keys;

const NAMED_KEYS = {
  description: key(text(), 'Goes to the OpenAPI document and the doc comments.'),
  required: key(flag, 'Whether the value may not be null. Absent: false.'),
  default: key(
    anything(),
    'The value where a request gives none; now for a timestamp, today for a date.',
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

/** The keys that every field knows, whatever its type. */
export const FIELD_KEYS = {
  ...NAMED_KEYS,
  unique: key(flag, 'Whether no two items may have the same value. Absent: false.'),
  read_only: key(flag, 'Whether requests may not set it. Absent: false.'),
  write_only: key(flag, 'Whether answers never show it. Absent: false.'),
  immutable: key(flag, 'Whether it stays as it was created. Absent: false.'),
  ...SPAN_KEYS,
  ...nameIn('cost'),
  type_in: key(
    byVersion(anything(REFERENCES.older)),
    'The type that its values have in older versions, each up to and including the one that is named.',
    { examples: [{ 1: { type: 'integer' } }] },
  ),
} satisfies Keys;

/** The keys of an older form of a field, beside its type and the options of that. */
export const OLDER_KEYS = {
  default: key(
    anything(),
    'The default in this form, where the team writes the conversion. Absent: that of the field.',
  ),
} satisfies Keys;

/** The keys of a nested path that says more than its name. */
export const NESTED_KEYS = {
  as: key(snakeName, 'The plural noun of the path. Absent: the name of the collection.', {
    examples: ['reviews'],
  }),
  ...SPAN_KEYS,
  ...nameIn('comments'),
} satisfies Keys;

const length = (least: number): Shape<number> => whole(least, LONGEST_TEXT);
const safe = whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const INTEGER_TEXT = '^(0|-?[1-9][0-9]*)$';
const DECIMAL_TEXT = '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$';
const DATE_TEXT = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
const TIMESTAMP_TEXT = '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt].*([Zz]|[+-][0-9]{2}:[0-9]{2})$';

const bounds = <T>(shape: Shape<T>): { minimum: Key<T>; maximum: Key<T> } => ({
  minimum: key(shape, 'The least value that is accepted.'),
  maximum: key(shape, 'The greatest value that is accepted.'),
});

/** The options of each type, beside those that every field knows. */
export const TYPE_KEYS = {
  string: {
    min_length: key(length(0), 'The fewest characters, counted by code points.'),
    max_length: key(length(1), 'The most characters, counted by code points.'),
    pattern: key(
      text(),
      'A regular expression of ECMAScript with the u flag; it is not anchored by itself. The service checks it; the database checks only the lengths.',
      { examples: ['^97[89][0-9]{10}$'] },
    ),
    format: key(
      word(['email', 'uri', 'hostname', 'ipv4', 'ipv6', 'slug'] satisfies StringFormat[], {
        url: 'uri',
        host: 'hostname',
        ip: 'ipv4',
      }),
      'A form that the text has.',
    ),
  },
  text: { max_length: key(length(1), 'The most characters, counted by code points.') },
  integer: bounds(safe),
  bigint: bounds(text({ pattern: INTEGER_TEXT })),
  number: bounds(numberShape),
  decimal: {
    precision: key(whole(1, 1000), 'How many digits there are in all.', {
      missing: '"precision: 10", the number of digits in all',
    }),
    scale: key(whole(0, 1000), 'How many of the digits stand behind the point.', {
      missing: '"scale: 2", the number of digits behind the point',
    }),
    ...bounds(text({ pattern: DECIMAL_TEXT })),
  },
  boolean: {},
  date: bounds(text({ pattern: DATE_TEXT })),
  timestamp: bounds(text({ pattern: TIMESTAMP_TEXT })),
  uuid: {},
  enum: {
    values: key(
      ENUM_VALUES,
      'The values, in the order by which lists sort them; one that not all versions have is a map of value, since or until, and as, what it is shown as elsewhere. In an older form: a map from each value of today to what it was.',
      {
        missing: '"values: [draft, published]"',
        examples: [['draft', 'published']],
      },
    ),
  },
  list: {
    of: key(anything(REFERENCES.item), 'The scalar type of the entries, with its options.', {
      missing: '"of: { type: string }"',
      examples: [{ type: 'string' }],
    }),
    min_items: key(whole(0, MOST_ITEMS), 'The fewest entries.'),
    max_items: key(whole(1, MOST_ITEMS), 'The most entries.'),
    unique_items: key(flag, 'Whether no two entries may be equal. Absent: false.'),
  },
  object: {
    properties: key(
      entries(
        { ...names('Properties by name.'), additionalProperties: REFERENCES.property },
        'of properties by name',
      ),
      'The members of the object, up to 5 objects deep.',
      { missing: '"properties:" with a property under it' },
    ),
  },
  json: {},
  reference: {
    to: key(snakeName, 'The collection that is referred to, or users.', {
      missing: '"to:" and the name of a collection',
      examples: ['authors'],
    }),
    on_delete: key(
      word(['refuse', 'cascade', 'clear'] satisfies OnDelete[], {
        restrict: 'refuse',
        set_null: 'clear',
        nullify: 'clear',
      }),
      'What happens to the item when the one referred to is removed: the removal is refused, the item is removed too, or the reference is cleared. Absent: refuse.',
    ),
    nested: key(
      anything({ anyOf: [{ type: 'boolean' }, snakeName.schema, map(NESTED_KEYS).schema] }),
      'true gives /{to}/{id}/{collection}; a plural noun gives that name in place of the collection; a map says which versions have the path.',
      { examples: [true, 'reviews', { as: 'reviews', since: 2 }] },
    ),
  },
} satisfies { readonly [T in FieldType['type']]: Keys };

export type TypeName = keyof typeof TYPE_KEYS;

/** All types, in the order of the documentation. */
export const TYPE_NAMES = Object.keys(TYPE_KEYS) as readonly TypeName[];

/** The types whose values are one JSON scalar; these may stand in a list. */
export const SCALAR_NAMES = TYPE_NAMES.filter(
  (name) => !['list', 'object', 'json', 'reference'].includes(name),
);

/** What each type holds. */
export const TYPE_DESCRIPTIONS: Readonly<Record<TypeName, string>> = {
  string: 'Text of one line or a few.',
  text: 'Long text.',
  integer: 'A whole number in the safe range of JSON.',
  bigint: 'A whole number of 64 bits, as text.',
  number: 'A floating-point number.',
  decimal: 'An exact decimal number, as text.',
  boolean: 'true or false.',
  date: 'A day: YYYY-MM-DD.',
  timestamp: 'A moment: RFC 3339 with an offset.',
  uuid: 'A UUID.',
  enum: 'One of a few texts.',
  list: 'A list of scalars.',
  object: 'A map with known members.',
  json: 'Any JSON value.',
  reference: 'The id of an item of another collection, or of a user.',
};

/** Words of other languages for the types. */
export const TYPE_SYNONYMS: Readonly<Record<string, TypeName>> = {
  array: 'list',
  belongs_to: 'reference',
  bool: 'boolean',
  char: 'string',
  datetime: 'timestamp',
  date_time: 'timestamp',
  'date-time': 'timestamp',
  double: 'number',
  float: 'number',
  foreign_key: 'reference',
  guid: 'uuid',
  int: 'integer',
  int64: 'bigint',
  jsonb: 'json',
  long: 'bigint',
  map: 'object',
  money: 'decimal',
  numeric: 'decimal',
  str: 'string',
  time: 'timestamp',
  varchar: 'string',
};
