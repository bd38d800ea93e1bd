/** What collections with numeric keys need beside their tables: tombstones of their own, and triggers. */
import { hasNumericKeys, hasNumericSeeds, itemIdType } from '../model/keys.ts';
import type { Collection, Model } from '../model/types.ts';
import { literal, quoted } from '../shared/sql.ts';
import type { Draft } from './draft.ts';
import { isWiderKey } from '../types/key.ts';
import { primaryKeyOf } from './statements.ts';

/** The table and the functions, of services that have such collections. */
export const CREATE_NUMERIC_KEYS = `-- Removed items of collections whose ids are numbers.
create table "_numeric_tombstones" (
  "collection" text not null,
  "id" bigint not null,
  "removed_at" timestamptz not null default now(),
  primary key ("collection", "id")
);

create or replace function "_bury_number"() returns trigger language plpgsql as $$
begin
  insert into "_numeric_tombstones" ("collection", "id")
    select tg_argv[0], "id" from "_removed" on conflict do nothing;
  return null;
end
$$;

-- The id of a removed item is never used again, whatever a sequence or SQL says. The arguments are the
-- collection and the name of the primary key.
create or replace function "_refuse_removed_number"() returns trigger language plpgsql as $$
begin
  if exists (
    select from "_numeric_tombstones" where "collection" = tg_argv[0] and "id" = new."id"
  ) then
    raise unique_violation using constraint = tg_argv[1], table = tg_table_name,
      message = format('the item %s of %s was removed, and its id is not used again', new."id", tg_argv[0]);
  end if;
  return new;
end
$$;`;

/** The ids of seeds that are numbers, of services with both. */
export const CREATE_SEEDS = `-- The items of seeds whose ids are numbers.
create table "_seeds" (
  "id" uuid primary key,
  "item_id" bigint not null
);`;

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
      `create trigger "_refuse_removed" before insert on ${quoted(table)}\n  ` +
      `for each row execute function "_refuse_removed_number"(${literal(collection)}, ${literal(primaryKeyOf(table))});`,
  },
];

/** The tables and the functions exist as long as some collection has a numeric key. */
export function changeNumericKeys(before: Model, now: Model, draft: Draft): void {
  const [had, has] = [hasNumericKeys(before), hasNumericKeys(now)];
  const [hadSeeds, hasSeeds] = [hasNumericSeeds(before), hasNumericSeeds(now)];
  if (!hadSeeds && hasSeeds) draft.additions.push(CREATE_SEEDS);
  if (hadSeeds && !hasSeeds) draft.removals.push('drop table "_seeds";');
  if (had === has) return;
  if (has) draft.preparations.push(CREATE_NUMERIC_KEYS);
  // Once the tables with the triggers are gone.
  else {
    draft.contract.push(
      'drop function if exists "_bury_number"(), "_refuse_removed_number"();',
      'drop table if exists "_numeric_tombstones";',
    );
  }
}

/**
 * Changes the columns with ids of items if some of these are numbers, or no longer are. All rows are rewritten
 * with a lock. Back to UUIDs, rows with numbers are removed, as their collections are.
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
    if (is === 'uuid') draft.additions.push(`delete from ${quoted(table)} where not (${isUuid});`);
    draft.additions.push(
      `alter table ${quoted(table)} alter column "item_id" type ${is} using "item_id"::${is};`,
    );
  }
}

/** Whether the ids of a collection get a wider type. */
export const isKeyWidened = (before: Collection, now: Collection): boolean =>
  before.definition.key !== now.definition.key &&
  isWiderKey(before.definition.key, now.definition.key);

/** Refuses a key that does not have the ids of before. */
export function refuseOtherKey(before: Collection, now: Collection, draft: Draft): void {
  const [was, is] = [before.definition.key, now.definition.key];
  if (isWiderKey(was, is)) return;
  const message = `the key of ${JSON.stringify(now.definition.name)} is ${is}, and was ${was} when this was last generated: the ids of all items, and every link to them, would be others. Write "key: ${was}", or a collection of another name.`;
  draft.issues.push({ at: now.definition.at, code: 'key-changed', message });
}
