/**
 * Embeds the items that references lead to: for each level, one statement for each collection. Each item is read
 * once, and its JSON is made once, however many items refer to it.
 */
import { mayAct, mayActOnAll } from '../auth/permissions.ts';
import type { Principal } from '../auth/principal.ts';
import type { Embedding, Include } from '../http/include.ts';
import { membersOf } from '../http/page.ts';
import type { Database } from './database.ts';
import { selectList } from './pages.ts';
import { GENERATED_ID } from './row-id.ts';

type Members = Readonly<Record<string, unknown>>;

/** An item as JSON, and the part of it that is embedded. */
interface EmbeddedItem {
  readonly json: string;
  readonly embedded: string;
}

/** An item that was read, and its JSON. */
interface Found {
  readonly members: Members;
  readonly json: string;
}

/** The items that were read; null for those that do not exist, or that the caller may not read. */
type Read = Map<Embedding, Map<string, Found | null>>;

/** A reference to an item that is to be embedded. */
interface Wanted {
  readonly target: Embedding;
  readonly id: string;
}

/** An item, and the references that are embedded in it. */
interface Holder {
  readonly members: Members;
  readonly include: readonly Include[];
}

/**
 * The JSON of items with what `include` names: as many of them as fit, and at least one.
 * @param limits the members of each item to send, undefined for all, and the most bytes of all.
 */
export async function embed(
  database: Database,
  principal: Principal | undefined,
  items: readonly object[],
  include: readonly Include[],
  {
    members,
    bytes = Infinity,
  }: { readonly members?: readonly string[] | undefined; readonly bytes?: number } = {},
): Promise<EmbeddedItem[]> {
  const read: Read = new Map();
  let holders = items.map((item): Holder[] => [{ members: item as Members, include }]);
  while (holders.some((level) => level.length > 0)) {
    const wanted = holders.map((level) => level.flatMap(wantedBy));
    await readWanted(database, principal, wanted, bytes, read);
    const isComplete = (all: readonly Wanted[]): boolean =>
      all.every(({ target, id }) => read.get(target)?.has(id));
    const incomplete = wanted.findIndex((all) => !isComplete(all));
    if (incomplete !== -1) holders = holders.slice(0, incomplete);
    holders = holders.map((level) => level.flatMap((holder) => embeddedHolders(holder, read)));
  }
  // The opening bracket; each item is followed by a comma or the closing bracket.
  let taken = 1;
  const made: EmbeddedItem[] = [];
  for (const item of items.slice(0, holders.length)) {
    const embedded = embeddedIn({ members: item as Members, include }, read);
    const json = withEmbedded(JSON.stringify(membersOf(item, members)), embedded);
    taken += Buffer.byteLength(json) + 1;
    if (taken > bytes && made.length > 0) break;
    made.push({ json, embedded });
  }
  return made;
}

const wantedBy = ({ members, include }: Holder): Wanted[] =>
  include.flatMap(({ member, target }) => {
    const id = members[member];
    return typeof id === 'string' ? [{ target, id }] : [];
  });

const foundBy = (members: Members, { member, target }: Include, read: Read): Found | null =>
  read.get(target)?.get(String(members[member])) ?? null;

/** The items embedded in an item that have items embedded in turn. */
const embeddedHolders = ({ members, include }: Holder, read: Read): Holder[] =>
  include.flatMap((one) => {
    const found = one.inner.length === 0 ? null : foundBy(members, one, read);
    return found === null ? [] : [{ members: found.members, include: one.inner }];
  });

/** The embedded members of an item, each with a comma before it. */
const embeddedIn = ({ members, include }: Holder, read: Read): string =>
  include
    .map((one) => {
      const found = foundBy(members, one, read);
      const json =
        found === null
          ? 'null'
          : withEmbedded(
              found.json,
              embeddedIn({ members: found.members, include: one.inner }, read),
            );
      return `,${JSON.stringify(one.name)}:${json}`;
    })
    .join('');

/** The JSON of an item, which has at least its id, with more members. */
const withEmbedded = (json: string, embedded: string): string =>
  embedded === '' ? json : `${json.slice(0, -1)}${embedded}}`;

