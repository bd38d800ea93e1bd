/**
 * Reads pages of lists by keyset pagination: each page costs the same, and items that are inserted or
 * deleted meanwhile neither repeat nor hide others. The database limits the bytes of a page too, so that
 * larger results never reach this process.
 */
import type { KeysetPosition } from '../http/cursor.ts';
import type { Operator } from '../http/filters.ts';
import type { Filter, ListRequest } from '../http/list.ts';
import { membersOf } from '../http/page.ts';
import type { Page } from '../http/page.ts';
import type { Database } from './database.ts';
import { GENERATED_ID } from './row-id.ts';
import type { RowId } from './row-id.ts';

/** How a member is compared in SQL. */
export interface Column {
  /** The column, quoted. */
  readonly name: string;
  /** The type that parameters are cast to. */
  readonly type: string;
  /** The type that values of a keyset position are cast to, if it differs from that of filters. */
  readonly positionType?: string;
  /**
   * The expressions that order by the column, for the column itself or a parameter. They are never
   * null, and each sortable list has an index over exactly these expressions (in the migrations).
   */
  readonly order?: (value: string) => readonly string[];
  /** The indexed prefix of a text that may be too long for an index. */
  readonly beginning?: string;
}

/** How the lists of a table are read. */
export interface ListTable {
  /** The table, quoted. */
  readonly name: string;
  /** What ids are; absent: UUIDs that the service generates. */
  readonly id?: RowId;
  /** The SQL expression of each member. */
  readonly members: Readonly<Record<string, string>>;
  /**
   * The maximum size of an item as JSON, in bytes, without the values of `unbounded`. Without it, all
   * members are measured.
   */
  readonly largest?: number | undefined;
  /** The members whose values have no maximum size. */
  readonly unbounded?: readonly string[];
  /** The members that lists are sorted or filtered by. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The searched column with words, quoted; `_words` by default. */
  readonly words?: string;
  /** Converts a row to a version of the API. */
  readonly show?: (row: object) => object;
  /** The stored member of each member of the version, if names differ. */
  readonly sources?: Readonly<Record<string, string>>;
  /** Stored members that `show` always needs. */
  readonly converted?: readonly string[];
}

/** A column that all items of a list share: their parent, or their owner. */
export interface FixedFilter {
  readonly column: string;
  readonly id: string;
  /** A query for the values of the column, for a placeholder with the id; absent: the id itself. */
  readonly values?: (id: string) => string;
}

/** What a page is read from. */
interface Source {
  readonly database: Database;
  readonly table: ListTable;
  readonly list: ListRequest;
  readonly fixedFilters: readonly FixedFilter[];
}

interface OrderTerm {
  readonly sql: string;
  readonly descending: boolean;
}

/** Texts are ordered by this many characters, here and in the expressions of `order`. */
const LONGEST_SORTED = 200;

const COMPARISONS: Partial<Record<Operator, string>> = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  ne: 'is distinct from',
};

/** A page whose values take this part of its maximum size when they are stored is measured row by row. */
const COMPRESSION = 4;
/** The maximum length of a character as JSON (`\u0001`). */
const LONGEST_ESCAPE = 6;

/** Reads one page of a list. */
export async function readPage<Item extends { readonly id: string }>(
  database: Database,
  table: ListTable,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[],
): Promise<Page<Item>> {
  const source = { database, table, list, fixedFilters };
  const { position } = list;
  const isBackwards = position?.direction === 'before';
  const read = await readItems(source);
  const { hasAhead } = read;
  const items = read.items as Item[];
  if (isBackwards) items.reverse();
  const before: KeysetPosition = { direction: 'before', values: positionOf(list, items[0]) };
  const after: KeysetPosition = { direction: 'after', values: positionOf(list, items.at(-1)) };
  const behind = isBackwards ? after : before;
  // The page was reached from an item on this side, which may have been deleted since.
  const hasBehind = position !== undefined && (await isAnyBeyond(source, behind));
  const [hasPrevious, hasNext] = isBackwards ? [hasAhead, hasBehind] : [hasBehind, hasAhead];
  const previous = hasPrevious ? before : undefined;
  const next = hasNext ? after : undefined;
  const total = list.count ? await countAll(source) : undefined;
  return { items, previous, next, total };
}

