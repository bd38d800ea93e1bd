/**
 * Answers requests that match no route: OPTIONS with `Allow`, other methods of known paths with 405,
 * unknown paths with 404. It needs no version or credential, and reads neither the item nor the body.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { HttpError, notFound } from './errors.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A node of the tree of all route paths. */
interface PathNode {
  /** By segment; `:` stands for a parameter, which matches any segment that is not empty. */
  readonly children: Map<string, PathNode>;
  /** The methods of the routes at this path. */
  readonly methods: Set<string>;
}

const newNode = (): PathNode => ({ children: new Map(), methods: new Set() });

/**
 * Registers the hooks. It must be called before the routes are registered, whose paths it collects.
 * @param refuseVersion throws for a request that a route of another version would match.
 */
export function answerUnmatchedRequests(
  app: FastifyInstance,
  refuseVersion?: (request: FastifyRequest) => never,
): void {
  const root = newNode();

  app.addHook('onRoute', ({ url, method }) => {
    let node = root;
    for (const segment of url.split('/')) {
      const name = segment.startsWith(':') ? ':' : segment;
      const next = node.children.get(name) ?? newNode();
      node.children.set(name, next);
      node = next;
    }
    for (const name of [method].flat()) node.methods.add(name);
  });

  // For handlers that call `reply.callNotFound()`, such as those of @fastify/static.
  app.setNotFoundHandler((request) => {
    throw notFound(`There is nothing at ${pathOf(request)}.`);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (isUnmatched(request)) answerUnmatched(root, request, reply, refuseVersion);
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
  root: PathNode,
  request: FastifyRequest,
  reply: FastifyReply,
  refuseVersion: ((request: FastifyRequest) => never) | undefined,
): FastifyReply {
  const path = pathOf(request);
  // `OPTIONS *` is about the server as a whole (RFC 9110, section 9.3.7).
  const methods = path === '*' ? new Set(METHODS) : methodsAt(root, path);
  if (methods.size === 0) throw notFound(`There is nothing at ${path}.`);
  const allow = METHODS.filter((name) => methods.has(name) || name === 'OPTIONS').join(', ');
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send();
  if (methods.has(request.method)) refuseVersion?.(request);
  throw new HttpError(405, `${request.method} is not supported here. Supported: ${allow}.`, {
    allow,
  });
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

/** The methods of the routes that match a path. */
function methodsAt(root: PathNode, path: string): ReadonlySet<string> {
  let node: PathNode | undefined = root;
  for (const segment of path.split('/')) {
    node =
      node.children.get(decode(segment)) ?? (segment === '' ? undefined : node.children.get(':'));
    if (node === undefined) return new Set();
  }
  return node.methods;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
