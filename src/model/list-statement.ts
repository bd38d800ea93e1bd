/**
 * The statement of a list, as the emitted service sends it (`platform/database/pages.ts`) but for what it
 * selects. `test/e2e/indexes.test.ts` compares the two.
 */
import { LONGEST_SORTED, orderOf } from './columns.ts';
import type { ListColumn } from './list-columns.ts';
import { columnSql } from './lists.ts';
import type { ItemList, ListScope, OwnerColumn } from './lists.ts';
import { quoted } from '../shared/sql.ts';

/** A statement with the values of its parameters. */
export interface ListStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The values of a list, as text. */
export interface ListValues {
  /** One for each scope. */
  readonly scopes: readonly string[];
  readonly filter?: string | undefined;
  /** The searched word. */
  readonly word?: string | undefined;
}

/** The items of a page are read with one more, which tells whether another page follows. */
export const rowsOfPage = ({ limit }: Pick<ItemList, 'limit'>): number => limit + 1;

/** The statement for the first page of a list. */
export function listStatement(list: ItemList, given: ListValues): ListStatement {
  const values: unknown[] = [];
  const add = adderTo(values);
  // A number is selected as text: there `"id"` would be that.
  const id = list.key === 'uuid' ? '"id"' : `${quoted(list.table)}."id"`;
  const terms = [...(list.sort === undefined ? [] : termsOf(list.sort, list.sort.sql)), id];
  const order = `order by ${terms.map((term) => `${term} asc`).join(', ')}`;
  const owned = list.scopes.findIndex(({ owner }) => owner !== undefined);
  const conditions = conditionsOf(list, given, add, owned);
  const limit = `limit ${add(rowsOfPage(list), 'bigint')}`;
  const scope = list.scopes[owned];
  const table = quoted(list.table);
  if (scope === undefined) {
    return { text: `select * from ${table}${whereAll(conditions)} ${order} ${limit}`, values };
  }
  const column = columnSql(scope.column);
  const user = add(given.scopes[owned], 'uuid');
  const bounds = [`${column} between ${VALUE} and ${VALUE}`, ...conditions];
  const page =
    `select * from ${table}${whereAll(bounds)} ` +
    `order by ${column} asc, ${terms.map((term) => `${term} asc`).join(', ')} ${limit}`;
  const owners = valuesOwnedBy(user, scope.owner?.slice(1) ?? []);
  const from = `(${owners}) as "_values" (${VALUE}), lateral (${page}) as ${table}`;
  return { text: `select * from ${from} ${order} ${limit}`, values };
}

/** All rows that fulfil the conditions of a list. */
export function matchStatement(list: ItemList, given: ListValues): ListStatement {
  const values: unknown[] = [];
  const add = adderTo(values);
  const where = whereAll(conditionsOf(list, given, add));
  return { text: `select * from ${quoted(list.table)}${where}`, values };
}

/** An owner's column, in a query of the rows with it. */
const VALUE = '"_value"';

/** Adds a parameter. @returns its placeholder, cast to the type; without one PostgreSQL infers it. */
type Add = (value: unknown, type?: string) => string;

const adderTo =
  (values: unknown[]): Add =>
  (value, type) =>
    `$${values.push(value)}${type === undefined ? '' : `::${type}`}`;

/** @param omitted the scope that is no condition. */
function conditionsOf(
  { scopes, filter, words }: ItemList,
  given: ListValues,
  add: Add,
  omitted = -1,
): string[] {
  return [
    ...scopes.flatMap((scope, at) =>
      at === omitted
        ? []
        : [
            scopeCondition(
              scope,
              add(given.scopes[at], scope.owner === undefined ? undefined : 'uuid'),
            ),
          ],
    ),
    ...(filter === undefined ? [] : [equals(filter, given.filter ?? '', add)]),
    ...(words === undefined ? [] : [`${quoted(words)} @> ${add([given.word], 'text[]')}`]),
  ];
}

const scopeCondition = ({ column, owner }: ListScope, id: string): string =>
  owner === undefined
    ? `${columnSql(column)} = ${id}`
    : `${columnSql(column)} in (${valuesOwnedBy(id, owner.slice(1))})`;

/** A subquery for the values of a reference whose path ends at a user. @param user their id, in SQL. */
const valuesOwnedBy = (user: string, [step, ...rest]: readonly OwnerColumn[]): string =>
  step === undefined
    ? `select ${user}`
    : `select ${quoted(step.table)}.${quoted(step.link ?? 'id')} from ${quoted(step.table)}
      where ${columnSql(step)} in (${valuesOwnedBy(user, rest)})`;

/** The expressions that order by a member. */
export const termsOf = ({ order }: ListColumn, value: string): string[] =>
  order === undefined ? [value] : orderOf(order.type, order.nullable, value, order.isNativeEnum);

/** A filter for equality: by the expression that is indexed, and by the value where that is only its beginning. */
function equals(column: ListColumn, value: string, add: Add): string {
  const { sql, cast, order, beginning } = column;
  const same = (indexed: string, placeholder: (text: string) => string): string => {
    if (beginning === undefined) return `${indexed} = ${placeholder(add(value, cast))}`;
    const start = Array.from(value).slice(0, LONGEST_SORTED).join('');
    return `${indexed} = ${placeholder(add(start, cast))} and ${sql} = ${add(value, cast)}`;
  };
  if (order === undefined) return same(beginning ?? sql, (text) => text);
  const terms = termsOf(column, sql);
  const compared = same(terms.at(-1) ?? sql, (text) => termsOf(column, text).at(-1) ?? text);
  return terms.length > 1 ? `(${sql} is null) is false and ${compared}` : compared;
}

const whereAll = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
