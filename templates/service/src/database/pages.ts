/**
 * Lists in SQL: pages by keyset, so that a page costs the same at the beginning and at the end of
 * a table, and shows every item once whatever is added or removed meanwhile.
 */
import type { Place } from '../http/cursor.ts';
import type { Filter, ListRequest, Operator } from '../http/list.ts';
import type { Page } from '../http/page.ts';
import type { Database } from './database.ts';

/** How one member is compared in SQL. */
export interface Column {
  /** The column, quoted. */
  readonly name: string;
  /** Its type: parameters are cast to it. */
  readonly type: string;
  /** What the values of a place are cast to, where that is not the type that filters have. */
  readonly placeType?: string;
  /**
   * The expressions that order by it, given the column or a parameter. Each list that can be
   * sorted by it has an index over just these (in the migrations), and none of them is null.
   */
  readonly order?: (value: string) => readonly string[];
  /** The beginning of a text that may be too long for an index: what is indexed of it instead. */
  readonly beginning?: string;
}

/** A table that lists are read from. */
export interface ListTable {
  /** The table, quoted. */
  readonly name: string;
  /** What a row is selected as. */
  readonly select: string;
  /** The members that lists are sorted or filtered by. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The column with the words that searches look at, quoted; absent: the one for all. */
  readonly words?: string;
  /** What a version of the API makes of a row; absent: nothing but the row. */
  readonly show?: (row: object) => object;
}

/** A column that all items of a list share: their parent, or their owner. */
export interface Scope {
  readonly column: string;
  readonly id: string;
}

interface OrderTerm {
  readonly sql: string;
  readonly descending: boolean;
}

/** Characters of a text that lists are ordered by; the expressions of `order` say the same. */
const LONGEST_SORTED = 200;

const ID: Column = { name: '"id"', type: 'uuid' };
const COMPARISONS: Partial<Record<Operator, string>> = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  ne: 'is distinct from',
};

/** Reads one page of a list. */
export async function readPage<Item extends { readonly id: string }>(
  database: Database,
  table: ListTable,
  list: ListRequest,
  scopes: readonly Scope[],
): Promise<Page<Item>> {
  const { place, limit } = list;
  const isBackwards = place?.direction === 'before';
  const rows = await select<Item>(database, table, list, scopes, {
    what: table.select,
    place,
    limit: limit + 1,
  });
  const { show } = table;
  const found = show === undefined ? rows : rows.map((row) => show(row) as Item);
  const items = found.slice(0, limit);
  if (isBackwards) items.reverse();
  const before: Place = { direction: 'before', values: placeOf(list, items[0]) };
  const after: Place = { direction: 'after', values: placeOf(list, items.at(-1)) };
  const behind = isBackwards ? after : before;
  // On the side that the page was reached from, something is there unless it was removed since.
  const hasBehind =
    place !== undefined &&
    (await select(database, table, list, scopes, { what: '1', place: behind, limit: 1 })).length >
      0;
  const hasAhead = found.length > limit;
  const [hasPrevious, hasNext] = isBackwards ? [hasAhead, hasBehind] : [hasBehind, hasAhead];
  const previous = hasPrevious ? before : undefined;
  const next = hasNext ? after : undefined;
  const total = list.count ? await countAll(database, table, list, scopes) : undefined;
  return { items, previous, next, total };
}

/** The values of the sort keys of an item; none, for the end of the list, where there is none. */
function placeOf(list: ListRequest, item: { readonly id: string } | undefined): unknown[] {
  if (item === undefined) return [];
  const members = item as Readonly<Record<string, unknown>>;
  return [...list.sort.map(({ member }) => beginningOf(members[member])), item.id];
}

