-- Everything that import meets in tables that definitions use in place.
create extension if not exists citext schema "public";
create schema "sales";
create schema "service";
create table "service"."settings" ("id" uuid primary key, "value" text);
create type "mood" as enum ('sad', 'Happy');
create type "sales"."channel" as enum ('web', 'shop');
create type "dotted.type" as enum ('a', 'b');
create domain "year" as integer check (value between 1901 and 2155);
create domain "plain_text" as text;
create domain "tags" as text[];
create table "users" ("id" bigint generated always as identity primary key, "email" text);
create table "sales"."shelf_kinds" ("shelf_kind_id" uuid primary key default gen_random_uuid(), "name" text);
create table "languages" (
  "id" serial primary key,
  "name" text not null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index on "languages" ("created_at");
create table "film" (
  "film_id" integer generated always as identity primary key,
  "title" varchar(40) not null,
  "slug" text,
  "code" text unique,
  "language_id" smallint not null references "languages",
  "original_language" smallint references "languages" on delete set null,
  "kind_id" integer references "film",
  "user_id" bigint not null references "users",
  "owner_id" bigint references "users",
  "owner_number" integer,
  "shelf" uuid references "sales"."shelf_kinds" on delete cascade,
  "ward_id" varchar(3),
  "rating" "mood" default 'sad',
  "channel" "sales"."channel" not null default 'web',
  "dotted" "dotted.type",
  "released" "year",
  "label" "plain_text",
  "labels" "tags",
  "isOut" boolean not null default false,
  "small" smallint not null default 1,
  "large" bigint default 0,
  "score" double precision,
  "weight" real not null,
  "price" numeric(10, 2) not null default 9.99,
  "any_number" numeric,
  "key_of" uuid,
  "day" date default current_date,
  "opens" time,
  "length" interval,
  "seen" timestamptz default now(),
  "meta" jsonb default '{"a": [1]}',
  "raw" json,
  "cover" bytea,
  "address" inet,
  "network" cidr,
  "short" char(3),
  "system_name" name,
  "nickname" citext,
  "list" text[],
  "years" "year"[],
  "binaries" bytea[],
  "upper" text generated always as (upper("title")) stored,
  "fulltext" tsvector not null default '',
  "random" double precision not null default random(),
  "access_token" text,
  "deleted_at" timestamptz,
  "number" serial not null,
  "maybe_number" integer default nextval('film_number_seq'),
  "reference_id" integer,
  "limit" integer,
  "last_update" timestamptz not null default now(),
  "updated_at" timestamptz,
  constraint "positive" check ("small" > 0 and "price" >= 0),
  constraint "short_title" check (length("title") < 100),
  constraint "film_title_key" unique ("title"),
  constraint "film_slug_small_key" unique ("slug", "small")
);
comment on table "film" is 'What is shown.';
comment on column "film"."title" is 'As on the poster.';
create unique index "index_film_on_slug" on "film" ("slug");
create unique index "index_film_on_day" on "film" ("day", "opens") where "isOut";
create unique index "film_nickname_key" on "film" ("nickname");
create unique index "film_lower_key" on "film" (lower("title"));
create unique index "film_number_idx" on "film" ("number");
create index on "film" ("language_id", "day");
create index on "film" ("score" desc);
create index on "film" ("weight");
create index on "film" ("limit");
create index on "film" ("large") where "isOut";
create index on "film" using hash ("small");
create index on "film" ("last_update");
create index on "film" ("access_token");
create index on "film" ("nickname", "seen");
create function "touch"() returns trigger language plpgsql as 'begin return new; end';
create trigger "film_touch" before update on "film" for each row execute function "touch"();
alter table "film" enable row level security;
alter table "film" add constraint "film_excluded" exclude using gist ("network" inet_ops with =);
alter table "film" add constraint "film_network" check ("small" < 100) not valid;
-- Foreign keys of several columns, to other columns, partial, second, not enforced and in a circle.
create table "wards" (
  "ward_number" bigserial primary key, "code" varchar(3) not null unique, "hall_id" integer not null,
  "bed_id" integer not null, "kind" text, unique ("hall_id", "bed_id")
);
create table "beds" (
  "id" uuid primary key, "ward_id" varchar(3) references "wards" ("code"),
  "hall_id" integer, "bed_id" integer, "nurse_id" bigint not null references "wards" on delete set null,
  "film_id" integer references "film" references "languages",
  "shelf_kind_id" uuid, "place_id" uuid, "place_key" integer,
  foreign key ("hall_id", "bed_id") references "wards" ("hall_id", "bed_id")
);
alter table "beds" add foreign key ("shelf_kind_id") references "sales"."shelf_kinds" not enforced;
create table "places" ("code" uuid primary key references "beds", "name" text);
alter table "beds" add foreign key ("place_id") references "places";
create table "stores" ("id" serial primary key, "manager_id" integer not null);
create table "staff" ("id" serial primary key, "store_id" integer not null references "stores");
alter table "stores" add foreign key ("manager_id") references "staff";
create table "visits" ("id" bigint generated by default as identity, "film_id" integer, "at" date, primary key ("id"))
  partition by range ("id");
create table "visits_1" partition of "visits" for values from (1) to (100);
create table "visits_2" partition of "visits" for values from (100) to (200);
alter table "visits_1" add foreign key ("film_id") references "film";
-- Times.
create table "posts" (
  "id" uuid primary key, "createdAt" timestamptz not null, "updatedAt" timestamptz not null, "updated" timestamptz not null,
  "created_at" timestamptz, "text" text
);
create table "comments" (
  "id" uuid primary key, "created_at" timestamp not null default now(), "updated_at" timestamp not null default now(),
  "at" timestamp, "text" text
);
create table "letters" ("id" uuid primary key, "sent" timestamp not null, "text" text);
create table "parcels" ("id" uuid primary key, "updated" timestamptz not null, "modified_at" timestamptz not null);
-- Tables that are not used.
create table "logs" ("at" timestamptz, "text" text);
create table "film_actors" ("film" integer, "actor" integer, primary key ("film", "actor"));
create table "countries" ("code" varchar(2) primary key, "name" text);
create table "texts" ("id" text primary key, "name" text);
create table "ratings" ("film_id" integer primary key references "film", "stars" integer);
create table "lamps" ("id" integer primary key, "watts" integer);
create table "documents" ("id" uuid primary key, "words" tsvector not null, "kinds" text[] not null, "name" text);
create table "pages" ("id" uuid primary key, "document_id" uuid references "documents", "name" text);
create table "animals" ("id" serial primary key, "name" text);
create table "cats" ("claws" integer, primary key ("id")) inherits ("animals");
create table "dotted.table" ("id" uuid primary key, "name" text);
create table "delete_requests" ("id" uuid primary key, "name" text);
create table "empty" ("id" uuid primary key);
create table "Page" ("id" uuid primary key, "name" text);
create view "titles" as select "title" from "film";
