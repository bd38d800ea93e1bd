/** How large the entries of an index may be. */

/** Bytes of the values of an entry of a btree index: BTMaxItemSize, less the header of the entry and its null bitmap. */
const ENTRY_BYTES = 2704 - 16;
/** What parts of an entry are aligned to. */
const ALIGNMENT = 8;

/**
 * Whether an entry fits in an index.
 * @param sizes the bytes that its values take at most.
 */
export const fitsInIndex = (sizes: readonly number[]): boolean =>
  sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT, 0) <= ENTRY_BYTES;
