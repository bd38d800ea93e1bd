/** The stored addresses of sign-ins, while others remove the user. */
import { expect, onTestFinished, test } from 'vitest';

import { SIGN_INS } from '../../src/migration/statements.ts';
import { signIns } from '../../templates/service/src/platform/auth/sign-ins.ts';
import { openPostgres } from '../../templates/service/src/platform/database/postgres.ts';
import { makeDatabase } from './support/project.ts';

const USER = '0197a7a0-0000-7000-8000-000000000001';

test('a user who is removed while they sign in has no address, and the sign-in does not fail', async () => {
  const database = openPostgres(await makeDatabase('sign-ins'), 8, console.error);
  onTestFinished(() => database.close());
  await database.query({ text: 'create table "users" ("id" uuid primary key)' });
  await database.query({ text: SIGN_INS });
  await database.query({ text: `insert into "users" values ('${USER}')` });
  const isWaiting = async (): Promise<boolean> =>
    (await database.query({ text: 'select from pg_locks where not granted' })).length > 0;
  let remembered: Promise<void> | undefined;
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'delete from "users"' });
    remembered = signIns(database, () => 'secret').remember(USER, '192.0.2.1');
    remembered.catch(() => {});
    await expect.poll(isWaiting).toBe(true);
  });
  await expect(remembered).resolves.toBeUndefined();
  expect(await database.query({ text: 'select from "_sign_ins"' })).toEqual([]);
});
