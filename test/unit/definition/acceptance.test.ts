/** What may be written: every key with its default, every type with all of its options. */
import { describe, expect, test } from 'vitest';

import { parseFolder, parseSingleFile } from '../../../src/definition/index.ts';
import { TYPES } from '../../../src/types/registry.ts';
import { COLLECTION_KEYS } from '../../../src/definition/keys.ts';
import {
  books,
  fieldOf,
  file,
  folder,
  lines,
  OPTIONS,
  service,
  single,
  withoutPositions,
} from './support.ts';

const AUTHENTICATED = { kind: 'authenticated' };

/** The pages of a service, and of a collection in it. */
const pages = async (outer: string, own: string): Promise<unknown> => {
  const collection = `{ pages: ${own}, fields: { a: { type: json } } }`;
  const read = service(await single(`${outer}\ncollections: { books: ${collection} }`));
  return [read.pages, read.collections[0]!.pages];
};

describe('defaults', () => {
  test('of a service that says nothing but its collections', async () => {
    const read = service(await single('collections: { books: { fields: { a: { type: json } } } }'));
    expect(withoutPositions(read)).toEqual({
      name: 'bookshop',
      title: 'Bookshop',
      versions: [1],
      lifecycles: [{ version: 1, frozen: false }],
      retired: [],
      seeds: false,
      redis: false,
      versioning: ['path', 'accept'],
      pages: { default: 20, maximum: 100 },
      roles: [],
      collections: [
        {
          name: 'books',
          singular: 'book',
          key: 'uuid',
          keySource: 'service',
          times: ['created_at', 'updated_at'],
          fields: [
            {
              name: 'a',
              type: { type: 'json' },
              required: false,
              unique: false,
              readOnly: false,
              writeOnly: false,
              immutable: false,
            },
          ],
          sort: ['created_at'],
          filter: [],
          search: [],
          include: [],
          pages: { default: 20, maximum: 100 },
          permissions: {
            read: AUTHENTICATED,
            create: AUTHENTICATED,
            update: AUTHENTICATED,
            delete: AUTHENTICATED,
          },
          create: 'direct',
          jobTimeout: 300,
          requireIfMatch: false,
          events: false,
          unique: [],
          checks: [],
          indexes: [],
        },
      ],
    });
  });

  test.each([
    ['My Shop', 'my-shop', 'My shop'],
    ['order_items', 'order-items', 'Order items'],
    ['日本', 'service', 'Service'],
    ['', 'service', 'Service'],
  ])('the name of the folder %j gives %s', async (fallbackName, name, title) => {
    const bytes = new TextEncoder().encode(
      'collections: { books: { fields: { a: { type: json } } } }',
    );
    const read = service(await parseSingleFile({ path: 'x.yaml', bytes }, { fallbackName }));
    expect(read).toMatchObject({ name, title });
  });

  test('of pages: a maximum alone lowers the default with it', async () => {
    expect(await pages('pages: { maximum: 10 }', '{ maximum: 5 }')).toEqual([
      { default: 10, maximum: 10 },
      { default: 5, maximum: 5 },
    ]);
    expect(await pages('pages: { default: 5 }', '{ default: 7 }')).toEqual([
      { default: 5, maximum: 100 },
      { default: 7, maximum: 100 },
    ]);
    expect(await pages('pages: { default: 5, maximum: 10000 }', '{ default: 1000 }')).toEqual([
      { default: 5, maximum: 10000 },
      { default: 1000, maximum: 10000 },
    ]);
  });
});

