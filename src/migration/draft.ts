/** A migration while it is put together: statements in the order in which they must run. */
import type { Issue, Position } from '../reading/position.ts';
import type { Rename } from './order-renames.ts';

/** Something that a migration loses, or may not carry over. */
export interface DataLoss {
  /** Which collection or field, and what of it. */
  readonly what: string;
  /** Where the definition stands that asks for it. */
  readonly at: Position;
}

/** Statements that run for one range of rows after the other. */
export interface Batch {
  /** Unquoted. */
  readonly table: string;
  readonly statements: readonly string[];
}

export interface Draft {
  /** What the migration does, in words, by collection. */
  readonly summary: string[];
  /** Words for the name of the file. */
  readonly names: string[];
  /** What is locked for longer than a moment, in words, by the name of the table. */
  readonly locks: Map<string, string>;
  /** Tables of the service whose rows are all read to change some of them. Unquoted. */
  readonly rewritten: Set<string>;
  /** Tables whose rows the guards read. Unquoted. */
  readonly guarded: Set<string>;
  /** Why processes of an older version fail after the migration, in words. */
  readonly breaks: string[];
  readonly losses: DataLoss[];
  readonly issues: Issue[];
  /** Whether views.sql changes: then there is a migration, even without statements. It keeps older processes from restoring their views. */
  changesViews: boolean;

  // One transaction. Where only `expansions` has any, they run with `finishStatements`.
  /** Checks that existing rows satisfy the new constraints, run first, with the old names, as are removals. */
  readonly guards: string[];
  /** Run after the guards, under the old names: upgrades of older schemas, and updates that later statements rely on. */
  readonly preparations: string[];
  readonly removals: string[];
  readonly tableRenames: Rename[];
  readonly indexRenames: Rename[];
  /** What follows in the same names of tables and indexes, under the new ones from here on. */
  readonly renames: string[];
  readonly additions: string[];
  /** Changes of the catalog alone, that can be repeated. */
  readonly expansions: string[];
  readonly data: string[];
  readonly constraints: string[];
  readonly references: string[];

  /** Each is a file of its own. */
  readonly batches: Batch[];

  // Without a transaction.
  readonly finishStatements: string[];
  /** What may go once the new indexes are built. */
  readonly afterIndexes: string[];
  /** The tables whose rows these read. Unquoted. */
  readonly finishTables: Set<string>;

  // One transaction.
  /** What puts columns of another type in the place of the old ones. */
  readonly switchStatements: string[];
  /** The fields of these columns, in words. */
  readonly switched: string[];

  /** Without a transaction, once no process of an older version runs. */
  readonly contract: string[];
  /** The tables whose rows these read or write whole. Unquoted. */
  readonly contractTables: Set<string>;
}

export const newDraft = (): Draft => ({
  summary: [],
  names: [],
  locks: new Map(),
  rewritten: new Set(),
  guarded: new Set(),
  breaks: [],
  losses: [],
  issues: [],
  changesViews: false,
  guards: [],
  preparations: [],
  removals: [],
  tableRenames: [],
  indexRenames: [],
  renames: [],
  additions: [],
  expansions: [],
  data: [],
  constraints: [],
  references: [],
  batches: [],
  finishStatements: [],
  afterIndexes: [],
  finishTables: new Set(),
  switchStatements: [],
  switched: [],
  contract: [],
  contractTables: new Set(),
});
