/**
 * Cursors of keyset pagination: a position in a list as an opaque string. A cursor is signed, and
 * valid only for the list (collection, parent, sort, filters, search) that it was made for.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { badRequest } from './errors.ts';

/** The position directly before or after an item of a list. */
export interface KeysetPosition {
  /** Whether the page starts after the item, or ends before it. */
  readonly direction: 'after' | 'before';
  /** The values of the item's sort keys; the last one is the id. */
  readonly values: readonly unknown[];
}

/** Writes and reads cursors with a secret that all processes share. */
export interface Cursors {
  /** @param list the identity of the list that the cursor is bound to. */
  write(position: KeysetPosition, list: string): string;
  /** @throws 400 if the cursor was altered or belongs to another list. */
  read(cursor: string, list: string): KeysetPosition;
}

const SIGNATURE_BYTES = 16;

/** @param secret is called once, when the first cursor is written or read. */
export function cursorsWith(secret: () => string): Cursors {
  let key: KeyObject | undefined;
  const sign = (payload: Buffer, list: string): Buffer =>
    createHmac('sha256', (key ??= createSecretKey(secret(), 'utf8')))
      .update(list)
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, SIGNATURE_BYTES);
  return {
    write({ direction, values }, list) {
      const payload = Buffer.from(JSON.stringify([direction === 'after' ? 1 : 0, ...values]));
      return Buffer.concat([sign(payload, list), payload]).toString('base64url');
    },
    read(cursor, list) {
      const bytes = Buffer.from(cursor, 'base64url');
      const signature = bytes.subarray(0, SIGNATURE_BYTES);
      const payload = bytes.subarray(SIGNATURE_BYTES);
      if (
        bytes.toString('base64url') !== cursor ||
        payload.length === 0 ||
        !timingSafeEqual(signature, sign(payload, list))
      ) {
        throw badRequest(
          'The parameter "cursor" is not valid for this list: take it from a Link header, and do not ' +
            'change sort, filters or q.',
        );
      }
      const [after, ...values] = JSON.parse(payload.toString()) as [number, ...unknown[]];
      return { direction: after === 1 ? 'after' : 'before', values };
    },
  };
}
