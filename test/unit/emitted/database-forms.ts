/**
 * Tests that the canonical forms of emitted services are the texts that PostgreSQL answers, that it
 * compares values as the services do, and that bytes survive a round trip: on any database.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import type { OpenDatabase } from '../../../templates/service/src/platform/database/database.ts';
import { toBuffer } from '../../../templates/service/src/platform/http/bytes.ts';
import {
  canonicalDuration,
  compareDurations,
} from '../../../templates/service/src/platform/http/durations.ts';
import { canonicalIp } from '../../../templates/service/src/platform/http/ip-addresses.ts';
import { canonicalTime } from '../../../templates/service/src/platform/http/times.ts';
import { specOf } from '../../../src/types/registry.ts';
import type { FieldType } from '../../../src/types/registry.ts';
import { ipSortKey } from '../../../templates/service/test/support/ip-sort-key.ts';

/** How many values of a type are compared, and the seed that they are made with. */
const SAMPLE = { numRuns: 4_000, seed: fc.readConfigureGlobal().seed ?? 1 };

const compareTexts = (one: string, other: string): number =>
  one < other ? -1 : Number(one !== other);

const TYPES = [
  {
    name: 'time',
    canonical: canonicalTime,
    compare: compareTexts,
    select: '"value"',
    fixed: ['00:00:00', '23:59:59.999999', '09:30:00.50', '12:00:00.000001'],
    values: times(),
  },
  {
    name: 'interval',
    canonical: canonicalDuration,
    compare: compareDurations,
    select: '"value"::text',
    fixed: [
      ...['PT0S', 'P0D', 'P1W', 'P1D', 'PT24H', 'PT1440M', 'PT86400.0S', 'PT0.000001S'],
      ...['P100000D', 'PT2400000H', 'PT2399999H59M59.999999S', 'PT144000000M', 'PT8640000000S'],
    ],
    values: durations(),
  },
  {
    name: 'inet',
    canonical: canonicalIp,
    compare: (one: string, other: string) => compareTexts(ipSortKey(one), ipSortKey(other)),
    select: '"value"',
    fixed: [
      ...['::', '::1', '::2', '::1.2.3.4', '::0.0.0.1', '::0.1.0.0', '::ffff:1.2.3.4', '::/0'],
      ...['::ffff:0:0', '::ffff:0:0/96', '::fffe:1.2.3.4', '1::', '::/128', '::1/128', '::1:0:0'],
      ...['0.0.0.0', '0.0.0.0/0', '0.0.0.0/32', '255.255.255.255', '10.0.0.0/8', '10.0.0.0/9'],
      ...['1:0:2:3:4:5:6:7', '0:0:1:0:0:1:0:0', '1:0:0:2:0:0:0:3', '64:ff9b::192.0.2.33'],
    ],
    values: addresses(),
  },
] as const;

/** Registers the tests. @param open gives the database once tests run. */
export function testDatabaseForms(open: () => OpenDatabase): void {
  describe.each(TYPES)('$name', ({ name, canonical, compare, select, fixed, values }) => {
    const texts = [...fixed, ...fc.sample(values, SAMPLE)];
    const expected = texts.map((text) => canonical(text) ?? `refused: ${text}`);
    const table = `"forms_${name}"`;

    beforeAll(async () => {
      await open().query({ text: `create table ${table} ("at" int, "value" ${name})` });
      await open().query(
        {
          text: `insert into ${table} select "at", "value"::${name}
            from unnest($1::text[]) with ordinality as "sent" ("value", "at")`,
        },
        [expected],
      );
    });

    test('canonical forms are what the database answers', async () => {
      const rows = await open().query<{ value: string }>({
        text: `select ${select} as "value" from ${table} order by "at"`,
      });
      expect(rows.map(({ value }) => value)).toEqual(expected);
    });

    test('the database reads every accepted text as its canonical form', async () => {
      const rows = await open().query<{ equal: boolean }>(
        {
          text: `select "one" = "other" as "equal"
            from unnest($1::${name}[], $2::${name}[]) as "pairs" ("one", "other")`,
        },
        [texts, expected],
      );
      expect(rows).toHaveLength(texts.length);
      expect(rows.every(({ equal }) => equal)).toBe(true);
    });

    test('the database sorts values as the service compares them', async () => {
      const rows = await open().query<{ value: string }>({
        text: `select ${select} as "value" from ${table} order by ${table}."value", "at"`,
      });
      expect(rows.map(({ value }) => value)).toEqual(expected.toSorted(compare));
    });

    test('a unique index takes one value of each canonical form', async () => {
      const unique = `${table.slice(0, -1)}_unique"`;
      await open().query({ text: `create table ${unique} ("value" ${name} unique)` });
      const inserted = await open().query(
        {
          text: `insert into ${unique} select unnest($1::${name}[])
            on conflict do nothing returning "value"`,
        },
        [texts],
      );
      expect(inserted).toHaveLength(new Set(expected).size);
    });
  });

  test.each([
    {
      type: { type: 'duration' } as FieldType,
      column: 'interval',
      refused: ['1 day', '1 day -24 hours', '1 month', '1 year'],
    },
    { type: { type: 'ip' } as FieldType, column: 'inet', refused: ['10.1.2.3/8', '::1/64'] },
    { type: { type: 'time' } as FieldType, column: 'time', refused: ['24:00:00'] },
  ])(
    'the check of $type.type refuses what the service never stores, also to SQL',
    async ({ type, column, refused }) => {
      const table = `"checked_${column}"`;
      const condition = specOf(type).check(type, '"value"');
      await open().query({
        text: `create table ${table} ("value" ${column} check (${condition}))`,
      });
      for (const value of refused) {
        const text = `insert into ${table} values ('${value}')`;
        await expect(open().query({ text }), value).rejects.toMatchObject({ code: '23514' });
      }
    },
  );

  describe('bytea', () => {
    const SELECT = `replace(encode("value", 'base64'), chr(10), '')`;
    const lengths = [0, 1, 2, 3, 56, 57, 58, 1_000, 100_000];

    beforeAll(async () => {
      await open().query({ text: 'create table "forms_bytea" ("at" int, "value" bytea)' });
    });

    test.each([...lengths, null])('%j bytes come back as they were sent', async (length) => {
      const sent =
        length === null
          ? null
          : Buffer.from(Array.from({ length }, (_, at) => (at * 7_919) >> 3)).toString('base64');
      const [row] = await open().query(
        {
          text: `insert into "forms_bytea" values ($1, $2)
            returning ${SELECT} as "value", octet_length("value") as "bytes",
              translate(encode("value", 'base64'), E'\\n', '') as "translated"`,
        },
        [length, toBuffer(sent)],
      );
      expect(row).toEqual({ value: sent, bytes: length, translated: sent });
    });
  });
}

