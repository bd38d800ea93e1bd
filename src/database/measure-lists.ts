/** Measures the lists of a collection by their plans. No list is executed. */
import { listStatement, matchStatement, rowsOfPage } from '../model/list-statement.ts';
import type { ListStatement, ListValues } from '../model/list-statement.ts';
import { listsOf } from '../model/lists.ts';
import type { CollectionLists, ItemList, ListScope } from '../model/lists.ts';
import { readingOf } from './plan-rows.ts';
import type { PlanContext, PlanNode, PlanReading } from './plan-rows.ts';
import { SampleValues } from './sample-values.ts';
import type { DatabaseSession } from './session.ts';
import type { TableSizes } from './table-sizes.ts';

/** What a list is expected to read, with the values for which it reads the most. */
export interface MeasuredList {
  readonly list: ItemList;
  /** Undefined where the table has no value to ask for. */
  readonly reading: (PlanReading & { readonly values: ListValues }) | undefined;
}

/** Measures all lists of a collection. @param tables the sizes of all tables, by name. */
export async function measureLists(
  session: DatabaseSession,
  lists: CollectionLists,
  tables: ReadonlyMap<string, TableSizes>,
): Promise<MeasuredList[]> {
  const { collection, limit } = lists;
  const { table } = collection;
  const sizes = tables.get(table.name);
  const rows = sizes?.rows ?? 0;
  const samples = new SampleValues(session, rows, rowsOfPage({ limit }));
  const parts = new Map([...tables.values()].flatMap((one) => [...one.parts]));
  const listed = new Set(sizes?.parts.keys());
  const matches = new Map<string, Promise<number>>();
  const matching = async (list: ItemList, values: ListValues): Promise<number> => {
    const statement = matchStatement(list, values);
    const key = JSON.stringify(statement);
    const found = matches.get(key) ?? planOf(session, statement).then((plan) => plan['Plan Rows']);
    matches.set(key, found);
    return found;
  };
  const measured: MeasuredList[] = [];
  for (const list of listsOf(lists)) {
    let worst: MeasuredList['reading'];
    for (const values of await valuesOf(list, lists, samples)) {
      const conditions = await conditionsOf(list, values, matching);
      const plan = await planOf(session, listStatement(list, values));
      const reading = readingOf(plan, { tables: parts, listed, conditions });
      if (worst === undefined || reading.rows > worst.rows) worst = { ...reading, values };
    }
    measured.push({ list, reading: worst });
  }
  return measured;
}

async function planOf(
  { query }: DatabaseSession,
  { text, values }: ListStatement,
): Promise<PlanNode> {
  const [row] = await query<{ plan: readonly [{ readonly Plan: PlanNode }] }>(
    `explain (format json) ${text}`,
    values,
  );
  const [explained] = Object.values(row ?? {});
  if (explained === undefined) throw new Error('explain has no plan');
  return explained[0].Plan;
}

/** Every combination of the values of a list; none where one of its columns is empty. */
async function valuesOf(
  list: ItemList,
  { collection: { table } }: CollectionLists,
  samples: SampleValues,
): Promise<ListValues[]> {
  const { scopes, filter, words } = list;
  let all: ListValues[] = [{ scopes: [] }];
  for (const scope of scopes) {
    const ids = await samples.of(userColumn(scope));
    all = all.flatMap((values) => ids.map((id) => ({ scopes: [...values.scopes, id] })));
  }
  if (filter !== undefined) {
    const type = table.columns.find(({ name }) => name === filter.column)?.cast ?? filter.cast;
    const found = await samples.ofMember(table.name, filter, type);
    all = all.flatMap((values) => found.map((value) => ({ ...values, filter: value })));
  }
  if (words !== undefined) {
    const found = await samples.words({ table: table.name, column: words });
    all = all.flatMap((values) => found.map((word) => ({ ...values, word })));
  }
  return all;
}

/** The column with the value of a scope: of an owner, that at the end of the path. */
const userColumn = ({ column, owner }: ListScope): ListScope['column'] => owner?.at(-1) ?? column;

/** The rows that match each condition of a list alone. */
async function conditionsOf(
  list: ItemList,
  values: ListValues,
  matching: (list: ItemList, values: ListValues) => Promise<number>,
): Promise<PlanContext['conditions']> {
  const bare = { ...list, scopes: [], filter: undefined, words: undefined };
  const conditions: { column: string; rows: number }[] = [];
  for (const [at, scope] of list.scopes.entries()) {
    const rows = await matching(
      { ...bare, scopes: [scope] },
      { scopes: [values.scopes[at] ?? ''] },
    );
    conditions.push({ column: scope.column.column, rows });
  }
  if (list.filter !== undefined) {
    const rows = await matching(
      { ...bare, filter: list.filter },
      { scopes: [], filter: values.filter },
    );
    conditions.push({ column: list.filter.column, rows });
  }
  return conditions;
}
