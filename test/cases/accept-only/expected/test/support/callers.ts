/** Those who ask in tests of permissions, and what they are answered. */
import { expect } from 'vitest';

import { API } from './service.ts';
import type { Item, TestService } from './service.ts';
import type { Statuses } from './table.ts';
import { makeUser, setRoles } from './users.ts';

/** A user with the service as they see it. */
export interface Caller {
  readonly id: string;
  readonly service: TestService;
}

/** Where a request goes, and the body that it takes there. */
export interface Target {
  readonly path: string;
  readonly body: object;
}

/** Makes a user who asks with a token of their own. */
export async function makeCaller(
  service: TestService,
  username: string,
  roles: readonly string[] = [],
): Promise<Caller> {
  const { id, credential } = await makeUser(service.database, username, roles);
  return { id, service: service.as(credential) };
}

/**
 * Makes an item that is a caller's own. They are an administrator for that moment: what they may
 * do with it later, they may for no other reason than that it is theirs.
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
 * The status that each caller is answered. A target serves until a request has used it up: what
 * a caller is refused must be there for the next one as it was.
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

/** Sends a request to a target, with its body where the method has one. */
export const send = (service: TestService, method: string, { path, body }: Target) =>
  service.request(method, API + path, ['GET', 'HEAD', 'DELETE'].includes(method) ? {} : { body });