/** Of a long text only the beginning counts in an order, and only that goes into a cursor. */
const beginningOf = (value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST_SORTED
    ? Array.from(value).slice(0, LONGEST_SORTED).join('')
    : value;

async function select<Row>(
  database: Database,
  table: ListTable,
  list: ListRequest,
  scopes: readonly Scope[],
  { what, place, limit }: { what: string; place: Place | undefined; limit: number },
): Promise<Row[]> {
  const parameters = new Parameters();
  const terms = orderTerms(table, list);
  const conditions = conditionsOf(table, list, scopes, parameters);
  const reversed = place?.direction === 'before';
  if (place !== undefined && place.values.length > 0) {
    conditions.push(beyond(terms, placeTerms(table, list, place, parameters), reversed));
  }
  const order = terms.map(
    ({ sql, descending }) => `${sql} ${descending !== reversed ? 'desc' : 'asc'}`,
  );
  const text =
    `select ${what} from ${table.name}${whereAll(conditions)} ` +
    `order by ${order.join(', ')} limit ${parameters.add(limit, 'bigint')}`;
  const keep = isCommon(list);
  return database.query<Row>({ text, keep, quick: keep }, parameters.values);
}

async function countAll(
  database: Database,
  table: ListTable,
  list: ListRequest,
  scopes: readonly Scope[],
): Promise<number> {
  const parameters = new Parameters();
  const where = whereAll(conditionsOf(table, list, scopes, parameters));
  const text = `select count(*) as "total" from ${table.name}${where}`;
  const [row] = await database.query<{ total: number }>({ text }, parameters.values);
  return row?.total ?? 0;
}

/** The keys of the order, and the id so that no two items are equal. */
function orderTerms(table: ListTable, list: ListRequest): OrderTerm[] {
  const keys = list.sort.map(({ member, descending }) => ({
    column: columnOf(table, member),
    descending,
  }));
  const last = { column: ID, descending: keys.at(-1)?.descending ?? false };
  return [...keys, last].flatMap(({ column, descending }) =>
    orderOf(column, column.name).map((sql) => ({ sql, descending })),
  );
}

/** The same terms for the values of a place. */
const placeTerms = (
  table: ListTable,
  list: ListRequest,
  place: Place,
  parameters: Parameters,
): string[] =>
  [...list.sort.map(({ member }) => columnOf(table, member)), ID].flatMap((column, at) =>
    orderOf(column, parameters.add(place.values[at], column.placeType ?? column.type)),
  );

const orderOf = (column: Column, value: string): readonly string[] =>
  column.order?.(value) ?? [value];

/** The condition for items beyond a place, in the order of the list or against it. */
function beyond(terms: readonly OrderTerm[], values: readonly string[], reversed: boolean): string {
  const comparison = (term: OrderTerm): string => (term.descending !== reversed ? '<' : '>');
  const [first] = terms;
  if (first !== undefined && terms.every(({ descending }) => descending === first.descending)) {
    // One comparison of rows, which an index over the same terms answers.
    return `(${terms.map(({ sql }) => sql).join(', ')}) ${comparison(first)} (${values.join(', ')})`;
  }
  const alternatives = terms.map((term, at) => {
    const equal = terms.slice(0, at).map(({ sql }, before) => `${sql} = ${values[before]}`);
    return [...equal, `${term.sql} ${comparison(term)} ${values[at]}`].join(' and ');
  });
  // The first key alone is said once more, for the index over it.
  const bound = first === undefined ? '' : `${first.sql} ${comparison(first)}= ${values[0]} and `;
  return `(${bound}(${alternatives.join(' or ')}))`;
}

function conditionsOf(
  table: ListTable,
  list: ListRequest,
  scopes: readonly Scope[],
  parameters: Parameters,
): string[] {
  const conditions: string[] = [];
  for (const { column, id } of scopes) conditions.push(`${column} = ${parameters.add(id, 'uuid')}`);
  for (const filter of list.filters) {
    conditions.push(conditionOf(columnOf(table, filter.member), filter, parameters));
  }
  if (list.words.length > 0) {
    const words = table.words ?? '"_words"';
    conditions.push(`${words} @> ${parameters.add(list.words, 'text[]')}`);
  }
  return conditions;
}

function conditionOf(column: Column, { operator, value }: Filter, parameters: Parameters): string {
  const { name, type, beginning } = column;
  const compared = compare({ name, type }, operator, value, parameters);
  if (beginning === undefined || operator === 'ne') return compared;
  // What holds of a text holds of its beginning, if only as "or the same": an index finds those.
  const loose = operator === 'gt' ? 'gte' : operator === 'lt' ? 'lte' : operator;
  const start = Array.isArray(value) ? value.map(beginningOf) : beginningOf(value);
  return `${compare({ name: beginning, type }, loose, start, parameters)} and ${compared}`;
}

function compare(
  { name, type }: Column,
  operator: Operator,
  value: unknown,
  parameters: Parameters,
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
 * Lists that all clients ask for are kept prepared, and an index answers them at once; those with
 * filters or many keys are too many.
 */
const isCommon = ({ filters, words, sort }: ListRequest): boolean =>
  filters.length === 0 && words.length === 0 && sort.length <= 1;

/** Parameters of a statement, numbered as they are added. */
class Parameters {
  readonly values: unknown[] = [];

  /** Gives the placeholder, cast to the type. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
