/** A database that was brought up to date has the schema of a new one, and its rows: on PGlite. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { nextMigrations } from '../../../src/migration/chain.ts';
import { planMigration } from '../../../src/migration/index.ts';
import type { OpenDatabase } from '../../../templates/service/src/platform/database/database.ts';
import {
  createInMemory,
  overPglite,
} from '../../../templates/service/src/platform/database/pglite.ts';
import { apply, freshCatalog, inSchema, play } from './apply.ts';
import { CASES } from './cases.ts';
import { testSqlWrites } from './sql-writes.ts';
import { catalogOf, initialSql, modelOf } from './support.ts';

let database: OpenDatabase;

beforeAll(async () => {
  database = overPglite(await createInMemory(), () => {});
}, 60_000);
afterAll(() => database.close());

describe('a migrated schema is that of a new service', () => {
  test.each(CASES)('$title', async (one) => {
    const outcome = await play(database, one);
    expect(outcome.issues).toEqual([]);
    expect(outcome.refused ?? '').toContain(one.refused ?? '');
    expect(outcome.refused === undefined).toBe(one.refused === undefined);
    expect(outcome.migrated).toEqual(outcome.fresh);
    expect(outcome.kept).toEqual(one.kept?.slice(1) ?? []);
    expect(outcome.losses.toSorted()).toEqual(one.losses?.toSorted() ?? []);
    expect(outcome.isDone).toBe(true);
  });
});

test.each(CASES.filter((one) => one.existing !== undefined && one.refused === undefined))(
  'migrations need no view of an existing table: $title',
  async (one) => {
    const outcome = await play(database, { ...one, kept: ['select 1 as "one"'] }, false);
    expect(outcome).toMatchObject({ issues: [], refused: undefined });
    expect(outcome.migrated).toEqual(outcome.fresh);
  },
);

test('migrations pass over references to an existing table that is gone by now', async () => {
  const films =
    'films: { table: gone.film, key: { type: integer, column: film_id }, history: {}, fields: { title: { type: string } } }';
  const reference = 'type: reference, to: films, on_delete';
  const notes = (fields: string): string => `notes: { fields: { ${fields} } }`;
  const reviews = (fields: string, rest = ''): string =>
    `reviews: { ${rest}fields: { body: { type: string }${fields} } }`;
  const models = await Promise.all([
    modelOf(`${films}\n${reviews('')}\n${notes(`film_id: { ${reference}: refuse }`)}`),
    // One is added online, and the other has another action.
    modelOf(
      `${films}\n${reviews(`, film_id: { ${reference}: clear }`)}\n${notes(`film_id: { ${reference}: cascade }`)}`,
    ),
    // The table and the field of one are renamed, and the other has another name and no action.
    modelOf(
      `${films}\nopinions: { renamed_from: reviews, fields: { body: { type: string }, film_id: { ${reference}: clear } } }\n` +
        notes(`movie_id: { ${reference}: cascade, renamed_from: film_id }`),
    ),
    // A table is renamed, and its reference has another action.
    modelOf(
      `${films}\ncomments: { renamed_from: opinions, fields: { body: { type: string }, film_id: { ${reference}: refuse } } }\n` +
        notes(`movie_id: { ${reference}: cascade }`),
    ),
    // The service keeps its schema.
    modelOf(`comments: { fields: { body: { type: string } } }\n# table: gone`),
  ]);
  const files = [{ name: '0001_initial', text: await initialSql(models[0]) }];
  for (const [at, now] of models.slice(1).entries()) {
    files.push(...nextMigrations(files, planMigration(models[at]!, now)));
  }
  const texts = files.map(({ text }) => text).join('\n');
  expect(texts.split('rename constraint').length).toBeGreaterThan(1);
  expect(texts.split(`to_regclass('"gone"."film"')`).length).toBeGreaterThan(4);
  await inSchema(database, 'migrated');
  await apply(database, files);
  const migrated = await catalogOf(database);
  expect(migrated).toEqual(await freshCatalog(database, models.at(-1)!));
});

describe('what SQL writes', () => {
  testSqlWrites(() => database);
});
