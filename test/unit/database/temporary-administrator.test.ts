/** The administrator that `verify` is, in the tables of a service. */
import { createHash } from 'node:crypto';

import { beforeEach, expect, test } from 'vitest';

import type { DatabaseSession } from '../../../src/database/session.ts';
import { withAdministrator } from '../../../src/database/temporary-administrator.ts';
import { emptyDatabase } from '../../support/pglite.ts';

const database = await emptyDatabase();

const session: DatabaseSession = {
  query: async <Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    (await database.query<Row>(text, [...values])).rows,
};
const write = async <Result>(work: (writer: DatabaseSession) => Promise<Result>): Promise<Result> =>
  work(session);
const namesOf = async (): Promise<readonly string[]> =>
  (await session.query<{ username: string }>('select username from service.users order by 1')).map(
    ({ username }) => username,
  );

beforeEach(async () => {
  await database.exec(`
    drop schema if exists service cascade;
    create schema service;
    create table service.users (id uuid primary key, username text unique, password_hash text not null,
      roles text[] not null, created_at timestamptz not null default now());
    create table service.tokens (id uuid primary key, user_id uuid references service.users on delete cascade,
      hash text not null, expires_at timestamptz);
  `);
});

test('is there while the work is done, with a token that expires', async () => {
  const found = await withAdministrator(write, 'service', async (token) =>
    session.query(
      `select roles, password_hash, expires_at between now() + '23 hours' and now() + '25 hours' as "expires"
        from service.tokens join service.users on users.id = user_id where hash = $1`,
      [createHash('sha256').update(token).digest('hex')],
    ),
  );
  expect(found).toEqual({
    result: [{ roles: ['admin'], password_hash: '', expires: true }],
    notRemoved: undefined,
  });
  expect(await namesOf()).toEqual([]);
});

test('is removed if the work fails', async () => {
  const fails = async (): Promise<never> => Promise.reject(new Error('no'));
  await expect(withAdministrator(write, 'service', fails)).rejects.toThrow('no');
  expect(await namesOf()).toEqual([]);
});

test('is named if it cannot be removed, and the work is not lost', async () => {
  let calls = 0;
  const writeOnce: typeof write = async (work) => {
    if (++calls > 1) throw new Error('users is locked');
    return work(session);
  };
  const { result, notRemoved } = await withAdministrator(writeOnce, 'service', async () =>
    Promise.resolve(5),
  );
  expect(result).toBe(5);
  expect(notRemoved).toEqual({
    username: (await namesOf())[0],
    reason: 'users is locked',
  });
});

test('those that killed commands left are removed after a day, and nobody else', async () => {
  await database.exec(`insert into service.users (id, username, password_hash, roles, created_at) values
    (gen_random_uuid(), 'create-service-verify-old', '', '{admin}', now() - interval '25 hours'),
    (gen_random_uuid(), 'create-service-verify-new', '', '{admin}', now() - interval '23 hours'),
    (gen_random_uuid(), 'create-service-verify-own', 'hash', '{}', now() - interval '25 hours'),
    (gen_random_uuid(), 'ada', '', '{admin}', now() - interval '25 hours')`);
  await withAdministrator(write, 'service', async () => Promise.resolve());
  expect(await namesOf()).toEqual([
    'ada',
    'create-service-verify-new',
    'create-service-verify-own',
  ]);
});
