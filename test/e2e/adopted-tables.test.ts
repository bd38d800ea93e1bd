/** `import --adopt` of tables whose ids clients choose, and of tables in which programs mark removed rows. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { adopt, sendTo } from './support/adopted.ts';
import type { Response } from './support/adopted.ts';
import { makeDatabase, runScript, runSql, start } from './support/project.ts';
import type { Running } from './support/project.ts';

const LONG = 'x'.repeat(256);

/** A country has a text with a collation as its primary key, and a city a unique index and no primary key. */
const SCHEMA = `
  create table country (code varchar(300) collate "de-x-icu" constraint country_code primary key, name text not null);
  create table city (
    slug text not null unique, country text references country on delete cascade, size int, note text
  );
  create index on city (country);
  create index on city (size);
  create type mood as enum ('sad', 'so so');
  create table reading (number bigint primary key, value int, tags varchar(9)[] not null default '{new}', moods mood[],
    sizes smallint[], seen date[]);
  create table member (id uuid primary key, name text not null, email text, deleted_at timestamptz);
  create unique index member_email on member (email) where deleted_at is null;
  create table pass (number int primary key, member uuid not null references member);
  insert into country values ('de', 'Germany'), ('DE', 'another'), ('é', 'accented'), ('a/b', 'slash'),
    ('a b?c#d%41', 'reserved'), ('', 'empty'), ('.', 'dot'), ('..', 'dots'), ('${LONG}', 'long'), ('日本', 'Japan');
  insert into city select 'city-' || n, (array['de', 'DE', 'a/b', null])[1 + n % 4], n % 5
    from generate_series(1, 250) n;
  insert into reading select n * 1000000000000, n, array['a,"b', ''], '{so so,sad}', '{1,null}', '{2024-02-29}'
    from generate_series(-3, 3) n;
  insert into member values ('00000000-0000-0000-0000-000000000001', 'Ada', null, null),
    ('00000000-0000-0000-0000-000000000002', 'Bob', 'b@example.com', '2020-01-01');
  insert into pass values (7, '00000000-0000-0000-0000-000000000001');`;

let url = '';
let project = '';
let service: Running;
let kill = (): void => undefined;

beforeAll(async () => {
  url = await makeDatabase('adopted_tables');
  await runSql(url, SCHEMA);
});

afterAll(() => kill());

test('definitions of the tables are written, and a service of them starts on the database', async () => {
  const adopted = await adopt(url, 'adopted-tables', 'seeds: true\n');
  expect(adopted.printed).toMatch(/^5 of 5 tables are used, with 18 of 18 columns\./);
  ({ project } = adopted);
  const built = await runScript(project, 'build');
  expect(built.exitCode, built.output).toBe(0);
  service = await start(
    project,
    { DATABASE_URL: url },
    undefined,
    undefined,
    (end) => (kill = end),
  );
});

/** Sends a request to the service as the administrator. */
const send = (method: string, target: string, body?: object): Promise<Response> =>
  sendTo(service, method, target, body && { body });

const at = (collection: string, id: string): string => `${collection}/${encodeURIComponent(id)}`;

test('items are created with the id of the body, and found by its percent-encoded form', async () => {
  for (const id of ['fr', 'FR', 'x/y', '%', '%2F', '…', "it's", '~', ' ', 'a\nb', '\u{1f600}']) {
    const created = await send('POST', 'countries', { id, name: 'new' });
    expect(created.status, id).toBe(201);
    expect(created.headers.get('location')).toBe(`/api/v1/${at('countries', id)}`);
    const read = await send('GET', at('countries', id));
    expect(read.body).toEqual({ id, name: 'new' });
    expect(await runSql(url, `select name from country where code = $$${id}$$`)).toEqual([
      { name: 'new' },
    ]);
  }
});

test('an id that an item has is taken, also one that a row of another program has', async () => {
  const taken = await send('POST', 'countries', { id: 'de', name: 'again' });
  expect(taken.status).toBe(409);
  expect(taken.body['message']).toBe('Another country already has this id.');
  await runSql(url, `insert into country values ('by-sql', 'other')`);
  expect((await send('POST', 'countries', { id: 'by-sql', name: 'x' })).status).toBe(409);
});

