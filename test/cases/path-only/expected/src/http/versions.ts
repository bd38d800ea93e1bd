/**
 * Which version of the API a request asks for, and in which media type it is answered. The version
 * stands in the path (`/api/v4/…`).
 */
import type { FastifyInstance } from 'fastify';

import { parseAccept, weightOf } from './accept.ts';
import { notAcceptable } from './errors.ts';

/** The versions that are served, rising; the last is the current one. */
export const VERSIONS = [4] as const;

/** The version that new clients should use. */
export const CURRENT_VERSION = Math.max(...VERSIONS);

/** Where the API is: a path for each version. */
export const BASES: readonly Base[] = VERSIONS.map((version) => ({
  path: `/api/v${version}`,
  version,
}));

/** What paths begin with. */
export interface Base {
  readonly path: string;
  readonly version: number;
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

const JSON_TYPE = 'application/json';
const UTF_8: ReadonlyMap<string, string> = new Map([['charset', 'utf-8']]);

/** The media type that names a version. */
export const vendorType = (version: number): string => `application/vnd.path-only.v${version}+json`;

/** `Accept` headers that are remembered with what they come to, for each base. */
const MOST_REMEMBERED = 100;

/** Makes every request of this context one of a version. */
export function negotiateVersion(app: FastifyInstance, { version }: Base): void {
  // Clients send few different headers, and each always comes to the same.
  const remembered = new Map<string, Api>();
  const agree = (accept: string): Api => {
    const known = remembered.get(accept);
    if (known !== undefined) return known;
    const api = versionFromPath(version, accept);
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

/** The path names the version: `Accept` only chooses between the two media types. */
function versionFromPath(version: number, header: string): Api {
  const accept = parseAccept(header);
  const json = weightOf(accept, JSON_TYPE, UTF_8);
  const vendor = weightOf(accept, vendorType(version), UTF_8);
  if (json === 0 && vendor === 0) {
    throw notAcceptable(
      `This path answers ${JSON_TYPE} and ${vendorType(version)}: name one of them in Accept.`,
    );
  }
  // The vendor type is chosen where it is wanted more, or as much and by its name.
  const named = accept.some(({ type }) => type === vendorType(version));
  const wantsVendor = vendor > json || (vendor === json && named);
  return {
    version,
    base: `/api/v${version}`,
    mediaType: wantsVendor ? vendorType(version) : `${JSON_TYPE}; charset=utf-8`,
  };
}
