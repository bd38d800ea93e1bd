/** `HttpError`, the error to throw for clients, with a function for each common status. */
import { STATUS_CODES } from 'node:http';

/** The maximum length of a message, in UTF-16 code units. */
const MAX_MESSAGE_LENGTH = 4000;

/** The body of every error response. */
export interface ErrorPayload {
  /** The reason phrase of the status, as in the status line: `"Not Found"` for 404. */
  readonly status: string;
  /** A sentence that says what is wrong and what to do. */
  readonly message: string;
  /** The UUID of the request, also in `X-Request-Id` and in the log. */
  readonly request_id: string;
}

/**
 * An error that is answered with its status and message. Throw it anywhere in a request. Its `cause`
 * is logged and never sent.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly statusCode: number;
  /** Headers that the status requires: `Allow` for 405, `Retry-After` for 503. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    statusCode: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.statusCode = statusCode;
    this.headers = headers;
  }
}

/** 400: the request is malformed. */
export const badRequest = (message: string): HttpError => new HttpError(400, message);

/** 403: the caller lacks the permission. */
export const forbidden = (message: string): HttpError => new HttpError(403, message);

/** 404: the path or the item does not exist. */
export const notFound = (message: string): HttpError => new HttpError(404, message);

/** 406: no acceptable media type is served. */
export const notAcceptable = (message: string): HttpError => new HttpError(406, message);

/** 409: the request conflicts with stored data. */
export const conflict = (message: string, cause?: unknown): HttpError =>
  new HttpError(409, message, {}, cause);

/** 410: the item existed and was removed for good. */
export const gone = (message: string): HttpError => new HttpError(410, message);

/** 412: the item is not in the state that `If-Match` or `If-None-Match` demands. */
export const preconditionFailed = (message: string): HttpError => new HttpError(412, message);

/** 422: the body is well-formed, but its values are invalid. */
export const unprocessable = (message: string, cause?: unknown): HttpError =>
  new HttpError(422, message, {}, cause);

/** 503 with `Retry-After`. @param retryAfter seconds. */
export const unavailable = (message: string, retryAfter = 1, cause?: unknown): HttpError =>
  new HttpError(503, message, { 'retry-after': String(retryAfter) }, cause);

/** 503: the service has not finished starting. */
export const starting = (): HttpError =>
  unavailable('The service is starting and waits for its database: try again in a second.');

/** The payload of an error. The message of a 5xx must not reveal internals. */
export function errorPayload(statusCode: number, message: string, requestId: string): ErrorPayload {
  const status = STATUS_CODES[statusCode] ?? 'Unknown';
  return { status, message: shorten(message.toWellFormed()), request_id: requestId };
}

/** Truncates a message to the documented length without splitting a surrogate pair. */
function shorten(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  return `${message.slice(0, MAX_MESSAGE_LENGTH - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
