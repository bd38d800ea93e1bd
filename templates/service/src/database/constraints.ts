/** What a constraint of the database means for a client, where a statement runs into it. */
import { conflict, unprocessable } from '../http/errors.ts';
import type { Database } from './database.ts';

/** The parts of PostgreSQL's error that name what was violated. */
interface ConstraintError extends Error {
  readonly code: string;
  readonly constraint: string;
  readonly table: string;
}

/** SQLSTATE, class 23 (PostgreSQL's documentation, appendix A). */
const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';

/** The constraints of a table by name, with the members that they are over. */
export interface Constraints {
  /** What the table holds one of, with its article: `a book`. */
  readonly item: string;
  readonly unique: Readonly<Record<string, readonly string[]>>;
}

/** Whether a statement failed because a reference leads nowhere, or would. */
export const isBrokenReference = (error: unknown): error is ConstraintError =>
  (error as ConstraintError | undefined)?.code === FOREIGN_KEY_VIOLATION;

/** Whether a statement failed because a unique value is taken, that of this constraint. */
export const isTaken = (error: unknown, constraint: string): boolean => {
  const found = error as Partial<ConstraintError> | undefined;
  return found?.code === UNIQUE_VIOLATION && found.constraint === constraint;
};

/** 409 for a unique value that is taken; any other error as it is. */
export function takenOr(error: unknown, { item, unique }: Constraints): unknown {
  const { code, constraint } = (error ?? {}) as Partial<ConstraintError>;
  if (code !== UNIQUE_VIOLATION) return error;
  const members = Object.hasOwn(unique, constraint ?? '') ? unique[constraint ?? ''] : undefined;
  if (members === undefined) return error;
  if (members.length === 0) return conflict(`There is ${item} already that is too much like this.`);
  return conflict(`There is ${item} already with this ${members.join(' and ')}: choose another.`);
}

/** A reference that an item is to hold. */
interface Reference {
  readonly member: string;
  /** The table that it leads to, quoted. */
  readonly table: string;
  readonly id: string | null;
}

/** 422 that names each reference whose item is missing; the error itself where all are there. */
export async function brokenReferences(
  database: Database,
  error: unknown,
  references: readonly Reference[],
): Promise<unknown> {
  const problems: string[] = [];
  for (const { member, table, id } of references) {
    const found = await database.query({ text: `select 1 from ${table} where "id" = $1` }, [id]);
    if (id !== null && found.length === 0)
      problems.push(`${member} refers to an item that is not there`);
  }
  return problems.length === 0 ? error : unprocessable(`${problems.join('; ')}.`);
}
