/** The folder layout: which files are read, and what becomes of them. */
import { describe, expect, test } from 'vitest';
import { formatIssue, parseFolder } from '../../../src/definition/index.ts';
import { file, folder, lines, OPTIONS, service, textOf } from './support.ts';

const FIELDS = 'fields: { a: { type: json } }\n';
const SERVICE_LINE =
  '# yaml-language-server: $schema=../node_modules/create-service/schema/service.schema.json\n';
const COLLECTION_LINE =
  '# yaml-language-server: $schema=../../node_modules/create-service/schema/collection.schema.json\n';

async function emitted(texts: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const read = await folder(texts);
  if (!read.ok) throw new Error(lines(read).join('\n'));
  return Object.fromEntries(read.files.map((one) => [one.path, textOf(one)]));
}

describe('what is read', () => {
  test('files under any folder, in any order, with any of the endings', async () => {
    const read = await parseFolder(
      [
        file('some/where/collections/books.yml', FIELDS),
        file('some/where/collections/authors.json', '{"fields": {"a": {"type": "json"}}}'),
        file('some/where/service.json', '{"name": "shop"}'),
        file('some/where/README.md', 'not read'),
        file('some/where/collections/.keep', ''),
      ],
      OPTIONS,
    );
    expect(service(read).name).toBe('shop');
    expect(service(read).collections.map(({ name }) => name)).toEqual(['authors', 'books']);
    expect(service(read).collections[1]!.at.file).toBe('some/where/collections/books.yml');
  });

  test('a folder without a service file', async () => {
    expect(await emitted({ 'collections/books.yaml': FIELDS })).toEqual({
      'definitions/service.yaml': `${SERVICE_LINE}name: bookshop\n`,
      'definitions/collections/books.yaml': `${COLLECTION_LINE}${FIELDS}`,
    });
  });

  test.each([
    ['collections/service.yaml', 'collections/collections/books.yaml'],
    ['service.yaml', 'collections/books.yaml'],
    ['/a/collections/b/service.yaml', '/a/collections/b/collections/books.yaml'],
  ])('a folder that is itself called collections, or none: %s', async (first, second) => {
    const read = await parseFolder([file(second, FIELDS), file(first, 'name: shop')], OPTIONS);
    expect(service(read)).toMatchObject({ name: 'shop', collections: [{ name: 'books' }] });
  });

  test('a collection may be called service by its file, and be told that it is singular', async () => {
    expect(lines(await folder({ 'collections/service.yaml': FIELDS }))).toEqual([
      'definitions/collections/service.yaml:1:1 error name "service" is singular: collections are plural. Write "services".',
    ]);
  });
});

