/** The lists that name fields of their collection: what lists sort, filter and search by, and indexes. */
import type { Reading } from '../reading/records.ts';
import { TYPES, specOf } from '../types/registry.ts';
import type { WrittenField } from './written-field.ts';
import type { Issues } from '../reading/issues.ts';
import type { COLLECTION_KEYS } from './keys.ts';
import { nearest } from '../reading/nearest.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { Position } from '../reading/position.ts';
import type { Located } from '../reading/shapes.ts';
import type { IndexKey } from './types.ts';
import type { BuiltInTime } from '../shared/built-in-members.ts';

/** The lists, each with what stands in it. */
export interface FieldLists {
  readonly sort: readonly string[];
  readonly filter: readonly string[];
  readonly search: readonly string[];
  readonly indexes: readonly (readonly IndexKey[])[];
}

type CollectionReading = Reading<typeof COLLECTION_KEYS>;
type Names = readonly Located<string>[];

/** Query parameters that every list has. */
export const LIST_PARAMETERS: ReadonlySet<string> = new Set([
  ...['limit', 'cursor', 'sort', 'fields', 'q', 'count'],
]);
/** PostgreSQL takes no more columns into one index. */
const MOST_COLUMNS = 32;

/** Checks all lists of a collection against its fields. @param times those that its items have. */
export function checkFieldLists(
  read: CollectionReading,
  fields: readonly WrittenField[],
  times: readonly BuiltInTime[],
  issues: Issues,
): FieldLists {
  const known = new Map(fields.map((field) => [field.name, field]));
  const check = (key: 'sort' | 'filter' | 'search', more: readonly string[]): Names => {
    const names = read[key]?.value ?? [];
    for (const name of names) checkUse(key, name, known, more, issues);
    checkTwice(names, key, issues);
    return names;
  };
  const sort = check('sort', times);
  const filter = check('filter', times);
  for (const { value, at } of filter) {
    if (!LIST_PARAMETERS.has(value) || !known.has(value)) continue;
    const message = `filter ${quote(value)} is a parameter of every list: the query could mean either. Rename the field.`;
    issues.add(at, 'reserved-parameter', message);
  }
  const search = check('search', []);
  return {
    sort: read.sort === undefined ? defaultSort(times) : values(sort),
    filter: values(filter),
    search: values(search),
    indexes: checkIndexes(read.indexes?.value ?? [], known, times, issues),
  };
}

function values(names: Names): readonly string[] {
  return names.map(({ value }) => value);
}

function checkUse(
  key: 'sort' | 'filter' | 'search',
  name: Located<string>,
  known: ReadonlyMap<string, WrittenField>,
  times: readonly string[],
  issues: Issues,
): void {
  const { value, at } = name;
  if (times.includes(value)) return;
  const field = known.get(value);
  if (field === undefined) {
    reportUnknown(key, name, [...known.keys(), ...times], issues);
    return;
  }
  const { typeName } = field;
  if (typeName === undefined) return;
  const spec = specOf({ type: typeName });
  const fits = key === 'search' ? spec.isSearchable === true : spec.isComparable;
  if (!fits) {
    const wanted = key === 'search' ? 'only string and text can be searched in' : verbs[key];
    const message = `${key} ${quote(value)} has the type ${typeName}: ${wanted}. Remove it.`;
    issues.add(at, 'unfit-field', message);
  } else if (field.writeOnly) {
    const message = `${key} ${quote(value)} is write_only: a list would tell what it holds. Remove it.`;
    issues.add(at, 'unfit-field', message);
  }
}

const verbs = {
  sort: 'lists cannot be sorted by it',
  filter: 'lists cannot be filtered by it',
};

function reportUnknown(
  key: string,
  { value, at }: Located<string>,
  known: readonly string[],
  issues: Issues,
): void {
  if (value === 'id' && key !== 'unique') {
    const message =
      key === 'indexes'
        ? 'indexes "id" is not needed: every index ends with id by itself. Remove it.'
        : `${key} "id" is not offered: lists are in the order of id by themselves. Remove it.`;
    issues.add(at, 'unfit-field', message);
    return;
  }
  const near = nearest(value, known);
  const few = known.slice(0, 10).map(quote);
  const hint = near === undefined ? enumerate(few, 'or') : quote(near);
  const write = few.length === 0 ? 'Remove it' : `Write ${hint}`;
  issues.add(at, 'unknown-field', `${key} ${quote(value)} is not a field. ${write}.`);
}

function checkTwice(names: Names, key: string, issues: Issues): void {
  const seen = new Set<string>();
  for (const { value, at } of names) {
    if (seen.has(value)) {
      issues.add(at, 'duplicate-entry', `${key} names ${quote(value)} twice. Remove one.`);
    }
    seen.add(value);
  }
}

function checkIndexes(
  groups: readonly Located<Names>[],
  known: ReadonlyMap<string, WrittenField>,
  times: readonly string[],
  issues: Issues,
): readonly (readonly IndexKey[])[] {
  const seen = new Set<string>();
  for (const { value: names, at } of groups) {
    const fields = names.map((name) => ({ ...name, value: indexKey(name.value).field }));
    checkGroup('indexes', fields, at, known, times, issues);
    const same = values(names).join(' ');
    if (seen.has(same)) {
      issues.add(at, 'duplicate-entry', 'indexes has this list of fields twice. Remove one.');
    }
    seen.add(same);
  }
  return groups.map(({ value }) => values(value).map(indexKey));
}

/** A key as it is written: `-` in front of the field descends. */
const indexKey = (text: string): IndexKey => ({
  field: text.replace(/^-(?=.)/, ''),
  descending: text.startsWith('-'),
});

/** Checks the fields of one index. */
export function checkGroup(
  key: 'unique' | 'indexes' | 'key',
  names: Names,
  at: Position,
  known: ReadonlyMap<string, WrittenField>,
  times: readonly string[],
  issues: Issues,
): void {
  checkTwice(names, key, issues);
  for (const name of names) checkColumn(key, name, known, times, issues);
  if (names.length > MOST_COLUMNS) {
    const message = `${key} has ${names.length} fields in one list: an index holds at most ${MOST_COLUMNS}. Remove some.`;
    issues.add(at, 'out-of-range', message);
  }
}

function checkColumn(
  key: 'unique' | 'indexes' | 'key',
  name: Located<string>,
  known: ReadonlyMap<string, WrittenField>,
  times: readonly string[],
  issues: Issues,
): void {
  if (times.includes(name.value)) return;
  const field = known.get(name.value);
  if (field === undefined) reportUnknown(key, name, [...known.keys(), ...times], issues);
  else if (field.typeName !== undefined && !TYPES[field.typeName].isComparable) {
    const message = `${key} ${quote(name.value)} has the type ${field.typeName}, which an index cannot hold. Remove it.`;
    issues.add(name.at, 'unfit-field', message);
  } else if (key !== 'indexes' && field.writeOnly) {
    const why = key === 'key' ? 'ids are shown' : 'a 409 would tell which values it holds';
    const message = `${key} ${quote(name.value)} is write_only: ${why}. Remove it.`;
    issues.add(name.at, 'unfit-field', message);
  }
}

/** What the lists of a collection are sorted by if it does not say it. */
export const defaultSort = (times: readonly BuiltInTime[]): readonly string[] =>
  times.filter((time) => time === 'created_at');
