/** Translates constraint violations and other refusals of the database into 409 and 422. */
import { violation } from '../http/checks.ts';
import type { Check, Checks } from '../http/checks.ts';
import { conflict, HttpError, unprocessable } from '../http/errors.ts';
import type { Database } from './database.ts';

/** SQLSTATE (PostgreSQL's documentation, appendix A). */
const RESTRICT_VIOLATION = '23001';
const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';
const CHECK_VIOLATION = '23514';
const EXCLUSION_VIOLATION = '23P01';

/**
 * SQLSTATE classes that depend on the values of a change: data exceptions, integrity constraints, check
 * options of views, limits of the server such as the size of a JSON value, `raise` of PL/pgSQL, and
 * custom codes of triggers.
 */
const RULE = /^(?:22|23|44|45|54|P0|[I-OQ-WYZ][0-9A-Z])[0-9A-Z]{3}$/;
/** Violations that involve another row. */
const OTHER_ROW = new Set([RESTRICT_VIOLATION, UNIQUE_VIOLATION, EXCLUSION_VIOLATION]);

/** An error of PostgreSQL. */
interface DatabaseError {
  readonly code: string;
  readonly constraint?: string;
  readonly table?: string;
}

/** A collection, as error messages name it, with its table. */
export interface Resource {
  /** The name of the collection, also in `_tombstones`. */
  readonly collection: string;
  /** `book` and `a book`. */
  readonly item: string;
  readonly anItem: string;
  /** The table, quoted. */
  readonly table: string;
  /** Whether a text is an id of the collection; absent: whether it is a UUID. */
  readonly isId?: (text: string) => boolean;
  /** The members of each unique index, by the name of the index. */
  readonly unique: Readonly<Record<string, readonly string[]>>;
  /** The checks over several members, by the name of the constraint. */
  readonly checks?: Checks<never>;
}

/** A reference in the values of an item. */
export interface Reference {
  readonly member: string;
  /** The referenced table, quoted. */
  readonly table: string;
  readonly id: string | null;
}

/**
 * Translates an error of creating or updating an item: 422 that names each reference whose item is
 * missing, also if a hook refused the item; else 409 if the violation involves another row, and 422 for any
 * other constraint.
 * @returns the error itself if it is about no rule.
 */
export async function constraintError(
  database: Database,
  error: unknown,
  resource: Resource,
  references: readonly Reference[] = [],
): Promise<unknown> {
  const rule = asRuleError(error);
  if (rule === undefined && !(error instanceof HttpError)) return error;
  // The database checks references last, but they are reported first.
  const missing = await missingReferences(database, references);
  if (missing.length > 0) {
    const problems = missing.map(({ member }) => `${member} refers to an item that does not exist`);
    return unprocessable(`${problems.join('; ')}.`);
  }
  if (rule === undefined) return error;
  return (
    takenValue(rule, resource) ??
    checkError(rule, resource) ??
    (isOtherRow(rule, resource)
      ? conflict(`This ${resource.item} conflicts with another item.`, error)
      : rejectedError(resource, error))
  );
}

/**
 * Translates an error of deleting an item: 409.
 * @param item what is deleted: `book`.
 * @param isTold whether the message may name the table that refers to the item.
 * @returns the error itself if it is about no rule.
 */
export function deletionError(error: unknown, item: string, isTold = true): unknown {
  const rule = asRuleError(error);
  if (rule === undefined) return error;
  if (rule.code !== FOREIGN_KEY_VIOLATION && rule.code !== RESTRICT_VIOLATION) {
    return unremovableError(item, error);
  }
  const others = isTold && rule.table !== undefined ? `Others (${rule.table})` : 'Others';
  return conflict(`${others} still refer to this ${item}: remove them first.`);
}

/** 422 for an item that a rule of the database rejects: a constraint, or a trigger that stores no row. */
export const rejectedError = ({ item }: Resource, cause?: unknown): HttpError =>
  unprocessable(`A database constraint rejects this ${item}.`, cause);

/** 409 for an item that a rule of the database keeps. */
export const unremovableError = (item: string, cause?: unknown): HttpError =>
  conflict(`A database constraint prevents the removal of this ${item}.`, cause);

/** The error, if a constraint, trigger or limit of the database caused it. */
function asRuleError(error: unknown): DatabaseError | undefined {
  const { code } = (error ?? {}) as Partial<DatabaseError>;
  return typeof code === 'string' && RULE.test(code) ? (error as DatabaseError) : undefined;
}

/** 409 for a unique index of the definition. */
function takenValue(
  { code, constraint = '' }: DatabaseError,
  { item, unique }: Resource,
): HttpError | undefined {
  if (code !== UNIQUE_VIOLATION) return undefined;
  const members = Object.hasOwn(unique, constraint) ? unique[constraint] : undefined;
  if (members === undefined) return undefined;
  if (members.length === 0) return conflict(`A conflicting ${item} already exists.`);
  return conflict(`Another ${item} already has this ${members.join(' and ')}.`);
}

/** The check over several members that an error of the database is about; undefined if it is about another rule. */
export function violatedCheck(error: unknown, { checks = {} }: Resource): Check<never> | undefined {
  const { code, constraint = '' } = (error ?? {}) as Partial<DatabaseError>;
  return code === CHECK_VIOLATION && Object.hasOwn(checks, constraint)
    ? checks[constraint]
    : undefined;
}

/** 422 for a check over several members: a hook changed values after the body was checked. */
function checkError(error: DatabaseError, resource: Resource): HttpError | undefined {
  const check = violatedCheck(error, resource);
  if (check === undefined) return undefined;
  const { member, text } = violation(check);
  return unprocessable(`${member} ${text}.`);
}

/** Whether the violation involves another row, such as one that refers to a changed value. */
const isOtherRow = ({ code, table }: DatabaseError, { table: own }: Resource): boolean =>
  OTHER_ROW.has(code) ||
  (code === FOREIGN_KEY_VIOLATION && table !== undefined && `"${table}"` !== own);

async function missingReferences(
  database: Database,
  references: readonly Reference[],
): Promise<Reference[]> {
  const missing: Reference[] = [];
  for (const reference of references) {
    const { table, id } = reference;
    if (id === null) continue;
    const found = await database.query({ text: `select 1 from ${table} where "id" = $1` }, [id]);
    if (found.length === 0) missing.push(reference);
  }
  return missing;
}
