/**
 * IP addresses (RFC 4291, section 2.2), and networks with a prefix length (section 2.3; RFC 4632, section
 * 3.1). Two strings mean the same address or network if and only if their canonical forms are equal.
 */
import { isIPv4, isIPv6, SocketAddress } from 'node:net';

import Type from 'typebox';
import type { TUnsafe } from 'typebox';

import type { Filterable } from './filters.ts';
import { documented, refine, withCanonical } from './shapes.ts';

/** The maximum length of an IPv6 address with an embedded IPv4 address and a prefix length. */
const MAX_LENGTH = 49;
const PREFIX_LENGTH = /^(?:0|[1-9][0-9]{0,2})$/;
/** The characters alone: a pattern for all forms of IPv6 addresses would be unreadable. */
const IP_PATTERN = '^[0-9A-Fa-f:.]{2,45}(?:/(?:0|[1-9][0-9]{0,2}))?$';

/** An IPv4 or IPv6 address, or a network. */
export function ip(): TUnsafe<string> {
  const shape = refine(
    documented(Type.Unsafe<string>({ type: 'string' }), {
      pattern: IP_PATTERN,
      note: 'An IPv4 or IPv6 address, or a network whose host bits are zero, such as `192.0.2.0/24`.',
    }),
    (value) => canonicalIp(value) !== undefined,
    'must be an IP address, or a network whose host bits are zero, such as 192.0.2.0/24',
  );
  return withCanonical(shape, canonicalIp);
}

export const byIp = (): Filterable => ({
  read: canonicalIp,
  hint: 'it takes an IP address, or a network whose host bits are zero, such as 192.0.2.0/24',
  operators: [],
  schema: { type: 'string', pattern: IP_PATTERN },
});

/**
 * An address or network as PostgreSQL writes its type `inet`: IPv6 as in RFC 5952, sections 4 and 5; a
 * network of one address without its prefix length.
 * @returns undefined if the text is no address, has a zone, or is a network with host bits that are not
 * zero.
 */
export function canonicalIp(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [written = '', prefix, ...rest] = text.split('/');
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

function ipv4Bits(address: string): bigint {
  const octets = address.split('.').map((octet) => Number(octet).toString(16).padStart(2, '0'));
  return BigInt(`0x${octets.join('')}`);
}

function ipv6Bits(address: string): bigint {
  // The host of a URL has an embedded IPv4 address as two groups of hexadecimal digits.
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

/**
 * An address or network in a version of the API that has a string in its place. Only the canonical form is
 * read, because strings are answered as sent.
 */
export const ipAsText = {
  keywords: { pattern: IP_PATTERN.replace('A-F', '') },
  show: (stored: string): string => stored,
  read: (older: string): string | undefined => (canonicalIp(older) === older ? older : undefined),
};
