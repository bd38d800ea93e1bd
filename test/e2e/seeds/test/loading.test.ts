/** Seeds of the service of `test/definitions/everything`: references, hooks, users, and what is refused. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, test } from 'vitest';

import { seeded } from '../src/collections/seeded.ts';
import { teamHooks } from '../src/collections/teams/hooks.ts';
import { HttpError } from '../src/platform/http/errors.ts';
import { loadSeeds } from '../src/platform/seeds/load-seeds.ts';
import type { SeedCounts } from '../src/platform/seeds/load-seeds.ts';
import { readSeeds } from '../src/platform/seeds/read-seeds.ts';
import { seedId } from '../src/platform/seeds/seed.ts';
import { basic, createUser } from './support/items/users.ts';
import { startService } from './support/service.ts';

const service = await startService();

beforeEach(async () => {
  const text = `delete from "users" where "username" <> 'administrator'`;
  await service.database.query({ text });
  // The tombstones of these users too.
  await service.clear();
  for (const name of Object.keys(teamHooks)) Object.assign(teamHooks, { [name]: undefined });
});

type Files = Readonly<Record<string, string>>;

/** Loads seeds of these texts. */
async function load(files: Files): Promise<Readonly<Record<string, SeedCounts>>> {
  const folder = await mkdtemp(join(tmpdir(), 'seeds-'));
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  try {
    const seeds = await readSeeds(folder, Object.keys(seeded));
    return Object.fromEntries(await loadSeeds(service.database, seeds, seeded));
  } catch (error) {
    throw new Error((error as Error).message.replaceAll(`${folder}/`, ''), { cause: error });
  }
}

/** The lines of the error of seeds that are refused. */
async function refusal(files: Files): Promise<string[]> {
  const error = await load(files).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(Error);
  return (error as Error).message.split('\n');
}

const at = (collection: string, name: string): string =>
  `/${collection.replaceAll('_', '-')}/${seedId(collection, name)}`;

const created = (count: number): SeedCounts => ({ created: count, present: 0, removed: 0 });

const PEOPLE = `ann: { name: Ann, boss_id: bob }
bob: { name: Bob, boss_id: cy }
cy: { name: Cy, boss_id: ann }
dee: { name: Dee, boss_id: dee }
1984: { name: no }
`;

describe('references', () => {
  test('by name, forward, in a circle and to itself', async () => {
    expect(await load({ 'people.yaml': PEOPLE })).toEqual({ people: created(5) });
    for (const [name, boss] of [
      ['ann', 'bob'],
      ['bob', 'cy'],
      ['cy', 'ann'],
      ['dee', 'dee'],
    ]) {
      const { body } = await service.get(at('people', name ?? ''));
      expect(body).toMatchObject({ boss_id: seedId('people', boss ?? '') });
    }
    expect((await service.get(at('people', '1984'))).body).toMatchObject({ name: 'no' });
  });

  test('to other collections, to names that look like numbers, and to ids', async () => {
    const { body } = await service.post<{ id: string }>('/people', { name: 'There' });
    await load({
      'people.yaml': '1984: { name: A }\n',
      'teams.yaml': `a: { name: A, lead_id: 1984, deputy_id: ${body.id.toUpperCase()} }\n`,
    });
    expect((await service.get(at('teams', 'a'))).body).toMatchObject({
      lead_id: seedId('people', '1984'),
      deputy_id: body.id,
    });
  });

  test('to nothing are refused, each at its place, and nothing is stored', async () => {
    const id = '0b2d7b3d-1c1c-4c1c-8c1c-1c1c1c1c1c1c';
    const files = {
      'people.yaml': PEOPLE,
      'teams.yaml': `a: { name: A, lead_id: an }\nb: { name: B, lead_id: [x] }\n`,
      'scans.yaml': 's: { page: "1", document_id: x }\n',
    };
    expect(await refusal(files)).toEqual([
      'scans.yaml:1:30 error document_id: "x" names no seed, because there are none in seeds/documents.yaml. Write one there, or the id of an item here.',
      'teams.yaml:1:24 error lead_id: "an" names no seed of seeds/people.yaml. Write one of its names (such as ann, bob, cy, dee, 1984), or the id of an item.',
      'teams.yaml:2:24 error lead_id: this value names no seed of seeds/people.yaml. Write one of its names (such as ann, bob, cy, dee, 1984), or the id of an item.',
    ]);
    expect(await refusal({ 'teams.yaml': `a:\n  name: A\n  lead_id: ${id}\n` })).toEqual([
      'teams.yaml:3:12 error lead_id refers to an item that does not exist. Write the name of a seed, or another id.',
    ]);
    expect((await service.get('/people')).body).toEqual([]);
  });
});

