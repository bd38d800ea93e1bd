/** Bytes as text: base64 with padding (RFC 4648, section 4), in its canonical form (section 3.5). */
import Type from 'typebox';
import type { TUnsafe } from 'typebox';

import { documented, refine } from './shapes.ts';

/** Bits beyond the last byte are zero, so that each value has one text only. */
const BASE64_PATTERN =
  '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$';
const BASE64_END = new RegExp(BASE64_PATTERN);

/** Bytes, at most `maxBytes`. */
export function bytes({ maxBytes }: { readonly maxBytes?: number } = {}): TUnsafe<string> {
  const shape = Type.Unsafe<string>({ type: 'string' });
  const encoding = { contentEncoding: 'base64', pattern: BASE64_PATTERN };
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