function times(): fc.Arbitrary<string> {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const fraction = fc.constantFrom('', '.0', '.5', '.50', '.123456', '.000100', '.9999990', '.01');
  return fc
    .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fraction)
    .map(([hour, minute, second, rest]) => `${pad(hour)}:${pad(minute)}:${pad(second)}${rest}`);
}

function durations(): fc.Arbitrary<string> {
  const count = (max: number): fc.Arbitrary<number | null> =>
    fc.option(fc.oneof(fc.nat(max), fc.nat(70)));
  const fraction = fc.constantFrom('', '.0', '.5', '.000001', '.123456', '.999999', '.100000000');
  const mixed = fc
    .tuple(count(20_000), count(400_000), count(20_000_000), count(1_000_000_000), fraction)
    .map(([days, hours, minutes, seconds, rest]) => {
      const part = (value: number | string | null, unit: string): string =>
        value === null ? '' : `${value}${unit}`;
      const clock =
        part(hours, 'H') +
        part(minutes, 'M') +
        part(seconds === null ? null : `${seconds}${rest}`, 'S');
      return `P${part(days, 'D')}${clock === '' ? '' : 'T'}${clock}`;
    })
    .filter((text) => text !== 'P');
  return fc.oneof(
    { weight: 9, arbitrary: mixed },
    fc.nat(14_285).map((weeks) => `P${weeks}W`),
  );
}

function addresses(): fc.Arbitrary<string> {
  const octet = fc.oneof(fc.constantFrom(0, 0, 1, 127, 255), fc.nat(255));
  const v4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
  const group = fc.oneof(
    { weight: 3, arbitrary: fc.constant('0') },
    fc.constantFrom('0000', '1', '00f0', 'ffff', 'FFFF', 'A0b'),
    fc.nat(65_535).map((value) => value.toString(16)),
  );
  const groups = fc.array(group, { minLength: 8, maxLength: 8 });
  const compressed = fc
    .tuple(fc.array(group, { maxLength: 4 }), fc.array(group, { maxLength: 3 }))
    .map(([head, tail]) => `${head.join(':')}::${tail.join(':')}`);
  const v6 = fc.oneof(
    groups.map((all) => all.join(':')),
    groups.map((all) => [...Array<string>(5).fill('0'), ...all.slice(5)].join(':')),
    compressed,
    fc.tuple(groups, v4).map(([all, tail]) => [...all.slice(0, 6), tail].join(':')),
    fc
      .tuple(fc.constantFrom('::', '::ffff:', '::FFFF:', '64:ff9b::', '::fffe:0:'), v4)
      .map((parts) => parts.join('')),
  );
  const network = (address: fc.Arbitrary<string>, width: number): fc.Arbitrary<string> =>
    fc
      .tuple(address, fc.nat(width))
      .map(([text, prefix]) => `${text}/${prefix}`)
      .filter((text) => canonicalIp(text) !== undefined);
  const v4Network = fc.tuple(fc.nat(2 ** 24 - 1), fc.nat(24)).map(([bits, zeros]) => {
    const value = Math.floor(bits / 2 ** zeros) * 2 ** zeros;
    return `${[value >>> 16, (value >>> 8) & 255, value & 255].join('.')}.0/${32 - 8 - zeros}`;
  });
  const v6Network = fc
    .tuple(fc.array(group, { minLength: 1, maxLength: 7 }), fc.nat(16))
    .map(([all, more]) => `${all.join(':')}::/${Math.min(128, all.length * 16 + more)}`);
  return fc.oneof(v4, v6, v6, network(v4, 32), network(v6, 128), v4Network, v6Network);
}
