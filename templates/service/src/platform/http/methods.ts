/**
 * Answers requests that match no route: OPTIONS with `Allow`, other methods of known paths with 405,
 * unknown paths with 404. It needs no version or credential, and reads neither the item nor the body.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';

import { HttpError, notFound } from './errors.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The longest parameter of a path: the size of all headers is limited anyway. */
export const MAX_PARAM_LENGTH = 16_384;

/** Fastify's router, with the routes of all versions: Fastify has no lookup by path. */
type Router = findMyWay.Instance<findMyWay.HTTPVersion.V1>;

/**
 * Registers the hooks. It must be called before the routes are registered, whose paths it collects.
 * @param refuseVersion throws for a request that a route of another version would match.
 */
export function answerUnmatchedRequests(
  app: FastifyInstance,
  refuseVersion?: (request: FastifyRequest) => never,
): void {
  const router: Router = findMyWay({ maxParamLength: MAX_PARAM_LENGTH });

  app.addHook('onRoute', ({ url, method }) => {
    // @fastify/cors has a route for OPTIONS of all paths.
    if (url === '*') return;
    for (const name of [method].flat() as findMyWay.HTTPMethod[]) {
      if (!router.hasRoute(name, url)) router.on(name, url, () => {});
    }
  });

  // For handlers that call `reply.callNotFound()`, such as those of @fastify/static.
  app.setNotFoundHandler((request) => {
    throw notFound(`There is nothing at ${pathOf(request)}.`);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (isUnmatched(request)) answerUnmatched(router, request, reply, refuseVersion);
    else done();
  });
}

/**
 * Whether a request matches no route of this service. The router also matches empty segments with
 * parameters, and OPTIONS requests with the `*` route of @fastify/cors.
 */
const isUnmatched = ({ is404, routeOptions, params }: FastifyRequest): boolean =>
  is404 || routeOptions.url === '*' || Object.values(params as object).includes('');

function answerUnmatched(
  router: Router,
  request: FastifyRequest,
  reply: FastifyReply,
  refuseVersion: ((request: FastifyRequest) => never) | undefined,
): FastifyReply {
  const path = pathOf(request);
  // `OPTIONS *` is about the server as a whole (RFC 9110, section 9.3.7).
  const methods: readonly string[] = path === '*' ? METHODS : methodsAt(router, path);
  if (methods.length === 0) throw notFound(`There is nothing at ${path}.`);
  const allow = METHODS.filter((name) => methods.includes(name) || name === 'OPTIONS').join(', ');
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send();
  if (methods.includes(request.method)) refuseVersion?.(request);
  throw new HttpError(405, `${request.method} is not supported here. Supported: ${allow}.`, {
    allow,
  });
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

/** The methods of the routes that match a path. */
const methodsAt = (router: Router, path: string): string[] =>
  METHODS.filter((name) => {
    const found = router.find(name, path);
    return found !== null && !Object.values(found.params).includes('');
  });
