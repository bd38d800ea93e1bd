/** Events of an emitted service: which changes write them, and that pollers miss none and see none twice. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';

import { AUTHORIZATION, makeDatabase, makeProject, runScript, start } from './support/project.ts';
import type { Running } from './support/project.ts';

const HOOKS = `import type { Hooks } from '../../platform/database/hooks.ts';
import { conflict } from '../../platform/http/errors.ts';
import { updatePart } from '../parts/repository.ts';
import type { Movement, MovementValues } from './schema.ts';

export const movementHooks: Hooks<Movement, MovementValues> = {
  async afterCreate({ part_id: part, quantity }, { database }) {
    await updatePart(database, part, undefined, (stored) => ({ ...stored, stock: stored.stock + quantity }));
    if (quantity === 0) throw conflict('Nothing moves.');
  },
};
`;

const TESTS = `import { setTimeout as sleep } from 'node:timers/promises';

import { beforeEach, expect, test } from 'vitest';

import { createPart, deletePart, updatePart } from '../src/collections/parts/repository.ts';
import type { Part } from '../src/collections/parts/schema.ts';
import { events as sources } from '../src/collections/events.ts';
import { numberEvents } from '../src/platform/events/event-store.ts';
import { startService } from './support/service.ts';

const service = await startService();
const older = service.in(1);
const { database } = service;

interface Event {
  readonly type: string;
  readonly data: Part;
}

const list = async (reader = service, query = ''): Promise<readonly Event[]> =>
  (await reader.get<Event[]>('/events?limit=100' + query)).body;
const types = async (reader = service): Promise<string[]> => (await list(reader)).map(({ type }) => type);
const makePart = (values: object = {}): Promise<Part> => service.create<Part>('/parts', { name: 'bolt', ...values });

/** A promise, and what resolves it. */
function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

beforeEach(() => service.clear());

