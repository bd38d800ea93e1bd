/** A broken tool is not lent, and neither is one that is retired. */
import type { Hooks } from '../../platform/database/hooks.ts';
import { conflict } from '../../platform/http/errors.ts';
import { findTool } from '../tools/repository.ts';
import type { Loan, LoanValues } from './schema.ts';

export const loanHooks: Hooks<Loan, LoanValues> = {
  async beforeUpdate(values, { before, database }) {
    if (values.state === 'lent' && before.state !== 'lent') {
      const { state } = await findTool(database, values.tool_id);
      if (state === 'broken' || state === 'retired') throw conflict(`The tool is ${state}.`);
    }
    return values;
  },
};
