/** Defaults and examples: which values a field takes, and the form in which they are kept. */
import { describe, expect, test } from 'vitest';
import { books, fieldOf, lines } from './support.ts';

describe('values that are taken', () => {
  test.each([
    ['type: string, default: ""', ''],
    ['type: string, default: " x "', ' x '],
    ['type: string, default: no', 'no'],
    ['type: string, default: 2026-01-01', '2026-01-01'],
    ['type: string, min_length: 2, max_length: 2, default: "\\U0001F600\\U0001F600"', '😀😀'],
    ["type: string, pattern: 'b', default: abc", 'abc'],
    ['type: string, pattern: \'^.$\', default: "\\U0001F600"', '😀'],
    ['type: text, max_length: 3, default: "a\\nb"', 'a\nb'],
    ['type: integer, default: 5.0', 5],
    ['type: integer, default: 1e3', 1000],
    ['type: integer, default: 0x1F', 31],
    ['type: integer, default: -0', 0],
    ['type: number, default: 0.1', 0.1],
    ['type: number, default: 1e21', 1e21],
    ["type: bigint, default: '9223372036854775807'", '9223372036854775807'],
    ["type: bigint, default: '-1'", '-1'],
    ["type: decimal, precision: 5, scale: 2, default: '1.500'", '1.50'],
    ["type: decimal, precision: 5, scale: 2, default: '-0.01'", '-0.01'],
    ["type: decimal, precision: 2, scale: 0, default: '12'", '12'],
    ['type: boolean, default: false', false],
    ['type: date, default: today', 'today'],
    ['type: date, default: 2024-02-29', '2024-02-29'],
    ['type: date, default: 2000-02-29', '2000-02-29'],
    ['type: timestamp, default: now', 'now'],
    ['type: timestamp, default: 2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ["type: timestamp, default: '2026-01-01T00:30:00.123456+01:00'", '2025-12-31T23:30:00.123456Z'],
    ["type: timestamp, default: '2026-01-01T00:00:00.120000z'", '2026-01-01T00:00:00.120Z'],
    ["type: timestamp, default: '0001-01-01T00:00:00-05:30'", '0001-01-01T05:30:00.000Z'],
    ["type: timestamp, default: '2026-12-31T23:59:59-00:00'", '2026-12-31T23:59:59.000Z'],
    [
      'type: uuid, default: 01890A5D-AC96-774B-BCCE-B302099A8057',
      '01890a5d-ac96-774b-bcce-b302099a8057',
    ],
    ['type: time, default: 09:30:00', '09:30:00'],
    ['type: time, default: 09:30:00.000', '09:30:00'],
    ['type: time, default: 23:59:59.9999990', '23:59:59.999999'],
    ['type: duration, default: P1D', 'PT24H'],
    ['type: duration, default: P2W', 'PT336H'],
    ['type: duration, default: PT0S', 'PT0S'],
    ['type: duration, default: P1DT90M0.50S', 'PT25H30M0.5S'],
    ['type: duration, default: P100000D', 'PT2400000H'],
    ['type: ip, default: 192.0.2.1', '192.0.2.1'],
    ['type: ip, default: 192.0.2.1/32', '192.0.2.1'],
    ['type: ip, default: 192.0.2.0/24', '192.0.2.0/24'],
    ['type: ip, default: "2001:DB8:0:0::1"', '2001:db8::1'],
    ['type: ip, default: "2001:db8::/32"', '2001:db8::/32'],
    ['type: ip, default: "::FFFF:c000:201"', '::ffff:192.0.2.1'],
    ['type: ip, default: "::/0"', '::/0'],
    ['type: bytes, default: ""', ''],
    ['type: bytes, max_bytes: 5, default: aGVsbG8=', 'aGVsbG8='],
    ['type: enum, values: [a, "null"], default: "null"', 'null'],
    ['type: list, of: { type: integer, minimum: 1 }, default: [1, 2, 1]', [1, 2, 1]],
    ['type: list, of: string, default: []', []],
    ['type: list, of: timestamp, default: [2026-01-01T00:00:00Z]', ['2026-01-01T00:00:00.000Z']],
    [
      'type: object, properties: { a: { type: integer, required: true }, b: { type: string } }, default: { a: 1, b: null }',
      { a: 1, b: null },
    ],
    [
      'type: object, properties: { a: { type: integer, required: true, default: 5 } }, default: {}',
      {},
    ],
    [
      'type: json, default: { a: [1, x, null, true, 1.5, { b: -0 }] }',
      { a: [1, 'x', null, true, 1.5, { b: 0 }] },
    ],
    ['type: json, default: text', 'text'],
    ['type: timestamp, unique: true, default: now', 'now'],
  ] as const)('%s', async (options, expected) => {
    expect((await fieldOf(`{ ${options} }`)).default).toStrictEqual(expected);
    const example = options.replace(/default:(?!.*default:)/s, 'example:');
    if (expected === 'now' || expected === 'today') return;
    expect((await fieldOf(`{ ${example} }`)).example).toStrictEqual(expected);
  });

  test('null is no default where the field is optional', async () => {
    expect(await fieldOf('{ type: string, default: null, example: ~ }')).not.toHaveProperty(
      'default',
    );
  });

  test('a reference has a UUID for an example', async () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8057';
    expect(lines(await books(`a_id: { type: reference, to: users, example: ${id} }`))).toEqual([]);
    expect(lines(await books('a_id: { type: reference, to: users, example: 5x }'))).toHaveLength(1);
  });
});

