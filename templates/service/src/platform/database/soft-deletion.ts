/** Rules for items whose rows stay when they are removed, which no foreign key refuses to refer to. */
import { conflict } from '../http/errors.ts';
import type { ChangeRule } from './change-rule.ts';
import { missingError, missingReferences } from './constraints.ts';

/**
 * Refuses references to items that were removed while their rows stay. The rows are locked as a foreign key locks them,
 * so that a removal waits for the end of the transaction, and other changes do not.
 * @param tables the table that each such reference refers to, quoted.
 */
export const refusesRemoved = (tables: Readonly<Record<string, string>>): ChangeRule => ({
  beforeWrite: async (transaction, { references: names = {} }, values, stored = {}) => {
    const [now, before] = [values, stored] as readonly Readonly<Record<string, string | null>>[];
    const changed = Object.entries(tables)
      .filter(([name]) => now?.[name] !== before?.[name])
      .map(([name, table]) => ({ member: names[name] ?? name, table, id: now?.[name] ?? null }));
    const missing = await missingReferences(transaction, changed, ' for key share');
    if (missing.length > 0) throw missingError(missing);
  },
});

/** Refuses to remove an item that others refer to (409), once it is marked. */
export const keepsReferred: ChangeRule<{ readonly id: string }> = {
  afterRemoval: async (transaction, { item, softDelete }, { id }) => {
    for (const { table, column } of softDelete?.referrers ?? []) {
      const text = `select 1 from ${table} where ${column} = $1 limit 1`;
      const found = await transaction.query({ text }, [id]);
      // Not which: a version may call them otherwise.
      if (found.length > 0) {
        throw conflict(`Others still refer to this ${item}: remove them first.`);
      }
    }
  },
};
