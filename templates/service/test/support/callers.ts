/** Callers for tests of permissions. */
import { expect } from 'vitest';

import type { Item, TestService } from './service.ts';
import { callersIn } from './table.ts';
import type { Statuses } from './table.ts';
import type { Members } from './test-items.ts';
import { makeUser, setRoles } from './users.ts';

/** A user with a client that sends their token. */
export interface Caller {
  readonly id: string;
  readonly service: TestService;
}

/** Those who send the requests of a permission table. */
export interface Callers {
  /** A client of each caller, by the name in the head of the table. */
  readonly clients: ReadonlyMap<string, TestService>;
  /** A user without roles who owns nothing. */
  readonly nobody: Caller;
  /** A user without roles who owns the item of a test. */
  readonly owner: Caller;
}

/** How items of a collection come to belong to users. */
export interface Owners {
  /** The members by which a new item belongs to a caller; makes what they refer to. */
  given(caller: Caller): Promise<Members>;
  /** Creates an item that belongs to a caller. @param body has the members of `given`. */
  create(caller: Caller, body: object): Promise<Item>;
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

/** Creates the callers that the head of a permission table names; other names than these four are roles. */
export async function makeCallers(service: TestService, table: string): Promise<Callers> {
  const nobody = await makeCaller(service, 'no role');
  const owner = await makeCaller(service, 'owner');
  const clients = new Map([
    ['no credential', service.as(undefined)],
    ['no role', nobody.service],
    ['owner', owner.service],
    ['admin', service],
  ]);
  const named = new Map<string, TestService>();
  for (const name of callersIn(table)) {
    const client = clients.get(name) ?? (await makeCaller(service, `role ${name}`, [name])).service;
    named.set(name, client);
  }
  return { clients: named, nobody, owner };
}

/** The client of a caller, or none if the caller is left out. @throws if the table does not name the caller. */
export function clientsOf(
  { clients }: Pick<Callers, 'clients'>,
  name: string | undefined,
): TestService[] {
  if (name === undefined) return [];
  const client = clients.get(name);
  if (client === undefined) throw new Error(`the table has no caller ${name}`);
  return [client];
}

/**
 * Makes items that a caller owns. The caller has the role `admin` only while they are made, so that later
 * requests are allowed by ownership alone.
 */
export async function asAdmin<Made>(
  { id, service }: Caller,
  make: (service: TestService) => Promise<Made>,
): Promise<Made> {
  await setRoles(service.database, id, ['admin']);
  const made = await make(service);
  await setRoles(service.database, id, []);
  return made;
}

/** Creates an item that a caller owns. */
export const createAs = <Created extends Item>(
  caller: Caller,
  path: string,
  body: object,
): Promise<Created> => asAdmin(caller, (service) => service.create<Created>(path, body));

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
    service.api + path,
    ['GET', 'HEAD', 'DELETE'].includes(method) && meanwhile === undefined
      ? {}
      : { body, meanwhile },
  );
