/**
 * Existing tables: other programs made them and use them too. The service reads and writes their rows through a view of
 * its own that has the name of the collection and the names of its members, and changes nothing about the tables.
 */
import type { ExistingTable } from '../definition/types.ts';
import { hasExistingNumbers } from '../model/existing.ts';
import type { Collection, Model } from '../model/types.ts';
import { quoted } from '../shared/sql.ts';
import type { CollectionPair } from './compare-models.ts';
import type { Draft } from './draft.ts';
import { refuseOtherKey } from './numeric-keys.ts';

/** The column of a view with the revision of a row: the transaction that wrote it last, and its place. */
const REVISION = '_revision';

/** The function that refuses an id of a removed item, for existing tables whose rows the database numbers. */
export const CREATE_IS_NEW_ID = `-- Whether the id of a new row of an existing table was never that of a removed item: clients rely on an id meaning one
-- item forever.
create or replace function "_is_new_id"("of" text, "number" bigint, "key" text)
  returns boolean language plpgsql as $$
begin
  if exists (select from "_numeric_tombstones" where "collection" = "of" and "id" = "number") then
    raise unique_violation using constraint = "key",
      message = format('the item %s of %s was removed: its id is not used again', "number", "of");
  end if;
  return true;
end
$$;`;

/** The function is there as long as some existing table has numbers as ids. */
export function changeIsNewId(before: Model, now: Model, draft: Draft): void {
  const [had, has] = [hasExistingNumbers(before), hasExistingNumbers(now)];
  if (has && !had) draft.additions.push(CREATE_IS_NEW_ID);
  if (had && !has) draft.contract.push('drop function if exists "_is_new_id"(text, bigint, text);');
}

/** Ties functions that name tables of the service to its schema, which is the search path of migrations. */
export const placeFunctions = (hasNumbers: boolean): string[] =>
  ['"_bury"', ...(hasNumbers ? ['"_bury_number"', '"_refuse_removed_number"'] : [])].map(
    (name) => `alter function ${name}() set search_path from current;`,
  );

/** The name of an existing table in SQL. */
export const existingName = ({ schema, table }: ExistingTable): string =>
  `${quoted(schema)}.${quoted(table)}`;

/** The view of an existing table. PostgreSQL inserts, updates and deletes rows through it, because it is a plain one. */
export function createView({ table }: Collection, existing: ExistingTable): string {
  const times = Object.entries(existing.times);
  const columns = [
    [existing.key, 'id'],
    ...table.columns.map(({ name, field, source = field }) => [source, name]),
    ...times.map(([time, source]) => [source, time]),
  ].map(([source = '', name = '']) =>
    source === name ? quoted(name) : `${quoted(source)} as ${quoted(name)}`,
  );
  const view = quoted(table.name);
  return [
    `create view ${view} as select\n  ${[...columns, `xmin::text || ctid::text as "${REVISION}"`].join(',\n  ')}\n` +
      `from ${existingName(existing)};`,
    ...times.map(
      ([time]) => `alter view ${view} alter column ${quoted(time)} set default current_timestamp;`,
    ),
  ].join('\n');
}

/** Makes all views anew: branches that were merged may each have made one that the other did not know. */
export const recreateViews = ({ collections }: Model): string[] =>
  collections.flatMap((collection) => {
    const { existing, name } = collection.table;
    if (existing === undefined) return [];
    return [`drop view if exists ${quoted(name)};\n${createView(collection, existing)}`];
  });

/** Puts another view in the place of one that is no longer right. */
export function changeView(pair: CollectionPair, draft: Draft): void {
  const { before, now } = pair;
  refuseOtherKey(before, now, draft);
  const [was, is] = [before.table.existing, now.table.existing];
  const { name, at } = now.definition;
  if (was === undefined || is === undefined) {
    const what =
      is === undefined
        ? 'has a table of its own, and had an existing one'
        : 'has an existing table, and had one of its own';
    const message = `${JSON.stringify(name)} ${what} when this was last generated: its rows would stay behind. ${is === undefined ? 'Write "table:" again' : 'Remove "table"'}, or add a new collection.`;
    draft.issues.push({ at, code: 'table-changed', message });
    return;
  }
  const [former, view] = [createView(before, was), createView(now, is)];
  if (former === view) return;
  draft.removals.push(`drop view ${quoted(before.table.name)};`);
  draft.additions.push(view);
  draft.summary.push(`Changes the view of the collection ${name}.`);
  draft.names.push(`change_${name}`);
  if (before.table.name !== now.table.name) {
    draft.breaks.push(`${quoted(before.table.name)} is called ${quoted(now.table.name)}`);
  }
  const names = now.table.columns.map((column) => column.name);
  for (const column of before.table.columns) {
    if (names.includes(column.name)) continue;
    draft.breaks.push(`${quoted(before.table.name)} has no ${quoted(column.name)}`);
  }
}

/** Refuses another schema: the tables of the service are in the one of before. */
export function refuseOtherSchema(before: Model, now: Model, draft: Draft): void {
  const [was, is] = [before.service.schema, now.service.schema];
  const at = now.collections[0]?.definition.at;
  if (was === is || at === undefined) return;
  const advice = was === undefined ? 'Remove "schema"' : `Write "schema: ${was}"`;
  const message = `the schema of the service is ${is ?? 'that of the connection'}, and was ${was ?? 'that of the connection'} when this was last generated: its tables would stay behind. ${advice}.`;
  draft.issues.push({ at, code: 'schema-changed', message });
}

/**
 * Statements that add the columns of former views to their tables, where these lack them: a field may have been removed
 * since, and its column with it. The emitted service does the same for PGlite and tests.
 * @param migrations the texts of all migrations, in their order.
 */
export function formerColumns(migrations: readonly string[]): string[] {
  const lines = migrations.join('\n').split('\n');
  const statements: string[] = [];
  let view = '';
  let columns: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('create view "') && line.endsWith(' as select')) {
      view = line.slice('create view '.length, -' as select'.length);
      columns = [];
    } else if (view !== '' && line.startsWith('  "')) {
      columns.push(/^ {2}("(?:[^"]|"")+")/.exec(line)?.[1] ?? '');
    } else if (view !== '' && line.startsWith('from ')) {
      const table = line.slice('from '.length, -';'.length);
      const drops = new Set([`drop view ${view};`, `drop view if exists ${view};`]);
      const additions = columns.map((column) => `add column if not exists ${column} text`);
      if (lines.slice(at).some((later) => drops.has(later))) {
        statements.push(
          `create table if not exists ${table} (); alter table ${table} ${additions.join(', ')};`,
        );
      }
      view = '';
    }
  }
  return statements;
}
