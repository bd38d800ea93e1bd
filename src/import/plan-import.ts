/** Plans an import: a definition for each table of a database, and how the tables that these make differ. */
import type { DatabaseSchema, DatabaseTable } from '../database/database-schema.ts';
import type { SourceFile } from '../reading/position.ts';
import { proposeAdoptedCollection } from './adopted-collection.ts';
import type { AdoptSettings } from './adopted-column-type.ts';
import { withAdoptedKey } from './adopted-key.ts';
import { checkDefinitions } from './check-definitions.ts';
import type { CollectionIssue } from './check-definitions.ts';
import { definitionText } from './definition-text.ts';
import { DIFFERENCES, tableLeftOut } from './difference.ts';
import type { Difference, DifferenceCode } from './difference.ts';
import { nameTables } from './name-tables.ts';
import type { KnownNames, LeftOutTables } from './name-tables.ts';
import { mappingOf, proposeCollection } from './propose-collection.ts';
import type { ColumnMapping, ProposedCollection, Rejections } from './propose-collection.ts';
import type { NamedTable } from './propose-field.ts';
import { referencesInCycles, requiredReferences } from './required-cycles.ts';
import { freeSchemaName } from './service-schema.ts';

export interface TableImport {
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
  /** The schema that the service creates, if the definitions use the tables; undefined: they are for new tables. */
  readonly serviceSchema: string | undefined;
  readonly tables: readonly TableImport[];
  /** How many tables have each difference, the most frequent first. */
  readonly counts: readonly { readonly code: DifferenceCode; readonly tables: number }[];
  /** The definitions as files; none if no table has one. */
  readonly files: readonly SourceFile[];
  /** How many tables and columns more would be used with `--timestamps utc`; undefined if it would add none. */
  readonly moreWithUtc?: { readonly tables: number; readonly columns: number } | undefined;
}

/** The tables of a plan that become collections, and how many of the columns of all tables become members. */
export function countTaken({ tables }: Pick<ImportPlan, 'tables'>): {
  readonly tables: number;
  readonly columns: number;
  readonly allTables: number;
  readonly allColumns: number;
} {
  const all = tables.filter(({ kind }) => !kind.endsWith('view'));
  const columns = all.flatMap((table) => table.columns);
  return {
    tables: tables.filter(({ collection }) => collection !== null).length,
    columns: columns.filter(({ member }) => member !== null).length,
    allTables: all.length,
    allColumns: columns.length,
  };
}

interface PlanOptions {
  /** The name of the service in the definitions, in kebab-case. */
  readonly service: string;
  /** Absent: the definitions are for new tables, and do not use the tables of the database. */
  readonly adopt?: AdoptSettings | undefined;
  /** The names of an earlier import; absent: this is the first. */
  readonly names?: KnownNames;
  /** Is called now and then; what it throws ends the work. */
  readonly checkpoint: () => Promise<void>;
}

interface ProposalOptions extends PlanOptions {
  readonly serviceSchema: string | undefined;
}

/** Compares each table with what a definition would make of it. All definitions together are valid. */
export async function planImport(
  schema: DatabaseSchema,
  options: PlanOptions,
): Promise<ImportPlan> {
  const plan = await planTables(schema, options);
  const { adopt } = options;
  const isLeftOut = plan.counts.some(({ code }) => code === 'timestamp-without-zone');
  if (adopt === undefined || adopt.timestamps !== undefined || !isLeftOut) return plan;
  const withUtc = await planTables(schema, { ...options, adopt: { ...adopt, timestamps: 'utc' } });
  const [now, then] = [countTaken(plan), countTaken(withUtc)];
  const more = { tables: then.tables - now.tables, columns: then.columns - now.columns };
  return { ...plan, moreWithUtc: more.columns > 0 ? more : undefined };
}

async function planTables(schema: DatabaseSchema, options: PlanOptions): Promise<ImportPlan> {
  const { adopt } = options;
  const read =
    adopt === undefined
      ? schema.tables
      : schema.tables.map((table) => withAdoptedKey(table, adopt));
  const { named, leftOutTables } = nameTables(read, adopt !== undefined, options.names);
  const serviceSchema = adopt && freeSchemaName(schema.schemas);
  const context = { ...options, serviceSchema };
  const { proposals, files, refusedTables } = await acceptedProposals(named, context);
  const tables = read.map((table): TableImport => {
    const { kind, rows, columns } = table;
    const proposal = proposals.get(table);
    const source = { schema: table.schema, table: table.name, kind, rows };
    return proposal === undefined
      ? {
          ...source,
          collection: null,
          definition: null,
          columns: columns.map((column) => mappingOf(column, null)),
          differences: leftOutTables.get(table) ?? refusedTables.get(table) ?? [],
        }
      : {
          ...source,
          collection: proposal.name,
          definition: definitionText(proposal.definition),
          columns: proposal.columns,
          differences: proposal.differences,
        };
  });
  const { database, serverVersion } = schema;
  return { database, serverVersion, serviceSchema, tables, counts: countsOf(tables), files };
}

