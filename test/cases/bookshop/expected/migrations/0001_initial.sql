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

create table "authors" (
  "id" uuid default "_new_id"() constraint "authors__pkey" primary key,
  "name" text collate "C" not null
    constraint "authors__name__check" check (char_length("name") >= 1 and char_length("name") <= 200),
  "born_on" date,
  "website" text collate "C"
    constraint "authors__website__check" check (char_length("website") <= 2000),
  "biography" text collate "C"
    constraint "authors__biography__check" check (char_length("biography") <= 20000),
  "_words" text[] not null default '{""}',
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "authors__name__sort"
  on "authors" ("name", "id");
create index "authors__born_on__sort"
  on "authors" (("born_on" is null), coalesce("born_on", date '0001-01-01'), "id");
create index "authors__created_at__sort"
  on "authors" ("created_at", "id");
create index "authors___words__idx"
  on "authors" using gin ("_words");
create trigger "_touch" before update on "authors"
  for each row execute function "_touch"();
create trigger "_mark_unindexed" before update on "authors"
  for each row when ((old."name", old."biography") is distinct from (new."name", new."biography")
    and (old."_words") is not distinct from (new."_words")
    and not '' = any (new."_words"))
  execute function "_mark_unindexed"('_words');
create trigger "_untouch_words" before update on "authors"
  for each row when ('' = any (old."_words") and not '' = any (new."_words"))
  execute function "_untouch_words"('_words');
create trigger "_bury" after delete on "authors"
  referencing old table as "_removed"
  for each statement execute function "_bury"('authors');

create table "books" (
  "id" uuid default "_new_id"() constraint "books__pkey" primary key,
  "title" text collate "C" not null
    constraint "books__title__check" check (char_length("title") >= 1 and char_length("title") <= 300),
  "isbn" text collate "C" not null
    constraint "books__isbn__check" check (char_length("isbn") <= 13),
  "price" numeric(10, 2)
    constraint "books__price__check" check ("price" >= 0.00),
  "status" text collate "C" default 'draft'
    constraint "books__status__check" check ("status" in ('draft', 'published')),
  "author_id" uuid not null,
  "published_at" timestamptz,
  "_words" text[] not null default '{""}',
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create unique index "books__isbn__key"
  on "books" ("isbn");
create index "books__author_id__idx"
  on "books" ("author_id", "id");
create index "books__title__sort"
  on "books" (left("title", 200), "id");
create index "books__published_at__sort"
  on "books" (("published_at" is null), coalesce("published_at", timestamptz '0001-01-01 00:00:00+00'), "id");
create index "books__created_at__sort"
  on "books" ("created_at", "id");
create index "books__status__idx"
  on "books" ("status", "id");
create index "books__price__idx"
  on "books" ("price", "id");
create index "books___words__idx"
  on "books" using gin ("_words");
create trigger "_touch" before update on "books"
  for each row execute function "_touch"();
create trigger "_mark_unindexed" before update on "books"
  for each row when ((old."title") is distinct from (new."title")
    and (old."_words") is not distinct from (new."_words")
    and not '' = any (new."_words"))
  execute function "_mark_unindexed"('_words');
create trigger "_untouch_words" before update on "books"
  for each row when ('' = any (old."_words") and not '' = any (new."_words"))
  execute function "_untouch_words"('_words');
create trigger "_bury" after delete on "books"
  referencing old table as "_removed"
  for each statement execute function "_bury"('books');

create table "reviews" (
  "id" uuid default "_new_id"() constraint "reviews__pkey" primary key,
  "book_id" uuid not null,
  "reader" text collate "C" not null
    constraint "reviews__reader__check" check (char_length("reader") >= 1 and char_length("reader") <= 100),
  "rating" bigint not null
    constraint "reviews__rating__check" check ("rating" >= 1 and "rating" <= 5),
  "body" text collate "C"
    constraint "reviews__body__check" check (char_length("body") <= 10000),
  "_words" text[] not null default '{""}',
  "_owner_id" uuid constraint "reviews___owner_id__fkey"
    references "users" ("id") on delete set null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "reviews__book_id__idx"
  on "reviews" ("book_id", "id");
create index "reviews__rating__sort"
  on "reviews" ("rating", "id");
create index "reviews__created_at__sort"
  on "reviews" ("created_at", "id");
create index "reviews__reader__idx"
  on "reviews" ("reader", "id");
create index "reviews___words__idx"
  on "reviews" using gin ("_words");
create index "reviews___owner_id__idx"
  on "reviews" ("_owner_id", "id");
create trigger "_touch" before update on "reviews"
  for each row execute function "_touch"();
create trigger "_mark_unindexed" before update on "reviews"
  for each row when ((old."body") is distinct from (new."body")
    and (old."_words") is not distinct from (new."_words")
    and not '' = any (new."_words"))
  execute function "_mark_unindexed"('_words');
create trigger "_untouch_owner" before update of "_owner_id" on "reviews"
  for each row when (pg_trigger_depth() > 0)
  execute function "_untouch_owner"();
create trigger "_untouch_words" before update on "reviews"
  for each row when ('' = any (old."_words") and not '' = any (new."_words"))
  execute function "_untouch_words"('_words');
create trigger "_bury" after delete on "reviews"
  referencing old table as "_removed"
  for each statement execute function "_bury"('reviews');

-- References, checked when a transaction ends: within one, order does not matter.
alter table "books" add constraint "books__author_id__fkey"
  foreign key ("author_id") references "authors" ("id")
  on delete no action deferrable initially deferred;
alter table "reviews" add constraint "reviews__book_id__fkey"
  foreign key ("book_id") references "books" ("id")
  on delete cascade deferrable initially deferred;

-- What this migration changes in the definitions: create-service generate reads it.
-- definitions: by create-service 0.2.0
-- definitions: + service {"versions":[1],"roles":["editor"],"seeds":true}
-- definitions: + collections.authors {"fields":{"name":{"type":"string","required":true,"min_length":1,"max_length":200},"born_on":{"type":"date"},"website":{"type":"string","format":"uri","max_length":2000},"biography":{"type":"text","max_length":20000}},"sort":["name","born_on","created_at"],"filter":["name"],"search":["name","biography"],"permissions":{"read":"public","create":["editor"],"update":["editor"],"delete":["admin"]}}
-- definitions: + collections.books {"fields":{"title":{"type":"string","required":true,"min_length":1,"max_length":300},"isbn":{"type":"string","required":true,"unique":true,"max_length":13,"pattern":"^97[89][0-9]{10}$"},"price":{"type":"decimal","precision":10,"scale":2,"minimum":"0"},"status":{"type":"enum","values":["draft","published"],"default":"draft"},"author_id":{"type":"reference","to":"authors","required":true,"nested":true,"on_delete":"refuse"},"published_at":{"type":"timestamp"}},"sort":["title","published_at","created_at"],"filter":["status","author_id","price","published_at"],"search":["title"],"permissions":{"read":"public","create":["editor"],"update":["editor"],"delete":["admin"]}}
-- definitions: + collections.reviews {"fields":{"book_id":{"type":"reference","to":"books","required":true,"immutable":true,"nested":true,"on_delete":"cascade"},"reader":{"type":"string","required":true,"min_length":1,"max_length":100},"rating":{"type":"integer","required":true,"minimum":1,"maximum":5},"body":{"type":"text","max_length":10000}},"sort":["rating","created_at"],"filter":["rating","book_id","reader"],"search":["body"],"permissions":{"read":"public","create":"authenticated","update":"owner","delete":["owner","editor"]}}
