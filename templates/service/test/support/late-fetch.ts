/** `lateFetch` sends requests whose body arrives later than their headers. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import type { FastifyInstance } from 'fastify';
import { vi } from 'vitest';

/** Milliseconds until the service has read the headers, at most. */
const LONGEST_WAIT = 10_000;

/**
 * A `fetch` that sends the headers and the first byte of the body, and the rest after `meanwhile`.
 * @param app the service that is called: it says when it waits for the body.
 */
export const lateFetch =
  (app: FastifyInstance, meanwhile: () => Promise<unknown>) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const body = Buffer.from(init.body as string);
    const headers = {
      ...Object.fromEntries(new Headers(init.headers)),
      'content-length': body.length,
    };
    const sent = request(url, { method: init.method, headers });
    const responded = once(sent, 'response') as Promise<[IncomingMessage]>;
    const before = app.arriving();
    sent.write(body.subarray(0, 1));
    await vi.waitUntil(() => app.arriving() > before, LONGEST_WAIT);
    await meanwhile();
    sent.end(body.subarray(1));
    const [response] = await responded;
    const content = await text(response);
    return new Response(content === '' ? null : content, {
      status: response.statusCode ?? 0,
      headers: response.headers as Record<string, string>,
    });
  };
