/** Callers for tests of permissions. */
import { expect } from 'vitest';

import { API } from './service.ts';
import type { Item, TestService } from './service.ts';
import type { Statuses } from './table.ts';
import { makeUser, setRoles } from './users.ts';

/** A user with a client that sends their token. */
export interface Caller {
  readonly id: string;
  readonly service: TestService;
}

/** The path and body of a request. */
export interface Target {
  readonly path: string;
  readonly body: object;
}

/** Creates a user with a token. */
export async function makeCaller(
  service: TestService,
  username: string,
  roles: readonly string[] = [],
): Promise<Caller> {
  const { id, credential } = await makeUser(service.database, username, roles);
  return { id, service: service.as(credential) };
}

/**
 * Creates an item that a caller owns. The caller has the role `admin` only while it is created, so
 * that later requests are allowed by ownership alone.
 */
export async function createAs<Created extends Item>(
  { id, service }: Caller,
  path: string,
  body: object,
): Promise<Created> {
  await setRoles(service.database, id, ['admin']);
  const item = await service.create<Created>(path, body);
  await setRoles(service.database, id, []);
  return item;
}

/**
 * The status of the response to each caller. A target is used again until a POST or DELETE succeeds.
 */
export async function statusesOf(
  callers: Readonly<Record<string, TestService>>,
  method: string,
  arrange: () => Promise<Target>,
): Promise<Statuses> {
  const statuses: Record<string, number> = {};
  let target: Target | undefined;
  for (const [caller, service] of Object.entries(callers)) {
    target ??= await arrange();
    const answer = await send(service, method, target);
    if (method === 'HEAD') expect(answer.body).toBeUndefined();
    else if (answer.status >= 400) expect(answer).toBeError(answer.status);
    statuses[caller] = answer.status;
    if (answer.status < 300 && ['POST', 'DELETE'].includes(method)) target = undefined;
  }
  return statuses;
}

/**
 * Sends a request to a target, with the body if the method has one.
 * @param meanwhile runs between the headers and the body, which is then sent with every method.
 */
export const send = (
  service: TestService,
  method: string,
  { path, body }: Target,
  meanwhile?: () => Promise<unknown>,
) =>
  service.request(
    method,
    API + path,
    ['GET', 'HEAD', 'DELETE'].includes(method) && meanwhile === undefined
      ? {}
      : { body, meanwhile },
  );
