/**
 * The indexes of a table: for every unique value, reference, sort key and filter that the definition
 * declares, and those that it asks for.
 */
import type { CollectionDefinition, IndexKey } from '../definition/types.ts';
import { membersOf } from '../expressions/expression.ts';
import { ruleSql } from '../expressions/rule-sql.ts';
import { ruleText } from '../expressions/rule-text.ts';
import { objectName, quoted } from '../shared/sql.ts';
import { indexTextBytes } from '../types/text-storage.ts';
import {
  beginningOf,
  columnOf as columnOfField,
  listedMember,
  LONGEST_INDEXED,
  LONGEST_SORTED,
  orderOf,
  wholeValues,
} from './columns.ts';
import type { Column } from './columns.ts';
import { fitsInIndex } from './index-size.ts';
import type { Index, Relation, WordsColumn } from './types.ts';

/** What `created_at` and `updated_at` take in an index. */
const TIMESTAMP_SIZE = { maxCharacters: 0, indexBytes: 8 };

/** PostgreSQL takes no more columns into one index. */
const MOST_COLUMNS = 32;

/** A table whose fields are indexed. */
interface Fields {
  readonly definition: CollectionDefinition;
  readonly columns: readonly Column[];
}

/** What the indexes of a table are over. */
export interface IndexedTable extends Fields {
  /** Unquoted. */
  readonly name: string;
  readonly words: readonly WordsColumn[];
  readonly relations: readonly Relation[];
  /** Whether it keeps who made each item. */
  readonly hasOwner: boolean;
}

/** All indexes of a table, without those that another one makes superfluous. */
export function indexesOf(table: IndexedTable): Index[] {
  const groups = [uniqueIndexes, referenceIndexes, sortIndexes, filterIndexes, declaredIndexes];
  const all = groups.flatMap((group) => group(table));
  // Of two that cover each other, the first stays.
  const needed = all.filter(
    (index, at) =>
      !all.some((other, place) => covers(other, index) && (place < at || !covers(index, other))),
  );
  for (const { name } of table.words) {
    needed.push(draft([table.name, name, 'idx'], [quoted(name)], { method: 'gin' }));
  }
  // For lists of one's own items, and for the removal of a user.
  if (table.hasOwner) {
    needed.push(draft([table.name, '_owner_id', 'idx'], ['"_owner_id"', '"id"']));
  }
  return withNames(needed);
}

/** An index that has no name yet. */
interface Draft extends Omit<Index, 'name'> {
  /** What its name consists of. */
  readonly parts: readonly string[];
  /** The keys that another index has to begin with to serve as well. */
  readonly needs: readonly string[];
}

const draft = (
  parts: readonly string[],
  on: readonly string[],
  more: Partial<Draft> = {},
): Draft => ({ parts, on, needs: on, unique: false, method: 'btree', fields: [], ...more });

/** Names indexes; where two would have the same name, a number before its last part tells them apart. */
function withNames(drafts: readonly Draft[]): Index[] {
  const taken = new Set<string>();
  return drafts.map(({ parts, needs: _needs, ...index }) => {
    let name = objectName(...parts);
    for (let n = 2; taken.has(name); n++) {
      name = objectName(...parts.slice(0, -1), String(n), parts.at(-1) ?? '');
    }
    taken.add(name);
    return { name, ...index };
  });
}

/**
 * Whether what one index is for is served by another: it has the same first keys in the same order,
 * or in the reverse one, since PostgreSQL reads an index from either end. Rows whose values are unique
 * need no further key. A partial index does not hold all rows.
 */
function covers(other: Draft, index: Draft): boolean {
  if (other === index || other.where !== undefined || index.where !== undefined) return false;
  if (index.unique) return other.unique && other.on.join(', ') === index.on.join(', ');
  const keys = other.unique ? [...other.on, '"id"'] : other.on;
  const begins = (terms: readonly string[]): boolean =>
    terms.every((term, at) => keys[at] === term);
  return begins(index.needs) || begins(index.needs.map(reversed));
}

const DESCENDING = ' desc';
/** A term in the opposite direction. */
const reversed = (term: string): string =>
  term.endsWith(DESCENDING) ? term.slice(0, -DESCENDING.length) : `${term}${DESCENDING}`;

const columnOf = ({ columns }: Fields, field: string): Column | undefined =>
  columns.find((candidate) => candidate.field === field);

const sqlOf = (table: Fields, field: string): string =>
  quoted(columnOf(table, field)?.name ?? field);

