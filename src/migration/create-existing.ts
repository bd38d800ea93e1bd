/** SQL that creates existing tables as far as the definitions know them, for PGlite and for databases of tests. */
import { existingOf, isExisting } from '../model/existing.ts';
import { withoutId } from '../model/columns.ts';
import type { CollectionDefinition, ExistingTable } from '../definition/types.ts';
import type { Collection, Model } from '../model/types.ts';
import { quoted } from '../shared/sql.ts';
import { keySpec } from '../types/key.ts';
import {
  addExistingForeignKey,
  columnLine,
  createEnumType,
  createUniqueIndex,
  enumTypeName,
  serviceColumns,
} from './existing-table-sql.ts';
import { existingName } from './existing-tables.ts';
import { identity } from './statements.ts';

/** The statements: schemas, enum types, tables, and then foreign keys. */
export function createExisting(model: Model): string[] {
  const collections = model.collections.filter(isExisting);
  return [
    ...createSchemas(collections),
    ...createEnumTypes(collections),
    ...collections.map(createExistingTable),
    ...collections.flatMap((collection) =>
      collection.relations.map((relation) => addExistingForeignKey(collection, relation)),
    ),
  ];
}

function createSchemas(collections: readonly Collection[]): string[] {
  const schemas = collections.flatMap(({ definition: { existing, fields } }) => [
    ...(existing === undefined ? [] : [existing.schema]),
    ...fields.flatMap(({ stored }) => stored?.schema ?? []),
  ]);
  return [...new Set(schemas)]
    .filter((schema) => schema !== 'public')
    .map((schema) => `create schema if not exists ${quoted(schema)};`);
}

/** Several columns may have one type: then it has the values of all. */
function createEnumTypes(collections: readonly Collection[]): string[] {
  const types = new Map<string, Set<string>>();
  for (const { stored, type } of collections.flatMap(({ definition }) => definition.fields)) {
    if (stored === undefined || type.type !== 'enum') continue;
    const name = enumTypeName(stored);
    types.set(name, new Set([...(types.get(name) ?? []), ...type.values]));
  }
  return Array.from(types, ([name, values]) => createEnumType(name, values));
}

function createExistingTable({ definition, table }: Collection): string {
  const existing = existingOf(table);
  const lines = [
    keyLine(definition, existing),
    ...withoutId(table.columns).map(columnLine),
    ...serviceColumns(existing).map(({ line }) => line),
  ];
  const indexes = table.indexes
    .filter(({ fields }) => fields.join() !== 'id')
    .map((index) => createUniqueIndex(existing, index));
  return [
    `create table ${existingName(existing)} (\n  ${lines.join(',\n  ')}\n);`,
    ...indexes,
  ].join('\n');
}

function keyLine({ key, keySource }: CollectionDefinition, existing: ExistingTable): string {
  const { sql } = keySpec(key);
  const source = {
    service: ' default gen_random_uuid()',
    database: ` ${identity(1n)}`,
    client: '',
  }[keySource];
  const { keyName: name } = existing;
  const constraint = name === undefined ? '' : ` constraint ${quoted(name)}`;
  return `${quoted(existing.key)} ${sql}${source}${constraint} primary key`;
}
