/** The lists of a collection that a client can ask for: scopes, filters, sort keys and the search. */
import { beginsWithLink } from '../definition/owner-step.ts';
import { columnName, quoted, tableName } from '../shared/sql.ts';
import { listColumns, searchedColumn, viewColumns } from './list-columns.ts';
import type { ListColumn } from './list-columns.ts';
import type { KeyType } from '../types/key.ts';
import { allowsOwners } from './permissions.ts';
import type { Collection, Model, View } from './types.ts';
import { pathIn, viewIn } from './versions.ts';

/** A column of a table; both unquoted. */
export interface TableColumn {
  readonly table: string;
  readonly column: string;
}

/** A column on the path to an owner. */
export interface OwnerColumn extends TableColumn {
  /** The reference of a linking collection, by which the column before finds the row, unquoted; absent: `id`. */
  readonly link?: string;
}

/** What a list is limited to: the items of one parent, or those of one owner. */
export interface ListScope {
  /** The column of the collection that the items have in common. */
  readonly column: TableColumn;
  /** The reference in the definition; absent: the creator of the item, or the path begins with its id. */
  readonly field?: string;
  /**
   * The references from the collection to the owner, if the service finds owners by paths; absent: the column has
   * the value itself.
   */
  readonly owner?: readonly OwnerColumn[];
}

/** Where a collection is listed: by itself, or below a parent. */
interface ListPath {
  /** Below the prefix of a version: `/authors/{id}/books`. */
  readonly path: string;
  /** Whether it has the items of the caller alone. */
  readonly own: boolean;
  readonly scopes: readonly ListScope[];
}

/** The lists of a collection in the newest version. */
export interface CollectionLists {
  readonly collection: Collection;
  readonly paths: readonly ListPath[];
  /** The members that filters compare. */
  readonly filters: readonly ListColumn[];
  readonly sorts: readonly ListColumn[];
  /** The column with the searched words, unquoted; undefined without a search. */
  readonly words: string | undefined;
  /** The items of a page if the request has no `limit`. */
  readonly limit: number;
}

/** One list: at most one filter for equality and one sort key, or a search. */
export interface ItemList extends ListPath {
  readonly table: string;
  readonly key: KeyType;
  readonly filter: ListColumn | undefined;
  readonly sort: ListColumn | undefined;
  /** The column with the searched words. */
  readonly words: string | undefined;
  readonly limit: number;
}

/** The lists of each collection that the newest version has. */
export function collectionLists(model: Model): CollectionLists[] {
  const version = model.service.versions.at(-1) ?? 1;
  return model.collections.flatMap((collection): CollectionLists[] => {
    const path = pathIn(model, collection, version);
    if (path === undefined) return [];
    const view = viewIn(model, collection.definition.name, version);
    const { definition } = view?.collection ?? collection;
    const columns = view === undefined ? listColumns(collection) : viewColumns(collection, view);
    const chosen = (names: readonly string[]): ListColumn[] =>
      names.flatMap((name) => columns.find(({ member }) => member === name) ?? []);
    return [
      {
        collection,
        paths: pathsOf(collection, `/${path}`, view),
        filters: chosen(definition.filter),
        sorts: chosen(definition.sort),
        words: searchedColumn(collection, view),
        limit: definition.pages.default,
      },
    ];
  });
}

/** Each list of a collection with at most one filter and one sort key, and its searches. */
export function listsOf({
  collection,
  paths,
  filters,
  sorts,
  words,
  limit,
}: CollectionLists): ItemList[] {
  const { name: table } = collection.table;
  return paths.flatMap((path): ItemList[] => {
    const { key } = collection.definition;
    const list = {
      ...path,
      table,
      key,
      filter: undefined,
      sort: undefined,
      words: undefined,
      limit,
    };
    const isFree = ({ column }: ListColumn): boolean =>
      path.scopes.every((scope) => scope.column.column !== column);
    return [
      ...[undefined, ...filters.filter(isFree)].flatMap((filter) =>
        [undefined, ...sorts].map((sort) => ({ ...list, filter, sort })),
      ),
      ...(words === undefined ? [] : [{ ...list, words }]),
    ];
  });
}

/** @param view the form of the collection in the version, if it is not the stored one. */
function pathsOf(
  { definition, table, relations }: Collection,
  path: string,
  view: View | undefined,
): ListPath[] {
  const all: ListPath[] = [{ path, own: false, scopes: [] }];
  const seen = view?.collection.relations ?? relations;
  const nested = seen.flatMap(({ field: { name }, nestedPath, target }): ListPath[] => {
    if (nestedPath === undefined) return [];
    const field = view?.members.find(({ shown }) => shown.name === name)?.stored.name ?? name;
    return [
      {
        path: `/${target.names.kebab}/{id}/${nestedPath}`,
        own: false,
        scopes: [{ column: { table: table.name, column: columnName(field) }, field }],
      },
    ];
  });
  const paths = [...all, ...nested];
  if (!allowsOwners(definition.permissions.read)) return paths;
  const owner = ownerScope({ definition, table });
  return [
    ...paths,
    ...paths.map(({ scopes, ...one }) => ({ ...one, own: true, scopes: [...scopes, owner] })),
  ];
}

function ownerScope({ definition, table }: Pick<Collection, 'definition' | 'table'>): ListScope {
  const path = definition.owner?.map(({ collection, field, link }): OwnerColumn => ({
    table: tableName(collection),
    column: columnName(field),
    ...(link !== undefined && { link: columnName(link) }),
  })) ?? [{ table: table.name, column: '_owner_id' }];
  const field = beginsWithLink(definition.owner) ? undefined : definition.owner?.[0]?.field;
  return {
    column: { table: table.name, column: path[0]?.column ?? '_owner_id' },
    ...(field !== undefined && { field }),
    owner: path,
  };
}

/** A column in SQL: `"books"."author_id"`. */
export const columnSql = ({ table, column }: TableColumn): string =>
  `${quoted(table)}.${quoted(column)}`;