describe('a service', () => {
  test('with ids of the type smallint', async () => {
    const read = service(
      await folder({
        'service.yaml': 'schema: shop',
        'collections/rooms.yaml':
          'table: room\nkey: { type: smallint, generated: client }\nhistory: {}\nfields: { a: { type: json } }',
        'collections/lamps.yaml':
          'table: lamp\nkey: smallint\nhistory: {}\nfields: { room_id: { type: reference, to: rooms } }',
      }),
    );
    expect(read.collections).toMatchObject([
      { key: 'smallint', keySource: 'database', fields: [{ type: { key: 'smallint' } }] },
      {
        key: 'smallint',
        keySource: 'client',
        fields: [{ type: { minimum: '-32768', maximum: '32767' } }, { name: 'a' }],
      },
    ]);
  });

  test('with ids that clients choose', async () => {
    const read = service(
      await folder({
        'service.yaml': 'schema: shop',
        'collections/books.yaml':
          'table: book\nkey: { type: string, column: isbn, name: isbn_key }\nhistory: {}\nfields: { a: { type: json } }',
      }),
    );
    expect(read.collections[0]).toMatchObject({
      key: 'string',
      keySource: 'client',
      existing: { keyColumns: ['isbn'], keyName: 'isbn_key' },
      fields: [
        {
          ...{ name: 'id', column: 'isbn', required: true, unique: true, immutable: true },
          type: { type: 'string', minLength: 1, maxLength: 255 },
        },
        { name: 'a' },
      ],
    });
  });

  test('with every key', async () => {
    const read = service(
      await folder({
        'service.yaml': [
          'name: book-shop-2',
          "title: 'A: shop'",
          'description: Sells.',
          'versions: [3, 1, 2]',
          'versioning: accept',
          'pages: { default: 1, maximum: 1 }',
          'roles: [editor, chief_editor]',
          'users: { read: [admin, chief_editor] }',
        ].join('\n'),
        'collections/books.yaml': 'fields: { a: { type: json } }',
      }),
    );
    expect(read).toMatchObject({
      name: 'book-shop-2',
      title: 'A: shop',
      description: 'Sells.',
      versions: [1, 2, 3],
      versioning: ['accept'],
      pages: { default: 1, maximum: 1 },
      roles: ['editor', 'chief_editor'],
      usersRead: ['chief_editor'],
    });
  });

  test('has its ways of versioning in one order', async () => {
    const text =
      'versioning: [accept, path]\ncollections: { books: { fields: { a: { type: json } } } }';
    expect(service(await single(text)).versioning).toEqual(['path', 'accept']);
  });

  test('has its collections by name, and their fields as they were written', async () => {
    const one = '{ fields: { z: { type: json }, a: { type: json } } }';
    const text = `collections: { zebras: ${one}, apples: ${one}, a_pples: ${one.replace('fields', 'singular: ape, fields')} }`;
    const read = service(await single(text.replace(', a_pples', ', b_apples')));
    expect(read.collections.map(({ name }) => name)).toEqual(['apples', 'b_apples', 'zebras']);
    expect(read.collections[0]!.fields.map(({ name }) => name)).toEqual(['z', 'a']);
  });

  test('is frozen through and through', async () => {
    const read = service(
      await books('a: { type: object, properties: { b: { type: integer } }, default: { b: 1 } }'),
    );
    const check = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      expect(Object.isFrozen(value)).toBe(true);
      Object.values(value).forEach(check);
    };
    check(read);
  });
});

