/**
 * Which version of the API a request asks for, and in which media type it is answered. The version
 * stands in the path (`/api/v3/…`) or in `Accept` (`application/vnd.library.v3+json`).
 */
import type { IncomingMessage } from 'node:http';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { parseAccept, weightOf } from './accept.ts';
import { badRequest, notAcceptable, notFound } from './errors.ts';

/** The versions that are served, rising; the last is the current one. */
export const VERSIONS = [1, 2, 3] as const;

/** The version that new clients should use. */
export const CURRENT_VERSION = Math.max(...VERSIONS);

/** Where the API is: a path for each version, and one for all, where `Accept` chooses. */
export const BASES: readonly Base[] = [
  ...VERSIONS.map((version) => ({ path: `/api/v${version}`, version })),
  ...VERSIONS.map((version) => ({ path: '/api', version, isInAccept: true })),
];

/** What paths begin with. */
export interface Base {
  readonly path: string;
  readonly version: number;
  /** Whether `Accept` names the version: then only requests that name this one come here. */
  readonly isInAccept?: boolean;
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
const VENDOR_TYPE = /^application\/vnd\.library\.v([1-9][0-9]*)\+json$/;
const UTF_8: ReadonlyMap<string, string> = new Map([['charset', 'utf-8']]);

/** The media type that names a version. */
export const vendorType = (version: number): string => `application/vnd.library.v${version}+json`;

/** `Accept` headers that are remembered with what they come to, for each base. */
const MOST_REMEMBERED = 100;

/** Makes every request of this context one of a version. */
export function negotiateVersion(
  app: FastifyInstance,
  { version, isInAccept = false }: Base,
): void {
  if (isInAccept) {
    app.addHook('onRoute', (route) => {
      route.constraints = { ...route.constraints, [ACCEPTED]: String(version) };
    });
  }
  // Clients send few different headers, and each always comes to the same.
  const remembered = new Map<string, Api>();
  const agree = (accept: string): Api => {
    const known = remembered.get(accept);
    if (known !== undefined) return known;
    const api = isInAccept ? versionFromAccept(accept) : versionFromPath(version, accept);
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

/** `Accept` names the version: the highest weight wins, then the highest version. */
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
      `Accept names no version that is served. Served: ${VERSIONS.map(vendorType).join(', ')}.`,
    );
  }
  return { version: chosen.version, base: '/api', mediaType: vendorType(chosen.version) };
}

const ACCEPTED = 'acceptedVersion';

/** Leads requests to the routes of the version that their `Accept` names: versions have their own. */
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
    // No route has the empty one.
    deriveConstraint: ({ url = '', headers }: IncomingMessage): string =>
      /^\/api\/v\d/.test(url) ? '' : acceptedVersion(headers.accept ?? ''),
  },
};

/** Clients send few different headers. */
const accepted = new Map<string, string>();

function acceptedVersion(header: string): string {
  const known = accepted.get(header);
  if (known !== undefined) return known;
  const version = triedVersion(header);
  if (accepted.size === MOST_REMEMBERED) accepted.clear();
  accepted.set(header, version);
  return version;
}

/** Empty where `Accept` names none: no route takes the request then, and it is told why. */
function triedVersion(header: string): string {
  try {
    return String(versionFromAccept(header).version);
  } catch {
    return '';
  }
}

/** @throws 400, 406 or 410 for what `Accept` says, or 404: the version does not have the path. */
export function refuseVersion({ headers, url }: FastifyRequest): never {
  const { version } = versionFromAccept(headers.accept ?? '');
  throw notFound(`There is nothing at ${url.split('?', 1)[0]} in version ${version}.`);
}