/** The items of a page, in the order in which they are read, and whether more follow. */
async function readItems(source: Source): Promise<{ items: object[]; hasAhead: boolean }> {
  const { table, list } = source;
  const { show } = table;
  const converted = (rows: object[]): object[] => (show === undefined ? rows : rows.map(show));
  const members = neededMembers(table, list);
  const { limit } = list;
  const all = await readWhole(source, members);
  if (all !== undefined) {
    return { items: converted(all.slice(0, limit)), hasAhead: all.length > limit };
  }
  const statement = selection(source, list.position, limit + 1);
  const text = withinBytes(source, members, statement);
  const rows = await run<Measured>(source, statement, text);
  const { _bytes: sum = 0, _more: hasMore = false }: Partial<Measured> = rows.at(-1) ?? {};
  const items = converted(rows.map(({ _bytes, _more, ...row }) => row));
  const fitting = sum * LONGEST_ESCAPE <= list.bytes ? items.length : countFitting(items, list);
  return { items: items.slice(0, fitting), hasAhead: hasMore || fitting < items.length };
}

/**
 * Reads a page and one more row without measuring row by row, which takes the database longer.
 * @returns undefined if the page might exceed the maximum size of a page.
 */
async function readWhole(
  source: Source,
  members: readonly string[],
): Promise<object[] | undefined> {
  const { table, list } = source;
  const { largest = Infinity, unbounded = [] } = table;
  const isBounded = list.limit * largest <= list.bytes;
  const bytesLeft = isBounded ? list.bytes - list.limit * largest : list.bytes;
  const statement = selection(source, list.position, list.limit + 1);
  const page = statement.select(selectList(table.members, members));
  const measured = members.filter((member) => !isBounded || unbounded.includes(member));
  if (measured.length === 0) return run(source, statement, page);
  const sizes = measured.map(
    (member) => `coalesce(octet_length("${member}"::text), 4) + ${member.length}`,
  );
  const stored = measured.map((member) => `coalesce(pg_column_size("${member}"), 0)`);
  const most = statement.parameters.add(Math.floor(bytesLeft / LONGEST_ESCAPE), 'bigint');
  // A CTE scan returns rows in the order in which they were materialized. The size as it is stored, compressed, is known
  // without reading large values: where that is large, they are not measured here.
  const text = `with "page" as materialized (${page})
    select * from "page" where case
      when (select sum(${stored.join(' + ')}) from "page") <= ${most} / ${COMPRESSION}
      then (select sum(${sizes.join(' + ')}) from "page") <= ${most} end`;
  const rows = await run<object>(source, statement, text);
  return rows.length === 0 ? undefined : rows;
}

/** A row with the bytes of all rows up to it, and whether another one follows. */
interface Measured {
  readonly _bytes: number;
  readonly _more: boolean;
}

/** The stored members that a page needs: the requested ones, and those that its cursors hold. */
function neededMembers(
  { members, sources, converted = [] }: ListTable,
  list: ListRequest,
): string[] {
  const requested =
    list.members === undefined
      ? Object.keys(sources ?? members)
      : ['id', ...list.sort.map(({ member }) => member), ...list.members];
  const needed = new Set([...requested.map((member) => sources?.[member] ?? member), ...converted]);
  return Object.keys(members).filter((member) => needed.has(member));
}

/** How many items fit into the bytes of a page; at least one. */
function countFitting(items: readonly object[], { members, bytes }: ListRequest): number {
  // The opening bracket; each item is followed by a comma or the closing bracket.
  let taken = 1;
  const fitting = items.findIndex((item) => {
    taken += Buffer.byteLength(JSON.stringify(membersOf(item, members))) + 1;
    return taken > bytes;
  });
  return fitting === -1 ? items.length : Math.max(1, fitting);
}

/** The values of the sort keys of an item; empty, for the end of the list, without an item. */
export function positionOf(
  list: ListRequest,
  item: { readonly id: string } | undefined,
): unknown[] {
  if (item === undefined) return [];
  const members = item as Readonly<Record<string, unknown>>;
  return [...list.sort.map(({ member }) => beginningOf(members[member])), item.id];
}

