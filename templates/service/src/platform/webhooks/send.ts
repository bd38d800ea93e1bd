/** Sends one HTTP request to a receiver, and reads its answer. */
import { request as sendHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as sendHttps } from 'node:https';
import { isIP } from 'node:net';

import { hostOf, isPublicAddress, lookupPublic, PrivateAddress } from './receiver-url.ts';
import type { ReceiverRules, Resolve } from './receiver-url.ts';

/** A request to a receiver: always a POST of JSON. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a receiver answered. */
export interface ReceiverAnswer {
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;
  /** Why the attempt failed; null if it succeeded. */
  readonly error: string | null;
  /** Seconds that the receiver asks to wait, if it does. */
  readonly retryAfter?: number | undefined;
}

/** What tests replace. */
interface SendOptions {
  readonly resolve?: Resolve;
  /** Milliseconds for everything, from the name lookup to the last byte of the answer. */
  readonly timeout?: number;
}

/** Milliseconds for one attempt, as Standard Webhooks recommends. */
export const ATTEMPT_TIMEOUT = 15_000;
/** Bytes of an answer that are read. */
const MAX_ANSWER_BYTES = 4_096;
/** Characters of an answer that an error quotes. */
const MAX_QUOTED = 500;

/**
 * Sends a request once. Redirects are not followed, connections are not reused, and proxies of the
 * environment are not used. It never throws.
 * @param signal aborts when the process shuts down.
 */
export async function send(
  { url, headers, body }: OutgoingRequest,
  { allowPrivate }: Pick<ReceiverRules, 'allowPrivate'>,
  signal: AbortSignal,
  { resolve, timeout = ATTEMPT_TIMEOUT }: SendOptions = {},
): Promise<ReceiverAnswer> {
  const deadline = AbortSignal.timeout(timeout);
  try {
    const target = new URL(url);
    const host = hostOf(target);
    // A literal address is not looked up.
    if (!allowPrivate && isIP(host) > 0 && !isPublicAddress(host)) throw new PrivateAddress(host);
    const response = await new Promise<IncomingMessage>((answered, failed) => {
      const open = target.protocol === 'https:' ? sendHttps : sendHttp;
      open(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'webhooks/1.0', ...headers },
        agent: false,
        signal: AbortSignal.any([signal, deadline]),
        ...(!allowPrivate && { lookup: lookupPublic(resolve) }),
      })
        .on('response', answered)
        .on('error', failed)
        // A listener for 101 Switching Protocols; without one the request would end without any other event.
        .on('upgrade', (_response, socket) => {
          socket.destroy();
          failed(new Error('the receiver switched protocols (101)'));
        })
        // After each of these this has no effect.
        .on('close', () => failed(new Error('the connection was closed without an answer')))
        .end(body);
    });
    return await readAnswer(response);
  } catch (error) {
    return { status: null, error: reasonOf(error, deadline, timeout) };
  }
}

async function readAnswer(response: IncomingMessage): Promise<ReceiverAnswer> {
  const { statusCode: status = 0, statusMessage = '', headers } = response;
  const text = await readBeginning(response);
  if (status >= 200 && status < 300) return { status, error: null };
  const reason = `The receiver answered ${status} ${statusMessage}`.trim();
  const redirected = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
  return {
    status,
    error: storable(`${reason}.${redirected}${text === '' ? '' : ` ${text}`}`),
    retryAfter: secondsOf(headers['retry-after']),
  };
}

/** The beginning of an answer; empty if it cannot be read. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    return '';
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8').slice(0, MAX_QUOTED);
}

/** The seconds of `Retry-After`, which may be a date (RFC 9110, section 10.2.3). */
function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function reasonOf(error: unknown, deadline: AbortSignal, timeout: number): string {
  if (deadline.aborted) return `The receiver did not answer within ${timeout / 1000} seconds.`;
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return storable(`The request failed: ${first instanceof Error ? first.message : String(first)}.`);
}

/** The text without control characters and lone surrogates, which PostgreSQL does not store. */
const storable = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .slice(0, 2 * MAX_QUOTED)
    .toWellFormed();