describe('a second run', () => {
  test('creates what is new, and leaves what has changed or was removed', async () => {
    await load({ 'people.yaml': PEOPLE });
    expect(await service.patch(at('people', 'bob'), { name: 'Robert' })).toHaveStatus(200);
    expect(await service.delete(at('people', 'dee'))).toHaveStatus(204);
    const counts = await load({ 'people.yaml': `${PEOPLE}eve: { name: Eve, boss_id: bob }\n` });
    expect(counts).toEqual({ people: { created: 1, present: 4, removed: 1 } });
    expect((await service.get(at('people', 'bob'))).body).toMatchObject({ name: 'Robert' });
    expect(await service.get(at('people', 'dee'))).toBeError(410);
    expect(await refusal({ 'people.yaml': `${PEOPLE}f: { name: F, boss_id: dee }\n` })).toEqual([
      'people.yaml:6:24 error boss_id refers to "dee" of people.yaml, which was removed from this database. Refer to another item, or begin with an empty database.',
    ]);
  });

  test('at the same time does nothing twice', async () => {
    const files = {
      'people.yaml': PEOPLE,
      'users.yaml': 'u: { username: u, password: only-for-tests }\n',
    };
    const runs = await Promise.all([load(files), load(files), load(files)]);
    const counts = runs.map(({ people }) => people?.created).toSorted();
    expect(counts).toEqual([0, 0, 5]);
    expect((await service.get('/people')).body).toHaveLength(4);
  });
});

describe('users', () => {
  const USERS = `ada: { username: ada, password: only-for-tests, roles: [clerk] }\n`;
  const NOTES = 'n: { _creator: ada, owner_id: ada, text: Mine }\n';

  test('log in with the password of the file, and own what they create', async () => {
    await load({
      'users.yaml': USERS,
      'scans.yaml': 's: { _creator: ada, page: "1", secret: hidden }\nt: { page: "2" }\n',
    });
    const ada = service.as(`Basic ${Buffer.from('ada:only-for-tests').toString('base64')}`);
    const scans = await ada.get<{ page: string }[]>('/scans');
    expect(scans.body.map(({ page }) => page)).toEqual(['1']);
  });

  test('that exist stand for the seed of their username', async () => {
    const { id } = await createUser(service, { username: 'ada', roles: [] });
    const counts = await load({ 'users.yaml': USERS, 'notes.yaml': NOTES });
    expect(counts).toMatchObject({ users: { created: 0, present: 1 }, notes: created(1) });
    expect((await service.get(`/users/${id}`)).body).toMatchObject({ roles: [] });
    // Ids of notes are numbers, which do not follow from the names of seeds.
    const { body } = await service.get<{ id: string }[]>('/notes');
    expect(body).toMatchObject([{ owner_id: id }]);
    expect(await service.as(basic('ada')).get(`/notes/${body[0]?.id}`)).toHaveStatus(200);
  });

  test('are validated, and no message has their password', async () => {
    const lines = await refusal({
      'users.yaml': 'ada: { username: a:b, password: hush, roles: [king] }\n',
      'notes.yaml': 'n: { _creator: ann, owner_id: ada, text: Mine }\n',
    });
    expect(lines).toEqual([
      expect.stringMatching(
        /^notes\.yaml:1:16 error _creator: "ann" names no seed of seeds\/users\.yaml\./,
      ),
      expect.stringMatching(/^users\.yaml:1:18 error username /),
      expect.stringMatching(/^users\.yaml:1:33 error password must have at least 8 characters\./),
      expect.stringMatching(/^users\.yaml:1:46 error roles/),
    ]);
    expect(lines.join()).not.toContain('hush');
  });
});

