/** Embedded items: each is read once, and no more of them than fit into a page. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Database } from '../src/platform/database/database.ts';
import { embed } from '../src/platform/database/embed.ts';
import type { Embedding, Include } from '../src/platform/http/include.ts';
import { object } from '../src/platform/http/shapes.ts';
import { NO_ID } from './support/expected.ts';
import { startService } from './support/service.ts';

const service = await startService();

/** The number of rows that each statement returned. */
const counts: number[] = [];
const database: Database = {
  ...service.database,
  async query<Row>(...asked: Parameters<Database['query']>) {
    const rows = await service.database.query<Row>(...asked);
    counts.push(rows.length);
    return rows;
  },
};

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

const LINKED: Embedding = {
  table: {
    name: '"linked"',
    members: { id: '"linked"."id"', text: '"linked"."text"', next_id: '"linked"."next_id"' },
    columns: {},
  },
  read: 'public',
  shape: object({}),
  references: {},
};
const NEXT: Include = { path: 'next', name: 'next', member: 'next_id', target: LINKED, inner: [] };

/** Each refers to the one before it. */
const linked = [1, 2, 3].map((n) => ({
  id: idOf(n),
  text: 'x'.repeat(1_000),
  next_id: n === 1 ? null : idOf(n - 1),
}));
const [first, second, third] = linked;

/** Items that refer to these. */
const referring = (...ids: readonly (string | null | undefined)[]) =>
  ids.map((id, at) => ({ id: idOf(100 + at), next_id: id ?? null }));

/** The items with what is embedded in them. */
async function embedded(items: object[], include: Include, bytes?: number): Promise<unknown[]> {
  const limits = bytes === undefined ? {} : { bytes };
  const made = await embed(database, undefined, items, [include], limits);
  return made.map(({ json }) => JSON.parse(json) as unknown);
}

beforeAll(async () => {
  const text = 'create table "linked" ("id" uuid, "text" text, "next_id" uuid)';
  await service.database.query({ text });
  const insert = { text: 'insert into "linked" values ($1, $2, $3)' };
  for (const row of linked) await service.database.query(insert, Object.values(row));
});
beforeEach(() => {
  counts.length = 0;
});
afterAll(() => service.database.query({ text: 'drop table "linked"' }));

test('an item that several refer to is read once, and one that does not exist is null', async () => {
  const items = referring(third?.id, second?.id, third?.id, NO_ID, null);
  expect(await embedded(items, { ...NEXT, path: 'next.next', inner: [NEXT] })).toEqual([
    { ...items[0], next: { ...third, next: second } },
    { ...items[1], next: { ...second, next: first } },
    { ...items[2], next: { ...third, next: second } },
    { ...items[3], next: null },
    { ...items[4], next: null },
  ]);
  // The second one is read already when the third one refers to it.
  expect(counts).toEqual([2, 1]);
});

test('items end before they exceed the bytes of a page, after one at least', async () => {
  const items = referring(first?.id, second?.id, third?.id);
  const all = items.map((item, at) => ({ ...item, next: linked[at] }));
  const bytes = Buffer.byteLength(JSON.stringify(all.slice(0, 2)));
  expect(await embedded(items, NEXT, bytes)).toEqual(all.slice(0, 2));
  expect(await embedded(items, NEXT, bytes - 1)).toEqual(all.slice(0, 1));
  expect(await embedded(items, NEXT, 1)).toEqual(all.slice(0, 1));
  // Rows that cannot fit are not read.
  expect(counts).toEqual([2, 2, 1]);
});