describe('a collection', () => {
  const ALL = [
    'name: books',
    'renamed_from: titles',
    'singular: tome',
    'description: A title.',
    'key: bigint',
    'fields:',
    '  title: { type: string }',
    '  isbn: { type: string }',
    '  author_id: { type: reference, to: authors }',
    '  reader_id: { type: reference, to: users }',
    'sort: [title, isbn, author_id, created_at, updated_at]',
    'filter: [updated_at, title]',
    'search: [title]',
    'include: [author_id]',
    'pages: { default: 10, maximum: 50 }',
    'permissions:',
    '  read: public',
    '  create: authenticated',
    '  update: [editor, owner]',
    '  delete: owner',
    'owner: reader_id',
    'create: background',
    'job_timeout: P1DT1H1M1.5S',
    'require_if_match: true',
    'events: true',
    'acknowledge: [unique-reveals]',
    "unique: [[title, author_id], [isbn], { fields: [title], where: '(isbn != null)' }]",
    'checks:',
    "  named: { rule: 'title != isbn', message: ' A title is no number. ' }",
    'indexes: [[title, -created_at]]',
    'since: 2',
    'until: 3',
    'name_in: { 2: tomes }',
  ];

  /** What only collections with existing tables have. */
  const EXISTING = [
    'table: archive.Books of 2020',
    'key: { type: integer, column: Book ID }',
    'history: { updated_at: { column: changed, nullable: true } }',
    'soft_delete: { column: is gone, type: boolean }',
    'fields:',
    '  title: { type: string, column: Title }',
    '  state: { type: enum, values: [a, b], stored: archive.book_state }',
    '  tags: { type: list, of: text, stored: array }',
    '  notes: { type: list, of: text }',
    '  total: { type: integer, generated: true, required: true }',
    '  token: { type: uuid, database_default: true, required: true, unique: true, immutable: true }',
    '  code: { type: string, database_default: true, set_by: service, required: true }',
    '  secret: { type: string, database_default: true, write_only: true }',
    '  plain: { type: string, database_default: false, default: x }',
    'unique: [{ fields: [title, updated_at], name: only one }]',
  ];

  test('with an existing table', async () => {
    const read = service(
      await folder({
        'service.yaml': 'schema: shop',
        'collections/books.yaml': EXISTING.join('\n'),
      }),
    );
    expect(read.schema).toBe('shop');
    expect(read.collections[0]).toMatchObject({
      key: 'integer',
      existing: {
        schema: 'archive',
        table: 'Books of 2020',
        keyColumns: ['Book ID'],
        times: { updated_at: 'changed' },
        nullableTimes: ['updated_at'],
        softDelete: { column: 'is gone', type: 'boolean' },
      },
      times: ['updated_at'],
      sort: [],
      fields: [
        { name: 'title', column: 'Title' },
        { name: 'state', stored: { schema: 'archive', type: 'book_state' } },
        { name: 'tags', isArray: true },
        expect.not.objectContaining({ isArray: true }),
        { name: 'total', isGenerated: true, readOnly: true, setBy: 'service', required: true },
        { name: 'token', hasDatabaseDefault: true, required: true, unique: true, readOnly: false },
        { name: 'code', hasDatabaseDefault: true, required: true, readOnly: true },
        { name: 'secret', hasDatabaseDefault: true, writeOnly: true },
        expect.not.objectContaining({ hasDatabaseDefault: true }),
      ],
      unique: [{ fields: ['title', 'updated_at'], name: 'only one' }],
    });
  });

  test('with an existing table that is as a table of the service', async () => {
    const read = service(
      await folder({
        'service.yaml': 'schema: shop',
        'collections/books.yaml': 'table: books\nfields: { a: { type: json } }',
      }),
    );
    expect(read.collections[0]).toMatchObject({
      key: 'uuid',
      existing: {
        schema: 'public',
        table: 'books',
        keyColumns: ['id'],
        times: { created_at: 'created_at', updated_at: 'updated_at' },
      },
      times: ['created_at', 'updated_at'],
      sort: ['created_at'],
    });
  });

  test('with ids that consist of the values of fields', async () => {
    const read = service(
      await folder({
        'service.yaml': 'schema: shop',
        'collections/books.yaml':
          'table: book\nkey: bigint\nhistory: {}\nfields: { a: { type: json } }',
        'collections/covers.yaml': [
          ...['table: cover', 'history: {}', 'key: { fields: [book_id] }', 'fields:'],
          '  book_id: { type: reference, to: books, required: true, immutable: true, column: for }',
        ].join('\n'),
        'collections/pages.yaml': [
          ...['table: page', 'history: {}', 'key: { fields: [number, cover_id], name: the key }'],
          'fields:',
          '  number: { type: integer, required: true, immutable: true }',
          '  cover_id: { type: reference, to: covers, required: true, immutable: true, column: of }',
        ].join('\n'),
      }),
    );
    const [, covers, third] = read.collections;
    expect(covers).toMatchObject({
      key: 'bigint',
      keySource: 'fields',
      keyFields: ['book_id'],
      existing: { keyColumns: ['for'] },
      fields: [{ name: 'book_id', type: { key: 'bigint' } }],
      unique: [{ fields: ['book_id'], isKey: true }],
    });
    expect(third).toMatchObject({
      key: 'composite',
      keySource: 'fields',
      keyFields: ['number', 'cover_id'],
      existing: { keyColumns: ['number', 'of'], keyName: 'the key' },
      fields: [{ name: 'number' }, { name: 'cover_id', type: { to: 'covers', key: 'bigint' } }],
      unique: [{ fields: ['number', 'cover_id'], name: 'the key', isKey: true }],
    });
  });

  test('with every key', async () => {
    const read = service(
      await folder({
        'service.yaml': 'versions: [1, 2, 3, 4]\nroles: [editor]',
        'collections/authors.yaml': 'fields: { a: { type: json } }',
        'collections/books.yaml': ALL.join('\n'),
      }),
    );
    expect(read.collections[1]).toMatchObject({
      name: 'books',
      singular: 'tome',
      description: 'A title.',
      key: 'bigint',
      renamedFrom: 'titles',
      sort: ['title', 'isbn', 'author_id', 'created_at', 'updated_at'],
      filter: ['updated_at', 'title'],
      search: ['title'],
      include: ['author_id'],
      pages: { default: 10, maximum: 50 },
      permissions: {
        read: { kind: 'public' },
        create: { kind: 'authenticated' },
        update: { kind: 'some', roles: ['editor'], owner: true },
        delete: { kind: 'some', roles: [], owner: true },
      },
      owner: [{ collection: 'books', field: 'reader_id' }],
      create: 'background',
      // A day, an hour, a minute and one and a half seconds.
      jobTimeout: 90_061.5,
      requireIfMatch: true,
      events: true,
      acknowledge: ['unique-reveals'],
      unique: [
        { fields: ['title', 'author_id'] },
        { fields: ['isbn'] },
        { fields: ['title'], where: { expression: { kind: 'null', isNull: false } } },
      ],
      checks: [
        {
          name: 'named',
          message: 'A title is no number.',
          expression: { kind: 'compare', operator: '!=', member: { name: 'title' } },
        },
      ],
      indexes: [
        [
          { field: 'title', descending: false },
          { field: 'created_at', descending: true },
        ],
      ],
      since: 2,
      until: 3,
      olderNames: [{ upTo: 2, name: 'tomes' }],
      at: { file: 'definitions/collections/books.yaml', line: 1, column: 7 },
    });
    const keys = [...ALL, ...EXISTING]
      .filter((line) => !line.startsWith(' '))
      .map((line) => line.split(':')[0]!);
    expect(new Set(keys)).toEqual(new Set(Object.keys(COLLECTION_KEYS)));
  });

  test.each([
    [
      'values between those that a rule names',
      'a: { type: number, required: true }',
      'a > 0 and a < 1',
    ],
    ['values outside of them', 'a: { type: number, required: true }', 'a <= 0 or a >= 1'],
    [
      'a chain of decimals',
      'a: { type: decimal, precision: 9, scale: 2, required: true }, b: { type: decimal, precision: 9, scale: 2, required: true }, c: { type: decimal, precision: 9, scale: 2, required: true }',
      'a > 10 and b > a and c > b',
    ],
    [
      'a chain of texts',
      'a: { type: string, required: true }, b: { type: string, required: true }, c: { type: string, required: true }',
      `a = b and b = c and c = 'x'`,
    ],
    [
      'a text that is none of many',
      'a: { type: string, required: true }',
      `a not in ('A 1', 'A 2', 'A 3', 'a 1', 'a 2', 'a 3', 'A', 'a', 'A1', 'a1')`,
    ],
  ])('takes a check that has %s', async (_what, fields, rule) => {
    const text = `collections: { books: { fields: { ${fields} }, checks: { c: { rule: ${JSON.stringify(rule)} } } } }`;
    expect(lines(await single(text))).toEqual([]);
  });

  test('a reference has the key that its target has, also if only that file has changed', async () => {
    const ofBooks = file(
      'definitions/collections/books.yaml',
      'fields: { author_id: { type: reference, to: authors }, user_id: { type: reference, to: users } }',
    );
    for (const key of ['integer', 'bigint', 'uuid']) {
      const authors = file(
        'definitions/collections/authors.yaml',
        `key: ${key}\nfields: { name: { type: string } }`,
      );
      const { collections } = service(await parseFolder([authors, ofBooks], OPTIONS));
      expect(collections.map((one) => one.key)).toEqual([key, 'uuid']);
      expect(collections[1]!.fields.map(({ type }) => type)).toEqual([
        {
          type: 'reference',
          to: 'authors',
          onDelete: 'refuse',
          ...(key !== 'uuid' && { key }),
        },
        { type: 'reference', to: 'users', onDelete: 'refuse' },
      ]);
    }
  });

  test.each([
    ['uuid', '01890a5d-ac96-774b-bcce-b302099a8057', '42'],
    ['integer', '42', '01890a5d-ac96-774b-bcce-b302099a8057'],
  ])('a seed refers to an item of the key %s by its id', async (key, id, other) => {
    const seedsOf = (text: string): string =>
      [
        'collections:',
        `  authors: { key: ${key}, fields: { name: { type: string } } }`,
        '  books: { fields: { author_id: { type: reference, to: authors } } }',
        'seeds:',
        `  books: { one: { author_id: ${text} } }`,
      ].join('\n');
    expect(lines(await single(seedsOf(`'${id}'`)))).toEqual([]);
    expect(lines(await single(seedsOf(id)))).toEqual([]);
    expect(lines(await single(seedsOf(`'${other}'`)))).toHaveLength(1);
  });

  test('has the collections of its owner path', async () => {
    const read = service(
      await single(
        [
          'collections:',
          '  loans: { fields: { member_id: { type: reference, to: members } }, permissions: { read: owner }, owner: member_id.user_id }',
          '  members: { fields: { user_id: { type: reference, to: users } } }',
        ].join('\n'),
      ),
    );
    expect(read.collections[0]?.owner).toEqual([
      { collection: 'loans', field: 'member_id' },
      { collection: 'members', field: 'user_id' },
    ]);
    expect(read.collections[1]).not.toHaveProperty('owner');
  });

  test.each([
    ['field', 'customer_id: { type: reference, to: customers, unique: true }', ''],
    ['rule', 'customer_id: { type: reference, to: customers }', ', unique: [[customer_id]]'],
    [
      'key',
      'customer_id: { type: reference, to: customers, required: true, immutable: true }',
      ', table: membership, key: { fields: [customer_id] }, history: {}',
    ],
  ])('has the linking collections of its owner path: unique by a %s', async (_what, link, rest) => {
    const user = rest.includes('table') // Existing tables refer to no user.
      ? 'person_id: { type: reference, to: people }'
      : 'user_id: { type: reference, to: users }';
    const end = rest.includes('table') ? 'person_id.accounts.user_id' : 'user_id';
    const permissions = 'permissions: { read: owner, create: [admin] }';
    const read = service(
      await single(
        [
          'schema: shop',
          'collections:',
          '  accounts: { fields: { person_id: { type: reference, to: people, unique: true }, user_id: { type: reference, to: users } } }',
          `  customers: { table: customer, fields: { name: { type: string } }, ${permissions}, owner: memberships.${end} }`,
          `  memberships: { fields: { ${link}, ${user} }${rest} }`,
          `  orders: { table: order, fields: { customer_id: { type: reference, to: customers } }, permissions: { read: owner }, owner: customer_id.memberships.${end} }`,
          '  people: { table: person, fields: { name: { type: string } } }',
        ].join('\n'),
      ),
    );
    const steps = rest.includes('table')
      ? [
          { collection: 'memberships', field: 'person_id', link: 'customer_id' },
          { collection: 'accounts', field: 'user_id', link: 'person_id' },
        ]
      : [{ collection: 'memberships', field: 'user_id', link: 'customer_id' }];
    const ownerOf = (name: string) => read.collections.find((one) => one.name === name)?.owner;
    expect(ownerOf('customers')).toEqual([{ collection: 'customers', field: 'id' }, ...steps]);
    expect(ownerOf('orders')).toEqual([{ collection: 'orders', field: 'customer_id' }, ...steps]);
  });

  test('has an owner path over two linking collections, one after the other', async () => {
    const read = service(
      await single(
        [
          'collections:',
          '  accounts: { fields: { pass_id: { type: reference, to: passes, unique: true }, user_id: { type: reference, to: users } } }',
          '  clubs: { fields: { name: { type: string } }, permissions: { read: owner, create: [admin] }, owner: passes.accounts.user_id }',
          '  passes: { fields: { club_id: { type: reference, to: clubs, unique: true } } }',
        ].join('\n'),
      ),
    );
    expect(read.collections[1]?.owner).toEqual([
      { collection: 'clubs', field: 'id' },
      { collection: 'passes', field: 'id', link: 'club_id' },
      { collection: 'accounts', field: 'user_id', link: 'pass_id' },
    ]);
  });

  test('without a name has that of its file', async () => {
    const read = service(
      await folder({ 'collections/books.yaml': 'fields: { a: { type: json } }' }),
    );
    expect(read.collections[0]).toMatchObject({
      name: 'books',
      at: { file: 'definitions/collections/books.yaml', line: 1, column: 1 },
    });
  });

  test('may have an empty list of what it sorts by', async () => {
    const read = service(await books('a: { type: json }', 'sort: []\nindexes: []\nunique: []\n'));
    expect(read.collections[1]).toMatchObject({ sort: [], indexes: [], unique: [] });
  });

  test('may be sorted and filtered by every type that has an order', async () => {
    const types = 'string integer bigint number boolean date timestamp uuid'.split(' ');
    const fields = [
      ...types.map((type) => `f_${type}: { type: ${type} }`),
      'f_decimal: { type: decimal, precision: 3, scale: 1 }',
      'f_enum: { type: enum, values: [a] }',
      'f_id: { type: reference, to: users }',
    ];
    const names = fields.map((field) => field.split(':')[0]).join(', ');
    const lists = `sort: [${names}]\nfilter: [${names}]\nunique: [[${names}]]\nindexes: [[${names}]]\n`;
    expect(lines(await books(fields.join('\n'), lists))).toEqual([]);
  });

  test('may search in string and text', async () => {
    const fields = 'a: { type: string }\nb: { type: text }';
    expect(lines(await books(fields, 'search: [a, b]\n'))).toEqual([]);
  });

  test('may have 500 fields, and a list of 32 of them', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `f${index}`);
    const fields = names.map((name) => `${name}: { type: integer }`).join('\n');
    const list = `indexes: [[${names.slice(0, 32).join(', ')}]]\n`;
    expect(lines(await books(fields, list))).toEqual([]);
    expect(lines(await books(`${fields}\nlast: { type: integer }`))).toEqual([
      'definitions/collections/books.yaml:2:1 error fields has 501 entries: a collection has at most 500. Split it.',
    ]);
    const longer = `indexes: [[${names.slice(0, 33).join(', ')}]]\n`;
    expect(lines(await books(fields, longer))).toEqual([
      'definitions/collections/books.yaml:503:11 error indexes has 33 fields in one list: an index holds at most 32. Remove some.',
    ]);
  });
});

