/** Translates constraint violations and other refusals of the database into 409 and 422. */
import { conflict, HttpError, unprocessable } from '../http/errors.ts';
import { NAMES_TABLES } from '../service.ts';
import type { Database } from './database.ts';
import type { RowId } from './row-id.ts';

/** SQLSTATE (PostgreSQL's documentation, appendix A). */
const RESTRICT_VIOLATION = '23001';
const FOREIGN_KEY_VIOLATION = '23503';
export const UNIQUE_VIOLATION = '23505';
const EXCLUSION_VIOLATION = '23P01';

/**
 * SQLSTATE classes that depend on the values of a change: data exceptions, integrity constraints, check
 * options of views, limits of the server such as the size of a JSON value, `raise` of PL/pgSQL, and custom
 * codes of triggers.
 */
const RULE = /^(?:22|23|44|45|54|P0|[I-OQ-WYZ][0-9A-Z])[0-9A-Z]{3}$/;
const INSUFFICIENT_PRIVILEGE = '42501';
/** The functions of the server that report it for a row: row-level security, and triggers. Others report a missing grant. */
const OF_ROWS = new Set(['ExecWithCheckOptions', 'exec_stmt_raise']);
/** Violations that involve another row. */
const OTHER_ROW = new Set([RESTRICT_VIOLATION, UNIQUE_VIOLATION, EXCLUSION_VIOLATION]);

/** An error of PostgreSQL. */
export interface DatabaseError {
  readonly code: string;
  /** The function of the server that reports the error. */
  readonly routine?: string;
  readonly constraint?: string;
  readonly table?: string;
}

/** The error for a client that an error of the database means; undefined if it is about something else. */
export type Violation = (error: DatabaseError, resource: Resource) => HttpError | undefined;

/** A removal that sets a column of an existing table. */
export interface SoftDelete {
  /** The value of the column of removed items, as SQL. */
  readonly value: string;
  /** The row of a removed item whose id is `$1`, as the end of a query. */
  readonly removed: string;
  /** The references that forbid a removal: tables and columns, quoted. */
  readonly referrers: readonly { readonly table: string; readonly column: string }[];
}

/** A collection, as error messages name it, with its table. Features add members of their own. */
export interface Resource {
  /** The name of the collection, also in `_tombstones`. */
  readonly collection: string;
  /** `book` and `a book`. */
  readonly item: string;
  readonly anItem: string;
  /** The table, quoted. */
  readonly table: string;
  /** What ids are; absent: UUIDs that the service generates. */
  readonly id?: RowId;
  /** The column with the revision of an item of an existing table, quoted; absent: `updated_at`. */
  readonly revision?: string;
  /** How items are removed, if their rows stay; absent: the rows are deleted. */
  readonly softDelete?: SoftDelete;
  /** The names of its references in a version, by their stored names; absent: these. */
  readonly references?: Readonly<Record<string, string>>;
  /** The members of each unique index, by the name of the index. */
  readonly unique: Readonly<Record<string, readonly string[]>>;
  /** The rule of each unique index that does not hold all items, by the name of the index. */
  readonly uniqueWhere?: Readonly<Record<string, string>>;
  /** What other errors of the database mean, in the order in which they are asked. */
  readonly violations?: readonly Violation[];
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
  if (missing.length > 0) return missingError(missing);
  if (rule === undefined) return error;
  for (const violation of [...(resource.violations ?? []), takenValue]) {
    const known = violation(rule, resource);
    if (known !== undefined) return known;
  }
  return isOtherRow(rule, resource)
    ? conflict(`This ${resource.item} conflicts with another item.`, error)
    : rejectedError(resource, error);
}

/** 422 for references to items that do not exist. */
export function missingError(missing: readonly Reference[]): HttpError {
  const problems = missing.map(({ member }) => `${member} refers to an item that does not exist`);
  return unprocessable(`${problems.join('; ')}.`);
}

/**
 * Translates an error of deleting an item: 409.
 * @returns the error itself if it is about no rule.
 */
export function deletionError(error: unknown, { item }: Resource): unknown {
  const rule = asRuleError(error);
  if (rule === undefined) return error;
  if (rule.code !== FOREIGN_KEY_VIOLATION && rule.code !== RESTRICT_VIOLATION) {
    return unremovableError(item, error);
  }
  const others = NAMES_TABLES && rule.table !== undefined ? `Others (${rule.table})` : 'Others';
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
  const { code, routine = '' } = (error ?? {}) as Partial<DatabaseError>;
  if (typeof code !== 'string') return undefined;
  const isRule = code === INSUFFICIENT_PRIVILEGE ? OF_ROWS.has(routine) : RULE.test(code);
  return isRule ? (error as DatabaseError) : undefined;
}

/** 409 for a unique index of the definition. */
const takenValue: Violation = ({ code, constraint = '' }, { item, unique, uniqueWhere = {} }) => {
  if (code !== UNIQUE_VIOLATION) return undefined;
  const members = Object.hasOwn(unique, constraint) ? unique[constraint] : undefined;
  if (members === undefined) return undefined;
  if (members.length === 0) return conflict(`A conflicting ${item} already exists.`);
  const where = Object.hasOwn(uniqueWhere, constraint) ? ` where ${uniqueWhere[constraint]}` : '';
  return conflict(`Another ${item}${where} already has this ${members.join(' and ')}.`);
};

/** Whether the violation involves another row, such as one that refers to a changed value. */
const isOtherRow = ({ code, table }: DatabaseError, { table: own, revision }: Resource): boolean =>
  OTHER_ROW.has(code) ||
  (revision === undefined &&
    code === FOREIGN_KEY_VIOLATION &&
    table !== undefined &&
    `"${table}"` !== own);

/** The references to items that do not exist. @param lock the end of a query that locks the others. */
export async function missingReferences(
  database: Database,
  references: readonly Reference[],
  lock = '',
): Promise<Reference[]> {
  const missing: Reference[] = [];
  for (const reference of references) {
    const { table, id } = reference;
    if (id === null) continue;
    const text = `select 1 from ${table} where "id" = $1${lock}`;
    const found = await database.query({ text }, [id]);
    if (found.length === 0) missing.push(reference);
  }
  return missing;
}
