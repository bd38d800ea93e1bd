/** Columns that were renamed in the database: their members keep their names, unless the evidence is ambiguous. */
import { describe, expect, test } from 'vitest';

import type { ImportLock } from '../../../src/reimport/types.ts';
import { renamedColumns } from '../../../src/reimport/renamed-columns.ts';
import { FILMS, told, useDatabase } from './support.ts';

type Columns = Readonly<Record<string, string>>;

/** The last import of a table. */
const lockOf = (columns: Columns, table = 'film', definition: object = { table }): ImportLock => ({
  options: { schemas: ['public'], skip: [], adopt: true },
  leftOut: [],
  leftOutColumns: [],
  imported: [
    {
      name: 'films',
      table,
      definition: definition as ImportLock['imported'][number]['definition'],
      columns: new Map(Object.entries(columns)),
    },
  ],
});

/** A table as the catalog has it now. */
const tableOf = (columns: Columns, schema = 'public') => ({
  schema,
  name: 'film',
  columns: Object.entries(columns).map(([name, identity]) => {
    const [number, ...type] = identity.split(' ');
    return { name, number: Number(number), definition: type.join(' ') };
  }),
});

const LAST = { id: '1 integer', title: '2 character varying(40)', name: '4 text' };

describe('a column is renamed', () => {
  test('if its number and type are those of a column that is gone', () => {
    const now = { id: '1 integer', heading: '2 character varying(40)', name: '4 text' };
    expect(renamedColumns(lockOf(LAST), [tableOf(now)])).toEqual([
      { table: 'film', from: 'title', to: 'heading' },
    ]);
  });

  test('in the table of its own schema only', () => {
    const now = { id: '1 integer', heading: '2 character varying(40)', name: '4 text' };
    const tables = [tableOf(now, 'sales'), tableOf(LAST)];
    expect(renamedColumns(lockOf(LAST), tables)).toEqual([]);
    expect(renamedColumns(lockOf(LAST, 'sales.film'), tables)).toEqual([
      { table: 'sales.film', from: 'title', to: 'heading' },
    ]);
  });

  test.each<[string, Columns]>([
    [
      'dropped, and another one added',
      { id: '1 integer', name: '4 text', heading: '5 character varying(40)' },
    ],
    ['of another type, too', { id: '1 integer', heading: '2 text', name: '4 text' }],
    [
      'and a new one has its old name',
      { id: '1 integer', heading: '2 character varying(40)', name: '4 text', title: '5 text' },
    ],
    // A dump and restore leaves no gap: name had the number 4.
    [
      'in a restored database, in which numbers have moved',
      { id: '1 integer', heading: '2 character varying(40)', name: '3 text' },
    ],
    ['in a table of which no column is left', { key: '1 integer', heading: '2 text' }],
  ])('but not if it is %s', (_what, now) => {
    expect(renamedColumns(lockOf(LAST), [tableOf(now)])).toEqual([]);
  });

  test('but not for tables of the service, or by a lock without numbers', () => {
    const now = [tableOf({ id: '1 integer', heading: '2 character varying(40)', name: '4 text' })];
    expect(renamedColumns(lockOf(LAST, 'film', {}), now)).toEqual([]);
    expect(renamedColumns(lockOf({}), now)).toEqual([]);
    expect(renamedColumns(undefined, now)).toEqual([]);
  });
});

const importFrom = useDatabase();

test('the member of a renamed column keeps its name, its edits and its places in lists', async () => {
  const imported = await importFrom(`
    create table "film" ("id" serial primary key, "title" varchar(40) not null, "year" int, "gone_at" timestamptz);
    create unique index "titles" on "film" ("title")`);
  imported.edit(FILMS, '  title: {', '  title: { description: Ours,');
  imported.edit(FILMS, 'year: {', 'released: { column: year,');
  imported.edit(FILMS, /\n  gone_at: .*/, '');
  imported.edit(FILMS, 'fields:', 'soft_delete: { column: gone_at }\nfields:');
  const sql = `alter table "film" rename "title" to "heading"; alter table "film" rename "year" to "released";
    alter table "film" rename "gone_at" to "removed_at"; alter table "film" alter "heading" type varchar(40)`;
  expect(told(await imported.again(sql))).toEqual([
    '+ title.column heading',
    '- released.column',
    '~ soft_delete.column gone_at → removed_at',
    `${FILMS} the column "title" of film seems renamed to "heading"; the member title keeps its name with column: heading`,
    `${FILMS} the column "year" of film seems renamed to "released"; the member released keeps its name`,
    `${FILMS} the column "gone_at" of film seems renamed to "removed_at"; soft_delete names it`,
  ]);
  const text = imported.files.get(FILMS);
  expect(text).toContain(
    '  title: { description: Ours, type: string, max_length: 40, required: true, column: heading }',
  );
  expect(text).toContain('  released: { type: integer, minimum: ');
  expect(text).toContain('sort: [title]');
  expect(told(await imported.again(''))).toEqual([]);
});
