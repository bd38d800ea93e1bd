/**
 * Which version of the API a request asks for, and in which media type it is answered. The version
 * stands in `Accept` (`application/vnd.accept-only.v3+json`).
 */
import type { FastifyInstance } from 'fastify';

import { parseAccept, weightOf } from './accept.ts';
import { badRequest, notAcceptable } from './errors.ts';

/** The versions that are served, rising; the last is the current one. */
export const VERSIONS = [1, 2, 3] as const;

/** The version that new clients should use. */
export const CURRENT_VERSION = Math.max(...VERSIONS);

/** Where the API is: a path for each version, and one for all, where `Accept` chooses. */
export const BASES: readonly Base[] = [{ path: '/api' }];

/** What paths begin with. */
export interface Base {
  readonly path: string;
}

/** What the client and this service agreed on for one request. */
export interface Api {
  readonly version: number;
  /** What paths begin with: links keep the way of versioning that the request used. */
  readonly base: string;
  /** The `Content-Type` of a successful answer. */
  readonly mediaType: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    api: Api;
  }
}

const VENDOR_TYPE = /^application\/vnd\.accept-only\.v([1-9][0-9]*)\+json$/;
const UTF_8: ReadonlyMap<string, string> = new Map([['charset', 'utf-8']]);

/** The media type that names a version. */
export const vendorType = (version: number): string =>
  `application/vnd.accept-only.v${version}+json`;

/** `Accept` headers that are remembered with what they come to, for each base. */
const MOST_REMEMBERED = 100;

/** Makes every request of this context one of a version. */
export function negotiateVersion(app: FastifyInstance, _base: Base): void {
  // Clients send few different headers, and each always comes to the same.
  const remembered = new Map<string, Api>();
  const agree = (accept: string): Api => {
    const known = remembered.get(accept);
    if (known !== undefined) return known;
    const api = versionFromAccept(accept);
    if (remembered.size === MOST_REMEMBERED) remembered.clear();
    remembered.set(accept, api);
    return api;
  };

  app.decorateRequest('api');
  app.addHook('onRequest', (request, _reply, done) => {
    request.api = agree(request.headers.accept ?? '');
    done();
  });
}

/** `Accept` names the version: the highest weight wins, then the highest version. */
function versionFromAccept(header: string): Api {
  const accept = parseAccept(header);
  const named = accept.flatMap((range) => {
    const version = VENDOR_TYPE.exec(range.type)?.[1];
    return version === undefined || range.q === 0 ? [] : [Number(version)];
  });
  if (named.length === 0) {
    throw badRequest(`A version is needed, in the header Accept: ${vendorType(CURRENT_VERSION)}.`);
  }
  let chosen: { version: number; weight: number } | undefined;
  for (const version of VERSIONS) {
    const weight = named.includes(version) ? weightOf(accept, vendorType(version), UTF_8) : 0;
    if (weight > 0 && weight >= (chosen?.weight ?? 0)) chosen = { version, weight };
  }
  if (chosen === undefined) {
    throw notAcceptable(
      `Accept names no version that is served. Served: ${VERSIONS.map(vendorType).join(', ')}.`,
    );
  }
  return { version: chosen.version, base: '/api', mediaType: vendorType(chosen.version) };
}
