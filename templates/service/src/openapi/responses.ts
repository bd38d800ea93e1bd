/** The headers of answers, and the answers that are errors. */
import { STATUS_CODES } from 'node:http';

import { errorPayload } from '../http/errors.ts';
import { refer } from './draft.ts';
import type { Draft } from './draft.ts';
import type { Reference, Response, Responses } from './types.ts';

/** The identifier of a request, as examples show it. */
const EXAMPLE_REQUEST = '5f0c6ee2-1d0f-4c6e-9a61-3f1f3f0a2b77';

const HEADERS = {
  'X-Request-Id': {
    description:
      'The identifier of this request, also in the log: that of the client if it sent a UUID.',
    schema: { type: 'string', format: 'uuid' },
    example: EXAMPLE_REQUEST,
  },
  Vary: {
    description: 'The request headers that the answer depends on.',
    schema: { type: 'string' },
    example: 'Accept',
  },
  Location: {
    description: 'Where the item is from now on.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  Link: {
    description:
      'The pages beside this one (RFC 8288): `next` unless this is the last, `prev` unless it is the first, and `first`. They keep all other parameters of the request.',
    schema: { type: 'string' },
  },
  'Total-Count': {
    description: 'How many items the whole list has; only with `count=true`.',
    schema: { type: 'integer', minimum: 0 },
    example: 42,
  },
  'Cache-Control': {
    description: 'What may be kept of the answer (RFC 9111).',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The revision that was answered (RFC 9110, section 8.8.3).',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: 'That this is the first answer to this `Idempotency-Key`, once more.',
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': {
    description: 'The credentials that would do (RFC 9110, section 11.6.1).',
    schema: { type: 'string' },
    example: 'Bearer, Basic realm="…", charset="UTF-8"',
  },
  'Retry-After': {
    description: 'After how many seconds it is worth another try.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  Accept: {
    description: 'The media types that a body may have.',
    schema: { type: 'string' },
  },
  'Accept-Patch': {
    description: 'The media types that the body of a PATCH may have (RFC 5789, section 2.2).',
    schema: { type: 'string' },
  },
} as const;

type HeaderName = keyof typeof HEADERS;

/** Headers of an answer, with those that all have. */
export const headers = (
  draft: Draft,
  ...names: readonly HeaderName[]
): Readonly<Record<string, Reference>> =>
  Object.fromEntries(
    ['X-Request-Id' as const, 'Vary' as const, ...names].map((name) => [
      name,
      refer(draft, 'headers', name, () => HEADERS[name]),
    ]),
  );

/** What is told of an error. */
interface ErrorPart {
  readonly status: number;
  /** Where it stands under `components`; without it, it stands where it is used. */
  readonly name?: string;
  readonly description: string;
  /** An example of its message. */
  readonly message: string;
  readonly headers?: readonly HeaderName[];
}

const ERRORS = {
  badRequest: {
    status: 400,
    description:
      'The request is not understood: a parameter that is unknown or wrong, a body that is not JSON.',
    message: 'The query has an unknown parameter: "colour". None is known here.',
  },
  credentialNeeded: {
    status: 401,
    name: 'CredentialNeeded',
    description: 'The credential is missing, wrong, expired or revoked.',
    message: 'This needs a credential in Authorization.',
    headers: ['WWW-Authenticate'],
  },
  credentialWrong: {
    status: 401,
    name: 'CredentialWrong',
    description: 'None is needed, but the credential that was sent is wrong, expired or revoked.',
    message: 'The token is wrong, expired or revoked.',
    headers: ['WWW-Authenticate'],
  },
  forbidden: {
    status: 403,
    description: 'The caller is known, and may not do this.',
    message: 'You may not do this.',
  },
  notFound: {
    status: 404,
    description: 'There is no such item, and never was.',
    message: 'There is no item with this id.',
  },
  notAcceptable: {
    status: 406,
    description: 'None of the formats in `Accept` is served.',
    message: 'This path answers application/json: name it in Accept.',
  },
  gone: {
    status: 410,
    description: 'The item was removed, and will never be there again.',
    message: 'The item was removed for good.',
  },
  preconditionFailed: {
    status: 412,
    description: 'The item is not in the state that the request names.',
    message: 'This is not in the state that the request names: get it again, and its ETag.',
  },
  tooLarge: {
    status: 413,
    description: 'The body is too large.',
    message: 'The body is larger than 1048576 bytes.',
  },
  unsupported: {
    status: 415,
    description: 'The body is not in a format that is taken, or it is encoded.',
    message: 'A body must be JSON in UTF-8: name it application/json in Content-Type.',
    headers: ['Accept'],
  },
  unsupportedPatch: {
    status: 415,
    name: 'UnsupportedPatch',
    description: 'The body is not in a format that is taken, or it is encoded.',
    message: 'A body must be JSON in UTF-8: name it application/merge-patch+json in Content-Type.',
    headers: ['Accept-Patch'],
  },
  unprocessable: {
    status: 422,
    description: 'The values are not acceptable; the message names each and says why.',
    message: 'title is required; price must be a decimal number as text.',
  },
  preconditionRequired: {
    status: 428,
    description: '`If-Match` is needed.',
    message: 'If-Match is needed: send the ETag that you have read, or * where any state will do.',
  },
  tooMany: {
    status: 429,
    description: 'Too many requests, or too many wrong passwords, from one address.',
    message: 'More than 600 requests a minute: try again in 12 s.',
    headers: ['Retry-After'],
  },
  unforeseen: {
    status: 500,
    description: 'Something went wrong here; the log says what, under the `request_id`.',
    message: 'Something went wrong here, and it is not the fault of the request.',
  },
  unavailable: {
    status: 503,
    description: 'The service cannot do its work for the moment.',
    message: 'The database is away for the moment: try again in a second.',
    headers: ['Retry-After'],
  },
} as const satisfies Record<string, ErrorPart>;

/** The errors that an operation may answer. */
export type ErrorName = keyof typeof ERRORS;

/** Errors of an operation, by status. */
export const errors = (draft: Draft, ...names: readonly ErrorName[]): Responses =>
  Object.fromEntries(
    names.map((name) => {
      const error: ErrorPart = ERRORS[name];
      const component =
        error.name ?? (STATUS_CODES[error.status] ?? '').replaceAll(/[^A-Za-z]/g, '');
      return [
        error.status,
        refer(draft, 'responses', component, () => errorResponse(draft, error)),
      ];
    }),
  );

/** 409: what it clashes with depends on the operation. */
export const conflict = (draft: Draft, description: string): Responses => ({
  409: errorResponse(draft, { status: 409, description, message: description }),
});

const errorResponse = (draft: Draft, error: ErrorPart): Response => ({
  description: error.description,
  headers: headers(draft, ...(error.headers ?? [])),
  content: {
    'application/json': {
      schema: refer(draft, 'schemas', 'Error', () => ERROR),
      example: errorPayload(error.status, error.message, EXAMPLE_REQUEST),
    },
  },
});

/** The one payload of all errors. */
const ERROR = {
  type: 'object',
  description: 'What every error is answered with, whatever went wrong.',
  properties: {
    status: { type: 'string', description: 'The name of the HTTP status.' },
    message: {
      type: 'string',
      maxLength: 4000,
      description: 'For a person: what was wrong, and what to do instead.',
    },
    request_id: {
      type: 'string',
      format: 'uuid',
      description: 'The identifier of the request, also in `X-Request-Id` and in the log.',
    },
  },
  required: ['status', 'message', 'request_id'],
  additionalProperties: false,
};