describe('what is refused', () => {
  test('no collections', async () => {
    const message =
      'error there are no collections, and a service needs one. Write a file such as definitions/collections/books.yaml.';
    expect(lines(await folder({ 'service.yaml': 'name: shop' }))).toEqual([
      `definitions/service.yaml:1:1 ${message}`,
    ]);
    expect(lines(await parseFolder([], OPTIONS))).toEqual([
      `definitions/service.yaml:1:1 ${message}`,
    ]);
    expect(lines(await parseFolder([file('x/service.yml', 'name: shop')], OPTIONS))).toEqual([
      `x/service.yml:1:1 ${message}`,
    ]);
  });

  test('files where none is read', async () => {
    const found = await folder({
      'service.yaml': 'name: shop',
      'collections/books.yaml': FIELDS,
      'authors.yaml': FIELDS,
      'collections/old/plays.yaml': FIELDS,
    });
    expect(lines(found)).toEqual([
      'definitions/authors.yaml:1:1 error the file "authors.yaml" is not read here. Move it to definitions/collections/authors.yaml.',
      'definitions/collections/old/plays.yaml:1:1 error the file "plays.yaml" is not read here. Move it to definitions/collections/plays.yaml.',
    ]);
  });

  test('a folder below that of the collections', async () => {
    const found = { 'collections/books.yaml': FIELDS, 'collections/old/plays.yaml': FIELDS };
    expect(lines(await folder(found))).toEqual([
      'definitions/collections/old/plays.yaml:1:1 error the file "plays.yaml" is not read here. Move it to definitions/collections/plays.yaml.',
    ]);
  });

  test('two files for one thing', async () => {
    const found = await folder({
      'service.yaml': 'name: shop',
      'service.json': '{}',
      'collections/books.yaml': FIELDS,
      'collections/books.yml': FIELDS,
      'collections/tomes.yaml': `name: books\n${FIELDS}`,
    });
    expect(lines(found)).toEqual([
      'definitions/collections/books.yml:1:1 error collection "books" is defined twice: also in definitions/collections/books.yaml:1. Remove one.',
      'definitions/collections/tomes.yaml:1:7 error collection "books" is defined twice: also in definitions/collections/books.yaml:1. Remove one.',
      'definitions/service.yaml:1:1 error the service is defined twice: also in definitions/service.json. Remove one of the files.',
    ]);
  });

  test('every file at once, in the order of files, lines and columns', async () => {
    const found = await folder({
      'service.yaml': 'roles: [admin, public]\nname: X',
      'collections/b_things.yaml': 'fields: { a: { type: strin }, B: { type: json } }',
      'collections/a_things.yaml': 'fields: { a: { type: strin } }\nsort: [b]',
    });
    expect(lines(found).map((line) => line.split(' ')[0])).toEqual([
      'definitions/collections/a_things.yaml:1:22',
      'definitions/collections/a_things.yaml:2:8',
      'definitions/collections/b_things.yaml:1:22',
      'definitions/collections/b_things.yaml:1:31',
      'definitions/service.yaml:1:9',
      'definitions/service.yaml:1:16',
      'definitions/service.yaml:2:7',
    ]);
  });

  test('what a file that cannot be read may hold is not told to be missing', async () => {
    const texts = {
      'service.yaml': 'roles: [editor]',
      'collections/books.yaml':
        'fields: { author_id: { type: reference, to: authors } }\npermissions: { read: [editor] }',
    };
    const broken = 'definitions/collections/authors.yaml:2:1';
    const found = await folder({ ...texts, 'collections/authors.yaml': 'fields: {\n' });
    expect(lines(found).map((line) => line.split(' ')[0])).toEqual([broken]);
    const list = await folder({ ...texts, 'collections/authors.yaml': '- x' });
    expect(lines(list)).toHaveLength(1);
    const fields = { ...texts, 'collections/authors.yaml': FIELDS };
    expect(lines(await folder({ ...fields, 'service.yaml': 'roles: {' }))).toHaveLength(1);
    expect(lines(await folder({ ...fields, 'service.yaml': 'roles: editor' }))).toHaveLength(1);
    expect(lines(await folder({ ...fields, 'service.yaml': 'name: x' }))).toHaveLength(1);
  });

  test('a path is printed without what could move the cursor', () => {
    const at = { file: 'a\n\u001b[31m.yaml', line: 1, column: 2 };
    expect(formatIssue({ at, code: 'syntax', message: 'x' })).toBe(
      'a\\n\\u001b[31m.yaml:1:2 error x',
    );
  });
});

