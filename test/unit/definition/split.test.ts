/** One file becomes the folder layout, with the comments and the style of its writer. */
import { describe, expect, test } from 'vitest';
import { parseFolder } from '../../../src/definition/index.ts';
import { lines, service, single, textOf, withoutPositions } from './support.ts';

async function split(text: string, path?: string): Promise<Record<string, string>> {
  const read = await single(text, path);
  if (!read.ok) throw new Error(lines(read).join('\n'));
  const again = await parseFolder(read.files, { fallbackName: 'another' });
  expect(withoutPositions(service(again))).toEqual(withoutPositions(read.service));
  return Object.fromEntries(read.files.map((one) => [one.path, textOf(one)]));
}

const SERVICE_LINE =
  '# yaml-language-server: $schema=../node_modules/create-service/schema/service.schema.json';
const COLLECTION_LINE =
  '# yaml-language-server: $schema=../../node_modules/create-service/schema/collection.schema.json';

/** The files of seeds that one file is split into, by path. */
async function seedsOf(text: string, path?: string): Promise<Record<string, string>> {
  const read = await single(text, path);
  if (!read.ok) throw new Error(lines(read).join('\n'));
  return Object.fromEntries(read.seeds.map((one) => [one.path, textOf(one)]));
}

describe('seeds in one file', () => {
  const COLLECTIONS = 'collections: { authors: { fields: { name: { type: string } } } }\n';

  test('become files, with their comments, without aliases', async () => {
    const text = [
      COLLECTIONS,
      '# To begin with.',
      'seeds:',
      '  # Who logs in.',
      '  users:',
      '    # All of it.',
      '    ann: &ann { username: ann, password: for-tests-only } # the first',
      '    ben:',
      '      <<: *ann',
      "      username: 'ben'",
      '    # Nobody else.',
      '  authors:',
      '    1984: # a number',
      '    le-guin: { name: no }',
      'name: shop',
    ].join('\n');
    expect((await split(text))['definitions/service.yaml']).toBe(
      [SERVICE_LINE, 'name: shop', 'seeds: true', ''].join('\n'),
    );
    expect(await seedsOf(text)).toEqual({
      'seeds/authors.yaml': '1984: # a number\nle-guin: { name: no }\n',
      'seeds/users.yaml': [
        '# To begin with.',
        '# Who logs in.',
        '# All of it.',
        'ann: { username: ann, password: for-tests-only } # the first',
        'ben:',
        "  username: 'ben'",
        '  password: for-tests-only',
        '# Nobody else.',
        '',
      ].join('\n'),
    });
  });

  test('of JSON take a line each', async () => {
    const seeds = { authors: { a: { name: '5' }, b: { name: null } }, users: {} };
    const collections = { authors: { fields: { name: { type: 'string' } } } };
    expect(await seedsOf(JSON.stringify({ seeds, collections }), 'shop.json')).toEqual({
      'seeds/authors.yaml': "a: { name: '5' }\nb: { name: null }\n",
      'seeds/users.yaml': '',
    });
  });

  test('that are not there make no files', async () => {
    expect(await seedsOf(COLLECTIONS)).toEqual({});
  });
});

