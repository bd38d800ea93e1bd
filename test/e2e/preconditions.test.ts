/** Many writers of one item, and creations that are sent again: over processes, and through crashes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, expect, test } from 'vitest';

import {
  AUTHORIZATION,
  makeDatabase,
  makeProject,
  runScript,
  runSql,
  start,
} from './support/project.ts';
import type { Running } from './support/project.ts';

/** Milliseconds in which a key is free again, whatever has become of its process; and some more. */
const FREE = 90_000;

/** Each change leaves a row; an entry called "slow" takes its time, one called "stuck" all of it. */
const HOOKS = `
import { setTimeout as sleep } from 'node:timers/promises';

import type { Hooks } from '../../platform/database/hooks.ts';
import { newId } from '../../platform/http/uuid.ts';
import type { Entry, EntryValues } from './schema.ts';

export const entryHooks: Hooks<Entry, EntryValues> = {
  beforeUpdate: async (values, { before, database }) => {
    const text = 'insert into "changes" ("id", "entry_id") values ($1, $2)';
    await database.query({ text }, [newId(), before.id]);
    return values;
  },
  afterCreate: async ({ title }, { database }) => {
    if (title === 'slow') await database.query({ text: 'select pg_sleep(2)' });
    if (title === 'stuck') await sleep(process.env['STUCK'] === 'true' ? 600_000 : 0);
  },
};
`;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

let project = '';

beforeAll(async () => {
  project = await makeProject('ledger', 'test/e2e/definitions/ledger.yaml');
  await writeFile(join(project, 'src/collections/entries/hooks.ts'), HOOKS);
  const { exitCode, output } = await runScript(project, 'build');
  if (exitCode !== 0) throw new Error(output);
});

async function ask(
  { origin }: Running,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object,
): Promise<Answer> {
  const send = (): Promise<Response> =>
    fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        authorization: AUTHORIZATION,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  let answer = await send();
  // On a busy machine so many at once may be told to come again.
  while (answer.status === 503) {
    await sleep(Number(answer.headers.get('retry-after')) * 1000);
    answer = await send();
  }
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}

/** Sends a creation with a key. */
const create = (service: Running, path: string, key: string, title: string): Promise<Answer> =>
  ask(service, 'POST', path, { 'idempotency-key': key }, { title, marks: {} });

/** Sends it until it is created; meanwhile it may be under way, or its process may be no more. */
async function createInTheEnd(
  service: Running,
  path: string,
  key: string,
  title: string,
): Promise<Answer> {
  const end = Date.now() + FREE;
  for (;;) {
    const answer = await create(service, path, key, title);
    if (answer.status === 201) return answer;
    expect(answer.status).toBe(409);
    if (Date.now() > end) throw new Error(`the key ${key} stays under way`);
    await sleep(100);
  }
}

const fifty = <Result>(work: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: 50 }, (_, n) => work(n)));

const having = (answers: readonly Answer[], status: number): Answer[] =>
  answers.filter((answer) => answer.status === status);

/** How many answers have each status. */
function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test('of fifty changes of one state at once, one counts', async () => {
  const DATABASE_URL = await makeDatabase('changes');
  const services = [await start(project, { DATABASE_URL }), await start(project, { DATABASE_URL })];
  const [one] = services as [Running];
  for (const path of ['/notes', '/entries']) {
    const made = await create(one, path, 'once', 'many write it');
    const item = `${path}/${made.body['id'] as string}`;
    let tag = made.headers.get('etag') ?? '';
    for (let round = 0; round < 10; round++) {
      const answers = await fifty((n) =>
        ask(
          services[n % 2] as Running,
          'PATCH',
          item,
          { 'if-match': tag },
          {
            title: `round ${round}, writer ${n}`,
          },
        ),
      );
      const [winner] = having(answers, 200);
      expect(tally(answers)).toEqual({ 200: 1, 412: 49 });
      const read = await ask(one, 'GET', item);
      expect(read.body).toEqual(winner?.body);
      tag = read.headers.get('etag') ?? '';
      expect(tag).toBe(winner?.headers.get('etag'));
    }
    // Of changes and a removal too.
    for (let round = 0; round < 10; round++) {
      const other = await create(one, path, `round-${round}`, 'changed or removed');
      const target = `${path}/${other.body['id'] as string}`;
      const state = { 'if-match': other.headers.get('etag') ?? '' };
      const answers = await fifty((n) =>
        n % 3 === 0
          ? ask(services[n % 2] as Running, 'DELETE', target, state)
          : ask(services[n % 2] as Running, 'PATCH', target, state, { title: `writer ${n}` }),
      );
      const { 410: gone = 0, 412: outdated = 0, ...done } = tally(answers);
      expect(gone + outdated).toBe(49);
      const { status } = await ask(one, 'GET', target);
      expect(done).toEqual(status === 410 ? { 204: 1 } : { 200: 1 });
    }
  }
  for (const service of services) expect(await service.stop()).toBe(0);
});

