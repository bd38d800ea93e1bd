/** Who counts as one client where requests are counted. */
import { isIPv6 } from 'node:net';

/** Groups of an IPv6 address, and those of the network that one subscriber has. */
const GROUPS = 8;
const NETWORK = 4;

/**
 * The client behind an address: an IPv4 address itself, and of an IPv6 address its /64 network, for
 * that is the least that a subscriber has whole (RFC 6177, section 2), and may change within at will.
 */
export function clientOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = [], after = []] = address
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  // An IPv4 address at the end stands for two groups, and is beyond the network anyway.
  const skipped = Math.max(0, GROUPS - before.length - after.length);
  const groups = [...before, ...Array.from({ length: skipped }, () => '0'), ...after];
  const network = groups.slice(0, NETWORK).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
