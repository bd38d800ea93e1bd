/** Bytes as text: base64 with padding (RFC 4648, section 4), in its canonical form (section 3.5). */
import Type from 'typebox';
import type { TUnsafe } from 'typebox';

import { documented, refine } from './shapes.ts';

/** Bits beyond the last byte are zero, so that each value has one text only. */
const BASE64_PATTERN =
  '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$';
const BASE64_END = new RegExp(BASE64_PATTERN);
/** The maximum number of bytes whose text documents have a pattern for. */
const MAX_MATCHED = 100_000;

/** Bytes, at most `maxBytes`. */
export function bytes({ maxBytes }: { readonly maxBytes?: number } = {}): TUnsafe<string> {
  const shape = Type.Unsafe<string>({ type: 'string' });
  // On texts of megabytes the pattern would exceed the stack of validators in JavaScript.
  const encoding = {
    contentEncoding: 'base64',
    ...(maxBytes !== undefined && maxBytes <= MAX_MATCHED && { pattern: BASE64_PATTERN }),
  };
  const message = 'must be base64 with padding and without line breaks, such as "aGVsbG8="';
  if (maxBytes === undefined) return refine(documented(shape, encoding), isBase64, message);
  const limit = `at most ${maxBytes} ${maxBytes === 1 ? 'byte' : 'bytes'}`;
  const keywords = {
    ...encoding,
    maxLength: 4 * Math.ceil(maxBytes / 3),
    note: `Base64 of ${limit}.`,
  };
  return refine(
    refine(documented(shape, keywords), isBase64, message),
    (value) => Buffer.byteLength(value, 'base64') <= maxBytes || !isBase64(value),
    `must have ${limit}`,
  );
}

/**
 * Whether the text is canonical base64, without decoding it. The pattern tests only the end: on a text of
 * many megabytes it would exceed the stack of the engine.
 */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const padding = text.search(/[^A-Za-z0-9+/]/);
  return padding === -1 || (padding >= text.length - 2 && BASE64_END.test(text.slice(-4)));
}

/** The bytes of a text as a parameter of a statement; null stays the null of SQL. */
export const toBuffer = (text: string | null): Buffer | null =>
  text === null ? null : Buffer.from(text, 'base64');

/** Bytes in a version of the API that has a string in their place. */
export const bytesAsText = {
  keywords: { contentEncoding: 'base64', pattern: BASE64_PATTERN },
  show: (stored: string): string => stored,
  read: (older: string): string | undefined => (isBase64(older) ? older : undefined),
};
