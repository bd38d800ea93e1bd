/**
 * Plans `import --again`: what has changed in a database since the last import is merged into the definitions on disk.
 * Pure: its input is the record of the last import, the files on disk, and what import writes now.
 */
import { isDeepStrictEqual } from 'node:util';

import { writtenTable } from '../definition/existing-table.ts';
import { parseFolder } from '../definition/folder.ts';
import { modeline, pathOf } from '../definition/layout.ts';
import { definitionText } from '../import/definition-text.ts';
import type { ImportedTable, ImportPlan } from '../import/plan-import.ts';
import type { Issue, SourceFile } from '../reading/position.ts';
import { yamlComments } from './edit-yaml.ts';
import { isGone } from './gone-tables.ts';
import { importedDefinitions, lockText } from './import-lock.ts';
import type { ImportedDefinition, ImportLock, ImportOptions } from './import-lock.ts';
import { inNames } from './in-own-names.ts';
import { ownDefinitions, ownDefinitionsOf, ownOf } from './match-definitions.ts';
import type { OwnCollections, OwnDefinition } from './match-definitions.ts';
import { mergeTable, noteUnnamed, unnamedReferences } from './merge-table.ts';
import type { Found, PlacedConflict, ReimportedFile, ReimportNote } from './types.ts';
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
  const own = ownDefinitions(input.files);
  const found = merged(input, own);
  const lock = lockText({ options: input.options, imported: found.imported });
  const { files, conflicts, notes } = found;
  return { files, conflicts, notes, lock, issues: await issuesOf(input, files) };
}

function merged(input: ReimportInput, own: readonly OwnDefinition[]): Found {
  const { lock, plan } = input;
  const found: Found = { files: [], conflicts: [], notes: [], imported: [] };
  const theirs = importedDefinitions(plan);
  const base = lock?.imported ?? [];
  const baseOf = (table: string): ImportedDefinition | undefined =>
    base.find((one) => one.table === table);
  const isNew = (one: ImportedDefinition): boolean =>
    lock !== undefined && baseOf(one.table) === undefined && ownOf(one, own) === undefined;
  const takenBy = ({ name }: ImportedDefinition): string | undefined => {
    const file = own.find(({ path }) => path.startsWith(pathOf('collection', name).slice(0, -4)));
    if (own.some((one) => one.name === name)) return `another collection ${name}`;
    return file && `the file ${file.path} of the collection ${file.name}`;
  };
  const isTaken = (one: ImportedDefinition): boolean => takenBy(one) !== undefined;
  const namesIn =
    (all: readonly ImportedDefinition[]) =>
    (name: string): string | undefined => {
      const target = all.find((one) => one.name === name);
      if (target === undefined) return undefined;
      return ownOf(target, own)?.name ?? (isNew(target) && !isTaken(target) ? name : undefined);
    };
  const collections = { base: namesIn(base), theirs: namesIn(theirs) };
  const tableOf = (name: string): ImportedTable | undefined =>
    plan.tables.find((one) => tableName(one) === name);
  const isLeftOut = (collection: string): boolean => {
    const was = base.find(({ name }) => name === collection);
    return (
      was !== undefined &&
      theirs.every(({ table }) => table !== was.table) &&
      !isGone(was.table, input) &&
      ownOf(was, own) !== undefined
    );
  };

  for (const one of theirs) {
    const mine = ownDefinitionsOf(one, own);
    const was = baseOf(one.table);
    if (lock === undefined || (mine.length > 0 && was === undefined)) {
      // Nobody knows what the last import wrote: the definition is what the team wants.
      found.notes.push(...(mine.length === 0 ? [unknownTable(one)] : unknownColumns(one, mine)));
      found.imported.push(one);
    } else if (mine.length > 0 && was !== undefined) {
      const table = tableOf(one.table);
      mergeTable({ mine, was, one, table, collections, isLeftOut }, found);
    } else if (was !== undefined) {
      // The team removed it.
      found.imported.push(one);
    } else if (isTaken(one)) {
      const message = `the table ${one.table} is not added: there is ${takenBy(one) ?? ''}`;
      found.notes.push({ message });
    } else {
      addOne(one, collections, found);
    }
  }

  for (const was of base.filter(({ table }) => theirs.every((one) => one.table !== table))) {
    const mine = ownDefinitionsOf(was, own);
    if (isGone(was.table, input)) {
      removeOne(mine, was, collections, found);
      continue;
    }
    found.imported.push(was);
    const reason = leftOut(tableOf(was.table));
    if (reason === undefined) continue;
    const message = `the definition stays, but import leaves out ${was.table}: ${reason}`;
    found.notes.push(...mine.map(({ path }) => ({ path, message })));
  }
  return found;
}

const tableName = ({ schema, table }: ImportedTable): string => writtenTable({ schema, table });

/** Why import leaves a table out; undefined if it was not asked for. */
const leftOut = (table: ImportedTable | undefined): string | undefined =>
  table?.differences.map(({ text }) => text.replace(/^is left out: /, '')).join('; ');

function addOne(one: ImportedDefinition, collections: OwnCollections, found: Found): void {
  const path = pathOf('collection', one.name);
  const unnamed = unnamedReferences(one.definition, collections);
  for (const [column, field] of unnamed) noteUnnamed({ path, column, field }, found);
  const imported = { ...one, definition: withoutColumns(one.definition, new Set(unnamed.keys())) };
  const definition = inNames(imported.definition, {
    collection: collections.theirs,
    field: (_column, name) => name,
    hasColumns: true,
  });
  const after = `${modeline('collection')}\n${definitionText(definition)}`;
  found.files.push({ path, before: undefined, after, changes: [], renamed: new Map() });
  found.imported.push(imported);
}

/** A definition whose table is gone: it goes too, if nobody has edited or renamed it. */
function removeOne(
  mine: readonly OwnDefinition[],
  was: ImportedDefinition,
  collections: OwnCollections,
  { files, notes, imported }: Found,
): void {
  const base = inNames(was.definition, {
    collection: (name) => collections.base(name) ?? name,
    field: (_column, name) => name,
    hasColumns: true,
  });
  const isEdited = ({ name, text, value }: OwnDefinition): boolean =>
    name !== was.name || !isDeepStrictEqual(value, base) || yamlComments(text).length > 0;
  for (const { path, text } of mine.filter((one) => !isEdited(one))) {
    files.push({ path, before: text, after: undefined, changes: [], renamed: new Map() });
  }
  const edited = mine.filter(isEdited);
  const message = `the definition stays because it was edited, but the database has no table ${was.table}`;
  notes.push(...edited.map(({ path }) => ({ path, message })));
  if (edited.length > 0) imported.push(was);
}

const unknownTable = ({ table }: ImportedDefinition): ReimportNote => ({
  message: `the table ${table} has no definition`,
});

function unknownColumns(
  { table, definition }: ImportedDefinition,
  mine: readonly OwnDefinition[],
): readonly ReimportNote[] {
  const known = new Set(
    mine.flatMap(({ value }) =>
      writtenFields(value).map(([name, field]) => writtenColumn(name, field)),
    ),
  );
  const [{ path } = { path: '' }] = mine;
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
