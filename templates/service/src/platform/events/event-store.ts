/**
 * The table of events, an outbox: each change of an item writes one row, in the transaction of the change.
 *
 * Transactions commit in another order than they take values of `id`, so a reader that remembers the last
 * `id` would miss events. `numberEvents` gives committed events their positions, in one transaction
 * at a time. Readers go by position only.
 */
import type { Database } from '../database/database.ts';
import { newId } from '../http/uuid.ts';

export type Change = 'created' | 'updated' | 'deleted';

/**
 * The forms of an item by version. Each is the form of that version and of later ones, up to the next;
 * null if these versions do not have the item.
 */
export type Forms = Readonly<Record<number, object | null>>;

/** The events of a collection. */
export interface ItemEvents<Item> {
  /** What an item is called in types: `book` in `book.created`. */
  readonly item: string;
  /** The forms of an item; absent: all versions have the same form. */
  readonly forms?: (item: Item) => Promise<Forms>;
}

/** An event that a cursor names. After a backup was restored, another event may get its position, but not its id. */
export interface EventPosition {
  readonly position: number;
  /** The id that receivers recognize duplicates by; null at position 0, before all events. */
  readonly event_id: string | null;
}

/** A numbered event. */
export interface StoredEvent extends EventPosition {
  readonly event_id: string;
  /** Such as `book.created`, by the name that the collection has in the current version. */
  readonly type: string;
  readonly item_id: string;
  readonly created_at: string;
  /** The item after the change; of a deleted one, before it. */
  readonly data: Forms;
}

/** Which events are read: those after a position, in the order of positions. */
export interface EventRange {
  readonly after: number;
  readonly limit: number;
  /** Absent: all types. */
  readonly types?: readonly string[];
  /** The maximum size of all data in bytes; a single larger event is still read. */
  readonly bytes?: number;
}

/** The keys of the advisory locks under which events are numbered and removed; arbitrary numbers. */
const NUMBERING_LOCK = 7_305_014;
const REMOVAL_LOCK = 7_305_015;
/** The maximum number of events that one statement numbers or removes. */
const BATCH = 1_000;
/** The default of `bytes`. */
const MAX_BYTES = 4_194_304;

const INSERT = {
  prepared: true,
  text: 'insert into "events" ("event_id", "type", "item_id", "data") values ($1, $2, $3, $4)',
};
const HAS_UNNUMBERED = {
  prepared: true,
  text: 'select 1 from "events" where "position" is null limit 1',
};
const NUMBER = {
  prepared: true,
  text: `update "events" set "position" = "numbered"."position"
    from (select "id", "newest" + row_number() over (order by "id") as "position"
      from (select "id" from "events" where "position" is null
        order by "id" limit ${BATCH}) as "unnumbered",
        (select coalesce(max("position"), 0) as "newest" from "events") as "last") as "numbered"
    where "events"."id" = "numbered"."id" and "events"."position" is null
    returning "events"."id"`,
};
const READ = {
  prepared: true,
  text: `select "position", "event_id", "type", "item_id", "created_at", "data" from (
      select *, row_number() over "before" as "number",
        sum(octet_length("data"::text)) over "before" as "bytes"
      from (select * from "events"
        where "position" > $1 and ($2::text[] is null or "type" = any($2))
        order by "position" limit $3) as "page"
      window "before" as (order by "position")) as "measured"
    where "number" = 1 or "bytes" <= $4 order by "position"`,
};
const FIND_ENDS = {
  prepared: true,
  text: `select coalesce(min("position"), 0) as "oldest", coalesce(max("position"), 0) as "position",
      (select "event_id" from "events" where "position" is not null
        order by "position" desc limit 1) as "event_id",
      (select "event_id" from "events" where "position" = $1) as "found"
    from "events"`,
};
const COUNT = {
  prepared: true,
  text: `select count(*)::integer as "count" from "events"
    where "position" is not null and "type" = any($1)`,
};
const REMOVE = {
  // The newest of the old events stays. So there is always a last position to go on from, and the first
  // position tells what has been removed. Events with pending deliveries are kept, and so are all later events.
  text: `delete from "events" where "id" in (
    select "id" from "events" where "position" < (
      select "position" from "events"
      where "position" is not null and "created_at" < now() - make_interval(days => $1)
      order by "created_at" desc limit 1)
    and "position" < coalesce((select min("oldest"."position") from "webhooks" cross join lateral (
      select "position" from "_deliveries"
      where "webhook_id" = "webhooks"."id" and "status" = 'pending' order by "position" limit 1
    ) as "oldest"), 9223372036854775807)
    and ("position" <= (select coalesce(max("position"), 0) from "_webhook_cursor")
      or not exists (select 1 from "webhooks" where "status" = 'active'))
    order by "position" limit ${BATCH}) returning "id"`,
};

