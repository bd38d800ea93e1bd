/** The seeds in `seeds/` are valid. How seeds are loaded is tested with seeds of users. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { seeded } from '../src/collections/seeded.ts';
import { seededUsers } from '../src/platform/seeds/seeded-users.ts';
import { loadSeeds } from '../src/platform/seeds/load-seeds.ts';
import type { SeedCounts } from '../src/platform/seeds/load-seeds.ts';
import { readSeeds } from '../src/platform/seeds/read-seeds.ts';
import { seedId } from '../src/platform/seeds/seed.ts';
import type { AnySeeded } from '../src/platform/seeds/seeded-collection.ts';
import { openTestDatabase } from './support/database.ts';
import { NO_ID } from './support/expected.ts';
import { ADMINISTRATOR, createUser } from './support/items/users.ts';
import { sharedService } from './support/service.ts';

const service = (await sharedService()).as(ADMINISTRATOR);

const seed = (name: string, members = ''): string =>
  `${name}: { username: ${name}, password: only-for-tests${members} }`;
const pathOf = (name: string): string => `/users/${seedId('users', name)}`;

test('the seeds load into an empty database, and a second run changes nothing', async () => {
  const empty = await openTestDatabase();
  onTestFinished(() => empty.close());
  const seeds = await readSeeds('seeds', Object.keys(seeded));
  const first = await loadSeeds(empty, seeds, seeded);
  const created = [...first.values()].map((counts) => counts.created);
  expect(created.reduce((sum, count) => sum + count, 0)).toBe(seeds.length);
  const second = await loadSeeds(empty, seeds, seeded);
  for (const [collection, counts] of first) {
    const present = { created: 0, present: counts.created, removed: 0 };
    expect(second.get(collection)).toEqual(present);
  }
});

describe('seeds', () => {
  /** Who created the users, in the order of their creation. */
  const creators: (string | undefined)[] = [];
  const users: AnySeeded = {
    ...seededUsers,
    create(transaction, values, options) {
      creators.push(options.principal?.username);
      return seededUsers.create(transaction, values, options);
    },
  };

  /** Loads the seeds of a file `users.yaml`. */
  async function load(...lines: string[]): Promise<SeedCounts | undefined> {
    const folder = await mkdtemp(join(tmpdir(), 'seeds-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'users.yaml'), lines.join('\n'));
    creators.length = 0;
    const seeds = await readSeeds(folder, ['users']);
    return (await loadSeeds(service.database, seeds, { users })).get('users');
  }

  /** The problems of seeds that are refused, without the path of the file. */
  const problems = (...lines: string[]): Promise<readonly string[]> =>
    load(...lines).then(
      () => [],
      ({ message }: Error) => message.split('\n').map((line) => line.replace(/^.*?\.yaml:/, '')),
    );

  test('that were created stay as they are, changed or removed', async () => {
    expect(await load(seed('no'), seed('yes'))).toMatchObject({ created: 2 });
    expect(await service.patch(pathOf('no'), { roles: ['admin'] })).toHaveStatus(200);
    expect(await service.delete(pathOf('yes'))).toHaveStatus(204);
    const counts = await load(seed('no'), seed('yes'), seed('new'));
    expect(counts).toEqual({ created: 1, present: 1, removed: 1 });
    expect((await service.get(pathOf('no'))).body).toMatchObject({ roles: ['admin'] });
    expect(await service.get(pathOf('yes'))).toBeError(410);
    expect(await problems(seed('yes'), seed('late', ', _creator: yes'))).toEqual([
      expect.stringMatching(/^2:61 error _creator refers to "yes" .* was removed/),
    ]);
  });

  test('are created after those that they name, which may exist', async () => {
    await createUser(service, { username: 'ann' });
    const counts = await load(
      seed('bob', ', _creator: 1984'),
      seed('1984', ', _creator: ann').replace('username: 1984', "username: '1984'"),
      seed('ann'),
    );
    expect(counts).toEqual({ created: 2, present: 1, removed: 0 });
    expect(creators).toEqual(['ann', '1984']);
  });

  test('are refused with all problems, in the order of their places', async () => {
    expect(await problems(seed('1984', ', roles: [no]'), seed('fay', ', _creator: gus'))).toEqual([
      '1:19 error username must be a string. Write it in quotes.',
      expect.stringMatching(/^1:58 error roles\[0\] must be one of /),
      expect.stringMatching(/^2:59 error _creator: "gus" names no seed .*such as 1984, fay/),
    ]);
    expect(await problems(seed('hal', `, _creator: ${NO_ID}`))).toEqual([
      expect.stringMatching(/^1:59 error _creator refers to an item that does not exist\./),
    ]);
  });

  test('are stored all or not at all', async () => {
    expect(
      await problems(seed('ida'), seed('jim').replace('username: jim', 'username: ida')),
    ).toEqual([expect.stringMatching(/^2:1 error "jim" was refused: /)]);
    expect(await service.get(pathOf('ida'))).toBeError(404);
  });
});

test('in production the command is refused without --force', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(process, 'argv', 'get').mockReturnValue([]);
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubEnv('DATA_DIR', 'memory');
  const { exitCode } = process;
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    process.exitCode = exitCode;
  });
  await import('../src/seed.ts');
  expect(said).toHaveBeenCalledWith(expect.stringMatching(/^No seeds were loaded.*--force/));
  expect(process.exitCode).toBe(1);
});
