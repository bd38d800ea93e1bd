/** How the members that lists are sorted or filtered by are compared in SQL, in each version. */
import { ownMember } from '../shared/json.ts';
import type { CollectionDefinition } from '../definition/types.ts';
import { literal, quoted } from '../shared/sql.ts';
import { isSameType, specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import {
  beginningOf,
  isOrderedByBeginning,
  listedMember,
  LONGEST_INDEXED,
  LONGEST_SORTED,
} from './columns.ts';
import type { Column } from './columns.ts';
import type { Collection, View, ViewMember } from './types.ts';

/** What lists are ordered by. */
export interface ListOrder {
  readonly type: FieldType;
  readonly nullable: boolean;
  /** Whether values are of an enum type of PostgreSQL. */
  readonly isNativeEnum?: boolean;
}

/** A member that lists are sorted or filtered by. */
export interface ListColumn {
  /** Its name in the version. */
  readonly member: string;
  /** Its name in the definition of the stored collection. */
  readonly stored: string;
  /** Its type in the version. */
  readonly type: FieldType;
  /** The SQL expression that is compared: the column, or its form in the version. */
  readonly sql: string;
  /** The column, unquoted. */
  readonly column: string;
  /** The type that parameters are cast to. */
  readonly cast: string;
  /** The type that values of a keyset position are cast to, if it differs. */
  readonly position?: string;
  /** The type that it is ordered by, where an index has that order. */
  readonly order?: ListOrder;
  /** The indexed prefix of a text that may be too long for an index. */
  readonly beginning?: string;
}

/** The members that lists of a collection are sorted or filtered by, as it is stored. */
export function listColumns({ definition, table }: Collection): ListColumn[] {
  const names = [...new Set([...definition.sort, ...definition.filter])];
  return names.map((member) => {
    const column = table.columns.find(({ field }) => field === member);
    const { type, nullable } = listedMember(definition, member);
    const sql = `${quoted(table.name)}.${quoted(column?.name ?? member)}`;
    const beginning = definition.filter.includes(member)
      ? indexedBeginning(definition, column, sql)
      : undefined;
    return {
      member,
      stored: member,
      type,
      sql,
      column: column?.name ?? member,
      cast: column?.cast ?? 'timestamptz',
      ...(definition.sort.includes(member) && { order: { type, nullable, ...enumOf(column) } }),
      ...(beginning !== undefined && { beginning }),
    };
  });
}

/** The members that lists of a version are sorted or filtered by. */
export function viewColumns(
  { definition: whole, table }: Collection,
  { collection, members }: View,
): ListColumn[] {
  const { definition } = collection;
  const names = [...new Set([...definition.sort, ...definition.filter])];
  return names.map((name) => {
    const member = members.find(({ shown }) => shown.name === name);
    const stored = member?.stored.name ?? name;
    const column = table.columns.find(({ field }) => field === stored);
    const sql = `${quoted(table.name)}.${quoted(column?.name ?? stored)}`;
    const { type, nullable } = listedMember(definition, name);
    const compared = member && comparisonOf(member, sql);
    const order = compared?.order ?? type;
    const seen = compared?.sql ?? sql;
    const beginning =
      compared === undefined
        ? indexedBeginning(whole, column, sql)
        : isOrderedByBeginning(order) && definition.sort.includes(name)
          ? beginningOf(seen)
          : undefined;
    // What is sorted by in any version is indexed for that, and filters use the same index.
    const isOrdered =
      definition.sort.includes(name) || (compared === undefined && whole.sort.includes(stored));
    return {
      member: name,
      stored,
      type,
      sql: seen,
      column: column?.name ?? stored,
      cast: compared?.cast ?? column?.cast ?? 'timestamptz',
      ...(compared?.position !== undefined && { position: compared.position }),
      ...(isOrdered && {
        order: { type: order, nullable, ...enumOf(compared ? undefined : column) },
      }),
      ...(definition.filter.includes(name) && beginning !== undefined && { beginning }),
    };
  });
}

const enumOf = (column: Column | undefined): Pick<Column, 'isNativeEnum'> =>
  column?.isNativeEnum === true ? { isNativeEnum: true } : {};

/** The beginning of a text that filters compare, where it may be longer than what is indexed of it. */
function indexedBeginning(
  { sort }: CollectionDefinition,
  column: Column | undefined,
  sql: string,
): string | undefined {
  if (column === undefined) return undefined;
  const longest = sort.includes(column.field) ? LONGEST_SORTED : LONGEST_INDEXED;
  return column.maxCharacters > longest ? beginningOf(sql) : undefined;
}

/** The column with the words of what a version searches, unquoted; undefined without a search. */
export function searchedColumn(
  { definition, table }: Collection,
  view: View | undefined,
): string | undefined {
  const { search } = view?.collection.definition ?? definition;
  if (search.length === 0) return undefined;
  const fields = search.map((name) =>
    view === undefined ? name : view.members.find(({ shown }) => shown.name === name)?.stored.name,
  );
  const own = table.words.find((words) => String(words.fields) === String(fields));
  return (own ?? table.words[0])?.name;
}

/** How a member is compared whose version has another form of it. */
interface MemberComparison {
  readonly sql: string;
  readonly cast: string;
  /** The type that a value of a keyset position is cast to, so that it compares with the index. */
  readonly position?: string;
  /** The type whose order it has, where that is not its own. */
  readonly order?: FieldType;
}

/**
 * A member in the form in which its version compares it; undefined where that is the stored one.
 * What is in the order of what is stored is compared with that itself, for the sake of its index.
 */
function comparisonOf(
  { stored, shown, conversion, substitutes }: ViewMember,
  sql: string,
): MemberComparison | undefined {
  const others = Object.keys(substitutes);
  if ((conversion.kind === 'values' || others.length > 0) && stored.type.type === 'enum') {
    const cases = stored.type.values.map((value) => {
      const here = ownMember(substitutes, value) ?? value;
      const seen =
        conversion.kind === 'values' ? (ownMember(conversion.names, here) ?? here) : here;
      return `when ${literal(value)} then ${literal(seen)}`;
    });
    return { sql: `(case ${sql} ${cases.join(' ')} end collate "C")`, cast: 'text' };
  }
  const { type } = shown.type;
  if (isSameType(shown.type, stored.type)) return undefined;
  const isText = (name: FieldType['type']): boolean => ['string', 'text', 'enum'].includes(name);
  if (isText(type) && !isText(stored.type.type)) {
    const text = specOf(stored.type).comparedText?.(sql) ?? `${sql}::text`;
    return { sql: `(${text} collate "C")`, cast: 'text' };
  }
  if (type === 'timestamp' && stored.type.type === 'date') {
    // PostgreSQL compares a day with a moment as its beginning, which in a session is that in UTC.
    return { sql, cast: 'timestamptz', position: 'timestamptz::date', order: stored.type };
  }
  // Numbers compare by their value, in whatever type they are told.
  if (type === stored.type.type) return undefined;
  const numeric = specOf(stored.type).comparedAsNumber?.(shown.type);
  return numeric && { sql, ...numeric };
}
