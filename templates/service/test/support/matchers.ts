/** The matchers `toHaveStatus` and `toBeError` for responses. */
import { STATUS_CODES } from 'node:http';

import { expect } from 'vitest';

import type { Answer } from './service.ts';

declare module 'vitest' {
  interface Matchers<T> {
    /** The response has this status; the failure message shows its body. */
    toHaveStatus(status: number): T;
    /** The response has this status and the error payload, whose message names each of `named`. */
    toBeError(status: number, ...named: string[]): T;
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

expect.extend({
  toHaveStatus(answer: Answer, status: number) {
    return {
      pass: answer.status === status,
      message: () => `expected ${status}, got ${show(answer)}`,
    };
  },

  toBeError(answer: Answer, status: number, ...named: string[]) {
    const problem = problemOf(answer, status, named);
    return {
      pass: problem === undefined,
      message: () => `${problem ?? 'it is that error'}, in ${show(answer)}`,
    };
  },
});

/** Why a response is not this error; undefined if it is. */
function problemOf({ status, headers, body }: Answer, wanted: number, named: readonly string[]) {
  if (status !== wanted) return `expected ${wanted}`;
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return 'its type is wrong';
  const payload = body as Readonly<Record<string, unknown>>;
  if (Object.keys(payload).toSorted().join() !== 'message,request_id,status') {
    return 'it must have exactly status, message and request_id';
  }
  if (payload['status'] !== STATUS_CODES[wanted])
    return `its status must be ${STATUS_CODES[wanted]}`;
  const { message, request_id: id } = payload;
  if (typeof id !== 'string' || !UUID.test(id)) return 'its request_id must be a UUID';
  if (headers.get('x-request-id') !== id) return 'X-Request-Id must be its request_id';
  if (typeof message !== 'string' || message === '') return 'its message must be a sentence';
  const missing = named.filter((name) => !names(message, name));
  return missing.length === 0 ? undefined : `its message must name ${missing.join(' and ')}`;
}

/** Whether a message names a member as a whole word, and not as part of a longer path. */
function names(message: string, name: string): boolean {
  const literal = name.replace(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w.])${literal}(?![\w[]|\.\w)`, 'u').test(message);
}

const show = ({ status, body }: Answer): string =>
  `${status} ${JSON.stringify(body, undefined, 2)}`;
