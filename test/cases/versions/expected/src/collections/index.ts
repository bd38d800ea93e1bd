/** The collections of this service, one line each. */
import type { FastifyInstance } from 'fastify';

import { booksRoutes } from './books/routes.ts';
import { loansRoutes } from './loans/routes.ts';
import { peopleRoutes } from './people/routes.ts';
import { reviewsRoutes } from './reviews/routes.ts';
import { jobsRoutes } from '../platform/jobs/routes.ts';
import type { Services } from '../platform/services.ts';

/** Registers what clients reach below the path of a version. */
export const collections: readonly ((
  app: FastifyInstance,
  services: Services,
  version: number,
) => void)[] = [booksRoutes, loansRoutes, peopleRoutes, reviewsRoutes, jobsRoutes];
