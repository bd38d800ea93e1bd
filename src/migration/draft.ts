/** A migration while it is put together: statements in the order in which they must run. */
import type { Issue, Position } from '../reading/position.ts';
import type { Rename } from './order-renames.ts';

/** Something that a migration loses, or may not carry over. */
export interface Loss {
  /** Which collection or field, and what of it. */
  readonly what: string;
  /** Where the definition stands that asks for it. */
  readonly at: Position;
}

export interface Draft {
  /** What the migration does, in words, by collection. */
  readonly summary: string[];
  /** Words for the name of the file. */
  readonly names: string[];
  /** What is locked for longer than a moment, in words. */
  readonly locks: string[];
  readonly losses: Loss[];
  readonly issues: Issue[];
  /** Checks that existing rows satisfy the new constraints, run first, with the old names, as are removals. */
  readonly guards: string[];
  /** What a newer version asks of the schema, under the old names too. */
  readonly steps: string[];
  readonly removals: string[];
  readonly tableRenames: Rename[];
  readonly indexRenames: Rename[];
  /** What follows in the same names of tables and indexes, under the new ones from here on. */
  readonly renames: string[];
  readonly additions: string[];
  readonly data: string[];
  readonly constraints: string[];
  readonly references: string[];
}

export const newDraft = (): Draft => ({
  summary: [],
  names: [],
  locks: [],
  losses: [],
  issues: [],
  guards: [],
  steps: [],
  removals: [],
  tableRenames: [],
  indexRenames: [],
  renames: [],
  additions: [],
  data: [],
  constraints: [],
  references: [],
});
