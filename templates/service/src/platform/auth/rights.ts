/** `rightsHook` marks the hooks that check rights: `authenticate.ts` runs them again if the body arrives late. */
import type { FastifyRequest } from 'fastify';

/** An `onRequest` hook of a route. */
export type Hook = (request: FastifyRequest) => Promise<void>;

const CHECKS_RIGHTS = Symbol('checks rights');

/** Marks a hook that checks rights: it runs again where the body arrived later than the headers. */
export const rightsHook = (hook: Hook): Hook => Object.assign(hook, { [CHECKS_RIGHTS]: true });

/** Whether a hook of a route checks rights. */
export const isRightsHook = (hook: unknown): hook is Hook =>
  typeof hook === 'function' && CHECKS_RIGHTS in hook;
