/** Tests of the ids of removed items, by the kind of key: clients choose it, members are it, or a sequence assigns it. */
import { describe, expect, test } from 'vitest';

import type { Revised } from '../../src/platform/http/preconditions.ts';
import type { TestedRepository } from './repository-tests.ts';
import type { Item } from './service.ts';

/** Tests ids that clients choose. @param message what the error says of it. */
export function chosenIdTests<Stored extends Item & Revised>(
  { database, make, store, remove }: TestedRepository<Stored>,
  message = '',
): void {
  test('an id of a removed item is not used again: 409', async () => {
    const { id, values } = await make();
    await remove(database, id);
    await expect(store(database, values)).rejects.toMatchObject({
      statusCode: 409,
      message: expect.stringContaining(message) as string,
    });
  });
}

/** Tests ids that consist of members. */
export function memberIdTests<Stored extends Item & Revised>({
  database,
  make,
  store,
  find,
  remove,
}: TestedRepository<Stored>): void {
  test('an id can be used again after a removal', async () => {
    const { id, values } = await make();
    await remove(database, id);
    await expect(find(database, id)).rejects.toMatchObject({ statusCode: 410 });
    expect(await store(database, values)).toBe(id);
    expect(await find(database, id)).toMatchObject({ id });
  });
}

/** Tests numbers of rows in another program's table. @param collection its name in the definitions. */
export function existingNumberTests<Stored extends Item & Revised>(
  { database, make, store, remove }: TestedRepository<Stored>,
  collection: string,
): void {
  test('an id of a removed item is not used again: 503', async () => {
    const { id, values } = await make();
    const text = `insert into "_numeric_tombstones" ("collection", "id")
      select $2::text, generate_series($1::bigint + 1, $1::bigint + 1000)`;
    await database.query({ text }, [id, collection]);
    await remove(database, id);
    await expect(store(database, values)).rejects.toMatchObject({ statusCode: 503 });
  });
}

/** Tests numbers that a sequence of the service assigns. */
export function sequenceTests<Stored extends Item & Revised>({
  database,
  table,
  make,
  store,
  remove,
}: TestedRepository<Stored>): void {
  describe('the sequence of ids', () => {
    const sequence = `pg_get_serial_sequence('${table}', 'id')`;
    const setNext = { text: `select setval(${sequence}, $1::bigint, false)` };
    const setToEnd = {
      text: `select setval(${sequence}, "seqmax") from pg_sequence where "seqrelid" = ${sequence}::regclass`,
    };

    test('returns the id of an item that exists or was removed: 503', async () => {
      const { id, values } = await make();
      await database.query(setNext, [id]);
      await expect(store(database, values)).rejects.toMatchObject({ statusCode: 503 });
      await remove(database, id);
      await database.query(setNext, [id]);
      await expect(store(database, values)).rejects.toMatchObject({ statusCode: 503 });
      expect(await store(database, values)).not.toBe(id);
    });

    test('has ended: 503', async () => {
      const { id, values } = await make();
      await remove(database, id);
      await database.query(setToEnd);
      await expect(store(database, values)).rejects.toMatchObject({ statusCode: 503 });
      await database.query(setNext, [Number(id) + 1]);
      expect(await store(database, values)).toBe(String(Number(id) + 1));
    });
  });
}
