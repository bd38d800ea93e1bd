/** What migrations record of the definitions leads to the same schema as the definitions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseFolder, parseSingleFile } from '../../../src/definition/index.ts';
import { nextMigrations } from '../../../src/migration/chain.ts';
import type { MigrationFile } from '../../../src/migration/chain.ts';
import { planMigration } from '../../../src/migration/index.ts';
import {
  authorText,
  isSameRecord,
  recordedIn,
  recordedOf,
  recordText,
  sourcesOf,
} from '../../../src/migration/recorded-definitions.ts';
import { buildModel } from '../../../src/model/build.ts';
import type { ParsedDefinitions } from '../../../src/definition/types.ts';
import { generatedChange } from './changes.ts';

async function parse(text: string): Promise<ParsedDefinitions> {
  const bytes = new TextEncoder().encode(text);
  const result = await parseSingleFile({ path: 'shop.json', bytes }, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result;
}

const version = '1.2.3';

test('two definitions, one after the other, are recorded as the second', async () => {
  await fc.assert(
    fc.asyncProperty(generatedChange, async ([one, other]) => {
      const [before, now] = [await parse(one), await parse(other)];
      const first = {
        name: '0001_initial',
        text: `select 1;\n${recordText({ version, now: recordedOf(before.plain) })}`,
      };
      const change = { version, before: recordedOf(before.plain), now: recordedOf(now.plain) };
      const parts = ['', '_fill'].map((suffix) => ({ suffix, sql: 'select 2;\n' }));
      const record = [recordText(change), authorText(version)] as const;
      const next = nextMigrations([first], { name: 'x', parts }, ...record);
      const recorded = recordedIn([first, ...next]);
      expect(recorded?.conflicts).toEqual([]);
      expect(recorded?.generators).toEqual([version]);
      expect(isSameRecord(recorded!.definitions, recordedOf(now.plain))).toBe(true);
      const read = await parseFolder(sourcesOf(recorded!.definitions), { fallbackName: 'shop' });
      if (!read.ok) throw new Error(JSON.stringify(read.issues));
      expect(planMigration(buildModel(read.service), buildModel(now.service))).toBeUndefined();
      expect(planMigration(buildModel(now.service), buildModel(read.service))).toBeUndefined();
    }),
    { numRuns: 30, endOnFailure: true },
  );
});

test('a change is recorded in a line for each setting, without titles and descriptions', async () => {
  const define = (fields: string, rest: string): Promise<ParsedDefinitions> =>
    parse(
      `{ "name": "shop", "title": "A", "collections": { "books": { "description": "B", "fields": { ${fields} }, ${rest} } } }`,
    );
  const before = await define(
    '"title": { "type": "string" }, "cost": { "type": "integer" }',
    '"filter": ["cost"]',
  );
  const now = await define(
    '"title": { "type": "string", "description": "What\\n\u202eit is called" }, "state": { "type": "enum", "values": ["\u202e"] }',
    '"filter": ["state"], "sort": ["title"]',
  );
  const text = recordText({
    version,
    before: recordedOf(before.plain),
    now: recordedOf(now.plain),
  });
  expect(text.split('\n')).toEqual([
    '',
    '-- What this migration changes in the definitions: create-service generate reads it.',
    '-- definitions: by create-service 1.2.3',
    '-- definitions: - collections.books.sort[] "created_at"',
    '-- definitions: - collections.books.fields.cost',
    '-- definitions: - collections.books.filter[] "cost"',
    '-- definitions: + collections.books.sort[] "title"',
    '-- definitions: + collections.books.fields.state {"type":"enum","values":["\\u202e"]}',
    '-- definitions: + collections.books.filter[] "state"',
    '',
  ]);
});

/** Two branches off one migration, each with one that does something to the definitions. */
async function branches(
  before: string,
  one: string,
  other: string,
): Promise<ReturnType<typeof recordedIn>> {
  const collections = (text: string): Promise<ParsedDefinitions> =>
    parse(`{ "name": "shop", "collections": { ${text} } }`);
  const start = recordedOf((await collections(before)).plain);
  const first = { name: '0001_initial', text: recordText({ version, now: start }) };
  const next = async (name: string, text: string): Promise<MigrationFile> => {
    const now = recordedOf((await collections(text)).plain);
    const change = recordText({ version: name, before: start, now });
    return nextMigrations([first], { name, parts: [{ suffix: '', sql: '' }] }, change)[0]!;
  };
  return recordedIn([first, await next('one', one), await next('other', other)]);
}
const books = (fields: string, rest = '"filter": []'): string =>
  `"books": { "fields": { "title": { "type": "string" }${fields} }, ${rest} }`;
const tags = '"tags": { "fields": { "word": { "type": "string" } } }';

test('changes of two branches are merged', async () => {
  const both = await branches(
    books(', "cost": { "type": "integer" }'),
    books('', '"filter": ["title"]'),
    `${books(', "cost": { "type": "integer" }', '"filter": ["created_at"]')}, ${tags}`,
  );
  const now = await parse(
    `{ "name": "shop", "collections": { ${books('', '"filter": ["title", "created_at"]')}, ${tags} } }`,
  );
  expect(both?.conflicts).toEqual([]);
  expect(both?.generators).toEqual(['one', 'other']);
  expect(isSameRecord(both!.definitions, recordedOf(now.plain))).toBe(true);
});

