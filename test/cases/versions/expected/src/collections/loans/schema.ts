/** The shapes of loans, and what their lists offer. */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { date, itemShape, object, optional, setExample, uuid } from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of a loan. */
export const LoanBody = object({
  until: date(),
  book_id: optional(uuid()),
});

setExample(LoanBody, {
  until: '2026-01-31',
  book_id: '01890a5d-ac96-774b-bcce-b302099a8057',
});

/** What is stored of a loan, with defaults and nulls filled in. */
export type LoanValues = Complete<Static<typeof LoanBody>>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over loans must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const LoanComputed = object({});

/** A loan as clients read it. */
export const LoanShape = itemShape('Loan', 'Loans.', LoanBody, { computed: LoanComputed });

export interface Loan extends LoanValues, Complete<Static<typeof LoanComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const loanBodies = bodyReader(LoanBody, LoanShape);

/** Who may do what with loans. */
export const loanPermissions = {
  read: 'authenticated',
  create: 'authenticated',
  update: 'authenticated',
  delete: 'authenticated',
} as const satisfies Permissions;

export const loanLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(LoanShape.properties),
  sort: ['created_at'],
  filter: {},
  search: false,
};
