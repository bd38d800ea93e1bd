/** `sendRequest` sends a request over a kept-alive connection. It takes a quarter of the time of `fetch`. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import type { FastifyInstance } from 'fastify';
import { vi } from 'vitest';

/** Milliseconds until the service has read the headers, at most. */
const LONGEST_WAIT = 10_000;

interface Message {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/**
 * Sends a request and reads the response.
 * @param app the service that is called: it says when it waits for the body.
 * @param meanwhile runs between the first byte of the body and the rest.
 */
export async function sendRequest(
  app: FastifyInstance,
  url: string,
  { method, headers, body }: Message,
  meanwhile?: () => Promise<unknown>,
): Promise<{ status: number; headers: Headers; content: string }> {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const length = bytes && { 'content-length': bytes.length };
  const sent = request(url, { method, headers: { ...headers, ...length } });
  const responded = once(sent, 'response') as Promise<[IncomingMessage]>;
  // The service may answer, and close the connection, before the whole body is sent.
  sent.on('error', () => {});
  if (meanwhile !== undefined) {
    const before = app.arriving();
    sent.write(bytes?.subarray(0, 1));
    await vi.waitUntil(() => app.arriving() > before, LONGEST_WAIT);
    await meanwhile();
  }
  sent.end(meanwhile === undefined ? bytes : bytes?.subarray(1));
  const [response] = await responded;
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(response.headers as Record<string, string>),
    content: await text(response),
  };
}
