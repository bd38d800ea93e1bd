/**
 * Changes of definitions, each by its name: what they were, and what they are. The migration from
 * one to the other is applied to a database with rows, which then has the schema of a new one.
 */
export interface Case {
  readonly title: string;
  /** Collections by name, in YAML. */
  readonly before: string;
  readonly now: string;
  /** The versions of the service; absent: one, before and now. */
  readonly versions?: readonly [before: string, now: string];
  /** Statements that create and fill existing tables, in a schema called others. */
  readonly existing?: string;
  /** Statements that fill the tables of before. */
  readonly rows?: string;
  /** A query on the tables of now, and each row that it gives, as JSON. */
  readonly kept?: readonly [query: string, ...rows: string[]];
  /** What is lost, in words. */
  readonly losses?: readonly string[];
  /** Why the migration is refused, with these rows. */
  readonly refused?: string;
}

/** The collection books, with fields on one line of YAML each. */
const books = (fields: string, rest = ''): string =>
  `books: { fields: { ${fields} }${rest === '' ? '' : `, ${rest}`} }`;

const id = (n: number): string =>
  `'01890a5d-ac96-774b-bcce-b302099a80${String(n).padStart(2, '0')}'`;

/** Rows of books, each its values as SQL. */
const rowsOf = (columns: string, ...values: string[]): string =>
  `insert into "books" ("id", ${columns}) values ${values.map((row, at) => `(${id(at + 1)}, ${row})`).join(', ')};`;

/** A user, whom items refer to. */
const USERS = `insert into "users" ("id", "username", "password_hash", "roles") values (${id(91)}, 'ada', '', '{}');`;

/** With it, the names of indexes have 62 characters and more. */
const LONG = `l${'o'.repeat(47)}ng`;

const TITLE = books('title: { type: string }');
const all = (columns: string): string => `select ${columns} from "books" order by "id"`;

const STRUCTURE: readonly Case[] = [
  {
    title: 'a collection is added, with a reference and a search',
    before: TITLE,
    now: `${TITLE}
reviews: { fields: { body: { type: text }, book_id: { type: reference, to: books, nested: true } }, search: [body] }`,
    rows: rowsOf('"title"', `'Dune'`),
    kept: [all('"title"'), '["Dune"]'],
  },
  {
    title: 'collections that refer to each other are dropped',
    before: `${TITLE}
reviews: { fields: { book_id: { type: reference, to: books, nested: true }, best_note_id: { type: reference, to: notes } } }
notes: { fields: { review_id: { type: reference, to: reviews } } }`,
    now: TITLE,
    rows: `${rowsOf('"title"', `'Dune'`)} insert into "reviews" ("id", "book_id") values (${id(7)}, ${id(1)});`,
    kept: [all('"title"'), '["Dune"]'],
    losses: ['the collection notes and its items', 'the collection reviews and its items'],
  },
  {
    title: 'fields are added, with defaults and without',
    before: TITLE,
    now: books(
      `title: { type: string }, price: { type: decimal, precision: 10, scale: 2, minimum: '0', required: true, default: '1.5' }, seen_at: { type: timestamp, required: true, default: now }, seen_on: { type: date, default: today }, status: { type: enum, values: [draft, published], default: draft }, pages: { type: integer }, size: { type: object, properties: { wide: { type: number, default: 1.5 }, at: { type: date, default: today }, tags: { type: list, of: string } }, default: { tags: [a] } }`,
      'sort: [price, status], filter: [pages]',
    ),
    rows: rowsOf('"title"', `'Dune'`),
    kept: [
      all(
        `"price"::text, "status", "pages", "seen_at" = "created_at" or "seen_at" > now() - interval '1 hour', ("size" ->> 'at')::date = "seen_on", "size" -> 'tags', "size" -> 'wide'`,
      ),
      '["1.50","draft",null,true,true,["a"],1.5]',
    ],
  },
  {
    title: 'fields are dropped, with all that is over them',
    before: books(
      `title: { type: string }, price: { type: decimal, precision: 10, scale: 2, minimum: '0' }, status: { type: enum, values: [draft, published] }, isbn: { type: string, unique: true }`,
      'sort: [price, status], search: [title, isbn], unique: [[title, price]], indexes: [[status, price]]',
    ),
    now: TITLE,
    rows: rowsOf('"title", "price", "_words"', `'Dune', 3, '{dune}'`),
    kept: [all('"title"'), '["Dune"]'],
    losses: [
      'books.isbn and its values',
      'books.price and its values',
      'books.status and its values',
    ],
  },
  {
    title: 'collections and fields are renamed, with the references to them',
    before: `
books: { fields: { title: { type: string, max_length: 9, unique: true }, cost: { type: integer } }, sort: [cost], filter: [cost, title], permissions: { read: owner } }
reviews: { fields: { book_id: { type: reference, to: books, nested: true } } }`,
    now: `
titles: { renamed_from: books, fields: { name: { type: string, max_length: 9, unique: true, renamed_from: title }, price: { type: integer, renamed_from: cost } }, sort: [price], filter: [price, name], permissions: { read: owner } }
notes: { renamed_from: reviews, fields: { title_id: { type: reference, to: titles, nested: true, renamed_from: book_id } } }`,
    rows: `${rowsOf('"title", "cost"', `'Dune', 5`, `'Emma', 6`)} delete from "books" where "title" = 'Emma';
      insert into "reviews" ("id", "book_id") values (${id(7)}, ${id(1)});`,
    kept: [
      `select "name", "price", "collection" from "titles" join "notes" on "title_id" = "titles"."id", "_tombstones"`,
      '["Dune",5,"titles"]',
    ],
  },
  {
    title: 'two collections and two fields take the names of each other',
    before: `
books: { fields: { first: { type: string, max_length: 9, unique: true }, second: { type: integer } }, sort: [first, second] }
reviews: { fields: { book_id: { type: reference, to: books, nested: true } } }`,
    now: `
books: { renamed_from: reviews, fields: { book_id: { type: reference, to: reviews, nested: true } } }
reviews: { renamed_from: books, fields: { second: { type: string, max_length: 9, unique: true, renamed_from: first }, first: { type: integer, renamed_from: second } }, sort: [first, second] }`,
    rows: `${rowsOf('"first", "second"', `'Dune', 5`, `'Emma', 6`)} insert into "reviews" ("id", "book_id") values (${id(7)}, ${id(1)}); delete from "books" where "second" = 6;`,
    kept: [
      `select "second", "first", "collection" from "reviews" join "books" on "book_id" = "reviews"."id", "_tombstones"`,
      '["Dune",5,"reviews"]',
    ],
  },
  {
    title:
      'fields take the names of each other, with other bounds, and so do references and checks',
    before: books(
      `title: { type: string, max_length: 50 }, summary: { type: string, max_length: 300 }, one_id: { type: reference, to: books }, two_id: { type: reference, to: books, on_delete: cascade }`,
      `unique: [{ fields: [title], where: 'summary != ''"title"''' }], checks: { title: { rule: "title != 'x' or summary = null" }, summary: { rule: "summary != 'y' or title = null" } }`,
    ),
    now: books(
      `summary: { type: string, max_length: 300, renamed_from: title }, title: { type: string, max_length: 300, renamed_from: summary }, two_id: { type: reference, to: books, on_delete: cascade, renamed_from: one_id }, one_id: { type: reference, to: books, on_delete: cascade, renamed_from: two_id }`,
      `unique: [{ fields: [summary], where: 'title != ''"title"''' }], checks: { summary: { rule: "summary != 'x' or title = null" }, title: { rule: "title != 'z' or summary = null" } }`,
    ),
    rows: rowsOf(
      '"title", "summary", "one_id"',
      `'Dune', repeat('a', 200), null`,
      `'Emma', 'b', ${id(1)}`,
    ),
    kept: [
      all('"summary", char_length("title"), "two_id" is null, "one_id"'),
      '["Dune",200,true,null]',
      '["Emma",1,false,null]',
    ],
  },
  {
    title: 'collections take the names of each other, with other bounds',
    before: `
books: { fields: { title: { type: string, max_length: 50, unique: true } } }
films: { fields: { title: { type: string, max_length: 300 }, book_id: { type: reference, to: books } }, filter: [title] }`,
    now: `
films: { renamed_from: books, fields: { title: { type: string, max_length: 300, unique: true } } }
books: { renamed_from: films, fields: { title: { type: string, max_length: 250 }, book_id: { type: reference, to: films, on_delete: clear } }, filter: [title] }`,
    rows: `${rowsOf('"title"', `'Dune'`)} insert into "films" ("title", "book_id") values ('Duel', ${id(1)});`,
    kept: [
      'select "films"."title" as "film", "books"."title" as "book" from "films" join "books" on "book_id" = "films"."id"',
      '["Dune","Duel"]',
    ],
  },
  {
    title: 'three fields pass their names on, and the last one goes',
    before: books(
      'a: { type: integer }, b: { type: integer }, c: { type: integer }',
      'sort: [a, b, c]',
    ),
    now: books(
      'b: { type: integer, renamed_from: a }, c: { type: integer, renamed_from: b }',
      'sort: [b, c]',
    ),
    rows: rowsOf('"a", "b", "c"', '1, 2, 3'),
    kept: [all('"b", "c"'), '[1,2]'],
    losses: ['books.c and its values'],
  },
  {
    title: 'a field is renamed and a new one takes its old name',
    before: books('name: { type: string, unique: true }'),
    now: books(
      'title: { type: string, unique: true, renamed_from: name }, name: { type: string, unique: true }',
    ),
    rows: rowsOf('"name"', `'Dune'`),
    kept: [all('"title", "name"'), '["Dune",null]'],
  },
  {
    title: 'a collection is renamed and a new one takes its old name',
    before: books('title: { type: string }', 'search: [title]'),
    now: `
works: { renamed_from: books, fields: { title: { type: string } }, search: [title] }
${books('title: { type: string }', 'search: [title]')}`,
    rows: rowsOf('"title", "_words"', `'Dune', '{dune}'`),
    kept: [
      `select "title", "_words", (select count(*)::int from "books") from "works"`,
      '["Dune",["dune"],0]',
    ],
  },
  {
    title: 'a renamed field changes its type and is required',
    before: books('cost: { type: integer, minimum: 0 }', 'sort: [cost], filter: [cost]'),
    now: books(
      `price: { type: decimal, precision: 20, scale: 2, minimum: '0', required: true, backfill: '9.5', renamed_from: cost }`,
      'sort: [price], filter: [price]',
    ),
    rows: rowsOf('"cost"', '5', 'null'),
    kept: [all('"price"::text'), '["5.00"]', '["9.50"]'],
  },
  {
    title: 'a collection with long names is renamed',
    before: `
a_very_long_collection_name_with_so_many_words_that_are_things: { singular: long_thing, fields: { a_very_long_field_name_with_many_words_in_it_as_well_and_more: { type: string, max_length: 5, unique: true } }, search: [a_very_long_field_name_with_many_words_in_it_as_well_and_more] }`,
    now: `
another_long_collection_name_with_so_many_words_of_all_things: { singular: other_thing, renamed_from: a_very_long_collection_name_with_so_many_words_that_are_things, fields: { a_very_long_field_name_with_many_words_in_it_as_well_and_other: { type: string, max_length: 5, unique: true, renamed_from: a_very_long_field_name_with_many_words_in_it_as_well_and_more } }, search: [a_very_long_field_name_with_many_words_in_it_as_well_and_other] }`,
  },
  {
    title: 'indexes with long names that differ at the end are made anew',
    before: books(
      `${LONG}: { type: string, max_length: 100, unique: true }`,
      `sort: [${LONG}], filter: [${LONG}]`,
    ),
    now: books(
      `${LONG}: { type: string, max_length: 3000, unique: true }`,
      `sort: [${LONG}], filter: [${LONG}]`,
    ),
    rows: rowsOf(`"${LONG}"`, `'x'`, `'y'`),
  },
  {
    title: 'a field with a long name is renamed, and another one is required',
    before: books(`${LONG}: { type: string, required: true }, ${LONG}_2: { type: integer }`),
    now: books(
      `${LONG}_1: { type: string, required: true, renamed_from: ${LONG} }, ${LONG}_2: { type: integer, required: true, backfill: 7 }`,
    ),
    rows: rowsOf(`"${LONG}"`, `'x'`),
    kept: [all(`"${LONG}_1", "${LONG}_2"`), '["x",7]'],
  },
  {
    title: 'fields with names of SQL are renamed and required, in a table without rows',
    before: books('select: { type: string, required: true }, oid: { type: integer }'),
    now: books(
      'from: { type: string, required: true, renamed_from: select }, oid: { type: integer, required: true, default: 1 }',
      'sort: [from, oid], search: [from]',
    ),
  },
  {
    title: 'a name of SQL and one of PostgreSQL',
    before:
      'selects: { fields: { oid: { type: integer, minimum: 1 }, from: { type: string } }, sort: [oid, from] }',
    now: 'tables: { renamed_from: selects, fields: { order: { type: integer, minimum: 1, renamed_from: oid }, oid: { type: string, renamed_from: from } }, sort: [order, oid] }',
    rows: `insert into "selects" ("id", "_oid", "from") values (${id(1)}, 3, 'x');`,
    kept: [`select "order", "_oid" from "tables"`, '[3,"x"]'],
  },
];

