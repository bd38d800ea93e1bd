/**
 * Which URLs webhooks may have, and which addresses they may be sent to. Without these rules anybody who
 * registers a webhook could have the service send requests to its own network (server-side request
 * forgery).
 */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

import ipaddr from 'ipaddr.js';

/** The rules for URLs and addresses of receivers. */
export interface ReceiverRules {
  /** Whether receivers may be in private networks, and use http in production. */
  readonly allowPrivate: boolean;
  /** Whether the URL must begin with https. */
  readonly requireHttps: boolean;
}

/** Finds all addresses of a host. It rejects if there are none. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** What a URL must look like: with a host, and without username, password and fragment. */
export const URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@]+(?:[/?][^#]*)?$';

/** Milliseconds until a name server is asked again, and how often it is asked. */
const NAME_SERVER = { timeout: 2_000, tries: 2 };

/** The block that public IPv6 addresses are assigned from (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is in the public Internet: neither private, loopback, link-local, multicast or
 * reserved, nor an IPv6 address that stands for an IPv4 address, except for mapped public ones.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/** The host of a URL; an IPv6 address without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * What is wrong with the URL of a webhook; undefined if it may be used. A host name is not resolved here,
 * because it can have other addresses when something is sent: see `lookupPublic`.
 */
export function urlProblem(text: string, rules: ReceiverRules): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL such as https://example.org/events';
  const url = new URL(text);
  if (!['https:', 'http:'].includes(url.protocol)) {
    return rules.requireHttps ? 'must begin with https://' : 'must begin with https:// or http://';
  }
  if (rules.requireHttps && url.protocol === 'http:') {
    return 'must begin with https://, because http would send the data unencrypted';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not have a username or password: receivers check the signature';
  }
  if (url.hash !== '') return 'must not have a fragment, which is never sent';
  if (!new RegExp(URL_PATTERN).test(text))
    return 'must be a URL such as https://example.org/events';
  const host = hostOf(url);
  if (!rules.allowPrivate && (isLoopback(host) || (isIP(host) > 0 && !isPublicAddress(host)))) {
    return 'must not name an address in a private network, unless the service has WEBHOOK_ALLOW_PRIVATE=true';
  }
  return undefined;
}

/** Whether a host name always stands for the own machine (RFC 6761, section 6.3). */
const isLoopback = (host: string): boolean => /(?:^|\.)localhost\.?$/.test(host);

/**
 * A `lookup` for connections that yields public addresses only. Since the connection is made to exactly
 * these addresses, a host name whose address changes meanwhile cannot get around the check.
 */
export function lookupPublic(resolve: Resolve = resolveAddresses): LookupFunction {
  const findPublic = callbackify(async (host: string) => {
    const [first, ...others] = (await resolve(host)).filter(({ address }) =>
      isPublicAddress(address),
    );
    if (first === undefined) throw new PrivateAddress(host);
    return [first, ...others] as const;
  });
  return (host, { all = false }, callback) =>
    findPublic(host, (error, addresses) => {
      if (error !== null) callback(error, []);
      else if (all) callback(null, [...addresses]);
      else callback(null, addresses[0].address, addresses[0].family);
    });
}

/**
 * All addresses that name servers have for a host. `dns.lookup` would occupy one of the few threads of the
 * process until the name servers answer, so hosts whose name servers never do would hold up all others.
 * @param servers addresses of name servers; those of the system by default.
 * @throws if no name server has an address.
 */
export async function resolveAddresses(
  host: string,
  servers?: readonly string[],
): Promise<LookupAddress[]> {
  const resolver = new Resolver(NAME_SERVER);
  if (servers !== undefined) resolver.setServers(servers);
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = found.flatMap((result, index) =>
    result.status === 'fulfilled'
      ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  );
  const failed = found.find(({ status }) => status === 'rejected');
  if (addresses.length > 0 || failed === undefined) return addresses;
  const { code } = (failed as PromiseRejectedResult).reason as NodeJS.ErrnoException;
  throw new Error(`no address of ${host} was found (${code})`);
}

/** The host of a webhook has no public address. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';

  constructor(host: string) {
    super(
      `${host} is in a private network, to which nothing is sent: set WEBHOOK_ALLOW_PRIVATE=true to allow it`,
    );
  }
}
