/** Loans for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type { Loan, LoanBody, LoanValues } from '../../../../src/collections/loans/schema.ts';
import { valid } from '../../../fixtures/v1/loans.ts';
import type { TestService } from '../../service.ts';

/** What a fixture of loans returns: the members that clients send, without references. */
export type LoanInput = Omit<Static<typeof LoanBody>, 'book_id'>;

/** A body that creates a loan. @param given the members that matter to the test. */
export async function loanBody(service: TestService, given: Partial<LoanValues> = {}) {
  return {
    ...valid(service.serial('loans')),
    ...given,
  };
}

/** Creates a loan. @param given the members that matter to the test. */
export async function createLoan(
  service: TestService,
  given: Partial<LoanValues> = {},
): Promise<Loan> {
  return service.create('/loans', await loanBody(service, given));
}