const RULES: readonly Case[] = [
  {
    title: 'a field is required, with a backfill',
    before: books('title: { type: string }, pages: { type: integer }'),
    now: books(
      'title: { type: string, required: true, backfill: none }, pages: { type: integer, required: true, default: 1 }',
    ),
    rows: rowsOf(
      '"title", "pages", "updated_at"',
      `null, 3, '2026-01-01Z'`,
      `'Dune', null, '2026-01-01Z'`,
    ),
    kept: [
      all(`"title", "pages", "updated_at" = '2026-01-01Z'`),
      '["none",3,true]',
      '["Dune",1,true]',
    ],
  },
  {
    title: 'a field is required without a value for those that have none',
    before: books('isbn: { type: string }'),
    now: books('isbn: { type: string, required: true }'),
    rows: rowsOf('"isbn"', 'null', `'1'`, 'null'),
    refused: 'Rows of "books" without "isbn", which is required now: 2.',
  },
  {
    title: 'a field is required, and all have a value',
    before: books('isbn: { type: string }', 'sort: [isbn]'),
    now: books('isbn: { type: string, required: true }', 'sort: [isbn]'),
    rows: rowsOf('"isbn"', `'1'`),
    kept: [all('"isbn"'), '["1"]'],
  },
  {
    title: 'a field is no longer required',
    before: books('isbn: { type: string, required: true }', 'sort: [isbn]'),
    now: books('isbn: { type: string }', 'sort: [isbn]'),
    rows: rowsOf('"isbn"', `'1'`),
    kept: [all('"isbn"'), '["1"]'],
  },
  {
    title: 'values are added to an enum, and others change their places',
    before: books('status: { type: enum, values: [draft, published] }', 'sort: [status]'),
    now: books('status: { type: enum, values: [published, archived, draft] }', 'sort: [status]'),
    rows: rowsOf('"status"', `'draft'`, `'published'`),
    kept: [all('"status"'), '["draft"]', '["published"]'],
  },
  {
    title: 'a value of an enum goes that no row has',
    before: books('status: { type: enum, values: [draft, published] }', 'filter: [status]'),
    now: books('status: { type: enum, values: [draft] }', 'filter: [status]'),
    rows: rowsOf('"status"', `'draft'`),
    kept: [all('"status"'), '["draft"]'],
    losses: ['values of books.status that are gone from its list'],
  },
  {
    title: 'a value of an enum goes that a row has',
    before: books('status: { type: enum, values: [draft, published] }'),
    now: books('status: { type: enum, values: [draft] }'),
    rows: rowsOf('"status"', `'published'`),
    losses: ['values of books.status that are gone from its list'],
    refused: `Rows of "books" that break "status" in ('draft'): 1.`,
  },
  {
    title: 'values of an enum are renamed, and two take the names of each other',
    before: books(
      `status: { type: enum, values: [draft, "it's", a, b], default: draft, required: true }, tags: { type: list, of: { type: enum, values: [x, y] } }, size: { type: object, properties: { kind: { type: enum, values: [s, m] } } }`,
      'sort: [status], filter: [status], indexes: [[status]]',
    ),
    now: books(
      `status: { type: enum, values: [{ value: new, renamed_from: draft }, { value: done, renamed_from: "it's" }, { value: a, renamed_from: b }, { value: b, renamed_from: a }, more], default: new, required: true }, tags: { type: list, of: { type: enum, values: [{ value: z, renamed_from: x }, y] } }, size: { type: object, properties: { kind: { type: enum, values: [{ value: small, renamed_from: s }, m] } } }`,
      'sort: [status], filter: [status], indexes: [[status]]',
    ),
    rows: rowsOf(
      '"status", "tags", "size", "updated_at"',
      `'draft', '["x","y","x"]', '{"kind":"s"}', '2026-01-01Z'`,
      `'it''s', null, null, '2026-01-01Z'`,
      `'a', '[]', '{"kind":"m"}', '2026-01-01Z'`,
      `'b', '["y"]', '{"kind":null}', '2026-01-01Z'`,
    ),
    kept: [
      all(`"status", "tags", "size", "updated_at" = '2026-01-01Z'`),
      '["new",["z","y","z"],{"kind":"small"},true]',
      '["done",null,null,true]',
      '["b",[],{"kind":"m"},true]',
      '["a",["y"],{"kind":null},true]',
    ],
  },
  {
    title: 'values of an enum are renamed by the map of an older version',
    before: books('status: { type: enum, values: [draft, open, gone] }', 'sort: [status]'),
    now: books(
      'status: { type: enum, values: [new, open, { value: gone, until: 1, as: open }], type_in: { 1: { type: enum, values: { new: draft, open: open, gone: gone } } } }',
      'sort: [status]',
    ),
    versions: ['[1, 2]', '[1, 2]'],
    rows: rowsOf('"status"', `'draft'`, `'open'`, `'gone'`, 'null'),
    kept: [all('"status"'), '["new"]', '["open"]', '["gone"]', '[null]'],
  },
  {
    title: 'a value of an enum was renamed before, and another one goes',
    before: books('status: { type: enum, values: [{ value: new, renamed_from: draft }, gone] }'),
    now: books('status: { type: enum, values: [{ value: new, renamed_from: draft }] }'),
    rows: rowsOf('"status"', `'new'`, 'null'),
    kept: [all('"status"'), '["new"]', '[null]'],
    losses: ['values of books.status that are gone from its list'],
  },
  {
    title: 'values of an enum that are text of SQL',
    before: books(
      `status: { type: enum, values: ["it's", "100%", "$$", "a\\nb"] }`,
      'sort: [status]',
    ),
    now: books(
      `status: { type: enum, values: ["it's", "100%", "$$", "a\\nb", "\\\\"] , required: true, backfill: "a\\nb" }`,
      'sort: [status]',
    ),
    rows: rowsOf('"status"', `'$$'`, 'null'),
    kept: [all('"status"'), '["$$"]', '["a\\nb"]'],
  },
  {
    title: 'values of an enum that are text of SQL, and one goes that a row has',
    before: books(`status: { type: enum, values: ["it's", "100%", "$$", gone] }`),
    now: books(`status: { type: enum, values: ["it's", "100%", "$$"] }`),
    rows: rowsOf('"status"', `'100%'`, `'gone'`),
    losses: ['values of books.status that are gone from its list'],
    refused: `Rows of "books" that break "status" in ('it''s', '100%', '$$'): 1.`,
  },
  {
    title: 'values of an enum are renamed, and items without one get one',
    before: books('status: { type: enum, values: [draft, open] }'),
    now: books(
      'status: { type: enum, values: [{ value: new, renamed_from: draft }, open], required: true, backfill: open }',
    ),
    rows: rowsOf('"status"', `'draft'`, `'open'`, 'null'),
    kept: [all('"status"'), '["new"]', '["open"]', '["open"]'],
  },
  {
    title: 'bounds are wider',
    before: books(
      'pages: { type: integer, minimum: 1, maximum: 9 }, title: { type: string, max_length: 5 }',
    ),
    now: books('pages: { type: integer, minimum: 0 }, title: { type: string, max_length: 50 }'),
    rows: rowsOf('"pages", "title"', `5, 'Dune'`),
    kept: [all('"pages", "title"'), '[5,"Dune"]'],
  },
  {
    title: 'bounds are narrower, and rows break them',
    before: books('pages: { type: integer }'),
    now: books('pages: { type: integer, minimum: 10 }'),
    rows: rowsOf('"pages"', '5', '50', '6'),
    refused: 'Rows of "books" that break "pages" >= 10 and "pages" <= 9007199254740991: 2.',
  },
  {
    title: 'bounds are narrower, and all rows keep them',
    before: books(
      `at: { type: timestamp }, day: { type: date }, price: { type: decimal, precision: 9, scale: 2 }, n: { type: number }, big: { type: bigint }`,
    ),
    now: books(
      `at: { type: timestamp, minimum: '2026-01-01T00:00:00Z' }, day: { type: date, maximum: 2026-12-31 }, price: { type: decimal, precision: 9, scale: 2, minimum: '0' }, n: { type: number, minimum: 0.5 }, big: { type: bigint, maximum: '9223372036854775806' }`,
    ),
    rows: rowsOf('"at", "day", "price", "n", "big"', `'2026-05-01Z', '2026-05-01', 1, 1, 1`),
    kept: [all('"price"::text'), '["1.00"]'],
  },
  {
    title: 'a length is shorter than a text',
    before: books(
      'title: { type: string, max_length: 600 }',
      'indexes: [[title]], sort: [title], filter: [title]',
    ),
    now: books(
      'title: { type: string, max_length: 3 }',
      'indexes: [[title]], sort: [title], filter: [title]',
    ),
    rows: rowsOf('"title"', `'Dune'`),
    refused: 'Rows of "books" that break char_length("title") <= 3: 1.',
  },
  {
    title: 'a field is filtered by and indexed too, whatever its length',
    before: books(
      'title: { type: string, max_length: 600 }',
      'indexes: [[title]], filter: [title]',
    ),
    now: books('title: { type: string, max_length: 100 }', 'indexes: [[title]], filter: [title]'),
  },
  {
    title: 'a length changes how a text is indexed',
    before: books(
      'title: { type: string, max_length: 600, unique: true }',
      'sort: [title], filter: [title]',
    ),
    now: books(
      'title: { type: string, max_length: 100, unique: true }',
      'sort: [title], filter: [title]',
    ),
    rows: rowsOf('"title"', `'Dune'`),
    kept: [all('"title"'), '["Dune"]'],
  },
  {
    title: 'a field is unique, and rows share a value',
    before: books('isbn: { type: string }'),
    now: books('isbn: { type: string, unique: true }'),
    rows: rowsOf('"isbn"', `'1'`, `'1'`, 'null', 'null', `'2'`),
    refused: 'Values of "isbn" that several rows of "books" share, and must be unique now: 1.',
  },
  {
    title: 'fields are unique together, and no longer by themselves',
    before: books('isbn: { type: string, unique: true }, shelf: { type: integer }'),
    now: books('isbn: { type: string }, shelf: { type: integer }', 'unique: [[isbn, shelf]]'),
    rows: rowsOf('"isbn", "shelf"', `'1', 1`, `'2', 1`),
    kept: [all('"isbn"'), '["1"]', '["2"]'],
  },
  {
    title: 'fields are unique together, and rows share them',
    before: books('isbn: { type: string }, shelf: { type: integer }'),
    now: books(
      'isbn: { type: string }, place: { type: integer, renamed_from: shelf }',
      'unique: [[isbn, place]]',
    ),
    rows: rowsOf('"isbn", "shelf"', `'1', 1`, `'1', 1`),
    refused:
      'Values of "isbn", "place" that several rows of "books" share, and must be unique now: 1.',
  },
  {
    title: 'what lists are sorted and filtered by changes',
    before: books(
      'a: { type: integer }, b: { type: text }, c: { type: uuid }',
      'sort: [a], filter: [a, c]',
    ),
    now: books(
      'a: { type: integer }, b: { type: text }, c: { type: uuid }',
      'sort: [c, updated_at], filter: [a, created_at], indexes: [[a, c]]',
    ),
  },
  {
    title: 'a unique text becomes too long for an index',
    before: books('title: { type: string, max_length: 300, unique: true }'),
    now: books('title: { type: string, max_length: 3000, unique: true }'),
    rows: rowsOf('"title"', `'Dune'`, `'Emma'`),
    kept: [all('"title"'), '["Dune"]', '["Emma"]'],
  },
  {
    title: 'a unique text becomes short enough for an index',
    before: books('title: { type: string, unique: true }'),
    now: books('title: { type: string, max_length: 300, unique: true }'),
    rows: rowsOf('"title"', `'Dune'`, `'Emma'`),
    kept: [all('"title"'), '["Dune"]', '["Emma"]'],
  },
  {
    title: 'a pattern bounds a unique text',
    before: books('isbn: { type: string, unique: true }'),
    now: books(`isbn: { type: string, unique: true, pattern: '^[0-9]{13}$' }`),
    rows: rowsOf('"isbn"', `'9780441172719'`),
    kept: [all('"isbn"'), '["9780441172719"]'],
  },
  {
    title: 'a pattern bounds a unique text, and a row is longer',
    before: books('isbn: { type: string, unique: true }'),
    now: books(`isbn: { type: string, unique: true, pattern: '^[0-9]{13}$' }`),
    rows: rowsOf('"isbn"', `'97804411727190'`),
    refused:
      'Values of "isbn" in "books" that take more than 13 bytes, as no value may from now on: 1.',
  },
  {
    title: 'a pattern and a length bound a unique text, and a row has wider characters',
    before: books('code: { type: string, max_length: 1000 }'),
    now: books(
      `code: { type: string, max_length: 1000, unique: true, pattern: '^[0-9]{1,1000}$' }`,
    ),
    rows: rowsOf('"code"', `repeat('é', 600)`, `'1'`),
    refused:
      'Values of "code" in "books" that take more than 1000 bytes, as no value may from now on: 1.',
  },
  {
    title: 'what is filtered by is sorted by, too, and what is sorted by no more',
    before: books(
      'price: { type: integer }, pages: { type: integer }',
      'sort: [pages], filter: [price, pages]',
    ),
    now: books(
      'price: { type: integer }, pages: { type: integer }',
      'sort: [price], filter: [price, pages]',
    ),
    rows: rowsOf('"price"', '5'),
    kept: [all('"price"'), '[5]'],
  },
  {
    title: 'a search begins',
    before: books('title: { type: string }, body: { type: text }'),
    now: books('title: { type: string }, body: { type: text }', 'search: [title, body]'),
    rows: rowsOf(
      '"title", "body", "updated_at"',
      `'Straße', 'ΟΔΟΣ, the End.', '2026-01-01Z'`,
      `null, null, '2026-01-01Z'`,
    ),
    kept: [
      all(`"_words", "updated_at" = '2026-01-01Z'`),
      '[["strasse","οδος","the","end"],true]',
      '[[],true]',
    ],
  },
  {
    title: 'a search is over other fields',
    before: books('title: { type: string }, body: { type: text }', 'search: [title]'),
    now: books(
      'title: { type: string }, text: { type: text, renamed_from: body }',
      'search: [text]',
    ),
    rows: rowsOf('"title", "body", "_words"', `'Dune', 'Sand', '{dune}'`),
    kept: [all('"_words"'), '[["sand"]]'],
  },
  {
    title: 'a search goes on over a field that is renamed',
    before: books('title: { type: string }', 'search: [title]'),
    now: books('name: { type: string, renamed_from: title }', 'search: [name]'),
    rows: rowsOf('"title", "_words"', `'Dune', '{dune}'`),
    kept: [all('"_words"'), '[["dune"]]'],
  },
  {
    title: 'a version searches in more than the one before',
    before: books('title: { type: string }, body: { type: text }', 'search: [title]'),
    now: books('title: { type: string }, body: { type: text, since: 2 }', 'search: [title, body]'),
    versions: ['[1]', '[1, 2]'],
    rows: rowsOf('"title", "body", "_words"', `'Dune', 'Sand', '{dune}'`),
    kept: [all('"_words", "_words_v1"'), '[["dune","sand"],["dune"]]'],
  },
  {
    title: 'the field of an older search is renamed, and that of the current one goes',
    before: books(
      'title: { type: string }, body: { type: text, since: 2 }',
      'search: [title, body]',
    ),
    now: books(
      'name: { type: string, name_in: { 2: title } }, body: { type: text, since: 2, until: 2 }',
      'search: [name, body]',
    ),
    versions: ['[1, 2]', '[1, 2, 3]'],
    rows: rowsOf(
      '"title", "body", "_words", "_words_v1"',
      `'Dune', 'Sand', '{dune,sand}', '{dune}'`,
    ),
    kept: [all('"_words", "_words_v2"'), '[["dune"],["dune","sand"]]'],
  },
  {
    title: 'a version is retired that searched in less',
    before: books(
      'title: { type: string }, body: { type: text, since: 2 }',
      'search: [title, body]',
    ),
    now: books('title: { type: string }, body: { type: text }', 'search: [title, body]'),
    versions: ['[1, 2]', '[2]'],
    rows: rowsOf(
      '"title", "body", "_words", "_words_v1"',
      `'Dune', 'Sand', '{dune,sand}', '{dune}'`,
    ),
    kept: [all('"_words"'), '[["dune","sand"]]'],
  },
  {
    title: 'a search ends',
    before: books('title: { type: string }', 'search: [title]'),
    now: TITLE,
    rows: rowsOf('"title", "_words"', `'Dune', '{dune}'`),
    kept: [all('"title"'), '["Dune"]'],
  },
  {
    title: 'items get an owner',
    before: TITLE,
    now: books('title: { type: string }', 'permissions: { update: owner }'),
    rows: rowsOf('"title"', `'Dune'`),
    kept: [all('"title", "_owner_id"'), '["Dune",null]'],
  },
  {
    title: 'items have an owner no more',
    before: books('title: { type: string }', 'permissions: { update: owner }'),
    now: TITLE,
    rows: rowsOf('"title"', `'Dune'`),
    kept: [all('"title"'), '["Dune"]'],
    losses: ['who owns each of books'],
  },
  {
    title: 'who made an item becomes the user of a new reference',
    before: books('title: { type: string }', 'permissions: { update: owner }'),
    now: books(
      'title: { type: string }, reader_id: { type: reference, to: users }',
      'permissions: { update: owner }, owner: reader_id',
    ),
    rows: `${USERS} ${rowsOf('"title", "_owner_id"', `'Dune', ${id(91)}`, `'Emma', null`)}`,
    kept: [
      all('"title", "reader_id", "updated_at" = "created_at"'),
      `["Dune",${id(91).replaceAll("'", '"')},true]`,
      '["Emma",null,true]',
    ],
  },
  {
    title: 'who made an item is replaced by a reference that is there',
    before: books(
      'title: { type: string }, reader_id: { type: reference, to: users }',
      'permissions: { update: owner }',
    ),
    now: books(
      'title: { type: string }, reader_id: { type: reference, to: users }',
      'permissions: { update: owner }, owner: reader_id',
    ),
    rows: `${USERS} ${rowsOf('"title", "_owner_id"', `'Dune', ${id(91)}`)}`,
    kept: [all('"title", "reader_id"'), '["Dune",null]'],
    losses: ['who owns each of books'],
  },
  {
    title: 'who made an item is replaced by a longer path',
    before: `${books('title: { type: string }', 'permissions: { update: owner }')}
cards: { fields: { user_id: { type: reference, to: users } } }`,
    now: `${books(
      'title: { type: string }, card_id: { type: reference, to: cards }',
      'permissions: { update: owner }, owner: card_id.user_id',
    )}
cards: { fields: { user_id: { type: reference, to: users } } }`,
    losses: ['who owns each of books'],
  },
  {
    title: 'the user of a reference that goes becomes who made the item',
    before: books(
      'title: { type: string }, reader_id: { type: reference, to: users }',
      'permissions: { update: owner }, owner: reader_id',
    ),
    now: `titles: { renamed_from: books, fields: { title: { type: string } }, permissions: { update: owner } }`,
    rows: `${USERS} ${rowsOf('"title", "reader_id"', `'Dune', ${id(91)}`, `'Emma', null`)}`,
    kept: [
      'select "title", "_owner_id", "updated_at" = "created_at" from "titles" order by "id"',
      `["Dune",${id(91).replaceAll("'", '"')},true]`,
      '["Emma",null,true]',
    ],
    losses: ['titles.reader_id and its values'],
  },
  {
    title: 'the user at the end of a path becomes who made the item, while the path goes',
    before: `${books(
      'title: { type: string }, card_id: { type: reference, to: cards }',
      'permissions: { update: owner }, owner: card_id.user_id',
    )}
cards: { fields: { user_id: { type: reference, to: users } } }`,
    now: books('title: { type: string }', 'permissions: { update: owner }'),
    rows: `${USERS} insert into "cards" ("id", "user_id") values (${id(81)}, ${id(91)});
      ${rowsOf('"title", "card_id"', `'Dune', ${id(81)}`, `'Emma', null`)}`,
    kept: [all('"title", "_owner_id"'), `["Dune",${id(91).replaceAll("'", '"')}]`, '["Emma",null]'],
    losses: ['the collection cards and its items', 'books.card_id and its values'],
  },
  {
    title: 'the steps of an owner path are renamed',
    before: `${books(
      'card_id: { type: reference, to: cards }',
      'permissions: { update: owner }, owner: card_id.user_id',
    )}
cards: { fields: { user_id: { type: reference, to: users } } }`,
    now: `${books(
      'pass_id: { type: reference, to: passes, renamed_from: card_id }',
      'permissions: { update: owner }, owner: pass_id.reader_id',
    )}
passes: { renamed_from: cards, fields: { reader_id: { type: reference, to: users, renamed_from: user_id } } }`,
  },
  {
    title: 'the user of a linking collection becomes who made the item, while that goes',
    before: `${books('title: { type: string }', 'permissions: { update: owner }, owner: cards.user_id')}
cards: { fields: { book_id: { type: reference, to: books, unique: true }, user_id: { type: reference, to: users } } }`,
    now: books('title: { type: string }', 'permissions: { update: owner }'),
    rows: `${USERS} ${rowsOf('"title"', `'Dune'`, `'Emma'`, `'Ulysses'`)}
      insert into "cards" ("id", "book_id", "user_id") values (${id(81)}, ${id(1)}, ${id(91)}), (${id(82)}, ${id(2)}, null);`,
    kept: [
      all('"title", "_owner_id"'),
      `["Dune",${id(91).replaceAll("'", '"')}]`,
      '["Emma",null]',
      '["Ulysses",null]',
    ],
    losses: ['the collection cards and its items'],
  },
  {
    title: 'the user behind a reference and a linking collection becomes who made the item',
    before: `${books(
      'shelf_id: { type: reference, to: shelves }',
      'permissions: { update: owner }, owner: shelf_id.cards.user_id',
    )}
shelves: { fields: { name: { type: string } } }
cards: { fields: { shelf_id: { type: reference, to: shelves, unique: true }, user_id: { type: reference, to: users } } }`,
    now: `${books('shelf_id: { type: reference, to: shelves }', 'permissions: { update: owner }')}
shelves: { fields: { name: { type: string } } }
cards: { fields: { shelf_id: { type: reference, to: shelves, unique: true }, user_id: { type: reference, to: users } } }`,
    rows: `${USERS} insert into "shelves" ("id") values (${id(71)});
      insert into "cards" ("id", "shelf_id", "user_id") values (${id(81)}, ${id(71)}, ${id(91)});
      ${rowsOf('"shelf_id"', id(71), 'null')}`,
    kept: [all('"_owner_id"'), `[${id(91).replaceAll("'", '"')}]`, '[null]'],
  },
  {
    title: 'who made an item is replaced by a linking collection',
    before: books('title: { type: string }', 'permissions: { update: owner }'),
    now: `${books('title: { type: string }', 'permissions: { update: owner }, owner: cards.user_id')}
cards: { fields: { book_id: { type: reference, to: books, unique: true }, user_id: { type: reference, to: users } } }`,
    rows: `${USERS} ${rowsOf('"title", "_owner_id"', `'Dune', ${id(91)}`)}`,
    kept: [all('"title"'), '["Dune"]'],
    losses: ['who owns each of books'],
  },
  {
    title: 'a linking collection and its references are renamed',
    before: `${books('title: { type: string }', 'permissions: { update: owner }, owner: cards.user_id')}
cards: { fields: { book_id: { type: reference, to: books, unique: true }, user_id: { type: reference, to: users } } }`,
    now: `${books('title: { type: string }', 'permissions: { update: owner }, owner: passes.reader_id')}
passes: { renamed_from: cards, fields: { volume_id: { type: reference, to: books, unique: true, renamed_from: book_id }, reader_id: { type: reference, to: users, renamed_from: user_id } } }`,
    rows: `${USERS} ${rowsOf('"title"', `'Dune'`)}
      insert into "cards" ("id", "book_id", "user_id") values (${id(81)}, ${id(1)}, ${id(91)});`,
    kept: [
      'select "title", "reader_id" from "books" join "passes" on "volume_id" = "books"."id"',
      `["Dune",${id(91).replaceAll("'", '"')}]`,
    ],
  },
  {
    title: 'items belong to the user of another reference',
    before: books(
      'a_id: { type: reference, to: users }, b_id: { type: reference, to: users }',
      'permissions: { update: owner }, owner: a_id',
    ),
    now: books(
      'a_id: { type: reference, to: users }, b_id: { type: reference, to: users }',
      'permissions: { update: owner }, owner: b_id',
    ),
  },
  {
    title: 'items are made in the background, and their collection has another name',
    before: TITLE,
    now: 'works: { renamed_from: books, fields: { title: { type: string } }, create: background }',
    rows: rowsOf('"title"', `'Dune'`),
    kept: ['select "title" from "works"', '["Dune"]'],
  },
  {
    title: 'items are made in the background no more',
    before: books('title: { type: string }', 'create: background'),
    now: TITLE,
    losses: ['all jobs: those that are not finished, and the results of the others'],
  },
  {
    title: 'jobs go with the collection that is renamed',
    before: books('title: { type: string }', 'create: background'),
    now: 'works: { renamed_from: books, fields: { title: { type: string } }, create: background }',
    rows: `insert into "jobs" ("id", "collection", "item_id", "version") values (${id(1)}, 'books', ${id(2)}, 1);`,
    kept: ['select "collection" from "jobs"', '["works"]'],
  },
  {
    title: 'jobs keep their version where versions begin to differ',
    before: books('title: { type: string }', 'create: background'),
    now: books('name: { type: string, name_in: { 2: title } }', 'create: background'),
    versions: ['[1, 2]', '[1, 2, 3]'],
    rows: `insert into "jobs" ("id", "collection", "item_id", "version") values (${id(1)}, 'books', ${id(2)}, 1);`,
    kept: ['select "version" from "jobs"', '[1]'],
  },
  {
    title: 'jobs keep their version where none differs any more',
    before: books('name: { type: string, name_in: { 1: title } }', 'create: background'),
    now: books('name: { type: string }', 'create: background'),
    versions: ['[1, 2]', '[2]'],
    rows: `insert into "jobs" ("id", "collection", "item_id", "version") values (${id(1)}, 'books', ${id(2)}, 1);`,
    kept: ['select "id", "version" from "jobs"', `[${id(1).replaceAll("'", '"')},1]`],
  },
  {
    title: 'jobs come with versions that differ',
    before: books('name: { type: string, name_in: { 1: title } }'),
    now: books('name: { type: string, name_in: { 1: title } }', 'create: background'),
    versions: ['[1, 2]', '[1, 2]'],
  },
  {
    title: 'changes write events, and collections called events and webhooks have other names',
    before:
      'events: { fields: { title: { type: string } } }\nwebhooks: { fields: { title: { type: string } } }',
    now: 'concerts: { renamed_from: events, fields: { title: { type: string } }, events: true }\nhooks: { renamed_from: webhooks, fields: { title: { type: string } } }',
    rows: `insert into "events" ("title") values ('Dune');`,
    kept: ['select "title" from "concerts"', '["Dune"]'],
  },
  {
    title: 'changes write no events any more',
    before: books('title: { type: string }', 'events: true'),
    now: TITLE,
    losses: ['all events and webhooks'],
  },
  {
    title: 'the types of stored events and of webhooks follow the name of the collection',
    before: `${books('title: { type: string }', 'events: true')}\nfilms: { fields: { title: { type: string } }, events: true, singular: movie }`,
    now: 'works: { renamed_from: books, fields: { title: { type: string } }, events: true }\nfilms: { fields: { title: { type: string } }, events: true }',
    rows: `insert into "events" ("event_id", "type", "item_id", "data")
      select gen_random_uuid(), "type", gen_random_uuid(), '{}'
      from unnest(array['book.created', 'book.deleted', 'movie.updated', 'other.created']) as "type";
      insert into "webhooks" ("url", "status", "version", "events") values
        ('https://example.org/1', 'active', 1, array['book.created', 'other.created']),
        ('https://example.org/2', 'active', 1, null);
      insert into "_deliveries" ("webhook_id", "event_id", "position", "item_id", "type")
      select "webhooks"."id", "event_id", 1, "item_id", "type" from "webhooks", "events"
      where "url" like '%2' and "type" in ('book.created', 'other.created');`,
    kept: [
      `select json_agg("type" order by "id") from "events" union all
      (select to_json("events") from "webhooks" order by "url") union all
      select json_agg("type" order by "type") from "_deliveries"`,
      '[["work.created","work.deleted","film.updated","other.created"]]',
      '[["work.created","other.created"]]',
      '[null]',
      '[["other.created","work.created"]]',
    ],
  },
  {
    title:
      'events of collections that write none any more are emptied, and none comes back as that of another',
    before: `${books('title: { type: string }', 'events: true')}\nnovels: { fields: { label: { type: string } }, events: true }\nfilms: { fields: { title: { type: string } }, events: true }`,
    now: 'books: { renamed_from: novels, fields: { label: { type: string } }, events: true }\nfilms: { fields: { title: { type: string } } }',
    rows: `insert into "events" ("event_id", "type", "item_id", "data", "position")
      select gen_random_uuid(), "type", gen_random_uuid(), '{"1":{"title":"a"}}', "at"
      from unnest(array['book.created', 'novel.created', 'film.created']) with ordinality as "one" ("type", "at");`,
    losses: ['the collection books and its items', 'the events of films'],
    kept: [
      'select json_agg(json_build_array("position", "type", "data") order by "position") from "events"',
      '[[[1,"",{}],[2,"book.created",{"1":{"title":"a"}}],[3,"",{}]]]',
    ],
  },
  {
    title: 'fields and lists are called as the service calls its own',
    before: books(
      'owner: { type: string }, words: { type: string }',
      'filter: [owner, words], search: [words], permissions: { update: owner }',
    ),
    now: books(
      'owner: { type: string }, words: { type: string }',
      'sort: [owner, words], search: [owner]',
    ),
    losses: ['who owns each of books'],
  },
];