test('the id of a removed item is not used again, unless another program inserts it', async () => {
  await send('POST', 'countries', { id: 'old', name: 'old' });
  expect((await send('DELETE', 'countries/old')).status).toBe(204);
  expect((await send('GET', 'countries/old')).status).toBe(410);
  const again = await send('POST', 'countries', { id: 'old', name: 'new' });
  expect(again.status).toBe(409);
  expect(again.body['message']).toBe('The id of a country that was removed is not used again.');
  expect(await runSql(url, `select from country where code = 'old'`)).toEqual([]);
  // Texts in upper case are other ids.
  expect((await send('POST', 'countries', { id: 'OLD', name: 'new' })).status).toBe(201);
  await runSql(url, `insert into country values ('old', 'by SQL')`);
  expect((await send('GET', 'countries/old')).body).toEqual({ id: 'old', name: 'by SQL' });
});

test.each([
  [{ name: 'x' }, 'id is required.'],
  [{ id: '', name: 'x' }, 'id must have at least 1 character.'],
  [{ id: '..', name: 'x' }, 'id must not be "." or "..", which paths cannot have.'],
  [{ id: LONG, name: 'x' }, 'id must have at most 255 characters.'],
  [{ id: 'a\0b', name: 'x' }, 'id must not contain a NUL character or a lone surrogate.'],
  [{ id: 5, name: 'x' }, 'id must be a string.'],
  [{ id: null, name: 'x' }, 'id must not be null.'],
])('refuses the body %j (422)', async (body, message) => {
  const { status, body: error } = await send('POST', 'countries', body);
  expect({ status, message: error['message'] }).toEqual({ status: 422, message });
});

test('an id never changes', async () => {
  await send('POST', 'countries', { id: 'stays', name: 'one' });
  for (const method of ['PUT', 'PATCH']) {
    const refused = await send(method, 'countries/stays', { id: 'other', name: 'two' });
    expect(refused.body['message']).toBe('id may not change once it is set.');
    expect(refused.status).toBe(422);
    const same = await send(method, 'countries/stays', { id: 'stays', name: method });
    expect(same.body).toEqual({ id: 'stays', name: method });
  }
  expect((await send('PUT', 'countries/stays', { name: 'three' })).body).toEqual({
    id: 'stays',
    name: 'three',
  });
});

test('an id in a path is found exactly as it is, or not at all', async () => {
  for (const id of ['De', 'de ', LONG, 'nobody', '\0']) {
    expect((await send('GET', at('countries', id))).status).toBe(404);
  }
  expect((await send('GET', 'countries/%FF')).status).toBe(404);
  expect((await send('GET', 'countries/de')).body).toMatchObject({ name: 'Germany' });
  expect((await send('GET', 'countries/DE')).body).toMatchObject({ name: 'another' });
});

test('references have texts as ids, in bodies, filters and nested paths', async () => {
  const nested = await send('GET', `cities?country_id=${encodeURIComponent('a/b')}&count=true`);
  expect(nested.headers.get('total-count')).toBe('63');
  expect((await send('GET', 'cities?country_id=')).status).toBe(400);
  const created = await send('POST', 'cities', { id: 'Ulm', country_id: 'de' });
  expect(created.body).toEqual({ id: 'Ulm', country_id: 'de', size: null, note: null });
  const missing = await send('POST', 'cities', { id: 'Nowhere', country_id: 'xx' });
  expect(missing.body['message']).toBe('country_id refers to an item that does not exist.');
});

test.each(['', '&sort=size', '&sort=-size'])('pages have each row once (%s)', async (query) => {
  const ids: unknown[] = [];
  let next: string | undefined = `cities?limit=7${query}`;
  while (next !== undefined) {
    const { headers, body } = await send('GET', next);
    ids.push(...(body as unknown as { id: string }[]).map(({ id }) => id));
    const link: string | undefined = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    next = link;
  }
  const stored = await runSql(url, 'select slug from city');
  expect(ids).toHaveLength(stored.length);
  expect(new Set(ids)).toEqual(new Set(stored.map((row) => row['slug'])));
});

test('ids that are numbers or UUIDs can be chosen too', async () => {
  const number = '9223372036854775807';
  const created = await send('POST', 'readings', { id: number, value: 1 });
  const lists = { tags: ['new'], moods: null, sizes: null, seen: null };
  expect(created.body).toEqual({ id: number, value: 1, ...lists });
  expect((await send('POST', 'readings', { id: number })).status).toBe(409);
  expect((await send('POST', 'readings', { id: '05' })).status).toBe(422);
  expect((await send('DELETE', `readings/${number}`)).status).toBe(204);
  expect((await send('POST', 'readings', { id: number })).status).toBe(409);
  expect((await send('GET', 'readings/-3000000000000')).body).toMatchObject({ value: -3 });
  const pass = await send('POST', 'passes', {
    id: '2147483647',
    member_id: '00000000-0000-0000-0000-000000000001',
  });
  expect(pass.status).toBe(201);
  expect((await send('POST', 'passes', { id: '2147483648' })).status).toBe(422);
});

