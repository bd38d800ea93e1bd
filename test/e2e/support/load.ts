/** Clients that ask a service for as long as they are told, and what became of each request. */
import http from 'node:http';

import { AUTHORIZATION } from './project.ts';

/** What the clients saw. */
export interface Seen {
  /** How often each status was answered. */
  readonly statuses: Record<number, number>;
  /** The names of authors that were acknowledged. */
  readonly acknowledged: string[];
  /** Answers that break the promise of all answers. */
  readonly violations: string[];
  /** Requests that were cut off on a connection that had been answered on before. */
  cut: number;
  /** Requests on new connections that were not taken. */
  refused: number;
}

export interface Load {
  readonly seen: Seen;
  /** Waits for the requests that are under way. */
  readonly stop: () => Promise<Seen>;
}

/** Lets so many clients make authors, one after the other, each on a connection that it keeps. */
export function makeAuthors(origin: string, clients: number, prefix: string): Load {
  const seen: Seen = { statuses: {}, acknowledged: [], violations: [], cut: 0, refused: 0 };
  const stopped = new AbortController();
  const client = async (number: number): Promise<void> => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let at = 0; !stopped.signal.aborted; at++)
      await makeAuthor(origin, agent, `${prefix} ${number} ${at}`, seen);
    agent.destroy();
  };
  const done = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return {
    seen,
    stop: async () => {
      stopped.abort();
      await done;
      return seen;
    },
  };
}

function makeAuthor(origin: string, agent: http.Agent, name: string, seen: Seen): Promise<void> {
  return new Promise((resolve) => {
    const body = JSON.stringify({ name });
    const request = http.request(`${origin}/api/v1/authors`, {
      method: 'POST',
      agent,
      headers: {
        authorization: AUTHORIZATION,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('error', () => {
        seen.cut++;
        resolve();
      });
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        seen.statuses[statusCode] = (seen.statuses[statusCode] ?? 0) + 1;
        if (statusCode === 201) seen.acknowledged.push(name);
        else if (!isRefusal(statusCode, headers, text))
          seen.violations.push(`${statusCode}: ${text}`);
        resolve();
      });
    });
    request.on('error', () => {
      if (request.reusedSocket) seen.cut++;
      else seen.refused++;
      // A service that is away is not asked without a pause.
      setTimeout(resolve, 20);
    });
    request.end(body);
  });
}

/** A refusal that tells when to come again, in the payload of all errors. */
function isRefusal(status: number, headers: http.IncomingHttpHeaders, text: string): boolean {
  if (status !== 429 && status !== 503) return false;
  const payload = JSON.parse(text) as Record<string, unknown>;
  return (
    Object.keys(payload).toSorted().join() === 'message,request_id,status' &&
    payload['request_id'] === headers['x-request-id'] &&
    /^[1-9]\d*$/.test(headers['retry-after'] ?? '')
  );
}