const AUTHORS =
  'authors: { fields: { name: { type: string } } }\nmakers: { fields: { name: { type: string } } }';

const REFERENCES: readonly Case[] = [
  {
    title: 'a reference is added',
    before: `${TITLE}\n${AUTHORS}`,
    now: `${books('title: { type: string }, author_id: { type: reference, to: authors, on_delete: clear, nested: true }')}\n${AUTHORS}`,
    rows: rowsOf('"title"', `'Dune'`),
    kept: [all('"author_id"'), '[null]'],
  },
  {
    title: 'what becomes of references changes',
    before: `${books('author_id: { type: reference, to: authors }, other_id: { type: reference, to: authors, on_delete: cascade }')}\n${AUTHORS}`,
    now: `${books('author_id: { type: reference, to: authors, on_delete: cascade }, other_id: { type: reference, to: authors, on_delete: clear }')}\n${AUTHORS}`,
  },
  {
    title: 'a reference leads elsewhere, and its ids lead to nothing there',
    before: `${books('author_id: { type: reference, to: authors }')}\n${AUTHORS}`,
    now: `${books('author_id: { type: reference, to: makers }')}\n${AUTHORS}`,
    rows: `insert into "authors" ("id") values (${id(9)}); ${rowsOf('"author_id"', id(9), 'null')}`,
    refused: 'Rows of "books" in which "author_id" leads to nothing: 1.',
  },
  {
    title: 'the collection that a reference leads to is dropped, and it leads elsewhere',
    before: `${books('author_id: { type: reference, to: authors }')}\n${AUTHORS}`,
    now: `${books('author_id: { type: reference, to: makers }')}\nmakers: { fields: { name: { type: string } } }`,
    rows: rowsOf('"author_id"', 'null'),
    losses: ['the collection authors and its items'],
  },
  {
    title: 'a uuid becomes a reference, and another one a uuid',
    before: `${books('author_id: { type: uuid }, maker_id: { type: reference, to: makers }')}\n${AUTHORS}`,
    now: `${books('author_id: { type: reference, to: authors }, maker_id: { type: uuid }')}\n${AUTHORS}`,
    rows: `insert into "authors" ("id") values (${id(9)}); ${rowsOf('"author_id"', id(9))}`,
    kept: [all('"author_id"'), `[${id(9).replaceAll("'", '"')}]`],
  },
  {
    title: 'a reference is required, with an item for those that have none',
    before: `${books('author_id: { type: reference, to: authors }')}\n${AUTHORS}`,
    now: `${books(`author_id: { type: reference, to: authors, required: true, backfill: ${id(9)} }, maker_id: { type: reference, to: makers, required: true, backfill: ${id(8)} }`)}\n${AUTHORS}`,
    rows: `insert into "authors" ("id") values (${id(9)}); insert into "makers" ("id") values (${id(8)}); ${rowsOf('"author_id"', 'null')}`,
    kept: [all('"author_id", "maker_id"'), `[${id(9)},${id(8)}]`.replaceAll("'", '"')],
  },
  {
    title: 'users are referred to',
    before: TITLE,
    now: books(
      'title: { type: string }, reader_id: { type: reference, to: users, on_delete: cascade, nested: true }',
    ),
  },
];