describe('values that are refused', () => {
  const refused: Readonly<Record<string, readonly string[]>> = {
    bigint: [
      "'-0'",
      "'+1'",
      "'01'",
      "''",
      "' 1'",
      "'1.0'",
      "'9223372036854775808'",
      "'-9223372036854775809'",
      "'1e3'",
      '5',
    ],
    'decimal, precision: 4, scale: 2': [
      "'-0'",
      "'-0.00'",
      "'+1'",
      "'01'",
      "'.5'",
      "'5.'",
      "'1e1'",
      "'100'",
      "'1.001'",
      "''",
      '1.5',
    ],
    integer: [
      '1.5',
      "'1'",
      'true',
      '9007199254740992',
      '-9007199254740992',
      '1e16',
      '[1]',
      '{ a: 1 }',
      '.inf',
    ],
    time: [
      '24:00:00',
      '23:59:60',
      '9:30:00',
      '09:30',
      '09:30:00Z',
      '09:30:00+01:00',
      '09:30:00.',
      '09:30:00.0000001',
      '093000',
      'now',
      "''",
    ],
    duration: [
      'P1Y',
      'P1M',
      'P1Y2M',
      'P',
      'PT',
      'P1DT',
      '-PT1H',
      'PT-1H',
      'pt1h',
      'PT1.5H',
      "'PT1,5S'",
      'PT0.0000001S',
      'P1W1D',
      'PT1S1H',
      'P100001D',
      'PT2400000H0.000001S',
      '3600',
      "'3600'",
      "''",
    ],
    ip: [
      '192.0.2',
      '192.0.2.256',
      '192.0.2.01',
      '192.0.2.1/24',
      '192.0.2.0/33',
      '192.0.2.0/024',
      '192.0.2.0/',
      '192.0.2.0/24/24',
      '0x7f.0.0.1',
      '"2001:db8::1/32"',
      '"2001:db8::/129"',
      '"fe80::1%eth0"',
      '":::"',
      '"1::2::3"',
      'localhost',
      "''",
      '5',
    ],
    'bytes, max_bytes: 3': [
      'aGVsbG8',
      'aGVsbG8=',
      'aGVsbA==',
      'YQ=',
      'YR==',
      'YWI',
      '_-8=',
      '"YW Jj"',
      '"YWJj\\n"',
      '=',
      '5',
    ],
    number: ["'1'", '.inf', '-.inf', '.nan', '1e400', '9007199254740993', 'false'],
    boolean: ["'true'", 'yes', '1', '0', 'True_'],
    date: [
      '2026-02-30',
      '2025-02-29',
      '1900-02-29',
      '0000-01-01',
      '2026-13-01',
      '2026-00-01',
      '2026-01-00',
      '2026-1-1',
      '2026-01-01T00:00:00Z',
      '10000-01-01',
      'tomorrow',
      '20260101',
    ],
    timestamp: [
      '2026-01-01',
      "'2026-01-01T00:00:00'",
      "'2026-01-01 00:00:00Z'",
      "'2026-01-01T24:00:00Z'",
      "'2026-01-01T00:60:00Z'",
      "'2026-01-01T00:00:60Z'",
      "'2026-12-31T23:59:60Z'",
      "'2026-01-01T00:00:00.1234567Z'",
      "'2026-01-01T00:00:00.Z'",
      "'2026-01-01T00:00:00+24:00'",
      "'2026-01-01T00:00:00+01:60'",
      "'2026-01-01T00:00:00+0100'",
      "'2026-02-30T00:00:00Z'",
      "'0001-01-01T00:00:00+05:00'",
      "'9999-12-31T23:59:59-05:00'",
      "'0000-12-31T23:59:59Z'",
    ],
    uuid: [
      "''",
      '5',
      "'01890a5dac96774bbcceb302099a8057'",
      "'{01890a5d-ac96-774b-bcce-b302099a8057}'",
      "'01890a5d-ac96-774b-bcce-b302099a805g'",
    ],
    json: [
      '.nan',
      '9007199254740993',
      '[1e300]',
      '{ a: { __proto__: 1 } }',
      '"\\0"',
      '{ "\\ud800": 1 }',
    ],
    // In UTF-8 and with its quotes, a text has 257 bytes or more.
    'json, max_bytes: 256': [`"${'x'.repeat(255)}"`, `"${'é'.repeat(128)}"`],
    string: ['5', 'true', '[a]', '{ a: b }', '"\\0"', '"\\udc00"'],
  };
  const cases = Object.entries(refused).flatMap(([type, values]) =>
    values.map((value) => [type, value] as const),
  );

  test.each(cases)('%s: %s', async (type, value) => {
    const start = `it: { type: ${type}, default: `;
    const [line, ...more] = lines(await books(`${start}${value} }`));
    expect(more).toEqual([]);
    const place = /^definitions\/collections\/books\.yaml:3:([0-9]+) error default /.exec(line!);
    // Inside a list or a map the place is that of what is wrong there.
    const from = 3 + start.length;
    expect(Number(place![1])).toBeGreaterThanOrEqual(from);
    expect(Number(place![1])).toBeLessThan(from + value.length);
  });
});

