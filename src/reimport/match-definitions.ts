/** Finds which definitions on disk are those of import: by the table, and the column of each field, whatever they are called. */
import { valueOf } from './edit-yaml.ts';
import type { ImportedDefinition } from './import-lock.ts';
import { inNames } from './in-own-names.ts';
import type { JsonObject } from '../shared/json.ts';
import { ownMember } from '../shared/json.ts';
import { writtenColumn, writtenFields } from './written-fields.ts';

/** The definition of a collection on disk. */
export interface OwnDefinition {
  /** Its file, relative to the folder of the project. */
  readonly path: string;
  /** With LF. */
  readonly text: string;
  readonly name: string;
  readonly value: JsonObject;
}

/** The definitions of collections among files. */
export const ownDefinitions = (files: ReadonlyMap<string, string>): readonly OwnDefinition[] =>
  [...files]
    .filter(([path]) => /(?:^|\/)collections\/[^/]+$/.test(path))
    .map(([path, text]) => ownDefinition(path, text));

/** Reads a valid definition. @param path is called as the collection, unless the definition has a name. */
function ownDefinition(path: string, text: string): OwnDefinition {
  const value = valueOf(text);
  const fileName = path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z]+$/, '');
  return { path, text, name: String(ownMember(value, 'name') ?? fileName), value };
}

/** The table that a definition uses; undefined if the service makes its own. */
export function writtenTableOf({ value }: Pick<OwnDefinition, 'value'>): string | undefined {
  const table = ownMember(value, 'table');
  return typeof table === 'string' ? table.replace(/^public\./, '') : undefined;
}

/** The definition on disk of one that import wrote; undefined if there is none. References lead to it. */
export const ownOf = (
  imported: ImportedDefinition,
  own: readonly OwnDefinition[],
): OwnDefinition | undefined => ownDefinitionsOf(imported, own)[0];

/** The definitions on disk of one that import wrote: first the one with its name, then others over the same table. */
export function ownDefinitionsOf(
  { name, table, definition }: ImportedDefinition,
  own: readonly OwnDefinition[],
): readonly OwnDefinition[] {
  const isOfTable = writtenTableOf({ value: definition }) !== undefined;
  const candidates = own.filter((one) =>
    isOfTable
      ? writtenTableOf(one) === table
      : writtenTableOf(one) === undefined &&
        (one.name === name || one.value['renamed_from'] === name),
  );
  return candidates.toSorted(
    (one, other) => Number(other.name === name) - Number(one.name === name),
  );
}

/** Where the references of definitions lead to, in the names of the definitions on disk. */
export interface OwnCollections {
  /** For a definition of the last import. */
  readonly base: (name: string) => string | undefined;
  /** For a definition that import writes now. */
  readonly theirs: (name: string) => string | undefined;
}

/** Definitions of one collection in one set of names. */
export interface NamedDefinitions {
  readonly base: JsonObject;
  readonly ours: JsonObject;
  readonly theirs: JsonObject;
  /** New names of fields on disk, by the old ones: import calls them otherwise now, and nobody has renamed them. */
  readonly renamed: ReadonlyMap<string, string>;
}

interface Sides {
  readonly base: JsonObject;
  readonly ours: JsonObject;
  readonly theirs: JsonObject;
  /** The columns that `theirs` has from `base`. */
  readonly held: ReadonlySet<string>;
  /** Whether a column that has no field becomes one. */
  readonly adds: (column: string) => boolean;
}

/** Gives three definitions of a collection the names that the one on disk uses. */
export function inOwnNames(
  { base, ours, theirs, held, adds }: Sides,
  collections: OwnCollections,
): NamedDefinitions {
  const hasColumns = ownMember(theirs, 'table') !== undefined;
  const [was, own, next] = [base, ours, theirs].map((side) => namesByColumn(side, hasColumns)) as [
    ReadonlyMap<string, string>,
    ReadonlyMap<string, string>,
    ReadonlyMap<string, string>,
  ];
  const taken = new Set(writtenFields(ours).map(([name]) => name));
  const field = (column: string, name: string): string | undefined => {
    const proposed = next.get(column) ?? name;
    const mine = own.get(column);
    // A field that the team removed stays removed.
    if (mine === undefined) {
      return adds(column) && !was.has(column) && !taken.has(proposed) ? proposed : undefined;
    }
    return was.get(column) === mine && !taken.has(proposed) ? proposed : mine;
  };
  const renamed = new Map(
    [...own].flatMap(([column, name]) => {
      const now = field(column, name);
      return now === undefined || now === name ? [] : [[name, now] as const];
    }),
  );
  const nameOf = (_column: string, name: string): string => renamed.get(name) ?? name;
  // The base has its reference also if the team removed the other collection: the field may be a plain one by now.
  const former = (name: string): string => collections.base(name) ?? name;
  return {
    base: inNames(base, { collection: former, field, hasColumns }),
    ours:
      renamed.size === 0
        ? ours
        : inNames(ours, { collection: (name) => name, field: nameOf, hasColumns }),
    theirs: inNames(theirs, {
      collection: (name, column) => (held.has(column) ? former(name) : collections.theirs(name)),
      field,
      hasColumns,
    }),
    renamed,
  };
}

/** The names of fields by their columns. Without `column`, a field that was renamed says so itself. */
const namesByColumn = (definition: JsonObject, hasColumns: boolean): ReadonlyMap<string, string> =>
  new Map(
    writtenFields(definition).map(([name, field]) => {
      const { renamed_from: former } = field;
      const plain = typeof former === 'string' ? former : name;
      return [hasColumns ? writtenColumn(name, field) : plain, name] as const;
    }),
  );
