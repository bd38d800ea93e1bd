/** IP addresses and networks in emitted services: their canonical form, and what is refused. */
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';

import {
  byIp,
  canonicalIp,
  ip,
} from '../../../templates/service/src/platform/http/ip-addresses.ts';
import {
  complete,
  list,
  object,
  optional,
} from '../../../templates/service/src/platform/http/shapes.ts';
import { validator } from '../../../templates/service/src/platform/http/validation.ts';
import { bodySchema } from '../../../templates/service/src/platform/openapi/schemas.ts';
import { ipSortKey } from '../../../templates/service/test/support/ip-sort-key.ts';

const CANONICAL: readonly (readonly [text: string, canonical: string])[] = [
  ['0.0.0.0', '0.0.0.0'],
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1/32', '192.0.2.1'],
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['192.0.2.128/25', '192.0.2.128/25'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['128.0.0.0/1', '128.0.0.0/1'],
  ['::', '::'],
  ['::/0', '::/0'],
  ['::1', '::1'],
  ['::1/128', '::1'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['2001:DB8::00A', '2001:db8::a'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['::ffff:c000:201', '::ffff:192.0.2.1'],
  ['::FFFF:192.0.2.1', '::ffff:192.0.2.1'],
  ['::ffff:192.0.2.0/120', '::ffff:192.0.2.0/120'],
  ['::1.2.3.4', '::1.2.3.4'],
  ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ['0000:0000:0000:0000:0000:ffff:255.255.255.255/128', '::ffff:255.255.255.255'],
];

describe('canonical form', () => {
  test.each(CANONICAL)('%s is %s', (text, canonical) => {
    expect(canonicalIp(text)).toBe(canonical);
    expect(canonicalIp(canonical)).toBe(canonical);
  });

  test.each([
    '',
    '/',
    '/24',
    '192.0.2.1/',
    '192.0.2.1/24',
    '192.0.2.0/22',
    '192.0.2.0/33',
    '192.0.2.0/024',
    '192.0.2.0/-1',
    '192.0.2.0/+24',
    '192.0.2.0/24/24',
    '192.0.2.0/255.255.255.0',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.01',
    '3221225985',
    '0xc0.0.2.1',
    '192.0.2.1:80',
    ' 192.0.2.1',
    '192.0.2.1\n',
    '192.0.2.1 /32',
    '::1/0',
    '2001:db8::1/64',
    '2001:db8::/129',
    '2001:db8::/1280',
    '::ffff:192.0.2.1/96',
    '::ffff:192.0.2.01',
    'fe80::1%eth0',
    'fe80::1%eth0/128',
    'fe80::%',
    '[::1]',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    'g::',
    'localhost',
    '１92.0.2.1',
    `${'0'.repeat(100_000)}::1`,
  ])('%j is no address or network', (text) => {
    expect(canonicalIp(text)).toBeUndefined();
  });

  test('a network is accepted exactly if the bits beyond its prefix are zero', () => {
    const bits = (width: number): fc.Arbitrary<bigint> =>
      fc
        .tuple(fc.bigInt({ min: 0n, max: 2n ** BigInt(width) - 1n }), fc.nat(width))
        .map(([value, zeros]) => (value >> BigInt(zeros)) << BigInt(zeros));
    const v4 = (value: bigint): string =>
      [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
    const v6 = (value: bigint): string =>
      (value.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':');
    for (const [width, write] of [[32, v4] as const, [128, v6] as const]) {
      fc.assert(
        fc.property(bits(width), fc.nat(width), (value, prefix) => {
          const hostBits = BigInt(width - prefix);
          const canonical = canonicalIp(`${write(value)}/${prefix}`);
          expect(canonical !== undefined).toBe((value >> hostBits) << hostBits === value);
        }),
        { numRuns: 1_000 },
      );
    }
  });
});

describe('shape', () => {
  const validate = validator(
    object({
      address: ip(),
      gateway: optional(ip(), '::1/128'),
      allowed: optional(list(ip(), { uniqueItems: true })),
    }),
  );
  const problems = (body: object): string[] =>
    validate({ ...body }).map(({ member, text }) => `${member} ${text}`);
  const invalid =
    'must be an IP address, or a network whose host bits are zero, such as 192.0.2.0/24';

  test.each([
    [{ address: '192.0.2.1' }, []],
    [{ address: '2001:DB8::/32', gateway: null }, []],
    [{ address: '192.0.2.1/24' }, [`address ${invalid}`]],
    [{ address: null }, ['address must not be null']],
    [{ address: '::', gateway: 1 }, ['gateway must be a string or null']],
    [{ address: '::', gateway: 'fe80::1%eth0' }, [`gateway ${invalid}`]],
    [{ address: '::', allowed: ['::1', '::/0'] }, []],
    [{ address: '::', allowed: ['::1', '0::1/128'] }, ['allowed must not contain duplicates']],
  ])('%j', (body, expected) => {
    expect(problems(body)).toEqual(expected);
  });

  test('values and defaults are completed to their canonical form', () => {
    const shape = object({ address: ip(), gateway: optional(ip(), '::1/128'), no: optional(ip()) });
    expect(complete(shape, { address: '2001:DB8::0' })).toEqual({
      ...{ address: '2001:db8::', gateway: '::1', no: null },
    });
  });

  test('the document has the characters as a pattern, and the rest in words', () => {
    const { pattern, description } = bodySchema(ip() as TSchema, 'POST');
    expect(description).toContain('a network whose host bits are zero');
    const { read, schema, operators } = byIp();
    expect(schema['pattern']).toBe(pattern);
    expect(operators).toEqual([]);
    for (const [text, canonical] of CANONICAL) {
      expect(text).toMatch(new RegExp(String(pattern), 'u'));
      expect(read(text)).toBe(canonical);
    }
    expect(read('192.0.2.1/24')).toBeUndefined();
  });
});

test('sort keys are in the order of inet', () => {
  const sorted = [
    ...['0.0.0.0/0', '0.0.0.0', '10.0.0.0/8', '10.0.0.0/9', '10.0.0.0', '10.0.0.9', '10.128.0.0/9'],
    ...['::/0', '::', '::1', '::ffff:1.2.3.4', '2001:db8::/32', '2001:db8::/64', '2001:db8::'],
  ];
  const keys = sorted.map(ipSortKey);
  expect(keys.toSorted()).toEqual(keys);
});
