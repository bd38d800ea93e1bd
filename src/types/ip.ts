/** The type `ip`: an address of IPv4 or IPv6, or a network with a prefix length. */
import { isIPv4, isIPv6, SocketAddress } from 'node:net';

import { literal } from '../shared/sql.ts';
import { call, nameCode, plainCode } from './code.ts';
import { guardedCondition, castOf, sqlMatches, unchanged } from './sql-conversion.ts';
import { isUnboundedText } from './text.ts';
import { readText } from './text-storage.ts';
import type { LabelledValues, TypeSpec } from './type.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';

export interface IpType {
  readonly type: 'ip';
}

/** Of an address of IPv6 with an embedded one of IPv4, and its prefix length. */
const LONGEST = 49;
const JSON_BYTES = 2 + LONGEST;
/** An entry of an index: two bytes for the family and the prefix, the address, and their header. */
const INDEX_BYTES = 22;
const PREFIX_LENGTH = /^(?:0|[1-9][0-9]{0,2})$/;

/**
 * The address or network as PostgreSQL writes its type `inet`: IPv6 as in RFC 5952, and a network of one
 * address without its prefix length. Undefined for a network whose host bits are not zero.
 */
function canonicalIp(value: string): string | undefined {
  if (value.length > LONGEST) return undefined;
  const [written = '', prefix, ...rest] = value.split('/');
  const isV4 = isIPv4(written);
  if (rest.length > 0 || (!isV4 && (!isIPv6(written) || written.includes('%')))) return undefined;
  const { address } = new SocketAddress({ address: written, family: isV4 ? 'ipv4' : 'ipv6' });
  if (prefix === undefined) return address;
  const hostBits = (isV4 ? 32 : 128) - Number(prefix);
  if (!PREFIX_LENGTH.test(prefix) || hostBits < 0) return undefined;
  if (BigInt.asUintN(hostBits, isV4 ? ipv4Bits(address) : ipv6Bits(address)) !== 0n) {
    return undefined;
  }
  return hostBits === 0 ? address : `${address}/${prefix}`;
}

const ipv4Bits = (address: string): bigint =>
  address.split('.').reduce((bits, octet) => bits * 256n + BigInt(octet), 0n);

function ipv6Bits(address: string): bigint {
  // The host of a URL has an embedded address of IPv4 as two groups of hexadecimal digits.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = groups.split('::').map(digitsOf);
  return BigInt(`0x${head}${tail.padStart(32 - head.length, '0')}`);
}

/** The digits of groups, four of each. */
const digitsOf = (groups: string): string =>
  groups === ''
    ? ''
    : groups
        .split(':')
        .map((group) => group.padStart(4, '0'))
        .join('');

const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const GROUP = '[0-9a-fA-F]{1,4}';
const IPV4 = `(${OCTET}[.]){3}${OCTET}`;
/** Addresses of IPv6, by the groups before the gap; the last two groups may be an address of IPv4. */
const IPV6 = [
  `(${GROUP}:){7}${GROUP}`,
  `(${GROUP}:){1,7}:`,
  ...Array.from({ length: 6 }, (_none, n) => `(${GROUP}:){${n + 1}}(:${GROUP}){1,${6 - n}}`),
  `:((:${GROUP}){1,7}|:)`,
  `(${GROUP}:){6}${IPV4}`,
  ...Array.from(
    { length: 5 },
    (_none, n) => `(${GROUP}:){${n + 1}}(:${GROUP}){0,${4 - n}}:${IPV4}`,
  ),
  `::(${GROUP}:){0,5}${IPV4}`,
].join('|');
/** The texts of addresses and networks, as a regular expression of PostgreSQL. */
const SQL_IP = `^(${IPV4}(/([12]?[0-9]|3[0-2]))?|(${IPV6})(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?)$`;

/** The SQL condition that a network has no host bits. It holds for all addresses. */
const sqlNetworkCondition = (value: string): string => `${value} = network(${value})::inet`;

export const ipSpec: TypeSpec<IpType> = {
  description: 'An address of IPv4 or IPv6, or a network with a prefix length: 192.0.2.0/24.',
  example: 'allowed_from: { type: ip, required: true }',
  synonyms: ['inet', 'cidr', 'ip_address', 'ipaddress'],
  keys: {},
  jsonSchemaType: 'string',
  isComparable: true,
  comparison: { with: ['ip'], isOrdered: false, literal: 'text' },
  read: () => ({ type: 'ip' }),
  write: () => ({}),
  readValue: (_type, tree, what, issues) =>
    readText(
      tree,
      what,
      issues,
      (value, refuse) =>
        canonicalIp(value) ??
        refuse(
          'is not an IP address, or a network whose host bits are zero',
          'one such as 192.0.2.1 or 192.0.2.0/24',
        ),
    ),

  column: () => ({ definition: 'inet', cast: 'inet' }),
  check: (_type, value) => sqlNetworkCondition(value),
  nullSubstitute: `inet '0.0.0.0'`,
  indexBytes: () => INDEX_BYTES,
  jsonBytes: () => JSON_BYTES,

  module: { file: 'ip-addresses', exports: ['byIp', 'ip', 'ipAsText'] },
  shape: () => call('ip'),
  filter: () => call('byIp'),
  typescript: () => 'string',
  documentation: () => 'string, an IP address or network',

  values: (_type, count) =>
    Array.from({ length: Math.min(count, 254) }, (_none, n) => `192.0.2.${n + 1}`),
  listValues: () => ['192.0.2.10', '192.0.2.9', '2001:db8::1', '192.0.2.0/24', '2001:db8::/32'],
  refused: (): LabelledValues => [
    ['no address', 'nobody'],
    ['with a leading zero', '192.0.2.01'],
    ['with host bits', '192.0.2.1/24'],
    ['with too long a prefix', '192.0.2.0/33'],
    ['with a zone', 'fe80::1%eth0'],
    ['a number', 5],
  ],
  accepted: () => [
    ['of IPv6', '2001:db8::1'],
    ['of IPv6 with an embedded one of IPv4', '::ffff:192.0.2.1'],
    ['of a network', '198.51.100.0/24'],
    ['of all', '0.0.0.0/0'],
  ],
  respellCode: (_type, value, required) => [
    { sent: `${value}${required ? '.' : '?.'}toUpperCase()`, answer: value, uses: [] },
  ],
  listTests: {
    isOrdered: false,
    sortKey: (_type, member) => call('ipSortKey', member),
    module: { file: 'ip-sort-key', exports: ['ipSortKey'] },
    respellFunction: plainCode('(address) => address.toUpperCase()'),
    invalidFilter: '192.0.2.1/24',
    validFilter: () => '192.0.2.1',
  },

  readableAs: ['string', 'text'],

  nameInMessages: () => 'ip',
  literal: (_type, value) => `${literal(String(value))}::inet`,
  // The cast to text would write the prefix length of single addresses too.
  toText: (_type, value) => `abbrev(${value})`,
  fromJson: (_type, value) => `${value}::inet`,
  fromText: () =>
    castOf('inet', (value) =>
      guardedCondition(sqlMatches(value, SQL_IP), sqlNetworkCondition(`${value}::inet`)),
    ),
  convertFrom: (from) => (from.type === 'ip' ? unchanged() : undefined),

  versionConversion: (_stored, older) => (isUnboundedText(older) ? SAME_VALUE : TEAM_CONVERSION),
  hint: () => 'must be an IP address or network as RFC 5952 writes it',
  asText: () => nameCode('ipAsText'),
  comparedText: (column) => `abbrev(${column})`,
};
