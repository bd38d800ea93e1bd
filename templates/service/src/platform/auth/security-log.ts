/** The audit log: one line for each event that concerns credentials or roles. */
import type { FastifyRequest } from 'fastify';

export type SecurityEvent =
  | 'login failed'
  | 'login refused'
  | 'password changed'
  | 'roles changed'
  | 'token created'
  | 'token revoked';

/** Usernames in requests can be longer than those of users; the log truncates them. */
const MAX_USERNAME_LENGTH = 100;

/**
 * Logs an event with the client address and the user who caused it. The level is `warn`, so that
 * events are logged with `LOG_LEVEL=warn` too.
 * @param username the user whose credential or roles are concerned.
 * @param details more members of the line; never a password, token or hash.
 */
export function logSecurityEvent(
  { log, ip, principal }: FastifyRequest,
  event: SecurityEvent,
  username: string,
  details: Readonly<Record<string, unknown>> = {},
): void {
  const line = {
    event,
    username: username.slice(0, MAX_USERNAME_LENGTH),
    address: ip,
    by: principal?.username,
    ...details,
  };
  log.warn(line, 'security event');
}