describe('references', () => {
  test.each([
    ['{ type: reference, to: authors }', { to: 'authors', onDelete: 'refuse' }],
    ['{ type: reference, to: users, on_delete: cascade }', { to: 'users', onDelete: 'cascade' }],
    ['{ type: reference, to: books, on_delete: clear }', { to: 'books', onDelete: 'clear' }],
    ['{ type: reference, to: authors, nested: false }', { to: 'authors', onDelete: 'refuse' }],
    [
      '{ type: reference, to: authors, nested: true, required: true }',
      { to: 'authors', onDelete: 'refuse', nestedAs: 'books' },
    ],
    [
      '{ type: reference, to: authors, nested: edited_books }',
      { to: 'authors', onDelete: 'refuse', nestedAs: 'edited_books' },
    ],
  ])('%s', async (text, type) => {
    const { collections } = service(await books(`it_id: ${text}`));
    expect(collections[1]!.fields[0]!.type).toEqual({ type: 'reference', ...type });
  });

  test('two may be nested under one target by two names, and under two by one', async () => {
    const fields = [
      'author_id: { type: reference, to: authors, nested: true }',
      'editor_id: { type: reference, to: authors, nested: edited_books }',
      'owner_id: { type: reference, to: users, nested: true }',
      'parent_id: { type: reference, to: books, nested: true }',
    ];
    expect(lines(await books(fields.join('\n')))).toEqual([]);
  });

  test('a nested name is a plural where a collection has it, whatever the rules say', async () => {
    const text = [
      'collections:',
      '  authors: { fields: { a: { type: json } } }',
      '  kunden: { singular: kunde, fields: { a_id: { type: reference, to: authors, nested: stamm_kunden } } }',
    ];
    expect(lines(await single(text.join('\n')))).toEqual([]);
  });

  test('a cycle that an optional one breaks is none, nor are two ways to one target', async () => {
    const text = [
      'collections:',
      '  authors: { fields: { book_id: { type: reference, to: books } } }',
      '  books: { fields: { author_id: { type: reference, to: authors, required: true }, x_id: { type: reference, to: authors, required: true } } }',
      '  pages: { fields: { book_id: { type: reference, to: books, required: true }, author_id: { type: reference, to: authors, required: true } } }',
    ];
    expect(lines(await single(text.join('\n')))).toEqual([]);
  });
});