/** Writes the event of a change, in the transaction of the change. */
export async function writeEvent<Item extends { readonly id: string }>(
  transaction: Database,
  { item: name, forms }: ItemEvents<Item>,
  change: Change,
  item: Item,
): Promise<void> {
  const data: Forms = forms === undefined ? { 1: item } : await forms(item);
  const values = [newId(), `${name}.${change}`, item.id, JSON.stringify(data)];
  await transaction.query(INSERT, values);
}

/**
 * Gives the oldest events without a position the next positions, without gaps, in the order of their ids.
 * That is the order of the changes of each item, whose row is locked from a change to its commit.
 * @returns how many events were numbered, `BATCH` at most.
 */
export async function numberEvents(database: Database): Promise<number> {
  const unnumbered = await database.query(HAS_UNNUMBERED);
  if (unnumbered.length === 0) return 0;
  return database.transaction(async (transaction) => {
    // Positions become visible in their order, because no two transactions assign them at the same time.
    await transaction.query({ text: 'select pg_advisory_xact_lock($1)' }, [NUMBERING_LOCK]);
    return (await transaction.query(NUMBER)).length;
  });
}

/** Gives all committed events without a position theirs, in batches. */
export async function numberAllEvents(database: Database): Promise<void> {
  while ((await numberEvents(database)) === BATCH);
}

/** Reads numbered events in their order. */
export async function readEvents(
  database: Database,
  { after, limit, types, bytes = MAX_BYTES }: EventRange,
): Promise<StoredEvent[]> {
  return database.query<StoredEvent>(READ, [after, types ?? null, limit, bytes]);
}

/**
 * Finds the newest event, and whether a reader can go on after an event that it has read: none after it was
 * removed, and no older backup has been restored since. The event itself may have been removed.
 */
export async function findEnd(
  database: Database,
  { position, event_id: id }: EventPosition,
): Promise<{ readonly newest: EventPosition; readonly isKnown: boolean }> {
  type Ends = EventPosition & { readonly oldest: number; readonly found: string | null };
  const [ends] = await database.query<Ends>(FIND_ENDS, [position]);
  if (ends === undefined) throw new Error('an aggregate returned no row');
  const { oldest, found } = ends;
  const isKnown = position === oldest - 1 || (position >= oldest && found === id);
  return { newest: ends, isKnown };
}

/** The number of numbered events of these types. */
export async function countEvents(database: Database, types: readonly string[]): Promise<number> {
  const [row] = await database.query<{ count: number }>(COUNT, [types]);
  return row?.count ?? 0;
}

/** The form of an item in a version. Events from before the version have the form of their time. */
export function formIn(forms: Forms, version: number): object | null {
  const versions = Object.keys(forms).map(Number);
  const own = versions.findLast((first) => first <= version) ?? versions[0] ?? version;
  return forms[own] ?? null;
}

/**
 * Removes events that are older than a number of days, in batches, unless another process does so now. Events without
 * a position stay until they are numbered.
 * @returns how many were removed.
 */
export async function deleteOldEvents(database: Database, days: number): Promise<number> {
  await numberAllEvents(database);
  const removeBatch = async (): Promise<number> =>
    database.transaction(async (transaction) => {
      const text = 'select pg_try_advisory_xact_lock($1) as "isOurs"';
      const [lock] = await transaction.query<{ isOurs: boolean }>({ text }, [REMOVAL_LOCK]);
      return lock?.isOurs === true ? (await transaction.query(REMOVE, [days])).length : 0;
    });
  let removed = 0;
  let batch: number;
  do {
    batch = await removeBatch();
    removed += batch;
  } while (batch === BATCH);
  return removed;
}
