/** The service under test, on its own port and database. */
import type { AddressInfo } from 'node:net';

import type { FastifyInstance } from 'fastify';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

import { buildApp } from '../../src/app.ts';
import type { AppOptions } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { OpenDatabase } from '../../src/platform/database/database.ts';
import { clear, emptyTestDatabase, openTestDatabase } from './database.ts';
import { undocumented } from './documented.ts';
import { lateFetch } from './late-fetch.ts';
import { TOKEN } from './users.ts';

/** The base path of the current version. */
export const API = '/api/v1';

/** The `Accept` header of requests. */
export const ACCEPT = '*/*';

/** A response with its body. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; `undefined` for an empty body. */
  readonly body: Body;
}

export interface Request {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; strings and bytes are sent unchanged. */
  readonly body?: unknown;
  /** Runs between the headers and the body, which the service then waits for. */
  readonly meanwhile?: (() => Promise<unknown>) | undefined;
}

/** The credential of the administrator that `prepareUsers` creates. */
const ADMINISTRATOR = `Bearer ${TOKEN}`;

/** The member that every item has. */
export interface Item {
  readonly id: string;
}

/**
 * Starts the service for a test file, a `describe` or, within one, a single test; it stops at their end.
 * @param opened a database that the test closes itself; by default the service has its own.
 */
export async function startService(
  environment: Readonly<Record<string, string>> = {},
  options: Partial<AppOptions> = {},
  opened?: OpenDatabase,
): Promise<TestService> {
  const database = opened ?? (await openTestDatabase());
  const app = await listen(database, environment, options);
  const stop = async (): Promise<void> => {
    await app.close();
    if (opened === undefined) await database.close();
  };
  // Vitest ignores `afterAll` within a test.
  if (TestRunner.getCurrentTest() === undefined) afterAll(stop);
  else onTestFinished(stop);
  return new TestService(app, database, ADMINISTRATOR);
}

let shared: Pick<TestService, 'app' | 'database'> | undefined;

/**
 * The service that test files share, because starting one takes longer than most tests. When a file begins, its database has an
 * administrator and nothing else. A file that needs settings, or changes the service itself, starts its own.
 */
export async function sharedService(): Promise<TestService> {
  if (shared === undefined) {
    const database = await openTestDatabase();
    shared = { app: await listen(database), database };
  } else {
    await emptyTestDatabase(shared.database);
  }
  return new TestService(shared.app, shared.database, ADMINISTRATOR);
}

async function listen(
  database: OpenDatabase,
  environment: Readonly<Record<string, string>> = {},
  options: Partial<AppOptions> = {},
): Promise<FastifyInstance> {
  // With `LOG_LEVEL=error` in the environment, the log says why an answer is 500.
  const { LOG_LEVEL = 'silent' } = process.env;
  const config = readConfig({ LOG_LEVEL, RATE_LIMIT: '0', ...environment });
  const app = await buildApp(config, database, options);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

export class TestService {
  readonly app: FastifyInstance;
  readonly port: number;
  readonly database: OpenDatabase;
  /** The `Authorization` header of requests. */
  readonly credential: string | undefined;
  readonly #serials = new Map<string, number>();

  /** @param app must be listening. */
  constructor(app: FastifyInstance, database: OpenDatabase, credential: string | undefined) {
    this.app = app;
    this.port = (app.server.address() as AddressInfo).port;
    this.database = database;
    this.credential = credential;
  }

  /** The same service with another credential, or none. */
  as(credential: string | undefined): TestService {
    return new TestService(this.app, this.database, credential);
  }

  /** Sends a request to any path. @throws if the OpenAPI document does not have the response. */
  async request<Body = unknown>(
    method: string,
    path: string,
    { headers = {}, body, meanwhile }: Request = {},
  ): Promise<Answer<Body>> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const send = meanwhile === undefined ? fetch : lateFetch(this.app, meanwhile);
    const response = await send(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: {
        ...(this.credential !== undefined && { authorization: this.credential }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: isRaw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
      redirect: 'manual',
    });
    const text = await response.text();
    const parsed: unknown = text === '' ? undefined : JSON.parse(text);
    const answer = { status: response.status, headers: response.headers, body: parsed as Body };
    const problem = undocumented(this.app, method, path, answer);
    if (problem !== undefined) throw new Error(problem);
    return answer;
  }

  /** Sends a GET below the base path of the current version: `get('/books')`. */
  get<Body = unknown>(path: string): Promise<Answer<Body>> {
    return this.request('GET', API + path);
  }

  head(path: string): Promise<Answer> {
    return this.request('HEAD', API + path);
  }

  post<Body = unknown>(path: string, body: unknown): Promise<Answer<Body>> {
    return this.request('POST', API + path, { body });
  }

  put<Body = unknown>(path: string, body: unknown): Promise<Answer<Body>> {
    return this.request('PUT', API + path, { body });
  }

  patch<Body = unknown>(path: string, body: unknown): Promise<Answer<Body>> {
    return this.request('PATCH', API + path, { body });
  }

  delete(path: string): Promise<Answer> {
    return this.request('DELETE', API + path);
  }

  /** Creates an item. @throws if it is refused. */
  async create<Created extends Item>(path: string, body: object): Promise<Created> {
    const answer = await this.post<Created>(path, body);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Counts calls for each name: 0, 1, 2 and so on since the last `clear`. */
  serial(name: string): number {
    const serial = this.#serials.get(name) ?? 0;
    this.#serials.set(name, serial + 1);
    return serial;
  }

  /** Deletes all items. */
  async clear(): Promise<void> {
    this.#serials.clear();
    await clear(this.database);
  }
}