function casesOf(table: Readonly<Record<string, readonly string[]>>): [string, string][] {
  return Object.entries(table).flatMap(([format, values]) =>
    values.map((value): [string, string] => [format, value]),
  );
}

describe('formats', () => {
  const good = {
    email: ['a@b.co', 'jos.é+x@пример.рф', "o'neil@sub.example.org", `${'a'.repeat(64)}@b.co`],
    uri: ['https://example.org/a?b=c#d', 'urn:isbn:1', 'mailto:a@b.co', 'http://[::1]/', 'a:%20'],
    hostname: ['example.org', 'localhost', 'a-b.c1', `${'a'.repeat(63)}.b`],
    ipv4: ['0.0.0.0', '255.255.255.255'],
    ipv6: ['::', '::1', '2001:db8::ff00:42:8329', '::ffff:1.2.3.4'],
    slug: ['a', 'a-b-c', '1-2'],
  };
  const bad = {
    email: [
      'a',
      '@b.co',
      'a@',
      'a@b',
      'a b@c.co',
      'a..b@c.co',
      '.a@b.co',
      'a@-b.co',
      'a@b-.co',
      `${'a'.repeat(65)}@b.co`,
      'a@b..co',
      'a@b@c.co',
    ],
    uri: ['example.org', '/a', '1a:b', 'a:', 'http://a b', 'http://é.org', 'a:%2', 'a:\\\\'],
    hostname: ['', '-a', 'a-', 'a..b', 'a_b', 'a'.repeat(64), `${'abc.'.repeat(64)}a`, 'é.org'],
    ipv4: ['1.2.3', '256.1.1.1', '01.1.1.1', '1.1.1.1.', ' 1.1.1.1'],
    ipv6: [':::', '1::2::3', 'fe80::1%eth0', '1.2.3.4', '[::1]'],
    slug: ['', 'A', 'a--b', '-a', 'a-', 'a b', 'a_b'],
  };
  test.each(casesOf(good))('%s takes %s', async (format, value) => {
    const text = `it: { type: string, format: ${format}, default: ${JSON.stringify(value)} }`;
    expect(lines(await books(text))).toEqual([]);
  });

  test.each(casesOf(bad))('%s refuses %s', async (format, value) => {
    const text = `it: { type: string, format: ${format}, default: ${JSON.stringify(value)} }`;
    const found = lines(await books(text));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`does not have the format ${format}. Write one that does.`);
  });
});
