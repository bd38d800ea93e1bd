/** Plans an import: a definition for each table of a database, and how the tables that these make differ. */
import path from 'node:path';

import type { DatabaseSchema, DatabaseTable } from '../database/database-schema.ts';
import { parseFolder } from '../definition/folder.ts';
import { definitionText } from './definition-text.ts';
import type { SourceFile } from '../reading/position.ts';
import { DIFFERENCES, ofTable } from './difference.ts';
import type { Difference, DifferenceCode } from './difference.ts';
import { proposeCollection } from './propose-collection.ts';
import type { ColumnMapping, ProposedCollection, Rejections } from './propose-collection.ts';
import type { NamedTable } from './propose-field.ts';
import { collectionNameFor } from './propose-names.ts';
import { referencesInCycles } from './required-cycles.ts';
import type { RequiredReference } from './required-cycles.ts';

export interface ImportedTable {
  readonly schema: string;
  readonly table: string;
  readonly kind: DatabaseTable['kind'];
  /** An estimate; null before the first `analyze`. */
  readonly rows: number | null;
  /** Null if it is left out. */
  readonly collection: string | null;
  /** The text of `definitions/collections/{collection}.yaml`; null if it is left out. */
  readonly definition: string | null;
  readonly columns: readonly ColumnMapping[];
  readonly differences: readonly Difference[];
}

export interface ImportPlan {
  readonly database: string;
  readonly serverVersion: string;
  readonly tables: readonly ImportedTable[];
  /** Of how many tables each difference is true, the most frequent first. */
  readonly counts: readonly { readonly code: DifferenceCode; readonly tables: number }[];
  /** The definitions as files; none if no table has one. */
  readonly files: readonly SourceFile[];
}

interface PlanOptions {
  /** The name of the service in the definitions, in kebab-case. */
  readonly service: string;
  /** Is called now and then; what it throws ends the work. */
  readonly checkpoint: () => Promise<void>;
}

/** Compares each table with what a definition would make of it. All definitions together are valid. */
export async function planImport(
  schema: DatabaseSchema,
  options: PlanOptions,
): Promise<ImportPlan> {
  const { named, leftOut } = nameTables(schema.tables);
  const { proposals, files } = await acceptedProposals(named, leftOut, options);
  const tables = schema.tables.map((table): ImportedTable => {
    const { schema: of, name, kind, rows, columns } = table;
    const found = proposals.get(table);
    const own = { schema: of, table: name, kind, rows };
    return found === undefined
      ? {
          ...own,
          collection: null,
          definition: null,
          columns: columns.map((column) => ({ column: column.name, member: null })),
          differences: leftOut.get(table) ?? [],
        }
      : {
          ...own,
          collection: found.name,
          definition: definitionText(found.definition),
          columns: found.columns,
          differences: found.differences,
        };
  });
  const { database, serverVersion } = schema;
  return { database, serverVersion, tables, counts: countsOf(tables), files };
}

const tableKey = ({ schema, name }: Pick<DatabaseTable, 'schema' | 'name'>): string =>
  `${schema}\0${name}`;

/** Tables that are no collections, and why. */
type LeftOut = Map<DatabaseTable, readonly Difference[]>;

interface NamedTables {
  readonly named: readonly NamedTable[];
  readonly leftOut: LeftOut;
}

/** Gives each table the name of a collection; of two tables with one name the first by schema and name has it. */
function nameTables(tables: readonly DatabaseTable[]): NamedTables {
  const named: NamedTable[] = [];
  const leftOut: LeftOut = new Map();
  const taken = new Map<string, string>();
  for (const table of tables) {
    const { name, kind } = table;
    const leaveOut = (code: DifferenceCode, text: string): void => {
      leftOut.set(table, [ofTable(code, `is left out: ${text}`)]);
    };
    const proposed = collectionNameFor(name);
    const other = taken.get(proposed?.name ?? '');
    if (kind.endsWith('view')) leaveOut('view', `it is a ${kind}`);
    else if (kind === 'foreign table') leaveOut('foreign-table', 'its rows are on another server');
    else if (proposed === undefined && /[a-z]/i.test(name)) {
      leaveOut('name-taken', 'each service has a collection of that name itself');
    } else if (proposed === undefined) leaveOut('name-invalid', 'its name has no letter of a to z');
    else if (other !== undefined) {
      leaveOut('name-taken', `${other} becomes the collection ${proposed.name} already`);
    } else {
      taken.set(proposed.name, name);
      named.push({ table, proposed });
    }
  }
  return { named, leftOut };
}

/**
 * Proposes collections until their definitions are accepted: what is refused is left out of the next
 * proposal. Each one leaves out more, so this ends.
 */
async function acceptedProposals(
  named: readonly NamedTable[],
  leftOut: LeftOut,
  { service, checkpoint }: PlanOptions,
): Promise<Accepted> {
  let remaining = named;
  const rejections = new Map(named.map(({ proposed }) => [proposed.name, noRejections()]));
  for (;;) {
    await checkpoint();
    const proposals = proposeAll(remaining, rejections);
    const without = new Set<DatabaseTable>();
    const leaveOut = (table: DatabaseTable, text: string): void => {
      leftOut.set(table, [ofTable('invalid-definition', `is left out: ${text}`)]);
      without.add(table);
    };
    for (const [table, { definition }] of proposals) {
      if (Object.keys(definition['fields'] ?? {}).length > 0) continue;
      leaveOut(table, 'no column can become a field');
    }
    const inCycles = referencesInCycles(requiredReferences([...proposals.values()]));
    for (const { from, field } of inCycles) rejections.get(from)?.cycles.add(field);
    if (without.size === 0 && inCycles.length === 0) {
      const { issues, files } = await checkDefinitions([...proposals.values()], service);
      if (issues.length === 0) return { proposals, files };
      const byName = new Map(remaining.map((one) => [one.proposed.name, one.table]));
      for (const issue of issues) {
        const table = byName.get(issue.collection);
        const proposal = table && proposals.get(table);
        const own = rejections.get(issue.collection);
        if (table === undefined || proposal === undefined || own === undefined) {
          throw new Error(`definitions of import are refused: ${issue.message}`);
        }
        if (!noteRejection(own, proposal, issue)) leaveOut(table, issue.message);
      }
    }
    remaining = remaining.filter(({ table }) => !without.has(table));
  }
}

