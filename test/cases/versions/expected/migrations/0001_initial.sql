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

create table "books" (
  "id" uuid constraint "books__pkey" primary key,
  "title" text collate "C" not null
    constraint "books__title__check" check (char_length("title") <= 200),
  "isbn" text collate "C",
  "price" numeric(10, 2) not null
    constraint "books__price__check" check ("price" >= 0.00),
  "stock" bigint
    constraint "books__stock__check" check ("stock" >= 0 and "stock" <= 100000),
  "state" text collate "C" not null
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
  "_words" text[] not null,
  "_words_v1" text[] not null,
  "_owner_id" uuid constraint "books___owner_id__fkey"
    references "users" ("id") on delete set null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create unique index "books__isbn__key"
  on "books" (md5("isbn"));
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
create index "books__state__idx"
  on "books" ("state", "id");
create index "books__stock__idx"
  on "books" ("stock", "id");
create index "books__isbn__idx"
  on "books" (left("isbn", 200), "id");
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

create table "loans" (
  "id" uuid constraint "loans__pkey" primary key,
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
  for each row execute function "_bury"('loans');

create table "people" (
  "id" uuid constraint "people__pkey" primary key,
  "name" text collate "C" not null
    constraint "people__name__check" check (char_length("name") <= 100),
  "born" date,
  "score" bigint
    constraint "people__score__check" check ("score" >= -9007199254740991 and "score" <= 9007199254740991),
  "country" text collate "C"
    constraint "people__country__check" check (char_length("country") <= 2),
  "nickname" text collate "C"
    constraint "people__nickname__check" check (char_length("nickname") <= 50),
  "_words" text[] not null,
  "_words_v2" text[] not null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "people__name__sort"
  on "people" ("name", "id");
create index "people__born__sort"
  on "people" (("born" is null), coalesce("born", date '0001-01-01'), "id");
create index "people__score__sort"
  on "people" (("score" is null), coalesce("score", 0), "id");
create index "people__born__idx"
  on "people" ("born", "id");
create index "people__country__idx"
  on "people" ("country", "id");
create index "people___words__idx"
  on "people" using gin ("_words");
create index "people___words_v2__idx"
  on "people" using gin ("_words_v2");
create trigger "_touch" before update on "people"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "people"
  for each row execute function "_bury"('people');

create table "reviews" (
  "id" uuid constraint "reviews__pkey" primary key,
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
create trigger "_bury" after delete on "reviews"
  for each row execute function "_bury"('reviews');

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
