/**
 * The schema of 0.2.0, for databases of older versions: tombstones by statement, rows that SQL may
 * write, unique indexes without MD5, and no index that another one serves for.
 */
import { countOf, guard } from '../migration/guards.ts';
import {
  buryTrigger,
  createIndex,
  FUNCTIONS,
  hiddenTriggers,
  ID_DEFAULT,
  WORDS_DEFAULT,
} from '../migration/statements.ts';
import type { SchemaStep } from '../migration/schema-step.ts';
import { hasJobs } from '../model/jobs.ts';
import { literal, objectName, quoted } from '../shared/sql.ts';
import { specOf } from '../types/registry.ts';
import type { Collection, Index } from '../model/types.ts';

export const SCHEMA_0_2_0: SchemaStep = {
  version: '0.2.0',
  summary:
    'SQL may write rows, and columns have defaults; removals of many rows are fast; no index needs MD5.',
  sql: (before) => [
    FUNCTIONS,
    `alter table "users" alter column "id" set default ${ID_DEFAULT};`,
    'drop index if exists "users__username__sort";',
    ...['users', 'tokens', ...(hasJobs(before) ? ['jobs'] : [])].map((name) => bury(name, name)),
    ...before.collections.flatMap(tableStatements),
  ],
};

const bury = (table: string, collection: string): string =>
  `drop trigger if exists "_bury" on ${quoted(table)};\n${buryTrigger(table, collection)}`;

function tableStatements(collection: Collection): string[] {
  const { definition, table } = collection;
  const name = quoted(table.name);
  const defaults = [
    `alter column "id" set default ${ID_DEFAULT}`,
    ...table.columns.flatMap(({ name: column, default: value }) =>
      value === undefined ? [] : [`alter column ${quoted(column)} set default ${value}`],
    ),
    ...table.words.map(
      (words) => `alter column ${quoted(words.name)} set default ${WORDS_DEFAULT}`,
    ),
  ];
  return [
    `alter table ${name}\n  ${defaults.join(',\n  ')};`,
    bury(table.name, definition.name),
    ...hiddenTriggers(table).map(
      (trigger) => `drop trigger if exists ${quoted(trigger.name)} on ${name};\n${trigger.sql}`,
    ),
    ...uniqueIndexes(collection),
    ...unneededIndexes(collection),
    ...declaredIndexes(collection),
  ];
}

/** Characters of a text that older versions indexed whole. */
const LONGEST = 500;

/** Unique indexes that older versions made over MD5: they are made anew where they still are. */
function uniqueIndexes({ definition, table }: Collection): string[] {
  const columnsOf = ({ fields }: Index) =>
    table.columns.filter(({ field, maxCharacters }) => fields.includes(field) && maxCharacters > 0);
  return table.indexes
    .filter((index) => {
      const texts = columnsOf(index);
      const share = Math.floor(LONGEST / Math.max(texts.length, 1));
      return index.unique && texts.some(({ maxCharacters }) => maxCharacters > share);
    })
    .flatMap((index) => [
      ...columnsOf(index).flatMap((column) => {
        const field = definition.fields.find((one) => one.name === column.field);
        const most =
          field === undefined ? Infinity : (specOf(field.type).textBytes?.(field.type) ?? 0);
        const name = quoted(column.name);
        if (most === Infinity || !index.on.includes(name)) return [];
        const query = countOf(table.name, `octet_length(${name}) > ${most}`);
        const what = `Values of ${name} in ${quoted(table.name)} that take more than ${most} bytes, as no value may`;
        return [guard(query, what, 'Change them first.')];
      }),
      [
        'do $$',
        'begin',
        `  if pg_get_indexdef(to_regclass(${literal(quoted(index.name))})) like '%md5(%' then`,
        `    drop index ${quoted(index.name)};`,
        '  end if;',
        'end',
        '$$;',
      ].join('\n'),
      createIndex(table.name, index).replace(
        'create unique index',
        'create unique index if not exists',
      ),
    ]);
}

/** Indexes for lists and references, where another one serves these by now. */
const unneededIndexes = ({ definition, table, relations }: Collection): string[] =>
  [
    ...definition.filter.map((field) => objectName(table.name, field, 'idx')),
    ...relations.map(({ field }) => objectName(table.name, field.name, 'idx')),
    ...definition.sort.map((field) => objectName(table.name, field, 'sort')),
    ...definition.indexes.map((keys) => declaredName(table.name, keys)),
  ]
    .filter((name) => !table.indexes.some((index) => index.name === name))
    .map((name) => `drop index if exists ${quoted(name)};`);

/** What older versions called an index that the definition asks for. */
const declaredName = (table: string, keys: readonly { readonly field: string }[]): string =>
  objectName(table, ...keys.map(({ field }) => field), 'index');

/** Indexes that the definition asks for: older versions made them over the columns alone, without the id. */
function declaredIndexes({ definition, table }: Collection): string[] {
  const names = definition.indexes.map((keys) => declaredName(table.name, keys));
  return table.indexes
    .filter(({ name }) => names.includes(name))
    .flatMap((index) => [
      [
        'do $$',
        'begin',
        `  if pg_get_indexdef(to_regclass(${literal(quoted(index.name))})) not like '%, id)' then`,
        `    drop index ${quoted(index.name)};`,
        '  end if;',
        'end',
        '$$;',
      ].join('\n'),
      createIndex(table.name, index).replace('create index', 'create index if not exists'),
    ]);
}
