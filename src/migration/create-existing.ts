/** SQL that creates existing tables as far as the definitions know them, for PGlite and for databases of tests. */
import { ON_DELETE } from '../model/build.ts';
import { columnOfMember, existingOf, isExisting } from '../model/existing.ts';
import { withoutId } from '../model/columns.ts';
import type { Column } from '../model/columns.ts';
import type { CollectionDefinition, ExistingTable } from '../definition/types.ts';
import { isKept } from '../shared/soft-delete.ts';
import type { SoftDelete } from '../shared/soft-delete.ts';
import type { Collection, Model } from '../model/types.ts';
import { literal, quoted } from '../shared/sql.ts';
import { keySpec } from '../types/key.ts';
import { existingName } from './existing-tables.ts';
import { identity } from './statements.ts';

/** The statements: schemas, enum types, tables, and then foreign keys. */
export function createExisting(model: Model): string[] {
  const collections = model.collections.filter(isExisting);
  return [
    ...createSchemas(collections),
    ...createEnumTypes(collections),
    ...collections.map(createExistingTable),
    ...collections.flatMap(foreignKeys),
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
    const name = `${quoted(stored.schema)}.${quoted(stored.type)}`;
    types.set(name, new Set([...(types.get(name) ?? []), ...type.values]));
  }
  return Array.from(
    types,
    ([name, values]) => `create type ${name} as enum (${[...values].map(literal).join(', ')});`,
  );
}

function createExistingTable({ definition, table }: Collection): string {
  const existing = existingOf(table);
  const lines = [
    keyLine(definition, existing),
    ...withoutId(table.columns).map(columnLine),
    ...Object.values(existing.times).map(
      (column) => `${quoted(column)} timestamptz not null default now()`,
    ),
    ...(existing.softDelete === undefined ? [] : [softDeleteLine(existing.softDelete)]),
  ];
  const others = table.indexes.filter(({ fields }) => fields.join() !== 'id');
  const indexes = others.map(({ name, on, where }) => {
    // The values of a removed item are free again.
    const conditions = [
      ...(where === undefined ? [] : [where.condition]),
      ...(existing.softDelete === undefined
        ? []
        : [isKept(quoted(existing.softDelete.column), existing.softDelete)]),
    ];
    const rows = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
    return `create unique index ${quoted(name)} on ${existingName(existing)} (${on.join(', ')})${rows};`;
  });
  return [
    `create table ${existingName(existing)} (\n  ${lines.join(',\n  ')}\n);`,
    ...indexes,
  ].join('\n');
}

const softDeleteLine = ({ column, type }: SoftDelete): string =>
  `${quoted(column)} ${type === 'boolean' ? 'boolean not null default false' : 'timestamptz'}`;

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

function columnLine({ field, source = field, ...column }: Column): string {
  const { definition, nullable, default: value, identity: first } = column;
  return [
    quoted(source),
    definition,
    ...(nullable ? [] : ['not null']),
    ...(value === undefined ? [] : [`default ${value}`]),
    ...(first === undefined ? [] : [identity(first)]),
  ].join(' ');
}

function foreignKeys({ definition, table, relations }: Collection): string[] {
  const existing = existingName(existingOf(table));
  return relations.map(({ field, onDelete, target }) => {
    // References to tables of the service are refused.
    const other = existingOf(target);
    const column = quoted(columnOfMember(definition, field.name));
    return `alter table ${existing} add foreign key (${column}) references ${existingName(other)} (${quoted(other.key)}) on delete ${ON_DELETE[onDelete]};`;
  });
}