function uniqueIndexes(table: IndexedTable): Draft[] {
  const { name, definition } = table;
  const whole = (fields: readonly string[]): string[] =>
    wholeValues(
      fields.map((field) => columnOf(table, field) ?? { name: field, ...TIMESTAMP_SIZE }),
    );
  const alone = definition.fields.filter((field) => field.unique).map((field) => [field.name]);
  const together = definition.unique.filter(({ where }) => where === undefined);
  const of = (parts: readonly string[], fields: readonly string[], more?: Partial<Index>): Draft =>
    draft([name, ...parts, 'key'], whole(fields), { unique: true, fields, ...more });
  // In the order of their texts, so that another order in the definition changes no name.
  const conditional = definition.unique
    .flatMap(({ fields, where }) => (where === undefined ? [] : [{ fields, rule: where }]))
    .toSorted((one, other) =>
      ruleText(one.rule.expression) < ruleText(other.rule.expression) ? -1 : 1,
    );
  return [
    ...[...alone, ...together.map(({ fields }) => fields)].map((fields) => of(fields, fields)),
    ...conditional.map(({ fields, rule }) => {
      const parts = [...fields, 'where', ...membersOf(rule.expression).map((one) => one.name)];
      return of(parts, fields, { where: { rule, condition: ruleSql(rule.expression) } });
    }),
  ];
}

/** For lists of what refers to an item, in the order of the ids, and for deletions of what is referred to. */
const referenceIndexes = ({ name, definition, relations }: IndexedTable): Draft[] =>
  relations.map(({ field, column, nestedPath }) => {
    const isListed =
      nestedPath !== undefined ||
      definition.filter.includes(field.name) ||
      definition.owner?.[0]?.field === field.name;
    const on = [quoted(column), '"id"'];
    return draft([name, field.name, 'idx'], on, isListed ? {} : { needs: on.slice(0, 1) });
  });

const sortIndexes = (table: IndexedTable): Draft[] =>
  table.definition.sort.map((field) =>
    draft([table.name, field, 'sort'], [...listedTerms(table, field), '"id"']),
  );

/** Filters compare what lists are sorted by, so one index serves both. */
function filterIndexes(table: IndexedTable): Draft[] {
  const { sort, filter } = table.definition;
  const unique = uniqueIndexes(table).filter(({ where }) => where === undefined);
  // A unique index with all of a long text serves filters, too.
  const isWhole = (field: string): boolean =>
    unique.some(({ on }) => on.join(', ') === sqlOf(table, field));
  return filter
    .filter((field) => !sort.includes(field) && !isWhole(field))
    .map((field) => draft([table.name, field, 'idx'], [...listedTerms(table, field), '"id"']));
}

/** The terms that lists compare a field by: those of its order, or its column where no list is sorted by it. */
function listedTerms(table: Fields, field: string): string[] {
  const { definition } = table;
  const sql = sqlOf(table, field);
  if (definition.sort.includes(field)) {
    const { type, nullable } = listedMember(definition, field);
    return orderOf(type, nullable, sql);
  }
  return [isLong(table, field) ? beginningOf(sql) : sql];
}

const isLong = (table: Fields, field: string): boolean =>
  (columnOf(table, field)?.maxCharacters ?? 0) > LONGEST_INDEXED;

/** Bytes that the terms of a field take in an entry at most, each. */
function termSizes(table: Fields, field: string): number[] {
  const { indexBytes } = columnOf(table, field) ?? TIMESTAMP_SIZE;
  const hasBeginning = table.definition.sort.includes(field) || isLong(table, field);
  const bytes = hasBeginning ? Math.min(indexBytes, BEGINNING_BYTES) : indexBytes;
  // Where a value may be null, the first term says whether it is.
  return listedTerms(table, field).length > 1 ? [1, bytes] : [bytes];
}

const ID_BYTES = 16;
/** Four for each character, as many as UTF-8 takes. */
const BEGINNING_BYTES = indexTextBytes(4 * LONGEST_SORTED);

/**
 * The indexes that the definition asks for: over their fields as lists compare them, and at last by
 * the id, as lists are ordered. An index ends before the first field with which it could have an entry
 * that is too large, or too many columns.
 */
const declaredIndexes = (table: IndexedTable): Draft[] =>
  table.definition.indexes.map((keys) => {
    const used = keys.slice(0, indexedKeys(table, keys));
    const isLastDescending = used.at(-1)?.descending === true;
    const terms = used.flatMap(({ field, descending }) => {
      const own = listedTerms(table, field);
      return descending ? own.map(reversed) : own;
    });
    const parts = keys.flatMap(({ field, descending }) => (descending ? [field, 'desc'] : [field]));
    return draft(
      [table.name, ...parts, 'index'],
      [...terms, isLastDescending ? reversed('"id"') : '"id"'],
    );
  });

/** How many of the first keys fit into an index. */
function indexedKeys(table: Fields, keys: readonly IndexKey[]): number {
  const sizes = [ID_BYTES];
  const end = keys.findIndex(({ field }) => {
    sizes.push(...termSizes(table, field));
    return sizes.length > MOST_COLUMNS || !fitsInIndex(sizes);
  });
  return end === -1 ? keys.length : end;
}

/** The fields of each entry of `indexes` that its index leaves out. */
export function omittedFields(definition: CollectionDefinition): string[][] {
  const table = { definition, columns: definition.fields.map(columnOfField) };
  return definition.indexes.map((keys) =>
    keys.slice(indexedKeys(table, keys)).map(({ field }) => field),
  );
}
