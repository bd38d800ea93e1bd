/**
 * The JSON Schemas for editors: they are those of the table of keys, and they agree with the
 * parser. What a schema refuses the parser refuses, and what the parser refuses for its keys, its
 * types or its words the schema refuses too.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse, stringify } from 'yaml';
import { describe, expect, test } from 'vitest';
import type { IssueCode } from '../../../src/definition/index.ts';
import {
  COLLECTION_KEYS,
  FIELD_KEYS,
  PROPERTY_KEYS,
  SERVICE_KEYS,
} from '../../../src/definition/keys.ts';
import { TYPES as SPECS } from '../../../src/types/registry.ts';
import { schemas } from '../../../src/definition/schema.ts';
import type { DefinitionResult } from '../../../src/definition/types.ts';
import { folder, lines, single } from './support.ts';

const SCHEMAS = new URL('../../../schema/', import.meta.url);
const ajv = new Ajv({
  strict: true,
  strictRequired: false,
  strictTypes: false,
  allowUnionTypes: true,
});
// Schemas refer to each other by the names of their files.
for (const [name, schema] of schemas()) ajv.addSchema(schema, name);
const validators = new Map(
  [...schemas().keys()].map((name) => [name, ajv.getSchema(name)!] as const),
);

/** What a schema can tell, too. */
const TOLD_BY_SCHEMAS: ReadonlySet<string> = new Set<IssueCode>([
  'unknown-key',
  'missing-key',
  'wrong-type',
  'wrong-word',
  'empty-list',
]);

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const SERVICE = {
  name: 'shop',
  title: 'Shop',
  description: 'x',
  versions: { 2: { deprecated: '2026-11-01', sunset: '2027-05-01' }, 3: { frozen: true } },
  retired: [1],
  versioning: ['path'],
  pages: { default: 5, maximum: 10 },
  roles: ['editor'],
  users: { read: ['editor'] },
  seeds: true,
  redis: true,
  schema: 'shop',
};

const FIELD = {
  description: 'x',
  required: false,
  example: null,
  renamed_from: 'old_name',
  backfill: null,
  default: null,
  unique: false,
  read_only: false,
  set_by: 'service',
  write_only: false,
  immutable: false,
  since: 2,
  until: 3,
  name_in: { 2: 'older_name_id' },
};

/** An older form, for the types whose fields may have one. */
const TYPE_IN = { 2: { type: 'string', max_length: 5 } };

/** The keys of enums alone; a field that has them is not null, and its older form is an enum. */
const OF_ENUMS = {
  initial: ['a'],
  transitions: { a: ['b', { to: 'c', by: ['editor'] }], b: [], c: [] },
};

/** A value for every option of every type. */
const TYPES: Readonly<Record<keyof typeof SPECS, Json>> = {
  string: { min_length: 1, max_length: 5, pattern: '^a', format: 'slug' },
  text: { max_length: 5 },
  integer: { minimum: 1, maximum: 2 },
  bigint: { minimum: '1', maximum: '2' },
  number: { minimum: 1, maximum: 2 },
  time: { minimum: '06:00:00', maximum: '22:00:00.5' },
  duration: { minimum: 'PT1H', maximum: 'P30D' },
  ip: {},
  bytes: { max_bytes: 5 },
  decimal: { precision: 5, scale: 2, minimum: '1', maximum: '2' },
  boolean: {},
  date: { minimum: '2026-01-01', maximum: '2026-01-02' },
  timestamp: { minimum: '2026-01-01T00:00:00Z', maximum: '2026-01-02T00:00:00Z' },
  uuid: {},
  enum: { values: ['a', 'b', { value: 'c', since: 2, until: 3, as: 'a', renamed_from: 'd' }] },
  list: { of: { type: 'string', max_length: 5 }, min_items: 1, max_items: 2, unique_items: true },
  object: { properties: { a: { type: 'integer', minimum: 1 } } },
  json: { max_bytes: 256 },
  reference: {
    to: 'users',
    on_delete: 'refuse',
    nested: { as: 'things', since: 2, until: 3, name_in: { 2: 'items' } },
  },
};

const COLLECTION = {
  name: 'books',
  singular: 'book',
  description: 'x',
  renamed_from: 'titles',
  fields: {
    f_string: { type: 'string' },
    f_integer: { type: 'integer' },
    f_user_id: { type: 'reference', to: 'users' },
    f_author_id: { type: 'reference', to: 'authors' },
  },
  sort: ['f_string'],
  filter: ['f_string'],
  search: ['f_string'],
  include: ['f_author_id'],
  pages: { default: 5, maximum: 10 },
  permissions: { read: 'public', create: ['editor'], update: 'owner', delete: ['admin', 'owner'] },
  owner: 'f_user_id',
  since: 2,
  until: 3,
  name_in: { 2: 'tomes' },
  key: 'integer',
  create: 'background',
  job_timeout: 'PT30S',
  require_if_match: true,
  acknowledge: ['unique-reveals'],
  events: true,
  unique: [['f_string', 'f_integer']],
  checks: { c: { rule: 'f_integer > 1', message: 'More than one.' } },
  indexes: [['f_string']],
};

