/** What `import` finds out about a database: a definition for each table, and how the tables would differ. */
import path from 'node:path';

import type { DatabaseSchema, DatabaseTable } from '../database/database-schema.ts';
import { parseFolder } from '../definition/folder.ts';
import { definitionText } from './definition-text.ts';
import type { SourceFile } from '../reading/position.ts';
import { DIFFERENCES } from './difference.ts';
import type { Difference, DifferenceCode } from './difference.ts';
import { proposeCollection } from './propose-collection.ts';
import type {
  NamedTable,
  ProposedCollection,
  ProposedColumn,
  Refused,
} from './propose-collection.ts';
import { collectionNameFor } from './propose-names.ts';

export interface ReportedTable {
  readonly schema: string;
  readonly table: string;
  readonly kind: DatabaseTable['kind'];
  /** An estimate; null before the first `analyze`. */
  readonly rows: number | null;
  /** Null if it is left out. */
  readonly collection: string | null;
  /** The text of `definitions/collections/{collection}.yaml`; null if it is left out. */
  readonly definition: string | null;
  readonly columns: readonly ProposedColumn[];
  readonly differences: readonly Difference[];
}

export interface ImportReport {
  readonly database: string;
  readonly serverVersion: string;
  readonly tables: readonly ReportedTable[];
  /** Of how many tables each difference is true, the most frequent first. */
  readonly counts: readonly { readonly code: DifferenceCode; readonly tables: number }[];
  /** The definitions as files; none if no table has one. */
  readonly files: readonly SourceFile[];
}

/**
 * Compares each table with what a definition would make of it. All definitions together are valid.
 * @param service the name of the service in them, in kebab-case.
 */
export async function importReport(schema: DatabaseSchema, service: string): Promise<ImportReport> {
  const { named, left } = nameTables(schema.tables);
  const { proposals, files } = await acceptedProposals(named, left, service);
  const tables = schema.tables.map((table): ReportedTable => {
    const { schema: of, name, kind, rows, columns } = table;
    const found = proposals.get(table);
    const own = { schema: of, table: name, kind, rows };
    return found === undefined
      ? {
          ...own,
          collection: null,
          definition: null,
          columns: columns.map((column) => ({ column: column.name, member: null })),
          differences: left.get(table) ?? [],
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
  readonly left: LeftOut;
}

/** Gives each table the name of a collection; of two tables with one name the first has it. */
function nameTables(tables: readonly DatabaseTable[]): NamedTables {
  const named: NamedTable[] = [];
  const left: LeftOut = new Map();
  const taken = new Map<string, string>();
  for (const table of tables) {
    const leaveOut = (code: DifferenceCode, text: string): void => {
      left.set(table, [{ code, columns: [], text: `is left out: ${text}` }]);
    };
    if (table.kind.endsWith('view')) {
      leaveOut('view', `it is a ${table.kind}`);
      continue;
    }
    if (table.kind === 'foreign table') {
      leaveOut('foreign-table', 'its rows are on another server');
      continue;
    }
    const proposed = collectionNameFor(table.name);
    if (proposed === undefined) {
      leaveOut(
        'name-taken',
        /[a-z]/i.test(table.name)
          ? 'each service has a collection of that name itself'
          : 'its name has no letter of a to z',
      );
      continue;
    }
    const other = taken.get(proposed.name);
    if (other !== undefined) {
      leaveOut('name-taken', `${other} is the collection ${proposed.name} already`);
      continue;
    }
    taken.set(proposed.name, table.name);
    named.push({ table, proposed });
  }
  return { named, left };
}

/**
 * Proposes collections until their definitions are accepted: what is refused is left out of the next
 * proposal. Each one leaves out more, so this ends.
 */
async function acceptedProposals(
  named: readonly NamedTable[],
  left: LeftOut,
  service: string,
): Promise<Accepted> {
  let remaining = named;
  const refused = new Map(named.map(({ proposed }) => [proposed.name, noneRefused()]));
  for (;;) {
    const byTable = new Map(remaining.map((one) => [tableKey(one.table), one]));
    const proposals = new Map(
      remaining.map((one) => [
        one.table,
        proposeCollection(
          one,
          (schema, name) => byTable.get(tableKey({ schema, name })),
          refused.get(one.proposed.name) ?? noneRefused(),
        ),
      ]),
    );
    const empty = remaining.filter(({ table }) => hasNoField(proposals.get(table)));
    if (empty.length > 0) {
      for (const { table } of empty) {
        const text = 'is left out: no column of it is a field';
        left.set(table, [{ code: 'definition', columns: [], text }]);
      }
      remaining = remaining.filter((one) => !empty.includes(one));
      continue;
    }
    const checked = await checkDefinitions([...proposals.values()], service);
    if (checked.issues.length === 0) return { proposals, files: checked.files };
    const without = new Set<string>();
    for (const { collection, section, entry, code, message } of checked.issues) {
      const own = refused.get(collection);
      if (own === undefined || !noteRefusal(own, section, entry, code, message)) {
        without.add(collection);
      }
      const table = remaining.find(({ proposed }) => proposed.name === collection)?.table;
      if (table === undefined || !without.has(collection)) continue;
      left.set(table, [{ code: 'definition', columns: [], text: `is left out: ${message}` }]);
    }
    remaining = remaining.filter(({ proposed }) => !without.has(proposed.name));
  }
}

const hasNoField = (proposal: ProposedCollection | undefined): boolean =>
  Object.keys(proposal?.definition['fields'] ?? {}).length === 0;

/** Notes what the next proposal leaves out. @returns false if that is the whole collection. */
function noteRefusal(
  refused: MutableRefused,
  section: string,
  entry: string | undefined,
  code: string,
  message: string,
): boolean {
  if (section === 'fields' && entry !== undefined) {
    if (code === 'required-cycle') refused.cycles.add(entry);
    else refused.fields.set(entry, message);
  } else if (section === 'checks' && entry !== undefined) refused.checks.set(entry, message);
  else if (section === 'filter' || section === 'unique') refused.keys.set(section, message);
  else return false;
  return true;
}

interface MutableRefused extends Refused {
  readonly fields: Map<string, string>;
  readonly checks: Map<string, string>;
  readonly keys: Map<string, string>;
  readonly cycles: Set<string>;
}

const noneRefused = (): MutableRefused => ({
  fields: new Map(),
  checks: new Map(),
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
  readonly code: string;
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
  const issues = parsed.issues.map(({ at, code, message }) => ({
    collection: path.basename(at.file, '.yaml'),
    ...placeOf(texts.get(at.file) ?? '', at.line),
    code,
    message,
  }));
  return { issues, files: [] };
}

/** The key and the entry that a line of a definition is about, by how `definitionText` writes them. */
function placeOf(text: string, line: number): Pick<CollectionIssue, 'section' | 'entry'> {
  const lines = text.split('\n').slice(0, line);
  const [, entry] = /^ {2}['"]?(\w+)['"]?: /.exec(lines.at(-1) ?? '') ?? [];
  const [, section = ''] = /^(\w+):/.exec(lines.findLast((one) => /^\w/.test(one)) ?? '') ?? [];
  return { section, entry };
}

const collectionFile = (name: string): string => `definitions/collections/${name}.yaml`;

function countsOf(tables: readonly ReportedTable[]): ImportReport['counts'] {
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
