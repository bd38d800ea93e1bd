/**
 * Plans `import --again`: what has changed in a database since the last import is merged into the definitions on disk.
 * Pure: its input is the record of the last import, the files on disk, and what import writes now.
 */
import { isDeepStrictEqual } from 'node:util';

import { nameWithSchema } from '../definition/existing-table.ts';
import { parseFolder } from '../definition/folder.ts';
import { modeline, pathOf } from '../definition/layout.ts';
import { definitionText } from '../import/definition-text.ts';
import type { TableImport, ImportPlan } from '../import/plan-import.ts';
import type { Issue, SourceFile } from '../reading/position.ts';
import { yamlComments } from './edit-yaml.ts';
import { isGone } from './gone-tables.ts';
import { importedDefinitions, leftOutTables, lockText } from './import-lock.ts';
import type { ImportedDefinition, ImportLock, ImportOptions } from './import-lock.ts';
import { renameInDefinition } from './rename-in-definition.ts';
import {
  diskDefinitions,
  diskDefinitionsOf,
  diskDefinitionOf,
  writtenTableOf,
} from './match-definitions.ts';
import type { DiskCollections, DiskDefinition } from './match-definitions.ts';
import { mergeTable, noteDanglingReference, danglingReferences } from './merge-table.ts';
import type { ReimportDraft, PlacedConflict, ReimportedFile, ReimportNote } from './types.ts';
import { withoutColumns } from './with-columns-of.ts';
import { writtenColumn, writtenFields } from './written-fields.ts';

export interface ReimportInput {
  /** What the last import wrote; undefined if nobody knows. */
  readonly lock: ImportLock | undefined;
  /** The options of this run. */
  readonly options: ImportOptions;
  /** The definitions on disk as texts with LF, by their paths in the project. They are valid. */
  readonly files: ReadonlyMap<string, string>;
  /** What import writes now. */
  readonly plan: ImportPlan;
  /** The names of all tables and views in the schemas that were read, with the schema if it is not `public`. */
  readonly tables: ReadonlySet<string>;
  /** What the service is called if its definition does not say it. */
  readonly fallbackName: string;
}

export interface ReimportPlan {
  readonly files: readonly ReimportedFile[];
  readonly conflicts: readonly PlacedConflict[];
  readonly notes: readonly ReimportNote[];
  /** The text of the new lock. */
  readonly lock: string;
  /** What is wrong with the merged definitions, by places in the merged texts; with any, nothing may be written. */
  readonly issues: readonly Issue[];
}

/** Merges what has changed in the database into the definitions. Where both changed, they stay as they are. */
export async function planReimport(input: ReimportInput): Promise<ReimportPlan> {
  const disk = diskDefinitions(input.files);
  const draft = merged(input, disk);
  const { options, plan } = input;
  const leftOut = leftOutTables(plan);
  const lock = lockText({ options, imported: draft.imported, leftOut });
  const { files, conflicts, notes } = draft;
  return { files, conflicts, notes, lock, issues: await issuesOf(input, files) };
}

function merged(input: ReimportInput, disk: readonly DiskDefinition[]): ReimportDraft {
  const { lock, plan } = input;
  const draft: ReimportDraft = { files: [], conflicts: [], notes: [], imported: [] };
  const imported = importedDefinitions(plan);
  const former = lock?.imported ?? [];
  const baseOf = (table: string): ImportedDefinition | undefined =>
    former.find((one) => one.table === table);
  const isNew = (one: ImportedDefinition): boolean =>
    lock !== undefined &&
    baseOf(one.table) === undefined &&
    diskDefinitionOf(one, disk) === undefined;
  const takenBy = ({ name }: ImportedDefinition): string | undefined => {
    const file = disk.find(({ path }) => path.startsWith(pathOf('collection', name).slice(0, -4)));
    if (disk.some((one) => one.name === name)) return `another collection ${name}`;
    return file && `the file ${file.path} of the collection ${file.name}`;
  };
  const notAdded = (one: ImportedDefinition): string =>
    `the table ${one.table} is not added: there is ${takenBy(one) ?? `another collection ${one.name}`}`;
  const isTaken = (one: ImportedDefinition): boolean => takenBy(one) !== undefined;
  const namesIn =
    (all: readonly ImportedDefinition[]) =>
    (name: string): string | undefined => {
      const target = all.find((one) => one.name === name);
      if (target === undefined) return undefined;
      return (
        diskDefinitionOf(target, disk)?.name ??
        (isNew(target) && !isTaken(target) ? name : undefined)
      );
    };
  const collections = { base: namesIn(former), theirs: namesIn(imported) };
  const tableOf = (name: string): TableImport | undefined =>
    plan.tables.find((one) => tableName(one) === name);
  const isLeftOut = (collection: string): boolean => {
    const base = former.find(({ name }) => name === collection);
    return (
      base !== undefined &&
      imported.every(({ table }) => table !== base.table) &&
      !isGone(base.table, input) &&
      diskDefinitionOf(base, disk) !== undefined
    );
  };

  for (const theirs of imported) {
    const ours = diskDefinitionsOf(theirs, disk);
    const base = baseOf(theirs.table);
    const isOfOther = base === undefined && former.some(({ name }) => name === theirs.name);
    if (isOfOther && ours.length > 0) {
      // The definition on disk is that of the table that has had the name.
      draft.notes.push({ message: notAdded(theirs) });
    } else if (lock === undefined || (ours.length > 0 && base === undefined)) {
      // What the last import wrote is not known, or the team wrote the definition first.
      draft.notes.push(
        ...(ours.length === 0 ? [unknownTable(theirs)] : unknownColumns(theirs, ours)),
      );
      draft.imported.push(theirs);
    } else if (ours.length > 0 && base !== undefined) {
      const table = tableOf(theirs.table);
      mergeTable({ base, ours, theirs, table, collections, isLeftOut }, draft);
    } else if (base !== undefined) {
      // The team removed it.
      draft.imported.push(theirs);
    } else if (isTaken(theirs)) {
      draft.notes.push({ message: notAdded(theirs) });
    } else {
      addCollection(theirs, collections, draft);
    }
  }

  for (const base of former.filter(({ table }) => imported.every((one) => one.table !== table))) {
    const ours = diskDefinitionsOf(base, disk);
    if (isGone(base.table, input)) {
      removeCollection(ours, base, collections, draft);
      continue;
    }
    draft.imported.push(base);
    const reason = leftOut(tableOf(base.table));
    if (reason === undefined) continue;
    const message = `the definition stays, but import leaves out ${base.table}: ${reason}`;
    draft.notes.push(...ours.map(({ path }) => ({ path, message })));
  }
  draft.notes.push(...newlyLeftOut(input, disk));
  return draft;
}

