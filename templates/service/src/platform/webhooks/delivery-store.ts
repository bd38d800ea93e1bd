/**
 * The table of deliveries, which is the queue of the workers. A delivery is due if `due_at` has passed; of
 * the pending deliveries of one item to one webhook, at most one has a `due_at`, so that an item's
 * events arrive in order. Whoever adds or ends deliveries locks the row of their webhook first.
 *
 * A process that attempts a delivery holds a lease on it. When the process dies, the lease expires, and
 * another process attempts the delivery. Every attempt has an ID, and results of an attempt that has lost
 * its lease are rejected.
 */
import type { Database } from '../database/database.ts';
import { numberAllEvents, numberEvents } from '../events/event-store.ts';
import type { Forms } from '../events/event-store.ts';
import { ITEM_ID_TYPE } from '../features.ts';
import { ATTEMPT_TIMEOUT } from './send.ts';
import type { VersionedType } from './event-types.ts';

/** A stored delivery, as clients read it. */
export interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly item_id: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  /** The latest attempts, the oldest first. */
  readonly attempts: readonly Attempt[];
  /** When the next attempt is due; null if there is none, or if an earlier event of the item is pending. */
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** An attempt that has ended. */
export interface Attempt {
  readonly at: string;
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;
  /** Why it failed; null if it succeeded. */
  readonly error: string | null;
}

/** An attempt that this process makes now. */
export interface Run {
  readonly id: string;
  readonly run_id: string;
  readonly webhook_id: string;
  readonly item_id: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
}

/** What an attempt needs. */
export interface Outgoing {
  readonly url: string;
  readonly version: number;
  readonly secrets: readonly string[];
  readonly event_id: string;
  readonly type: string;
  /** The type in the table of events. */
  readonly stored_type: string;
  readonly created_at: string;
  readonly data: Forms;
}

/** The result of an attempt. */
export type Outcome =
  | { readonly kind: 'succeeded'; readonly attempt: Attempt }
  | { readonly kind: 'retried'; readonly attempt: Attempt; readonly delay: number }
  | { readonly kind: 'failed'; readonly attempt: Attempt };

/** The number and age of the deliveries with a status that needs attention. */
export interface DeliveryCount {
  readonly status: 'pending' | 'failed';
  /** The number of deliveries, up to `MAX_COUNTED`. */
  readonly count: number;
  /** The age of the oldest delivery in seconds; 0 without deliveries. */
  readonly oldest: number;
}

/** Events that one transaction turns into deliveries. */
const BATCH = 100;
/** Deliveries that one webhook has in flight at once, in all processes. */
const MOST_FOR_WEBHOOK = 4;
/** The time after which the attempt of a dead process is repeated: twice the timeout of an attempt. */
const LEASE = `clock_timestamp() + interval '${2 * ATTEMPT_TIMEOUT} milliseconds'`;
/** Attempts that a delivery keeps. */
const MAX_ATTEMPTS_KEPT = 20;
/** The limit of counts, so that counting stays fast when many deliveries are pending. */
const MAX_COUNTED = 10_000;

const ENDED = `"run_id" = null, "lease_until" = null`;
const RECORDED = `"attempts" = (
    select jsonb_agg("one" order by "at") from (
      select "one", "at" from jsonb_array_elements("attempts" || $2::jsonb)
        with ordinality as "all" ("one", "at") order by "at" desc limit ${MAX_ATTEMPTS_KEPT}
    ) as "latest")`;

const LOCK_CURSOR = {
  prepared: true,
  text: 'select "position" from "_webhook_cursor" for update',
};
const BEGIN_CURSOR = {
  text: `insert into "_webhook_cursor" ("position") values (0) on conflict do nothing`,
};
const LOCK_WEBHOOKS = {
  prepared: true,
  text: `select 1 from "webhooks" where "status" = 'active' order by "id" for update`,
};
const LOCK_WEBHOOK = {
  prepared: true,
  text: 'select "status" from "webhooks" where "id" = $1 for update',
};
const END_OF_BATCH = {
  prepared: true,
  text: `select max("position") as "position" from (
    select "position" from "events" where "position" > $1 order by "position" limit ${BATCH}
  ) as "batch"`,
};
const MOVE_CURSOR = { prepared: true, text: 'update "_webhook_cursor" set "position" = $1' };
/** Whether items of several collections may have one id: ids that are no UUIDs are unique only in their collection. */
const SHARE_IDS = ITEM_ID_TYPE === 'text';
/** The first part of the type of an event names the collection; types of deliveries have the name in a version. */
const EVENT_COLLECTION = `split_part("events"."type", '.', 1)`;
const collectionOf = (delivery: string): string =>
  `(select split_part("type", '.', 1) from "events" where "event_id" = ${delivery}."event_id")`;
