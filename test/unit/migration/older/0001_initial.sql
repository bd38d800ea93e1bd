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

-- Each change gives a row a later time than it had: the time is its revision.
create function "_touch"() returns trigger language plpgsql as $$
begin
  new."updated_at" := greatest(clock_timestamp(), old."updated_at" + interval '1 microsecond');
  return new;
end
$$;

-- Whatever removes a row, a cascade too, leaves its tombstone.
create function "_bury"() returns trigger language plpgsql as $$
begin
  insert into "_tombstones" ("id", "collection") values (old."id", tg_argv[0]);
  return null;
end
$$;

-- Who may show a credential. A password is kept as its argon2id hash, a token as its SHA-256.
create table "users" (
  "id" uuid primary key,
  "username" text collate "C" not null,
  "password_hash" text not null,
  "roles" text[] not null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create unique index "users__username__key"
  on "users" ("username");
create index "users__username__sort"
  on "users" ("username", "id");
create index "users__created_at__sort"
  on "users" ("created_at", "id");
create trigger "_touch" before update on "users"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "users"
  for each row execute function "_bury"('users');

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
  for each row execute function "_bury"('tokens');

-- Requests of an address in the current minute, over all processes.
create table "_requests" (
  "address" text primary key,
  "minute" bigint not null,
  "requests" bigint not null
);

-- Wrong credentials by the address that sent them.
create table "_attempts" (
  "address" text primary key,
  "failures" integer not null,
  "until" timestamptz not null
);

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
create trigger "_bury" after delete on "jobs"
  for each row execute function "_bury"('jobs');

create table "authors" (
  "id" uuid constraint "authors__pkey" primary key,
  "name" text collate "C" not null
    constraint "authors__name__check" check (char_length("name") <= 100),
  "motto" text collate "C",
  "status" text collate "C"
    constraint "authors__status__check" check ("status" in ('active', 'retired')),
  "_owner_id" uuid constraint "authors___owner_id__fkey"
    references "users" ("id") on delete set null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create unique index "authors__name__key"
  on "authors" ("name");
create unique index "authors__motto__key"
  on "authors" (md5("motto"));
create index "authors__name__sort"
  on "authors" ("name", "id");
create index "authors__motto__sort"
  on "authors" (("motto" is null), coalesce(left("motto", 200), ''), "id");
create index "authors__status__sort"
  on "authors" (("status" is null), coalesce(array_position(array['active', 'retired'], "status"), 0), "id");
create index "authors__motto__idx"
  on "authors" (left("motto", 200), "id");
create index "authors__status__idx"
  on "authors" ("status", "id");
create index "authors___owner_id__idx"
  on "authors" ("_owner_id", "id");
create trigger "_touch" before update on "authors"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "authors"
  for each row execute function "_bury"('authors');

create table "books" (
  "id" uuid constraint "books__pkey" primary key,
  "title" text collate "C" not null
    constraint "books__title__check" check (char_length("title") <= 300),
  "subtitle" text collate "C",
  "isbn" text collate "C" not null,
  "blurb" text collate "C",
  "code" text collate "C"
    constraint "books__code__check" check (char_length("code") <= 600),
  "price" numeric(10, 2),
  "pages" bigint not null
    constraint "books__pages__check" check ("pages" >= -9007199254740991 and "pages" <= 9007199254740991),
  "note" text collate "C"
    constraint "books__note__check" check (char_length("note") <= 300),
  "printed_on" date,
  "author_id" uuid,
  "editor_id" uuid,
  "_words" text[] not null,
  "_words_v1" text[] not null,
  "_owner_id" uuid constraint "books___owner_id__fkey"
    references "users" ("id") on delete set null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create unique index "books__isbn__key"
  on "books" (md5("isbn"));
create unique index "books__blurb__key"
  on "books" (md5("blurb"));
create unique index "books__code__key"
  on "books" (md5("code"));
create unique index "books__title__note__key"
  on "books" (md5("title"), md5("note"));
create unique index "books__pages__price__key"
  on "books" ("pages", "price");
create index "books__author_id__idx"
  on "books" ("author_id", "id");
create index "books__editor_id__idx"
  on "books" ("editor_id", "id");
create index "books__title__sort"
  on "books" (left("title", 200), "id");
create index "books__price__sort"
  on "books" (("price" is null), coalesce("price", 0), "id");
create index "books__pages__sort"
  on "books" ("pages", "id");
create index "books__note__sort"
  on "books" (("note" is null), coalesce(left("note", 200), ''), "id");
create index "books__isbn__sort"
  on "books" (left("isbn", 200), "id");
create index "books__printed_on__sort"
  on "books" (("printed_on" is null), coalesce("printed_on", date '0001-01-01'), "id");
create index "books__created_at__sort"
  on "books" ("created_at", "id");
create index "books__title__idx"
  on "books" ("title", "id");
create index "books__price__idx"
  on "books" ("price", "id");
create index "books__note__idx"
  on "books" ("note", "id");
create index "books__printed_on__idx"
  on "books" ("printed_on", "id");
create index "books__author_id__printed_on__index"
  on "books" ("author_id", "printed_on");
create index "books__editor_id__note__index"
  on "books" ("editor_id", "note");
create index "books__created_at__index"
  on "books" ("created_at");
create index "books___words__idx"
  on "books" using gin ("_words");
create index "books___words_v1__idx"
  on "books" using gin ("_words_v1");
create index "books___owner_id__idx"
  on "books" ("_owner_id", "id");
create trigger "_touch" before update on "books"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "books"
  for each row execute function "_bury"('books');

create table "scans" (
  "id" uuid constraint "scans__pkey" primary key,
  "name" text collate "C",
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "scans__created_at__sort"
  on "scans" ("created_at", "id");
create trigger "_touch" before update on "scans"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "scans"
  for each row execute function "_bury"('scans');

-- References, checked when a transaction ends: within one, order does not matter.
alter table "books" add constraint "books__author_id__fkey"
  foreign key ("author_id") references "authors" ("id")
  on delete cascade deferrable initially deferred;
alter table "books" add constraint "books__editor_id__fkey"
  foreign key ("editor_id") references "authors" ("id")
  on delete set null deferrable initially deferred;