const tableKey = ({ schema, name }: Pick<DatabaseTable, 'schema' | 'name'>): string =>
  `${schema}\0${name}`;

/**
 * Proposes collections until their definitions are accepted: what is refused is left out of the next
 * proposal. Each one leaves out more, so this ends.
 */
async function acceptedProposals(
  named: readonly NamedTable[],
  { service, adopt, serviceSchema, checkpoint }: ProposalOptions,
): Promise<Accepted> {
  let remaining = named;
  const refusedTables: LeftOutTables = new Map();
  const rejections = new Map(named.map(({ proposed }) => [proposed.name, noRejections()]));
  for (;;) {
    await checkpoint();
    const proposals = proposeAll(remaining, rejections, adopt);
    const without = obstaclesIn(proposals);
    if (without.size === 0) {
      const inCycles = referencesInCycles(requiredReferences([...proposals.values()]));
      const byName = new Map(Array.from(proposals.values(), (one) => [one.name, one]));
      for (const { from, field } of inCycles) {
        const mapping = byName.get(from)?.columns.find(({ member }) => member === field);
        if (mapping !== undefined) rejections.get(from)?.cycles.add(mapping.column);
      }
      if (inCycles.length === 0) {
        const keys =
          serviceSchema === undefined ? undefined : { name: service, schema: serviceSchema };
        const checked = await checkDefinitions([...proposals.values()], service, keys);
        if (checked.issues.length === 0) {
          return { proposals, files: checked.parsed?.files ?? [], refusedTables };
        }
        noteIssues(checked.issues, { remaining, proposals, rejections, without });
      }
    }
    for (const [table, differences] of without) refusedTables.set(table, differences);
    remaining = remaining.filter(({ table }) => !without.has(table));
  }
}

/** The tables of proposals that cannot be collections, and why. */
function obstaclesIn(proposals: ReadonlyMap<DatabaseTable, ProposedCollection>): LeftOutTables {
  const without: LeftOutTables = new Map();
  for (const [table, { definition, obstacles = [] }] of proposals) {
    const hasFields = Object.keys(definition['fields'] ?? {}).length > 0;
    if (obstacles.length > 0) without.set(table, obstacles);
    else if (!hasFields) without.set(table, [refused('no column can become a field')]);
  }
  return without;
}

interface IssueContext {
  readonly remaining: readonly NamedTable[];
  readonly proposals: ReadonlyMap<DatabaseTable, ProposedCollection>;
  readonly rejections: ReadonlyMap<string, MutableRejections>;
  /** The tables that the next proposal leaves out. */
  readonly without: LeftOutTables;
}

/** Notes what the next proposal leaves out for the issues of this one. */
function noteIssues(
  issues: readonly CollectionIssue[],
  { remaining, proposals, rejections, without }: IssueContext,
): void {
  const byName = new Map(remaining.map((one) => [one.proposed.name, one.table]));
  for (const issue of issues) {
    const table = byName.get(issue.collection);
    const proposal = table && proposals.get(table);
    const rejected = rejections.get(issue.collection);
    if (table === undefined || proposal === undefined || rejected === undefined) {
      throw new Error(`definitions of import are refused: ${issue.message}`);
    }
    if (!noteRejection(rejected, proposal, issue)) without.set(table, [refused(issue.message)]);
  }
}

/** Why a table is left out whose definition is not valid. */
const refused = (message: string): Difference => tableLeftOut('invalid-definition', message);

function proposeAll(
  named: readonly NamedTable[],
  rejections: ReadonlyMap<string, Rejections>,
  adopt: AdoptSettings | undefined,
): ReadonlyMap<DatabaseTable, ProposedCollection> {
  const byTable = new Map(named.map((one) => [tableKey(one.table), one]));
  const collectionOf = (schema: string, name: string): NamedTable | undefined =>
    byTable.get(tableKey({ schema, name }));
  const propose = (one: NamedTable): ProposedCollection => {
    const rejected = rejections.get(one.proposed.name) ?? noRejections();
    return adopt === undefined
      ? proposeCollection(one, collectionOf, rejected)
      : proposeAdoptedCollection(one, collectionOf, rejected, adopt);
  };
  return new Map(named.map((one) => [one.table, propose(one)]));
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

/** Proposals whose definitions are accepted, and these as files. */
interface Accepted {
  readonly proposals: ReadonlyMap<DatabaseTable, ProposedCollection>;
  readonly files: readonly SourceFile[];
  /** The tables without an accepted definition. */
  readonly refusedTables: LeftOutTables;
}

function countsOf(tables: readonly TableImport[]): ImportPlan['counts'] {
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
