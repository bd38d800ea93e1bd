/** The repository of loans: their columns, and the functions made of them. */
import { ownerOfRow } from '../../platform/database/owner-path.ts';
import type { OwnedResource } from '../../platform/database/owner-path.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/repository.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { loanHooks } from './hooks.ts';
import { LoanComputed } from './schema.ts';
import type { Loan, LoanValues } from './schema.ts';

export const LOAN_RESOURCE: OwnedResource = {
  collection: 'loans',
  item: 'loan',
  anItem: 'a loan',
  table: '"loans"',
  unique: {},
  owner: [
    { table: '"loans"', column: '"member_id"' },
    { table: '"members"', column: '"user_id"' },
  ],
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Loan> = {
  id: '"loans"."id"',
  member_id: '"loans"."member_id"',
  tool: '"loans"."tool"',
  due_on: '"loans"."due_on"',
  created_at: '"loans"."created_at"',
  updated_at: '"loans"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<LoanValues> = {
  member_id: (values) => values.member_id,
  tool: (values) => values.tool,
  due_on: (values) => values.due_on,
  _words: (values) => searchWords(values.tool),
};

const LISTS: ListTable = {
  name: '"loans"',
  members: COLUMNS,
  largest: 776,
  unbounded: Object.keys(LoanComputed.properties),
  columns: {
    due_on: {
      name: '"loans"."due_on"',
      type: 'date',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, date '0001-01-01')`],
    },
    tool: { name: '"loans"."tool"', type: 'text' },
    member_id: { name: '"loans"."member_id"', type: 'uuid' },
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
  lists: LISTS,
  written: WRITTEN,
  owner: ownerOfRow(LOAN_RESOURCE.owner),
  references: { member_id: '"members"' },
  hooks: () => loanHooks,
});