describe('types', () => {
  const cases: readonly (readonly [string, object])[] = [
    ['{ type: string }', { type: 'string' }],
    [
      "{ type: string, min_length: 0, max_length: 9, pattern: '^a', format: slug }",
      { type: 'string', minLength: 0, maxLength: 9, pattern: '^a', format: 'slug' },
    ],
    ['{ type: text, max_length: 10485760 }', { type: 'text', maxLength: 10485760 }],
    ['{ type: integer, minimum: -5, maximum: 5.0 }', { type: 'integer', minimum: -5, maximum: 5 }],
    ['{ type: integer, minimum: -0 }', { type: 'integer', minimum: 0 }],
    [
      '{ type: integer, minimum: -9007199254740991, maximum: 9007199254740991 }',
      { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    ],
    [
      "{ type: bigint, minimum: '-9223372036854775808', maximum: '9223372036854775807' }",
      { type: 'bigint', minimum: '-9223372036854775808', maximum: '9223372036854775807' },
    ],
    [
      '{ type: number, minimum: -0.0, maximum: 1e300 }',
      { type: 'number', minimum: 0, maximum: 1e300 },
    ],
    [
      "{ type: decimal, precision: 4, scale: 2, minimum: '-1.5', maximum: '99.9900' }",
      { type: 'decimal', precision: 4, scale: 2, minimum: '-1.50', maximum: '99.99' },
    ],
    [
      "{ type: decimal, precision: 2, scale: 2, maximum: '0.99' }",
      { type: 'decimal', precision: 2, scale: 2, maximum: '0.99' },
    ],
    [
      "{ type: decimal, precision: 1000, scale: 0, maximum: '5.0' }",
      { type: 'decimal', precision: 1000, scale: 0, maximum: '5' },
    ],
    ['{ type: boolean }', { type: 'boolean' }],
    [
      '{ type: date, minimum: 0001-01-01, maximum: 9999-12-31 }',
      { type: 'date', minimum: '0001-01-01', maximum: '9999-12-31' },
    ],
    [
      "{ type: timestamp, minimum: '2026-01-01t00:00:00.5+01:00', maximum: 2026-01-01T00:00:00.123456Z }",
      {
        type: 'timestamp',
        minimum: '2025-12-31T23:00:00.500Z',
        maximum: '2026-01-01T00:00:00.123456Z',
      },
    ],
    [
      "{ type: time, minimum: 06:00:00.500, maximum: '23:59:59.999999' }",
      { type: 'time', minimum: '06:00:00.5', maximum: '23:59:59.999999' },
    ],
    [
      '{ type: duration, minimum: PT90M, maximum: P1W }',
      { type: 'duration', minimum: 'PT1H30M', maximum: 'PT168H' },
    ],
    ['{ type: ip }', { type: 'ip' }],
    ['{ type: bytes, max_bytes: 20 }', { type: 'bytes', maxBytes: 20 }],
    ['{ type: uuid }', { type: 'uuid' }],
    [
      '{ type: enum, values: [no, on, "", "1", ~x] }',
      { type: 'enum', values: ['no', 'on', '', '1', '~x'] },
    ],
    ['{ type: list, of: string }', { type: 'list', of: { type: 'string' }, uniqueItems: false }],
    [
      '{ type: list, of: { type: enum, values: [a, b] }, min_items: 2, max_items: 2, unique_items: true }',
      {
        type: 'list',
        of: { type: 'enum', values: ['a', 'b'] },
        minItems: 2,
        maxItems: 2,
        uniqueItems: true,
      },
    ],
    ['{ type: json }', { type: 'json' }],
    ['{ type: json, max_bytes: 1048576 }', { type: 'json', maxBytes: 1_048_576 }],
    [
      '{ type: object, properties: { id: { type: uuid, required: true, description: x, example: 01890a5d-ac96-774b-bcce-b302099a8057 } } }',
      {
        type: 'object',
        properties: [
          {
            name: 'id',
            description: 'x',
            required: true,
            example: '01890a5d-ac96-774b-bcce-b302099a8057',
            type: { type: 'uuid' },
          },
        ],
      },
    ],
  ];

  test.each(cases)('%s', async (text, type) => {
    expect(withoutPositions((await fieldOf(text)).type)).toEqual(type);
  });

  test('each option of each type stands in one of the cases', () => {
    const texts = cases.map(([text]) => text);
    for (const [type, { keys }] of Object.entries(TYPES)) {
      if (type === 'reference') continue;
      for (const option of Object.keys(keys)) {
        const found = texts.some(
          (text) => text.includes(`type: ${type}`) && text.includes(`${option}:`),
        );
        expect([type, option, found]).toEqual([type, option, true]);
      }
    }
  });

  test('objects may stand five deep', async () => {
    let text = '{ type: string }';
    for (let depth = 0; depth < 5; depth += 1)
      text = `{ type: object, properties: { a: ${text} } }`;
    expect(lines(await books(`it: ${text}`))).toEqual([]);
  });

  test('every option beside the type', async () => {
    const text =
      '{ type: string, required: true, default: a, description: D, read_only: true, immutable: true, example: b }';
    expect(await fieldOf(text)).toEqual({
      name: 'it',
      type: { type: 'string' },
      required: true,
      default: 'a',
      description: 'D',
      readOnly: true,
      writeOnly: false,
      immutable: true,
      unique: false,
      example: 'b',
      at: { file: 'definitions/collections/books.yaml', line: 3, column: 3 },
    });
    const set = { readOnly: true, setBy: 'service' };
    const code = await fieldOf('{ type: string, set_by: service, required: true, unique: true }');
    expect(code).toMatchObject({ ...set, required: true, unique: true });
    expect(code).not.toHaveProperty('isSequence');
    for (const type of ['integer', 'bigint']) {
      const number = await fieldOf(`{ type: ${type}, set_by: service, default: sequence }`);
      expect(number).toMatchObject({ ...set, isSequence: true, required: true, unique: true });
      expect(number).not.toHaveProperty('default');
    }
    const word = await fieldOf('{ type: string, set_by: service, default: sequence }');
    expect(word).toMatchObject({ ...set, default: 'sequence', required: false, unique: false });
    expect(word).not.toHaveProperty('isSequence');
    expect(await fieldOf('{ type: string, unique: true }')).toMatchObject({ unique: true });
    expect(await fieldOf('{ type: string, write_only: true }')).toMatchObject({ writeOnly: true });
  });

  test('an empty description is none', async () => {
    expect(await fieldOf("{ type: string, description: ' ' }")).not.toHaveProperty('description');
  });
});

describe('names', () => {
  test.each(
    'class constructor default delete enum export function import interface null true select table user group order primary where limit offset type to_string has_own_property prototype length a1 x'.split(
      ' ',
    ),
  )('a field may be called %s', async (name) => {
    const { collections } = service(await books(`${name}: { type: integer }`));
    expect(collections[1]!.fields[0]!.name).toBe(name);
  });

  test('a field that no list filters may be called like a parameter of lists', async () => {
    const fields = 'limit: { type: integer }\nq: { type: string }\nfields: { type: integer }';
    expect(lines(await books(fields, 'sort: [limit, q, fields]\nsearch: [q]\n'))).toEqual([]);
  });

  test.each('selects tables classes objects functions orders groups indexes types'.split(' '))(
    'a collection may be called %s',
    async (name) => {
      const text = 'fields: { a: { type: json } }';
      expect(lines(await folder({ [`collections/${name}.yaml`]: text }))).toEqual([]);
    },
  );

  test('names of 63 characters', async () => {
    const name = `${'a'.repeat(62)}s`;
    const text = `name: ${name}\nfields: { ${name}: { type: json } }`;
    expect(lines(await folder({ 'collections/x.yaml': text }))).toEqual([]);
  });
});

test('an existing table may say that nothing is searched, as its frozen contracts do', async () => {
  const text = `name: shop
schema: service
collections:
  films: { table: film, search: [], fields: { title: { type: string } } }
`;
  const bytes = new TextEncoder().encode(text);
  const parsed = await parseSingleFile({ path: 'shop.yaml', bytes }, { fallbackName: 'shop' });
  expect(parsed).toMatchObject({ ok: true });
});