test('arrays are lists, and stay as they are where another member changes', async () => {
  const target = 'readings/1000000000000';
  const stored = async () => runSql(url, `select * from reading where number = 1000000000000`);
  const lists = {
    tags: ['a,"b', ''],
    moods: ['so so', 'sad'],
    sizes: [1, null],
    seen: ['2024-02-29'],
  };
  expect((await send('GET', target)).body).toEqual({ id: '1000000000000', value: 1, ...lists });
  const [before] = await stored();
  expect((await send('PATCH', target, { value: 5 })).status).toBe(200);
  expect(await stored()).toEqual([{ ...before, value: 5 }]);

  const written = {
    tags: ['{}', 'NULL', String.raw`\\`],
    moods: [],
    sizes: [-7, 7],
    seen: null,
  };
  const changed = await send('PATCH', target, written);
  expect(changed.body).toEqual({ id: '1000000000000', value: 5, ...written });
  const text =
    'select tags::text, moods::text, sizes::text, seen::text from reading where value = 5';
  expect(await runSql(url, text)).toEqual([
    { tags: String.raw`{"{}","NULL","\\\\"}`, moods: '{}', sizes: '{-7,7}', seen: null },
  ]);

  expect((await send('POST', 'readings', { id: '99', value: 1 })).body['tags']).toEqual(['new']);
  for (const wrong of [
    { tags: ['too long for it'] },
    { tags: null },
    { moods: ['glad'] },
    { sizes: [40_000] },
    { sizes: [null] },
    { seen: '2024-02-29' },
  ]) {
    expect((await send('PATCH', target, wrong)).status, JSON.stringify(wrong)).toBe(422);
  }
});

test('two creations at once make one item', async () => {
  const sent = Array.from({ length: 20 }, async () =>
    send('POST', 'countries', { id: 'race', name: 'x' }),
  );
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  statuses.sort((one, other) => one - other);
  expect(statuses).toEqual([201, ...Array<number>(19).fill(409)]);
});

