/** Tests of a repository whose rows are in another program's table. */
import { expect, test } from 'vitest';

import type { Revised } from '../../src/platform/http/preconditions.ts';
import { A_TIME } from './expected.ts';
import type { TestedRepository } from './repository-tests.ts';
import type { Item } from './service.ts';

/** Tests that the service sets the time of the last change. */
export function updateTimeTests<Stored extends Item & Revised>({
  database,
  table,
  make,
  update,
}: TestedRepository<Stored>): void {
  test('an update sets updated_at', async () => {
    const { id } = await make();
    const text = `update ${table} set "updated_at" = '2001-01-01' where "id" = $1`;
    await database.query({ text }, [id]);
    const { updated_at: time } = await update(database, id, undefined, (same) => same);
    expect(time).not.toMatch(/^2001-/);
  });
}

/** Tests times that are null in rows of the other program. */
export function nullableTimesTests<Stored extends Item & Revised>(
  { database, table, make, find, update }: TestedRepository<Stored>,
  times: readonly string[],
): void {
  const all = (time: unknown): object => Object.fromEntries(times.map((name) => [name, time]));
  const cleared = times.map((name) => `"${name}" = null`).join(', ');

  test('a new item has its times; they are null in a row that another program inserted without them', async () => {
    const { id } = await make();
    expect(await find(database, id)).toMatchObject(all(A_TIME));
    await database.query({ text: `update ${table} set ${cleared} where "id" = $1` }, [id]);
    expect(await find(database, id)).toMatchObject(all(null));
    const changed = await update(database, id, undefined, (same) => same);
    const updated = times.includes('updated_at') ? { updated_at: A_TIME } : {};
    expect(changed).toMatchObject({ ...all(null), ...updated });
  });
}

/**
 * Tests rows that a removal keeps.
 * @param removed SQL that selects the row of the item `$1`, if it is removed.
 * @param mark SQL that marks this row as removed.
 */
export function softDeletionTests<Stored extends Item & Revised>(
  { database, make, find, remove }: TestedRepository<Stored>,
  removed: string,
  mark: string,
): void {
  test('a removal keeps the row, and a row that another program marked is removed (410)', async () => {
    const { id: first } = await make();
    const { id: second } = await make();
    expect(await database.query({ text: removed }, [first])).toEqual([]);
    await remove(database, first);
    expect(await database.query({ text: removed }, [first])).toHaveLength(1);
    await database.query({ text: mark }, [second]);
    await expect(find(database, second)).rejects.toMatchObject({ statusCode: 410 });
    await expect(remove(database, second)).rejects.toMatchObject({ statusCode: 410 });
  });
}
