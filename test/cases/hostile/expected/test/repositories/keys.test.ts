/** The repository of keys: transactions, and concurrent changes. */
import { beforeEach, describe, expect, test } from 'vitest';

import {
  createKeyItem as create,
  deleteKeyItem as remove,
  findKeyItem as find,
  updateKeyItem as update,
} from '../../src/collections/keys/repository.ts';
import { KeyItemComputed } from '../../src/collections/keys/schema.ts';
import type { KeyItemValues } from '../../src/collections/keys/schema.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createKeyItem as make } from '../support/items/keys.ts';
import { computedOf } from '../support/expected.ts';
import { runsOf, testRaces, testRule } from '../support/repositories.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

beforeEach(() => service.clear());

/** Creates a key. @returns its id and stored values. */
async function makeStored(): Promise<{ id: string; values: KeyItemValues }> {
  const { id } = await make(service);
  let values = {} as KeyItemValues;
  await update(database, id, undefined, (stored) => {
    values = stored;
    return stored;
  });
  return { id, values };
}

/** Inserts a key. @returns its id. */
async function store(transaction: Database, values: KeyItemValues): Promise<string> {
  const { id } = await create(transaction, values);
  return id;
}

const repository = { make: makeStored, store, find, update, remove };

testRaces(database, repository);

describe.each(runsOf(database))('%s', (_name, run) => {
  testRule(database, repository, run, '"keys"');

  test('inserts, updates and deletes', async () => {
    const { id: first, values } = await makeStored();
    await run(async (transaction) => {
      await remove(transaction, first);
      const id = await store(transaction, values);
      const stored = await find(transaction, id);
      const changed = await update(transaction, id, stored.updated_at, (same) => same);
      expect(changed).toEqual({
        ...stored,
        updated_at: changed.updated_at,
        ...computedOf(changed, KeyItemComputed),
      });
      expect(changed.updated_at).not.toBe(stored.updated_at);
      await remove(transaction, id, changed.updated_at);
      await expect(find(transaction, id)).rejects.toMatchObject({ statusCode: 410 });
    });
  });

  test('a refused change throws its HTTP error, and keeps the changes before it', async () => {
    const { id } = await makeStored();
    const { updated_at: revision } = await find(database, id);
    const kept = await run(async (transaction) => {
      const changed = await update(transaction, id, undefined, (stored) => stored);
      await expect(remove(transaction, id, revision)).rejects.toMatchObject({ statusCode: 412 });
      return changed;
    });
    expect(await find(database, id)).toEqual(kept);
  });
});
