/**
 * Your own rules for loans: checks and side effects of changes. See
 * `Hooks` for the available hooks. `generate` never changes this file.
 */
import type { Hooks } from '../../platform/database/hooks.ts';
import type { Loan, LoanValues } from './schema.ts';

export const loanHooks: Hooks<Loan, LoanValues> = {};
