/** How emitted services read files of seeds: names, members, places, and what is refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readSeeds } from '../../../templates/service/src/platform/seeds/read-seeds.ts';
import { InvalidSeeds, seedId } from '../../../templates/service/src/platform/seeds/seed.ts';
import type { Seed } from '../../../templates/service/src/platform/seeds/seed.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'seeds-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reads a file `books.yaml`. */
async function read(content: string | Uint8Array): Promise<Seed[]> {
  writeFileSync(join(folder, 'books.yaml'), content);
  return readSeeds(folder, ['books', 'users']);
}

/** The problems of a file, without its folder. */
async function refusal(content: string | Uint8Array): Promise<string> {
  const error: unknown = await read(content).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(InvalidSeeds);
  return (error as Error).message.replaceAll(`${folder}/`, '');
}

test('seeds have their names, members and places', async () => {
  const seeds = await read(
    '# Books.\na: { title: A, n: 5 }\nb c:\n  title: B\n  when: 2026-01-31\n1984:\nno: {}\n',
  );
  expect(seeds.map(({ name, members }) => [name, members])).toEqual([
    ['a', { title: 'A', n: 5n }],
    ['b c', { title: 'B', when: '2026-01-31' }],
    ['1984', {}],
    ['no', {}],
  ]);
  const [a, b] = seeds as [Seed, Seed];
  const file = `${folder}/books.yaml`;
  expect(a.place).toEqual({ file, line: 2, column: 1 });
  expect(a.placeOf('n')).toEqual({ file, line: 2, column: 19 });
  expect(a.placeOf('other')).toEqual(a.place);
  expect(b.placeOf('when')).toEqual({ file, line: 5, column: 9 });
  expect([a.textOf('n'), a.textOf('title'), a.textOf('other')]).toEqual(['5', 'A', undefined]);
});

test('aliases and merge keys are expanded', async () => {
  const [, b, c] = await read(
    'a: &a { title: &t A, of: 1984, on: { x: 1 } }\nb: { <<: *a, title: B, ref: *t }\nc: *a\n',
  );
  expect(b?.members).toEqual({ title: 'B', of: 1984n, on: { x: 1n }, ref: 'A' });
  expect(b?.textOf('ref')).toBe('A');
  expect(c?.members).toEqual({ title: 'A', of: 1984n, on: { x: 1n } });
});

test.each(['', '# nothing\n', '---\n', 'null\n'])(
  'a file that says nothing has no seeds (%j)',
  async (text) => {
    expect(await read(text)).toEqual([]);
  },
);

test('a byte order mark and CRLF are fine', async () => {
  const [a, b] = await read('\uFEFFa: { title: A }\r\nb:\r\n  title: B\r\n');
  expect([a?.members, b?.members]).toEqual([{ title: 'A' }, { title: 'B' }]);
  expect(b?.placeOf('title')).toMatchObject({ line: 3, column: 10 });
});

test('without the folder there are no seeds', async () => {
  expect(await readSeeds(join(folder, 'none'), ['books'])).toEqual([]);
});

test('other files are no seeds, or are told', async () => {
  await read('a: {}\n');
  writeFileSync(join(folder, 'README.md'), 'a: [');
  expect(await readSeeds(folder, ['books'])).toHaveLength(1);
  for (const name of ['users.yml', 'bocks.yaml']) writeFileSync(join(folder, name), '[');
  expect(await refusal('a: {}\n')).toBe(
    [
      'bocks.yaml:1:1 error there is no collection "bocks": name the file after one of books, users.',
      'users.yml:1:1 error the file is not read, because its name ends in .yml: rename it to users.yaml.',
    ].join('\n'),
  );
  for (const name of ['users.yml', 'bocks.yaml']) rmSync(join(folder, name));
});

