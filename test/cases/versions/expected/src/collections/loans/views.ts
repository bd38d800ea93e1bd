/** Loans as each version has them. */
import type { View } from '../../http/view.ts';
import { BOOK_KIND } from '../books/repository.ts';
import { LOAN_KIND, loanTable } from './repository.ts';
import { loanBodies, loanLists } from './schema.ts';
import type { Loan, LoanValues } from './schema.ts';

export type LoanView = View<Loan, LoanValues, 'book_id'>;

/** Loans as they are stored. */
const stored: LoanView = {
  path: 'loans',
  kind: LOAN_KIND,
  bodies: loanBodies,
  lists: loanLists,
  table: loanTable,
  nested: {
    book_id: { parent: 'books', path: 'loans', kind: BOOK_KIND },
  },
  show: (loan) => loan,
};

/** By version; one that has no loans is not here. */
export const loanViews: Readonly<Record<number, LoanView>> = {
  1: stored,
};
