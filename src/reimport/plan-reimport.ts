/**
 * Plans `import --again`: what has changed in a database since the last import is merged into the definitions on disk.
 * Pure: its input is the record of the last import, the files on disk, and what import writes now.
 */
import { isDeepStrictEqual } from 'node:util';

import { nameWithSchema } from '../definition/existing-table.ts';
import { parseFolder } from '../definition/folder.ts';
import { modeline, pathOf } from '../definition/layout.ts';
import { definitionText } from '../import/definition-text.ts';
import type { Difference } from '../import/difference.ts';
import type { TableImport, ImportPlan } from '../import/plan-import.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { Issue, SourceFile } from '../reading/position.ts';
import { yamlComments } from './edit-yaml.ts';
import { isTableRemoved } from './removed-tables.ts';
import {
  importedDefinitions,
  leftOutDifferences,
  leftOutIn,
  lockText,
  columnNamesIn,
} from './import-lock.ts';
import { renameInDefinition } from './rename-in-definition.ts';
import {
  diskDefinitions,
  diskDefinitionsOf,
  diskDefinitionOf,
  writtenTableOf,
} from './match-definitions.ts';
import type { DiskCollections, DiskDefinition } from './match-definitions.ts';
import { danglingReferenceNote, danglingReferences, mergeTable } from './merge-table.ts';
import type { TableMerge } from './merge-table.ts';
import type {
  ReimportDraft,
  ReimportedFile,
  ReimportNote,
  ImportedDefinition,
  ImportLock,
  ImportOptions,
  ReimportPlan,
} from './types.ts';
import { withoutColumns } from './with-columns-of.ts';
import { fieldsByColumn } from './written-fields.ts';