/** The tables and views that have come since the last import, and that import cannot use. */
function newlyLeftOut(
  { lock, plan }: ReimportInput,
  disk: readonly DiskDefinition[],
): readonly ReimportNote[] {
  if (lock === undefined) return [];
  const known = new Set([
    ...lock.leftOut,
    ...lock.imported.map(({ table }) => table),
    ...disk.map(writtenTableOf),
  ]);
  return plan.tables
    .filter((one) => one.definition === null && !known.has(tableName(one)))
    .map((one) => ({ message: `${tableName(one)} is not added: ${leftOut(one) ?? ''}` }));
}

const tableName = ({ schema, table }: TableImport): string => nameWithSchema({ schema, table });

/** Why import leaves a table out; undefined if it was not asked for. */
const leftOut = (table: TableImport | undefined): string | undefined =>
  table?.differences.map(({ reason, text }) => reason ?? text).join('; ');

function addCollection(
  theirs: ImportedDefinition,
  collections: DiskCollections,
  draft: ReimportDraft,
): void {
  const path = pathOf('collection', theirs.name);
  const dangling = danglingReferences(theirs.definition, collections);
  for (const [column, field] of dangling) noteDanglingReference({ path, column, field }, draft);
  const imported = {
    ...theirs,
    definition: withoutColumns(theirs.definition, new Set(dangling.keys())),
  };
  const definition = renameInDefinition(imported.definition, {
    collection: collections.theirs,
    field: (_column, name) => name,
    hasColumns: true,
  });
  const after = `${modeline('collection')}\n${definitionText(definition)}`;
  draft.files.push({ path, before: undefined, after, changes: [], renamed: new Map() });
  draft.imported.push(imported);
}

/** A definition whose table is gone: it goes too, if nobody has edited or renamed it. */
function removeCollection(
  ours: readonly DiskDefinition[],
  base: ImportedDefinition,
  collections: DiskCollections,
  { files, notes, imported }: ReimportDraft,
): void {
  const unedited = renameInDefinition(base.definition, {
    collection: (name) => collections.base(name) ?? name,
    field: (_column, name) => name,
    hasColumns: true,
  });
  const isEdited = ({ name, text, value }: DiskDefinition): boolean =>
    name !== base.name || !isDeepStrictEqual(value, unedited) || yamlComments(text).length > 0;
  for (const { path, text } of ours.filter((one) => !isEdited(one))) {
    files.push({ path, before: text, after: undefined, changes: [], renamed: new Map() });
  }
  const edited = ours.filter(isEdited);
  const message = `the definition stays because it was edited, but the database has no table ${base.table}`;
  notes.push(...edited.map(({ path }) => ({ path, message })));
  if (edited.length > 0) imported.push(base);
}

const unknownTable = ({ table }: ImportedDefinition): ReimportNote => ({
  message: `the table ${table} has no definition`,
});

function unknownColumns(
  { table, definition }: ImportedDefinition,
  ours: readonly DiskDefinition[],
): readonly ReimportNote[] {
  const known = new Set(
    ours.flatMap(({ value }) =>
      writtenFields(value).map(([name, field]) => writtenColumn(name, field)),
    ),
  );
  const [{ path } = { path: '' }] = ours;
  return writtenFields(definition)
    .map(([name, field]) => writtenColumn(name, field))
    .filter((column) => !known.has(column))
    .map((column) => ({ path, message: `the column ${column} of ${table} has no field` }));
}

/** What is wrong with the merged definitions. */
async function issuesOf(
  { files, fallbackName }: ReimportInput,
  changed: readonly ReimportedFile[],
): Promise<readonly Issue[]> {
  if (changed.length === 0) return [];
  const texts = new Map(files);
  for (const { path, after } of changed) {
    if (after === undefined) texts.delete(path);
    else texts.set(path, after);
  }
  const sources = Array.from(texts, ([path, text]): SourceFile => ({
    path,
    bytes: new TextEncoder().encode(text),
  }));
  const parsed = await parseFolder(sources, { fallbackName });
  return parsed.ok ? [] : parsed.issues;
}