describe('in a table with soft_delete', () => {
  const create = async (name: string, email?: string): Promise<string> => {
    const { status, body } = await send('POST', 'members', { name, email: email ?? null });
    expect(status).toBe(201);
    return String(body['id']);
  };

  test('rows that other programs marked are removed items', async () => {
    const bob = 'members/00000000-0000-0000-0000-000000000002';
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
      const { status } = await send(
        method,
        bob,
        method === 'GET' || method === 'HEAD' ? undefined : { name: 'x' },
      );
      expect(status, method).toBe(410);
    }
    expect((await send('GET', 'members?count=true')).headers.get('total-count')).toBe('1');
    const pass = await send('POST', 'passes', { id: '8', member_id: bob.slice(8) });
    expect(pass.body['message']).toBe('member_id refers to an item that does not exist.');
    const [row] = await runSql(url, `select name from member where email = 'b@example.com'`);
    expect(row).toEqual({ name: 'Bob' });
  });

  test('DELETE marks the row, whose unique values are free again', async () => {
    const id = await create('Cy', 'c@example.com');
    expect(
      (await send('POST', 'members', { name: 'x', email: 'c@example.com' })).body['message'],
    ).toBe('Another member already has this email.');
    expect((await send('DELETE', `members/${id}`)).status).toBe(204);
    expect((await send('GET', `members/${id}`)).status).toBe(410);
    const [row] = await runSql(
      url,
      `select name, now() - deleted_at < interval '1 minute' as recent from member where id = '${id}'`,
    );
    expect(row).toEqual({ name: 'Cy', recent: true });
    await create('Cy again', 'c@example.com');
    // Another program brings the first one back under another address.
    await runSql(url, `update member set deleted_at = null, email = null where id = '${id}'`);
    expect((await send('GET', `members/${id}`)).body).toMatchObject({ name: 'Cy' });
  });

  test('a seed whose row another program marked is not created again', async () => {
    mkdirSync(path.join(project, 'seeds'), { recursive: true });
    writeFileSync(path.join(project, 'seeds/members.yaml'), 'eve: { name: Eve }\n');
    const seed = (): ReturnType<typeof runScript> =>
      runScript(project, 'seed', { DATABASE_URL: url });
    expect((await seed()).output).toContain('members: 1 created');
    await runSql(url, `update member set deleted_at = now() where name = 'Eve'`);
    const { exitCode, output } = await seed();
    expect(exitCode, output).toBe(0);
    expect(output).toContain('members: 0 created, 0 already there, 1 removed before and left out');
    await runSql(url, `delete from member where name = 'Eve'`);
  });

  test('an item that others refer to is not removed (409)', async () => {
    const id = await create('Dee');
    await send('POST', 'passes', { id: '9', member_id: id });
    const refused = await send('DELETE', `members/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.body['message']).toBe('Others still refer to this member: remove them first.');
    expect((await send('GET', `members/${id}`)).status).toBe(200);
    expect((await send('DELETE', 'passes/9')).status).toBe(204);
    expect((await send('DELETE', `members/${id}`)).status).toBe(204);
  });

  test('a change leaves a reference alone to an item that was removed since', async () => {
    const id = await create('Eve');
    await send('POST', 'passes', { id: '10', member_id: id });
    await runSql(url, `update member set deleted_at = now() where id = '${id}'`);
    const patched = await send('PATCH', 'passes/10', { member_id: id });
    expect(patched.status).toBe(200);
    expect((await send('PUT', 'passes/10', { member_id: id })).status).toBe(200);
    const ada = '00000000-0000-0000-0000-000000000001';
    expect((await send('PATCH', 'passes/10', { member_id: ada })).status).toBe(200);
    expect((await send('PATCH', 'passes/10', { member_id: id })).status).toBe(422);
  });

  test('references to one item at once are made, also if a trigger changes the item', async () => {
    await runSql(
      url,
      `create function count_passes() returns trigger language plpgsql as $$ begin
        update public.member set name = name || '+' where id = new.member; return null; end $$;
      create trigger count_passes after insert on pass for each row execute function count_passes()`,
    );
    const id = await create('Gil');
    const numbers = Array.from({ length: 8 }, (_, index) => String(200 + index));
    const made = await Promise.all(
      numbers.map((number) => send('POST', 'passes', { id: number, member_id: id })),
    );
    await runSql(url, 'drop function count_passes cascade');
    expect(made.map(({ status }) => status)).toEqual(numbers.map(() => 201));
    const { body } = await send('GET', `members/${id}`);
    expect(body['name']).toBe(`Gil${'+'.repeat(8)}`);
  });

  test('a removal and a reference at once: one of them is refused', async () => {
    for (let round = 0; round < 30; round++) {
      const id = await create('Fay');
      const number = String(100 + round);
      const [removal, reference] = await Promise.all([
        send('DELETE', `members/${id}`),
        send('POST', 'passes', { id: number, member_id: id }),
      ]);
      expect([
        [204, 422],
        [409, 201],
      ]).toContainEqual([removal.status, reference.status]);
    }
  });
});

test('verify compares each row, and tells which ids no path can have', async () => {
  await runSql(
    url,
    `delete from country where code not in (
    'de', 'DE', 'é', 'a/b', 'a b?c#d%41', '', '.', '..', '${LONG}', '日本')`,
  );
  const { exitCode, stdout } = await execa(inject('command'), ['verify', url], {
    cwd: project,
    reject: false,
  });
  expect(stdout).not.toContain('one by one');
  const lines = stdout.split('\n').map((line) => line.trim());
  expect(lines.filter((line) => line.startsWith('countries/'))).toEqual([
    'countries/: no path can have this id',
    'countries/.: no path can have this id',
    'countries/..: no path can have this id',
    `countries/${LONG}: no path can have this id`,
  ]);
  expect(exitCode).toBe(1);
});

test('verify finds no difference where each id can be in a path', async () => {
  await runSql(url, `delete from country where code in ('', '.', '..', '${LONG}')`);
  const { exitCode, stdout, stderr } = await execa(inject('command'), ['verify', url], {
    cwd: project,
    reject: false,
  });
  expect(stdout, stderr).toMatch(/ rows compared, 0 different, 0 not shown\.$/);
  expect(exitCode).toBe(0);
});

test('check finds that the key is not as the definition says', async () => {
  await runSql(url, 'alter table reading rename number to n');
  const { stdout, exitCode } = await execa(inject('command'), ['check', '--database', url], {
    cwd: project,
    reject: false,
  });
  expect(stdout).toContain('reading has no column "number"');
  expect(exitCode).toBe(1);
});
