/**
 * Every error that this service answers: one class, one fixed payload, one place that turns
 * whatever went wrong into them.
 */
import { STATUS_CODES } from 'node:http';

/** The longest message of an error, in UTF-16 units. */
const LONGEST_MESSAGE = 4000;

/** What a client reads of any error: exactly these three members. */
export interface ErrorPayload {
  /** The reason phrase of the status, as in the status line: `"Not Found"` for 404. */
  readonly status: string;
  /** For a person: what was wrong, and what to do instead. */
  readonly message: string;
  /** The UUID of the request, also in `X-Request-Id` and in the log. */
  readonly request_id: string;
}

/** An error with its HTTP status, for a client to read. Throw it anywhere in a request. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly statusCode: number;
  /** Headers that belong to the status: `Allow` for 405, `Retry-After` for 503. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(statusCode: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.statusCode = statusCode;
    this.headers = headers;
  }
}

/** 400: the request cannot be understood. */
export const badRequest = (message: string): HttpError => new HttpError(400, message);

/** 403: the caller is known, and may not do this. */
export const forbidden = (message: string): HttpError => new HttpError(403, message);

/** 404: there is no such path or item. */
export const notFound = (message: string): HttpError => new HttpError(404, message);

/** 406: none of the formats that the client accepts is served. */
export const notAcceptable = (message: string): HttpError => new HttpError(406, message);

/** 409: the request clashes with what is stored. */
export const conflict = (message: string): HttpError => new HttpError(409, message);

/** 410: it was there, it was removed, and it will not come back. */
export const gone = (message: string): HttpError => new HttpError(410, message);

/** 412: an item is not in the state that the client says it is in. */
export const preconditionFailed = (message: string): HttpError => new HttpError(412, message);

/** 422: the body was understood, and its values are not acceptable. */
export const unprocessable = (message: string): HttpError => new HttpError(422, message);

/** 503: try again later. `retryAfter` is in seconds. */
export const unavailable = (message: string, retryAfter = 1): HttpError =>
  new HttpError(503, message, { 'retry-after': String(retryAfter) });

/** The payload of an error; a 5xx says nothing about the insides. */
export function errorPayload(statusCode: number, message: string, requestId: string): ErrorPayload {
  const status = STATUS_CODES[statusCode] ?? 'Unknown';
  return { status, message: shorten(message.toWellFormed()), request_id: requestId };
}

/** Cuts a message to the length that clients are promised, never within a character. */
function shorten(message: string): string {
  if (message.length <= LONGEST_MESSAGE) return message;
  return `${message.slice(0, LONGEST_MESSAGE - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
