/** Gives three versions of a definition the same names for the same columns, so that they can be merged by key. */
import type { JsonObject } from '../shared/json.ts';
import { ownMember } from '../shared/json.ts';
import type { DiskCollections } from './match-definitions.ts';
import { renameInDefinition } from './rename-in-definition.ts';
import { writtenColumn, writtenFields } from './written-fields.ts';

/** Versions of one definition in one set of names. */
export interface AlignedDefinitions {
  readonly base: JsonObject;
  readonly ours: JsonObject;
  readonly theirs: JsonObject;
  /** New names of fields on disk, by the old ones: import uses other names now, and nobody has renamed the fields. */
  readonly renamed: ReadonlyMap<string, string>;
}

interface Versions {
  readonly base: JsonObject;
  readonly ours: JsonObject;
  readonly theirs: JsonObject;
  /** The columns whose fields `theirs` has from `base`. */
  readonly keptFromBase: ReadonlySet<string>;
  /** The columns whose fields keep the names that they have in `ours`. */
  readonly renamedColumns: ReadonlySet<string>;
  /** Whether a column that has no field in `ours` may get one. */
  readonly mayAddColumn: (column: string) => boolean;
}

/** Gives three versions of a definition the names that the one on disk uses. */
export function alignNames(
  { base, ours, theirs, keptFromBase, renamedColumns, mayAddColumn }: Versions,
  collections: DiskCollections,
): AlignedDefinitions {
  const hasColumns = ownMember(theirs, 'table') !== undefined;
  const baseNames = namesByColumn(base, hasColumns);
  const ourNames = namesByColumn(ours, hasColumns);
  const theirNames = namesByColumn(theirs, hasColumns);
  const taken = new Set(writtenFields(ours).map(([name]) => name));
  const field = (column: string, name: string): string | undefined => {
    const ourName = ourNames.get(column);
    const theirName = theirNames.get(column) ?? name;
    const isFree = !taken.has(theirName);
    // A field that the team removed stays removed.
    if (ourName === undefined) {
      return mayAddColumn(column) && !baseNames.has(column) && isFree ? theirName : undefined;
    }
    const isUnnamed = baseNames.get(column) === ourName && !renamedColumns.has(column);
    return isUnnamed && isFree ? theirName : ourName;
  };
  const renamed = new Map(
    [...ourNames].flatMap(([column, name]) => {
      const newName = field(column, name);
      return newName === undefined || newName === name ? [] : [[name, newName] as const];
    }),
  );
  // The base keeps its reference even if the team removed the other collection: the field may be a plain one by now.
  const baseCollection = (name: string): string => collections.base(name) ?? name;
  return {
    base: renameInDefinition(base, { collection: baseCollection, field, hasColumns }),
    ours:
      renamed.size === 0
        ? ours
        : renameInDefinition(ours, {
            collection: (name) => name,
            field: (_column, name) => renamed.get(name) ?? name,
            hasColumns,
          }),
    theirs: renameInDefinition(theirs, {
      collection: (name, column) =>
        keptFromBase.has(column) ? baseCollection(name) : collections.theirs(name),
      field,
      hasColumns,
    }),
    renamed,
  };
}

/** The names of fields by their columns. Without `column`, a renamed field has its old name in `renamed_from`. */
const namesByColumn = (definition: JsonObject, hasColumns: boolean): ReadonlyMap<string, string> =>
  new Map(
    writtenFields(definition).map(([name, field]) => {
      const { renamed_from: renamedFrom } = field;
      const plain = typeof renamedFrom === 'string' ? renamedFrom : name;
      return [hasColumns ? writtenColumn(name, field) : plain, name] as const;
    }),
  );
