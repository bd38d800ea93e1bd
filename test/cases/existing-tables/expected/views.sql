-- The views through which the service reads and writes existing tables. A migration with the line `-- views` makes those
-- that have changed, and the start of the service makes those that are missing.

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
