/** The key by which requests of one client are counted, for rate limits. */
import { isIPv6 } from 'node:net';

/** 16-bit groups of an IPv6 address, and of its /64 prefix. */
const GROUPS = 8;
const PREFIX_GROUPS = 4;

/**
 * The key of an address: an IPv4 address itself, and the /64 prefix of an IPv6 address, because one
 * subscriber has at least a /64 (RFC 6177, section 2) and can use any address in it.
 */
export function clientKey(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = [], after = []] = address
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  // An embedded IPv4 address counts as one group here instead of two; it lies behind the prefix.
  const skipped = Math.max(0, GROUPS - before.length - after.length);
  const groups = [...before, ...Array.from({ length: skipped }, () => '0'), ...after];
  const prefix = groups
    .slice(0, PREFIX_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/64`;
}
