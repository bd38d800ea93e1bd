/** The SQL statements of loans. */
import {
  assignments,
  columnList,
  parametersOf,
  placeholders,
  selectList,
} from '../../platform/database/columns.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { asRefusal, asRemovalRefusal } from '../../platform/database/constraints.ts';
import type { Database } from '../../platform/database/database.ts';
import { createWith, deleteWith, updateWith } from '../../platform/database/hooks.ts';
import { changed, changedOrMissing, missing } from '../../platform/database/not-found.ts';
import { readPage } from '../../platform/database/pages.ts';
import type { ListTable, FixedFilter } from '../../platform/database/pages.ts';
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
import type { VersionedResourceName } from '../../platform/http/view.ts';
import { loanHooks } from './hooks.ts';
import type { Loan, LoanValues } from './schema.ts';

/** The names of a loan for messages, and its table. A version may have other names. */
export const LOAN_KIND: VersionedResourceName<'book_id'> = {
  collection: 'loans',
  item: 'loan',
  table: '"loans"',
  constraints: {
    item: 'a loan',
    table: '"loans"',
    unique: {},
  },
  references: { book_id: 'book_id' },
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Loan> = {
  id: '"loans"."id"',
  until: '"loans"."until"',
  book_id: '"loans"."book_id"',
  created_at: '"loans"."created_at"',
  updated_at: '"loans"."updated_at"',
};
const SELECTED = selectList(COLUMNS);

/** The values of written columns. */
const WRITTEN: WrittenColumns<LoanValues> = {
  until: (values) => values.until,
  book_id: (values) => values.book_id,
};

/** The columns of lists. A version can have other columns. */
export const loanTable: ListTable = {
  name: '"loans"',
  members: COLUMNS,
  largest: 283,
  columns: {
    created_at: { name: '"loans"."created_at"', type: 'timestamptz' },
  },
};

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select ${SELECTED} from "loans" where "id" = $1`,
};
const INSERT = {
  prepared: true,
  pipelined: 'overflow' as const,
  text: `insert into "loans" ("id", ${columnList(WRITTEN)})
    values ($1, ${placeholders(WRITTEN, 2)}) returning ${SELECTED}`,
};
// `updated_at` is the revision: if the row was changed concurrently, nothing is updated.
const UPDATE = {
  prepared: true,
  text: `update "loans" set ${assignments(WRITTEN, 3)}
    where "id" = $1 and "updated_at" = $2 returning ${SELECTED}`,
};
const DELETE = {
  prepared: true,
  text: `delete from "loans"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** Reads a page of loans. Fixed filters limit the list to a parent or an owner. */
export const listLoans = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
  table: ListTable = loanTable,
): Promise<Page<Loan>> => readPage<Loan>(database, table, list, fixedFilters);

/** Finds a loan. @throws 404 if it never existed, 410 if it was removed. */
export async function findLoan(database: Database, id: string, kind = LOAN_KIND): Promise<Loan> {
  const [found] = await database.query<Loan>(FIND, [id]);
  if (found === undefined) throw await missing(database, kind, id);
  return found;
}

/** Inserts a loan. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createLoan(
  database: Database,
  values: LoanValues,
  kind = LOAN_KIND,
): Promise<Loan> {
  try {
    return await createWith(loanHooks, database, values, insert);
  } catch (error) {
    throw await explain(database, error, values, kind);
  }
}

/**
 * Updates a loan. After a concurrent change it is tried again, so that no update is lost.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @param change computes the new values from the stored item.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateLoan(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Loan) => LoanValues | Promise<LoanValues>,
  kind = LOAN_KIND,
): Promise<Loan> {
  for (;;) {
    const stored = await findLoan(database, id, kind);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(kind);
    const values = await change(stored);
    try {
      const updated = await updateWith(loanHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error, values, kind);
    }
  }
}

/**
 * Deletes a loan.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteLoan(
  database: Database,
  id: string,
  revision?: string,
  kind = LOAN_KIND,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(loanHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, kind.item, false);
  }
  if (!removed) throw await changedOrMissing(database, kind, id);
}

async function insert(database: Database, values: LoanValues): Promise<Loan> {
  const [created] = await database.query<Loan>(INSERT, [newId(), ...parametersOf(WRITTEN, values)]);
  if (created === undefined) throw new Error('the insert returned no row');
  return created;
}

async function update(
  database: Database,
  stored: Loan,
  values: LoanValues,
): Promise<Loan | undefined> {
  const [updated] = await database.query<Loan>(UPDATE, [
    stored.id,
    stored.updated_at,
    ...parametersOf(WRITTEN, values),
  ]);
  return updated;
}

async function remove(
  database: Database,
  id: string,
  revision: string | undefined,
): Promise<boolean> {
  const rows = await database.query(DELETE, [id, revision]);
  return rows.length > 0;
}

/** Translates database errors to 409 and 422. */
const explain = (
  database: Database,
  error: unknown,
  values: LoanValues,
  kind: typeof LOAN_KIND,
): Promise<unknown> =>
  asRefusal(database, error, kind.constraints, [
    { member: kind.references.book_id, table: '"books"', id: values.book_id },
  ]);
