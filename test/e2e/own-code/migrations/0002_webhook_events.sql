-- Events that are not delivered yet.
create table "webhook_events" (
  "id" bigint generated always as identity primary key,
  "type" text not null,
  "item" jsonb not null,
  "next_at" timestamptz not null default now()
);
create index "webhook_events__next_at__idx" on "webhook_events" ("next_at");