describe('refused, with its place', () => {
  const bomb = ['a: &a0 { x: 1 }'];
  for (let level = 1; level < 30; level++) {
    bomb.push(`b${level}: &a${level} { l: [${`*a${level - 1},`.repeat(9)}] }`);
  }

  test.each([
    ['a duplicate name', 'a: {}\na: {}\n', /^books\.yaml:2:1 error .*unique/],
    ['a duplicate member', 'a: { x: 1, x: 2 }\n', /^books\.yaml:1:\d+ error .*unique/],
    ['broken syntax', 'a: {}\nb: { x: [ }\n', /^books\.yaml:2:\d+ error this is not valid YAML: /],
    ['a tag', 'a: { x: !!binary aGk= }\n', /^books\.yaml:1:9 error this is not valid YAML: .*tag/],
    [
      'a tag of JavaScript',
      'a: !!js/function "x"\n',
      /^books\.yaml:1:4 error this is not valid YAML/,
    ],
    ['two documents', 'a: {}\n---\nb: {}\n', /^books\.yaml:\d:\d+ error this is not valid YAML/],
    ['a list', '- a\n', /^books\.yaml:1:1 error the file holds no map/],
    ['a text', 'hello\n', /^books\.yaml:1:1 error the file holds no map/],
    ['a seed that is a text', 'a: hello\n', /^books\.yaml:1:4 error a seed is a map/],
    ['a seed that is a list', 'a: [1]\n', /^books\.yaml:1:4 error a seed is a map/],
    ['an empty name', "'': {}\n", /^books\.yaml:1:1 error "" is no name of a seed/],
    ['a merge key', 'a: &a {}\n<<: *a\n', /^books\.yaml:2:1 error "<<" is no name of a seed/],
    [
      'a name that is a map',
      '? { a: 1 }\n: {}\n',
      /^books\.yaml:1:\d error "" is no name of a seed/,
    ],
    [
      'a name of 101 characters',
      `${'a'.repeat(101)}: {}\n`,
      /^books\.yaml:1:1 error "a{101}" is no name/,
    ],
    [
      'a name that is an id',
      '0b2d7b3d-1c1c-4c1c-8c1c-1c1c1c1c1c1c: {}\n',
      /^books\.yaml:1:1 error .* no UUID\.$/,
    ],
    ['an alias of nothing', 'a: { x: *b }\n', /^books\.yaml:1:\d+ error /],
    [
      'an alias of itself',
      'a: &a { x: *a }\n',
      /^books\.yaml:1:\d+ error this seed is nested deeper than 64 levels, or an alias contains itself/,
    ],
    ['aliases that multiply', bomb.join('\n'), /error the aliases of this seed cannot be expanded/],
    [
      'values nested too deeply',
      `a: ${'[ x: '.repeat(64)}1${']'.repeat(64)}`.replace('[ x: ', '{ x: ').replace(/\]$/, '}'),
      /^books\.yaml:1:\d+ error this seed is nested deeper/,
    ],
    ['deep nesting', `a: ${'['.repeat(100_000)}`, /^books\.yaml:1:\d+ error /],
    [
      'too large',
      `a: { x: ${'x'.repeat(1_048_576)} }`,
      /^books\.yaml:1:1 error the file has more than 1 MiB/,
    ],
    [
      'no UTF-8',
      new Uint8Array([97, 58, 32, 0xff]),
      /^books\.yaml:1:1 error the file is not encoded in UTF-8/,
    ],
  ])('%s', async (_name, content, message) => {
    const before = performance.now();
    expect(await refusal(content)).toMatch(message);
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  test('YAML 1.1 has no other booleans here', async () => {
    const [a] = await read('%YAML 1.1\n---\na: { x: no, y: 017 }\n');
    expect(a?.members).toEqual({ x: 'no', y: 17n });
  });
});

test('any text yields seeds, or an error with a place', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'a',
      'b: ',
      ': ',
      '{',
      '}',
      '[',
      ']',
      ', ',
      '\n',
      '\n  ',
      '- ',
      '&x ',
      '*x',
      '<<: ',
      '"',
      "'",
      '|',
      '!t ',
      '? ',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 25 }), async (pieces) => {
      const result: unknown = await read(pieces.join('')).catch((error: unknown) => error);
      if (Array.isArray(result)) return;
      expect(result).toBeInstanceOf(InvalidSeeds);
      for (const line of (result as Error).message.split('\n').slice(0, 1)) {
        expect(line).toMatch(/books\.yaml:\d+:\d+ error /);
      }
    }),
    { numRuns: 500 },
  );
});

test('the id of a seed follows from its collection and name, and is a UUID of version 7', () => {
  expect(seedId('books', 'a')).toBe(seedId('books', 'a'));
  const pairs = [
    ['books', 'a'],
    ['books', 'b'],
    ['boks', 'a'],
    ['a', 'books'],
  ] as const;
  const ids = pairs.map(([collection, name]) => seedId(collection, name));
  expect(new Set(ids).size).toBe(ids.length);
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(seedId('books', name)).toMatch(
        /^00000000-0000-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }),
  );
});