const PAGES = ', "pages": { "type": "integer" }';
const LONG = ', "pages": { "type": "bigint" }';
test.each([
  ['add one field, the same', books(''), books(PAGES), books(PAGES), 'fields.pages', true],
  ['add one field, otherwise', books(''), books(PAGES), books(LONG), 'fields.pages', true],
  ['remove one field', books(PAGES), books(''), books(''), 'fields.pages', true],
  [
    'change one field',
    books(PAGES),
    books(LONG),
    books(`${LONG.slice(0, -2)}, "minimum": "1" }`),
    'fields.pages',
    false,
  ],
  ['change and remove one field', books(PAGES), books(''), books(LONG), 'fields.pages', false],
  [
    'remove a collection and add to it',
    `${books('')}, ${tags}`,
    tags,
    `${books(PAGES)}, ${tags}`,
    '',
    true,
  ],
  ['add one collection', tags, `${tags}, ${books('')}`, `${tags}, ${books('')}`, '', true],
])('two branches that %s are in conflict', async (_, before, one, other, key, isCertain) => {
  const both = await branches(before, one, other);
  expect(both?.conflicts).toMatchObject([
    {
      path: `collections.books${key === '' ? '' : `.${key}`}`,
      migrations: ['0002_one', '0002_other'],
      isCertain,
    },
  ]);
});

test('a conflict over one setting has the values of both branches', async () => {
  const both = await branches(
    books(''),
    books('', '"require_if_match": true'),
    books('', '"require_if_match": false'),
  );
  const [clash] = both?.conflicts ?? [];
  expect(clash).toMatchObject({ path: 'collections.books.require_if_match', isCertain: false });
  expect(
    clash?.variants.map((one) => one.get('collections.books')?.get('require_if_match')),
  ).toEqual(['true', 'false']);
});

test('a migration that follows both branches resolves their conflict', async () => {
  const text = '-- definitions: + collections.books.require_if_match ';
  const files = [
    { name: '0001', text: '-- definitions: + collections.books {"fields":{}}' },
    { name: '0002_one', text: `${after('0001')}${text}true` },
    { name: '0002_other', text: `${after('0001')}${text}false` },
  ];
  expect(recordedIn(files)?.conflicts).toHaveLength(1);
  const join = { name: '0003', text: `${after('0002_one')}${after('0002_other')}${text}true` };
  const { conflicts, definitions } = recordedIn([...files, join])!;
  expect(conflicts).toEqual([]);
  expect(definitions.get('collections.books')?.get('require_if_match')).toBe('true');
});
const after = (name: string): string => `-- after: ${name} ${'0'.repeat(64)}\n`;

/** A migration by its name, those that it follows, and what it records. */
const migration = (
  name: string,
  parents: readonly string[],
  ...lines: string[]
): MigrationFile => ({
  name,
  text: [...parents.map(after), ...lines.map((line) => `-- definitions: ${line}\n`)].join(''),
});
const BOOKS = 'collections.books {"fields":{"title":{"type":"string"},"cost":{"type":"integer"}}}';

test('a collection that is changed and then removed, or removed and then added, is no conflict', () => {
  const files = [
    migration('0001_initial', [], `+ ${BOOKS}`),
    migration(
      '0002_pages',
      ['0001_initial'],
      '+ collections.books.fields.pages {"type":"integer"}',
    ),
    migration('0003_drop', ['0002_pages'], '- collections.books'),
  ];
  expect(recordedIn(files)).toMatchObject({ conflicts: [] });
  expect(recordedIn(files)?.definitions.size).toBe(0);
  const again = [
    ...files,
    migration('0004_again', ['0003_drop'], `+ ${BOOKS}`),
    migration('0005_pages', ['0004_again'], '+ collections.books.fields.pages {"type":"bigint"}'),
  ];
  expect(recordedIn(again)).toMatchObject({ conflicts: [] });
  expect(recordedIn(again)?.definitions.get('collections.books')?.get('fields.pages')).toBe(
    '{"type":"bigint"}',
  );
});

test('each check is recorded by itself, without its message', async () => {
  const define = (checks: string): Promise<ParsedDefinitions> =>
    parse(
      `{ "name": "shop", "collections": { "books": { "fields": { "a": { "type": "integer" } }, "checks": { ${checks} } } } }`,
    );
  const recorded = async (checks: string) => recordedOf((await define(checks)).plain);
  const one = '"one": { "rule": "a > 1", "message": "More." }';
  const before = await recorded(one);
  const first = {
    name: '0001_initial',
    text: `select 1;\n${recordText({ version, now: before })}`,
  };
  const branch = async (name: string, checks: string): Promise<MigrationFile> => {
    const text = recordText({ version, before, now: await recorded(checks) });
    const parts = [{ suffix: '', sql: 'select 2;\n' }];
    return { ...nextMigrations([first], { name, parts }, text)[0]!, name: `0002_${name}` };
  };
  const left = await branch('left', `${one}, "two": { "rule": "a != 5" }`);
  expect(left.text).toContain('-- definitions: + collections.books.checks.two {"rule":"a != 5"}\n');
  expect(left.text).not.toContain('checks.one');
  const right = await branch('right', '"three": { "rule": "a < 9" }');
  const merged = recordedIn([first, left, right]);
  expect(merged?.conflicts).toEqual([]);
  const wanted = await recorded('"two": { "rule": "a != 5" }, "three": { "rule": "a < 9" }');
  expect(isSameRecord(merged!.definitions, wanted)).toBe(true);
  const read = await parseFolder(sourcesOf(merged!.definitions), { fallbackName: 'shop' });
  expect(read).toMatchObject({ ok: true });
  const other = await branch('other', `${one}, "two": { "rule": "a != 6" }`);
  expect(recordedIn([first, left, other])?.conflicts).toMatchObject([
    { path: 'collections.books.checks.two', isCertain: true },
  ]);
});
