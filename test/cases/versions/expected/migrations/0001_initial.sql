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

-- Work that was accepted with 202, and what became of it. A process that runs a job holds a lease.
create table "jobs" (
  "id" uuid primary key,
  "collection" text not null,
  "item_id" uuid not null,
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
  on "jobs" ("updated_at") where "status" in ('succeeded', 'failed');

create table "books" (
  "id" uuid default "_new_id"() constraint "books__pkey" primary key,
  "title" text collate "C" not null
    constraint "books__title__check" check (char_length("title") <= 200),
  "isbn" text collate "C",
  "price" numeric(10, 2) not null default '0.00'::numeric(10, 2)
    constraint "books__price__check" check ("price" >= 0.00),
  "stock" bigint
    constraint "books__stock__check" check ("stock" >= 0 and "stock" <= 100000),
  "number" bigint not null generated by default as identity
    constraint "books__number__check" check ("number" >= -9007199254740991 and "number" <= 9007199254740991),
  "state" text collate "C" not null default 'draft'
    constraint "books__state__check" check ("state" in ('draft', 'published', 'archived', 'withdrawn')),
  "tags" jsonb,
  "genre" text collate "C"
    constraint "books__genre__check" check (char_length("genre") <= 40),
  "secret" text collate "C"
    constraint "books__secret__check" check (char_length("secret") <= 40),
  "rating" double precision,
  "series" text collate "C"
    constraint "books__series__check" check (char_length("series") <= 40),
  "person_id" uuid not null,
  "_words" text[] not null default '{""}',
  "_words_v1" text[] not null default '{""}',
  "_owner_id" uuid constraint "books___owner_id__fkey"
    references "users" ("id") on delete set null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create unique index "books__isbn__key"
  on "books" ("isbn");
create unique index "books__number__key"
  on "books" ("number");
create unique index "books__person_id__title__key"
  on "books" ("person_id", "title");
create index "books__person_id__idx"
  on "books" ("person_id", "id");
create index "books__title__sort"
  on "books" ("title", "id");
create index "books__price__sort"
  on "books" ("price", "id");
create index "books__state__sort"
  on "books" (array_position(array['draft', 'published', 'archived', 'withdrawn'], "state"), "id");
create index "books__stock__sort"
  on "books" (("stock" is null), coalesce("stock", 0), "id");
create index "books___words__idx"
  on "books" using gin ("_words");
create index "books___words_v1__idx"
  on "books" using gin ("_words_v1");
create index "books___owner_id__idx"
  on "books" ("_owner_id", "id");
create trigger "_touch" before update on "books"
  for each row execute function "_touch"();
create trigger "_mark_unindexed" before update on "books"
  for each row when ((old."title", old."series") is distinct from (new."title", new."series")
    and (old."_words", old."_words_v1") is not distinct from (new."_words", new."_words_v1")
    and not '' = any (new."_words"))
  execute function "_mark_unindexed"('_words');
create trigger "_untouch_owner" before update of "_owner_id" on "books"
  for each row when (pg_trigger_depth() > 0)
  execute function "_untouch_owner"();
create trigger "_untouch_words" before update on "books"
  for each row when ('' = any (old."_words") and not '' = any (new."_words"))
  execute function "_untouch_words"('_words', '_words_v1');
create trigger "_bury" after delete on "books"
  referencing old table as "_removed"
  for each statement execute function "_bury"('books');

create table "desks" (
  "id" uuid default "_new_id"() constraint "desks__pkey" primary key,
  "opens_at" time not null
    constraint "desks__opens_at__check" check ("opens_at" <= time '23:59:59.999999'),
  "closes_at" time
    constraint "desks__closes_at__check" check ("closes_at" >= time '12:00:00' and "closes_at" <= time '22:00:00'),
  "loan" interval default 'PT168H'::interval
    constraint "desks__loan__check" check ("loan" >= interval 'PT0S' and "loan" <= interval 'PT2400000H' and extract(year from "loan") = 0 and extract(month from "loan") = 0 and extract(day from "loan") = 0),
  "terminal" inet
    constraint "desks__terminal__check" check ("terminal" = network("terminal")::inet),
  "logo" bytea
    constraint "desks__logo__check" check (octet_length("logo") <= 30),
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create unique index "desks__terminal__key"
  on "desks" ("terminal");
create index "desks__opens_at__sort"
  on "desks" ("opens_at", "id");
create index "desks__closes_at__sort"
  on "desks" (("closes_at" is null), coalesce("closes_at", time '00:00:00'), "id");
create index "desks__loan__sort"
  on "desks" (("loan" is null), coalesce("loan", interval 'PT0S'), "id");
create index "desks__terminal__sort"
  on "desks" (("terminal" is null), coalesce("terminal", inet '0.0.0.0'), "id");
create trigger "_touch" before update on "desks"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "desks"
  referencing old table as "_removed"
  for each statement execute function "_bury"('desks');

create table "loans" (
  "id" uuid default "_new_id"() constraint "loans__pkey" primary key,
  "until" date not null,
  "book_id" uuid,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "loans__book_id__idx"
  on "loans" ("book_id", "id");
create index "loans__created_at__sort"
  on "loans" ("created_at", "id");
create trigger "_touch" before update on "loans"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "loans"
  referencing old table as "_removed"
  for each statement execute function "_bury"('loans');

create table "people" (
  "id" uuid default "_new_id"() constraint "people__pkey" primary key,
  "name" text collate "C" not null
    constraint "people__name__check" check (char_length("name") <= 100),
  "born" date,
  "score" bigint
    constraint "people__score__check" check ("score" >= -9007199254740991 and "score" <= 9007199254740991),
  "country" text collate "C" default 'NL'
    constraint "people__country__check" check (char_length("country") <= 2),
  "nickname" text collate "C"
    constraint "people__nickname__check" check (char_length("nickname") <= 50),
  "home" jsonb,
  "notes" jsonb,
  "_words" text[] not null default '{""}',
  "_words_v2" text[] not null default '{""}',
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "people__name__sort"
  on "people" ("name", "id");
create index "people__born__sort"
  on "people" (("born" is null), coalesce("born", date '0001-01-01'), "id");
create index "people__score__sort"
  on "people" (("score" is null), coalesce("score", 0), "id");
create index "people__country__idx"
  on "people" ("country", "id");
create index "people___words__idx"
  on "people" using gin ("_words");
create index "people___words_v2__idx"
  on "people" using gin ("_words_v2");
create trigger "_touch" before update on "people"
  for each row execute function "_touch"();
create trigger "_mark_unindexed" before update on "people"
  for each row when ((old."name", old."nickname") is distinct from (new."name", new."nickname")
    and (old."_words", old."_words_v2") is not distinct from (new."_words", new."_words_v2")
    and not '' = any (new."_words"))
  execute function "_mark_unindexed"('_words');
create trigger "_untouch_words" before update on "people"
  for each row when ('' = any (old."_words") and not '' = any (new."_words"))
  execute function "_untouch_words"('_words', '_words_v2');
create trigger "_bury" after delete on "people"
  referencing old table as "_removed"
  for each statement execute function "_bury"('people');

create table "reviews" (
  "id" uuid default "_new_id"() constraint "reviews__pkey" primary key,
  "text" text collate "C" not null,
  "book_id" uuid not null,
  "_owner_id" uuid constraint "reviews___owner_id__fkey"
    references "users" ("id") on delete set null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "reviews__book_id__idx"
  on "reviews" ("book_id", "id");
create index "reviews__created_at__sort"
  on "reviews" ("created_at", "id");
create index "reviews___owner_id__idx"
  on "reviews" ("_owner_id", "id");
create trigger "_touch" before update on "reviews"
  for each row execute function "_touch"();
create trigger "_untouch_owner" before update of "_owner_id" on "reviews"
  for each row when (pg_trigger_depth() > 0)
  execute function "_untouch_owner"();
create trigger "_bury" after delete on "reviews"
  referencing old table as "_removed"
  for each statement execute function "_bury"('reviews');

-- References, checked when a transaction ends: within one, order does not matter.
alter table "books" add constraint "books__person_id__fkey"
  foreign key ("person_id") references "people" ("id")
  on delete no action deferrable initially deferred;
alter table "loans" add constraint "loans__book_id__fkey"
  foreign key ("book_id") references "books" ("id")
  on delete cascade deferrable initially deferred;
alter table "reviews" add constraint "reviews__book_id__fkey"
  foreign key ("book_id") references "books" ("id")
  on delete cascade deferrable initially deferred;

-- What this migration changes in the definitions: create-service generate reads it.
-- definitions: by create-service 0.2.0
-- definitions: + service {"versions":{"1":{"deprecated":"2026-11-01","sunset":"2027-05-01"},"2":{},"3":{}},"roles":["editor"]}
-- definitions: + collections.people {"fields":{"name":{"type":"string","required":true,"max_length":100,"name_in":{"2":"full_name"}},"born":{"type":"date","type_in":{"1":{"type":"timestamp"}}},"score":{"type":"integer","type_in":{"2":{"type":"decimal","precision":20,"scale":2}}},"country":{"type":"string","max_length":2,"since":2,"default":"NL"},"nickname":{"type":"string","max_length":50,"until":2},"home":{"type":"object","properties":{"city":{"type":"string","max_length":40},"floor":{"type":"integer","default":0}}},"notes":{"type":"json"}},"sort":["name","born","score"],"name_in":{"1":"writers"},"filter":["name","born","country"],"search":["name","nickname"],"permissions":{"read":"public"}}
-- definitions: + collections.desks {"fields":{"opens_at":{"type":"time","required":true,"type_in":{"2":{"type":"text"}}},"closes_at":{"type":"time","minimum":"12:00:00","maximum":"22:00:00","type_in":{"2":{"type":"time","minimum":"09:00:00"}}},"loan":{"type":"duration","default":"P7D","type_in":{"2":{"type":"string"}}},"terminal":{"type":"ip","unique":true,"type_in":{"2":{"type":"string"}}},"logo":{"type":"bytes","max_bytes":30,"type_in":{"2":{"type":"text"}}}},"sort":["opens_at","closes_at","loan","terminal"],"since":2,"filter":["opens_at","closes_at","loan","terminal"]}
-- definitions: + collections.books {"fields":{"title":{"type":"string","required":true,"max_length":200},"isbn":{"type":"string","unique":true,"pattern":"^97[89][0-9]{10}$","name_in":{"1":"ean"}},"price":{"type":"decimal","precision":10,"scale":2,"minimum":"0","required":true,"default":"0","name_in":{"1":"cost"},"type_in":{"2":{"type":"number"}}},"stock":{"type":"integer","minimum":0,"maximum":100000,"type_in":{"1":{"type":"bigint"}}},"number":{"type":"integer","set_by":"service","default":"sequence","name_in":{"1":"place"},"type_in":{"2":{"type":"string"}}},"state":{"type":"enum","values":["draft","published",{"value":"archived","since":2,"as":"published"},{"value":"withdrawn","since":3,"as":"published"}],"required":true,"default":"draft","type_in":{"1":{"type":"enum","values":{"draft":"new","published":"public"}}}},"tags":{"type":"list","of":"string","min_items":1,"max_items":1},"genre":{"type":"string","max_length":40,"type_in":{"1":{"type":"list","of":{"type":"string","max_length":40}}}},"secret":{"type":"string","write_only":true,"max_length":40,"since":2},"rating":{"type":"number","read_only":true,"name_in":{"1":"stars"}},"series":{"type":"string","immutable":true,"max_length":40,"since":2},"person_id":{"type":"reference","to":"people","required":true,"nested":true,"name_in":{"1":"writer_id"}}},"sort":["title","price","state","stock"],"filter":["title","price","state","stock","person_id","isbn"],"search":["title","series"],"unique":[["person_id","title"]],"permissions":{"read":"public","update":["editor","owner"],"delete":"owner"}}
-- definitions: + collections.reviews {"fields":{"text":{"type":"text","required":true},"book_id":{"type":"reference","to":"books","required":true,"on_delete":"cascade","name_in":{"2":"title_id"},"nested":{"as":"reviews","name_in":{"2":"opinions"}}}},"sort":["created_at"],"since":2,"create":"background","name_in":{"2":"opinions"},"permissions":{"read":"owner"}}
-- definitions: + collections.loans {"fields":{"until":{"type":"date","required":true},"book_id":{"type":"reference","to":"books","on_delete":"cascade","nested":true}},"sort":["created_at"],"until":1}
