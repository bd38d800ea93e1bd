/**
 * Cursors: where a page of a list begins, as a text that clients hand back. A cursor is signed
 * and bound to the list that it was made for, so that it is good for that one alone.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

import { badRequest } from './errors.ts';

/** A place between two items of a list. */
export interface Place {
  /** Whether the page goes on after this place, or ends before it. */
  readonly direction: 'after' | 'before';
  /** The values of the sort keys of the item that the place is at, the id last. */
  readonly values: readonly unknown[];
}

/** Makes and reads cursors with one secret, the same in every process. */
export interface Cursors {
  /** `list` names what the cursor is bound to. */
  write(place: Place, list: string): string;
  /** @throws 400 where the cursor was altered, or made for another list. */
  read(cursor: string, list: string): Place;
}

const SIGNATURE_BYTES = 16;

export function cursorsWith(secret: string): Cursors {
  const key = createSecretKey(secret, 'utf8');
  const sign = (payload: Buffer, list: string): Buffer =>
    createHmac('sha256', key)
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
          'The parameter "cursor" is not one that this list gave out: take it from a Link header, ' +
            'and leave sort, filters and q as they are there.',
        );
      }
      const [after, ...values] = JSON.parse(payload.toString()) as [number, ...unknown[]];
      return { direction: after === 1 ? 'after' : 'before', values };
    },
  };
}
