/**
 * The SQL of each thing in the schema, as the first migration makes it and as later ones do: one
 * function for both, so that a database that was brought up to date has the schema of a new one.
 */
import type { Column } from '../model/columns.ts';
import { existingName } from '../model/existing.ts';
import { literal, quoted } from '../shared/sql.ts';
import type { CollectionDefinition } from '../definition/types.ts';
import type { Collection, ForeignKey, Index, Table, TableCheck } from '../model/types.ts';
import type { ItemIdType } from '../model/keys.ts';
import { numericKey } from '../types/key.ts';
import { primaryKeyOf, ownerKeyOf, checkNameOf } from '../model/constraint-names.ts';
import { existsWithKey, hasConstraint, onlyIf } from './sql-conditions.ts';
import { numericKeyTriggers } from './numeric-keys.ts';
/** The addresses that users have signed in from. */
export const SIGN_INS = `create table "_sign_ins" (
  "user_id" uuid not null references "users" ("id") on delete cascade,
  "address" text collate "C" not null,
  "at" timestamptz not null default now(),
  primary key ("user_id", "address")
);
create index "_sign_ins__at__idx"
  on "_sign_ins" ("at");`;

/** The functions that the tables use. The first migration makes them before it makes any table. */
export const FUNCTIONS = `-- A new identifier for rows that are inserted by SQL: a UUID of version 7, from the time in microseconds.
create or replace function "_new_id"() returns uuid language sql volatile as $$
  select (
    lpad(to_hex("now" / 1000), 12, '0')
    || '7' || lpad(to_hex("now" % 1000 * 4096 / 1000), 3, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 16)
  )::uuid
  from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as "now") as "clock"
$$;

-- The SHA-256 of a text that is too long for an index.
create or replace function "_digest"("value" text) returns bytea
  language sql immutable strict parallel safe as $$
  select sha256(convert_to("value", 'UTF8'))
$$;

-- What usernames are compared by: two that look the same are the same. Characters that are not shown
-- (Default_Ignorable_Code_Point, and separators of lines) are left out, and the rest is in NFKC.
create or replace function "_username_key"("username" text) returns text
  language plpgsql immutable strict parallel safe as $$
begin
  -- No other encoding has these characters.
  if getdatabaseencoding() <> 'UTF8' then
    return "username";
  end if;
  return normalize(
    regexp_replace(
      "username",
      '[\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFF8\\U0001BCA0-\\U0001BCA3\\U0001D173-\\U0001D17A\\U000E0000-\\U000E0FFF]',
      '',
      'g'
    ),
    nfkc
  );
end
$$;

-- Each change gives a row a later time than it had: the time is its revision. Migrations that fill a
-- column turn this off.
create or replace function "_touch"() returns trigger language plpgsql as $$
begin
  if current_setting('service.touch', true) is distinct from 'off' then
    new."updated_at" := greatest(clock_timestamp(), old."updated_at" + interval '1 microsecond');
  end if;
  return new;
end
$$;

-- The removal of a user clears the hidden owner of items, which is no change of these.
create or replace function "_untouch_owner"() returns trigger language plpgsql as $$
begin
  new."updated_at" := old."updated_at";
  return new;
end
$$;

-- Neither is it a change of an item when the words of its texts are indexed. The arguments are the
-- columns with words.
create or replace function "_untouch_words"() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'updated_at' - tg_argv = to_jsonb(old) - 'updated_at' - tg_argv then
    new."updated_at" := old."updated_at";
  end if;
  return new;
end
$$;

-- SQL changed a searched text and gave no words: an empty word in the column that the argument names
-- asks the service to index the row.
create or replace function "_mark_unindexed"() returns trigger language plpgsql as $$
begin
  return jsonb_populate_record(
    new,
    jsonb_build_object(tg_argv[0], to_jsonb(new) -> tg_argv[0] || '[""]')
  );
end
$$;

-- Whatever removes rows, a cascade too, leaves a tombstone of each.
create or replace function "_bury"() returns trigger language plpgsql as $$
begin
  insert into "_tombstones" ("id", "collection") select "id", tg_argv[0] from "_removed";
  return null;
end
$$;`;

/** The value of `id` for rows that are inserted without one. */
const ID_DEFAULT = '"_new_id"()';

/** An empty word, which no text has: the row is not indexed yet. */
const WORDS_DEFAULT = `'{""}'`;

