/** The collections of this service, one line each. */
import type { FastifyInstance } from 'fastify';

import { booksRoutes } from './books/routes.ts';
import type { RouteContext } from '../platform/services.ts';

/** Registers what clients reach below the path of a version. */
export const collections: readonly ((app: FastifyInstance, ...context: RouteContext) => void)[] = [
  booksRoutes,
];
