/**
 * The team's own rules for loans: what is checked, and what is done, around a change.
 * This file is yours; `Hooks` says which hooks there are.
 */
import type { Hooks } from '../../database/hooks.ts';
import type { Loan, LoanValues } from './schema.ts';

export const loanHooks: Hooks<Loan, LoanValues> = {};
