/** The service under test, on its own port and database. */
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

import { buildApp } from '../../src/app.ts';
import type { AppOptions } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { OpenDatabase } from '../../src/platform/database/database.ts';
import { vendorType } from '../../src/platform/http/versions.ts';
import { CONVENTIONS, CURRENT_VERSION, VERSIONING } from '../../src/platform/service.ts';
import { clear, emptyTestDatabase, openTestDatabase } from './database.ts';
import { undocumented } from './documented.ts';
import { sendRequest } from './send-request.ts';
import { TOKEN } from './users.ts';

const BY_PATH = VERSIONING.includes('path');

/** The base path of a version. */
const apiOf = (version: number): string => (BY_PATH ? `/api/v${version}` : '/api');

/** The `Accept` header of requests in a version. */
const acceptOf = (version: number): string => (BY_PATH ? '*/*' : vendorType(version));

/** The base path of the current version, and the `Accept` header of requests in it. */
export const API: string = apiOf(CURRENT_VERSION);
export const ACCEPT: string = acceptOf(CURRENT_VERSION);

/** A response with its body. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; `undefined` for an empty body. */
  readonly body: Body;
}

export interface Request {
  /** An undefined header removes the default one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON; strings and bytes are sent unchanged. */
  readonly body?: unknown;
  /** Runs between the headers and the body, which the service then waits for. */
  readonly meanwhile?: (() => Promise<unknown>) | undefined;
}

/** The credential of the administrator that `prepareUsers` creates. */
const ADMINISTRATOR = `Bearer ${TOKEN}`;

/** Headers that PUT, PATCH and DELETE send by default: some collections may require If-Match. */
const OF_CHANGES = CONVENTIONS.requiredIfMatch ? { 'if-match': '*' } : {};

/** The member that every item has. */
export interface Item {
  readonly id: string;
}

/** A job, the response to a creation in the background. */
export interface Job extends Item {
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly resource: string | null;
  readonly error: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Milliseconds between two polls of a job. */
const POLL_INTERVAL = 10;

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
  readonly version: number;
  /** The base path of the version. */
  readonly api: string;
  /** Of the service, whoever sends and in whatever version. */
  readonly #serials: Map<string, number>;

  /** @param app must be listening. */
  constructor(
    app: FastifyInstance,
    database: OpenDatabase,
    credential: string | undefined,
    version = CURRENT_VERSION,
    serials = new Map<string, number>(),
  ) {
    this.app = app;
    this.port = (app.server.address() as AddressInfo).port;
    this.database = database;
    this.credential = credential;
    this.version = version;
    this.api = apiOf(version);
    this.#serials = serials;
  }

  /** The same service with another credential, or none. */
  as(credential: string | undefined): TestService {
    return new TestService(this.app, this.database, credential, this.version, this.#serials);
  }

  /** The same service in another version. */
  in(version: number): TestService {
    return new TestService(this.app, this.database, this.credential, version, this.#serials);
  }

  /** Sends a request to any path. @throws if the OpenAPI document does not have the response. */
  async request<Body = unknown>(
    method: string,
    path: string,
    { headers = {}, body, meanwhile }: Request = {},
  ): Promise<Answer<Body>> {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const isChange = ['PUT', 'PATCH', 'DELETE'].includes(method);
    const url = `http://127.0.0.1:${this.port}${path}`;
    const message = {
      method,
      headers: withoutUndefined({
        ...(!BY_PATH && { accept: acceptOf(this.version) }),
        ...(this.credential !== undefined && { authorization: this.credential }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(isChange && OF_CHANGES),
        ...headers,
      }),
      body: isRaw ? body : JSON.stringify(body),
    };
    const { content, ...response } = await sendRequest(this.app, url, message, meanwhile);
    const parsed: unknown = content === '' ? undefined : JSON.parse(content);
    const answer = { ...response, body: parsed as Body };
    const problem = undocumented(
      this.app,
      method,
      path,
      answer,
      headers['accept'] ?? acceptOf(this.version),
    );
    if (problem !== undefined) throw new Error(problem);
    return answer;
  }

  /** Sends a GET below the base path of the version: `get('/books')`. */
  get<Body = unknown>(path: string): Promise<Answer<Body>> {
    return this.request('GET', this.api + path);
  }

  head(path: string): Promise<Answer> {
    return this.request('HEAD', this.api + path);
  }

  post<Body = unknown>(path: string, body: unknown): Promise<Answer<Body>> {
    return this.request('POST', this.api + path, { body });
  }

  put<Body = unknown>(path: string, body: unknown): Promise<Answer<Body>> {
    return this.request('PUT', this.api + path, { body });
  }

  patch<Body = unknown>(path: string, body: unknown): Promise<Answer<Body>> {
    return this.request('PATCH', this.api + path, { body });
  }

  delete(path: string): Promise<Answer> {
    return this.request('DELETE', this.api + path);
  }

  /** Creates an item, and waits for its job if it is made in the background. @throws if it is refused. */
  async create<Created extends Item>(path: string, body: object): Promise<Created> {
    const answer = await this.post<Created>(path, body);
    if (answer.status === 202) return this.made(await this.finished(answer.body.id));
    if (answer.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Waits until a job has succeeded or failed. */
  async finished(id: string): Promise<Job> {
    for (;;) {
      const { body } = await this.get<Job>(`/jobs/${id}`);
      if (body.status === 'succeeded' || body.status === 'failed') return body;
      await sleep(POLL_INTERVAL);
    }
  }

  /** Reads the item that a job created. @throws if the job failed. */
  async made<Made extends Item>({ resource, error }: Job): Promise<Made> {
    if (resource === null) throw new Error(`the job failed: ${error}`);
    const { status, body } = await this.request<Made>('GET', resource);
    if (status !== 200) throw new Error(`GET ${resource}: ${JSON.stringify(body)}`);
    return body;
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

const withoutUndefined = (headers: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