/** Reads what the items of a level refer to: at least that of the first item, and at most `bytes` of each collection. */
async function readWanted(
  database: Database,
  principal: Principal | undefined,
  wanted: readonly (readonly Wanted[])[],
  bytes: number,
  read: Read,
): Promise<void> {
  const idsByTarget = new Map<Embedding, Set<string>>();
  const neededByTarget = new Map<Embedding, number>();
  for (const [at, all] of wanted.entries()) {
    for (const { target, id } of all) {
      if (read.get(target)?.has(id) === true) continue;
      const ids = idsByTarget.get(target) ?? new Set();
      idsByTarget.set(target, ids.add(id));
      if (at === 0) neededByTarget.set(target, ids.size);
    }
  }
  await Promise.all(
    [...idsByTarget].map(async ([target, ids]) => {
      const found = await readItems(database, principal, target, [...ids], {
        needed: neededByTarget.get(target) ?? 0,
        bytes,
      });
      read.set(target, new Map([...(read.get(target) ?? []), ...found]));
    }),
  );
}

/** A row, and for a page that is measured its place among the ids, and how many rows there are. */
interface Row {
  readonly id: string;
  readonly _at?: number;
  readonly _found?: number;
}

/**
 * Reads items of a collection, by their ids.
 * @param limits how many of the first ids are read in any case, and the bytes of all.
 * @returns nothing for the ids beyond these bytes, and null for items that the caller may not read.
 */
async function readItems(
  database: Database,
  principal: Principal | undefined,
  { table, read, owner }: Embedding,
  ids: readonly string[],
  { needed, bytes }: { readonly needed: number; readonly bytes: number },
): Promise<Map<string, Found | null>> {
  const { largest = Infinity, unbounded = [], members, name, id = GENERATED_ID, show } = table;
  // The route has refused such a request: see `allowIncludes`.
  if (!mayAct(principal, read)) throw new Error(`the caller may not read ${name}`);
  const isSmall = unbounded.length === 0 && ids.length * largest <= bytes;
  const isMeasured = ids.length > needed && !isSmall;
  const isLimited = owner !== undefined && !mayActOnAll(principal, read);
  const own = isLimited ? ` and ${owner} = $2` : '';
  const parameters = [ids, ...(isLimited ? [principal?.userId] : [])];
  const text = isMeasured
    ? withinBytes(members, id.type, `join ${name} on ${name}."id" = "_id"${own}`, parameters.length)
    : `select ${selectList(members)} from ${name} where ${name}."id" = any($1::${id.type}[])${own}`;
  const rows = await database.query<Row>(
    { text, prepared: true, pipelined: true },
    isMeasured ? [...parameters, needed, bytes] : parameters,
  );
  const { _at: last = 0, _found: found = 0 } = rows.at(-1) ?? {};
  const known = rows.length < found ? ids.slice(0, last) : ids;
  const items = new Map<string, Found | null>(known.map((one) => [one, null]));
  for (const { _at, _found, ...row } of rows) {
    const item = (show?.(row) ?? row) as Members;
    items.set(row.id, { members: item, json: JSON.stringify(item) });
  }
  return items;
}

/**
 * A query for the items with the ids in the first parameter, in their order: the first that exists, and others as far
 * as their bytes together do not exceed a limit.
 * @param type the type of the ids.
 * @param parameters how many there are; after them come the number of ids that are read in any case, and the limit.
 */
function withinBytes(
  members: Readonly<Record<string, string>>,
  type: string,
  join: string,
  parameters: number,
): string {
  const names = Object.keys(members);
  const sizes = names.map((member) => `coalesce(octet_length((${members[member]})::text), 4)`);
  // `{`, and for each member its name, two quotes, a colon, and a comma or `}`.
  const own = names.reduce((sum, member) => sum + member.length + 4, 1);
  return `select ${names.map((member) => `"${member}"`).join(', ')}, "_at", "_found" from (
      select *, row_number() over (order by "_at") as "_row", sum("_size") over (order by "_at") as "_bytes",
        count(*) over () as "_found"
      from (
        select ${selectList(members)}, "_at", ${sizes.join(' + ')} + ${own}::bigint as "_size"
        from unnest($1::${type}[]) with ordinality as "_wanted" ("_id", "_at") ${join}
      ) as "found"
    ) as "measured"
    where "_row" = 1 or "_at" <= $${parameters + 1}::bigint or "_bytes" <= $${parameters + 2}::bigint
    order by "_at"`;
}
