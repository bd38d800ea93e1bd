/** Bytes as base64 in emitted services: which texts are accepted, and in what time. */
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';

import { bytes, isBase64, toBuffer } from '../../../templates/service/src/platform/http/bytes.ts';
import {
  complete,
  list,
  object,
  optional,
} from '../../../templates/service/src/platform/http/shapes.ts';
import { validator } from '../../../templates/service/src/platform/http/validation.ts';
import { bodySchema } from '../../../templates/service/src/platform/openapi/schemas.ts';

const VALID = ['', 'AA==', 'AAA=', 'AAAA', '+/+/', '/w==', '//8=', 'aGVsbG8='];
const INVALID = [
  ...['=', '==', '====', 'A', 'AA', 'AAA', 'A===', 'AA=', 'AAA==', 'AAAA=', 'AAAA====', 'AA==AAAA'],
  // Bits beyond the last byte.
  ...['AB==', 'AAB=', '/x==', '//9='],
  ...[
    '-_-_',
    'AA%3D',
    'AAAA\n',
    '\nAAA',
    'AAAA AAAA',
    'AA=A',
    'A=AA',
    'AAA\0',
    'ÄAAA',
    'AAA\u0100',
  ],
];

describe('canonical base64', () => {
  test.each(VALID)('%j is accepted', (text) => {
    expect(isBase64(text)).toBe(true);
    expect(Buffer.from(text, 'base64').toString('base64')).toBe(text);
  });

  test.each(INVALID)('%j is refused', (text) => {
    expect(isBase64(text)).toBe(false);
  });

  test('a text is accepted exactly if its bytes have this text', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'AQgwEI048/+=-\n'), maxLength: 12 }),
      fc.uint8Array().map((array) => Buffer.from(array).toString('base64')),
    );
    fc.assert(
      fc.property(text, (value) => {
        expect(isBase64(value)).toBe(Buffer.from(value, 'base64').toString('base64') === value);
      }),
      { numRuns: 2_000 },
    );
  });

  // The time of the processor: that by the clock depends on what else the machine does.
  test('megabytes are tested in linear time', () => {
    const long = 'A'.repeat(40_000_000);
    const before = process.cpuUsage();
    expect(isBase64(long)).toBe(true);
    expect(isBase64(`${long}AB==`)).toBe(false);
    expect(isBase64(`${long}A===`)).toBe(false);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  });
});

describe('shape', () => {
  const validate = validator(
    object({
      key: bytes({ maxBytes: 4 }),
      blob: optional(bytes(), ''),
      parts: optional(list(bytes({ maxBytes: 1 }), { uniqueItems: true })),
    }),
  );
  const problems = (body: object): string[] =>
    validate({ ...body }).map(({ member, text }) => `${member} ${text}`);
  const invalid = 'must be base64 with padding and without line breaks, such as "aGVsbG8="';

  test.each([
    [{ key: '' }, []],
    [{ key: 'AAAAAA==', blob: null }, []],
    [{ key: 'AAAAAAA=' }, ['key must have at most 4 bytes']],
    [{ key: 'AAAAAAAA' }, ['key must have at most 4 bytes']],
    [{ key: 'hello, world' }, [`key ${invalid}`]],
    [{ key: null }, ['key must not be null']],
    [{ key: '', blob: 1 }, ['blob must be a string or null']],
    [{ key: '', blob: 'AB==' }, [`blob ${invalid}`]],
    [{ key: '', parts: ['AA==', 'AQ=='] }, []],
    [{ key: '', parts: ['AA==', 'AA=='] }, ['parts must not contain duplicates']],
    [{ key: '', parts: ['AAA='] }, ['parts[0] must have at most 1 byte']],
  ])('%j', (body, expected) => {
    expect(problems(body)).toEqual(expected);
  });

  test('values stay as they are, and defaults are added', () => {
    const shape = object({ key: bytes(), blob: optional(bytes(), 'AA=='), no: optional(bytes()) });
    expect(complete(shape, { key: '/w==' })).toEqual({
      ...{ key: '/w==', blob: 'AA==', no: null },
    });
  });

  test('the document has the encoding, a pattern and the maximum length', () => {
    const { pattern, ...schema } = bodySchema(bytes({ maxBytes: 4 }) as TSchema, 'POST');
    expect(schema).toMatchObject({
      type: 'string',
      contentEncoding: 'base64',
      maxLength: 8,
      description: 'Base64 of at most 4 bytes.',
    });
    for (const flags of ['', 'u']) {
      const expression = new RegExp(String(pattern), flags);
      expect([...VALID, ...INVALID].filter((text) => expression.test(text))).toEqual(VALID);
    }
    expect(bodySchema(bytes() as TSchema, 'POST')).not.toHaveProperty('maxLength');
  });
});

test('the parameter of a statement has the bytes, or null', () => {
  expect(toBuffer('aGVsbG8=')).toEqual(Buffer.from('hello'));
  expect(toBuffer('')).toEqual(Buffer.alloc(0));
  expect(toBuffer(null)).toBeNull();
});