function proposeAll(
  named: readonly NamedTable[],
  rejections: ReadonlyMap<string, Rejections>,
): ReadonlyMap<DatabaseTable, ProposedCollection> {
  const byTable = new Map(named.map((one) => [tableKey(one.table), one]));
  const collectionOf = (schema: string, name: string): NamedTable | undefined =>
    byTable.get(tableKey({ schema, name }));
  return new Map(
    named.map((one) => [
      one.table,
      proposeCollection(one, collectionOf, rejections.get(one.proposed.name) ?? noRejections()),
    ]),
  );
}

function requiredReferences(proposals: readonly ProposedCollection[]): RequiredReference[] {
  return proposals.flatMap(({ name, definition }) => {
    const fields = (definition['fields'] ?? {}) as Readonly<
      Record<string, Readonly<Record<string, unknown>>>
    >;
    return Object.entries(fields).flatMap(([field, { type, required, to }]) =>
      type === 'reference' && required === true ? [{ from: name, field, to: String(to) }] : [],
    );
  });
}

/** Notes what the next proposal leaves out. @returns false if that is the whole collection. */
function noteRejection(
  rejections: MutableRejections,
  { definition, uniqueKeys }: ProposedCollection,
  { section, entry, index, message }: CollectionIssue,
): boolean {
  if (section === 'fields' && entry !== undefined) {
    const fields = definition['fields'] as Readonly<Record<string, object>>;
    const isOfDefault = 'default' in (fields[entry] ?? {}) && !rejections.defaults.has(entry);
    (isOfDefault ? rejections.defaults : rejections.fields).set(entry, message);
  } else if (section === 'checks' && entry !== undefined) rejections.checks.set(entry, message);
  else if (section === 'unique' && uniqueKeys[index] !== undefined) {
    rejections.unique.set(uniqueKeys[index], message);
  } else if (['sort', 'filter', 'indexes'].includes(section)) rejections.keys.set(section, message);
  else return false;
  return true;
}

interface MutableRejections extends Rejections {
  readonly fields: Map<string, string>;
  readonly defaults: Map<string, string>;
  readonly checks: Map<string, string>;
  readonly unique: Map<string, string>;
  readonly keys: Map<string, string>;
  readonly cycles: Set<string>;
}

const noRejections = (): MutableRejections => ({
  fields: new Map(),
  defaults: new Map(),
  checks: new Map(),
  unique: new Map(),
  keys: new Map(),
  cycles: new Set(),
});

/** An issue of the definition of a collection, and what it is about. */
interface CollectionIssue {
  readonly collection: string;
  /** The key of the collection: `fields`. */
  readonly section: string;
  /** The name of a field or a check. */
  readonly entry: string | undefined;
  /** The place in the list or map of that key, from 0. */
  readonly index: number;
  readonly message: string;
}

/** Proposals whose definitions are accepted, and these as files. */
interface Accepted {
  readonly proposals: ReadonlyMap<DatabaseTable, ProposedCollection>;
  readonly files: readonly SourceFile[];
}

/** Parses all definitions together. */
async function checkDefinitions(
  proposals: readonly ProposedCollection[],
  service: string,
): Promise<{ readonly issues: readonly CollectionIssue[]; readonly files: readonly SourceFile[] }> {
  if (proposals.length === 0) return { issues: [], files: [] };
  const texts = new Map(
    proposals.map(({ name, definition }) => [collectionFile(name), definitionText(definition)]),
  );
  const files = Array.from(texts, ([file, text]) => ({
    path: file,
    bytes: new TextEncoder().encode(text),
  }));
  const parsed = await parseFolder(files, { fallbackName: service });
  if (parsed.ok) return { issues: [], files: parsed.files };
  const issues = parsed.issues.map(({ at, message }) => ({
    collection: path.basename(at.file, '.yaml'),
    ...definitionKeyAt(texts.get(at.file) ?? '', at.line),
    message,
  }));
  return { issues, files: [] };
}

/** What a line of a definition is about, by how `definitionText` writes it. */
function definitionKeyAt(
  text: string,
  line: number,
): Pick<CollectionIssue, 'section' | 'entry' | 'index'> {
  const lines = text.split('\n').slice(0, line);
  const start = lines.findLastIndex((one) => /^\w/.test(one));
  const [, section = ''] = /^(\w+):/.exec(lines[start] ?? '') ?? [];
  const [, entry] = /^ {2}['"]?(\w+)['"]?: /.exec(lines.at(-1) ?? '') ?? [];
  return { section, entry, index: lines.length - start - 2 };
}

const collectionFile = (name: string): string => `definitions/collections/${name}.yaml`;

function countsOf(tables: readonly ImportedTable[]): ImportPlan['counts'] {
  const codes = Object.keys(DIFFERENCES) as DifferenceCode[];
  return codes
    .map((code) => ({
      code,
      tables: tables.filter(({ differences }) => differences.some((one) => one.code === code))
        .length,
    }))
    .filter(({ tables: count }) => count > 0)
    .toSorted((one, other) => other.tables - one.tables);
}
