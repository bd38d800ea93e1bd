/** The shape of a version as it is kept: it says all that clients see, and reads as it was written. */
import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseFolder } from '../../../src/definition/index.ts';
import type { CollectionDefinition, ServiceDefinition } from '../../../src/definition/types.ts';
import { viewOf } from '../../../src/definition/versions/view.ts';
import { breakingChanges } from '../../../src/compatibility/breaking-changes.ts';
import { reportBreaks } from '../../../src/compatibility/findings.ts';
import { contractFiles } from '../../../src/compatibility/contract-files.ts';
import { stringify } from 'yaml';

import { generatedService } from '../definition/generated.ts';
import { file, OPTIONS, service, single, withoutPositions } from '../definition/support.ts';

const around = {
  placeOf: () => ({ file: 'shop.yaml', line: 1, column: 1 }),
  isListed: () => false,
};

const kept = async (view: ServiceDefinition): Promise<ServiceDefinition> =>
  service(
    await parseFolder(
      contractFiles(view).map(({ path, text }) => file(path, text)),
      OPTIONS,
    ),
  );

test('it is a definition with nothing left to a default', async () => {
  const shop = service(
    await single(
      [
        'name: shop',
        'title: Not for clients',
        'roles: [editor, clerk]',
        'collections:',
        '  authors: { fields: { name: { type: string } } }',
        '  books:',
        '    description: Not for clients.',
        '    fields:',
        "      title: { type: string, required: true, pattern: '^[^,]', example: Emma, renamed_from: name }",
        '      author_id: { type: reference, to: authors, nested: true }',
        '      address: { type: object, properties: { zip: { type: string }, city: { type: string, required: true } } }',
        '      secret: { type: list, of: { type: integer, minimum: 0 }, write_only: true, unique_items: true }',
        '    sort: [title, created_at]',
        '    filter: [title]',
        '    indexes: [[title]]',
        '    unique: [[title, author_id]]',
        '    permissions: { read: public, update: [editor, owner], delete: owner }',
      ].join('\n'),
    ),
  );
  const files = Object.fromEntries(contractFiles(shop).map(({ path, text }) => [path, text]));
  expect(files['service.yaml']).toBe(
    [
      '# What the clients of version 1 rely on; create-service writes it.',
      'name: shop',
      'versions: [1]',
      'versioning: [path, accept]',
      'roles: [clerk, editor]',
      '',
    ].join('\n'),
  );
  expect(files['collections/books.yaml']).toBe(
    [
      '# What the clients of version 1 rely on; create-service writes it.',
      'name: books',
      'singular: book',
      'fields:',
      '  address: { type: object, properties: { zip: { type: string }, city: { type: string, required: true } } }',
      '  author_id: { type: reference, to: authors, nested: books, on_delete: refuse }',
      '  secret: { type: list, of: { type: integer, minimum: 0 }, unique_items: true, write_only: true }',
      "  title: { type: string, pattern: '^[^,]', required: true }",
      'sort: [created_at, title]',
      'filter: [title]',
      'search: []',
      'pages: { default: 20, maximum: 100 }',
      'permissions:',
      '  read: public',
      '  create: authenticated',
      '  update: [editor, owner]',
      '  delete: owner',
      'create: direct',
      'require_if_match: false',
      'unique: [[title, author_id]]',
      '',
    ].join('\n'),
  );
});

test('a text that is unique with others is a string, whose values can be', async () => {
  const shop = service(
    await single(
      [
        'name: shop',
        'versions: [1, 2]',
        'collections:',
        '  books:',
        '    fields:',
        '      isbn: { type: string, type_in: { 1: { type: text } } }',
        '      shelf: { type: integer }',
        '    unique: [[isbn, shelf]]',
      ].join('\n'),
    ),
  );
  const view = viewOf(shop, 1);
  const again = await kept(view);
  expect(again.collections[0]?.unique).toMatchObject([{ fields: ['isbn', 'shelf'] }]);
  expect(again.collections[0]?.fields[0]?.type.type).toBe('string');
  expect(
    reportBreaks([{ version: 1, breaks: breakingChanges(again, view, around) }], [1, 2]),
  ).toEqual([]);
});

test('sequences of background creations are read again, also as another type', async () => {
  const sequence = 'set_by: service, default: sequence';
  const shop = service(
    await single(
      [
        'name: shop',
        'versions: [1, 2]',
        'collections:',
        '  scans:',
        '    create: background',
        '    fields:',
        '      title: { type: string }',
        `      number: { type: integer, ${sequence}, name_in: { 1: nr } }`,
        `      place: { type: bigint, ${sequence}, type_in: { 1: { type: string } } }`,
      ].join('\n'),
    ),
  );
  for (const version of [1, 2]) {
    const view = viewOf(shop, version);
    const again = await kept(view);
    expect(again.collections[0]?.fields.map(({ readOnly }) => readOnly)).toEqual([
      true,
      true,
      false,
    ]);
    const breaks = breakingChanges(again, view, around);
    expect(reportBreaks([{ version, breaks }], [1, 2])).toEqual([]);
  }
});

