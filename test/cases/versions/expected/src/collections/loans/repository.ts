/** The repository of loans: their columns, and the functions made of them. */
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
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

export const {
  list: listLoans,
  find: findLoan,
  create: createLoan,
  update: updateLoan,
  delete: deleteLoan,
} = crudRepository<Loan, LoanValues>({
  resource: LOAN_RESOURCE,
  lists: loanTable,
  written: WRITTEN,
  references: { book_id: '"books"' },
  hooks: () => loanHooks,
});