/** A change of one field `it`, which has a value before and after. */
const conversion = (
  title: string,
  [from, to]: readonly [string, string],
  values: readonly (readonly [sql: string, json: string])[],
  more: Partial<Case> = {},
): Case => ({
  title: `${title}: ${/type: (\w+)/.exec(from)?.[1]} to ${/type: (\w+)/.exec(to)?.[1]}`,
  before: books(`it: { ${from} }`),
  now: books(`it: { ${to} }`),
  rows: rowsOf('"it"', ...values.map(([sql]) => sql)),
  ...(more.refused === undefined && {
    kept: [
      all(
        `case when pg_typeof("it") = 'jsonb'::regtype then to_jsonb("it") else to_jsonb("it"::text) end`,
      ),
      ...values.map(([, json]) => json),
    ],
  }),
  ...more,
});

const narrower = (type: string): Partial<Case> => ({
  losses: [`values of books.it that ${type} does not take`],
});

const TYPES_WITH_INDEXES: readonly Case[] = [
  {
    title: 'a field of the second of two rules of unique fields gets another type',
    before: books(
      'slug: { type: string }, archived: { type: boolean }, n: { type: integer }',
      "unique: [{ fields: [slug], where: 'archived = false' }, { fields: [slug], where: 'n > 5' }]",
    ),
    now: books(
      'slug: { type: string }, archived: { type: boolean }, n: { type: decimal, precision: 20, scale: 2 }',
      "unique: [{ fields: [slug], where: 'archived = true' }, { fields: [slug], where: 'n > 5' }]",
    ),
    rows: rowsOf('"slug", "archived", "n"', `'a', false, 1`, `'a', true, 9`),
    kept: [all('"n"::text'), '["1.00"]', '["9.00"]'],
  },
  {
    title: 'a field called desc gets another type, and two indexes have the same parts of names',
    before: books(
      'a: { type: integer }, b: { type: integer }, desc: { type: integer }',
      'indexes: [[a, desc, b], ["-a", b]], sort: [a, b, desc]',
    ),
    now: books(
      'a: { type: integer }, b: { type: integer }, desc: { type: number }',
      'indexes: [[a, desc, b], ["-a", b]], sort: [a, b, desc]',
    ),
    rows: rowsOf('"a", "desc"', '1, 2'),
    kept: [all('"desc"'), '[2]'],
  },
  {
    title: 'a field called found, as a variable of PL/pgSQL is, gets another type',
    before: books('found: { type: string }'),
    now: books('found: { type: date, minimum: 2000-01-01 }'),
    rows: rowsOf('"found"', `'2026-11-24'`),
    kept: [all('"found"'), '["2026-11-24"]'],
    losses: ['values of books.found that date does not take'],
  },
  {
    title: 'owners move to the renamed reference to a user',
    before: books(
      'author_id: { type: reference, to: users }',
      'permissions: { read: owner, create: authenticated }',
    ),
    now: books(
      'writer_id: { type: reference, to: users, renamed_from: author_id }',
      'permissions: { read: owner, create: authenticated }, owner: writer_id',
    ),
    losses: ['who owns each of books'],
  },
];

