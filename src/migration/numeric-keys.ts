/** What collections with numeric keys need beside their tables: tombstones of their own, and triggers. */
import { hasJobs } from '../model/jobs.ts';
import { hasNumericKey, hasNumericKeys, idType, itemIdType } from '../model/keys.ts';
import { hasTextTombstones } from '../model/existing.ts';
import { collectionNamed } from '../model/lookup.ts';
import type { Collection, Model } from '../model/types.ts';
import { literal, quoted } from '../shared/sql.ts';
import type { Draft } from './draft.ts';
import { canHoldIds } from '../types/key.ts';
import type { KeyType } from '../types/key.ts';
import { placeFunctions } from './place-functions.ts';
import { primaryKeyOf } from '../model/constraint-names.ts';

/** The table and the functions, of services that have such collections. */
export const CREATE_NUMERIC_KEYS = `-- Removed items of collections whose ids are numbers.
create table "_numeric_tombstones" (
  "collection" text not null,
  "id" bigint not null,
  "removed_at" timestamptz not null default now(),
  primary key ("collection", "id")
);

-- The item that each seed created, where its id is a number. The id of a seed follows from its collection and name.
create table "_seeds" (
  "seed_id" uuid primary key,
  "collection" text not null,
  "item_id" bigint not null
);

create or replace function "_bury_number"() returns trigger language plpgsql as $$
begin
  insert into "_numeric_tombstones" ("collection", "id")
    select tg_argv[0], "id" from "_removed" on conflict do nothing;
  return null;
end
$$;

-- Refuses rows with the id of a removed item: clients rely on an id meaning one item forever. The arguments are the
-- collection and the name of the primary key.
create or replace function "_refuse_removed_number"() returns trigger language plpgsql as $$
declare
  removed bigint := (
    select "_numeric_tombstones"."id" from "_numeric_tombstones" join "_inserted" using ("id")
    where "collection" = tg_argv[0] limit 1
  );
begin
  if removed is not null then
    raise unique_violation using constraint = tg_argv[1], table = tg_table_name,
      message = format('the item %s of %s was removed: its id is not used again', removed, tg_argv[0]);
  end if;
  return null;
end
$$;`;

/** The triggers of a table with a numeric key, by name. @param collection as tombstones call it. */
export const numericKeyTriggers = (
  table: string,
  collection: string,
): { readonly name: string; readonly sql: string }[] => [
  {
    name: '_bury',
    sql:
      `create trigger "_bury" after delete on ${quoted(table)}\n  ` +
      'referencing old table as "_removed"\n  ' +
      `for each statement execute function "_bury_number"(${literal(collection)});`,
  },
  {
    name: '_refuse_removed',
    sql:
      `create trigger "_refuse_removed" after insert on ${quoted(table)}\n  ` +
      'referencing new table as "_inserted"\n  ' +
      `for each statement execute function "_refuse_removed_number"(${literal(collection)}, ${literal(primaryKeyOf(table))});`,
  },
];

/** The tables and the functions exist as long as some collection has a numeric key. @param dropped collections. */
export function changeNumericKeys(
  before: Model,
  now: Model,
  dropped: readonly Collection[],
  draft: Draft,
): void {
  const [had, has] = [hasNumericKeys(before), hasNumericKeys(now)];
  if (had && has) {
    const tables = hasJobs(before) && hasJobs(now) ? [...RECORDS, 'jobs'] : RECORDS;
    forgetRemoved(dropped.filter(hasNumericKey), now, tables, draft);
  }
  if ([before, now].every(hasTextTombstones)) {
    const texts = dropped.filter(({ definition }) => idType(definition.key) === 'text');
    forgetRemoved(texts, now, ['_text_tombstones'], draft);
  }
  if (had === has) return;
  if (has) {
    draft.preparations.push(CREATE_NUMERIC_KEYS);
    if (now.service.schema !== undefined) draft.preparations.push(...placeFunctions(true));
  }
  // Once the tables with the triggers are gone.
  else {
    draft.contract.push(
      'drop function if exists "_bury_number"(), "_refuse_removed_number"();',
      'drop table if exists "_numeric_tombstones", "_seeds";',
    );
  }
}

/** The tables that know items by collection and number. */
const RECORDS = ['_numeric_tombstones', '_seeds'];

/** A collection that gets the name later begins at 1 again; one that gets it now has records of its own. */
function forgetRemoved(
  dropped: readonly Collection[],
  now: Model,
  tables: readonly string[],
  draft: Draft,
): void {
  for (const { definition } of dropped) {
    const isTaken = collectionNamed(now, definition.name) !== undefined;
    const deletions = tables.map(
      (table) => `delete from ${quoted(table)} where "collection" = ${literal(definition.name)};`,
    );
    (isTaken ? draft.preparations : draft.contract).push(...deletions);
  }
}

/**
 * Changes the columns with ids of items if some of these are numbers, or no longer are. All rows are rewritten
 * with a lock. Back to UUIDs, the collections of rows with numbers are gone. Such jobs are removed; events stay, because
 * positions are counted by them.
 */
export function changeItemIdType(
  tables: readonly string[],
  before: Model,
  now: Model,
  draft: Draft,
): void {
  const [was, is] = [itemIdType(before), itemIdType(now)];
  if (was === is) return;
  for (const table of tables) {
    draft.locks.set(table, `ids of items become ${is}`);
    draft.breaks.push(`${quoted(table)} is rewritten`);
    const isUuid = `"item_id" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;
    if (is === 'uuid') {
      const change =
        table === 'events'
          ? `update "events" set "item_id" = '00000000-0000-0000-0000-000000000000'`
          : `delete from ${quoted(table)}`;
      draft.additions.push(`${change} where not (${isUuid});`);
    }
    draft.additions.push(
      `alter table ${quoted(table)} alter column "item_id" type ${is} using "item_id"::${is};`,
    );
  }
}

/** Whether the ids of a collection get a wider type. */
export const isKeyWidened = (before: Collection, now: Collection): boolean =>
  before.definition.key !== now.definition.key &&
  canHoldIds(before.definition.key, now.definition.key);

/** Refuses a key that cannot hold the ids of before. */
export function refuseOtherKey(before: Collection, now: Collection, draft: Draft): void {
  const { key: was, keyFields: old = [] } = before.definition;
  const { key: is, keyFields = [], fields } = now.definition;
  // With the names of before; `renamed_from` may stay after that.
  const had = new Set(before.definition.fields.map(({ name }) => name));
  const parts = keyFields.map((part) => {
    const former = fields.find(({ name }) => name === part)?.renamedFrom;
    return former !== undefined && had.has(former) && !had.has(part) ? former : part;
  });
  const [wasTable, isTable] = [before.table.existing, now.table.existing];
  const isSameColumns =
    keyFields.length === old.length && wasTable?.keyColumns.join() === isTable?.keyColumns.join();
  if (canHoldIds(was, is) && (isSameColumns || parts.join() === old.join())) return;
  const shown = (key: KeyType, of: readonly string[]): string =>
    of.length === 0 ? key : `{ fields: [${of.join(', ')}] }`;
  const message = `the key of ${JSON.stringify(now.definition.name)} is ${shown(is, keyFields)}, and was ${shown(was, old)} when this was last generated: stored ids, references and links would no longer lead anywhere. ${was === 'uuid' && old.length === 0 ? 'Remove "key"' : `Write "key: ${shown(was, old)}"`}, or add a new collection.`;
  draft.issues.push({ at: now.definition.at, code: 'key-changed', message });
}
