/** `import --adopt`: a service over the tables of Pagila, which other programs go on using. */
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';

import { adopt, sendTo } from './support/adopted.ts';
import { makeDatabase, ROOT, runCommand, runScript, runSql, start } from './support/project.ts';
import type { Running } from './support/project.ts';

const PAGILA = path.join(ROOT, 'test/e2e/import/pagila.sql');
const ROWS = path.join(ROOT, 'test/e2e/import/pagila-rows.sql.gz');

/** A definition, as far as the test reads it. */
interface Definition {
  readonly table: string;
  readonly key: { readonly column: string } | { readonly fields: readonly string[] };
  readonly history: Readonly<Record<string, string>>;
  readonly fields: Readonly<
    Record<string, { readonly type: string; readonly column?: string; readonly write_only?: true }>
  >;
}

let url = '';
let definitions = '';
let project = '';
let service: Running;
let kill = (): void => undefined;

/** All that the catalog has of the tables of the team, with what may be done to them. */
const stateOf = async (): Promise<unknown> =>
  runSql(
    url,
    `select (
        select json_agg(t order by t.oid) from (
          select c.oid, c.relname, c.relkind, c.relacl, c.relhastriggers, c.relchecks from pg_class c
          where c.relnamespace = 'public'::regnamespace
        ) t
      ) as "relations", (
        select json_agg(a order by a.attrelid, a.attnum) from (
          select attrelid, attnum, attname, atttypid, attnotnull, atthasdef from pg_attribute
          join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace and attnum > 0
        ) a
      ) as "columns", (
        select json_agg(k order by k.oid) from (
          select oid, conname, pg_get_constraintdef(oid) as "sql" from pg_constraint
          where connamespace = 'public'::regnamespace
        ) k
      ) as "constraints", (
        select json_agg(t order by t.oid) from (
          select pg_trigger.oid, tgname, tgenabled from pg_trigger join pg_class on pg_class.oid = tgrelid
          where relnamespace = 'public'::regnamespace
        ) t
      ) as "triggers"`,
  );

let before: unknown;

beforeAll(async () => {
  url = await makeDatabase('pagila_in_place');
  await runSql(url, readFileSync(PAGILA, 'utf8'));
  await runSql(url, gunzipSync(readFileSync(ROWS)).toString());
  // Rows of the two tables whose keys have two columns.
  await runSql(
    url,
    `insert into film_actor (actor_id, film_id)
       select actor_id, film_id from actor, film where (actor_id + film_id) % 40 = 0;
     insert into film_category (film_id, category_id)
       select film_id, category_id from film, category where (film_id + category_id) % 5 = 0`,
  );
  before = await stateOf();
});

afterAll(() => kill());

