/**
 * What a path answers to the methods it has no route for: OPTIONS tells what it has, all others get
 * 405 with `Allow`; and what a path answers that there is nothing at. None of them needs a version,
 * or looks at the item or the body.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { HttpError, notFound } from './errors.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A place in the tree of all paths. */
interface PathNode {
  /** By segment; one for any segment stands under the empty name. */
  readonly below: Map<string, PathNode>;
  /** The methods that have a route here. */
  readonly methods: Set<string>;
}

const newNode = (): PathNode => ({ below: new Map(), methods: new Set() });

/**
 * Answers requests that no route takes, on the paths that are registered after it and elsewhere.
 * @param otherwise throws for a request whose path has the method, but not in its version.
 */
export function answerOtherMethods(
  app: FastifyInstance,
  otherwise?: (request: FastifyRequest) => never,
): void {
  const root = newNode();

  app.addHook('onRoute', ({ url, method }) => {
    let node = root;
    for (const segment of url.split('/')) {
      const name = segment.startsWith(':') ? '' : segment;
      const next = node.below.get(name) ?? newNode();
      node.below.set(name, next);
      node = next;
    }
    for (const name of [method].flat()) node.methods.add(name);
  });

  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answerWithout(root, request, reply, otherwise);
    else done();
  });
}

function answerWithout(
  root: PathNode,
  request: FastifyRequest,
  reply: FastifyReply,
  otherwise: ((request: FastifyRequest) => never) | undefined,
): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? '';
  // The star is the service as a whole (RFC 9110, section 9.3.7).
  const methods = path === '*' ? new Set(METHODS) : methodsAt(root, path);
  if (methods.size === 0) throw notFound(`There is nothing at ${path}.`);
  const allow = METHODS.filter((name) => methods.has(name) || name === 'OPTIONS').join(', ');
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send();
  if (methods.has(request.method)) otherwise?.(request);
  throw new HttpError(405, `${request.method} is not possible here. Possible: ${allow}.`, {
    allow,
  });
}

/** The methods of the routes whose path has this shape. */
function methodsAt(root: PathNode, path: string): ReadonlySet<string> {
  let node: PathNode | undefined = root;
  for (const [at, segment] of path.split('/').entries()) {
    const parameter: PathNode | undefined =
      segment === '' && at > 0 ? undefined : node.below.get('');
    node = node.below.get(decode(segment)) ?? parameter;
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
