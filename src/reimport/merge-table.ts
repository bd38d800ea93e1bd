/** Merges what has changed in a table into the definitions on disk that use it. */
import { isDeepStrictEqual } from 'node:util';

import type { Difference, DifferenceCode } from '../import/difference.ts';
import type { TableImport } from '../import/plan-import.ts';
import type { JsonObject } from '../shared/json.ts';
import { editYaml, lineOf, renameWrittenFields } from './edit-yaml.ts';
import type { ImportedDefinition } from './import-lock.ts';
import { alignNames } from './align-names.ts';
import type { AlignedDefinitions } from './align-names.ts';
import type { DiskCollections, DiskDefinition } from './match-definitions.ts';
import { mergeDefinition } from './merge-definition.ts';
import type { MergedDefinition } from './merge-definition.ts';
import type { ReimportDraft } from './types.ts';
import { hasOwnUse, withColumnsOf, withoutColumns } from './with-columns-of.ts';
import {
  columnsWithoutField,
  fieldsByColumn,
  writtenColumn,
  writtenFields,
} from './written-fields.ts';

export interface TableMerge {
  /** The definitions on disk, at least one: the first one gets new columns. */
  readonly ours: readonly DiskDefinition[];
  readonly base: ImportedDefinition;
  readonly theirs: ImportedDefinition;
  readonly table: TableImport | undefined;
  readonly collections: DiskCollections;
  /** Whether a collection of the last import has a definition on disk, and this import leaves its table out. */
  readonly isLeftOut: (collection: string) => boolean;
}

/** Merges a table into each of its definitions. The lock gets what was merged. */
export function mergeTable(merge: TableMerge, draft: ReimportDraft): void {
  const { base, ours, theirs, table, collections } = merge;
  const former = fieldsByColumn(base.definition);
  const dangling = danglingReferences(theirs.definition, collections);
  const keptFromBase = new Set([...dangling.keys(), ...referencesToLeftOut(merge, former)]);
  const wanted = withColumnsOf(theirs.definition, base.definition, keptFromBase);
  const known = new Set(
    ours.flatMap(({ value }) => [...fieldsByColumn(value).keys(), ...columnsWithoutField(value)]),
  );
  const missing = new Map(
    writtenFields(wanted)
      .map(([name, field]) => [writtenColumn(name, field), name] as const)
      .filter(([column]) => !former.has(column) && !known.has(column)),
  );

  for (const [index, disk] of ours.entries()) {
    const mayAddColumn = (column: string): boolean => index === 0 && missing.has(column);
    const sides = {
      base: base.definition,
      ours: disk.value,
      theirs: wanted,
      keptFromBase,
      mayAddColumn,
    };
    const named = alignNames(sides, collections);
    if (index === 0)
      for (const column of fieldsByColumn(named.theirs).keys()) missing.delete(column);
    mergeCollection(disk, named, draft);
    const fields = fieldsByColumn(disk.value);
    for (const [column, field] of dangling) {
      if (!fields.has(column) || isDeepStrictEqual(field, former.get(column))) continue;
      const message = `the field of the column ${column} stays as it is: there is no definition of ${String(field['to'])}`;
      if (former.has(column)) draft.notes.push({ path: disk.path, message });
    }
    for (const column of former.keys()) {
      const reason = reasonAgainst(table, column);
      if (!fields.has(column) || reason === undefined) continue;
      draft.notes.push({
        path: disk.path,
        message: `${column} can no longer be a field: ${reason}`,
      });
    }
  }

  const path = ours[0]?.path ?? '';
  for (const [column, field] of dangling) {
    if (!former.has(column) && !known.has(column))
      noteDanglingReference({ path, column, field }, draft);
  }
  for (const [column, name] of missing) {
    const message = `the column ${column} is not added: there is another field ${name}`;
    draft.notes.push({ path, message });
  }
  const definition = withoutColumns(wanted, new Set(missing.keys()));
  draft.imported.push({ ...theirs, definition });
}

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

/** Notes that a new column is not added, because it refers to no definition. */
export function noteDanglingReference(
  {
    path,
    column,
    field,
  }: { readonly path: string; readonly column: string; readonly field: JsonObject },
  { notes }: ReimportDraft,
): void {
  const message = `the column ${column} is not added: there is no definition of ${String(field['to'])}`;
  notes.push({ path, message });
}

/** The columns that import no longer calls references only because it leaves out the tables that they refer to. */
const referencesToLeftOut = (
  { theirs, table, isLeftOut }: TableMerge,
  former: ReadonlyMap<string, JsonObject>,
): readonly string[] =>
  [...fieldsByColumn(theirs.definition)].flatMap(([column, { to }]) => {
    const target = former.get(column)?.['to'];
    const isReference =
      to === undefined && differencesOf(table, column, 'foreign-key-not-imported').length > 0;
    return isReference && typeof target === 'string' && isLeftOut(target) ? [column] : [];
  });

/** Why a column that is still in the table is left out; undefined if it is not. */
function reasonAgainst(table: TableImport | undefined, column: string): string | undefined {
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
  named: AlignedDefinitions,
  draft: ReimportDraft,
): void {
  const { renamed } = named;
  const result = mergeNamed(named);
  draft.conflicts.push(
    ...result.conflicts.map((conflict) => ({ ...conflict, path, line: lineOf(text, conflict.at) })),
  );
  if (isDeepStrictEqual(result.value, value)) return;
  const after = editYaml(renameWrittenFields(text, renamed), result.value, path.endsWith('.json'));
  draft.files.push({ path, before: text, after, changes: result.changes, renamed });
}

/** Merges definitions in one set of names. A field that has a conflict of its own stays in all lists and checks. */
function mergeNamed({ base, ours, theirs }: AlignedDefinitions): MergedDefinition {
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
  const [former, next] = [fieldsByColumn(base), fieldsByColumn(theirs)];
  return writtenFields(ours).flatMap(([name, field]) => {
    const column = writtenColumn(name, field);
    const [before, after] = [former.get(column)?.['type'], next.get(column)?.['type']];
    const isRetyped = after !== undefined && before === field['type'] && after !== before;
    return isRetyped && hasOwnUse(ours, base, column) ? [{ name, column }] : [];
  });
}
