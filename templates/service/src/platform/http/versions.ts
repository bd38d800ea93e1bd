/**
 * Negotiates the API version and the media type of a request. The version is named in the path (`/api/v1/…`) or
 * in `Accept` (`application/vnd.name.v1+json`), as `VERSIONING` says.
 */
import type { IncomingMessage } from 'node:http';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import {
  CURRENT_VERSION,
  NAME,
  RETIRED_VERSIONS,
  VERSIONING,
  VERSIONS,
  VERSIONS_DIFFER,
} from '../service.ts';
import { parseAccept, weightOf } from './accept.ts';
import { badRequest, gone, notAcceptable, notFound } from './errors.ts';

const RETIRED: ReadonlySet<number> = new Set(RETIRED_VERSIONS);

/** Whether paths name the version, and whether `Accept` does. */
export const VERSION_IN_PATH = VERSIONING.includes('path');
export const VERSION_IN_ACCEPT = VERSIONING.includes('accept');

/** A base path of the API. */
export interface Base {
  readonly path: string;
  readonly version: number;
  /**
   * Whether `Accept` names the version. If versions differ, the routes then match only requests that name this
   * one; otherwise the routes are those of all versions.
   */
  readonly isInAccept?: boolean;
}

/** The versions below `/api`: one stands for all if they have the same routes. */
const versionsInAccept = (): readonly number[] => (VERSIONS_DIFFER ? VERSIONS : [CURRENT_VERSION]);

/** The base paths of the API; below `/api`, `Accept` names the version. */
export const BASES: readonly Base[] = [
  ...(VERSION_IN_PATH ? VERSIONS.map((version) => ({ path: `/api/v${version}`, version })) : []),
  ...(VERSION_IN_ACCEPT
    ? versionsInAccept().map((version) => ({ path: '/api', version, isInAccept: true }))
    : []),
];

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
const UTF_8: ReadonlyMap<string, string> = new Map([['charset', 'utf-8']]);

/** The vendor media type of a version. */
export const vendorType = (version: number | string): string =>
  `application/vnd.${NAME}.v${version}+json`;

/** The version that a vendor media type names; undefined for any other type. */
function versionOfType(type: string): number | undefined {
  const version = /\.v([1-9][0-9]*)\+json$/.exec(type)?.[1];
  return version !== undefined && type === vendorType(version) ? Number(version) : undefined;
}

/** The maximum size of a cache of negotiated `Accept` headers. */
const MAX_CACHED = 100;

/** Sets `request.api` on all requests of this context. */
export function negotiateVersion(
  app: FastifyInstance,
  { version, isInAccept = false }: Base,
): void {
  if (isInAccept && VERSIONS_DIFFER) {
    app.addHook('onRoute', (route) => {
      route.constraints = { ...route.constraints, [ACCEPTED]: String(version) };
    });
  }
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
    const version = versionOfType(range.type);
    return version === undefined || range.q === 0 ? [] : [version];
  });
  if (named.length === 0) throw badRequest(VERSION_NEEDED);
  let chosen: { version: number; weight: number } | undefined;
  for (const version of VERSIONS) {
    const weight = named.includes(version) ? weightOf(accept, vendorType(version), UTF_8) : 0;
    if (weight > 0 && weight >= (chosen?.weight ?? 0)) chosen = { version, weight };
  }
  const retired = named.find((version) => RETIRED.has(version));
  if (chosen === undefined && retired !== undefined) throw goneVersion(retired);
  if (chosen === undefined) {
    throw notAcceptable(
      `Accept names no served version. Served: ${VERSIONS.map(vendorType).join(', ')}.`,
    );
  }
  return { version: chosen.version, base: '/api', mediaType: vendorType(chosen.version) };
}

const VERSION_NEEDED = VERSION_IN_PATH
  ? `A version is needed: put it in the path (/api/v${CURRENT_VERSION}/…) or in the header ` +
    `(Accept: ${vendorType(CURRENT_VERSION)}).`
  : `A version is needed, in the header Accept: ${vendorType(CURRENT_VERSION)}.`;

export const ACCEPTED = 'acceptedVersion';

/** A router constraint that matches requests to the routes of the version in their `Accept`. */
export const ROUTES_BY_ACCEPT = {
  [ACCEPTED]: {
    name: ACCEPTED,
    storage: <Handler>() => {
      const handlers = new Map<string, Handler>();
      return {
        get: (version: string) => handlers.get(version) ?? null,
        set: (version: string, handler: Handler) => void handlers.set(version, handler),
      };
    },
    // No route has an empty version: below `/api/v1` the path names the version.
    deriveConstraint: ({ url = '', headers }: IncomingMessage): string =>
      /^\/api\/v\d/.test(url) ? '' : acceptedVersion(headers.accept ?? ''),
  },
};

/** A cache of versions by `Accept` header. */
const accepted = new Map<string, string>();

function acceptedVersion(header: string): string {
  const cached = accepted.get(header);
  if (cached !== undefined) return cached;
  const version = versionOrEmpty(header);
  if (accepted.size === MAX_CACHED) accepted.clear();
  accepted.set(header, version);
  return version;
}

/** Empty if `Accept` names no served version. Then no route matches, and `refuseVersion` says why. */
function versionOrEmpty(header: string): string {
  try {
    return String(versionFromAccept(header).version);
  } catch {
    return '';
  }
}

/** Whether routes below `/api` match by the version that `Accept` names. */
const DIFFER_BY_ACCEPT = VERSIONS_DIFFER && VERSION_IN_ACCEPT;

/** Refuses a request that a route of another version would match; undefined if all versions have the same routes. */
export const REFUSE_VERSION = DIFFER_BY_ACCEPT ? refuseVersion : undefined;

/** Refuses a request whose path exists in another version only. @throws 400, 404, 406 or 410. */
function refuseVersion({ headers, url }: FastifyRequest): never {
  const { version } = versionFromAccept(headers.accept ?? '');
  throw notFound(`There is nothing at ${url.split('?', 1)[0]} in version ${version}.`);
}

/** Answers all paths of retired versions with 410. */
export function refuseRetired(app: FastifyInstance): void {
  if (RETIRED.size === 0) return;
  app.addHook('onRequest', ({ url, is404 }, _reply, done) => {
    const version = Number(/^\/api\/v([1-9]\d*)(?:[/?]|$)/.exec(url)?.[1]);
    if (is404 && RETIRED.has(version)) throw goneVersion(version);
    done();
  });
}

const goneVersion = (version: number): Error =>
  gone(`Version ${version} is no longer served: use version ${CURRENT_VERSION}.`);
