/** The names of collections and fields for the names of a database. */
import type { DatabaseForeignKey, DatabaseTable } from '../database/database-schema.ts';
import { BUILT_IN, singularOf } from '../definition/collection-name.ts';
import { caseOf } from '../definition/names.ts';
import { numberOf } from '../definition/pluralize.ts';
import { nounOf, verbIn } from '../definition/verbs.ts';
import { LONGEST_NAME } from '../reading/common-keys.ts';

const ORDINALS: ReadonlyMap<string, string> = new Map([
  ['1st', 'first'],
  ['2nd', 'second'],
  ['3rd', 'third'],
]);

/** A name in snake_case. Digits at its start stay, as a word or after a letter: `1st_key` → `first_key`, `2fa` → `n2fa`. */
function nameOf(name: string): string {
  const [, digits] = /^[^\p{L}\p{N}]*([0-9]+\p{L}*)/u.exec(name) ?? [];
  if (digits === undefined || !/\p{L}/u.test(name)) return caseOf(name, '_');
  const start = ORDINALS.get(digits.toLowerCase()) ?? `n${digits}`;
  return caseOf(name.replace(digits, start), '_');
}

/** A name for a collection. */
export interface ProposedName {
  readonly name: string;
  /** Where the rules give none. */
  readonly singular?: string;
  /** The built-in collection that has the name which the rules give. */
  readonly builtInName?: string;
  /** The name which the rules give, and which no collection can have because it is an action. */
  readonly actionName?: string;
  /** The name which the rules give, and which another collection has. */
  readonly takenName?: string;
  /** The table of that collection, if it is one of the import. */
  readonly takenBy?: DatabaseTable;
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
  return name === '' || BUILT_IN.includes(name) ? undefined : withSingular(name);
}

/** A name, with a singular where the rules give none. */
export const withSingular = (name: string): ProposedName =>
  singularOf(name) === undefined ? { name, singular: `${name}_item` } : { name };

/**
 * The name of the collection that a table becomes: another one, if a built-in collection has that name, or if it is an action.
 * @returns undefined if it has no letter.
 */
export function collectionNameForTable(table: string): ProposedName | undefined {
  const ruleName = pluralFor(table);
  const name = INSTEAD_OF_BUILT_IN.get(ruleName);
  if (name !== undefined) return { name, builtInName: ruleName };
  const verb = verbIn(ruleName);
  return verb === undefined
    ? collectionNameUnlessBuiltIn(table)
    : { ...withSingular(withoutAction(ruleName, verb)), actionName: ruleName };
}

/**
 * The name of a thing for that of an action: `verify_codes` → `verification_codes`, and `edit_artists` → `edit_artist_items`,
 * whose verb is a noun too.
 */
function withoutAction(name: string, verb: string): string {
  const words = name.split('_');
  const noun = words[0] === verb ? nounOf(verb) : undefined;
  const changed = noun === undefined ? name : [noun, ...words.slice(1)].join('_');
  return verbIn(changed) === undefined ? changed : `${singularOf(changed) ?? changed}_items`;
}

/**
 * Names for the collection of a table whose own name another collection has, the best one first: without end, and so one of
 * them is free.
 * @param hasOtherSchema whether the table of the other collection is in another schema.
 */
export function* otherCollectionNames(
  { schema, name }: Pick<DatabaseTable, 'schema' | 'name'>,
  hasOtherSchema: boolean,
): Generator<ProposedName> {
  const whole = nameOf(name);
  const noun = singularOf(whole) ?? whole;
  const inSchema = nameOf(`${schema}_${name}`);
  const items = withEnding(noun, '_items');
  const names = hasOtherSchema ? [inSchema, items] : [items, inSchema];
  for (let number = 2; ; number += 1) {
    for (const one of names) {
      const proposed = collectionNameForTable(one);
      if (proposed !== undefined && proposed.name.length <= LONGEST_NAME) yield proposed;
    }
    names.splice(0, names.length, withEnding(noun, `_${number}_items`));
  }
}

/** A name with an ending. If both are too long together, the name is cut: without its ending, it would be no other name. */
const withEnding = (name: string, ending: string): string =>
  `${name.slice(0, LONGEST_NAME - ending.length).replace(/_$/, '')}${ending}`;

/** An empty text if the name has no letter. */
function pluralFor(name: string): string {
  const noun = nameOf(name);
  const number = numberOf(noun);
  return noun !== '' && number.kind === 'singular' ? number.plural : noun;
}

/** The name of a check for that of a constraint; an empty text if it has no letter. */
export const checkNameFor = (constraint: string): string => nameOf(constraint);

/**
 * The name of a field for a column; of a reference it ends in `_id`.
 * @param key the foreign key of the column, if it has one.
 * @returns an empty text if the column has no letter.
 */
export function fieldNameFor(
  column: string,
  isReference: boolean,
  key?: Pick<DatabaseForeignKey, 'table' | 'referredColumns'>,
): string {
  const name = nameOf(column);
  if (!isReference || name === '' || name.endsWith('_id')) return name;
  return `${key !== undefined && endsInId(name, key) ? name.replace(/id$/, '') : name}_id`;
}

/** Names with fewer letters before `id` may be words of their own: `bid`, `grid`, `fluid`. */
const SHORTEST_STEM = 4;

/** Whether a name ends in `id` as a word without `_`: `customerid` and `oldcustomerid` of a reference to customers. */
function endsInId(
  name: string,
  { table, referredColumns }: Pick<DatabaseForeignKey, 'table' | 'referredColumns'>,
): boolean {
  const target = nameOf(table);
  const noun = (singularOf(target) ?? target).replaceAll('_', '');
  const [referred = ''] = referredColumns;
  const isSameName = nameOf(referred) === name && name.length >= SHORTEST_STEM + 2;
  return name.endsWith(`${noun}id`) || (isSameName && name.endsWith('id'));
}

/** The foreign key of a column by itself. */
export const ownForeignKey = (
  column: string,
  { foreignKeys }: Pick<DatabaseTable, 'foreignKeys'>,
): DatabaseForeignKey | undefined =>
  foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === column);

/** Names for a field whose own name another field has: `x_y_2`, `x_y_3` and so on; of a reference `x_y_2_id`. */
export function* otherFieldNames(name: string, isReference: boolean): Generator<string> {
  const stem = isReference ? name.replace(/_id$/, '') : name;
  for (let number = 2; ; number += 1) {
    yield withEnding(stem, `_${number}${isReference ? '_id' : ''}`);
  }
}

/**
 * The name of a field for a column that refers to a table that is not a collection: `customer_id` →
 * `customer_number`, or `customer_key` if the column is not a number.
 * @param others the names of the other columns of the table.
 */
export function plainNameFor(column: string, isNumber: boolean, others: readonly string[]): string {
  const name = nameOf(column);
  if (!name.endsWith('_id')) return name;
  const taken = new Set(others.map((other) => nameOf(other)));
  const endings = isNumber ? ['_number', '_key'] : ['_key'];
  const names = endings.map((ending) => name.replace(/_id$/, ending));
  return names.find((one) => !taken.has(one)) ?? name;
}
