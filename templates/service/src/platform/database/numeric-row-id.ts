/** `numericRowId`: ids that are numbers, which a sequence may assign. */
import { unavailable } from '../http/errors.ts';
import { isNumericId } from '../http/numeric-ids.ts';
import type { NumericType } from '../http/numeric-ids.ts';
import { UNIQUE_VIOLATION } from './constraints.ts';
import type { Violation } from './constraints.ts';
import type { IdSequence, RowId } from './row-id.ts';

/** SQLSTATE (PostgreSQL's documentation, appendix A). */
const SEQUENCE_LIMIT_EXCEEDED = '2200H';

/** @param sequence what assigns the ids; undefined: the values of a new item have it. */
export const numericRowId = (type: NumericType, sequence?: IdSequence): RowId => ({
  type,
  isId: (text) => isNumericId(text, type),
  ...(sequence !== undefined && { sequence }),
  condition: '"id" = $1',
  tombstones: '_numeric_tombstones',
  tombstoneType: 'bigint',
});

/** 503 if the sequence has ended, or returned the id of an item that exists or was removed: an operator has to set it. */
export const cannotAssignId: Violation = (error, { item, id }) => {
  const isSequence =
    id?.sequence !== undefined &&
    (error.code === SEQUENCE_LIMIT_EXCEEDED ||
      (error.code === UNIQUE_VIOLATION && error.constraint === id.sequence.key));
  return isSequence ? unavailable(`No ${item} can be created at present.`, 60, error) : undefined;
};