export interface ReimportInput {
  /** What the last import wrote; undefined without a lock. */
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

/** Merges what has changed in the database into the definitions. Where both changed, they stay as they are. */
export async function planReimport(input: ReimportInput): Promise<ReimportPlan> {
  const { options, plan } = input;
  const { files, conflicts, notes, imported } = mergeDefinitions(input);
  const lock = lockText({ options, imported, ...leftOutIn(plan) });
  return { files, conflicts, notes, lock, issues: await issuesOf(input, files) };
}

function mergeDefinitions(input: ReimportInput): ReimportDraft {
  const context = contextOf(input);
  const { disk, previous, imported } = context;
  const draft: ReimportDraft = { files: [], conflicts: [], notes: [], imported: [] };
  for (const theirs of imported) mergeImported(theirs, context, draft);
  const absent = previous.filter(({ table }) => imported.every((one) => one.table !== table));
  for (const base of absent) mergeAbsent(base, context, draft);
  draft.notes.push(...newlyLeftOut(input, disk));
  return draft;
}

interface ReimportContext {
  readonly input: ReimportInput;
  readonly disk: readonly DiskDefinition[];
  /** What the last import wrote. */
  readonly previous: readonly ImportedDefinition[];
  /** What import writes now. */
  readonly imported: readonly ImportedDefinition[];
  readonly collections: DiskCollections;
}

function contextOf(input: ReimportInput): ReimportContext {
  const { lock, plan, files } = input;
  const disk = diskDefinitions(files);
  const previous = lock?.imported ?? [];
  const imported = importedDefinitions(plan);
  const tables = { hasLock: lock !== undefined, disk, previous };
  const nameOnDisk =
    (all: readonly ImportedDefinition[]) =>
    (name: string): string | undefined => {
      const target = all.find((one) => one.name === name);
      if (target === undefined) return undefined;
      const ours = diskDefinitionOf(target, disk);
      if (ours !== undefined) return ours.name;
      return classifyTable(target, tables).kind === 'new' ? name : undefined;
    };
  const collections = { base: nameOnDisk(previous), theirs: nameOnDisk(imported) };
  return { input, disk, previous, imported, collections };
}

type TableState =
  /** It gets a definition. */
  | { readonly kind: 'new' }
  /** The name of its collection is that of another table or file. */
  | { readonly kind: 'name-taken' }
  /** The team removed its definitions. */
  | { readonly kind: 'removed' }
  /** There is no lock, or the team wrote the definitions before import did. */
  | { readonly kind: 'without-base'; readonly ours: readonly DiskDefinition[] }
  | {
      readonly kind: 'merged';
      readonly base: ImportedDefinition;
      readonly ours: TableMerge['ours'];
    };

/** How a table that import writes a definition for stands to the last import and the definitions on disk. */
function classifyTable(
  theirs: ImportedDefinition,
  {
    hasLock,
    disk,
    previous,
  }: Pick<ReimportContext, 'disk' | 'previous'> & { readonly hasLock: boolean },
): TableState {
  const ours = diskDefinitionsOf(theirs, disk);
  const [first, ...others] = ours;
  const base = previous.find(({ table }) => table === theirs.table);
  // The definition on disk is that of the table that has had the name.
  const isOfOther = base === undefined && previous.some(({ name }) => name === theirs.name);
  if (first !== undefined && isOfOther) return { kind: 'name-taken' };
  if (!hasLock || (first !== undefined && base === undefined)) {
    return { kind: 'without-base', ours };
  }
  if (base === undefined) {
    return { kind: nameOwner(theirs, disk) === undefined ? 'new' : 'name-taken' };
  }
  return first === undefined
    ? { kind: 'removed' }
    : { kind: 'merged', base, ours: [first, ...others] };
}

/** What on disk has the name of a new collection already; undefined: nothing. */
function nameOwner(
  { name }: ImportedDefinition,
  disk: readonly DiskDefinition[],
): string | undefined {
  if (disk.some((one) => one.name === name)) return `another collection ${name}`;
  const stem = pathOf('collection', name).replace(/yaml$/, '');
  const file = disk.find(({ path }) => path.startsWith(stem));
  return file && `the file ${file.path} of the collection ${file.name}`;
}

const notAddedMessage = (theirs: ImportedDefinition, disk: readonly DiskDefinition[]): string =>
  `the table ${theirs.table} is not added: there is ${nameOwner(theirs, disk) ?? `another collection ${theirs.name}`}`;

/** Merges what import writes for a table. */
function mergeImported(
  theirs: ImportedDefinition,
  context: ReimportContext,
  draft: ReimportDraft,
): void {
  const { input, disk, collections } = context;
  const state = classifyTable(theirs, { ...context, hasLock: input.lock !== undefined });
  switch (state.kind) {
    case 'new': {
      addCollection(theirs, collections, draft);
      draft.notes.push(...newCollectionNotes(theirs, input.plan));
      break;
    }
    case 'name-taken': {
      draft.notes.push({ message: notAddedMessage(theirs, disk) });
      break;
    }
    case 'removed': {
      draft.imported.push(theirs);
      break;
    }
    case 'without-base': {
      draft.notes.push(
        ...(state.ours.length === 0 ? [unknownTable(theirs)] : unknownColumns(theirs, state.ours)),
      );
      draft.imported.push(theirs);
      break;
    }
    case 'merged': {
      const table = tableNamed(theirs.table, input.plan);
      const isTableLeftOut = (collection: string): boolean => isLeftOutNow(collection, context);
      mergeTable({ ...state, theirs, table, collections, isTableLeftOut }, draft);
      draft.notes.push(...newlyLeftOutColumns(table, state.ours, input.lock));
      break;
    }
  }
}

/** Whether a collection of the last import has a definition on disk, and this import leaves its table out. */
function isLeftOutNow(
  collection: string,
  { input, disk, previous, imported }: ReimportContext,
): boolean {
  const base = previous.find(({ name }) => name === collection);
  return (
    base !== undefined &&
    imported.every(({ table }) => table !== base.table) &&
    !isTableRemoved(base.table, input) &&
    diskDefinitionOf(base, disk) !== undefined
  );
}

/** Merges that import no longer writes a definition for a table. */
function mergeAbsent(
  base: ImportedDefinition,
  { input, disk, collections }: ReimportContext,
  draft: ReimportDraft,
): void {
  const ours = diskDefinitionsOf(base, disk);
  if (isTableRemoved(base.table, input)) {
    removeCollection(ours, base, collections, draft);
    return;
  }
  draft.imported.push(base);
  const table = tableNamed(base.table, input.plan);
  if (table === undefined) return;
  const message = `the definition stays, but import leaves out ${base.table}: ${leftOutReason(table)}`;
  draft.notes.push(...ours.map(({ path }) => ({ path, message })));
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
    .map((one) => ({ message: `${tableName(one)} is not added: ${leftOutReason(one)}` }));
}

/** What a reader of a new definition does not see in it. */
function newCollectionNotes(
  { name, table }: ImportedDefinition,
  plan: ImportPlan,
): readonly ReimportNote[] {
  const path = pathOf('collection', name);
  const found = tableNamed(table, plan);
  return [
    {
      path,
      message:
        'whoever is signed in can read and change all its items, until you write permissions into it',
    },
    ...(found === undefined ? [] : leftOutDifferences(found).map((one) => leftOutNote(path, one))),
  ];
}

/** The columns that have come since the last import, and that import cannot use. */
function newlyLeftOutColumns(
  table: TableImport | undefined,
  ours: readonly DiskDefinition[],
  lock: ImportLock | undefined,
): readonly ReimportNote[] {
  const [first] = ours;
  if (table === undefined || first === undefined || lock === undefined) return [];
  const known = new Set(lock.leftOutColumns);
  const used = new Set(ours.flatMap(({ value }) => [...fieldsByColumn(value).keys()]));
  return leftOutDifferences(table)
    .filter((one) => columnNamesIn(table, one).some((name) => !known.has(name)))
    .filter(({ columns }) => columns.some((column) => !used.has(column)))
    .map((one) => leftOutNote(first.path, one));
}

const leftOutNote = (path: string, { columns, text }: Difference): ReimportNote => ({
  path,
  message: `${enumerate(columns.map(quote))} ${text}`,
});

const tableName = ({ schema, table }: TableImport): string => nameWithSchema({ schema, table });

/** A table or view of the plan; undefined if import was not asked for it. */
const tableNamed = (name: string, { tables }: ImportPlan): TableImport | undefined =>
  tables.find((one) => tableName(one) === name);

/** Why import leaves a table out. */
const leftOutReason = ({ differences }: TableImport): string =>
  differences.map(({ reason, text }) => reason ?? text).join('; ');

function addCollection(
  theirs: ImportedDefinition,
  collections: DiskCollections,
  draft: ReimportDraft,
): void {
  const path = pathOf('collection', theirs.name);
  const dangling = danglingReferences(theirs.definition, collections);
  draft.notes.push(
    ...Array.from(dangling, ([column, field]) => danglingReferenceNote(path, column, field)),
  );
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
  const known = new Set(ours.flatMap(({ value }) => [...fieldsByColumn(value).keys()]));
  const [{ path } = { path: '' }] = ours;
  return [...fieldsByColumn(definition).keys()]
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
