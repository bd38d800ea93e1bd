/** The repository of authors: transactions, and concurrent changes. */
import { beforeEach, describe, expect, test } from 'vitest';

import {
  createAuthor as create,
  deleteAuthor as remove,
  findAuthor as find,
  updateAuthor as update,
} from '../../src/collections/authors/repository.ts';
import { AuthorComputed } from '../../src/collections/authors/schema.ts';
import type { AuthorValues } from '../../src/collections/authors/schema.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { revisionOf } from '../../src/platform/http/preconditions.ts';
import { createAuthor as make } from '../support/items/authors.ts';
import { computedOf } from '../support/expected.ts';
import { runsOf, testRaces, testRule } from '../support/repositories.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();
const { database } = service;

beforeEach(() => service.clear());

/** Creates an author. @returns its id and stored values. */
async function makeStored(): Promise<{ id: string; values: AuthorValues }> {
  const { id } = await make(service);
  let values = {} as AuthorValues;
  await update(database, id, undefined, (stored) => {
    values = stored;
    return stored;
  });
  return { id, values };
}

/** Inserts an author. @returns its id. */
async function store(transaction: Database, values: AuthorValues): Promise<string> {
  const { id } = await create(transaction, values);
  return id;
}

const repository = { make: makeStored, store, find, update, remove };

testRaces(database, repository);

describe.each(runsOf(database))('%s', (_name, run) => {
  testRule(database, repository, run, '"authors"');

  test('inserts, updates and deletes', async () => {
    const { id: first, values } = await makeStored();
    await run(async (transaction) => {
      await remove(transaction, first);
      const id = await store(transaction, values);
      const stored = await find(transaction, id);
      const changed = await update(transaction, id, revisionOf(stored), (same) => same);
      expect(changed).toEqual({
        ...stored,
        updated_at: changed.updated_at,
        ...computedOf(changed, AuthorComputed),
      });
      expect(changed.updated_at).not.toBe(stored.updated_at);
      await remove(transaction, id, revisionOf(changed));
      await expect(find(transaction, id)).rejects.toMatchObject({ statusCode: 410 });
    });
  });

  test('a refused change throws its HTTP error, and keeps the changes before it', async () => {
    const { id } = await makeStored();
    const revision = revisionOf(await find(database, id));
    const kept = await run(async (transaction) => {
      const changed = await update(transaction, id, undefined, (stored) => stored);
      await expect(remove(transaction, id, revision)).rejects.toMatchObject({ statusCode: 412 });
      return changed;
    });
    expect(await find(database, id)).toEqual(kept);
  });
});
