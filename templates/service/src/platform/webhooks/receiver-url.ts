/**
 * Which URLs webhooks may have, and which addresses they may be sent to. Without these rules anybody who
 * registers a webhook could have the service send requests to its own network (server-side request
 * forgery).
 */
import { lookup as lookUp } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

import ipaddr from 'ipaddr.js';

/** The rules for URLs and addresses of receivers. */
export interface ReceiverRules {
  /** Whether receivers may be in private networks, and use http in production. */
  readonly allowPrivate: boolean;
  /** Whether the URL must begin with https. */
  readonly requireHttps: boolean;
}

/** Finds all addresses of a host. */
export type Resolve = (
  host: string,
  found: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

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
  if (!['https:', 'http:'].includes(url.protocol)) return 'must begin with https://';
  if (rules.requireHttps && url.protocol === 'http:') {
    return 'must begin with https://, because http would send the data unencrypted';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not have a username or password: receivers check the signature';
  }
  if (url.hash !== '') return 'must not have a fragment, which is never sent';
  const host = hostOf(url);
  if (!rules.allowPrivate && isIP(host) > 0 && !isPublicAddress(host)) {
    return 'must not name an address in a private network';
  }
  return undefined;
}

/**
 * A `lookup` for connections that yields public addresses only. Since the connection is made to exactly
 * these addresses, a host name whose address changes meanwhile cannot get around the check.
 */
export const lookupPublic =
  (resolve: Resolve = resolveAll): LookupFunction =>
  (host, { all = false }, callback) =>
    resolve(host, (error, addresses) => {
      const allowed = addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = allowed;
      if (error !== null) callback(error, []);
      else if (first === undefined) callback(new PrivateAddress(host), []);
      else if (all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });

/** The host of a webhook has no public address. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';

  constructor(host: string) {
    super(
      `${host} is in a private network, to which nothing is sent: set WEBHOOK_ALLOW_PRIVATE=true to allow it`,
    );
  }
}

const resolveAll: Resolve = (host, found) =>
  lookUp(host, { all: true }, (error, addresses) => found(error, error === null ? addresses : []));