/** A table with its indexes and triggers; references come when all tables are there. */
export function createTable({ definition, table }: Collection): string {
  const key = numericKey(definition.key);
  const id = key === undefined ? `uuid default ${ID_DEFAULT}` : `${key} ${identity(1n)}`;
  const lines = [
    `"id" ${id} constraint ${quoted(primaryKeyOf(table.name))} primary key`,
    ...table.columns.map((column) => tableLine(table, column)),
    ...table.words.map(({ name }) => wordsColumn(name)),
    ...(table.hasOwner ? [ownerColumn(table.name)] : []),
    '"created_at" timestamptz not null default now()',
    '"updated_at" timestamptz not null default now()',
    ...table.checks.map(tableCheck),
  ];
  return [
    `create table ${quoted(table.name)} (\n  ${lines.join(',\n  ')}\n);`,
    ...table.indexes.map((index) => createIndex(table.name, index)),
    touchTrigger(table.name),
    ...hiddenTriggers(table).map(({ sql }) => sql),
    ...removalTriggers(table.name, definition).map(({ sql }) => sql),
  ].join('\n');
}

/** The words of searchable texts. */
export const wordsColumn = (name: string): string =>
  `${quoted(name)} text[] not null default ${WORDS_DEFAULT}`;

/** Who made an item: its items stay when a user goes. */
export const ownerColumn = (table: string): string =>
  `"_owner_id" uuid constraint ${quoted(ownerKeyOf(table))}\n    ` +
  'references "users" ("id") on delete set null';

/** A sequence that numbers rows. SQL that inserts rows may give other numbers. */
export const identity = (first: bigint): string =>
  `generated by default as identity${first === 1n ? '' : ` (${sequenceStart(first).join(' ')})`}`;

/** The options of a sequence that starts at a number. PostgreSQL counts from 1 unless it is told to start lower. */
const sequenceStart = (first: bigint): string[] => [
  ...(first < 1n ? [`minvalue ${first}`] : []),
  `start with ${first}`,
];

function tableLine(table: Table, column: Column): string {
  const { name, definition, nullable, default: value, check, identity: first } = column;
  const parts = [
    quoted(name),
    definition,
    ...(nullable ? [] : ['not null']),
    ...(value === undefined ? [] : [`default ${value}`]),
  ];
  const start = [...parts, ...(first === undefined ? [] : [identity(first)])].join(' ');
  return check === undefined ? start : `${start}\n    ${checkConstraint(table.name, name, check)}`;
}

export const checkConstraint = (table: string, column: string, check: string): string =>
  `constraint ${quoted(checkNameOf(table, column))} check (${check})`;

/** The constraint of a check over several columns. */
export const tableCheck = ({ name, condition }: TableCheck): string =>
  `constraint ${quoted(name)}\n    check (${condition})`;

/** @param mode `online`: without a lock against writes, outside of a transaction. */
export function createIndex(
  table: string,
  { name, on, unique, method, where }: Index,
  mode?: 'online',
): string {
  const using = method === 'btree' ? '' : ` using ${method}`;
  const how = mode === 'online' ? ' concurrently if not exists' : '';
  const kind = `${unique ? 'unique index' : 'index'}${how}`;
  const rows = where === undefined ? '' : `\n  where ${where.condition}`;
  return `create ${kind} ${quoted(name)}\n  on ${quoted(table)}${using} (${on.map(indexed).join(', ')})${rows};`;
}

/** Anything but a column or a call stands in parentheses of its own. */
function indexed(term: string): string {
  const [, expression = term, direction = ''] = /^(.*?)( desc)?$/s.exec(term) ?? [];
  const isPlain = /^"[^"]+"$|^[a-z0-9_]+\(.*\)$|^\(.*\)$/s.test(expression);
  return `${isPlain ? expression : `(${expression})`}${direction}`;
}

export const touchTrigger = (table: string): string =>
  `create trigger "_touch" before update on ${quoted(table)}\n  ` +
  'for each row execute function "_touch"();';

interface Trigger {
  /** Unquoted. */
  readonly name: string;
  readonly sql: string;
}

/**
 * The triggers over the columns that no field has. PostgreSQL runs triggers in the order of their
 * names, so those that undo `_touch` come after it.
 */
export function hiddenTriggers({ name, words, columns, hasOwner }: Table): Trigger[] {
  const trigger = (
    own: string,
    events: string,
    when: string,
    args: readonly string[],
  ): Trigger => ({
    name: own,
    sql:
      `create trigger ${quoted(own)} before ${events} on ${quoted(name)}\n  ` +
      `for each row when (${when})\n  ` +
      `execute function ${quoted(own)}(${args.map(literal).join(', ')});`,
  });
  // Within the trigger of the foreign key: SQL by hand is a change like any other.
  const owner = trigger('_untouch_owner', 'update of "_owner_id"', 'pg_trigger_depth() > 0', []);
  const [first] = words;
  if (first === undefined) return hasOwner ? [owner] : [];
  const searched = columns.filter(({ field }) =>
    words.some(({ fields }) => fields.includes(field)),
  );
  const row = (version: string, names: readonly { readonly name: string }[]): string =>
    `(${names.map((column) => `${version}.${quoted(column.name)}`).join(', ')})`;
  const isMarked = (version: string): string => `'' = any (${version}.${quoted(first.name)})`;
  return [
    trigger(
      '_mark_unindexed',
      'update',
      `${row('old', searched)} is distinct from ${row('new', searched)}\n    ` +
        `and ${row('old', words)} is not distinct from ${row('new', words)}\n    ` +
        `and not ${isMarked('new')}`,
      [first.name],
    ),
    ...(hasOwner ? [owner] : []),
    trigger(
      '_untouch_words',
      'update',
      `${isMarked('old')} and not ${isMarked('new')}`,
      words.map((column) => column.name),
    ),
  ];
}

