/** The views of loans, by version. */
import type { View } from '../../platform/http/view.ts';
import { BOOK_KIND } from '../books/repository.ts';
import { LOAN_KIND, loanTable } from './repository.ts';
import { loanBodies, LoanBody, loanLists, LoanShape } from './schema.ts';
import type { Loan, LoanValues } from './schema.ts';

export type LoanView = View<Loan, LoanValues, 'book_id'>;

/** The view of versions that have the stored form. */
const stored: LoanView = {
  path: 'loans',
  kind: LOAN_KIND,
  bodies: loanBodies,
  lists: loanLists,
  table: loanTable,
  nested: {
    book_id: {
      parent: 'books',
      path: 'loans',
      kind: BOOK_KIND,
      name: 'LoansOfBook',
      anItem: 'a book',
    },
  },
  show: (loan) => loan,
  doc: {
    tag: 'Loans',
    words: 'loans',
    type: 'Loan',
    types: 'Loans',
    item: LoanShape,
    body: LoanBody,
    unique: [],
  },
};

/** The views by version. Versions without loans have none. */
export const loanViews: Readonly<Record<number, LoanView>> = {
  1: stored,
};
