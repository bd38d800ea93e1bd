/**
 * Names that every JavaScript object inherits, such as `constructor`, are names like any other, in definitions and in
 * the catalogs of databases: nothing looks up a user's name in an object that inherits.
 */
import { expect, test } from 'vitest';

import { compareTables } from '../../src/commands/check/compare-tables.ts';
import { renderProject } from '../../src/project/render-project.ts';
import { readSchema } from '../../src/database/read-schema.ts';
import { parseFolder } from '../../src/definition/index.ts';
import { planImport } from '../../src/import/plan-import.ts';
import { planMigration } from '../../src/migration/index.ts';
import { buildModel } from '../../src/model/build.ts';
import type { Model } from '../../src/model/types.ts';
import { NPM } from '../../src/shared/package-manager.ts';
import { storedTable } from '../../src/verification/stored-table.ts';
import { emptyDatabase } from '../support/pglite.ts';
import { lines, single } from './definition/support.ts';

const INHERITED = Object.getOwnPropertyNames(Object.prototype);
const VALUES = JSON.stringify(INHERITED);

/** Of these names, one is snake_case: `constructor`. */
const NAMES = INHERITED.filter((name) => /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name));

/** A collection with a name wherever one may stand. @param table the keys of an existing table. */
const collectionWith = (name: string, table: string): string => `
  ${name}s:
    singular: ${name}
    ${table}
    fields:
      ${name}: { type: string, unique: true, renamed_from: ${name === 'x' ? 'y' : 'x'} }
      ${name}_id: { type: reference, to: ${name}s, name_in: { 1: ${name}_of_old_id } }
      values: { type: enum, values: ${VALUES}, default: toString, name_in: { 1: ${name}_values } }
      status: { type: enum, values: [{ value: valueOf, since: 2, as: toString }, toString, __proto__], transitions: { valueOf: [toString], toString: [__proto__], __proto__: [] }, default: toString }
      round: { type: integer, type_in: { 1: { type: string } } }
      object: { type: object, properties: { ${name}: { type: string, default: __proto__ } }, default: { ${name}: valueOf } }
      data: { type: json, default: { toString: 1, ${name}: { valueOf: 2 } } }
    sort: [${name}, round]
    filter: [${name}, status]
    ${table === '' ? `search: [${name}]` : ''}
    unique: [{ fields: [round], where: "${name} != 'toString' and status = 'toString'" }]
    checks: { ${name}: { rule: "${name} != 'valueOf' or round > 3" } }
  drivers: { ${table === '' ? '' : table.replaceAll('\n    ', ', ').replace('table: ', 'table: driver_')}${table === '' ? '' : ', '}fields: { ${name}_id: { type: reference, to: ${name}s, nested: true } }, include: [${name}_id] }`;

const serviceWith = (collection: string, schema: string): string =>
  `name: racing\n${schema}\nversions: [1, 2]\nroles: [${NAMES.join(', ')}]\ncollections:${collection}\n`;

/** Checks the definitions, and makes all that they yield. */
async function rendered(text: string): Promise<Model> {
  const definitions = await single(text);
  if (!definitions.ok) throw new Error(lines(definitions).join('\n'));
  const files = await renderProject(definitions, { tool: '1.2.3', manager: NPM });
  // In a literal, this key would set the prototype.
  const literals = files.filter(
    ({ path, text: code }) =>
      path.startsWith('src/') && path.endsWith('.ts') && /[{,]\s*['"]?__proto__['"]?:/.test(code),
  );
  expect(literals.map(({ path }) => path)).toEqual([]);
  return buildModel(definitions.service);
}

test.each(NAMES)('%s may stand wherever a definition has a name', async (name) => {
  const own = await rendered(serviceWith(collectionWith(name, ''), ''));
  const other = await rendered(serviceWith(collectionWith('x', ''), ''));
  expect(planMigration(other, own)?.issues).toEqual([]);
  expect(planMigration(own, other)?.issues).toBeDefined();
  const table = `table: ${name}\n    key: { type: integer, column: ${name}_key }\n    history: {}`;
  await rendered(serviceWith(collectionWith(name, table), 'schema: service'));
});

const database = await emptyDatabase();

test.each([{ timestamps: 'utc' } as const, undefined])(
  'a catalog may have any of these names for anything: %j',
  async (adopt) => {
    const statements = INHERITED.map((name, at) => {
      const type = `"${name}"`;
      return `create type "others".${type} as enum (${INHERITED.map((value) => `'${value}'`).join(', ')});
        create domain "others"."d${name}" as text check (value <> '${name}');
        create table ${type} (${type} serial primary key, "${name}_text" text default '${name}' not null,
          "a${at}" "others".${type} default '${name}', "b" "others"."d${name}", "c" ${type}[] , "${name}_ref" integer references ${type},
          constraint "c${name}" check ("${name}_text" <> '${name}x'), constraint "u${name}" unique ("${name}_text"));`;
    });
    await database.exec(
      `drop schema if exists "public", "others" cascade; create schema "public"; create schema "others";
       set search_path = "public", "others"; ${statements.join('\n')}`,
    );
    const query = async <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> =>
      (await database.query<Row>(text, [...(values ?? [])])).rows;
    const schema = await readSchema({ query }, ['public']);
    const checkpoint = async () => Promise.resolve();
    const { files, tables } = await planImport(schema, { service: 'shop', adopt, checkpoint });
    expect(tables.map(({ table }) => table).toSorted()).toEqual(INHERITED.toSorted());
    expect(tables.filter(({ definition }) => definition === null)).toEqual([]);
    const definitions = await parseFolder(files, { fallbackName: 'shop' });
    if (!definitions.ok) throw new Error(lines(definitions).join('\n'));
    if (adopt === undefined) return;
    const { collections } = buildModel(definitions.service);
    expect(compareTables(collections, schema)).toEqual([]);
    // What verify reads of each table.
    for (const collection of collections) {
      const { selectRange, members, selectIds } = storedTable(collection);
      expect(members.length).toBeGreaterThan(0);
      expect(await query(selectRange, [null, null, 1])).toEqual([]);
      for (const sort of collection.definition.sort) await query(selectIds(sort, 1));
    }
  },
);
