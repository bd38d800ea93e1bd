/** Answers all errors with the fixed payload: of handlers, of the router, and of the HTTP parser. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type {
  ConnectionError,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
} from 'fastify';

import { DatabaseUnavailable } from '../database/unavailable.ts';
import { errorPayload, HttpError, notFound, unavailable } from './errors.ts';
import { requestId } from './request.ts';

const CONTENT_TYPE = 'application/json; charset=utf-8';

/** Milliseconds until a socket is destroyed after an error was written to it. */
const SOCKET_LINGER = 1_000;

/** The latest response of each socket. */
const latestResponse = new WeakMap<Socket, ServerResponse>();

/** Called for each error that is answered without a Fastify request. */
export type OnMalformed = (status: number, requestId: string, reason: string) => void;

/** Registers the error handler, and the listeners for requests that do not reach Fastify. */
export function answerErrors(app: FastifyInstance, onMalformed: OnMalformed): void {
  app.setErrorHandler(async (error, request, reply) => sendError(error, request, reply));
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    latestResponse.set(socket, response);
  });
  // `prepareRequests` refuses it: Node would answer without the error payload.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
  app.server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const id = requestId(request);
    onMalformed(405, id, 'CONNECT');
    writeError(socket, 405, 'CONNECT is not supported.', { id, headers: { allow: '' } });
  });
}

/** Sends one error. Internal details are stored in `request.failure` for the log only. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { statusCode, message, headers } = asHttpError(error, request);
  if (error instanceof HttpError) request.failure = error.cause;
  else if (statusCode >= 500) request.failure = error;
  return reply
    .code(statusCode)
    .headers({ ...headers, 'x-request-id': request.id, vary: reply.getHeader('vary') ?? 'Accept' })
    .type(CONTENT_TYPE)
    .send(errorPayload(statusCode, message, request.id));
}

/** Answers errors of the HTTP parser: malformed requests, oversized headers, and timeouts. */
export function answerClientError(
  error: ConnectionError,
  socket: Socket,
  onMalformed: OnMalformed,
): void {
  // More bytes of a broken request that was answered already.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [statusCode, message] = CLIENT_ERRORS[error.code] ?? [
    400,
    'The request is not well-formed HTTP/1.1.',
  ];
  const earlier = latestResponse.get(socket);
  if (earlier?.req.complete === false && !earlier.headersSent) {
    // The body of a request is malformed or late. `logRequests` logs the request when the socket closes.
    earlier.statusCode = statusCode;
    writeError(socket, statusCode, message, { id: requestId(earlier.req) });
    return;
  }
  const id = randomUUID();
  onMalformed(statusCode, id, error.code);
  const received: unknown = error.rawPacket;
  const isHead = Buffer.isBuffer(received) && received.toString('latin1', 0, 5) === 'HEAD ';
  const answer = (): void => writeError(socket, statusCode, message, { id, isHead });
  // A pipelined request before the malformed one is answered first.
  if (earlier?.req.complete === true && !earlier.writableFinished) earlier.once('finish', answer);
  else answer();
}

const CLIENT_ERRORS: Readonly<Record<string, readonly [statusCode: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

const UNAVAILABLE = {
  unreachable: 'The database is unreachable: try again in a second.',
  busy: 'The service is busy: try again in a second.',
} as const;

function asHttpError(error: unknown, request: FastifyRequest): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof DatabaseUnavailable) {
    return unavailable(UNAVAILABLE[error.reason]);
  }
  const { code, statusCode = 500, message } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const { bodyLimit } = request.routeOptions;
    return new HttpError(413, `The body is larger than ${bodyLimit} bytes.`);
  }
  // The path has an invalid percent-encoding.
  if (code === 'FST_ERR_BAD_URL') return notFound('There is nothing at this path.');
  if (statusCode >= 400 && statusCode < 500) return new HttpError(statusCode, message ?? '');
  return new HttpError(500, 'An internal error occurred.');
}

/** Writes an error to a socket that Node has detached from its HTTP server, and closes it. */
function writeError(
  socket: Socket,
  statusCode: number,
  message: string,
  {
    id,
    isHead = false,
    headers = {},
  }: { id: string; isHead?: boolean; headers?: Record<string, string> },
): void {
  const payload = JSON.stringify(errorPayload(statusCode, message, id));
  const lines = Object.entries({
    ...headers,
    'content-type': CONTENT_TYPE,
    'content-length': String(Buffer.byteLength(payload)),
    'x-request-id': id,
    vary: 'Accept',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  // Without a listener an error of the detached socket would end the process; without `resume` its
  // end would not be noticed.
  socket.on('error', () => socket.destroy());
  socket.resume();
  setTimeout(() => socket.destroy(), SOCKET_LINGER).unref();
  socket.end(
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${isHead ? '' : payload}`,
  );
}
