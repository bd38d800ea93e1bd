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

create table "books" (
  "id" uuid constraint "books__pkey" primary key,
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
  for each row execute function "_bury"('books');
