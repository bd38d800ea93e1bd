-- Everything that import meets.
create type "mood" as enum ('sad', 'it''s ok', 'Happy');
create domain "year" as integer check (value between 1901 and 2155);
create type "point3" as ("x" integer, "y" integer, "z" integer);
create table "users" ("id" bigint primary key, "email" text);
create table "Author" (
  "id" uuid primary key default gen_random_uuid(),
  "name" varchar(120) not null unique,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
comment on table "Author" is E'Who writes.\n  In two lines.';
comment on column "Author"."name" is 'As on the cover: "so".';
create table "publishers" (
  "id" uuid primary key,
  "name" text,
  "created_at" timestamptz not null,
  "updated_at" timestamptz not null
);
create table "book" (
  "book_id" serial primary key,
  "title" text not null,
  "author" uuid not null references "Author" on delete cascade,
  "publisher_id" uuid references "publishers" on delete set null,
  "editor_id" bigint references "users",
  "mood" "mood" not null default 'sad',
  "year" "year",
  "pages" smallint not null default 1,
  "sold" bigint default 0,
  "weight" real,
  "price" numeric(10, 2) not null default 9.99,
  "rating" numeric,
  "is_out" boolean not null default false,
  "tags" text[] not null default '{}',
  "meta" jsonb default '{"a": [1]}',
  "born_on" date default current_date,
  "opens_at" time,
  "length" interval,
  "seen_at" timestamptz default now(),
  "local_at" timestamp,
  "address" inet,
  "cover" bytea,
  "token" uuid,
  "api_key" text unique,
  "search" tsvector,
  "position" "point3",
  "size" int4range,
  "upper" text generated always as (upper("title")) stored,
  "number" integer generated always as identity,
  "code" char(3) default 'abc',
  "random" double precision default random(),
  "created_at" timestamp not null,
  constraint "positive" check ("pages" > 0 and "price" >= 0),
  constraint "short" check (length("title") < 100)
);
create unique index "book_title" on "book" (lower("title"));
create unique index "book_code" on "book" ("code") where "is_out" and "year" is not null;
create unique index "book_pages" on "book" ("pages", "sold");
create index "book_sold" on "book" ("sold");
create index "book_seen" on "book" ("seen_at") where "is_out";
create function "touch"() returns trigger language plpgsql as 'begin return new; end';
create trigger "book_touch" before update on "book" for each row execute function "touch"();
create table "book_authors" (
  "book_id" integer references "book",
  "author_id" uuid references "Author",
  primary key ("book_id", "author_id")
);
create table "ratings" ("book_id" integer primary key references "book", "stars" integer not null);
create table "logs" ("at" timestamptz, "text" text);
create table "left" (
  "id" uuid primary key, "right_id" uuid not null,
  "created_at" timestamptz not null, "updated_at" timestamptz not null
);
create table "rights" (
  "id" uuid primary key, "left_id" uuid not null references "left",
  "created_at" timestamptz not null, "updated_at" timestamptz not null
);
alter table "left" add foreign key ("right_id") references "rights";
create table "events" ("id" bigint, "at" date, primary key ("id", "at")) partition by range ("at");
create table "events_2026" partition of "events" for values from ('2026-01-01') to ('2027-01-01');
create table "special_logs" ("more" text) inherits ("logs");
create table "guarded" ("id" uuid primary key, "x" integer);
alter table "guarded" enable row level security;
create table "slots" (
  "id" uuid primary key, "number" integer, "during" int4range, exclude using gist ("during" with &&)
);
create table "lamps" ("id" smallint primary key, "watts" integer);
create table "shelves" ("shelf_id" bigint generated always as identity primary key, "lamp_id" smallint references "lamps");
create table "codes" ("id" text primary key, "text" text, "shelf_id" bigint references "shelves");
create table "empty" ("id" uuid primary key);
create table "add_ons" ("id" uuid primary key, "name" text);
create table "delete_requests" ("id" uuid primary key, "name" text);
create table "authors" ("id" uuid primary key, "name" text);
create table "空" ("id" uuid primary key);
create table "replies" (
  "id" uuid primary key, "request_id" uuid references "delete_requests", "other_id" uuid references "空"
);
create view "titles" as select "title" from "book";
create foreign data wrapper "none"; create server "elsewhere" foreign data wrapper "none";
create foreign table "remote_notes" ("id" uuid) server "elsewhere";
create table "wards" (
  "code" varchar(3) primary key, "hall" integer not null, "number" integer not null,
  "name" text unique, "is_deleted" boolean, unique ("hall", "number"), unique ("is_deleted", "name") deferrable
);
create table "beds" (
  "id" uuid primary key,
  "ward" varchar(3) not null references "wards" on delete set null,
  "ward_name" text references "wards" ("name"),
  "hall" integer, "number" integer, foreign key ("hall", "number") references "wards" ("hall", "number"),
  "author_id" uuid references "Author" references "publishers",
  "nurse_id" integer
);
create table "visits" ("author_id" uuid, "at" date) partition by range ("at");
create table "visits_1" partition of "visits" for values from ('2026-01-01') to ('2026-02-01');
create table "visits_2" partition of "visits" for values from ('2026-02-01') to ('2026-03-01');
alter table "visits_1" add foreign key ("author_id") references "Author";