/** A condition after others: the collections are the same. */
const andSame = (collection: string, other: string): string =>
  SHARE_IDS ? `and ${collection} = ${other}` : '';

// An event is due at once if the webhook has no pending delivery of the same item.
const FAN_OUT = {
  prepared: true,
  text: `insert into "_deliveries" ("webhook_id", "event_id", "position", "item_id", "type", "due_at")
    select "webhooks"."id", "events"."event_id", "events"."position", "events"."item_id", "offered"."name",
      case when row_number() over "line" = 1 and not exists (
        select 1 from "_deliveries" as "earlier"
        where "earlier"."webhook_id" = "webhooks"."id" and "earlier"."item_id" = "events"."item_id"
          ${andSame(collectionOf('"earlier"'), EVENT_COLLECTION)}
          and "earlier"."status" = 'pending'
      ) then clock_timestamp() end
    from "events"
    join unnest($3::integer[], $4::text[], $5::text[]) as "offered" ("version", "type", "name")
      on "offered"."type" = "events"."type"
    join "webhooks" on "webhooks"."status" = 'active' and "webhooks"."version" = "offered"."version"
      and ("webhooks"."events" is null or "offered"."name" = any("webhooks"."events"))
      and "events"."position" > "webhooks"."active_after"
    where "events"."position" > $1 and "events"."position" <= $2
    window "line" as (
      partition by "webhooks"."id", "events"."item_id"${SHARE_IDS ? `, ${EVENT_COLLECTION}` : ''} order by "events"."position")
    order by "events"."position"`,
};
// Webhooks take turns, so that one with many due deliveries does not delay the others.
const CLAIM = {
  prepared: true,
  text: `update "_deliveries" set "attempt" = "attempt" + 1, "run_id" = gen_random_uuid(),
      "lease_until" = ${LEASE}
    where "id" in (
      select "due"."id" from "webhooks" cross join lateral (
        select "id", "due_at", row_number() over (order by "due_at", "position") as "turn" from (
          select "id", "due_at", "position" from "_deliveries"
          where "webhook_id" = "webhooks"."id" and "status" = 'pending'
            and "due_at" <= clock_timestamp()
            and ("lease_until" is null or "lease_until" < clock_timestamp())
          order by "due_at", "position"
          limit greatest(0, ${MOST_FOR_WEBHOOK} - (
            select count(*) from "_deliveries"
            where "webhook_id" = "webhooks"."id" and "lease_until" >= clock_timestamp()))
        ) as "first"
      ) as "due"
      where "webhooks"."status" = 'active' order by "turn", "due_at" limit $1)
    returning "id", "run_id", "webhook_id", "item_id", "attempt"`,
};
const READ_OUTGOING = {
  prepared: true,
  text: `select "webhooks"."url", "webhooks"."version", "_deliveries"."type", "events"."event_id",
      "events"."type" as "stored_type", "events"."created_at", "events"."data",
      array(
        select "secret" from "_webhook_secrets"
        where "webhook_id" = "webhooks"."id"
          and ("expires_at" is null or "expires_at" > clock_timestamp())
        order by "created_at" desc) as "secrets"
    from "_deliveries"
    join "webhooks" on "webhooks"."id" = "_deliveries"."webhook_id"
    join "events" on "events"."event_id" = "_deliveries"."event_id"
    where "_deliveries"."run_id" = $1`,
};
const SUCCEED = {
  prepared: true,
  text: `update "_deliveries" set "status" = 'succeeded', "due_at" = null, ${ENDED}, ${RECORDED}
    where "run_id" = $1 returning "id"`,
};
const FAIL = {
  prepared: true,
  text: `update "_deliveries" set "status" = 'failed', "due_at" = null, ${ENDED}, ${RECORDED}
    where "run_id" = $1 returning "id"`,
};
const RETRY = {
  prepared: true,
  text: `update "_deliveries" set "due_at" = clock_timestamp() + $3 * interval '1 second',
      ${ENDED}, ${RECORDED}
    where "run_id" = $1 returning "id"`,
};
const GIVE_BACK = {
  prepared: true,
  text: `update "_deliveries" set "attempt" = "attempt" - 1, ${ENDED} where "run_id" = any($1)`,
};
const ADVANCE = {
  prepared: true,
  text: `update "_deliveries" set "due_at" = clock_timestamp() where "id" = (
    select "id" from "_deliveries"
    where "webhook_id" = $1 and "item_id" = $2 and "status" = 'pending'
      ${andSame(collectionOf('"_deliveries"'), `(select ${collectionOf('"ended"')} from "_deliveries" as "ended" where "ended"."id" = $3)`)}
    order by "position" limit 1)`,
};
const CLEAR_FAILING = {
  prepared: true,
  text: `update "webhooks" set "failing_since" = null where "id" = $1 and "failing_since" is not null`,
};
const SET_FAILING = {
  prepared: true,
  text: `update "webhooks" set "failing_since" = coalesce("failing_since", clock_timestamp())
    where "id" = $1
    returning "failing_since", "failing_since" <= clock_timestamp() - $2 * interval '1 second' as "isTooLong"`,
};
const SET_FAILED = {
  prepared: true,
  text: `update "webhooks" set "delivery_failed_at" = clock_timestamp() where "id" = $1`,
};
const SET_ACTIVE = {
  prepared: true,
  text: `update "webhooks" set "active_after" = (select coalesce(max("position"), 0) from "events")
    where "id" = $1`,
};
const DISABLE = {
  prepared: true,
  text: `update "webhooks" set "status" = 'disabled', "disabled_reason" = $2,
    "disabled_at" = clock_timestamp() where "id" = $1`,
};
const DISABLE_RETIRED = {
  text: `update "webhooks" set "status" = 'disabled', "disabled_at" = clock_timestamp(),
      "disabled_reason" = 'Version ' || "version" || ' is no longer served.'
    where "status" = 'active' and "version" <> all($1) returning "id"`,
};
const GIVE_UP = {
  prepared: true,
  text: `update "_deliveries" set "status" = 'failed', "due_at" = null, ${ENDED}
    where "webhook_id" = $1 and "status" = 'pending'`,
};
const REDELIVER = {
  prepared: true,
  text: `update "_deliveries" set "status" = 'pending', "attempt" = 0, ${ENDED},
      "due_at" = case when "due_at" is not null or not exists (
        select 1 from "_deliveries" as "other"
        where "other"."webhook_id" = "_deliveries"."webhook_id"
          and "other"."item_id" = "_deliveries"."item_id" and "other"."status" = 'pending'
          ${andSame(collectionOf('"other"'), collectionOf('"_deliveries"'))}
      ) then clock_timestamp() end
    where "id" = $1 and "run_id" is null`,
};
const COUNT = {
  prepared: true,
  // A subquery for each status, so that the partial index is used.
  text: ['pending', 'failed']
    .map(
      (status) => `select '${status}' as "status",
        (select count(*)::integer from (
          select 1 from "_deliveries" where "status" = '${status}' limit ${MAX_COUNTED}) as "some") as "count",
        (select coalesce(extract(epoch from clock_timestamp() - min("created_at")), 0)::float8
          from "_deliveries" where "status" = '${status}') as "oldest"`,
    )
    .join(' union all '),
};