test('PUT, PATCH, changes that change nothing, and older versions write one each', async () => {
  const { id } = await makePart();
  await service.put(\`/parts/\${id}\`, { name: 'nut' });
  await service.patch(\`/parts/\${id}\`, { stock: 3 });
  await service.patch(\`/parts/\${id}\`, {});
  await older.patch(\`/pieces/\${id}\`, { label: 'screw' });
  await older.delete(\`/pieces/\${id}\`);
  expect(await types()).toEqual(['part.created', ...Array<string>(4).fill('part.updated'), 'part.deleted']);
});

test('members that no client reads are not in data', async () => {
  await makePart({ secret: 'hidden' });
  const [stored] = await database.query<{ data: string }>({ text: 'select "data"::text from "events"' });
  expect(stored?.data).not.toMatch(/hidden|secret/);
});

test('each version has its own types and members', async () => {
  const { id } = await makePart();
  const shown = await older.get(\`/pieces/\${id}\`);
  expect(await list(older)).toMatchObject([{ type: 'piece.created', data: shown.body }]);
  expect(await list(service)).toMatchObject([{ type: 'part.created', data: { name: 'bolt' } }]);
  expect(await older.get('/events?type=part.created')).toBeError(400);
  await service.create('/labels', { text: 'new' });
  expect(await types(older)).toEqual(['piece.created']);
  expect(await types()).toEqual(['part.created', 'label.created']);
  expect(sources[1]?.map(({ item }) => item)).toEqual(['parcel', 'piece']);
});

test('events keep the form of their time, without members that a version does not have', async () => {
  await database.query({
    text: \`insert into "events" ("event_id", "type", "item_id", "data")
      select gen_random_uuid(), 'part.created', gen_random_uuid(), "data"::json
      from unnest(array['{"2":{"name":"a","stock":1}}', '{"1":{"label":"b","stock":2}}', '{"1":null,"2":{"name":"c"},"3":null}', '{"0":{"name":"e"},"1":{"label":"d","gone":1,"secret":"s"}}']) as "data"\`,
  });
  // A plain request: the document describes new events.
  const data = async (reader: typeof service) => {
    const url = \`http://127.0.0.1:\${reader.port}\${reader.api}/events?fields=data\`;
    const headers = { authorization: reader.credential ?? '' };
    const events = (await (await fetch(url, { headers })).json()) as { data: unknown }[];
    return events.map((event) => event.data);
  };
  expect(await data(service)).toEqual([{ name: 'a', stock: 1 }, { stock: 2 }, { name: 'c' }, {}]);
  expect(await data(older)).toEqual([{ stock: 1 }, { label: 'b', stock: 2 }, null, { label: 'd' }]);
});

test('jobs write an event when their item is stored', async () => {
  const { id: part } = await makePart();
  await service.create('/parcels', { part_id: part });
  await service.create(\`/parts/\${part}/parcels\`, {});
  expect(await types()).toEqual(['part.created', 'parcel.created', 'parcel.created']);
});

test('changes that hooks make write events, and none if the change is refused', async () => {
  const { id } = await makePart();
  expect(await service.post(\`/parts/\${id}/movements\`, { quantity: 5 })).toHaveStatus(201);
  expect(await service.post('/movements', { part_id: id, quantity: 0 })).toBeError(409);
  const written = await list();
  expect(written.map(({ type }) => type)).toEqual(['part.created', 'part.updated']);
  expect(written.map(({ data }) => data.stock)).toEqual([0, 5]);
});

test('own code writes events, and none for what is rolled back', async () => {
  const values = { name: 'own', stock: 1, secret: null };
  const { id } = await createPart(database, values);
  await expect(
    database.transaction(async (transaction) => {
      await updatePart(transaction, id, undefined, (stored) => ({ ...stored, stock: 2 }));
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'savepoint "tried"' });
    await deletePart(transaction, id);
    await transaction.query({ text: 'rollback to savepoint "tried"' });
    await transaction
      .savepoint(async (inside) => {
        await deletePart(inside, id);
        throw new Error('no');
      })
      .catch(() => {});
    await updatePart(transaction, id, undefined, (stored) => ({ ...stored, stock: 3 }));
  });
  expect((await list()).map(({ type, data }) => [type, data.stock])).toEqual([
    ['part.created', 1],
    ['part.updated', 3],
  ]);
});

// PGlite has one connection.
const hasConnections = process.env['DATABASE_URL'] !== undefined;

test.runIf(hasConnections)('events are numbered by one transaction at a time', async () => {
  const [late, numbering, created, numbered] = Array.from({ length: 4 }, deferred);
  const first = database.transaction(async (transaction) => {
    await createPart(transaction, { name: 'late', stock: 0, secret: null });
    created?.resolve();
    await late?.promise;
  });
  await created?.promise;
  await makePart({ name: 'soon' });
  const second = database.transaction(async (transaction) => {
    await numberEvents(transaction);
    numbered?.resolve();
    await numbering?.promise;
  });
  await numbered?.promise;
  late?.resolve();
  await first;
  const listed = service.get<Event[]>('/events');
  await sleep(200);
  numbering?.resolve();
  await second;
  expect(await listed).toHaveStatus(200);
  expect((await list()).map(({ data }) => data.name)).toEqual(['soon', 'late']);
});

test.runIf(hasConnections)('a transaction that commits late is not missed', async () => {
  const started = deferred();
  const held = deferred();
  const late = database.transaction(async (transaction) => {
    await createPart(transaction, { name: 'late', stock: 0, secret: null });
    started.resolve();
    await held.promise;
  });
  await started.promise;
  await makePart({ name: 'soon' });
  const first = await service.get<Event[]>('/events');
  expect(first.body.map(({ data }) => data.name)).toEqual(['soon']);
  held.resolve();
  await late;
  const next = /<([^<>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await service.request<Event[]>('GET', next);
  expect(second.body.map(({ data }) => data.name)).toEqual(['late']);
});

test('a cursor from after the newest event is refused: an older backup was restored', async () => {
  await makePart();
  const { headers } = await service.get('/events');
  const next = /<([^<>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
  expect(await service.request('GET', next)).toHaveStatus(200);
  await database.query({ text: 'delete from "events"' });
  expect(await service.request('GET', next)).toBeError(410);
});

test('a change whose event cannot be written is not stored', async () => {
  const { id } = await makePart();
  const { body } = await service.get(\`/parts/\${id}\`);
  await database.query({ text: 'alter table "events" add constraint "full" check (false) not valid' });
  const statuses = [
    await service.post('/parts', { name: 'other' }),
    await service.patch(\`/parts/\${id}\`, { stock: 1 }),
    await service.delete(\`/parts/\${id}\`),
  ].map(({ status }) => status);
  await database.query({ text: 'alter table "events" drop constraint "full"' });
  expect(statuses).toEqual([422, 422, 409]);
  expect((await service.get('/parts')).body).toEqual([body]);
});

test('a deletion that is refused writes none', async () => {
  const { id: part } = await makePart();
  await service.create('/parcels', { part_id: part });
  expect(await service.delete(\`/parts/\${part}\`)).toBeError(409);
  expect(await types()).toEqual(['part.created', 'parcel.created']);
});

test('a page ends at PAGE_BYTES', async () => {
  for (let n = 0; n < 5; n++) await makePart({ name: 'x'.repeat(400) });
  const small = await startService({ PAGE_BYTES: '1000' }, {}, database);
  expect((await small.get<unknown[]>('/events')).body).toHaveLength(1);
  expect((await service.get<unknown[]>('/events')).body).toHaveLength(5);
});
`;

let project = '';

beforeAll(async () => {
  project = await makeProject('events', 'test/e2e/definitions/events.yaml');
  writeFileSync(join(project, 'src/collections/movements/hooks.ts'), HOOKS);
  writeFileSync(join(project, 'test/own-events.test.ts'), TESTS);
  const { exitCode, output } = await runScript(project, 'build');
  if (exitCode !== 0) throw new Error(output);
});

describe.each(['PGlite', 'PostgreSQL'])('on %s', (database) => {
  const isServer = database === 'PostgreSQL';

  test('the tests of the project pass', async () => {
    // Its other tests are those that `everything` has.
    const run = await execa('npx', ['vitest', 'run', 'events', 'webhook'], {
      cwd: project,
      env: isServer ? { DATABASE_URL: await makeDatabase('events') } : {},
      all: true,
      reject: false,
    });
    expect(run, run.all).toMatchObject({ exitCode: 0 });
  });

  test('a poller sees each change of 8 concurrent writers once, and those of an item in order', async () => {
    const env: Record<string, string> = isServer
      ? { DATABASE_URL: await makeDatabase('events_polled') }
      : { DATA_DIR: join(project, '.data-polled') };
    // Two processes, where the database can have them.
    const services = [await start(project, env), ...(isServer ? [await start(project, env)] : [])];
    const changes: Change[] = [];
    const parts: string[] = [];
    const poller = poll(() => services[0]);
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        write(() => services[n % services.length], changes, 40, parts),
      ),
    );
    const events = await poller.stop();
    expectHistory(events);
    expect(textsOf(events)).toEqual(changes.map(textOf).toSorted());
    expect(changes.length).toBeGreaterThan(200);
  });
});

test('a service that is killed at any moment loses and doubles no change that it has committed', async () => {
  const env = { DATABASE_URL: await makeDatabase('events_killed') };
  let service: Running | undefined = await start(project, env);
  const changes: Change[] = [];
  const poller = poll(() => service);
  const over = new AbortController();
  const parts: string[] = [];
  const writers = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) await write(() => service, changes, 20, parts);
  });
  for (let kills = 0; kills < 5; kills++) {
    await sleep(300 + Math.random() * 700);
    const killed: Running | undefined = service;
    service = undefined;
    await killed?.stop('SIGKILL');
    service = await start(project, env);
  }
  // A slow machine answers few changes between two kills.
  while (changes.length <= 50) await sleep(100);
  over.abort();
  await Promise.all(writers);
  const events = await poller.stop();
  expectHistory(events);
  const seen = textsOf(events);
  expect(new Set(seen).size).toBe(seen.length);
  // Changes that were answered are there. Others may have been committed before the answer.
  expect(changes.map(textOf).filter((text) => !seen.includes(text))).toEqual([]);
  // What is stored is what the last event of each item says.
  const last = new Map(events.map(({ type, data }) => [data.id, { type, data }]));
  for (const [id, { type, data }] of last) {
    const answer = await send(service, 'GET', `/parts/${id}`);
    const isDeleted = type === 'part.deleted';
    expect(answer?.status).toBe(isDeleted ? 410 : 200);
    expect(isDeleted ? data : answer?.body).toEqual(data);
  }
});

