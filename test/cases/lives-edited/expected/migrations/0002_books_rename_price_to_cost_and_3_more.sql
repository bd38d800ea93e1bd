-- after: 0001_initial fb422c08ef1f1eeb715818a2feae9ebc6101ba10eb257f176a20601d90178994

-- Renames books.price to cost.
-- Adds books.pages.
-- Adds the collection authors.
--
-- Nobody can read or write these tables until the end of the migration, and:
-- - "books" is read through (to see that all rows keep what is new)

set local lock_timeout = '10s';

drop index "books__created_at__sort";

alter table "books" rename column "price" to "cost";

alter table "books" rename constraint "books__price__check" to "books__cost__check";

create table "authors" (
  "id" uuid constraint "authors__pkey" primary key,
  "name" text collate "C",
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "authors__created_at__sort"
  on "authors" ("created_at", "id");
create trigger "_touch" before update on "authors"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "authors"
  for each row execute function "_bury"('authors');

alter table "books"
  add column "pages" bigint;

alter table "books"
  add constraint "books__pages__check" check ("pages" >= 1 and "pages" <= 9007199254740991);

create index "books__title__sort"
  on "books" ("title", "id");

create index "books__pages__idx"
  on "books" ("pages", "id");
