/** Reads collections of a running service, as an administrator. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { ServiceDefinition } from '../definition/types.ts';

/** Where a service is, and what it is read with. */
export interface ServiceAccess {
  readonly origin: string;
  /** An access token of an administrator. */
  readonly token: string;
  /** Aborts requests. */
  readonly signal: AbortSignal;
}

/** A response of the service. */
export interface ServiceResponse {
  /** Undefined if there is no response. */
  readonly status: number | undefined;
  /** For messages: `answers 404`, `does not answer within 60 seconds`. */
  readonly outcome: string;
  /** The JSON; undefined if there is none. */
  readonly body: unknown;
  /** The path of the next page of a list; undefined on the last one. */
  readonly next: string | undefined;
}

/** Reads a path below that of the version, or one that a `Link` names. */
export type ReadService = (path: string) => Promise<ServiceResponse>;

/** Milliseconds for one response. */
const TIMEOUT = 60_000;
/** How often a busy service is asked again, and milliseconds between that. */
const MOST_ATTEMPTS = 10;
const PAUSE = 500;

/** @returns a function that reads the current version of the service. */
export function serviceReader(
  { name, versions, versioning }: Pick<ServiceDefinition, 'name' | 'versions' | 'versioning'>,
  { origin, token, signal }: ServiceAccess,
): ReadService {
  const version = versions.at(-1) ?? 1;
  const base = versioning.includes('path') ? `/api/v${version}/` : '/api/';
  const headers = {
    authorization: `Bearer ${token}`,
    accept: `application/vnd.${name}.v${version}+json`,
  };
  const readOnce = async (path: string): Promise<ServiceResponse> => {
    try {
      // Whatever a link names, the token goes to no other host.
      const { pathname, search } = new URL(path, `${origin}${base}`);
      const url = new URL(pathname + search, origin);
      const response = await fetch(url, {
        headers,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
      });
      const { status } = response;
      return {
        status,
        outcome: `answers ${status}`,
        body: parsed(await response.text()),
        next: nextPage(response.headers.get('link') ?? ''),
      };
    } catch (error) {
      signal.throwIfAborted();
      return { status: undefined, outcome: outcomeOf(error), body: undefined, next: undefined };
    }
  };
  return async (path) => {
    for (let attempt = 1; ; attempt++) {
      const response = await readOnce(path);
      const isBusy = response.status === 503 || response.status === 429;
      if (!isBusy || attempt === MOST_ATTEMPTS) return response;
      await sleep(PAUSE, undefined, { signal });
    }
  };
}

const NEXT_RELATION = '>; rel="next"';

/** The target of the link to the next page (RFC 8288); undefined on the last one. */
const nextPage = (links: string): string | undefined =>
  links
    .split(', ')
    .find((link) => link.startsWith('<') && link.endsWith(NEXT_RELATION))
    ?.slice(1, -NEXT_RELATION.length);

/** What is said of a request that failed. */
function outcomeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `does not answer within ${TIMEOUT / 1000} seconds`;
  }
  const { message, cause } = error as { message?: string; cause?: { code?: string } };
  return `fails (${cause?.code ?? message})`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
