/** `RowId`: what ids of items are, and how a row is found by one. A key is one value. */
import { isUuid, newId } from '../http/uuid.ts';

export interface RowId {
  /** The type of ids in SQL. */
  readonly type: 'bigint' | 'integer' | 'smallint' | 'text' | 'uuid';
  /** Whether a text is an id. */
  readonly isId: (text: string) => boolean;
  /** The one spelling of an id; absent: all ids have one. */
  readonly canonical?: (id: string) => string;
  /** Makes the id of a new item; absent: its values have it, or a sequence of the database assigns it. */
  readonly generate?: () => string;
  /** The sequence that assigns ids. */
  readonly sequence?: IdSequence;
  /** The condition for the row with the id `$1`. */
  readonly condition: string;
  /** What ids are ordered by: columns, and the value of each for an id in SQL; absent: the ids themselves. */
  readonly order?: {
    readonly columns: readonly string[];
    readonly valuesOf: (id: string) => readonly string[];
  };
  /** The table with the ids of removed items, and the type of ids there. */
  readonly tombstones: string;
  readonly tombstoneType: 'bigint' | 'text' | 'uuid';
  /** Whether an item may have the id of a removed one: the id consists of values of its members. */
  readonly isReused?: boolean;
}

/** A sequence of the database, of a column of ids. */
export interface IdSequence {
  /** The name of the primary key. */
  readonly key: string;
  /** The table of the column, quoted; absent: that of the collection. */
  readonly table?: string;
  /** The column; absent: `id`. */
  readonly column?: string;
}

/** UUIDs that the values of a new item have. */
export const UUID_ID: RowId = {
  type: 'uuid',
  isId: isUuid,
  canonical: (id) => id.toLowerCase(),
  condition: '"id" = $1',
  tombstones: '_tombstones',
  tombstoneType: 'uuid',
};

/** UUIDs that the service generates. */
export const GENERATED_ID: RowId = { ...UUID_ID, generate: newId };
