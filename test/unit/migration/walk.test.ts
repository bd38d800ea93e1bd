/**
 * A service that changes thirty times, with rows in it: each change keeps every value that it should
 * keep, says so where it loses some, and in the end the schema is that of a new service. On PGlite.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { nextMigrations } from '../../../src/migration/chain.ts';
import type { MigrationFile } from '../../../src/migration/chain.ts';
import { planMigration } from '../../../src/migration/index.ts';
import type { OpenDatabase } from '../../../templates/service/src/platform/database/database.ts';
import {
  createInMemory,
  overPglite,
} from '../../../templates/service/src/platform/database/pglite.ts';
import { apply, freshCatalog, inSchema } from './apply.ts';
import { catalogOf, initialSql, modelOfFile } from './support.ts';

const STEPS = 30;

/** A field as it is written, its place in the tables of this test, and two values as SQL tells them. */
interface Field {
  name: string;
  written: Record<string, unknown>;
  readonly values: readonly [string, string];
}

interface Collection {
  name: string;
  readonly fields: Field[];
  readonly search: Set<Field>;
  readonly filter: Set<Field>;
  readonly rows: Map<string, Map<Field, string | null>>;
  renamedFrom?: string;
}

const KINDS = [
  [{ type: 'string', max_length: 50 }, ['one', "it's"]],
  [{ type: 'text' }, ['some words', 'é 😀']],
  [{ type: 'integer' }, ['5', '-7']],
  [{ type: 'bigint' }, ['9223372036854775807', '0']],
  [{ type: 'number' }, ['1.5', '-2']],
  [{ type: 'boolean' }, ['true', 'false']],
  [{ type: 'decimal', precision: 10, scale: 2 }, ['12.50', '0.00']],
  [{ type: 'enum', values: ['low', 'high'] }, ['low', 'high']],
  [{ type: 'date' }, ['2026-01-31', '1999-12-31']],
] as const;

/** A random walk: what the service is, and what its rows should be. */
class Walk {
  readonly collections: Collection[] = [];
  private made = 0;
  private readonly dice: Iterator<number>;

  constructor(dice: Iterator<number>) {
    this.dice = dice;
    this.addCollection();
    this.addCollection();
  }

  private roll(sides: number): number {
    return Number(this.dice.next().value) % sides;
  }

  private pick<One>(from: readonly One[]): One {
    return from[this.roll(from.length)] as One;
  }

  private newName(prefix: string, suffix = ''): string {
    this.made++;
    return `${prefix}${this.made}${suffix}`;
  }

  private newField(extra: (values: readonly [string, string]) => object = () => ({})): Field {
    const [written, values] = this.pick(KINDS);
    return { name: this.newName('field'), written: { ...written, ...extra(values) }, values };
  }

  private addCollection(): void {
    const field = this.newField();
    this.collections.push({
      name: this.newName('x', '_things'),
      fields: [field],
      search: new Set(),
      filter: new Set(),
      rows: new Map(),
    });
  }

  /** A value of a field as it stands in a definition. */
  private static literal({ type }: Record<string, unknown>, value: string): unknown {
    if (type === 'boolean') return value === 'true';
    return type === 'integer' || type === 'number' ? Number(value) : value;
  }

  /** Changes one thing. @returns whether data goes with it. */
  step(): boolean {
    for (const one of this.collections) {
      delete one.renamedFrom;
      for (const { written } of one.fields) {
        delete written['renamed_from'];
        delete written['backfill'];
      }
    }
    const collection = this.pick(this.collections);
    const field = this.pick(collection.fields);
    const { rows } = collection;
    const { type } = field.written;
    const fill = (added: Field, value: string | null): void => {
      collection.fields.push(added);
      for (const row of rows.values()) row.set(added, value);
    };
    const changes: readonly (() => boolean | undefined)[] = [
      () => (fill(this.newField(), null), false),
      () => {
        const added = this.newField();
        added.written['default'] = Walk.literal(added.written, added.values[0]);
        fill(added, added.values[0]);
        return false;
      },
      () => {
        const added = this.newField();
        Object.assign(added.written, {
          required: true,
          backfill: Walk.literal(added.written, added.values[1]),
        });
        fill(added, added.values[1]);
        return false;
      },
      () => {
        field.written['renamed_from'] = field.name;
        field.name = this.newName('field');
        return false;
      },
      () => {
        collection.renamedFrom = collection.name;
        collection.name = this.newName('x', '_things');
        return false;
      },
      () => {
        if (collection.fields.length < 2) return undefined;
        collection.fields.splice(collection.fields.indexOf(field), 1);
        collection.search.delete(field);
        collection.filter.delete(field);
        return true;
      },
      () => {
        if (this.collections.length < 3) return undefined;
        this.collections.splice(this.collections.indexOf(collection), 1);
        return true;
      },
      () => {
        if (this.collections.length > 4) return undefined;
        this.addCollection();
        return false;
      },
      () => {
        if ('default' in field.written) return undefined;
        const isFull = [...rows.values()].every((row) => row.get(field) !== null);
        if (!isFull && field.written['required'] !== true) return undefined;
        field.written['required'] = field.written['required'] !== true;
        return false;
      },
      () => {
        if (type === 'integer') field.written['type'] = 'bigint';
        else if (field.written['max_length'] === 50) field.written['max_length'] = 500;
        else if (field.written['scale'] === 2) field.written['precision'] = 15;
        else return undefined;
        // As text, for a bigint.
        if ('default' in field.written && field.written['type'] === 'bigint') {
          field.written['default'] = String(field.written['default']);
        }
        return false;
      },
      () => {
        // Lists are not filtered by long texts.
        const isSearched = type === 'text' || (type === 'string' && this.roll(2) === 0);
        const list = isSearched ? collection.search : collection.filter;
        if (!list.delete(field)) list.add(field);
        return false;
      },
    ];
    for (;;) {
      const loses = this.pick(changes)();
      if (loses !== undefined) return loses;
    }
  }

