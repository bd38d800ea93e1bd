/** A key that sorts IP addresses and networks as PostgreSQL sorts its type `inet`. */

/**
 * The key of an address or network in canonical form: IPv4 sorts before IPv6, a network before the
 * addresses and networks within it, and others by their bits. Keys compare by code point.
 */
export function ipSortKey(text: string): string {
  const [address = '', prefix] = text.split('/');
  const isV4 = !address.includes(':');
  const bits = isV4 ? ipv4Bits(address) : ipv6Bits(address);
  return `${isV4 ? 4 : 6} ${bits.slice(0, prefix === undefined ? undefined : Number(prefix))}`;
}

const ipv4Bits = (address: string): string =>
  address
    .split('.')
    .map((octet) => binary(Number(octet), 8))
    .join('');

function ipv6Bits(address: string): string {
  // The host of a URL has an embedded IPv4 address as two groups of hexadecimal digits.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = groups.split('::').map(groupBits);
  return head + tail.padStart(128 - head.length, '0');
}

const groupBits = (groups: string): string =>
  groups === ''
    ? ''
    : groups
        .split(':')
        .map((group) => binary(Number(`0x${group}`), 16))
        .join('');

const binary = (value: number, width: number): string => value.toString(2).padStart(width, '0');