/**
 * Makes deliveries of new events, and takes due ones.
 * @param types all types of events.
 * @param limit how many this process can attempt now.
 * @returns the attempts to make, and whether more events wait to become deliveries.
 */
export async function takeDeliveries(
  database: Database,
  types: readonly VersionedType[],
  limit: number,
): Promise<{ readonly runs: Run[]; readonly hasMore: boolean }> {
  return database.transaction(async (transaction) => {
    const after = await lockCursor(transaction);
    await numberEvents(transaction);
    await transaction.query(LOCK_WEBHOOKS);
    const hasMore = await fanOut(transaction, types, after);
    const runs = limit > 0 ? await transaction.query<Run>(CLAIM, [limit]) : [];
    return { runs, hasMore };
  });
}

/** The position of the last event whose deliveries are made. One process at a time passes. */
async function lockCursor(transaction: Database): Promise<number> {
  const [cursor] = await transaction.query<{ position: number }>(LOCK_CURSOR);
  if (cursor !== undefined) return cursor.position;
  await transaction.query(BEGIN_CURSOR);
  return lockCursor(transaction);
}

/** Makes the deliveries of the events after a position. @returns whether there were any events. */
async function fanOut(
  transaction: Database,
  types: readonly VersionedType[],
  after: number,
): Promise<boolean> {
  const [end] = await transaction.query<{ position: number | null }>(END_OF_BATCH, [after]);
  const last = end?.position ?? null;
  if (last === null) return false;
  await transaction.query(FAN_OUT, [
    after,
    last,
    types.map(({ version }) => version),
    types.map(({ stored }) => stored),
    types.map(({ name }) => name),
  ]);
  await transaction.query(MOVE_CURSOR, [last]);
  return true;
}

