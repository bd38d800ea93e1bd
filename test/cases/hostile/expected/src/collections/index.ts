/** The collections of this service, one line each. */
import type { FastifyInstance } from 'fastify';

import { constructorsRoutes } from './constructors/routes.ts';
import { keysRoutes } from './keys/routes.ts';
import { recordsRoutes } from './records/routes.ts';
import { toStringsRoutes } from './to-strings/routes.ts';
import type { Services } from '../platform/services.ts';

/** Registers what clients reach below the path of a version. */
export const collections: readonly ((app: FastifyInstance, services: Services) => void)[] = [
  constructorsRoutes,
  keysRoutes,
  recordsRoutes,
  toStringsRoutes,
];
