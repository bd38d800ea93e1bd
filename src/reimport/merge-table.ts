/** Merges what has changed in a table into the definitions on disk that use it. */
import { isDeepStrictEqual } from 'node:util';

import type { Difference, DifferenceCode } from '../import/difference.ts';
import type { TableImport } from '../import/plan-import.ts';
import type { JsonObject } from '../shared/json.ts';
import { alignNames } from './align-names.ts';
import type { AlignedDefinitions } from './align-names.ts';
import { editYaml, lineOf, renameWrittenFields } from './edit-yaml.ts';
import type { DiskCollections, DiskDefinition } from './match-definitions.ts';
import { mergeDefinition } from './merge-definition.ts';
import type { MergedDefinition } from './merge-definition.ts';
import type { ReimportDraft, ReimportNote, ImportedDefinition } from './types.ts';
import { hasOwnUse, withColumnsOf, withoutColumns } from './with-columns-of.ts';
import {
  columnsByName,
  columnsWithoutField,
  fieldsByColumn,
  writtenColumn,
  writtenFields,
} from './written-fields.ts';

export interface TableMerge {
  /** The definitions on disk: the first one gets new columns. */
  readonly ours: readonly [DiskDefinition, ...DiskDefinition[]];
  readonly base: ImportedDefinition;
  readonly theirs: ImportedDefinition;
  readonly table: TableImport | undefined;
  readonly collections: DiskCollections;
  /** Whether a collection of the last import has a definition on disk, and this import leaves its table out. */
  readonly isTableLeftOut: (collection: string) => boolean;
}

/** Merges a table into each of its definitions. The lock gets what was merged. */
export function mergeTable(merge: TableMerge, draft: ReimportDraft): void {
  const { base, ours, collections } = merge;
  const dangling = danglingReferences(merge.theirs.definition, collections);
  const keptFromBase = new Set([...dangling.keys(), ...referencesToLeftOut(merge)]);
  const theirs = withColumnsOf(merge.theirs.definition, base.definition, keptFromBase);
  const known = knownColumns(merge);
  const newColumns = new Map(
    Array.from(columnsByName(theirs), ([name, column]) => [column, name] as const).filter(
      ([column]) => !known.has(column),
    ),
  );
  const mergeInto = (
    disk: DiskDefinition,
    mayAddColumn: (column: string) => boolean,
  ): AlignedDefinitions => {
    const { renamedColumns = new Set<string>() } = base;
    const versions = { base: base.definition, ours: disk.value, theirs, renamedColumns };
    const aligned = alignNames({ ...versions, keptFromBase, mayAddColumn }, collections);
    mergeCollection(disk, aligned, draft);
    return aligned;
  };

  const [first, ...others] = ours;
  const aligned = mergeInto(first, (column) => newColumns.has(column));
  for (const disk of others) mergeInto(disk, () => false);
  const added = fieldsByColumn(aligned.theirs);
  const notAdded = new Map([...newColumns].filter(([column]) => !added.has(column)));

  draft.notes.push(
    ...ours.flatMap((disk) => [
      ...keptReferenceNotes(disk, dangling, base),
      ...lostFieldNotes(disk, merge),
    ]),
    ...[...dangling]
      .filter(([column]) => !known.has(column))
      .map(([column, field]) => danglingReferenceNote(first.path, column, field)),
    ...Array.from(notAdded, ([column, name]) => ({
      path: first.path,
      message: `the column ${column} is not added: there is another field ${name}`,
    })),
  );
  const definition = withoutColumns(theirs, new Set(notAdded.keys()));
  draft.imported.push({ ...merge.theirs, definition });
}

/** The columns of the last import and of the definitions on disk. */
const knownColumns = ({ base, ours }: TableMerge): ReadonlySet<string> =>
  new Set([
    ...fieldsByColumn(base.definition).keys(),
    ...ours.flatMap(({ value }) => [
      ...fieldsByColumn(value).keys(),
      ...columnsWithoutField(value),
    ]),
  ]);

/** Notes fields that stay as they are, because their columns refer to no definition now. */
const keptReferenceNotes = (
  { path, value }: DiskDefinition,
  dangling: ReadonlyMap<string, JsonObject>,
  base: ImportedDefinition,
): readonly ReimportNote[] => {
  const ours = fieldsByColumn(value);
  const baseFields = fieldsByColumn(base.definition);
  return [...dangling]
    .filter(
      ([column, field]) =>
        ours.has(column) &&
        baseFields.has(column) &&
        !isDeepStrictEqual(field, baseFields.get(column)),
    )
    .map(([column, { to }]) => ({
      path,
      message: `the field of the column ${column} stays as it is: there is no definition of ${String(to)}`,
    }));
};