test('no change is lost without If-Match, and none of its hooks counts twice', async () => {
  const DATABASE_URL = await makeDatabase('updates');
  const services = [await start(project, { DATABASE_URL }), await start(project, { DATABASE_URL })];
  const [one] = services as [Running];
  for (const path of ['/notes', '/entries']) {
    const made = await create(one, path, 'once', 'many write it');
    const item = `${path}/${made.body['id'] as string}`;
    const answers = await fifty((n) =>
      ask(services[n % 2] as Running, 'PATCH', item, {}, { marks: { [`of ${n}`]: n } }),
    );
    expect(tally(answers)).toEqual({ 200: 50 });
    const { body } = await ask(one, 'GET', item);
    const marks = Array.from({ length: 50 }, (_, n) => [`of ${n}`, n]);
    expect(body['marks']).toEqual(Object.fromEntries(marks));
  }
  expect(await runSql(DATABASE_URL, 'select 1 from "changes"')).toHaveLength(50);
  for (const service of services) expect(await service.stop()).toBe(0);
});

test('a creation whose key is under way is refused at once, and not after the other one', async () => {
  const service = await start(project, { DATABASE_URL: await makeDatabase('under_way') });
  const statuses: number[] = [];
  const send = async (): Promise<unknown> =>
    statuses.push((await create(service, '/entries', 'busy', 'slow')).status);
  await Promise.all([send(), send()]);
  expect(statuses).toEqual([409, 201]);
  expect(await service.stop()).toBe(0);
});

test('of fifty creations with one key at once, one counts, for good', async () => {
  const DATABASE_URL = await makeDatabase('creations');
  const services = [await start(project, { DATABASE_URL }), await start(project, { DATABASE_URL })];
  for (const path of ['/notes', '/entries']) {
    const answers = await fifty((n) => create(services[n % 2] as Running, path, 'once', 'one'));
    const { 201: _made, 409: _underWay, ...others } = tally(answers);
    expect(others).toEqual({});
    const made = having(answers, 201);
    const first = made.find(({ headers }) => !headers.has('idempotency-replayed'));
    for (const { body, headers } of made) {
      expect(body).toEqual(first?.body);
      expect(headers.get('etag')).toBe(first?.headers.get('etag'));
    }
    const list = await runSql(DATABASE_URL, `select "id" from "${path.slice(1)}"`);
    expect(list).toEqual([{ id: first?.body['id'] }]);
  }
  for (const service of services) expect(await service.stop()).toBe(0);

  const restarted = await start(project, { DATABASE_URL });
  const replayed = await create(restarted, '/notes', 'once', 'one');
  expect(replayed.status).toBe(201);
  expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  expect(await runSql(DATABASE_URL, 'select "id" from "notes"')).toEqual([
    { id: replayed.body['id'] },
  ]);
  expect(await create(restarted, '/notes', 'once', 'another')).toMatchObject({ status: 422 });
  expect(await restarted.stop()).toBe(0);
});

test('a crash leaves an item with its answer, or neither of them', async () => {
  const DATABASE_URL = await makeDatabase('crashes');
  // One process hangs for good in the middle of a creation: its machine is gone without a word.
  const hanging = await start(project, { DATABASE_URL, STUCK: 'true' });
  const hung = create(hanging, '/entries', 'stuck', 'stuck').catch(() => undefined);
  const inTheMiddle = async (state: string, query: string): Promise<void> => {
    const text = `select 1 from pg_stat_activity where datname = current_database()
      and state = '${state}' and query like '${query}'`;
    while ((await runSql(DATABASE_URL, text)).length === 0) await sleep(20);
  };
  await inTheMiddle('idle in transaction', 'insert into "entries"%');
  hanging.signal('SIGSTOP');

  const keys: string[] = [];
  for (let round = 0; round < 8; round++) {
    const crashing = await start(project, { DATABASE_URL });
    const own = Array.from({ length: 5 }, (_, n) => `round ${round} key ${n}`.replaceAll(' ', '-'));
    keys.push(...own);
    const sent = own.map((key) => create(crashing, '/notes', key, key).catch(() => undefined));
    const slow = create(crashing, '/entries', `slow-${round}`, 'slow').catch(() => undefined);
    // Earlier or later: before, in the middle of, or after what is sent.
    await sleep(round * 5);
    if (round % 2 === 0) await inTheMiddle('active', '%pg_sleep%');
    await crashing.stop('SIGKILL');
    await Promise.all([...sent, slow]);
  }

  const service = await start(project, { DATABASE_URL });
  for (const key of keys) await createInTheEnd(service, '/notes', key, key);
  for (let round = 0; round < 8; round++) {
    await createInTheEnd(service, '/entries', `slow-${round}`, 'slow');
  }
  const stuck = await createInTheEnd(service, '/entries', 'stuck', 'stuck');
  expect(stuck.headers.get('idempotency-replayed')).toBeNull();
  const notes = await runSql(DATABASE_URL, 'select "title" from "notes"');
  expect(notes.map(({ title }) => title as string).toSorted()).toEqual(keys.toSorted());
  expect(await runSql(DATABASE_URL, 'select 1 from "entries"')).toHaveLength(9);
  await hanging.stop('SIGKILL');
  await hung;
  expect(await service.stop()).toBe(0);
});
