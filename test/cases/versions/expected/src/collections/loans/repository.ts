/** Loans in the database. */
import { brokenReferences, isBrokenReference, takenOr } from '../../database/constraints.ts';
import type { Database } from '../../database/database.ts';
import { createWith, deleteWith, updateWith } from '../../database/hooks.ts';
import { changed, changedOrMissing, missing } from '../../database/missing.ts';
import { readPage } from '../../database/pages.ts';
import type { ListTable, Scope } from '../../database/pages.ts';
import { conflict } from '../../http/errors.ts';
import type { ListRequest } from '../../http/list.ts';
import type { Page } from '../../http/page.ts';
import { newId } from '../../http/uuid.ts';
import type { NamedKind } from '../../http/view.ts';
import { loanHooks } from './hooks.ts';
import type { Loan, LoanValues } from './schema.ts';

/** What a loan is, and what messages call it; a version may call it otherwise. */
export const LOAN_KIND: NamedKind<'book_id'> = {
  collection: 'loans',
  item: 'loan',
  table: '"loans"',
  constraints: {
    item: 'a loan',
    unique: {},
  },
  references: { book_id: 'book_id' },
};

/** What is selected of a row: all that clients read. */
const COLUMNS =
  '"loans"."id", "loans"."until", "loans"."book_id", "loans"."created_at", "loans"."updated_at"';

/** How lists of them are read; versions compare their own members. */
export const loanTable: ListTable = {
  name: '"loans"',
  select: COLUMNS,
  columns: {
    created_at: { name: '"loans"."created_at"', type: 'timestamptz' },
  },
};

const FIND = {
  keep: true,
  quick: true,
  text: `select ${COLUMNS} from "loans" where "id" = $1`,
};
const INSERT = {
  keep: true,
  text: `insert into "loans" ("id", "until", "book_id")
    values ($1, $2, $3) returning ${COLUMNS}`,
};
// The time of the last change is the revision: a row that somebody else has changed since is not found.
const UPDATE = {
  keep: true,
  text: `update "loans" set "until" = $3, "book_id" = $4
    where "id" = $1 and "updated_at" = $2 returning ${COLUMNS}`,
};
const DELETE = {
  keep: true,
  text: `delete from "loans"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** The values in the order of the columns of the statements. */
const parameters = (values: LoanValues): unknown[] => [values.until, values.book_id];

/** One page of a list of loans; with scopes, of some parent's or owner's alone. */
export const listLoans = (
  database: Database,
  list: ListRequest,
  scopes: readonly Scope[] = [],
  table: ListTable = loanTable,
): Promise<Page<Loan>> => readPage<Loan>(database, table, list, scopes);

/** Finds a loan. @throws 404 where it never was, 410 where it was removed. */
export async function findLoan(database: Database, id: string, kind = LOAN_KIND): Promise<Loan> {
  const [found] = await database.query<Loan>(FIND, [id]);
  if (found === undefined) throw await missing(database, kind, id);
  return found;
}

/** Stores a new loan. @throws 409 for a unique value that is taken, 422 for a broken reference. */
export async function createLoan(
  database: Database,
  values: LoanValues,
  kind = LOAN_KIND,
): Promise<Loan> {
  try {
    return await createWith(loanHooks, database, values, insert);
  } catch (error) {
    throw await explain(database, error, values, kind);
  }
}

/**
 * Changes a loan. `change` says what it becomes, and is asked again where somebody else
 * changed it meanwhile: no change is lost. With a revision it is changed in that state alone.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateLoan(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Loan) => LoanValues,
  kind = LOAN_KIND,
): Promise<Loan> {
  for (;;) {
    const stored = await findLoan(database, id, kind);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(kind);
    const values = change(stored);
    try {
      const updated = await updateWith(loanHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error, values, kind);
    }
  }
}

/**
 * Removes a loan for good; with a revision, in that state alone.
 * @throws 404, 410, 412, and 409 where others refer to it.
 */
export async function deleteLoan(
  database: Database,
  id: string,
  revision?: string,
  kind = LOAN_KIND,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(loanHooks, database, id, (inside) => remove(inside, id, revision));
  } catch (error) {
    if (!isBrokenReference(error)) throw error;
    throw conflict(`Others still refer to this ${kind.item}: remove them first.`);
  }
  if (!removed) throw await changedOrMissing(database, kind, id);
}

async function insert(database: Database, values: LoanValues): Promise<Loan> {
  const [created] = await database.insert<Loan>(INSERT, [newId(), ...parameters(values)]);
  if (created === undefined) throw new Error('the insert gave no row back');
  return created;
}

async function update(
  database: Database,
  stored: Loan,
  values: LoanValues,
): Promise<Loan | undefined> {
  const [updated] = await database.query<Loan>(UPDATE, [
    stored.id,
    stored.updated_at,
    ...parameters(values),
  ]);
  return updated;
}

async function remove(
  database: Database,
  id: string,
  revision: string | undefined,
): Promise<boolean> {
  const rows = await database.query(DELETE, [id, revision]);
  return rows.length > 0;
}

/** What an error of the database means for a client. */
async function explain(
  database: Database,
  error: unknown,
  values: LoanValues,
  kind = LOAN_KIND,
): Promise<unknown> {
  if (!isBrokenReference(error)) return takenOr(error, kind.constraints);
  return brokenReferences(database, error, [
    { member: kind.references.book_id, table: '"books"', id: values.book_id },
  ]);
}