describe('hooks', () => {
  const FILES = {
    'users.yaml': 'ada: { username: ada, password: only-for-tests, roles: [clerk] }\n',
    'people.yaml': 'ann: { name: Ann }\n',
    'teams.yaml': 'a: { _creator: ada, name: A, lead_id: ann }\nb: { name: B, lead_id: ann }\n',
    // It is not told, because its team cannot be created.
    'team_members.yaml': 'm: { team_id: b, person_id: ann }\n',
  };

  test('run with their principal, in the transaction, and after the commit', async () => {
    const principals: unknown[] = [];
    const after: string[] = [];
    Object.assign(teamHooks, {
      beforeCreate: async (values: { name: string }, context: typeof service & never) => {
        const { principal, database, afterCommit } = context as never as {
          principal?: { username: string; roles: Set<string> };
          database: typeof service.database;
          afterCommit: (work: () => void) => void;
        };
        principals.push([principal?.username, principal?.roles.has('clerk')]);
        expect(await database.query({ text: 'select 1 from "people"' })).toHaveLength(1);
        afterCommit(() => after.push(values.name));
        return { ...values, name: `${values.name}!` };
      },
    });
    await load(FILES);
    expect(principals).toEqual([
      [undefined, undefined],
      ['ada', true],
    ]);
    expect(after).toEqual(['B', 'A']);
    expect((await service.get(at('teams', 'a'))).body).toMatchObject({ name: 'A!' });
  });

  test('that refuse are told at their seed, with all others, and nothing is stored', async () => {
    const after: string[] = [];
    Object.assign(teamHooks, {
      beforeCreate: (_values: object, context: { afterCommit: (work: () => void) => void }) => {
        context.afterCommit(() => after.push('committed'));
      },
      afterCreate: ({ name }: { name: string }) => {
        if (name === 'B') throw new HttpError(409, 'There is no B.');
      },
    });
    const files = { ...FILES, 'switches.yaml': 'a: { on: true }\nb: { on: true }\n' };
    expect(await refusal(files)).toEqual([
      'switches.yaml:2:1 error "b" was refused: Another switch already has this on.',
      'teams.yaml:2:1 error "b" was refused: There is no B.',
    ]);
    expect(after).toEqual([]);
    for (const path of ['/people', '/teams', '/switches']) {
      expect((await service.get(path)).body).toEqual([]);
    }
    expect((await service.get('/users?username=ada')).body).toEqual([]);
  });

  test('that fail stop the run', async () => {
    Object.assign(teamHooks, {
      beforeCreate: () => {
        throw new TypeError('a mistake');
      },
    });
    expect(await refusal(FILES)).toEqual(['a mistake']);
    expect((await service.get('/people')).body).toEqual([]);
  });
});

describe('values', () => {
  test('are those of a POST: nothing is converted, and what the service sets is filled in', async () => {
    // Other test files have had the database before.
    await service.database.query({ text: 'alter table "accounts" alter column "number" restart' });
    await load({
      'accounts.yaml': "a: { email: a@example.org, slug: a-1, pin: '0123' }\n",
      'shifts.yaml': `s:
  starts_at: '08:00:00'
  pause: PT15M
  gate: 192.0.2.7
  scan: aGVsbG8=
  secret: aGk=
  handover: { at: '09:00:00' }
`,
    });
    const account = await service.get(at('accounts', 'a'));
    expect(account.body).toMatchObject({ number: 1000, state: 'open', plan: 'free' });
    expect(account.body).not.toHaveProperty('pin');
    expect((await service.get(at('shifts', 's'))).body).toMatchObject({
      scan: 'aGVsbG8=',
      handover: { takes: 'PT5M' },
    });
    expect(
      (await service.post('/accounts', { email: 'b@example.org', slug: 'bbb', pin: '0000' })).body,
    ).toMatchObject({ number: 1001 });
  });

  test('that are invalid are all told, where they stand', async () => {
    const lines = await refusal({
      'accounts.yaml': `a:
  email: nobody
  slug: A B
  pin: 0123
  number: 5
  nope: 1
  id: 1
b: { email: b@example.org, slug: bbb, pin: '1234', seen_at: 2026-01-31 }
c:
`,
      'rentals.yaml':
        'r: { code: R, starts_at: 2026-02-01T00:00:00Z, ends_at: 2026-01-01T00:00:00Z, status: lost }\n',
    });
    expect(lines.map((line) => line.replace(/^(\S+ error \S+ ?\S*).*/, '$1'))).toEqual([
      'accounts.yaml:2:10 error email must',
      'accounts.yaml:3:9 error slug must',
      'accounts.yaml:4:8 error pin must',
      'accounts.yaml:5:11 error number is',
      'accounts.yaml:6:9 error nope is',
      'accounts.yaml:7:7 error id is',
      'accounts.yaml:8:61 error seen_at must',
      'accounts.yaml:9:1 error email is',
      'accounts.yaml:9:1 error slug is',
      'accounts.yaml:9:1 error pin is',
      'rentals.yaml:1:1 error person_id and',
      'rentals.yaml:1:1 error ends_at and',
      'rentals.yaml:1:87 error status must',
    ]);
    expect(lines[2]).toMatch(/ Write it in quotes\.$/);
    expect(lines.join('\n')).toContain('The end is after the start.');
  });

  test('of numbers that JSON does not have, or no double holds, are refused', async () => {
    const lines = await refusal({
      'people.yaml': 'a: { name: .inf }\nb: { name: 12345678901234567890 }\n',
      'numbers.yaml': 'a: { }\n',
      'lamps.yaml':
        'a: { switch_id: s, color: red, watts: 9007199254740993 }\nb: { switch_id: s, color: red, watts: .nan }\n',
      'switches.yaml': 's: { on: no }\n',
    });
    const places = lines.map((line) => line.split(' ', 1)[0]);
    expect(places).toEqual(
      expect.arrayContaining([
        'lamps.yaml:1:39',
        'lamps.yaml:2:39',
        'people.yaml:1:12',
        'people.yaml:2:12',
        'switches.yaml:1:10',
      ]),
    );
  });
});
