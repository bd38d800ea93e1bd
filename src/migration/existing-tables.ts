/**
 * Existing tables: other programs made them and use them too. The service reads and writes their rows through a view of
 * its own that has the name of the collection and the names of its members, and changes nothing about the tables. The
 * views are in `views.sql`, and not in the migrations, which would have to fit the tables as they once were.
 */
import type { ExistingTable } from '../definition/types.ts';
import { isKept } from '../shared/soft-delete.ts';
import {
  isExisting,
  permanentIdTypes,
  existingName,
  hasTextTombstones,
} from '../model/existing.ts';
import type { IdType } from '../model/keys.ts';
import { sourceOf, withoutId } from '../model/columns.ts';
import { idOfParts, keyPartsOf } from '../model/key-parts.ts';
import type { Collection, Model } from '../model/types.ts';
import { quoted } from '../shared/sql.ts';
import type { CollectionPair } from './compare-models.ts';
import type { Draft } from './draft.ts';
import { refuseOtherKey } from './numeric-keys.ts';

/** The column of a view with the revision of a row: the transaction that wrote it last, and its place. */
const REVISION = '_revision';

/** The tables of tombstones, by the type of their ids, with what the function below calls an id. */
const TOMBSTONES = {
  bigint: { table: '_numeric_tombstones', id: 'number' },
  text: { table: '_text_tombstones', id: 'new_id' },
  uuid: { table: '_tombstones', id: 'new_id' },
} as const satisfies Record<IdType, object>;

/** The table of tombstones of ids that are texts; the others exist anyway. */
const CREATE_TEXT_TOMBSTONES = `-- Removed items of collections whose ids are texts, or consist of several values.
create table "_text_tombstones" (
  "collection" text not null,
  "id" text not null,
  "removed_at" timestamptz not null default now(),
  primary key ("collection", "id")
);`;

/** The column of a view that marks removed items, if rows are not deleted. */
const REMOVED = '_removed';

/** The function that refuses an id of a removed item, for existing tables whose ids the service does not generate. */
function createIsNewId(type: IdType): string {
  const { table, id } = TOMBSTONES[type];
  return `-- Whether the id of a new row of an existing table was never that of a removed item: clients rely on an id meaning one
-- item forever.
create or replace function "_is_new_id"("of" text, "${id}" ${type}, "key" text)
  returns boolean language plpgsql as $$
begin
  if exists (select from "${table}" where "collection" = "of" and "id" = "${id}") then
    raise unique_violation using constraint = "key",
      message = format('the item %s of %s was removed: its id is not used again', "${id}", "of");
  end if;
  return true;
end
$$;`;
}

/** What ids need that the service does not generate. */
export const createExistingIds = (model: Model): string[] => [
  ...(hasTextTombstones(model) ? [CREATE_TEXT_TOMBSTONES] : []),
  ...permanentIdTypes(model).map(createIsNewId),
];

/** The functions are there as long as some existing table has such ids. */
export function changeExistingIds(before: Model, now: Model, draft: Draft): void {
  const [had, has] = [permanentIdTypes(before), permanentIdTypes(now)];
  const [hadTexts, hasTexts] = [hasTextTombstones(before), hasTextTombstones(now)];
  draft.additions.push(
    ...(hasTexts && !hadTexts ? [CREATE_TEXT_TOMBSTONES] : []),
    ...has.filter((type) => !had.includes(type)).map(createIsNewId),
  );
  for (const type of had.filter((one) => !has.includes(one))) {
    draft.contract.push(`drop function if exists "_is_new_id"(text, ${type}, text);`);
  }
  if (hadTexts && !hasTexts) draft.contract.push('drop table if exists "_text_tombstones";');
}

/** The condition for the rows of items that were not removed, on a line of its own; empty if removals delete rows. */
const keptRows = ({ softDelete }: ExistingTable): string =>
  softDelete === undefined ? '' : `\nwhere ${isKept(quoted(softDelete.column), softDelete)}`;

/** The view of an existing table. PostgreSQL inserts, updates and deletes rows through it, because it is a plain one. */
function createView(collection: Collection, existing: ExistingTable): string {
  const { table } = collection;
  const parts = keyPartsOf(collection);
  const id =
    parts.length === 0 ? [] : [`${idOfParts(parts, (one) => quoted(sourceOf(one)))} as "id"`];
  const times = Object.entries(existing.times);
  const columns = [
    ...(parts.length === 0 ? [[existing.keyColumns[0], 'id']] : []),
    ...withoutId(table.columns).map((column) => [sourceOf(column), column.name]),
    ...times.map(([time, source]) => [source, time]),
    ...(existing.softDelete === undefined ? [] : [[existing.softDelete.column, REMOVED]]),
  ].map(([source = '', name = '']) =>
    source === name ? quoted(name) : `${quoted(source)} as ${quoted(name)}`,
  );
  const view = quoted(table.name);
  return [
    `create view ${view} as select\n  ${[...id, ...columns, `xmin::text || ctid::text as "${REVISION}"`].join(',\n  ')}\n` +
      `from ${existingName(existing)}${keptRows(existing)};`,
    ...times.map(
      ([time]) => `alter view ${view} alter column ${quoted(time)} set default current_timestamp;`,
    ),
  ].join('\n');
}

/** The views of all existing tables. */
export const createViews = ({ collections }: Model): string[] =>
  collections.flatMap((collection) => {
    const { existing } = collection.table;
    return existing === undefined ? [] : [createView(collection, existing)];
  });

/** Notes how a view changes, in the summary and the breaks of a draft; `views.sql` has the statements. */
export function noteViewChange(pair: CollectionPair, draft: Draft): void {
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
  const mark = was.softDelete?.column;
  if (mark !== undefined && mark !== is.softDelete?.column) {
    const what = `which ${name} were removed: rows that ${quoted(mark)} marks show again`;
    draft.losses.push({ what, at });
  }
  if (createView(before, was) === createView(now, is)) return;
  draft.summary.push(`Changes the view of the collection ${name}.`);
  draft.names.push(`change_${name}`);
  if (before.table.name !== now.table.name) {
    // Older processes remember removed items under the old name of the collection.
    draft.breaks.push(`${quoted(before.table.name)} is called ${quoted(now.table.name)}`);
  }
  const names = now.table.columns.map((column) => column.name);
  for (const column of before.table.columns) {
    if (names.includes(column.name)) continue;
    draft.breaks.push(`${quoted(before.table.name)} has no ${quoted(column.name)}`);
  }
}

/** Drops the views that no collection has any more, once no process of an older version needs them. */
export function dropFormerViews(before: Model, now: Model, draft: Draft): void {
  const taken = new Map(now.collections.map((one) => [one.table.name, isExisting(one)]));
  for (const { table } of before.collections.filter(isExisting)) {
    const isView = taken.get(table.name);
    if (isView === true) continue;
    // In a new database it was never there.
    const statement = `drop view if exists ${quoted(table.name)};`;
    if (isView === undefined) draft.contract.push(statement);
    else {
      draft.removals.push(statement);
      draft.breaks.push(`${quoted(table.name)} is replaced`);
    }
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