const TYPES: readonly Case[] = [
  conversion('kept', ['type: string, max_length: 5', 'type: text'], [[`'Dune'`, '["Dune"]']]),
  conversion(
    'kept',
    ['type: integer', 'type: string'],
    [
      ['42', '["42"]'],
      ['null', '[null]'],
    ],
  ),
  conversion('kept', ['type: enum, values: [a, b]', 'type: string'], [[`'a'`, '["a"]']]),
  conversion('kept', ['type: integer', 'type: bigint'], [['42', '["42"]']]),
  conversion('kept', ['type: integer', 'type: number'], [['42', '["42"]']]),
  conversion('kept', ['type: boolean', 'type: string'], [['true', '["true"]']]),
  conversion(
    'kept',
    ['type: date', 'type: timestamp'],
    [[`'2026-05-01'`, '["2026-05-01 00:00:00+00"]']],
  ),
  conversion('kept', ['type: date', 'type: string'], [[`'2026-05-01'`, '["2026-05-01"]']]),
  conversion(
    'kept',
    ['type: timestamp', 'type: text'],
    [
      [`'2026-05-01 10:00:00.5Z'`, '["2026-05-01T10:00:00.500Z"]'],
      [`'2026-05-01 10:00:00.123456Z'`, '["2026-05-01T10:00:00.123456Z"]'],
    ],
  ),
  conversion(
    'kept',
    ['type: decimal, precision: 9, scale: 2', 'type: decimal, precision: 12, scale: 3'],
    [['1.25', '["1.250"]']],
  ),
  conversion(
    'kept',
    ['type: decimal, precision: 9, scale: 2', 'type: string'],
    [['1.5', '["1.50"]']],
  ),
  conversion(
    'kept',
    ['type: string', 'type: json'],
    [
      [`'a"b'`, '["a\\"b"]'],
      ['null', '[null]'],
    ],
  ),
  conversion(
    'kept',
    ['type: string', 'type: list, of: { type: string }'],
    [
      [`'a'`, '[["a"]]'],
      ['null', '[null]'],
    ],
  ),
  conversion(
    'kept',
    ['type: list, of: { type: integer }', 'type: list, of: { type: string }'],
    [
      [`'[1, 2]'`, '[["1","2"]]'],
      [`'[]'`, '[[]]'],
      ['null', '[null]'],
    ],
  ),
  conversion(
    'kept',
    ['type: list, of: { type: integer }', 'type: list, of: { type: bigint }'],
    [[`'[1, 2]'`, '[["1","2"]]']],
  ),
  conversion('kept', ['type: list, of: { type: integer }', 'type: json'], [[`'[1]'`, '[[1]]']]),
  conversion(
    'narrower',
    ['type: string', 'type: integer'],
    [
      [`'42'`, '["42"]'],
      [`'-7'`, '["-7"]'],
      ['null', '[null]'],
    ],
    narrower('integer'),
  ),
  conversion(
    'narrower',
    ['type: string', 'type: decimal, precision: 6, scale: 2'],
    [
      [`'42.5'`, '["42.50"]'],
      [`'1.100'`, '["1.10"]'],
    ],
    narrower('decimal(6, 2)'),
  ),
  conversion(
    'narrower',
    ['type: string', 'type: boolean'],
    [[`'true'`, '["true"]']],
    narrower('boolean'),
  ),
  conversion(
    'narrower',
    ['type: string', 'type: number'],
    [
      [`'1e3'`, '["1000"]'],
      [`'-0.5'`, '["-0.5"]'],
    ],
    narrower('number'),
  ),
  conversion(
    'narrower',
    ['type: text', 'type: date'],
    [[`'2024-02-29'`, '["2024-02-29"]']],
    narrower('date'),
  ),
  conversion(
    'narrower',
    ['type: text', 'type: timestamp'],
    [[`'2024-02-29T10:00:00+02:00'`, '["2024-02-29 08:00:00+00"]']],
    narrower('timestamp'),
  ),
  conversion(
    'narrower',
    ['type: string', 'type: uuid'],
    [[id(1), `[${id(1)}]`.replaceAll("'", '"')]],
    narrower('uuid'),
  ),
  conversion('narrower', ['type: bigint', 'type: integer'], [['5', '["5"]']], narrower('integer')),
  conversion(
    'narrower',
    ['type: list, of: { type: string }', 'type: string'],
    [
      [`'["a"]'`, '["a"]'],
      [`'[]'`, '[null]'],
    ],
    narrower('string'),
  ),
  conversion(
    'refused',
    ['type: string', 'type: integer'],
    [
      [`'007'`, ''],
      [`'x'`, ''],
      [`'1'`, ''],
    ],
    {
      ...narrower('integer'),
      refused: 'Values of "it" in "books" that do not fit into integer: 2.',
    },
  ),
  conversion(
    'refused',
    ['type: text', 'type: date'],
    [
      [`'2026-02-30'`, ''],
      [`'2026-2-1'`, ''],
    ],
    {
      ...narrower('date'),
      refused: 'Values of "it" in "books" that do not fit into date: 2.',
    },
  ),
  conversion(
    'refused',
    ['type: text', 'type: timestamp'],
    [
      [`'2026-02-30T10:00:00Z'`, ''],
      [`'2026-02-03T10:00:00'`, ''],
      [`'2026-02-03T10:00:00Z'`, ''],
    ],
    {
      ...narrower('timestamp'),
      refused: 'Values of "it" in "books" that do not fit into timestamp: 2.',
    },
  ),
  conversion(
    'refused',
    ['type: decimal, precision: 9, scale: 0', 'type: decimal, precision: 5, scale: 0'],
    [['123456', '']],
    {
      ...narrower('decimal(5, 0)'),
      refused: 'Values of "it" in "books" that do not fit into decimal(5, 0): 1.',
    },
  ),
  conversion(
    'refused',
    ['type: list, of: { type: string }', 'type: string'],
    [[`'["a", "b"]'`, '']],
    {
      ...narrower('string'),
      refused: 'Values of "it" in "books" that do not fit into string: 1.',
    },
  ),
  {
    title: 'a required list becomes one value, which an empty list has not',
    before: books('it: { type: list, of: { type: string }, required: true }'),
    now: books('it: { type: string, required: true }'),
    rows: rowsOf('"it"', `'["a"]'`, `'[]'`),
    losses: ['values of books.it that string does not take'],
    refused: 'Rows of "books" without "it", which is required now: 1.',
  },
  conversion(
    'rounded',
    ['type: number', 'type: integer'],
    [
      ['1.7', '["2"]'],
      ['-3', '["-3"]'],
    ],
    {
      losses: ['the digits behind the point of books.it'],
    },
  ),
  conversion(
    'rounded',
    ['type: decimal, precision: 9, scale: 2', 'type: decimal, precision: 9, scale: 1'],
    [['1.26', '["1.3"]']],
    {
      losses: ['digits behind the point after the first 1 of books.it'],
    },
  ),
  conversion(
    'rounded',
    ['type: number', 'type: decimal, precision: 20, scale: 3'],
    [['0.1234', '["0.123"]']],
    {
      losses: ['digits behind the point after the first 3 of books.it'],
    },
  ),
  conversion(
    'rounded',
    ['type: timestamp', 'type: date'],
    [[`'2026-05-01 23:30:00-02'`, '["2026-05-02"]']],
    {
      losses: ['the time of the day of books.it'],
    },
  ),
  conversion('kept', ['type: time', 'type: string'], [[`'09:30:00.500'`, '["09:30:00.5"]']]),
  conversion(
    'kept',
    ['type: duration', 'type: text'],
    [
      [`'PT25H30M'`, '["PT25H30M"]'],
      [`'PT0S'`, '["PT0S"]'],
      [`'PT59.999999S'`, '["PT59.999999S"]'],
      ['null', '[null]'],
    ],
  ),
  conversion(
    'kept',
    ['type: ip', 'type: string'],
    [
      [`'192.0.2.1'`, '["192.0.2.1"]'],
      [`'192.0.2.0/24'`, '["192.0.2.0/24"]'],
      [`'2001:db8::1'`, '["2001:db8::1"]'],
    ],
  ),
  conversion(
    'kept',
    ['type: bytes', 'type: text'],
    [
      [`decode(repeat('ff', 60), 'hex')`, `["${'/'.repeat(80)}"]`],
      [`''`, '[""]'],
    ],
  ),
  conversion(
    'kept',
    ['type: duration', 'type: list, of: { type: duration }'],
    [[`'PT24H'`, '[["PT24H"]]']],
  ),
  conversion(
    'kept',
    ['type: list, of: { type: bytes }', 'type: list, of: { type: string }'],
    [[`'["aGVsbG8="]'`, '[["aGVsbG8="]]']],
  ),
  conversion(
    'narrower',
    ['type: text', 'type: time'],
    [[`'23:59:59.5000000'`, '["23:59:59.5"]']],
    narrower('time'),
  ),
  conversion(
    'narrower',
    ['type: text', 'type: duration'],
    [
      [`'P1W'`, '["PT168H"]'],
      [`'P1DT90M0.25S'`, '["PT25H30M0.25S"]'],
    ],
    narrower('duration'),
  ),
  conversion(
    'narrower',
    ['type: text', 'type: ip'],
    [
      [`'192.0.2.0/24'`, '["192.0.2.0/24"]'],
      [`'2001:DB8::'`, '["2001:db8::/128"]'],
      [`'::1'`, '["::1/128"]'],
    ],
    narrower('ip'),
  ),
  conversion(
    'narrower',
    ['type: text', 'type: bytes'],
    [[`'aGVsbG8='`, '["\\\\x68656c6c6f"]']],
    narrower('bytes'),
  ),
  ...(
    [
      ['time', [`'24:00:00'`, `'09:30'`, `'09:30:00Z'`, `'09:30:00'`], 3],
      ['duration', [`'P1M'`, `'P'`, `'P100001D'`, `'PT'`, `'PT1H'`], 4],
      ['ip', [`'192.0.2.1/24'`, `'192.0.2.01'`, `'::1/0'`, `'1::2::3'`, `'::1'`], 4],
      ['bytes', [`'aGVsbG8'`, `'aGVsbG9='`, `'_-8='`, `'aGVsbG8='`], 3],
    ] as const
  ).map(([type, texts, refused]) =>
    conversion(
      'refused',
      ['type: text', `type: ${type}`],
      texts.map((text) => [text, '']),
      {
        ...narrower(type),
        refused: `Values of "it" in "books" that do not fit into ${type}: ${refused}.`,
      },
    ),
  ),
  conversion(
    'rounded',
    ['type: timestamp', 'type: time'],
    [[`'2026-05-01 23:30:00.25-02'`, '["01:30:00.25"]']],
    {
      losses: ['the day of books.it'],
    },
  ),
  conversion('made anew', ['type: boolean', 'type: integer'], [['true', '[null]']], {
    losses: ['books.it and its values'],
  }),
  conversion(
    'made anew, with a default',
    [
      'type: json',
      'type: object, properties: { a: { type: integer } }, required: true, default: { a: 1 }',
    ],
    [[`'[1]'`, '[{"a":1}]']],
    {
      losses: ['books.it and its values'],
    },
  ),
];

const OBJECT = (properties: string, more = ''): string =>
  books(`size: { type: object, properties: { ${properties} }${more} }`);

/** One more than a call of PostgreSQL has arguments for. */
const MANY_MEMBERS = Array.from({ length: 50 }, (_, n) => `m${n}: { type: integer }`).join(', ');

const OBJECTS: readonly Case[] = [
  {
    title: 'members of objects are added, renamed, converted and dropped, to any depth',
    before: OBJECT(
      'a: { type: integer }, b: { type: string }, gone: { type: json }, in: { type: object, properties: { x: { type: date }, y: { type: boolean } } }',
    ),
    now: OBJECT(
      'c: { type: string, renamed_from: a }, b: { type: string, required: true, backfill: none }, new: { type: integer, default: 7 }, in: { type: object, properties: { x: { type: timestamp }, z: { type: boolean, renamed_from: y }, w: { type: json } } }',
    ),
    rows: rowsOf(
      '"size"',
      `'{"a": 5, "b": null, "gone": 1, "in": {"x": "2026-05-01", "y": true}}'`,
      `'{"a": null, "b": "x", "gone": null, "in": null}'`,
      'null',
    ),
    kept: [
      all('"size"'),
      '[{"b":"none","c":"5","in":{"w":null,"x":"2026-05-01T00:00:00.000Z","z":true},"new":7}]',
      '[{"b":"x","c":null,"in":null,"new":7}]',
      '[null]',
    ],
    losses: ['the member gone of books.size'],
  },
  {
    title: 'two members of an object take the names of each other',
    before: OBJECT('a: { type: integer }, b: { type: integer }', ', required: true'),
    now: OBJECT(
      'a: { type: integer, renamed_from: b }, b: { type: integer, renamed_from: a }',
      ', required: true',
    ),
    rows: rowsOf('"size"', `'{"a": 1, "b": 2}'`),
    kept: [all('"size"'), '[{"a":2,"b":1}]'],
  },
  {
    title: 'a member of an object that has very many is renamed',
    before: OBJECT(`${MANY_MEMBERS}, last: { type: integer }`),
    now: OBJECT(`${MANY_MEMBERS}, end: { type: integer, renamed_from: last }`),
    rows: rowsOf('"size"', `'{"m0": 7, "last": 8}'`),
    kept: [all(`"size" -> 'm0', "size" -> 'end', "size" ? 'last'`), '[7,8,false]'],
  },
  {
    title: 'a member of an object is required, and an item has none',
    before: OBJECT('a: { type: integer }'),
    now: OBJECT('a: { type: integer, required: true }'),
    rows: rowsOf('"size"', `'{"a": 1}'`, `'{"a": null}'`, 'null'),
    refused: 'Values of "size" in "books" that do not fit into object: 1.',
  },
];

const DAYS = 'starts_on: { type: date }, ends_on: { type: date }';
const LATER = "checks: { in_order: { rule: 'ends_on > starts_on' } }";

const SLUG = 'slug: { type: string }, archived: { type: boolean }';
const ACTIVE = "unique: [{ fields: [slug], where: 'archived = false' }]";

