/** Turns whatever goes wrong into the one error payload, from the router down to the socket. */
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
import { requestId } from './request-id.ts';

const CONTENT_TYPE = 'application/json; charset=utf-8';

/** Milliseconds that a client has to read the answer on a socket that is given up. */
const LINGER = 1_000;

/** The answers that are under way, by the socket that they go to. */
const underWay = new WeakMap<Socket, ServerResponse>();

/** Told of each answer to what never became a request. */
export type OnMalformed = (status: number, requestId: string, reason: string) => void;

/** Answers errors of routes, and those that come before any route. */
export function answerErrors(app: FastifyInstance, onMalformed: OnMalformed): void {
  app.setErrorHandler(async (error, request, reply) => sendError(error, request, reply));
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    underWay.set(socket, response);
  });
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    onMalformed(417, requestId(request), 'Expect');
    refuseExpectation(request, response);
  });
  app.server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const id = requestId(request);
    onMalformed(405, id, 'CONNECT');
    writeError(socket, 405, 'CONNECT is not possible here.', { id, headers: { allow: '' } });
  });
}

/** Answers one error. What is not meant for clients goes to the log alone. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { statusCode, message, headers } = asHttpError(error, request);
  if (statusCode >= 500 && !(error instanceof HttpError)) request.failure = error;
  return reply
    .code(statusCode)
    .headers({ ...headers, 'x-request-id': request.id, vary: reply.getHeader('vary') ?? 'Accept' })
    .type(CONTENT_TYPE)
    .send(errorPayload(statusCode, message, request.id));
}

/** Answers what never became a request: a malformed one, headers too large, one too slow. */
export function answerClientError(
  error: ConnectionError,
  socket: Socket,
  onMalformed: OnMalformed,
): void {
  // Answered already: more of the same broken request has come in since.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [statusCode, message] = CLIENT_ERRORS[error.code] ?? [
    400,
    'The request is not well-formed HTTP/1.1.',
  ];
  const earlier = underWay.get(socket);
  if (earlier?.req.complete === false && !earlier.headersSent) {
    // A request whose body is cut short: it ends with its socket, and its line is logged then.
    earlier.statusCode = statusCode;
    writeError(socket, statusCode, message, { id: requestId(earlier.req) });
    return;
  }
  const id = randomUUID();
  onMalformed(statusCode, id, error.code);
  const received: unknown = error.rawPacket;
  const isHead = Buffer.isBuffer(received) && received.toString('latin1', 0, 5) === 'HEAD ';
  const answer = (): void => writeError(socket, statusCode, message, { id, isHead });
  // What is malformed may stand behind a request that is being answered: that goes first.
  if (earlier?.req.complete === true && !earlier.writableFinished) earlier.once('finish', answer);
  else answer();
}

const CLIENT_ERRORS: Readonly<Record<string, readonly [statusCode: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

const UNAVAILABLE = {
  away: 'The database is away for the moment: try again in a second.',
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
  // An escape in the path that is broken: no item has such a path.
  if (code === 'FST_ERR_BAD_URL') return notFound('There is nothing at this path.');
  if (statusCode >= 400 && statusCode < 500) return new HttpError(statusCode, message ?? '');
  return new HttpError(500, 'Something went wrong here, and it is not the fault of the request.');
}

/** An `Expect` header other than 100-continue (RFC 9110, section 10.1.1). */
function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const id = requestId(request);
  const payload = JSON.stringify(errorPayload(417, 'Only 100-continue can be expected.', id));
  response.writeHead(417, {
    'content-type': CONTENT_TYPE,
    'content-length': Buffer.byteLength(payload),
    'x-request-id': id,
    vary: 'Accept',
    connection: 'close',
  });
  response.end(payload);
}

/** Writes an answer to a socket that Node gave up on, and ends it. */
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
  // Node has let go of the socket: an error of it would end the process, and its end go unseen.
  socket.on('error', () => socket.destroy());
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER).unref();
  socket.end(
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${isHead ? '' : payload}`,
  );
}
