/** The names of unique indexes of existing tables, against those that PostgreSQL gives. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { defaultIndexName } from '../../../src/model/existing-indexes.ts';
import { quoted } from '../../../src/shared/sql.ts';
import { emptyDatabase } from '../../support/pglite.ts';

/** Names as PostgreSQL takes them: at most 63 bytes. */
const name = fc
  .string({
    unit: fc.constantFrom('a', 'Z', '_', '1', ' ', "'", '"', 'ä', '語'),
    minLength: 1,
    maxLength: 63,
  })
  .map((text) => {
    let cut = text;
    while (Buffer.byteLength(cut) > 63) cut = Array.from(cut).slice(0, -1).join('');
    return cut;
  })
  .filter((text) => text.trim() !== '');

test('a unique constraint without a name has the default name', async () => {
  const database = await emptyDatabase();
  await fc.assert(
    fc.asyncProperty(
      name,
      fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
      async (table, columns) => {
        const list = columns.map(quoted);
        await database.exec(
          `create table ${quoted(table)} (${list.map((column) => `${column} int`).join(', ')}, unique (${list.join(', ')}))`,
        );
        const { rows } = await database.query<{ name: string }>(
          `select conname as "name" from pg_constraint where conrelid = to_regclass($1) and contype = 'u'`,
          [quoted(table)],
        );
        await database.exec(`drop table ${quoted(table)}`);
        expect(defaultIndexName(table, columns)).toBe(rows[0]?.name);
      },
    ),
    { examples: [['t'.repeat(40), ['c'.repeat(39)]]] },
  );
});