interface Part {
  readonly id: string;
  readonly updated_at: string;
  readonly stock: number;
}

/** A change that was answered, with the item after it. */
interface Change {
  readonly type: string;
  readonly data: Part;
}

interface Event extends Change {
  readonly id: string;
}

/** What identifies a change. Another writer may have changed an item since its deleter read it. */
const textOf = ({ type, data }: Change): string =>
  type === 'part.deleted' ? `${data.id} ${type}` : `${data.id} ${type} ${data.updated_at}`;
const textsOf = (all: readonly Change[]): string[] => all.map(textOf).toSorted();

/** Sends a request; undefined if the service does not answer. */
async function send(
  service: Running | undefined,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: unknown; next: string } | undefined> {
  if (service === undefined) {
    await sleep(50);
    return undefined;
  }
  try {
    const answer = await fetch(
      service.origin + (path.startsWith('/api') ? path : `/api/v2${path}`),
      {
        method,
        headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    );
    const text = await answer.text();
    const next = /<([^<>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), next };
  } catch {
    await sleep(50);
    return undefined;
  }
}

/**
 * Creates, changes and deletes parts; keeps each change that was answered.
 * @param parts what several writers change.
 */
async function write(
  service: () => Running | undefined,
  changes: Change[],
  count: number,
  parts: string[],
): Promise<void> {
  let own: Part | undefined;
  for (let n = 0; n < count; n++) {
    if (own === undefined) {
      const made = await send(service(), 'POST', '/parts', { name: `part ${n}` });
      if (made?.status !== 201) continue;
      own = made.body as Part;
      parts.push(own.id);
      changes.push({ type: 'part.created', data: own });
      continue;
    }
    const id = n % 2 === 0 ? own.id : (parts[Math.floor(Math.random() * parts.length)] ?? own.id);
    if (n % 10 === 9) {
      const deleted = await send(service(), 'DELETE', `/parts/${own.id}`);
      parts.splice(parts.indexOf(own.id), 1);
      if (deleted?.status === 204) changes.push({ type: 'part.deleted', data: own });
      own = undefined;
      continue;
    }
    const changed = await send(service(), 'PATCH', `/parts/${id}`, { stock: n });
    if (changed?.status !== 200) continue;
    const data = changed.body as Part;
    changes.push({ type: 'part.updated', data });
    if (id === own.id) own = data;
  }
}

/** Follows the events from the first one on, until it is stopped and has read all. */
function poll(service: () => Running | undefined): { stop: () => Promise<Event[]> } {
  const events: Event[] = [];
  let isStopping = false;
  const follow = async (): Promise<Event[]> => {
    for (let link = '/events?limit=7'; ;) {
      const isLast = isStopping;
      const page = await send(service(), 'GET', link);
      if (page?.status !== 200) continue;
      const found = page.body as Event[];
      events.push(...found);
      link = page.next;
      if (found.length === 0 && isLast) return events;
      if (found.length === 0) await sleep(10);
    }
  };
  const ended = follow();
  return {
    stop: () => {
      isStopping = true;
      return ended;
    },
  };
}

/** The revision of the item of an event, as text that is compared like the time. */
const timeOf = ({ data }: Event): string => data.updated_at.replace('Z', '').padEnd(26, '0');

/** Each event is there once, and the items of each part follow each other: created, updated, deleted. */
function expectHistory(events: readonly Event[]): void {
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  const last = new Map<string, Event>();
  const wrong = events.filter((event) => {
    const before = last.get(event.data.id);
    last.set(event.data.id, event);
    return !mayFollow(event, before);
  });
  expect(wrong).toEqual([]);
}

/** Whether an event may come after another one of its item, or first. */
function mayFollow(event: Event, before: Event | undefined): boolean {
  if (before === undefined) return event.type === 'part.created';
  if (before.type === 'part.deleted') return false;
  return event.type === 'part.deleted'
    ? isDeepStrictEqual(event.data, before.data)
    : event.type === 'part.updated' && timeOf(before) < timeOf(event);
}
