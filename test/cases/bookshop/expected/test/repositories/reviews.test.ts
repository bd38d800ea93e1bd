/** The repository of reviews: transactions, and concurrent changes. */
import { beforeEach, describe, expect, test } from 'vitest';

import {
  createReview as create,
  deleteReview as remove,
  findReview as find,
  updateReview as update,
} from '../../src/collections/reviews/repository.ts';
import { ReviewComputed } from '../../src/collections/reviews/schema.ts';
import type { ReviewValues } from '../../src/collections/reviews/schema.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { revisionOf } from '../../src/platform/http/preconditions.ts';
import { createReview as make } from '../support/items/reviews.ts';
import { computedOf, NO_ID } from '../support/expected.ts';
import { runsOf, testOwner, testRaces, testRule } from '../support/repositories.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();
const { database } = service;

beforeEach(() => service.clear());

/** Creates a review. @returns its id and stored values. */
async function makeStored(): Promise<{ id: string; values: ReviewValues }> {
  const { id } = await make(service);
  let values = {} as ReviewValues;
  await update(database, id, undefined, (stored) => {
    values = stored;
    return stored;
  });
  return { id, values };
}

/** Inserts a review. @returns its id. */
async function store(transaction: Database, values: ReviewValues): Promise<string> {
  const { id } = await create(transaction, values);
  return id;
}

const repository = { make: makeStored, store, find, update, remove };

testRaces(database, repository);

testOwner(database, repository, 'update "reviews" set "_owner_id" = $2 where "id" = $1');

describe.each(runsOf(database))('%s', (_name, run) => {
  testRule(database, repository, run, '"reviews"');

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
        ...computedOf(changed, ReviewComputed),
      });
      expect(changed.updated_at).not.toBe(stored.updated_at);
      await remove(transaction, id, revisionOf(changed));
      await expect(find(transaction, id)).rejects.toMatchObject({ statusCode: 410 });
    });
  });

  test('a refused change throws its HTTP error, and keeps the changes before it', async () => {
    const { id, values } = await makeStored();
    const revision = revisionOf(await find(database, id));
    const kept = await run(async (transaction) => {
      const changed = await update(transaction, id, undefined, (stored) => stored);
      for (const member of ['book_id']) {
        const broken = { ...values, [member]: NO_ID };
        const refusal = {
          statusCode: 422,
          message: `${member} refers to an item that does not exist.`,
        };
        await expect(store(transaction, broken)).rejects.toMatchObject(refusal);
        await expect(update(transaction, id, undefined, () => broken)).rejects.toMatchObject(
          refusal,
        );
      }
      await expect(remove(transaction, id, revision)).rejects.toMatchObject({ statusCode: 412 });
      return changed;
    });
    expect(await find(database, id)).toEqual(kept);
  });
});
