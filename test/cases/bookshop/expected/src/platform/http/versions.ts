/**
 * Negotiates the API version and the media type of a request. The version is named in
 * the path (`/api/v1/…`) or in `Accept` (`application/vnd.bookshop.v1+json`).
 */
import type { FastifyInstance } from 'fastify';

import { parseAccept, weightOf } from './accept.ts';
import { badRequest, notAcceptable } from './errors.ts';

/** The served versions in ascending order. */
export const VERSIONS = [1] as const;

/** The highest version, which new clients should use. */
export const CURRENT_VERSION = Math.max(...VERSIONS);

/** The base paths of the API; below `/api`, `Accept` names the version. */
export const BASES: readonly Base[] = [
  ...VERSIONS.map((version) => ({ path: `/api/v${version}`, version })),
  { path: '/api', version: CURRENT_VERSION, isInAccept: true },
];

/** A base path of the API. */
export interface Base {
  readonly path: string;
  readonly version: number;
  /** Whether `Accept` names the version. Then the routes are those of all versions, which have one form. */
  readonly isInAccept?: boolean;
}

/** The result of the negotiation for one request. */
export interface Api {
  readonly version: number;
  /** The base path of links, so that they name the version in the same way as the request. */
  readonly base: string;
  /** The `Content-Type` of successful responses. */
  readonly mediaType: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    api: Api;
  }
}

const JSON_TYPE = 'application/json';
const VENDOR_TYPE = /^application\/vnd\.bookshop\.v([1-9][0-9]*)\+json$/;
const UTF_8: ReadonlyMap<string, string> = new Map([['charset', 'utf-8']]);

/** The vendor media type of a version. */
export const vendorType = (version: number): string => `application/vnd.bookshop.v${version}+json`;

/** The maximum size of a cache of negotiated `Accept` headers. */
const MAX_CACHED = 100;

/** Sets `request.api` on all requests of this context. */
export function negotiateVersion(
  app: FastifyInstance,
  { version, isInAccept = false }: Base,
): void {
  // Clients send few distinct headers, and the result depends on the header alone.
  const cache = new Map<string, Api>();
  const negotiate = (accept: string): Api => {
    const cached = cache.get(accept);
    if (cached !== undefined) return cached;
    const api = isInAccept ? versionFromAccept(accept) : versionFromPath(version, accept);
    if (cache.size === MAX_CACHED) cache.clear();
    cache.set(accept, api);
    return api;
  };

  app.decorateRequest('api');
  app.addHook('onRequest', (request, _reply, done) => {
    request.api = negotiate(request.headers.accept ?? '');
    done();
  });
  // For handlers that send an object: `reply.send(…)` alone would say application/json.
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const isDefault = reply.getHeader('content-type') === 'application/json; charset=utf-8';
    if (isDefault && reply.statusCode < 400) reply.header('content-type', request.api.mediaType);
    done(null, payload);
  });
}

/** For paths that name the version: `Accept` only chooses between the two media types. */
function versionFromPath(version: number, header: string): Api {
  const accept = parseAccept(header);
  const json = weightOf(accept, JSON_TYPE);
  const vendor = weightOf(accept, vendorType(version), UTF_8);
  if (json === 0 && vendor === 0) {
    throw notAcceptable(
      `This path is served as ${JSON_TYPE} and ${vendorType(version)}: name one of them in Accept.`,
    );
  }
  // At equal weight, JSON is preferred unless the header names the vendor type.
  const named = accept.some(({ type }) => type === vendorType(version));
  const wantsVendor = vendor > json || (vendor === json && named);
  return {
    version,
    base: `/api/v${version}`,
    mediaType: wantsVendor ? vendorType(version) : `${JSON_TYPE}; charset=utf-8`,
  };
}

/** For paths without a version: the highest weight in `Accept` wins, then the highest version. */
function versionFromAccept(header: string): Api {
  const accept = parseAccept(header);
  const named = accept.flatMap((range) => {
    const version = VENDOR_TYPE.exec(range.type)?.[1];
    return version === undefined || range.q === 0 ? [] : [Number(version)];
  });
  if (named.length === 0) {
    throw badRequest(
      `A version is needed: put it in the path (/api/v${CURRENT_VERSION}/…) or in the header ` +
        `(Accept: ${vendorType(CURRENT_VERSION)}).`,
    );
  }
  let chosen: { version: number; weight: number } | undefined;
  for (const version of VERSIONS) {
    const weight = named.includes(version) ? weightOf(accept, vendorType(version), UTF_8) : 0;
    if (weight > 0 && weight >= (chosen?.weight ?? 0)) chosen = { version, weight };
  }
  if (chosen === undefined) {
    throw notAcceptable(
      `Accept names no served version. Served: ${VERSIONS.map(vendorType).join(', ')}.`,
    );
  }
  return { version: chosen.version, base: '/api', mediaType: vendorType(chosen.version) };
}