/** What only collections with existing tables have. */
const EXISTING = {
  table: 'archive.book',
  key: { type: 'integer', column: 'book_id', generated: 'client', name: 'book_key' },
  history: { created_at: 'made', updated_at: { column: 'changed', nullable: true } },
  soft_delete: { column: 'is_gone', type: 'boolean' },
  sort: ['title'],
  fields: {
    title: { type: 'string', column: 'name' },
    state: { type: 'enum', values: ['a', 'b'], stored: 'archive.state' },
    tags: { type: 'list', of: 'text', stored: 'array' },
    total: { type: 'integer', generated: true },
    token: { type: 'uuid', database_default: true },
  },
  unique: [{ fields: ['title'], name: 'titles' }],
};

const { name: _name, ...UNNAMED } = COLLECTION;
const SINGLE = {
  ...SERVICE,
  versions: [1, 2, 3, 4],
  retired: [],
  seeds: { authors: { first: { a: 'x' } } },
  collections: { books: UNNAMED, authors: { fields: { a: { type: 'json' } } } },
};

interface Kind {
  readonly schema: string;
  readonly sample: Json;
  readonly read: (document: Json) => Promise<DefinitionResult>;
}

const readCollection = (document: Json): Promise<DefinitionResult> =>
  folder({
    'service.yaml': 'versions: [1, 2, 3, 4]\nroles: [editor]',
    'collections/books.yaml': stringify(document),
    'collections/authors.yaml': 'fields: { a: { type: json } }',
  });

const KINDS: readonly (readonly [string, Kind])[] = [
  [
    'service',
    {
      schema: 'service.schema.json',
      sample: SERVICE,
      read: (document) =>
        folder({
          'service.yaml': stringify(document),
          'collections/books.yaml': 'fields: { a: { type: json } }',
        }),
    },
  ],
  ['collection', { schema: 'collection.schema.json', sample: COLLECTION, read: readCollection }],
  [
    'collection with an existing table',
    {
      schema: 'collection.schema.json',
      sample: EXISTING,
      read: (document) =>
        folder({ 'service.yaml': 'schema: shop', 'collections/books.yaml': stringify(document) }),
    },
  ],
  [
    'service in one file',
    {
      schema: 'single.schema.json',
      sample: SINGLE,
      read: (document) => single(stringify(document)),
    },
  ],
  ...Object.entries(TYPES).map(([type, options]): [string, Kind] => {
    const { set_by: setBy, ...all } = FIELD;
    const some = { required: true, default: 'a', example: 'a', backfill: 'a' };
    const common = type === 'enum' ? { ...all, ...some } : all;
    // A reference has a nested path here, which takes values of requests.
    const own =
      type === 'reference' ? {} : type === 'enum' ? OF_ENUMS : { set_by: setBy, type_in: TYPE_IN };
    const field = { type, ...common, ...own, ...(options as object) } as Json;
    const name = type === 'reference' ? 'f_id' : 'f';
    const sample = { fields: { [name]: field, in_all_versions: { type: 'json' } } };
    return [
      `field of type ${type}`,
      { schema: 'collection.schema.json', sample, read: readCollection },
    ];
  }),
];

type Path = readonly (string | number)[];

/** The paths of all values in a document. */
function pathsIn(value: Json, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, member]) => pathsIn(member, [...path, key])),
  ];
}

/** A document with another value at a path; undefined takes it away. */
function changed(document: Json, [key, ...rest]: Path, value: Json | undefined): Json {
  if (key === undefined) return value ?? null;
  const copy: Record<string, Json> | Json[] = Array.isArray(document)
    ? [...document]
    : { ...(document as Record<string, Json>) };
  const members = copy as Record<string, Json>;
  if (rest.length > 0) members[key] = changed(members[key]!, rest, value);
  else if (value !== undefined) members[key] = value;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete members[key];
  return copy;
}

const STRANGERS: readonly Json[] = [
  '§',
  '',
  'true',
  '5',
  5,
  -1,
  1.5,
  true,
  null,
  [],
  ['§'],
  {},
  { a: 1 },
];

async function compare(kind: Kind, document: Json): Promise<string | undefined> {
  const valid = (validators.get(kind.schema) as ValidateFunction)(document);
  const result = await kind.read(document);
  const told = result.ok ? [] : result.issues.filter(({ code }) => TOLD_BY_SCHEMAS.has(code));
  if (!valid && result.ok) return `only the schema refuses ${JSON.stringify(document)}`;
  if (valid && told.length > 0) return `only the parser refuses: ${lines(result).join('; ')}`;
  return undefined;
}

