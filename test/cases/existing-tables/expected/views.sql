-- The views through which the service reads and writes existing tables. They are in no migration: the start of the
-- service, and its command `migrate`, make them anew if this file has changed, or one of them is missing.

create view "films" as select
  "film_id" as "id",
  "title",
  "length" as "length_minutes",
  "language_id",
  "rating",
  "last_update" as "updated_at",
  xmin::text || ctid::text as "_revision"
from "public"."film";
alter view "films" alter column "updated_at" set default current_timestamp;

create view "languages" as select
  "id",
  "name",
  xmin::text || ctid::text as "_revision"
from "Words"."language";