  /** The definitions, as one file. */
  written(): string {
    const named = (fields: Iterable<Field>): string[] => Array.from(fields, ({ name }) => name);
    return JSON.stringify({
      name: 'shop',
      collections: Object.fromEntries(
        this.collections.map(({ name, fields, search, filter, renamedFrom }) => [
          name,
          {
            fields: Object.fromEntries(fields.map((field) => [field.name, field.written])),
            search: named(search),
            filter: named(filter),
            ...(renamedFrom !== undefined && { renamed_from: renamedFrom }),
          },
        ]),
      ),
    });
  }

  /** A statement that adds a row to each collection. */
  insert(): string {
    return this.collections
      .map(({ name, fields, search, rows }) => {
        const id = `00000000-0000-7000-8000-${String(++this.made).padStart(12, '0')}`;
        const row = new Map(
          fields.map((field): [Field, string | null] => {
            const isEmpty = field.written['required'] !== true && this.roll(3) === 0;
            return [field, isEmpty ? null : this.pick(field.values)];
          }),
        );
        rows.set(id, row);
        const columns = [
          ...fields.map((field) => field.name),
          ...(search.size > 0 ? ['_words'] : []),
        ];
        const values = [...row.values(), ...(search.size > 0 ? ['{}'] : [])].map((value) =>
          value === null ? 'null' : `'${value.replaceAll("'", "''")}'`,
        );
        return `insert into "${name}" ("id", ${columns.map((one) => `"${one}"`).join(', ')})
          values ('${id}', ${values.join(', ')})`;
      })
      .join(';\n');
  }
}

let database: OpenDatabase;

beforeAll(async () => {
  database = overPglite(await createInMemory(), () => {});
}, 60_000);
afterAll(() => database.close());

/** All rows of a collection, by id: its values as SQL tells them. */
async function stored({ name, fields }: Collection): Promise<unknown> {
  const columns = fields.map((field) => `"${field.name}"::text`);
  const rows = await database.query<Record<string, string | null>>({
    text: `select "id", ${columns.join(', ')} from "${name}" order by "id"`,
  });
  return rows.map(({ id, ...values }) => [id, values]);
}

const expected = ({ fields, rows }: Collection): unknown =>
  [...rows].map(([id, row]) => [
    id,
    Object.fromEntries(fields.map((field) => [field.name, row.get(field)])),
  ]);

test('thirty changes in a row keep the rows, and lead to the schema of a new service', async () => {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (dice) => {
      const walk = new Walk(dice);
      let model = await modelOfFile(walk.written());
      const files: MigrationFile[] = [{ name: '0001_initial', text: await initialSql(model) }];
      await inSchema(database, 'migrated');
      await apply(database, files);
      for (let step = 0; step < STEPS; step++) {
        await database.query({ text: walk.insert() });
        const loses = walk.step();
        const now = await modelOfFile(walk.written());
        const migration = planMigration(model, now);
        expect(migration?.issues ?? []).toEqual([]);
        expect((migration?.losses.length ?? 0) > 0).toBe(loses);
        files.push(...nextMigrations(files, migration));
        await apply(database, files);
        for (const collection of walk.collections) {
          expect(await stored(collection)).toEqual(expected(collection));
        }
        model = now;
      }
      const migrated = await catalogOf(database);
      expect(migrated).toEqual(await freshCatalog(database, model));
    }),
    { numRuns: 4, endOnFailure: true },
  );
}, 300_000);
