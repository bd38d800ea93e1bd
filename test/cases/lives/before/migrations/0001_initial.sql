-- The schema that the service begins with.

-- Items that were removed: they answer 410, and their ids are never used again.
create table "_tombstones" (
  "id" uuid primary key,
  "collection" text not null,
  "removed_at" timestamptz not null default now()
);

-- What every process of the service shares, and nobody else knows.
create table "_secrets" (
  "name" text primary key,
  "value" text not null
);
insert into "_secrets" ("name", "value")
values ('cursor', gen_random_uuid()::text || gen_random_uuid()::text);

-- Answers to creations that may be asked for again, by digests of who asked where with which key,
-- and of what was said. They are kept for a day.
create table "_answers" (
  "id" text collate "C" primary key,
  "content" text collate "C" not null,
  "status" integer not null,
  "location" text not null,
  "etag" text,
  "body" text not null,
  "created_at" timestamptz not null default now()
);
create index "_answers__created_at__idx"
  on "_answers" ("created_at");

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
      '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]',
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
$$;

-- Who may show a credential. A password is kept as its argon2id hash, a token as its SHA-256.
create table "users" (
  "id" uuid default "_new_id"() primary key,
  "username" text collate "C" not null,
  "password_hash" text not null,
  "roles" text[] not null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create unique index "users__username__key"
  on "users" ("_username_key"("username"));
create index "users__username__sort"
  on "users" ("username", "id");
create index "users__created_at__sort"
  on "users" ("created_at", "id");
create trigger "_touch" before update on "users"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "users"
  referencing old table as "_removed"
  for each statement execute function "_bury"('users');

create table "tokens" (
  "id" uuid primary key,
  "user_id" uuid not null references "users" ("id") on delete cascade,
  "name" text,
  "expires_at" timestamptz,
  "hash" text collate "C" not null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create unique index "tokens__hash__key"
  on "tokens" ("hash");
create index "tokens__user_id__idx"
  on "tokens" ("user_id", "id");
create index "tokens__user_id__created_at__sort"
  on "tokens" ("user_id", "created_at", "id");
create trigger "_bury" after delete on "tokens"
  referencing old table as "_removed"
  for each statement execute function "_bury"('tokens');

-- Requests of an address in the current minute, over all processes.
create table "_requests" (
  "address" text primary key,
  "minute" bigint not null,
  "requests" bigint not null
);

-- Logins that failed or are under way, by digests of their addresses and usernames.
create table "_logins" (
  "key" text collate "C" primary key,
  "logins" integer not null,
  "until" timestamptz not null
);

-- Addresses that users have signed in from, as keyed digests. They are kept for 30 days.
create table "_sign_ins" (
  "user_id" uuid not null references "users" ("id") on delete cascade,
  "address" text collate "C" not null,
  "at" timestamptz not null default now(),
  primary key ("user_id", "address")
);
create index "_sign_ins__at__idx"
  on "_sign_ins" ("at");

create table "books" (
  "id" uuid default "_new_id"() constraint "books__pkey" primary key,
  "title" text collate "C" not null
    constraint "books__title__check" check (char_length("title") <= 100),
  "price" bigint
    constraint "books__price__check" check ("price" >= 0 and "price" <= 9007199254740991),
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "books__created_at__sort"
  on "books" ("created_at", "id");
create trigger "_touch" before update on "books"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "books"
  referencing old table as "_removed"
  for each statement execute function "_bury"('books');

-- What this migration changes in the definitions: create-service generate reads it.
-- definitions: by create-service 0.2.0
-- definitions: + service {}
-- definitions: + collections.books {"fields":{"title":{"type":"string","required":true,"max_length":100},"price":{"type":"integer","minimum":0}},"sort":["created_at"]}
