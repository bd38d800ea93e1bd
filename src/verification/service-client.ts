/** Reads collections of a running service, as an administrator. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { ServiceDefinition } from '../definition/types.ts';

/** A service that runs. */
export interface RunningService {
  readonly origin: string;
  /** An access token of an administrator. */
  readonly token: string;
  readonly signal: AbortSignal;
}

/** An answer of the service. */
export interface Answer {
  readonly status: number;
  /** The JSON; undefined if there is none. */
  readonly body: unknown;
  /** The path of the next page of a list; undefined on the last one. */
  readonly next: string | undefined;
}

/** Reads a path below that of the version, or one that another answer named. */
export type ReadService = (path: string) => Promise<Answer>;

/** Milliseconds for one answer. */
const TIMEOUT = 60_000;
/** How often a busy service is asked again, and milliseconds between that. */
const MOST_ATTEMPTS = 10;
const PAUSE = 500;
const NEXT = /<([^>]*)>; rel="next"/;

/** @returns what reads the current version of the service. */
export function serviceReader(
  { name, versions, versioning }: Pick<ServiceDefinition, 'name' | 'versions' | 'versioning'>,
  { origin, token, signal }: RunningService,
): ReadService {
  const version = versions.at(-1) ?? 1;
  const base = versioning.includes('path') ? `/api/v${version}` : '/api';
  const headers = {
    authorization: `Bearer ${token}`,
    accept: `application/vnd.${name}.v${version}+json`,
  };
  const readOnce = async (url: URL): Promise<Answer> => {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
    const response = await fetch(url, { headers, signal: limits });
    const text = await response.text();
    return {
      status: response.status,
      body: parsed(text),
      next: NEXT.exec(response.headers.get('link') ?? '')?.[1],
    };
  };
  return async (path) => {
    // Links are whole where PUBLIC_URL is set.
    const { pathname, search } = new URL(path.startsWith('/') ? path : `${base}/${path}`, origin);
    const url = new URL(pathname + search, origin);
    for (let attempt = 1; ; attempt++) {
      const answer = await readOnce(url);
      const isBusy = answer.status === 503 || answer.status === 429;
      if (!isBusy || attempt === MOST_ATTEMPTS) return answer;
      await sleep(PAUSE, undefined, { signal });
    }
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