const UNIQUE_WHERE: readonly Case[] = [
  {
    title: 'a field is unique where a rule is true, beside an index over the same field',
    before: books(SLUG, 'filter: [slug], indexes: [[slug]]'),
    now: books(SLUG, `filter: [slug], indexes: [[slug]], ${ACTIVE}`),
    rows: rowsOf('"slug", "archived"', `'a', false`, `'a', true`, `'a', null`, `null, false`),
    kept: [all('"slug"'), '["a"]', '["a"]', '["a"]', '[null]'],
  },
  {
    title: 'a field is unique where a rule is true, and rows share a value',
    before: books(SLUG),
    now: books(SLUG, ACTIVE),
    rows: rowsOf(
      '"slug", "archived"',
      ...[`'a', false`, `'a', false`, `'b', true`, `'b', true`, `'c', null`, `'c', null`],
      ...['null, false', 'null, false'],
    ),
    refused:
      'Values of "slug" that several rows of "books" where archived = false share, and must be unique now: 1.',
  },
  {
    title: 'the rule of unique fields is another one, and another entry stays',
    before: books(
      `${SLUG}, n: { type: integer }`,
      `unique: [{ fields: [slug], where: 'archived = false' }, { fields: [slug], where: 'n > 5' }]`,
    ),
    now: books(
      `${SLUG}, n: { type: integer }`,
      `unique: [{ fields: [slug], where: 'n > 5' }, { fields: [slug], where: 'archived = true' }]`,
    ),
    rows: rowsOf('"slug", "archived", "n"', `'a', false, 1`, `'a', true, 2`, `'a', null, 6`),
    kept: [all('"n"'), '[1]', '[2]', '[6]'],
  },
  {
    title: 'the rule of unique fields is another one, and rows share a value',
    before: books(SLUG, ACTIVE),
    now: books(SLUG, ACTIVE.replace('= false', '= true')),
    rows: rowsOf('"slug", "archived"', `'a', true`, `'a', true`),
    refused: 'where archived = true share, and must be unique now: 1.',
  },
  {
    title: 'several rules name the same fields, and one goes',
    before: books(
      `${SLUG}, n: { type: integer }`,
      `unique: [{ fields: [slug], where: 'n > 5' }, { fields: [slug], where: 'n < 3' }, [slug, n]]`,
    ),
    now: books(
      `${SLUG}, n: { type: integer }`,
      `unique: [[slug, n], { fields: [slug], where: 'n < 3' }]`,
    ),
    rows: rowsOf('"slug", "n"', `'a', 1`, `'a', 4`, `'a', 6`),
    kept: [all('"n"'), '[1]', '[4]', '[6]'],
  },
  {
    title: 'unique fields, those of their rule and their collection are renamed',
    before: books(SLUG, ACTIVE),
    now: `titles: { renamed_from: books, fields: { name: { type: string, renamed_from: slug }, gone: { type: boolean, renamed_from: archived } }, unique: [{ fields: [name], where: 'gone = false' }] }`,
    rows: rowsOf('"slug", "archived"', `'a', false`, `'a', true`),
    kept: ['select "name" from "titles"', '["a"]', '["a"]'],
  },
  {
    title: 'a field of the rule of unique fields is dropped with it',
    before: books(SLUG, ACTIVE),
    now: books('slug: { type: string }'),
    rows: rowsOf('"slug", "archived"', `'a', false`, `'a', true`),
    kept: [all('"slug"'), '["a"]', '["a"]'],
    losses: ['books.archived and its values'],
  },
  {
    title: 'fields are unique among all items, and among some before',
    before: books(SLUG, ACTIVE),
    now: books(SLUG, 'unique: [[slug]]'),
    rows: rowsOf('"slug", "archived"', `'a', false`, `'a', true`),
    refused: 'Values of "slug" that several rows of "books" share, and must be unique now: 1.',
  },
  {
    title:
      'a field of the rule of unique fields gets another type, and a value of an enum another name',
    before: books(
      'slug: { type: string }, n: { type: integer }, s: { type: enum, values: [x, y] }',
      `unique: [{ fields: [slug], where: "n > 5 and s = 'x'" }]`,
    ),
    now: books(
      'slug: { type: string }, n: { type: decimal, precision: 20, scale: 2 }, s: { type: enum, values: [{ value: z, renamed_from: x }, y] }',
      `unique: [{ fields: [slug], where: "n > 5 and s = 'z'" }]`,
    ),
    rows: rowsOf('"slug", "n", "s"', `'a', 6, 'x'`, `'a', 6, 'y'`, `'a', 5, 'x'`),
    kept: [all('"s"'), '["z"]', '["y"]', '["z"]'],
  },
  {
    title: 'the values of an enum change places, of which one is in the rule of unique fields',
    before: books(
      'slug: { type: string }, s: { type: enum, values: [x, y] }',
      `unique: [{ fields: [slug], where: "s = 'x'" }]`,
    ),
    now: books(
      'slug: { type: string }, s: { type: enum, values: [{ value: y, renamed_from: x }, { value: x, renamed_from: y }] }',
      `unique: [{ fields: [slug], where: "s = 'x'" }]`,
    ),
    rows: rowsOf('"slug", "s"', `'a', 'x'`, `'a', 'y'`),
    kept: [all('"s"'), '["y"]', '["x"]'],
  },
  {
    title: 'a backfill brings rows into the rule of unique fields',
    before: books(SLUG, ACTIVE),
    now: books(SLUG.replace('boolean', 'boolean, required: true, backfill: false'), ACTIVE),
    rows: rowsOf('"slug", "archived"', `'a', false`, `'a', null`, `'b', null`, `'c', true`),
    refused:
      'Values of "slug" that several rows of "books" where archived = false share, and must be unique now: 1.',
  },
  {
    title: 'a backfill brings rows into the rule of unique fields, and none share a value',
    before: books(SLUG, ACTIVE),
    now: books(SLUG.replace('boolean', 'boolean, required: true, backfill: false'), ACTIVE),
    rows: rowsOf('"slug", "archived"', `'a', false`, `'b', null`, `'a', true`),
    kept: [all('"archived"'), '[false]', '[false]', '[true]'],
  },
  {
    title: 'the rule of unique fields is about a new field',
    before: books('slug: { type: string }'),
    now: books(
      'slug: { type: string }, n: { type: integer }, m: { type: integer, required: true, backfill: 3 }',
      `unique: [{ fields: [slug], where: 'n = 1' }, { fields: [slug], where: 'm != 3' }]`,
    ),
    rows: rowsOf('"slug"', `'a'`, `'a'`),
    kept: [all('"m"'), '[3]', '[3]'],
  },
];

const CHECKS: readonly Case[] = [
  {
    title: 'a check is added, changed and removed, and others stay',
    before: books(
      `${DAYS}, pages: { type: integer }`,
      "checks: { in_order: { rule: 'ends_on > starts_on' }, some: { rule: 'pages > 1' }, gone: { rule: 'pages != 13' } }",
    ),
    now: books(
      `${DAYS}, pages: { type: integer }`,
      "checks: { new: { rule: 'pages < 900 or ends_on = null' }, in_order: { rule: '(ends_on>starts_on)', message: In order. }, some: { rule: 'pages > 0' } }",
    ),
    rows: rowsOf('"starts_on", "pages"', `'2026-01-31', 5`, `null, null`),
    kept: [all('"pages"'), '[5]', '[null]'],
  },
  {
    title: 'a check is added, and rows violate it',
    before: books(DAYS),
    now: books(DAYS, LATER),
    rows: rowsOf(
      '"starts_on", "ends_on"',
      `'2026-01-31', '2026-01-30'`,
      `'2026-01-31', '2026-01-31'`,
      `'2026-01-31', null`,
      `'2026-01-31', '2026-02-01'`,
    ),
    refused:
      'Rows of "books" that violate the check "in_order" (ends_on > starts_on): 2. Change them first.',
  },
  {
    title: 'a check is changed, and rows violate it, in which a percent sign and quotes stand',
    before: books(
      'title: { type: string }, pages: { type: integer }',
      "checks: { c: { rule: 'pages > 1' } }",
    ),
    now: books(
      'title: { type: string }, pages: { type: integer }',
      `checks: { c: { rule: "title not in ('50%', 'it''s $$') or pages > 1" } }`,
    ),
    rows: rowsOf('"title"', `'50%'`, `'it''s $$'`),
    kept: [all('"title"'), '["50%"]', `["it's $$"]`],
  },
  {
    title: 'fields of a check are renamed, with the collection and the check',
    before: books(DAYS, LATER),
    now: "titles: { renamed_from: books, fields: { from: { type: date, renamed_from: starts_on }, to: { type: date, renamed_from: ends_on } }, checks: { ordered: { rule: 'to > from' } } }",
    rows: rowsOf('"starts_on", "ends_on"', `'2026-01-31', '2026-02-01'`),
    kept: ['select "from" < "to" from "titles"', '[true]'],
  },
  {
    title: 'two fields of a check take the names of each other',
    before: books(DAYS, LATER),
    now: books(
      'ends_on: { type: date, renamed_from: starts_on }, starts_on: { type: date, renamed_from: ends_on }',
      "checks: { in_order: { rule: 'starts_on > ends_on' } }",
    ),
    rows: rowsOf('"starts_on", "ends_on"', `'2026-01-31', '2026-02-01'`),
    kept: [all('"ends_on" < "starts_on"'), '[true]'],
  },
  {
    title: 'fields of a check get another type',
    before: books(
      'a: { type: integer }, b: { type: integer }, on: { type: date }, s: { type: enum, values: [x, y] }',
      `checks: { c: { rule: 'a < b' }, d: { rule: "on > '2026-01-31'" }, e: { rule: "s != 'x' or a = null" } }`,
    ),
    now: books(
      'a: { type: decimal, precision: 20, scale: 2 }, b: { type: bigint }, on: { type: timestamp }, s: { type: string }',
      `checks: { c: { rule: 'a < b' }, d: { rule: "on > '2026-01-31T00:00:00Z'" }, e: { rule: "s != 'x' or a = null" } }`,
    ),
    rows: rowsOf('"a", "b", "on", "s"', `1, 2, '2026-02-01', 'y'`),
    kept: [all('"a"::text, "b"::text'), '["1.00","2"]'],
  },
  {
    title: 'a value of an enum in a check is renamed',
    before: books(
      's: { type: enum, values: [x, y] }, n: { type: integer }',
      `checks: { c: { rule: "s != 'x' or n != null" } }`,
    ),
    now: books(
      's: { type: enum, values: [{ value: z, renamed_from: x }, y] }, n: { type: integer }',
      `checks: { c: { rule: "s != 'z' or n != null" } }`,
    ),
    rows: rowsOf('"s", "n"', `'x', 1`, `'y', null`),
    kept: [all('"s"'), '["z"]', '["y"]'],
  },
  {
    title: 'a field of a check gets a backfill that violates it',
    before: books('a: { type: integer }, b: { type: integer }', "checks: { c: { rule: 'a < b' } }"),
    now: books(
      'a: { type: integer }, b: { type: integer, required: true, backfill: 3 }',
      "checks: { c: { rule: 'a < b' } }",
    ),
    rows: rowsOf('"a", "b"', `5, null`, `1, null`, `1, 2`),
    refused: 'Rows of "books" that violate the check "c" (a < b): 1. Change them first.',
  },
  {
    title: 'a check is about new fields, with a backfill and without',
    before: books('a: { type: integer }'),
    now: books(
      'a: { type: integer }, b: { type: integer, required: true, backfill: 3 }, c: { type: integer }',
      "checks: { one: { rule: 'a < b' }, other: { rule: 'c > a' } }",
    ),
    rows: rowsOf('"a"', '1', '2'),
    kept: [all('"b"'), '[3]', '[3]'],
  },
  {
    title: 'a check is about a new field, and its absence violates it',
    before: books('a: { type: integer }'),
    now: books(
      'a: { type: integer }, b: { type: integer }',
      "checks: { c: { rule: 'a = null or b != null' } }",
    ),
    rows: rowsOf('"a"', '1', 'null'),
    refused:
      'Rows of "books" that violate the check "c" (a = null or b != null): 1. Change them first.',
  },
  {
    title: 'a field goes with the check that names it',
    before: books('a: { type: integer }, b: { type: integer }', "checks: { c: { rule: 'a < b' } }"),
    now: books('a: { type: integer }'),
    rows: rowsOf('"a", "b"', '1, 2'),
    kept: [all('"a"'), '[1]'],
    losses: ['books.b and its values'],
  },
];

/** A sequence, and the columns of books with the number that the next one gets. */
const NUMBER = 'number: { type: integer, set_by: service, default: sequence }';
const numbered = (column = 'number', table = 'books'): string =>
  `select "${column}", (select case "is_called" when true then "last_value" + 1 else "last_value" end
    from "${table}_number_seq") from "${table}" order by "title"`;