describe('what is emitted', () => {
  test('the text as it came, with the line for editors where it is missing', async () => {
    const odd = '# mine\n\nfields:   { a:   { type:   json } }   # odd\n\n\n';
    const own = `# first\n# yaml-language-server: $schema=elsewhere.json\n${FIELDS}`;
    expect(
      await emitted({
        'service.yaml': 'name: shop',
        'collections/books.yaml': odd,
        'collections/authors.yaml': own,
      }),
    ).toEqual({
      'definitions/service.yaml': `${SERVICE_LINE}name: shop`,
      'definitions/collections/authors.yaml': own,
      'definitions/collections/books.yaml': COLLECTION_LINE + odd,
    });
  });

  test('twice what was read once', async () => {
    const first = await folder({
      'service.json': '{"title": "x"}',
      'collections/books.yml': FIELDS,
    });
    const again = first.ok ? await parseFolder(first.files, OPTIONS) : first;
    expect(again.ok && first.ok && again.files).toEqual(first.ok && first.files);
  });

  test('a collection in the file of its name', async () => {
    const files = await emitted({ 'collections/tome.yml': `name: books\n${FIELDS}` });
    expect(Object.keys(files)).toEqual([
      'definitions/service.yaml',
      'definitions/collections/books.yaml',
    ]);
  });

  test('JSON as YAML in the style of the examples', async () => {
    const collection = {
      description: 'Line one.\nLine two: "x" # y',
      fields: {
        title: { type: 'string', max_length: 300, pattern: "^it's$", default: "it's" },
        size: { type: 'object', properties: { w: { type: 'integer' } } },
        kind: { type: 'enum', values: ['no', 'true', '5', ''], default: 'true' },
      },
      sort: ['title'],
      permissions: { read: 'public', create: ['editor'] },
    };
    const files = await emitted({
      'service.json': JSON.stringify({ roles: ['editor'], pages: { maximum: 50 } }),
      'collections/books.json': JSON.stringify(collection, null, '\t'),
    });
    expect(files['definitions/service.yaml']).toBe(
      `${SERVICE_LINE}roles: [editor]\npages: { maximum: 50 }\n`,
    );
    expect(files['definitions/collections/books.yaml']).toBe(
      [
        COLLECTION_LINE.trimEnd(),
        'description: |-',
        '  Line one.',
        '  Line two: "x" # y',
        'fields:',
        "  title: { type: string, max_length: 300, pattern: ^it's$, default: it's }",
        '  size: { type: object, properties: { w: { type: integer } } }',
        "  kind: { type: enum, values: [no, 'true', '5', ''], default: 'true' }",
        'sort: [title]',
        'permissions:',
        '  read: public',
        '  create: [editor]',
        '',
      ].join('\n'),
    );
  });
});

describe('a file that is read again', () => {
  const ISSUE = 'since of field "a" names version 2, which the service does not have.';
  const collection = file(
    'collections/books.yaml',
    'fields: { a: { type: json, since: 2 }, b: { type: json } }\n',
  );
  const read = async (versions: string) =>
    parseFolder(
      [file('service.yaml', `versions: ${versions}\npages: { maximum: 50 }\n`), collection],
      OPTIONS,
    );

  test('is read for the versions that there are then, and told of each time', async () => {
    expect(lines(await read('[1]'))[0]).toContain(ISSUE);
    expect(lines(await read('[1]'))[0]).toContain(ISSUE);
    expect(service(await read('[1, 2]')).collections[0]?.fields[0]).toMatchObject({ since: 2 });
    expect(lines(await read('[1]'))[0]).toContain(ISSUE);
  });

  test('takes from the service what that says then', async () => {
    const books = file('collections/books.yaml', FIELDS);
    const pages = async (maximum: number): Promise<unknown> => {
      const text = `pages: { default: 5, maximum: ${maximum} }\n`;
      return service(await parseFolder([file('service.yaml', text), books], OPTIONS)).collections[0]
        ?.pages;
    };
    expect(await pages(50)).toEqual({ default: 5, maximum: 50 });
    expect(await pages(60)).toEqual({ default: 5, maximum: 60 });
  });

  test('may stand for another that says the same, and is the place of what is told', async () => {
    const own = file('kept/collections/books.yaml', FIELDS);
    const sameAs = () => file('now/collections/books.yaml', FIELDS);
    const result = await parseFolder([own], { ...OPTIONS, sameAs });
    expect(service(result).collections[0]?.at.file).toBe('now/collections/books.yaml');
    if (!result.ok) throw new Error(lines(result).join('\n'));
    expect(result.files.map(({ path }) => path)).toEqual([
      'definitions/service.yaml',
      'definitions/collections/books.yaml',
    ]);
  });
});
