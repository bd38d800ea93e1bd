/** The names of collections and fields for the names of a database. */
import { BUILT_IN, singularOf } from '../definition/collection-name.ts';
import { caseOf } from '../definition/names.ts';
import { numberOf } from '../definition/pluralize.ts';

/** A name for a collection. */
export interface ProposedName {
  readonly name: string;
  /** Where the rules give none. */
  readonly singular?: string;
  /** The built-in collection that has the name which the rules give. */
  readonly builtInName?: string;
}

/** The names of tables that the rules would call like a built-in collection. */
const INSTEAD_OF_BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['users', 'user_accounts'],
  ['tokens', 'access_tokens'],
  ['jobs', 'background_jobs'],
]);

/**
 * The plural noun in snake_case that the name of a table gives: `FilmActor` → `film_actors`.
 * @returns undefined if it has no letter, or if a built-in collection has that name.
 */
export function collectionNameUnlessBuiltIn(table: string): ProposedName | undefined {
  const name = pluralFor(table);
  if (name === '' || BUILT_IN.includes(name)) return undefined;
  return singularOf(name) === undefined ? { name, singular: `${name}_item` } : { name };
}

/**
 * The name of the collection that a table becomes: another one, if a built-in collection has that name.
 * @returns undefined if it has no letter.
 */
export function collectionNameForTable(table: string): ProposedName | undefined {
  const builtInName = pluralFor(table);
  const name = INSTEAD_OF_BUILT_IN.get(builtInName);
  return name === undefined ? collectionNameUnlessBuiltIn(table) : { name, builtInName };
}

/** An empty text if the name has no letter. */
function pluralFor(name: string): string {
  const noun = caseOf(name, '_');
  const number = numberOf(noun);
  return noun !== '' && number.kind === 'singular' ? number.plural : noun;
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
 * The name of a field for a column that refers to a table that is not a collection: `customer_id` →
 * `customer_number`, or `customer_key` if the column is not a number.
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
