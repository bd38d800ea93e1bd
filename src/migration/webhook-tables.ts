/** The SQL of webhooks and their deliveries, which services with events have. */
import { formerValues, renamedValue } from '../shared/sql.ts';
import type { ValueRename } from '../shared/sql.ts';
import type { ItemIdType } from '../model/keys.ts';
import { buryTrigger, touchTrigger } from './statements.ts';

/** Creates the tables; that of events is there already. @param itemId the type of the ids of items. */
export const createWebhooks = (itemId: ItemIdType): string => `-- The receivers of events.
create table "webhooks" (
  "id" uuid default "_new_id"() primary key,
  "url" text not null,
  "events" text[],
  "version" integer not null,
  "description" text,
  "status" text not null,
  "disabled_reason" text,
  "disabled_at" timestamptz,
  "delivery_failed_at" timestamptz,
  "failing_since" timestamptz,
  "active_after" bigint not null default 0,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "webhooks__created_at__sort"
  on "webhooks" ("created_at", "id");
create trigger "_touch" before update of "url", "events", "version", "description", "status", "delivery_failed_at" on "webhooks"
  for each row execute function "_touch"();
${buryTrigger('webhooks', 'webhooks')}

-- Signing secrets of webhooks. A replaced secret stays valid for 24 hours.
create table "_webhook_secrets" (
  "webhook_id" uuid not null references "webhooks" ("id") on delete cascade,
  "secret" text not null,
  "created_at" timestamptz not null default clock_timestamp(),
  "expires_at" timestamptz
);
create index "_webhook_secrets__webhook_id__idx"
  on "_webhook_secrets" ("webhook_id");

-- Deliveries of events to webhooks, with their status and attempts.
create table "_deliveries" (
  "id" uuid default "_new_id"() primary key,
  "webhook_id" uuid not null references "webhooks" ("id") on delete cascade,
  "event_id" uuid not null references "events" ("event_id") on delete cascade,
  "position" bigint not null,
  "item_id" ${itemId} not null,
  "type" text not null,
  "status" text not null default 'pending',
  "attempt" integer not null default 0,
  "attempts" jsonb not null default '[]',
  "due_at" timestamptz,
  "run_id" uuid,
  "lease_until" timestamptz,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create unique index "_deliveries__webhook_id__event_id__key"
  on "_deliveries" ("webhook_id", "event_id");
create index "_deliveries__event_id__idx"
  on "_deliveries" ("event_id");
create index "_deliveries__webhook_id__idx"
  on "_deliveries" ("webhook_id", "id");
create index "_deliveries__webhook_id__created_at__sort"
  on "_deliveries" ("webhook_id", "created_at", "id");
create index "_deliveries__due_at__idx"
  on "_deliveries" ("webhook_id", "due_at", "position") where "status" = 'pending' and "due_at" is not null;
create index "_deliveries__position__idx"
  on "_deliveries" ("webhook_id", "item_id", "position") where "status" = 'pending';
create index "_deliveries__lease_until__idx"
  on "_deliveries" ("webhook_id", "lease_until") where "lease_until" is not null;
create unique index "_deliveries__run_id__key"
  on "_deliveries" ("run_id") where "run_id" is not null;
create index "_deliveries__webhook_id__position__idx"
  on "_deliveries" ("webhook_id", "position") where "status" = 'pending';
create index "_deliveries__status__idx"
  on "_deliveries" ("status", "created_at") where "status" in ('pending', 'failed');
${touchTrigger('_deliveries')}

-- The position of the last event whose deliveries are made, in at most one row.
create table "_webhook_cursor" (
  "id" boolean default true primary key check ("id"),
  "position" bigint not null
);`;

/** Renames types in the webhooks that get the current form of events, and in their deliveries. */
export function renameWebhookTypes(renames: readonly ValueRename[], version: number): string {
  const old = formerValues(renames);
  return (
    `update "webhooks" set "events" = array(\n  ` +
    `select ${renamedValue('"one"', renames, '"one"')} from unnest("events") as "one")\n` +
    `where "version" = ${version} and "events" && array[${old}];\n` +
    `update "_deliveries" set "type" = ${renamedValue('"_deliveries"."type"', renames)} from "webhooks"\n` +
    `where "webhooks"."id" = "webhook_id" and "version" = ${version} and "_deliveries"."type" in (${old});`
  );
}
