/** The names of collections and fields for the names of a database. */
import { BUILT_IN, singularOf } from '../definition/collection-name.ts';
import { caseOf } from '../definition/names.ts';
import { numberOf } from '../definition/pluralize.ts';

/** A name for a collection. */
export interface ProposedName {
  readonly name: string;
  /** Where the rules give none. */
  readonly singular?: string;
  /** The collection that each service has itself, whose name the rules give. */
  readonly insteadOf?: string;
}

/** The names of tables that the rules would call like a collection that each service has itself. */
const INSTEAD_OF_BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['users', 'user_accounts'],
  ['tokens', 'access_tokens'],
  ['jobs', 'background_jobs'],
]);

/**
 * The plural noun in snake_case that the name of a table gives: `FilmActor` → `film_actors`.
 * @returns undefined if it has no letter, or if each service has a collection of that name.
 */
export function collectionNameFor(table: string): ProposedName | undefined {
  const name = pluralFor(table);
  if (name === '' || BUILT_IN.includes(name)) return undefined;
  return singularOf(name) === undefined ? { name, singular: `${name}_item` } : { name };
}

/**
 * The name of the collection that a table becomes: another one, if each service has a collection of that name.
 * @returns undefined if it has no letter.
 */
export function tableCollectionName(table: string): ProposedName | undefined {
  const insteadOf = pluralFor(table);
  const name = INSTEAD_OF_BUILT_IN.get(insteadOf);
  return name === undefined ? collectionNameFor(table) : { name, insteadOf };
}

/** An empty text if the name has no letter. */
function pluralFor(name: string): string {
  const own = caseOf(name, '_');
  const number = numberOf(own);
  return own !== '' && number.kind === 'singular' ? number.plural : own;
}

/** The name of a check for that of a constraint; an empty text if it has no letter. */
export const checkNameFor = (constraint: string): string => caseOf(constraint, '_');

/**
 * The name of a field for a column; of a reference it ends in `_id`.
 * @returns an empty text if the column has no letter.
 */
export function fieldNameFor(column: string, isReference: boolean): string {
  const name = caseOf(column, '_');
  return isReference && name !== '' && !name.endsWith('_id') ? `${name}_id` : name;
}

/**
 * The name of a field for a column that refers to what is no collection: `customer_id` → `customer_number`, or
 * `customer_key` if it is no number.
 * @param others the names of the other columns of the table.
 */
export function plainNameFor(column: string, isNumber: boolean, others: readonly string[]): string {
  const name = caseOf(column, '_');
  if (!name.endsWith('_id')) return name;
  const taken = new Set(others.map((other) => caseOf(other, '_')));
  const endings = isNumber ? ['_number', '_key'] : ['_key'];
  const names = endings.map((ending) => name.replace(/_id$/, ending));
  return names.find((one) => !taken.has(one)) ?? name;
}