test.each([
  '{ type: string, column: code }',
  '{ type: integer, column: code, generated: client }',
  '{ type: bigint, generated: client, name: words_key }',
  '{ type: uuid, generated: client }',
  '{ type: integer, column: code }',
])('it reads as what clients see of an existing table with the key %s', async (key) => {
  for (const history of [
    '{}',
    '{ created_at: made }',
    '{ created_at: made, updated_at: changed }',
    '{ created_at: { column: made, nullable: true }, updated_at: changed }',
  ]) {
    const shop = service(
      await single(
        [
          'name: shop',
          'schema: service',
          'versions: [1, 2]',
          'collections:',
          '  words:',
          '    table: lending.word',
          `    key: ${key}`,
          `    history: ${history}`,
          '    soft_delete: { column: deleted_at }',
          '    fields:',
          '      weight: { type: integer, required: true, name_in: { 1: mass } }',
          '      root_id: { type: reference, to: words, column: root }',
        ].join('\n'),
      ),
    );
    for (const version of shop.versions) {
      const view = viewOf(shop, version);
      const again = await kept(view);
      expect(breakingChanges(view, again, around)).toEqual([]);
      expect(breakingChanges(again, view, around)).toEqual([]);
      const [words] = again.collections;
      expect(words?.fields.map(({ name }) => name).toSorted()).toEqual(
        view.collections[0]?.fields.map(({ name }) => name).toSorted(),
      );
      expect(words).toMatchObject({
        key: shop.collections[0]?.key,
        keySource: shop.collections[0]?.keySource,
      });
      expect(words?.existing?.nullableTimes).toEqual(shop.collections[0]?.existing?.nullableTimes);
    }
  }
});

test.each([
  'required: true, since: 2',
  'required: true, set_by: service',
  'name_in: { 1: mark }',
  'type_in: { 1: { type: integer } }, required: true, immutable: true',
])('it reads as what clients see of a member that the database sets (%s)', async (options) => {
  for (const history of ['{}', '{ created_at: made, updated_at: changed }']) {
    const shop = service(
      await single(
        [
          'name: shop',
          'schema: service',
          'versions: [1, 2]',
          'collections:',
          '  words:',
          '    table: word',
          `    history: ${history}`,
          '    fields:',
          '      weight: { type: integer }',
          `      code: { type: string, pattern: '^[0-9]{1,9}$', database_default: true, ${options} }`,
        ].join('\n'),
      ),
    );
    for (const version of shop.versions) {
      const view = viewOf(shop, version);
      const again = await kept(view);
      expect(breakingChanges(view, again, around)).toEqual([]);
      expect(breakingChanges(again, view, around)).toEqual([]);
      const codes = (one: typeof view) =>
        one.collections[0]?.fields.map(({ hasDatabaseDefault }) => hasDatabaseDefault === true);
      expect(codes(again)?.toSorted()).toEqual(codes(view)?.toSorted());
    }
  }
});

test('it reads as what clients of each version see, whatever differs between them', async () => {
  const text = readFileSync(
    new URL('../../cases/versions/definitions.yaml', import.meta.url),
    'utf8',
  );
  const library = service(await single(text));
  expect(library.versions).toEqual([1, 2, 3]);
  for (const version of library.versions) {
    const view = viewOf(library, version);
    expect(seen(await kept(view))).toEqual(seen(view));
  }
});

describe('of any service', () => {
  test('it reads as what clients see of it', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(generatedService, async ({ written }) => {
        const shop = service(await single(stringify(written)));
        for (const version of shop.versions) {
          const view = viewOf(shop, version);
          expect(seen(await kept(view))).toEqual(seen(view));
        }
      }),
      { numRuns: 50 },
    );
  });

  test(
    'it breaks nobody, and what a change breaks is told in lines',
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(generatedService, generatedService, async (one, other) => {
          const before = service(await single(stringify(one.written)));
          const after = service(await single(stringify(other.written)));
          expect(breakingChanges(before, await kept(before), around)).toEqual([]);
          expect(breakingChanges(await kept(before), before, around)).toEqual([]);
          const breaks = breakingChanges(before, after, around);
          for (const { message, hint } of reportBreaks([{ version: 1, breaks }], [1])) {
            expect(message).toMatch(/^breaks version 1: \P{Cc}+$/u);
            expect(hint).toMatch(/^\P{Cc}+\.$/u);
          }
        }),
        { numRuns: 50 },
      );
    },
  );
});

/** A service without what no client sees, and without an order that means nothing. */
function seen(shop: ServiceDefinition): unknown {
  const { title: _title, description: _description, pages: _pages, ...more } = shop;
  const { lifecycles: _lifecycles, retired: _retired, ...rest } = more;
  return withoutPositions({
    ...rest,
    roles: shop.roles.toSorted(),
    collections: shop.collections.map(seenOf),
  });
}

function seenOf(collection: CollectionDefinition): unknown {
  const {
    description: _description,
    renamedFrom: _renamed,
    indexes: _indexes,
    ...rest
  } = collection;
  const { fields, sort, filter, search, include } = collection;
  const sorted = fields.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return {
    ...rest,
    fields: sorted.map(bare),
    sort: sort.toSorted(),
    filter: filter.toSorted(),
    search: search.toSorted(),
    include: include.toSorted(),
  };
}

/** A field without what is for documents and migrations, to any depth. */
function bare(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(bare);
  const isMember = 'required' in value && 'type' in value && typeof value.type === 'object';
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key]) =>
          !isMember ||
          !['description', 'example', 'renamedFrom', 'backfill', 'isSequence'].includes(key),
      )
      // What an older form cannot hold is no key of the language: src/compatibility/narrowed-forms.ts tells of it.
      .filter(([key]) => key !== 'wholeDays' && key !== 'renamed')
      .map(([key, inner]) => [key, key === 'default' ? inner : bare(inner)]),
  );
}