const SEQUENCES: readonly Case[] = [
  {
    title: 'a sequence is added, and numbers items in the order of their creation',
    before: TITLE,
    now: books(`title: { type: string }, ${NUMBER}`, 'sort: [number]'),
    rows: rowsOf(
      '"title", "created_at"',
      `'Emma', '2026-02-01'`,
      `'Dune', '2026-03-01'`,
      `'Ulysses', '2026-01-01'`,
    ),
    kept: [numbered(), '[3,4]', '[2,4]', '[1,4]'],
  },
  {
    title: 'a sequence is added to a collection without items, from its minimum on',
    before: TITLE,
    now: books(
      "title: { type: string }, number: { type: bigint, set_by: service, default: sequence, minimum: '1000' }",
    ),
    kept: [`select nextval('books_number_seq')`, '[1000]'],
  },
  {
    title: 'a number becomes a sequence, which goes on behind the greatest',
    before: books('title: { type: string }, number: { type: integer, required: true }'),
    now: books(`title: { type: string }, ${NUMBER}`),
    rows: rowsOf('"title", "number"', `'Dune', 7`, `'Emma', -2`),
    kept: [numbered(), '[7,8]', '[-2,8]'],
  },
  {
    title: 'a text becomes a sequence',
    before: books('title: { type: string }, number: { type: string, required: true }'),
    now: books(`title: { type: string }, ${NUMBER}`),
    rows: rowsOf('"title", "number"', `'Dune', '12'`),
    kept: [numbered(), '[12,13]'],
    losses: ['values of books.number that integer does not take'],
  },
  {
    title: 'a number that items have in common cannot become a sequence',
    before: books('title: { type: string }, number: { type: integer, required: true }'),
    now: books(`title: { type: string }, ${NUMBER}`),
    rows: rowsOf('"title", "number"', `'Dune', 7`, `'Emma', 7`),
    refused: 'books',
  },
  {
    title: 'a number that items lack becomes a sequence, and they get one',
    before: books('title: { type: string }, number: { type: integer }'),
    now: books(`title: { type: string }, ${NUMBER}`),
    rows: rowsOf('"title", "number"', `'Dune', 7`, `'Emma', null`, `'Faust', null`),
    kept: [numbered(), '[7,10]', '[8,10]', '[9,10]'],
  },
  {
    title: 'a sequence starts higher, and has given no number yet',
    before: books(`title: { type: string }, ${NUMBER.replace(' }', ', minimum: -5 }')}`),
    now: books(`title: { type: string }, ${NUMBER.replace(' }', ', minimum: 0 }')}`),
    losses: [],
    kept: [`select nextval('books_number_seq')`, '[0]'],
  },
  {
    title: 'a sequence starts above its first numbers, and never below 1 again',
    before: books(`title: { type: string }, ${NUMBER.replace(' }', ', minimum: -5 }')}`),
    now: books(`title: { type: string }, ${NUMBER.replace(' }', ', minimum: 10 }')}`),
    kept: [`select nextval('books_number_seq')`, '[10]'],
  },
  {
    title: 'a sequence starts lower, and no number is given twice',
    before: books(`title: { type: string }, ${NUMBER.replace(' }', ', minimum: 7 }')}`),
    now: books(`title: { type: string }, ${NUMBER.replace(' }', ', minimum: -6 }')}`),
    rows: `${rowsOf('"title"', `'Dune'`, `'Emma'`)} delete from "books" where "title" = 'Emma';`,
    kept: [`select "number", nextval('books_number_seq') from "books"`, '[7,9]'],
  },
  {
    title: 'a sequence becomes a number',
    before: books(`title: { type: string }, ${NUMBER}`),
    now: books('title: { type: string }, number: { type: integer, required: true }'),
    rows: rowsOf('"title"', `'Dune'`, `'Emma'`),
    kept: [all('"number"'), '[1]', '[2]'],
  },
  {
    title: 'a sequence goes',
    before: books(`title: { type: string }, ${NUMBER}`),
    now: TITLE,
    rows: rowsOf('"title"', `'Dune'`),
    kept: [all('"title"'), '["Dune"]'],
    losses: ['books.number and its values'],
  },
  {
    title: 'a sequence and its collection are renamed, and it starts elsewhere',
    before: books(`title: { type: string }, ${NUMBER}`),
    now: `titles: { renamed_from: books, fields: { title: { type: string }, place: { type: integer, set_by: service, default: sequence, renamed_from: number, minimum: 0 } } }`,
    rows: rowsOf('"title"', `'Dune'`, `'Emma'`),
    kept: [
      `select "place", (select "last_value" + "is_called"::int from "books_number_seq") from "titles" order by 1`,
      '[1,3]',
      '[2,3]',
    ],
  },
  {
    title: 'an integer sequence becomes a bigint one',
    before: books(`title: { type: string }, ${NUMBER}`),
    now: books(
      'title: { type: string }, number: { type: bigint, set_by: service, default: sequence }',
    ),
    rows: rowsOf('"title"', `'Dune'`),
    kept: [`select "number", nextval('books_number_seq') from "books"`, '[1,2]'],
  },
];

/** Collections whose ids are numbers. */
const NUMBERED = `films: { key: integer, fields: { title: { type: string } } }
rentals: { key: bigint, fields: { film_id: { type: reference, to: films, nested: true } } }`;
const FILM = `insert into "films" ("title") values ('Dune');`;
const REMOVED_FILM = `${FILM} ${FILM} delete from "films" where "id" = 2;`;

const KEYS: readonly Case[] = [
  {
    title: 'collections with numeric keys are added',
    before: TITLE,
    now: `${TITLE}\n${NUMBERED}`,
    rows: rowsOf('"title"', `'Dune'`),
    kept: [all('"title"'), '["Dune"]'],
  },
  {
    title: 'the last collections with numeric keys are dropped',
    before: `${TITLE}\n${NUMBERED}`,
    now: TITLE,
    rows: `${rowsOf('"title"', `'Dune'`)} ${REMOVED_FILM}`,
    kept: [all('"title"'), '["Dune"]'],
    losses: ['the collection films and its items', 'the collection rentals and its items'],
  },
  {
    title: 'a collection with a numeric key is renamed, with its tombstones',
    before: NUMBERED,
    now: NUMBERED.replace('films: {', 'movies: { renamed_from: films,')
      .replace('film_id: {', 'movie_id: { renamed_from: film_id,')
      .replace('to: films', 'to: movies'),
    rows: `${REMOVED_FILM} insert into "rentals" ("film_id") values (1);`,
    kept: [
      `select "movies"."id", "movie_id"::text, "collection", "_numeric_tombstones"."id"::text from "movies" join "rentals" on "movie_id" = "movies"."id", "_numeric_tombstones"`,
      '[1,"1","movies","2"]',
    ],
  },
  {
    title: 'a collection with a numeric key makes way for one of the same name with another key',
    before: NUMBERED,
    now: `movies: { key: integer, renamed_from: films, fields: { title: { type: string } } }
films: { fields: { title: { type: string } } }
rentals: { key: bigint, fields: { film_id: { type: reference, to: movies, nested: true } } }`,
    rows: FILM,
    kept: ['select "id", "title" from "movies"', '[1,"Dune"]'],
  },
  {
    title: 'a reference to numbers is added, sorted by and made required',
    before: NUMBERED,
    now: NUMBERED.replace('nested: true }', 'nested: true, required: true }')
      .replace('film_id:', 'previous_id: { type: reference, to: rentals }, film_id:')
      .replace(
        / }$/,
        ', sort: [previous_id, film_id], filter: [previous_id], unique: [[previous_id, film_id]] }',
      ),
    rows: `${FILM} insert into "rentals" ("film_id") values (1);`,
    kept: ['select "film_id", "previous_id" from "rentals"', '[1,null]'],
  },
  {
    title: 'the events of a collection that stays are not touched',
    before: `books: { events: true, fields: { title: { type: string } } }
notes: { events: true, fields: { text: { type: string } } }
films: { key: integer, fields: { title: { type: string } } }`,
    now: `books: { events: true, fields: { title: { type: string } } }
notes: { fields: { text: { type: string } } }
films: { key: integer, fields: { title: { type: string }, year: { type: integer } } }
shows: { fields: { title: { type: string } } }`,
    rows: `insert into "events" ("event_id", "type", "item_id", "data") values (${id(1)}, 'book.created', ${id(2)}, '{"1":{}}'), (${id(3)}, 'note.created', ${id(4)}, '{"1":{}}');`,
    kept: [
      'select "type", "data" from "events" order by 1',
      '["",{}]',
      '["book.created",{"1":{}}]',
    ],
    losses: ['the events of notes'],
  },
  {
    title: 'a collection with a numeric key gets the name of one that is dropped',
    before: `films: { key: integer, fields: { title: { type: string } } }
shows: { key: integer, fields: { title: { type: string } } }`,
    now: 'films: { key: integer, renamed_from: shows, fields: { title: { type: string } } }',
    rows: `${REMOVED_FILM} insert into "shows" ("title") values ('a'), ('b'), ('c'); delete from "shows" where "id" <> 1;`,
    kept: ['select "collection", "id" from "_numeric_tombstones"', '["films",2]', '["films",3]'],
    losses: ['the collection films and its items'],
  },
  {
    title: 'jobs of a collection with a numeric key go with it',
    before: `books: { create: background, fields: { title: { type: string } } }
films: { key: integer, create: background, fields: { title: { type: string } } }
shows: { key: integer, fields: { title: { type: string } } }`,
    now: `books: { create: background, fields: { title: { type: string } } }
shows: { key: integer, fields: { title: { type: string } } }`,
    rows: `insert into "jobs" ("id", "collection", "item_id", "version") values (${id(3)}, 'books', ${id(2)}, 1), (${id(5)}, 'films', '1', 1);`,
    kept: ['select "collection" from "jobs"', '["books"]'],
    losses: ['the collection films and its items'],
  },
  {
    title: 'a collection with a numeric key is dropped, and its tombstones with it',
    before: `${NUMBERED}\nshows: { key: integer, fields: { title: { type: string } } }`,
    now: NUMBERED,
    rows: `${REMOVED_FILM} insert into "shows" ("title") values ('a'), ('b'); delete from "shows";`,
    kept: ['select "collection", "id" from "_numeric_tombstones"', '["films",2]'],
    losses: ['the collection shows and its items'],
  },
  {
    title: 'a reference to numbers leads to those of another collection',
    before: `${NUMBERED}\nshows: { key: integer, fields: { title: { type: string } } }`,
    now: `${NUMBERED.replace('to: films', 'to: shows')}\nshows: { key: integer, fields: { title: { type: string } } }`,
    rows: `${FILM} insert into "shows" ("title") values ('Dark'); insert into "rentals" ("film_id") values (1);`,
    refused:
      'Rows of "rentals" in which "film_id" has an id of another collection: 1. Change them first.',
  },
  {
    title: 'ids become greater numbers, with the references to them',
    before: NUMBERED.replace('bigint', 'integer'),
    now: NUMBERED.replace('key: integer', 'key: bigint'),
    rows: `${FILM} insert into "rentals" ("film_id") values (1);`,
    kept: [
      `select "films"."id", "film_id", nextval('films_id_seq'), (select data_type::text from pg_sequences where schemaname = current_schema() and sequencename = 'films_id_seq') as "type" from "films" join "rentals" on "film_id" = "films"."id"`,
      '[1,1,2,"bigint"]',
    ],
  },
  {
    title: 'jobs and events of UUIDs, to which numbers come',
    before: 'books: { create: background, events: true, fields: { title: { type: string } } }',
    now: `books: { create: background, events: true, fields: { title: { type: string } } }
films: { key: integer, create: background, events: true, fields: { title: { type: string } } }`,
    rows: `insert into "events" ("event_id", "type", "item_id", "data") values (${id(1)}, 'book.created', ${id(2)}, '{}');
      insert into "jobs" ("id", "collection", "item_id", "version") values (${id(3)}, 'books', ${id(2)}, 1);`,
    kept: [
      'select "events"."item_id" = "jobs"."item_id" as "same", pg_typeof("events"."item_id")::text as "type" from "events", "jobs"',
      '[true,"text"]',
    ],
  },
  {
    title: 'jobs and events of numbers go with their collection, and others stay',
    before: `books: { create: background, events: true, fields: { title: { type: string } } }
films: { key: integer, create: background, events: true, fields: { title: { type: string } } }`,
    now: 'books: { create: background, events: true, fields: { title: { type: string } } }',
    rows: `insert into "events" ("event_id", "type", "item_id", "data") values (${id(1)}, 'book.created', ${id(2)}, '{}'), (${id(4)}, 'film.created', '1', '{}');
      insert into "jobs" ("id", "collection", "item_id", "version") values (${id(3)}, 'books', ${id(2)}, 1), (${id(5)}, 'films', '1', 1);`,
    kept: [
      'select "events"."item_id" = "jobs"."item_id" as "same", pg_typeof("events"."item_id")::text as "type", "events"."type" as "what" from "events", "jobs" order by 1 desc',
      '[true,"uuid","book.created"]',
      '[false,"uuid",""]',
    ],
    losses: ['the collection films and its items'],
  },
];

const FILM_TABLE = `create table others.film ("film_id" integer generated by default as identity primary key,
  "title" text, "Length" integer, "last_update" timestamp not null default '2020-01-01', "hidden" text not null default 'x');
  insert into others.film ("title", "Length") values ('Alien', 117), ('Brazil', null);`;
/** A collection with that table. */
const existing = (fields: string, rest = '', name = 'films'): string =>
  `${name}: { table: others.film, key: { type: integer, column: film_id }, history: { updated_at: last_update }, fields: { ${fields} }${rest} }`;
const FILM_TITLE = existing('title: { type: string }');
/** Another table, and the collection after it has moved there. */
const MOVIE_TABLE =
  'create table others.movie ("id" integer primary key, "title" text, "last_update" timestamp);';
const MOVIE_TITLE = FILM_TITLE.replace('others.film', 'others.movie').replace(
  'column: film_id',
  'column: id',
);
/** A second collection with the same table, so that the service always has a schema of its own. */
const REELS = existing('hidden: { type: string }', '', 'reels');

/** A table whose key has two columns, with different collations. */
const PAIR_TABLE = `create table others.pair ("number" int, "word" text collate "POSIX", "size" int, primary key ("number", "word"));
  insert into others.pair values (7, 'a~b', 1);`;
const PAIRS = `pairs: { table: others.pair, history: {}, key: { fields: [number, word] }, fields: { number: { type: integer, required: true, immutable: true }, word: { type: string, required: true, immutable: true }, size: { type: integer } } }`;

const WORD_TABLE = `create table others.word ("spelling" text primary key, "weight" int);
  insert into others.word values ('tree', 3);`;
/** A collection with that table. */
const WORDS =
  'words: { table: others.word, key: { type: string, column: spelling }, history: {}, fields: { weight: { type: integer } } }';

/** A collection that links users to items of an existing table, and one whose items are those of the latter. */
const PASSES =
  'passes: { fields: { film_id: { type: reference, to: films, unique: true }, user_id: { type: reference, to: users } } }';
const ROLLS = (owner: string, link = 'film_id: { type: reference, to: films }'): string =>
  `rolls: { fields: { ${link} }, permissions: { update: owner }${owner} }`;

