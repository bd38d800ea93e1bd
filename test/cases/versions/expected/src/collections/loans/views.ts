/** The views of loans, by version. */
import type { View } from '../../platform/http/view.ts';
import { BOOK_RESOURCE } from '../books/repository.ts';
import { LOAN_RESOURCE, loanTable } from './repository.ts';
import { loanBodies, LoanBody, loanLists, LoanShape } from './schema.ts';
import type { Loan, LoanValues } from './schema.ts';

export type LoanView = View<Loan, LoanValues, 'book_id'>;

/** The view of versions that have the stored form. */
const stored: LoanView = {
  path: 'loans',
  resource: LOAN_RESOURCE,
  bodies: loanBodies,
  lists: loanLists,
  table: loanTable,
  nested: {
    book_id: { parent: 'books', path: 'loans', resource: BOOK_RESOURCE, name: 'LoansOfBook' },
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
