/** The repository of records: transactions, and concurrent changes. */
import { beforeEach, describe, expect, test } from 'vitest';

import {
  createRecordItem as create,
  deleteRecordItem as remove,
  findRecordItem as find,
  updateRecordItem as update,
} from '../../src/collections/records/repository.ts';
import { RecordItemComputed } from '../../src/collections/records/schema.ts';
import type { RecordItemValues } from '../../src/collections/records/schema.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createRecordItem as make } from '../support/items/records.ts';
import { computedOf } from '../support/expected.ts';
import { runsOf, testRaces, testRule } from '../support/repositories.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

beforeEach(() => service.clear());

/** Creates a record. @returns its id and stored values. */
async function makeStored(): Promise<{ id: string; values: RecordItemValues }> {
  const { id } = await make(service);
  let values = {} as RecordItemValues;
  await update(database, id, undefined, (stored) => {
    values = stored;
    return stored;
  });
  return { id, values };
}

/** Inserts a record. @returns its id. */
async function store(transaction: Database, values: RecordItemValues): Promise<string> {
  const { id } = await create(transaction, values);
  return id;
}

const repository = { make: makeStored, store, find, update, remove };

testRaces(database, repository);

describe.each(runsOf(database))('%s', (_name, run) => {
  testRule(database, repository, run, '"records"');

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
        ...computedOf(changed, RecordItemComputed),
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
