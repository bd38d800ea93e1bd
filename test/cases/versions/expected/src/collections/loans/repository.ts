/** The SQL statements of loans. */
import { crudStatements, parametersOf } from '../../platform/database/columns.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { asRefusal, asRemovalRefusal } from '../../platform/database/constraints.ts';
import type { Database } from '../../platform/database/database.ts';
import { changeWithHooks } from '../../platform/database/hooks.ts';
import {
  changed,
  changedOrMissing,
  ConcurrentChange,
  missing,
} from '../../platform/database/not-found.ts';
import { readPage } from '../../platform/database/pages.ts';
import type { ListTable, FixedFilter } from '../../platform/database/pages.ts';
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
import type { VersionedResource } from '../../platform/http/view.ts';
import { loanHooks } from './hooks.ts';
import { LoanComputed } from './schema.ts';
import type { Loan, LoanValues } from './schema.ts';

/** The names of a loan for messages, and its table. A version may have other names. */
export const LOAN_RESOURCE: VersionedResource<'book_id'> = {
  collection: 'loans',
  item: 'loan',
  anItem: 'a loan',
  table: '"loans"',
  unique: {},
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
  unbounded: Object.keys(LoanComputed.properties),
  columns: {
    created_at: { name: '"loans"."created_at"', type: 'timestamptz' },
  },
};

const STATEMENTS = crudStatements('"loans"', COLUMNS, WRITTEN);

/** Reads a page of loans. Fixed filters limit the list to a parent or an owner. */
export const listLoans = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
  table: ListTable = loanTable,
): Promise<Page<Loan>> => readPage<Loan>(database, table, list, fixedFilters);

/** Finds a loan. @throws 404 if it never existed, 410 if it was removed. */
export async function findLoan(
  database: Database,
  id: string,
  resource = LOAN_RESOURCE,
): Promise<Loan> {
  const [found] = await database.query<Loan>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, resource, id);
  return found;
}

/** Inserts a loan. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createLoan(
  database: Database,
  values: LoanValues,
  resource = LOAN_RESOURCE,
): Promise<Loan> {
  const { beforeCreate, afterCreate } = loanHooks;
  try {
    return await changeWithHooks(database, [beforeCreate, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const [created] = await transaction.query<Loan>(STATEMENTS.insert, [
        newId(),
        ...parametersOf(WRITTEN, hooked),
      ]);
      if (created === undefined) throw new Error('the insert returned no row');
      await afterCreate?.(created, transaction);
      return created;
    });
  } catch (error) {
    throw await asRefusal(database, error, resource, referencesOf(values, resource));
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
  resource = LOAN_RESOURCE,
): Promise<Loan> {
  const { beforeUpdate, afterUpdate } = loanHooks;
  for (;;) {
    const stored = await findLoan(database, id, resource);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(resource);
    const values = await change(stored);
    try {
      return await changeWithHooks(database, [beforeUpdate, afterUpdate], async (transaction) => {
        const hooked = (await beforeUpdate?.(values, stored, transaction)) ?? values;
        const parameters = [id, stored.updated_at, ...parametersOf(WRITTEN, hooked)];
        const [updated] = await transaction.query<Loan>(STATEMENTS.update, parameters);
        if (updated === undefined) throw new ConcurrentChange();
        await afterUpdate?.(updated, transaction);
        return updated;
      });
    } catch (error) {
      if (error instanceof ConcurrentChange) continue;
      throw await asRefusal(database, error, resource, referencesOf(values, resource));
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
  resource = LOAN_RESOURCE,
): Promise<void> {
  const { beforeDelete, afterDelete } = loanHooks;
  try {
    await changeWithHooks(database, [beforeDelete, afterDelete], async (transaction) => {
      await beforeDelete?.(id, transaction);
      const deleted = await transaction.query(STATEMENTS.delete, [id, revision]);
      if (deleted.length === 0) throw await changedOrMissing(transaction, resource, id);
      await afterDelete?.(id, transaction);
    });
  } catch (error) {
    throw asRemovalRefusal(error, resource.item, false);
  }
}

const referencesOf = (values: LoanValues, { references }: typeof LOAN_RESOURCE) => [
  { member: references.book_id, table: '"books"', id: values.book_id },
];
