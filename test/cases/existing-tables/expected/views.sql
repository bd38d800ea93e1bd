-- The views through which the service reads and writes existing tables. Those whose text has changed are recreated by a
-- migration with the line `-- views`, or by the start of the service, which also creates missing ones. README.md says more.

create view "films" as select
  "film_id" as "id",
  "title",
  "length" as "length_minutes",
  "language_id",
  "rating",
  "slug",
  "dubbed_id",
  "code",
  "last_update" as "updated_at",
  xmin::text || ctid::text as "_revision"
from "public"."film";
alter view "films" alter column "updated_at" set default current_timestamp;

create view "languages" as select
  "id",
  "name",
  "updated_at",
  xmin::text || ctid::text as "_revision"
from "Words"."language";
alter view "languages" alter column "updated_at" set default current_timestamp;
