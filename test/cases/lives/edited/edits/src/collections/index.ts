/** The collections of this service, one line each. */
import type { FastifyInstance } from 'fastify';

import type { Services } from '../app.ts';
import { booksRoutes } from './books/routes.ts';

/** Registers what clients reach below the path of a version. */
export const collections: readonly ((app: FastifyInstance, services: Services) => void)[] = [
  booksRoutes,
  // The sign at the door.
  (app) => void app.get('/open', async () => ({ open: true })),
];