/** The triggers that remember removed items, under the name that the collection has. */
export const removalTriggers = (
  table: string,
  { name, key }: Pick<CollectionDefinition, 'name' | 'key'>,
): readonly Trigger[] =>
  numericKey(key) === undefined
    ? [{ name: '_bury', sql: buryTrigger(table, name) }]
    : numericKeyTriggers(table, name);

/** The trigger that leaves tombstones of UUIDs. */
export const buryTrigger = (table: string, collection: string): string =>
  `create trigger "_bury" after delete on ${quoted(table)}\n  ` +
  'referencing old table as "_removed"\n  ' +
  `for each statement execute function "_bury"(${literal(collection)});`;

/** @param mode `online`: existing rows are not looked at, and the statement can be repeated. */
export function addForeignKey(
  table: string,
  { name, column, table: target, existing, onDelete }: ForeignKey,
  mode?: 'online',
): string {
  const before = mode === 'online' ? `\n  drop constraint if exists ${quoted(name)},\n ` : '';
  const referenced =
    existing === undefined
      ? `${quoted(target)} ("id")`
      : `${existingName(existing)} (${quoted(existing.keyColumns[0])})`;
  const statement =
    `alter table ${quoted(table)}${before} add constraint ${quoted(name)}\n  ` +
    `foreign key (${quoted(column)}) references ${referenced}\n  ` +
    `on delete ${onDelete} deferrable initially deferred${mode === 'online' ? ' not valid' : ''};`;
  // Otherwise a later migration drops it: the table may be gone by now.
  return existing === undefined ? statement : onlyIf(existsWithKey(existing), statement);
}

/** Validates a foreign key that was added `online`. */
export function validateForeignKey(table: string, { name, existing }: ForeignKey): string {
  const statement = `alter table ${quoted(table)} validate constraint ${quoted(name)};`;
  return existing === undefined ? statement : onlyIf(hasConstraint(table, name), statement);
}

/** The table of jobs, of services that have any. @param itemId the type of the ids of items. */
export const createJobs = (
  itemId: ItemIdType,
): string => `-- Work that was accepted with 202, and what became of it. A process that runs a job holds a lease.
create table "jobs" (
  "id" uuid primary key,
  "collection" text not null,
  "item_id" ${itemId} not null,
  "creator_id" uuid,
  "status" text not null default 'queued'
    constraint "jobs__status__check" check ("status" in ('queued', 'running', 'succeeded', 'failed')),
  "error" text,
  "values" json,
  "version" integer not null,
  "attempt" integer not null default 0,
  "run_id" uuid unique,
  "lease_until" timestamptz,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "jobs__lease_until__idx"
  on "jobs" ("lease_until") where "lease_until" is not null;
create index "jobs__status__idx"
  on "jobs" ("status", "created_at") where "status" <> 'succeeded';
create index "jobs__updated_at__idx"
  on "jobs" ("updated_at") where "status" in ('succeeded', 'failed');`;

/** The table of events, of services that have any. @param itemId the type of the ids of items. */
export const createEvents = (
  itemId: ItemIdType,
): string => `-- One row for each change of an item, for GET /events. Transactions commit in another order than they
-- take values of "id": an event has a "position" once it is committed and numbered, and is read by that.
create table "events" (
  "id" bigint generated always as identity primary key,
  "event_id" uuid not null unique,
  "type" text not null,
  "item_id" ${itemId} not null,
  "data" json not null,
  "created_at" timestamptz not null default clock_timestamp(),
  "position" bigint unique
);
create index "events__unnumbered__idx"
  on "events" ("id") where "position" is null;
create index "events__created_at__idx"
  on "events" ("created_at");`;

/** Statements that change rows and leave `updated_at` as it is. @param table quoted. */
export const withoutTouch = (table: string, statements: readonly string[]): string =>
  [
    `alter table ${table} disable trigger "_touch";`,
    ...statements,
    `alter table ${table} enable trigger "_touch";`,
  ].join('\n');
