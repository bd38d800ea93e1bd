-- after: 0001_initial fb422c08ef1f1eeb715818a2feae9ebc6101ba10eb257f176a20601d90178994

-- books.title takes other values than before.
--
-- Nobody can read or write these tables until the end of the migration, and:
-- - "books" is read through (to see that all rows keep what is new)

set local lock_timeout = '10s';

alter table "books"
  drop constraint "books__title__check";

alter table "books"
  add constraint "books__title__check" check (char_length("title") <= 120);