/** All keys of a schema, however deep, with their descriptions. */
function describedKeys(schema: object): readonly (readonly [key: string, description: string])[] {
  const { definitions = {}, ...rest } = schema as { definitions?: Record<string, object> };
  const resolved = (part: { $ref?: string; description?: string }): { description?: string } =>
    part.$ref === undefined ? part : (definitions[part.$ref.replace('#/definitions/', '')] ?? {});
  const found: (readonly [string, string])[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'if') continue;
      if (key !== 'properties') visit(inner);
      else {
        for (const [name, property] of Object.entries(inner as Record<string, object>)) {
          found.push([name, resolved(property).description ?? '']);
          visit(property);
        }
      }
    }
  };
  for (const part of [rest, ...Object.values(definitions)]) visit(part);
  return found;
}

describe('the files', () => {
  test('are those of the table of keys: npm run reference writes them', () => {
    expect(readdirSync(SCHEMAS).toSorted()).toEqual([...schemas().keys()].toSorted());
    for (const [name, schema] of schemas()) {
      const text = readFileSync(new URL(name, SCHEMAS), 'utf8');
      // As text, for the order of keys is that in which editors offer them.
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(schema));
    }
  });

  test('describe every key', () => {
    const described = [...schemas().values()].flatMap(describedKeys);
    expect(described.length).toBeGreaterThan(400);
    expect(described.filter(([, text]) => !/\S.*\.$/s.test(text))).toEqual([]);
  });
});

describe('schemas and parser', () => {
  test('the samples have every key of the table', () => {
    expect(Object.keys(SERVICE).toSorted()).toEqual(Object.keys(SERVICE_KEYS).toSorted());
    const { table, history, soft_delete } = EXISTING;
    const collection = Object.keys({ ...COLLECTION, table, history, soft_delete });
    expect(collection.toSorted()).toEqual(Object.keys(COLLECTION_KEYS).toSorted());
    const ofExisting = ['column', 'stored', 'generated', 'database_default'];
    const field = [...Object.keys(FIELD), 'type_in', ...Object.keys(OF_ENUMS), ...ofExisting];
    expect(field.toSorted()).toEqual(Object.keys(FIELD_KEYS).toSorted());
    for (const [type, { keys }] of Object.entries(SPECS)) {
      const options = TYPES[type as keyof typeof TYPES] as object;
      expect(Object.keys(options).toSorted()).toEqual(Object.keys(keys).toSorted());
    }
  });

  test.each(KINDS)('agree on the sample of a %s', async (_, kind) => {
    expect(lines(await kind.read(kind.sample))).toEqual([]);
    expect(await compare(kind, kind.sample)).toBeUndefined();
  });

  test.each(KINDS)(
    'agree on a %s with any value of another type anywhere, and without any value',
    async (_, kind) => {
      const differences: (string | undefined)[] = [];
      for (const path of pathsIn(kind.sample)) {
        for (const value of [...STRANGERS, undefined]) {
          differences.push(await compare(kind, changed(kind.sample, path, value)));
        }
      }
      expect(differences.length).toBeGreaterThan(100);
      expect(differences.filter((one) => one !== undefined)).toEqual([]);
    },
  );

  test('agree on which option belongs to which type, in fields, properties and entries', async () => {
    const known: Record<string, Json> = { ...FIELD, zzz: 1 };
    for (const options of Object.values(TYPES)) Object.assign(known, options as object);
    const kind = KINDS[1]![1];
    for (const [type, options] of Object.entries(TYPES)) {
      for (const [key, value] of Object.entries(known)) {
        const typed = { type, ...(options as object), [key]: value } as Json;
        const places: readonly Json[] = [
          { [type === 'reference' ? 'f_id' : 'f']: typed },
          { f: { type: 'object', properties: { g: typed } } },
          { f: { type: 'list', of: typed } },
        ];
        for (const fields of places) {
          expect(await compare(kind, { fields })).toBeUndefined();
        }
      }
    }
    expect(Object.keys(PROPERTY_KEYS).every((key) => key in FIELD)).toBe(true);
  });

  test('agree on the short form of an entry', async () => {
    for (const of of ['string', 'json', 'enum', 'reference', 'x']) {
      const document = { fields: { f: { type: 'list', of } } };
      const valid = validators.get('collection.schema.json')!(document);
      expect([of, valid]).toEqual([of, of === 'string' || of === 'enum']);
    }
  });

  test('agree on the examples', async () => {
    const text = readFileSync(new URL('../../../examples/bookshop.yaml', import.meta.url), 'utf8');
    expect(lines(await single(text))).toEqual([]);
    expect(validators.get('single.schema.json')!(parse(text))).toBe(true);
  });
});