const EXISTING: readonly Case[] = [
  {
    title: 'the user who is linked to a row of an existing table becomes who made the item',
    existing: FILM_TABLE,
    before: `${FILM_TITLE}\n${PASSES}\n${ROLLS(', owner: film_id.passes.user_id')}`,
    now: `${FILM_TITLE}\n${PASSES}\n${ROLLS('')}`,
    rows: `${USERS} insert into "passes" ("id", "film_id", "user_id") values (${id(81)}, 1, ${id(91)});
      insert into "rolls" ("id", "film_id") values (${id(1)}, 1), (${id(2)}, 2);`,
    kept: [
      'select "film_id", "_owner_id" from "rolls" order by "id"',
      `[1,${id(91).replaceAll("'", '"')}]`,
      '[2,null]',
    ],
  },
  {
    title: 'no migration reads the owners of items in an existing table',
    existing: `${FILM_TABLE} create table others.sequel ("id" text primary key, "title" text);`,
    before: `${existing('sequel_id: { type: reference, to: sequels, column: hidden }')}
sequels: { table: others.sequel, key: string, history: {}, fields: { title: { type: string } } }
passes: { fields: { sequel_id: { type: reference, to: sequels, unique: true }, user_id: { type: reference, to: users } } }
${ROLLS(', owner: film_id.sequel_id.passes.user_id')}`,
    now: `${existing('sequel_id: { type: reference, to: sequels, column: hidden }')}
sequels: { table: others.sequel, key: string, history: {}, fields: { title: { type: string } } }
passes: { fields: { sequel_id: { type: reference, to: sequels, unique: true }, user_id: { type: reference, to: users } } }
${ROLLS('')}`,
    losses: ['who owns each of rolls'],
  },
  {
    title: 'rows of an existing table get owners by a linking collection, and have others',
    existing: FILM_TABLE,
    before: `${existing('title: { type: string }', ', permissions: { update: owner }, owner: passes.user_id')}
${PASSES}`,
    now: `${existing('title: { type: string }', ', permissions: { update: owner }, owner: passes.reader_id')}
${PASSES.replace('user_id', 'reader_id')}`,
    losses: ['passes.user_id and its values'],
  },
  {
    title: 'a collection with an existing table is added, and one that refers to it',
    existing: FILM_TABLE,
    before: `${TITLE}\n${REELS}`,
    now: `${TITLE}\n${REELS}\n${existing('title: { type: string }, length_minutes: { type: integer, column: Length }')}
reviews: { fields: { film_id: { type: reference, to: films, required: true, on_delete: cascade } } }`,
    kept: [
      'select "id", "title", "length_minutes", "updated_at", "_revision" <> \'\' as "has" from "films" order by "id"',
      '[1,"Alien",117,"2020-01-01T00:00:00",true]',
      '[2,"Brazil",null,"2020-01-01T00:00:00",true]',
    ],
  },
  {
    title: 'fields of an existing table are added, renamed and removed',
    existing: FILM_TABLE,
    before: existing('title: { type: string }, minutes: { type: integer, column: Length }'),
    now: existing(
      'name: { type: string, column: title, renamed_from: title }, hidden: { type: string }',
    ),
    kept: ['select "id", "name", "hidden" from "films" where "id" = 1', '[1,"Alien","x"]'],
  },
  {
    title: 'a collection with an existing table is renamed, and remembers what was removed',
    existing: FILM_TABLE,
    before: FILM_TITLE,
    now: existing('title: { type: string }', ', renamed_from: films', 'movies'),
    rows: `insert into "_numeric_tombstones" ("collection", "id") values ('films', 9);`,
    kept: [
      'select "title", (select "collection" from "_numeric_tombstones") as "of" from "movies" order by "id" limit 1',
      '["Alien","movies"]',
    ],
  },
  {
    title:
      'a collection is added whose ids are texts, with what remembers them, and a reference to it',
    existing: FILM_TABLE + WORD_TABLE,
    before: `${TITLE}\n${REELS}`,
    now: `${TITLE}\n${REELS}\n${WORDS}
sightings: { fields: { word_id: { type: reference, to: words, required: true, on_delete: cascade } } }`,
    kept: [
      `select "id", "weight", "_is_new_id"('words', "id", 'x'), (select count(*) from "_text_tombstones") as "removed" from "words"`,
      '["tree",3,true,0]',
    ],
  },
  {
    title: 'ids of an existing table become wider, and references of the service with them',
    existing: `create table others.room (id integer generated always as identity primary key, name text);
      insert into others.room (name) values ('one');`,
    before: `rooms: { table: others.room, key: smallint, history: {}, fields: { name: { type: text } } }\nlamps: { fields: { room_id: { type: reference, to: rooms } } }`,
    now: `rooms: { table: others.room, key: integer, history: {}, fields: { name: { type: text } } }\nlamps: { fields: { room_id: { type: reference, to: rooms } } }`,
    rows: `insert into "lamps" ("id", "room_id") values ('01890a5d-ac96-774b-bcce-b302099a8057', 1);`,
    kept: [`select "room_id", pg_typeof("room_id")::text from "lamps"`, '[1,"integer"]'],
  },
  {
    title: 'clients choose the numbers of another table, and what remembers numbers comes',
    existing: `${WORD_TABLE} create table others.score ("number" bigint primary key, "points" int);
      insert into others.score values (7, 1);`,
    before: `${TITLE}\n${WORDS}`,
    now: `${TITLE}\n${WORDS}\nscores: { table: others.score, key: { type: bigint, column: number, generated: client }, history: {}, fields: { points: { type: integer } } }`,
    kept: [
      `select "id", "_is_new_id"('scores', "id", 'x'), (select count(*) from "_numeric_tombstones") as "removed" from "scores"`,
      '[7,true,0]',
    ],
  },
  {
    title: 'a collection whose ids are texts is renamed, and remembers what was removed',
    existing: WORD_TABLE,
    before: WORDS,
    now: WORDS.replace('words: {', 'terms: { renamed_from: words,'),
    rows: `insert into "_text_tombstones" ("collection", "id") values ('words', 'leaf');`,
    kept: ['select "collection", "id" from "_text_tombstones"', '["terms","leaf"]'],
  },
  {
    title: 'a collection whose ids are texts is removed, and another one whose ids are texts stays',
    existing: `${WORD_TABLE} create table others.term ("spelling" text primary key, "weight" int);`,
    before: `${WORDS}\n${WORDS.replace('words:', 'terms:').replace('others.word', 'others.term')}`,
    now: WORDS,
    rows: `insert into "_text_tombstones" ("collection", "id") values ('words', 'leaf'), ('terms', 'leaf');`,
    kept: ['select "collection", "id" from "_text_tombstones"', '["words","leaf"]'],
  },
  {
    title:
      'a collection whose ids consist of several values is renamed, and remembers what was removed',
    existing: PAIR_TABLE,
    before: PAIRS,
    now: PAIRS.replace('pairs: {', 'couples: { renamed_from: pairs,'),
    rows: `insert into "_text_tombstones" ("collection", "id") values ('pairs', '1~2');`,
    kept: [
      `select "id", (select "collection" || ' ' || "id" from "_text_tombstones") as "removed" from "couples"`,
      '["7~a%7Eb","couples 1~2"]',
    ],
  },
  {
    title: 'such a collection is removed, and one whose ids are texts stays',
    existing: PAIR_TABLE + WORD_TABLE,
    before: `${PAIRS}\n${WORDS}`,
    now: WORDS,
    rows: `insert into "_text_tombstones" ("collection", "id") values ('pairs', '1~2'), ('words', 'leaf');`,
    kept: ['select "collection", "id" from "_text_tombstones"', '["words","leaf"]'],
  },
  {
    title: 'such a collection is added, with what remembers texts',
    existing: FILM_TABLE + PAIR_TABLE,
    before: `${TITLE}\n${REELS}`,
    now: `${TITLE}\n${REELS}\n${PAIRS}`,
    kept: [
      `select "id", (select count(*) from "_text_tombstones") as "removed", to_regprocedure('_is_new_id(text, text, text)') as "function" from "pairs"`,
      '["7~a%7Eb",0,null]',
    ],
  },
  {
    title: 'removals mark rows from now on',
    existing: `${FILM_TABLE} alter table others.film add "deleted_at" timestamptz;
      update others.film set "deleted_at" = now() where "title" = 'Brazil';`,
    before: FILM_TITLE,
    now: existing('title: { type: string }', ', soft_delete: { column: deleted_at }'),
    kept: ['select "title", "_removed" from "films"', '["Alien",null]'],
  },
  {
    title: 'the last collection whose ids are texts is removed, and what remembers them goes',
    existing: FILM_TABLE + WORD_TABLE,
    before: `${REELS}\n${WORDS}`,
    now: REELS,
    kept: [
      `select to_regclass('_text_tombstones') as "table", to_regprocedure('_is_new_id(text, text, text)') as "function", (select count(*) from others.word) as "rows"`,
      '[null,null,1]',
    ],
  },
  {
    title: 'a table of the service gets the name of a view',
    existing: FILM_TABLE,
    before: `${REELS}\n${FILM_TITLE}`,
    now: `${REELS}\n${existing('title: { type: string }', ', renamed_from: films', 'movies')}\nfilms: { fields: { title: { type: string } } }`,
    kept: [
      'select "title", (select count(*) from "films") as "films" from "movies" order by "id" limit 1',
      '["Alien",0]',
    ],
  },
  {
    title: 'a view gets the name of a table of the service',
    existing: FILM_TABLE,
    before: `${REELS}\nfilms: { fields: { title: { type: string } } }`,
    now: `${REELS}\nreviews: { renamed_from: films, fields: { title: { type: string } } }\n${FILM_TITLE}`,
    rows: `insert into "films" ("id", "title") values (${id(1)}, 'Dune');`,
    kept: [
      'select "title", (select "title" from "reviews") as "other" from "films" order by "id" limit 1',
      '["Alien","Dune"]',
    ],
  },
  {
    title: 'a reference follows its collection to another table, and to another key',
    existing: `${FILM_TABLE} ${MOVIE_TABLE}
      insert into others.movie values (2, 'Brazil');`,
    before: `${FILM_TITLE}\nreviews: { fields: { film_id: { type: reference, to: films, on_delete: cascade } } }`,
    now: `${MOVIE_TITLE}\nreviews: { fields: { film_id: { type: reference, to: films, on_delete: cascade } } }`,
    rows: `insert into "reviews" ("id", "film_id") values (${id(1)}, 2);`,
    kept: [
      'select "film_id", (select confrelid::regclass::text from pg_constraint where conrelid = \'"reviews"\'::regclass and contype = \'f\' and conname like \'%film%\') as "to" from "reviews"',
      '[2,"others.movie"]',
    ],
  },
  {
    title: 'a reference moves to a table that lacks its row',
    existing: `${FILM_TABLE} ${MOVIE_TABLE}
      insert into others.movie values (3, 'Cube');`,
    before: `${FILM_TITLE}\nreviews: { fields: { film_id: { type: reference, to: films } } }`,
    now: `${MOVIE_TITLE}\nreviews: { fields: { film_id: { type: reference, to: films } } }`,
    rows: `insert into "reviews" ("id", "film_id") values (${id(1)}, 2);`,
    refused: 'Rows of "reviews" in which "film_id" leads to nothing: 1. Change them first.',
  },
  {
    title: 'a table with dollar signs in its name is referred to, online and by a renamed field',
    existing: `create table others."fi$$lm" ("film_id" integer primary key, "title" text, "last_update" timestamp);
      insert into others."fi$$lm" values (1, 'Alien');`,
    before: `${FILM_TITLE.replace('others.film', 'others.fi$$$$lm')}\nreviews: { fields: { film_id: { type: reference, to: films } } }`,
    now: `${FILM_TITLE.replace('others.film', 'others.fi$$$$lm')}\nreviews: { fields: { movie_id: { type: reference, to: films, renamed_from: film_id, on_delete: cascade } } }`,
    rows: `insert into "reviews" ("id", "film_id") values (${id(1)}, 1);`,
    kept: ['select "movie_id" from "reviews"', '[1]'],
  },
  {
    title: 'a collection with an existing table is dropped, and its rows stay',
    existing: FILM_TABLE,
    before: `${REELS}\n${FILM_TITLE}`,
    now: REELS,
    kept: ['select "title" from others.film order by "film_id"', '["Alien"]', '["Brazil"]'],
  },
  {
    title: 'numbers of an existing table are greater, with references to them',
    existing: FILM_TABLE,
    before: `${FILM_TITLE}\nreviews: { fields: { film_id: { type: reference, to: films } } }`,
    now: `${FILM_TITLE.replace('type: integer', 'type: bigint')}\nreviews: { fields: { film_id: { type: reference, to: films } } }`,
    rows: `insert into "reviews" ("id", "film_id") values (${id(1)}, 2);`,
    kept: ['select "film_id", pg_typeof("film_id")::text as "type" from "reviews"', '[2,"bigint"]'],
  },
];

export const CASES: readonly Case[] = [
  ...STRUCTURE,
  ...RULES,
  ...REFERENCES,
  ...TYPES,
  ...TYPES_WITH_INDEXES,
  ...OBJECTS,
  ...CHECKS,
  ...UNIQUE_WHERE,
  ...SEQUENCES,
  ...KEYS,
  ...EXISTING,
];
