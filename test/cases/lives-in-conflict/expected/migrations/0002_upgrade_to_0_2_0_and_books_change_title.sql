-- after: 0001_initial fb422c08ef1f1eeb715818a2feae9ebc6101ba10eb257f176a20601d90178994

-- Failed logins are counted by address and by username.
-- SQL may write rows; removals of many rows are fast; no index needs MD5.
-- books.title takes other values than before.
--
-- Nobody can read or write these tables until the end of the migration, and:
-- - "books" is read through (to see that all rows keep what is new)

set local lock_timeout = '10s';

drop table if exists "_attempts";

create table if not exists "_logins" (
  "key" text collate "C" primary key,
  "logins" integer not null,
  "until" timestamptz not null
);

-- A new identifier for rows that are inserted by SQL: a UUID of version 7, from the time in microseconds.
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

-- Each change gives a row a later time than it had: the time is its revision.
create or replace function "_touch"() returns trigger language plpgsql as $$
begin
  new."updated_at" := greatest(clock_timestamp(), old."updated_at" + interval '1 microsecond');
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
$$;

alter table "users" alter column "id" set default "_new_id"();

drop trigger if exists "_bury" on "users";
create trigger "_bury" after delete on "users"
  referencing old table as "_removed"
  for each statement execute function "_bury"('users');

drop trigger if exists "_bury" on "tokens";
create trigger "_bury" after delete on "tokens"
  referencing old table as "_removed"
  for each statement execute function "_bury"('tokens');

alter table "books"
  alter column "id" set default "_new_id"();

drop trigger if exists "_bury" on "books";
create trigger "_bury" after delete on "books"
  referencing old table as "_removed"
  for each statement execute function "_bury"('books');

alter table "books"
  drop constraint "books__title__check";

alter table "books"
  add constraint "books__title__check" check (char_length("title") <= 120);

-- What this migration changes in the definitions: create-service generate reads it.
-- definitions: by create-service 0.2.0
-- definitions: = service {}
-- definitions: = collections.books {"fields":{"title":{"type":"string","required":true,"max_length":100},"price":{"type":"integer","minimum":0}},"sort":["created_at"]}
-- definitions: + collections.books.fields.title {"type":"string","required":true,"max_length":120}