test('definitions of the tables are written, and a service of them starts on the database', async () => {
  const adopted = await adopt(url, 'pagila-in-place');
  expect(adopted.printed).toMatch(/^14 of 15 tables are used, with 80 of 87 columns\./);
  ({ definitions, project } = adopted);
  // The team's own schema, in place of what the definitions know of it.
  copyFileSync(PAGILA, path.join(project, 'existing-tables.sql'));
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
const send = (
  method: string,
  target: string,
  options?: Parameters<typeof sendTo>[3],
): ReturnType<typeof sendTo> => sendTo(service, method, target, options);

test('the service of the definitions passes its tests on the schema of the team', async () => {
  const types = await runScript(project, 'types');
  expect(types.exitCode, types.output).toBe(0);
  // The endpoints of each kind of table are tested in emitted/existing-tables.test.ts.
  const files = ['collections/films', 'collections/film-actors', 'repositories/', 'preconditions'];
  const words = ['run', '--silent', 'test', '--', ...files];
  const { exitCode, output } = await runCommand(project, words, { env: {}, input: '' });
  expect(exitCode, output).toBe(0);
});

test('each row over HTTP is the row in the database', async () => {
  let rows = 0;
  for (const file of readdirSync(path.join(definitions, 'collections'))) {
    const text = readFileSync(path.join(definitions, 'collections', file), 'utf8');
    const stored = await storedRows(parse(text) as Definition);
    const shown = await shownRows(path.basename(file, '.yaml').replaceAll('_', '-'));
    expect(shown.length, file).toBe(stored.length);
    for (const [at, row] of stored.entries()) expect(shown[at]).toEqual(row);
    rows += stored.length;
  }
  expect(rows).toBe(25_758 + 5_000 + 3_200);

  async function shownRows(collection: string): Promise<readonly object[]> {
    const all: object[] = [];
    let next: string | undefined = `${collection}?limit=100`;
    while (next !== undefined) {
      const { status, headers, body } = await send('GET', next);
      expect(status).toBe(200);
      all.push(...(body as unknown as object[]));
      next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    return all;
  }

  /** The rows as JSON should have them, by other means than those of the service. */
  async function storedRows({ table, key, history, fields }: Definition): Promise<object[]> {
    const iso = (sql: string): string =>
      `regexp_replace(to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '') || 'Z'`;
    const formOf = (type: string, sql: string): string => {
      if (type === 'timestamp') return iso(sql);
      if (type === 'string') return `rtrim(${sql}::text)`;
      if (type === 'bytes') return `translate(encode(${sql}, 'base64'), E'\\n', '')`;
      return ['reference', 'decimal', 'date'].includes(type) ? `${sql}::text` : sql;
    };
    const columns = 'fields' in key ? key.fields : [key.column];
    const members = [
      ['id', columns.map((column) => `"${column}"::text`).join(` || '~' || `)],
      ...Object.entries(fields)
        .filter(([, field]) => field.write_only !== true)
        .map(([name, { type, column = name }]) => [name, formOf(type, `"${column}"`)]),
      ...Object.entries(history).map(([time, column]) => [time, iso(`"${column}"`)]),
    ].map(([name, sql]) => `${sql} as "${name}"`);
    return runSql(
      url,
      `select ${members.join(', ')} from "${table}" order by ${columns.map((column) => `"${table}"."${column}"`).join(', ')}`,
    );
  }
});

describe('changes', () => {
  test('by the service and by SQL meet in the same rows', async () => {
    const created = await send('POST', 'languages', { body: { name: 'Esperanto' } });
    expect(created.status).toBe(201);
    const id = String(created.body['id']);
    const [stored] = await runSql(url, `select name from language where language_id = ${id}`);
    expect(stored).toEqual({ name: 'Esperanto'.padEnd(20) });

    const tag = String(created.headers.get('etag'));
    await runSql(url, `update language set name = 'Ido' where language_id = ${id}`);
    const late = await send('PATCH', `languages/${id}`, {
      body: { name: 'Volapük' },
      headers: { 'if-match': tag },
    });
    expect(late.status).toBe(412);
    const read = await send('GET', `languages/${id}`);
    expect(read.body).toMatchObject({ id, name: 'Ido' });
    const current = { 'if-match': String(read.headers.get('etag')) };
    const changed = await send('PATCH', `languages/${id}`, {
      body: { name: 'x' },
      headers: current,
    });
    expect(changed.status).toBe(200);

    expect((await send('DELETE', `languages/${id}`)).status).toBe(204);
    expect((await send('GET', `languages/${id}`)).status).toBe(410);
    expect(await runSql(url, `select from language where language_id = ${id}`)).toEqual([]);
  });

  test('by SQL show in the service: a removed row is 404', async () => {
    const [row] = await runSql(
      url,
      `insert into language (name) values ('Latin') returning language_id as "id"`,
    );
    const target = `languages/${String(row?.['id'])}`;
    expect((await send('GET', target)).body).toMatchObject({ name: 'Latin' });
    await runSql(url, `delete from language where name = 'Latin'`);
    expect((await send('GET', target)).status).toBe(404);
  });

  test('that the database refuses are 409 and 422', async () => {
    const used = await send('DELETE', 'languages/1');
    expect(used.status).toBe(409);
    const missing = await send('PATCH', 'films/1', { body: { language_id: '30000' } });
    expect(missing.status).toBe(422);
    expect(missing.body['message']).toBe('language_id refers to an item that does not exist.');
    const [rental] = await runSql(
      url,
      'select to_json(rental_date) as "at", inventory_id::text as "of", customer_id::text as "by" from rental limit 1',
    );
    const staff = { staff_id: '1', customer_id: rental?.['by'], inventory_id: rental?.['of'] };
    const taken = await send('POST', 'rentals', {
      body: { ...staff, rental_date: rental?.['at'] },
    });
    expect(taken.status).toBe(409);
  });

  test('of items whose ids consist of several values', async () => {
    const [pair] = await runSql(
      url,
      `select actor_id::text as "actor_id", film.film_id::text as "film_id" from actor, film
       where (actor_id + film.film_id) % 40 = 1 and film.film_id > 1 limit 1`,
    );
    const id = `${String(pair?.['actor_id'])}~${String(pair?.['film_id'])}`;
    const target = `film-actors/${id}`;
    expect((await send('GET', target)).status).toBe(404);
    const created = await send('POST', 'film-actors', { body: pair ?? {} });
    expect(created).toMatchObject({ status: 201, body: { id, ...pair } });
    expect(created.headers.get('location')).toBe(`/api/v1/${target}`);
    expect((await send('POST', 'film-actors', { body: pair ?? {} })).status).toBe(409);
    const read = await send('GET', target);
    expect(read).toMatchObject({ status: 200, body: created.body });
    const other = await send('PATCH', target, { body: { film_id: '1' } });
    expect(other).toMatchObject({ status: 422 });
    const tag = String(read.headers.get('etag'));
    await runSql(
      url,
      `update film_actor set last_update = now() where (actor_id, film_id) = (${id.replace('~', ', ')})`,
    );
    expect((await send('DELETE', target, { headers: { 'if-match': tag } })).status).toBe(412);
    expect((await send('DELETE', target)).status).toBe(204);
    const gone = await send('GET', target);
    expect(gone).toMatchObject({
      status: 410,
      body: { message: `The film actor ${id} was removed.` },
    });
    // The same two may meet again.
    expect((await send('POST', 'film-actors', { body: pair ?? {} })).body['id']).toBe(id);
    expect((await send('GET', target)).status).toBe(200);
    await runSql(
      url,
      `delete from film_actor where (actor_id, film_id) = (${id.replace('~', ', ')})`,
    );
  });

  test.each(['1', '1~', '~1', '1~1~1', '01~1', '1~x', '1~99999999999', '1~1%00', '~', '1%2C1'])(
    'no path has the id %s: 404',
    async (id) => {
      for (const method of ['GET', 'DELETE']) {
        expect((await send(method, `film-actors/${id}`)).status).toBe(404);
      }
    },
  );

  test('by many at once lose nothing', async () => {
    const { body: film } = await send('GET', 'films/2');
    const duration = Number(film['rental_duration']);
    const bySql = Array.from({ length: 20 }, () =>
      runSql(url, 'update film set rental_duration = rental_duration + 1 where film_id = 2'),
    );
    const byHttp = Array.from({ length: 20 }, async () => {
      for (;;) {
        const read = await send('GET', 'films/2');
        const { status } = await send('PATCH', 'films/2', {
          body: { rental_duration: Number(read.body['rental_duration']) + 1 },
          headers: { 'if-match': String(read.headers.get('etag')) },
        });
        if (status === 200) return;
        expect(status).toBe(412);
      }
    });
    await Promise.all([...bySql, ...byHttp]);
    expect((await send('GET', 'films/2')).body['rental_duration']).toBe(duration + 40);
  });
});

describe('views', () => {
  const views = (): string => path.join(project, 'views.sql');
  const migrate = async (
    settings: Readonly<Record<string, string>> = {},
    ...words: readonly string[]
  ): Promise<{ exitCode: number | undefined; output: string }> => {
    const script = ['run', '--silent', 'migrate', '--', ...words];
    const env = { DATABASE_URL: url, ...settings };
    const { exitCode, output } = await runCommand(project, script, { env, input: '' });
    return { exitCode, output: output.trim() };
  };
  const NOTHING = { exitCode: 0, output: 'Nothing to migrate.' };
  const APPLIED = { exitCode: 0, output: 'Applied views.sql.' };

  test('that are missing are made anew: so a column is altered that a view has', async () => {
    const alter = 'alter table address alter column address2 type character varying(60)';
    await expect(runSql(url, alter)).rejects.toThrow(
      'cannot alter type of a column used by a view',
    );
    const [comment] = await runSql(
      url,
      `select obj_description('service.addresses'::regclass) as "text"`,
    );
    await runSql(url, `drop view service.addresses; ${alter};`);
    const status = JSON.parse((await migrate({}, '--status', '--json')).output) as object;
    expect(status).toMatchObject({ pending: [{ name: 'views.sql' }] });
    expect((await migrate({}, '--plan')).output).toContain('views.sql: one transaction, quick');
    const settings = { env: { DATABASE_URL: url, MIGRATE: 'false' }, input: 'secret password\n' };
    const refused = await runCommand(
      project,
      ['run', '--silent', 'admin', '--', 'grace'],
      settings,
    );
    expect(refused.output).toContain('Migrations are pending: views.sql.');
    // Two processes at once: both go on.
    const both = await Promise.all([migrate(), migrate()]);
    expect(both).toContainEqual(APPLIED);
    for (const one of both) expect([APPLIED, NOTHING]).toContainEqual(one);
    expect(await migrate()).toEqual(NOTHING);
    expect((await send('GET', 'addresses?limit=1')).status).toBe(200);
    await runSql(
      url,
      'drop view service.addresses; alter table address alter column address2 type text',
    );
    expect(await migrate()).toEqual(APPLIED);
    const again = `select obj_description('service.addresses'::regclass) as "text"`;
    expect(await runSql(url, again)).toEqual([comment]);
  });

  test('change with their file, once nothing uses them, and keep what others may do with them', async () => {
    const text = readFileSync(views(), 'utf8');
    onTestFinished(() => writeFileSync(views(), text));
    const others = `select relname, oid, relacl::text from pg_class where relnamespace = 'service'::regnamespace
      and relkind = 'v' and relname <> 'languages' order by oid`;
    await runSql(
      url,
      `grant select, insert on service.languages to public;
       grant select on service.languages to pg_monitor with grant option;`,
    );
    const grants = `select array(select privilege_type || grantee::text || is_grantable
      from aclexplode((select relacl from pg_class where oid = 'service.languages'::regclass)) order by 1) as "all"`;
    const had = [await runSql(url, others), await runSql(url, grants)];
    writeFileSync(
      views(),
      text.replace('from "public"."language";', 'from "public"."language"; -- changed'),
    );
    const reading = runSql(url, 'begin; table service.languages; select pg_sleep(2); commit');
    const { exitCode, output } = await migrate();
    await reading;
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: expect.stringMatching(
        /^(?:.* waits for a table that others have locked\n)?Applied views\.sql\.$/,
      ),
    });
    expect([await runSql(url, others), await runSql(url, grants)]).toEqual(had);
    expect((await send('GET', 'languages?limit=1')).status).toBe(200);
    writeFileSync(views(), text);
    expect(await migrate()).toEqual(APPLIED);
  });

  test('of a newer version stay, and missing ones are made all the same', async () => {
    const text = readFileSync(views(), 'utf8');
    onTestFinished(() => writeFileSync(views(), text));
    writeFileSync(views(), text.replaceAll(';\n', '; -- older\n'));
    await runSql(
      url,
      `insert into service._migrations (name, hash, is_expand) values ('0009_newer', '', true)`,
    );
    expect(await migrate()).toEqual(NOTHING);
    await runSql(url, 'drop view service.languages');
    expect(await migrate()).toEqual(APPLIED);
    expect((await send('GET', 'languages?limit=1')).status).toBe(200);
    await runSql(url, `delete from service._migrations where name = '0009_newer'`);
    expect(await migrate()).toEqual(APPLIED);
    writeFileSync(views(), text);
    expect(await migrate()).toEqual(APPLIED);
  });

  test('that do not fit the tables are refused with their migration, and the former ones stay', async () => {
    const text = readFileSync(views(), 'utf8');
    const file = path.join(project, 'migrations/0002_views.sql');
    onTestFinished(() => {
      writeFileSync(views(), text);
      rmSync(file);
    });
    writeFileSync(file, '-- views\n\ncreate table "with_it" ();\n');
    const plan = await migrate({}, '--plan');
    expect(plan.output).toBe(
      '0002_views: one transaction, quick\n' +
        '  ACCESS EXCLUSIVE on the changed views: reads and writes wait',
    );
    const line = text.split('\n').findIndex((one) => one.startsWith('  "language_id" as "id"')) + 1;
    writeFileSync(views(), text.replace('"language_id" as "id"', '"idd" as "id"'));
    const { exitCode, output } = await migrate();
    expect(exitCode).toBe(1);
    expect(output).toContain(
      'The migration 0002_views failed and was rolled back: ' +
        `views.sql cannot be applied: column "idd" does not exist (line ${line}).`,
    );
    expect((await send('GET', 'languages?limit=1')).status).toBe(200);
    // The version before goes on: it knows all that was applied.
    const applied = `select name from service._migrations union all select 'with_it' from pg_class where relname = 'with_it'`;
    expect(await runSql(url, applied)).toEqual([{ name: '0001_initial' }]);
    writeFileSync(views(), text);
    await runSql(url, 'create view public.by_team as table service.languages');
    writeFileSync(
      views(),
      text.replace('from "public"."language";', 'from "public"."language"; -- x'),
    );
    expect((await migrate()).output).toContain(
      'cannot drop view languages because other objects depend on it. Drop what depends on it, and create that again afterwards.',
    );
    expect((await migrate()).output).not.toContain('..');
    await runSql(url, 'drop view public.by_team');
    writeFileSync(
      views(),
      text.replace('create view "languages"', 'create or replace view "languages"'),
    );
    expect((await migrate()).output).toContain(
      'views.sql has a statement that does not begin with: create view "<name>" as',
    );
  });

  test('and migrations wait for the tables', async () => {
    const empty = await makeDatabase('without_tables');
    const refused = await migrate({ DATABASE_URL: empty });
    expect(refused.output).toContain(
      'no such tables with a unique index on exactly these columns, not partial and not deferrable: "public"."actor" (actor_id), ',
    );
    expect(await runSql(empty, `select to_regnamespace('service') as "schema"`)).toEqual([
      { schema: null },
    ]);
    // Not even those of another service, whose tables are in the schema public.
    await runSql(empty, 'create table users (id uuid, username text)');
    const words = ['run', '--silent', 'admin', '--', 'ada'];
    const settings = { env: { DATABASE_URL: empty, MIGRATE: 'false' }, input: 'secret password\n' };
    const admin = await runCommand(project, words, settings);
    expect(admin.exitCode).toBe(1);
    expect(admin.output).toContain('Migrations are pending: 0001_initial. Run `npm run migrate`.');
    // Nothing tells the rows of this one apart.
    await runSql(empty, 'create table actor (actor_id integer)');
    expect((await migrate({ DATABASE_URL: empty })).output).toBe(refused.output);
  });
});

test('check compares the tables with the definitions', async () => {
  const check = async (): Promise<{ exitCode: number | undefined; issues: unknown }> => {
    const words = ['check', '--database', url, '--json'];
    const options = { cwd: project, reject: false } as const;
    const { exitCode, stdout } = await execa(inject('command'), words, options);
    return { exitCode, ...(JSON.parse(stdout) as { issues: unknown }) };
  };
  expect(await check()).toMatchObject({ exitCode: 0, issues: [] });
  await runSql(
    url,
    'alter index idx_unq_rental_rental_date_inventory_id_customer_id rename to other',
  );
  expect(await check()).toMatchObject({
    exitCode: 1,
    issues: [
      {
        code: 'table-differs',
        file: 'definitions/collections/rentals.yaml',
        line: 1,
        message:
          'rental has no unique index called "idx_unq_rental_rental_date_inventory_id_customer_id"',
      },
    ],
  });
  await runSql(
    url,
    'alter index other rename to idx_unq_rental_rental_date_inventory_id_customer_id',
  );
});

describe('verify', () => {
  const verify = async (
    ...words: readonly string[]
  ): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> => {
    const options = { cwd: project, reject: false } as const;
    const { exitCode, stdout, stderr } = await execa(
      inject('command'),
      ['verify', url, ...words],
      options,
    );
    return { exitCode, stdout, stderr };
  };
  const usersLeft = async (): Promise<unknown> =>
    runSql(url, `select username from service.users where username <> 'root'`);
  /** The rows of all tables that are collections. */
  const countRows = async (): Promise<number> => {
    const counts = readdirSync(path.join(definitions, 'collections')).map((file) => {
      const text = readFileSync(path.join(definitions, 'collections', file), 'utf8');
      return `(select count(*) from "${(parse(text) as Definition).table}")`;
    });
    const [row] = await runSql(url, `select (${counts.join(' + ')})::int as "all"`);
    return Number(row?.['all']);
  };

  test('compares each row, and leaves nothing behind', async () => {
    const rows = await countRows();
    const { exitCode, stdout, stderr } = await verify();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Starting the service …' });
    expect(stdout).toMatch(/^actors +200$/m);
    expect(stdout).toContain(
      `\n${rows.toLocaleString('en')} rows compared, 0 different, 0 not shown.`,
    );
    expect(rows).toBeGreaterThan(25_000);
    expect(await usersLeft()).toEqual([]);
  });

  test('takes no change by others for a difference', async () => {
    // From here on each comparison takes seconds, and not half a minute.
    await runSql(
      url,
      `delete from payment;
       delete from rental where rental_id % 20 <> 0;
       delete from film_actor where (actor_id + film_id) % 400 <> 0;
       delete from film_category where (film_id + category_id) % 40 <> 0`,
    );
    const end = new AbortController();
    const write = async (sql: string): Promise<number> => {
      for (let count = 0; ; count++) {
        if (end.signal.aborted) return count;
        await runSql(url, sql);
      }
    };
    const writers = [
      write('update film set length = length % 100 + 1 where film_id % 100 = 50'),
      write(`with gone as (delete from language where name = 'Ido' returning 1)
        insert into language (name) values ('Ido')`),
      write(`insert into language (name) values ('Interlingua');
        delete from language where name = 'Interlingua'`),
    ];
    const { exitCode, stdout } = await verify('--json');
    end.abort();
    for (const count of await Promise.all(writers)) expect(count).toBeGreaterThan(10);
    const { ok, tables } = JSON.parse(stdout) as {
      readonly ok: boolean;
      readonly tables: readonly { readonly problems: readonly unknown[] }[];
    };
    expect(tables.flatMap(({ problems }) => problems)).toEqual([]);
    expect({ exitCode, ok }).toEqual({ exitCode: 0, ok: true });
    await runSql(url, `delete from language where name = 'Ido'`);
  });

  test('finds what a service shows otherwise, or not at all', async () => {
    await runSql(
      url,
      `update customer set create_date = 'infinity' where customer_id = 7;
       create or replace view service.languages as select language_id as id,
         (case language_id when 2 then 'Latin' else name end)::character(20) as name,
         last_update as updated_at, xmin::text || ctid::text as _revision
       from language where language_id <> 3;
       create or replace view service.categories as select category_id as id,
         case category_id when 5 then (1 / (category_id - 5))::text else name end as name,
         last_update as updated_at, xmin::text || ctid::text as _revision
       from category`,
    );
    const index = 'idx_unq_rental_rental_date_inventory_id_customer_id';
    await runSql(
      url,
      `alter index ${index} rename to other;
       create or replace view service.countries as select country_id as id, upper(country) as country,
         last_update as updated_at, xmin::text || ctid::text as _revision
       from country`,
    );
    const { exitCode, stdout } = await verify();
    expect(exitCode).toBe(1);
    const problems = stdout
      .split('\n')
      .filter((line) => !/^[a-z-]+ +[0-9,]+$/.test(line))
      .map((line) => line.replace(/^([a-z-]+) +/, '$1 '));
    const rows = await countRows();
    expect(problems).toEqual([
      'categories 15, 1 not shown',
      '  GET categories?limit=100 answers 500: the items from there on are read one by one',
      '  categories/5: GET categories/5 answers 500',
      'countries 109, 109 different',
      '  countries/1: country is "AFGHANISTAN", and "Afghanistan" in the table',
      ...Array.from(
        { length: 9 },
        () => expect.stringMatching(/^ {2}countries\/\d+: country is /) as string,
      ),
      '  and 99 more problems',
      'customers 599, 1 different',
      '  customers/7: create_date is infinity in the table, which the type of the field does not have',
      expect.stringMatching(/^languages +[0-9]+, 1 different, 1 not shown$/),
      '  languages/2: name is "Latin", and "Italian" in the table',
      '  languages/3: is not in the list, and GET languages/3 answers 404',
      `  definitions/collections/rentals.yaml:1:1 rental has no unique index called "${index}"`,
      `${(rows - 2).toLocaleString('en')} rows compared, 111 different, 2 not shown.`,
    ]);
    await runSql(
      url,
      `update customer set create_date = '2022-02-14' where customer_id = 7;
       alter index other rename to ${index};
       drop view service.languages, service.categories, service.countries`,
    );
    expect((await runScript(project, 'migrate', { DATABASE_URL: url })).output).toBe(
      'Applied views.sql.',
    );
  });

  test('refuses a role that does not see all rows', async () => {
    await runSql(
      url,
      `create role reader login password 'password' in role pg_read_all_data;
       grant insert, update, delete on all tables in schema service to reader;
       alter table category enable row level security;
       create policy first_ones on category using (category_id < 10)`,
    );
    const target = new URL(url);
    target.username = 'reader';
    target.password = 'password';
    const options = { cwd: project, reject: false } as const;
    const { exitCode, stdout, stderr } = await execa(
      inject('command'),
      ['verify', target.href],
      options,
    );
    await runSql(
      url,
      `drop policy first_ones on category; alter table category disable row level security;
       drop owned by reader; drop role reader`,
    );
    expect(stdout, stderr).toContain(
      '  its rows cannot be selected: query would be affected by row-level security policy for table "category"\n',
    );
    expect(stdout).toContain(' 0 different, 0 not shown.');
    expect(exitCode).toBe(1);
  });

  test('tells that the schema of the tables changed meanwhile', async () => {
    const options = { cwd: project, reject: false } as const;
    const child = execa(inject('command'), ['verify', url], options);
    await vi.waitUntil(async () => ((await usersLeft()) as unknown[]).length > 0, {
      timeout: 60_000,
      interval: 5,
    });
    await runSql(url, `comment on table language is 'changed'`);
    const { exitCode, stdout } = await child;
    await runSql(url, 'comment on table language is null');
    expect(stdout).toContain('\n  the schema of the tables changed during the comparison\n');
    expect(exitCode).toBe(1);
  });

  test('ends its service if it is killed', async () => {
    const options = { cwd: project, reject: false } as const;
    const child = execa(inject('command'), ['verify', url], options);
    await vi.waitUntil(async () => ((await usersLeft()) as unknown[]).length > 0, {
      timeout: 60_000,
      interval: 5,
    });
    const { stdout } = await execa('ps', ['-o', 'pid=', '--ppid', String(child.pid)]);
    const pid = Number(stdout.trim());
    child.kill('SIGKILL');
    await child;
    const isAlive = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isAlive, { timeout: 20_000 }).toBe(false);
    await runSql(url, `delete from service.users where username like 'create-service-verify-%'`);
  });

  test('tells why it cannot compare', async () => {
    const pending = path.join(project, 'migrations/0002_pending.sql');
    writeFileSync(pending, 'select 1;\n');
    onTestFinished(() => rmSync(pending, { force: true }));
    expect((await verify()).stderr).toBe(
      'Starting the service …\n' +
        'error the service did not start:\n' +
        '  Migrations are pending: 0002_pending. Run `npm run migrate`.\n' +
        'Correct that, and try npm run dev with the same DATABASE_URL.',
    );
    rmSync(pending);
    const modules = path.join(project, 'node_modules');
    renameSync(modules, `${modules}.away`);
    onTestFinished(() => renameSync(`${modules}.away`, modules));
    const { stderr } = await verify();
    expect(stderr).toContain('error the service did not start: its dependencies are not installed');
    const file = path.join(project, 'definitions/service.yaml');
    const text = readFileSync(file, 'utf8');
    onTestFinished(() => writeFileSync(file, text));
    writeFileSync(file, `${text}description: Films.\n`);
    expect((await verify()).stderr).toContain(
      'error the project is not up to date with its definitions, or with this create-service\n' +
        'Run create-service generate and npm run migrate first.',
    );
  });

  test.each<[string, (child: number, connection: number) => Promise<unknown>, number, string]>([
    [
      'it is interrupted',
      async (child) => Promise.resolve(process.kill(child, 'SIGINT')),
      130,
      'Interrupted',
    ],
    [
      'the connection ends',
      async (_child, connection) => runSql(url, `select pg_terminate_backend(${connection})`),
      1,
      'error the database pagila_in_place at ',
    ],
    [
      'the service ends',
      async (child) => {
        const { stdout } = await execa('ps', ['-o', 'pid=', '--ppid', String(child)]);
        process.kill(Number(stdout.trim()), 'SIGKILL');
      },
      1,
      'error the service ended meanwhile:',
    ],
  ])('leaves nothing behind if %s', async (_what, end, status, message) => {
    const options = { cwd: project, reject: false } as const;
    const child = execa(inject('command'), ['verify', url], options);
    let connection: unknown;
    await vi.waitUntil(
      async () => {
        // What compares rows, and not what reads the catalog.
        const [row] = await runSql(
          url,
          `select pid from pg_stat_activity where datname = current_database() and application_name = 'create-service verify'
            and (query like '%as "row"%' or query = 'rollback')`,
        );
        connection = row?.['pid'];
        return connection !== undefined;
      },
      { timeout: 60_000, interval: 5 },
    );
    await end(child.pid ?? 0, Number(connection));
    const { exitCode, stderr } = await child;
    expect(stderr).toContain(message);
    expect(exitCode).toBe(status);
    expect(await usersLeft()).toEqual([]);
  });
});

test('a migration that drops a table finds those of the service alone', async () => {
  const file = path.join(project, 'migrations/0002_own.sql');
  writeFileSync(file, 'drop table if exists "film", "rental";\ndrop view if exists "film";\n');
  onTestFinished(() => rmSync(file));
  const { exitCode, output } = await runScript(project, 'migrate', { DATABASE_URL: url });
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: 'Applied 0002_own.' });
});

test('nothing about the tables has changed', async () => {
  expect(await stateOf()).toEqual(before);
});
