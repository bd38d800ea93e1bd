/** What the OpenAPI document says of loans. What `routes.ts` gains by hand, say here too. */
import type { Static } from 'typebox';

import type { Draft } from '../../openapi/draft.ts';
import { idParameter } from '../../openapi/parameters.ts';
import { resource } from '../../openapi/resource.ts';
import type { Paths } from '../../openapi/types.ts';
import { bookPermissions } from '../books/schema.ts';
import { LoanBody, loanLists, loanPermissions } from './schema.ts';

/** A loan as examples show it. */
const EXAMPLE = {
  until: '2026-01-31',
  book_id: '01890a5d-ac96-774b-bcce-b302099a8057',
} satisfies Static<typeof LoanBody>;

/** The paths, as in `routes.ts`. */
export function loansPaths(draft: Draft): Paths {
  const loans = resource(draft, {
    tag: 'Loans',
    description: 'Loans.',
    words: { one: 'loan', a: 'a loan', many: 'loans' },
    types: { one: 'Loan', many: 'Loans' },
    body: LoanBody,

    lists: loanLists,
    permissions: loanPermissions,
    example: EXAMPLE,
  });
  return {
    '/loans': { get: loans.list(), post: loans.create() },
    '/loans/{id}': {
      parameters: [idParameter(draft)],
      get: loans.read(),
      put: loans.replace(),
      patch: loans.patch(),
      delete: loans.remove(),
    },
    '/books/{id}/loans': {
      parameters: [idParameter(draft)],
      get: loans.listIn({
        operationId: 'listLoansOfBook',
        words: 'a book',
        read: bookPermissions.read,
      }),
      post: loans.createIn(
        { operationId: 'createLoansOfBook', words: 'a book', read: bookPermissions.read },
        'book_id',
      ),
    },
  };
}