/** Notes fields whose columns can no longer be fields. */
const lostFieldNotes = (
  { path, value }: DiskDefinition,
  { base, table }: TableMerge,
): readonly ReimportNote[] => {
  const ours = fieldsByColumn(value);
  return [...fieldsByColumn(base.definition).keys()].flatMap((column) => {
    const reason = ours.has(column) ? columnLeftOutReason(table, column) : undefined;
    if (reason === undefined) return [];
    return [{ path, message: `${column} can no longer be a field: ${reason}` }];
  });
};

/** The columns of a definition that refer to a collection without a definition on disk, with their fields. */
export const danglingReferences = (
  definition: JsonObject,
  { theirs }: Pick<DiskCollections, 'theirs'>,
): ReadonlyMap<string, JsonObject> =>
  new Map(
    [...fieldsByColumn(definition)].filter(
      ([, { to }]) => typeof to === 'string' && theirs(to) === undefined,
    ),
  );

/** A note that a new column is not added, because it refers to no definition. */
export const danglingReferenceNote = (
  path: string,
  column: string,
  { to }: JsonObject,
): ReimportNote => ({
  path,
  message: `the column ${column} is not added: there is no definition of ${String(to)}`,
});

/** The columns that import no longer calls references only because it leaves out the tables that they refer to. */
const referencesToLeftOut = ({
  base,
  theirs,
  table,
  isTableLeftOut,
}: TableMerge): readonly string[] => {
  const baseFields = fieldsByColumn(base.definition);
  return [...fieldsByColumn(theirs.definition)].flatMap(([column, { to }]) => {
    const target = baseFields.get(column)?.['to'];
    const isReference =
      to === undefined && differencesOf(table, column, 'foreign-key-not-imported').length > 0;
    return isReference && typeof target === 'string' && isTableLeftOut(target) ? [column] : [];
  });
};

/** Why a column that is still in the table is left out; undefined if it is not. */
function columnLeftOutReason(table: TableImport | undefined, column: string): string | undefined {
  const mapping = table?.columns.find((one) => one.column === column);
  if (mapping === undefined || mapping.member !== null) return undefined;
  const differences = differencesOf(table, column);
  return differences.length === 0
    ? undefined
    : differences.map(({ reason, text }) => reason ?? text).join('; ');
}

const differencesOf = (
  table: TableImport | undefined,
  column: string,
  code?: DifferenceCode,
): readonly Difference[] =>
  (table?.differences ?? []).filter(
    (one) => one.columns.includes(column) && (code === undefined || one.code === code),
  );

function mergeCollection(
  { path, text, value }: DiskDefinition,
  aligned: AlignedDefinitions,
  draft: ReimportDraft,
): void {
  const { renamed } = aligned;
  const result = mergeAligned(aligned);
  draft.conflicts.push(
    ...result.conflicts.map((conflict) => ({ ...conflict, path, line: lineOf(text, conflict.at) })),
  );
  if (isDeepStrictEqual(result.value, value)) return;
  const after = editYaml(renameWrittenFields(text, renamed), result.value, path.endsWith('.json'));
  draft.files.push({ path, before: text, after, changes: result.changes, renamed });
}

/** Merges definitions in one set of names. A field that has a conflict of its own stays in all lists and checks. */
function mergeAligned({ base, ours, theirs }: AlignedDefinitions): MergedDefinition {
  const result = mergeDefinition(base, ours, theirs);
  const retyped = retypedInUse({ base, ours, theirs });
  const kept = new Set([
    ...retyped.map(({ column }) => column),
    ...writtenFields(ours)
      .filter(([name]) =>
        result.conflicts.some(({ at }) => at.length === 2 && at[0] === 'fields' && at[1] === name),
      )
      .map(([name, field]) => writtenColumn(name, field)),
  ]);
  if (kept.size === 0) return result;
  const { value, changes } = mergeDefinition(base, ours, withColumnsOf(theirs, base, kept));
  const types = retyped.map(({ name, column }) => ({
    at: ['fields', name, 'type'],
    base: fieldsByColumn(base).get(column)?.['type'],
    ours: fieldsByColumn(ours).get(column)?.['type'],
    theirs: fieldsByColumn(theirs).get(column)?.['type'],
  }));
  return { value, changes, conflicts: [...types, ...result.conflicts] };
}

/** The fields that get another type, and that the team has added to a list or a check: the type may not fit there. */
function retypedInUse({
  base,
  ours,
  theirs,
}: Pick<AlignedDefinitions, 'base' | 'ours' | 'theirs'>): readonly {
  readonly name: string;
  readonly column: string;
}[] {
  const baseFields = fieldsByColumn(base);
  const theirFields = fieldsByColumn(theirs);
  return writtenFields(ours).flatMap(([name, field]) => {
    const column = writtenColumn(name, field);
    const before = baseFields.get(column)?.['type'];
    const after = theirFields.get(column)?.['type'];
    const isRetyped = after !== undefined && before === field['type'] && after !== before;
    return isRetyped && hasOwnUse(ours, base, column) ? [{ name, column }] : [];
  });
}