/** The part of a value that counts for the order: cursors hold no more of long texts. */
const beginningOf = (value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST_SORTED
    ? Array.from(value).slice(0, LONGEST_SORTED).join('')
    : value;

/** Whether an item lies beyond a position. */
async function isAnyBeyond(source: Source, position: KeysetPosition): Promise<boolean> {
  const statement = selection(source, position, 1);
  return (await run(source, statement, statement.select('1'))).length > 0;
}

/** An ordered and limited query of a list, without its select list. */
interface Selection {
  readonly parameters: SqlParameters;
  readonly select: (columns: string) => string;
  /** The expressions that order the rows, in the direction in which they are read. */
  readonly order: readonly OrderTerm[];
}

function selection(source: Source, position: KeysetPosition | undefined, limit: number): Selection {
  const { table } = source;
  const parameters = new SqlParameters();
  const terms = orderTerms(source);
  const { fixedFilters } = source;
  const owned = fixedFilters.find(({ values }) => values !== undefined);
  const others = fixedFilters.filter((filter) => filter !== owned);
  const conditions = conditionsOf({ ...source, fixedFilters: others }, parameters);
  const keys = owned === undefined ? terms : [ownerTerm(owned, terms), ...terms];
  const reversed = position?.direction === 'before';
  if (position !== undefined && position.values.length > 0) {
    const values = positionTerms(source, position, parameters);
    conditions.push(beyond(keys, owned === undefined ? values : [VALUE, ...values], reversed));
  }
  const directed = ({ sql, descending }: OrderTerm): OrderTerm => ({
    sql,
    descending: descending !== reversed,
  });
  const order = terms.map(directed);
  const limited = `limit ${parameters.add(limit, 'bigint')}`;
  const from =
    owned === undefined
      ? `${table.name}${whereAll(conditions)}`
      : ownedRows(table, owned, parameters, (bounds) => {
          const where = whereAll([...bounds, ...conditions]);
          return `${where} order by ${orderBy(keys.map(directed))} ${limited}`;
        });
  const rest = `from ${from} order by ${orderBy(order)} ${limited}`;
  return { parameters, order, select: (columns) => `select ${columns} ${rest}` };
}

/** The value of an owner's column, in a query of the rows with it. */
const VALUE = '"_value"';

/**
 * An owner's column as the first key of an order. All rows with a value have it in common, and yet only the index
 * over the column yields them in this order: so the database does not walk the table by another index to find
 * the rows of a user who owns few.
 */
const ownerTerm = ({ column }: FixedFilter, [first]: readonly OrderTerm[]): OrderTerm => ({
  sql: column,
  descending: first?.descending === true,
});

/**
 * The rows of an owner: a page for each value of the column.
 * @param end the end of the query of such a page, with these conditions.
 */
function ownedRows(
  { name }: ListTable,
  { column, id, values }: FixedFilter,
  parameters: SqlParameters,
  end: (bounds: readonly string[]) => string,
): string {
  const user = parameters.add(id, 'uuid');
  // Not `=`: the order by the column would be left out.
  const page = `select * from ${name}${end([`${column} between ${VALUE} and ${VALUE}`])}`;
  return `(${values?.(user) ?? `select ${user}`}) as "_values" (${VALUE}), lateral (${page}) as ${name}`;
}

/** `"<table>"."<column>" as "<member>", …`: the list of a `select` or `returning`, by default of all members. */
export const selectList = (
  columns: Readonly<Record<string, string>>,
  members: readonly string[] = Object.keys(columns),
): string => members.map((member) => `${columns[member]} as "${member}"`).join(', ');

const orderBy = (terms: readonly OrderTerm[]): string =>
  terms.map(({ sql, descending }) => `${sql} ${descending ? 'desc' : 'asc'}`).join(', ');

/**
 * A query for the first row, and those after it whose bytes together do not exceed the limit of a page. The
 * database measures rows as the text that it would send, one after the other, and none after the page is full: to
 * measure JSON, it has to read it.
 */
function withinBytes(
  { table, list }: Source,
  members: readonly string[],
  { parameters, order, select }: Selection,
): string {
  const keys = order.map(({ sql }, at) => `${sql} as "_key${at}"`);
  const sizes = members.map((member) => `coalesce(octet_length("${member}"::text), 4)`);
  // `{`, and for each member its name, two quotes, a colon, and a comma or `}`.
  const names = members.reduce((sum, member) => sum + member.length + 4, 1);
  const size = `${sizes.join(' + ')} + ${names}::bigint`;
  const window = order.map(({ descending }, at) => ({ sql: `"_key${at}"`, descending }));
  const limit = parameters.add(list.limit, 'bigint');
  const bytes = parameters.add(list.bytes, 'bigint');
  return `with recursive "page" as materialized (
      select *, row_number() over (order by ${orderBy(window)}) as "_row"
      from (${select([selectList(table.members, members), ...keys].join(', '))}) as "found"
    ), "measured" as (
      select "_row", ${size} as "_bytes" from "page" where "_row" = 1
      union all
      select "page"."_row", "_bytes" + ${size} from "measured" join "page" on "page"."_row" = "measured"."_row" + 1
      where "_bytes" <= ${bytes} and "page"."_row" <= ${limit}
    )
    select ${members.map((member) => `"${member}"`).join(', ')}, "_bytes",
      "_row" < (select max("_row") from "page") as "_more"
    from "measured" join "page" using ("_row") where "_row" = 1 or "_bytes" <= ${bytes} order by "_row"`;
}

function run<Row>(
  { database, list }: Source,
  { parameters }: Selection,
  text: string,
): Promise<Row[]> {
  const prepared = isCommon(list);
  return database.query<Row>({ text, prepared, pipelined: prepared }, parameters.values);
}

async function countAll(source: Source): Promise<number> {
  const parameters = new SqlParameters();
  const where = whereAll(conditionsOf(source, parameters));
  const text = `select count(*) as "total" from ${source.table.name}${where}`;
  const [row] = await source.database.query<{ total: number }>({ text }, parameters.values);
  return row?.total ?? 0;
}

/** The sort keys, and the id as the last one, so that the order is total. */
function orderTerms({ table, list }: Source): OrderTerm[] {
  const keys = list.sort.map(({ member, descending }) => ({
    column: columnOf(table, member),
    descending,
  }));
  const last = { column: idColumn(table), descending: keys.at(-1)?.descending ?? false };
  return [...keys, last].flatMap(({ column, descending }) =>
    orderOf(column, column.name).map((sql) => ({ sql, descending })),
  );
}

/** The same terms for the values of a position. */
const positionTerms = (
  { table, list }: Source,
  position: KeysetPosition,
  parameters: SqlParameters,
): string[] =>
  [...list.sort.map(({ member }) => columnOf(table, member)), idColumn(table)].flatMap(
    (column, at) =>
      orderOf(column, parameters.add(position.values[at], column.positionType ?? column.type)),
  );

/** A number is selected as text: `order by "id"` would order by that. Ids of several values are ordered by these. */
function idColumn({ name: table, id = GENERATED_ID }: ListTable): Column {
  const { type, order } = id;
  const name = type === 'uuid' ? '"id"' : `${table}."id"`;
  if (order === undefined) return { name, type };
  return { name, type, order: (value) => (value === name ? order.columns : order.valuesOf(value)) };
}

const orderOf = (column: Column, value: string): readonly string[] =>
  column.order?.(value) ?? [value];

/** The condition for items beyond a position, in the order of the list or reversed. */
function beyond(terms: readonly OrderTerm[], values: readonly string[], reversed: boolean): string {
  const comparison = (term: OrderTerm): string => (term.descending !== reversed ? '<' : '>');
  const [first] = terms;
  if (first !== undefined && terms.every(({ descending }) => descending === first.descending)) {
    // A row comparison, which an index over the same terms answers.
    return `(${terms.map(({ sql }) => sql).join(', ')}) ${comparison(first)} (${values.join(', ')})`;
  }
  const alternatives = terms.map((term, at) => {
    const equal = terms.slice(0, at).map(({ sql }, before) => `${sql} = ${values[before]}`);
    return [...equal, `${term.sql} ${comparison(term)} ${values[at]}`].join(' and ');
  });
  // A bound on the first key alone, for the index over it.
  const bound = first === undefined ? '' : `${first.sql} ${comparison(first)}= ${values[0]} and `;
  return `(${bound}(${alternatives.join(' or ')}))`;
}

function conditionsOf({ table, list, fixedFilters }: Source, parameters: SqlParameters): string[] {
  const conditions: string[] = [];
  for (const { column, id, values } of fixedFilters) {
    conditions.push(
      values === undefined
        ? `${column} = ${parameters.add(id)}`
        : `${column} in (${values(parameters.add(id, 'uuid'))})`,
    );
  }
  for (const filter of list.filters) {
    conditions.push(conditionOf(columnOf(table, filter.member), filter, parameters));
  }
  if (list.words.length > 0) {
    const words = table.words ?? '"_words"';
    conditions.push(`${words} @> ${parameters.add(list.words, 'text[]')}`);
  }
  return conditions;
}

/**
 * A filter as SQL. If an expression of the column is indexed, it is compared too, so that the index is
 * used.
 */
function conditionOf(
  column: Column,
  { operator, value }: Filter,
  parameters: SqlParameters,
): string {
  const { name, type, beginning } = column;
  const compared = (): string => compare({ name, type }, operator, value, parameters);
  if (operator === 'ne') return compared();
  // What holds of a text holds of its beginning, if only as "or the same".
  const loose = operator === 'gt' ? 'gte' : operator === 'lt' ? 'lte' : operator;
  const start = Array.isArray(value) ? value.map(beginningOf) : beginningOf(value);
  if (column.order !== undefined) {
    const indexed = compareOrder(
      column,
      beginning === undefined ? operator : loose,
      start,
      parameters,
    );
    return beginning === undefined || operator === 'null'
      ? indexed
      : `${indexed} and ${compared()}`;
  }
  if (beginning === undefined) return compared();
  return `${compare({ name: beginning, type }, loose, start, parameters)} and ${compared()}`;
}

/** A filter in the expressions that lists are ordered by: one index serves both. */
function compareOrder(
  column: Column,
  operator: Operator,
  value: unknown,
  parameters: SqlParameters,
): string {
  const { name, type } = column;
  const keyOf = (sql: string): string => orderOf(column, sql).at(-1) ?? sql;
  const isNullable = orderOf(column, name).length > 1;
  // Written like the expression of the index: PostgreSQL would not match `is not null` with it.
  const isPresent = `(${name} is null) is false`;
  if (operator === 'null') {
    if (value !== true) return isPresent;
    // With the key too: the index then yields the items in the order of their ids.
    return `(${name} is null) and ${keyOf(name)} = ${keyOf(`null::${type}`)}`;
  }
  const compared =
    operator === 'in'
      ? `${keyOf(name)} = any(array(select ${keyOf('"value"')} from unnest(${parameters.add(value, `${type}[]`)}) as "value"))`
      : `${keyOf(name)} ${COMPARISONS[operator]} ${keyOf(parameters.add(value, type))}`;
  return isNullable ? `${isPresent} and ${compared}` : compared;
}

function compare(
  { name, type }: Column,
  operator: Operator,
  value: unknown,
  parameters: SqlParameters,
): string {
  if (operator === 'null') return `${name} is ${value === true ? '' : 'not '}null`;
  if (operator === 'in') return `${name} = any(${parameters.add(value, `${type}[]`)})`;
  return `${name} ${COMPARISONS[operator]} ${parameters.add(value, type)}`;
}

function columnOf(table: ListTable, member: string): Column {
  const column = table.columns[member];
  if (column === undefined) throw new Error(`${table.name} has no column for ${member}`);
  return column;
}

const whereAll = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;

/**
 * Whether the statement is prepared and pipelined: for common lists, which an index answers quickly.
 * Lists with filters, several sort keys or sparse fields have too many different statements.
 */
const isCommon = ({ filters, words, sort, members }: ListRequest): boolean =>
  filters.length === 0 && words.length === 0 && sort.length <= 1 && members === undefined;

/** Parameters of a statement, numbered as they are added. */
class SqlParameters {
  readonly values: unknown[] = [];

  /** Adds a value. @returns its placeholder, cast to the type; absent: PostgreSQL infers the type. */
  add(value: unknown, type?: string): string {
    this.values.push(value);
    return `$${this.values.length}${type === undefined ? '' : `::${type}`}`;
  }
}