/** What to send in an attempt; undefined if it has lost its lease. */
export async function readOutgoing(
  database: Database,
  { run_id: run }: Run,
): Promise<Outgoing | undefined> {
  const [outgoing] = await database.query<Outgoing>(READ_OUTGOING, [run]);
  return outgoing;
}

/**
 * Stores the result of an attempt, and lets the next event of the item go out unless this one is retried.
 * @param disableAfter seconds of nothing but failures after which the webhook is disabled.
 * @returns the reason if the webhook was disabled.
 */
export async function endRun(
  database: Database,
  { id, run_id: run, webhook_id: webhook, item_id: item }: Run,
  outcome: Outcome,
  disableAfter: number,
): Promise<string | undefined> {
  const attempt = JSON.stringify([outcome.attempt]);
  return database.transaction(async (transaction) => {
    const locked = await transaction.query(LOCK_WEBHOOK, [webhook]);
    if (locked.length === 0) return undefined;
    const ended =
      outcome.kind === 'retried'
        ? await transaction.query(RETRY, [run, attempt, outcome.delay])
        : await transaction.query(outcome.kind === 'succeeded' ? SUCCEED : FAIL, [run, attempt]);
    if (ended.length === 0) return undefined;
    if (outcome.kind !== 'retried') {
      await transaction.query(ADVANCE, [webhook, item, ...(SHARE_IDS ? [id] : [])]);
    }
    if (outcome.kind === 'succeeded') {
      await transaction.query(CLEAR_FAILING, [webhook]);
      return undefined;
    }
    if (outcome.kind === 'failed') await transaction.query(SET_FAILED, [webhook]);
    const [failing] = await transaction.query<Failing>(SET_FAILING, [webhook, disableAfter]);
    const isGone = outcome.attempt.status === GONE;
    if (!isGone && failing?.isTooLong !== true) return undefined;
    const reason = isGone
      ? 'The receiver answered 410 Gone.'
      : `Every attempt since ${failing?.failing_since} failed. ${outcome.attempt.error}`;
    await transaction.query(DISABLE, [webhook, reason]);
    await giveUpDeliveries(transaction, webhook);
    return reason;
  });
}

/** Since when all attempts of a webhook failed. */
interface Failing {
  readonly failing_since: string;
  readonly isTooLong: boolean;
}

/** The status by which a receiver says that it wants no events any more. */
const GONE = 410;

/**
 * Ends the pending deliveries of a webhook that is disabled, and forgets since when it fails. Runs in the
 * transaction that changes its row.
 */
export async function giveUpDeliveries(transaction: Database, webhook: string): Promise<void> {
  await transaction.query(GIVE_UP, [webhook]);
  await transaction.query(CLEAR_FAILING, [webhook]);
}

/**
 * Lets a webhook that was created or enabled get the changes from now on: the events after those that are
 * committed. Times would not tell, because the clock of the database can go back. Runs in the transaction that activates it.
 */
export async function beginDeliveries(transaction: Database, webhook: string): Promise<void> {
  await numberAllEvents(transaction);
  await transaction.query(SET_ACTIVE, [webhook]);
}

/** Disables webhooks whose version is no longer served: events have no form of that version. */
export async function disableRetired(
  database: Database,
  served: readonly number[],
): Promise<string[]> {
  return database.transaction(async (transaction) => {
    const disabled = await transaction.query<{ id: string }>(DISABLE_RETIRED, [served]);
    for (const { id } of disabled) await giveUpDeliveries(transaction, id);
    return disabled.map(({ id }) => id);
  });
}

/** Gives back attempts that did not end; they do not count. */
export async function giveBackRuns(database: Database, runs: readonly Run[]): Promise<void> {
  await database.query(GIVE_BACK, [runs.map(({ run_id: run }) => run)]);
}

/**
 * Has a delivery attempted anew, as soon as no other delivery of the item is pending.
 * @returns whether the webhook is active; nothing is done otherwise.
 */
export async function redeliver(database: Database, webhook: string, id: string): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const [row] = await transaction.query<{ status: string }>(LOCK_WEBHOOK, [webhook]);
    if (row?.status !== 'active') return false;
    await transaction.query(REDELIVER, [id]);
    return true;
  });
}

/** Counts pending and failed deliveries. */
export async function countDeliveries(database: Database): Promise<DeliveryCount[]> {
  return database.query<DeliveryCount>(COUNT);
}