describe('one file', () => {
  test('is split, and keeps comments, styles and order', async () => {
    const text = [
      '# yaml-language-server: $schema=single.schema.json',
      '#',
      '# All of the shop.',
      '',
      'name: shop # as customers know it',
      'roles: [editor]',
      '',
      '# What it sells.',
      'collections:',
      '  # Who wrote.',
      '  authors:',
      '    # Full names.',
      '    fields:',
      '      name: { type: string, required: true } # one line',
      '      bio:',
      '        type: text',
      '        # long',
      '        max_length: 5000',
      '',
      '  # What was written.',
      '  books: # titles',
      '    description: >',
      '      Folded',
      '      text.',
      '    fields:',
      '      title: { type: string, pattern: \'^a\', default: "a\\tb" }',
      '      price: { type: decimal, precision: 10, scale: 2 }',
      '    sort: [title]',
      '    permissions:',
      '      read: public',
      '      create: [editor]',
      '# The end.',
    ].join('\n');
    const files = await split(`${text}\n`);
    expect(files['definitions/service.yaml']).toBe(
      [
        SERVICE_LINE,
        '#',
        '# All of the shop.',
        'name: shop # as customers know it',
        'roles: [editor]',
        '# What it sells.',
        '# The end.',
        '',
      ].join('\n'),
    );
    expect(files['definitions/collections/authors.yaml']).toBe(
      [
        COLLECTION_LINE,
        '# Who wrote.',
        '# Full names.',
        'name: authors',
        'fields:',
        '  name: { type: string, required: true } # one line',
        '  bio:',
        '    type: text',
        '    # long',
        '    max_length: 5000',
        '',
      ].join('\n'),
    );
    expect(files['definitions/collections/books.yaml']).toBe(
      [
        COLLECTION_LINE,
        '# What was written.',
        '# titles',
        'name: books',
        'description: >',
        '  Folded text.',
        'fields:',
        '  title: { type: string, pattern: \'^a\', default: "a\\tb" }',
        '  price: { type: decimal, precision: 10, scale: 2 }',
        'sort: [title]',
        'permissions:',
        '  read: public',
        '  create: [editor]',
        '',
      ].join('\n'),
    );
  });

  test('that has no name gets one, so that it does not hang on a folder', async () => {
    const files = await split('# top\ncollections: { books: { fields: { a: { type: json } } } }\n');
    expect(files['definitions/service.yaml']).toContain('\nname: bookshop\n');
    expect(files['definitions/service.yaml']).toContain('# top\n');
  });

  test('that is JSON becomes YAML', async () => {
    const text =
      '{"name":"shop","collections":{"books":{"fields":{"a":{"type":"string","default":"no"}}},"authors":{"fields":{"b":{"type":"json","default":[1,{"x":null}]}}}}}';
    expect(await split(text, 'shop.json')).toEqual({
      'definitions/service.yaml': `${SERVICE_LINE}\nname: shop\n`,
      'definitions/collections/books.yaml': `${COLLECTION_LINE}\nname: books\nfields:\n  a: { type: string, default: no }\n`,
      'definitions/collections/authors.yaml': `${COLLECTION_LINE}\nname: authors\nfields:\n  b: { type: json, default: [1, { x: null }] }\n`,
    });
  });

  test.each([
    ['a text that keeps its line ends', '|+\n      a\n\n\n'],
    ['a text without a last line end', '|-\n      a'],
    ['a folded text', '>\n      a\n\n      b\n'],
    ['a quoted text', '"a\\n\\n b \\u0085 # c"'],
    ['a text like a document', '"---\\n...\\n%YAML 1.1\\n# x"'],
    ['a text over several lines', 'a\n      b\n\n      c'],
  ])('keeps %s at its end', async (_, description) => {
    const text = `collections:\n  books:\n    fields: { a: { type: json } }\n    description: ${description}`;
    // That the description is the same is checked for each split.
    expect(await split(`${text}\n# a comment\n`)).toHaveProperty([
      'definitions/collections/books.yaml',
    ]);
    expect(await split(text)).toHaveProperty(['definitions/collections/books.yaml']);
  });

  test('keeps a null that only an anchor stood for', async () => {
    const field = '{ type: json, default: [1, &b , *b ] }';
    const files = await split(`collections: { books: { fields: { a: ${field} } } }`);
    expect(files['definitions/collections/books.yaml']).toContain('[1, null, null]');
  });

  test('keeps names that YAML reads as something else', async () => {
    const files = await split(
      'collections: { nulls: { fields: { null: { type: json }, "true": { type: json } } } }',
    );
    expect(files['definitions/collections/nulls.yaml']).toContain('null: { type: json }');
  });
});
