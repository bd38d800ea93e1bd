/** The service under test: it listens on a port of its own, over a database of its own. */
import type { AddressInfo } from 'node:net';

import type { FastifyInstance } from 'fastify';
import { afterAll } from 'vitest';

import { buildApp } from '../../src/app.ts';
import type { Surroundings } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { OpenDatabase } from '../../src/database/database.ts';
import { clear, openTestDatabase } from './database.ts';
import { undocumented } from './documented.ts';
import { TOKEN } from './users.ts';

/** What all paths of the current version begin with. */
export const API = '/api';

/** What requests accept, where a version has to be named there. */
export const ACCEPT = 'application/vnd.accept-only.v3+json';

/** An answer of the service, its body read. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** As JSON; `undefined` where there is none. */
  readonly body: Body;
}

export interface Request {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text or bytes are sent as they are. */
  readonly body?: unknown;
}

/** The token of the administrator that `prepare` makes. */
const ADMINISTRATOR = `Bearer ${TOKEN}`;

/** What every item has. */
export interface Item {
  readonly id: string;
}

/**
 * Starts the service for one test file; it stops when the file is done.
 * @param opened its database, where a test has one of its own, and closes it.
 */
export async function startService(
  environment: Readonly<Record<string, string>> = {},
  surroundings: Partial<Surroundings> = {},
  opened?: OpenDatabase,
): Promise<TestService> {
  const config = readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: '0', ...environment });
  const database = opened ?? (await openTestDatabase());
  const app = await buildApp(config, database, surroundings);
  await app.listen({ host: '127.0.0.1', port: 0 });
  afterAll(async () => {
    await app.close();
    if (opened === undefined) await database.close();
  });
  return new TestService(app, database, ADMINISTRATOR);
}

export class TestService {
  readonly app: FastifyInstance;
  readonly port: number;
  readonly database: OpenDatabase;
  /** What requests show in `Authorization`: an administrator's password, where nothing else is said. */
  readonly credential: string | undefined;
  readonly #serials = new Map<string, number>();

  /** @param app listens already. */
  constructor(app: FastifyInstance, database: OpenDatabase, credential: string | undefined) {
    this.app = app;
    this.port = (app.server.address() as AddressInfo).port;
    this.database = database;
    this.credential = credential;
  }

  /** The same service, asked with another credential; with none, by a stranger. */
  as(credential: string | undefined): TestService {
    return new TestService(this.app, this.database, credential);
  }

  /** Sends a request to any path. @throws where no OpenAPI document has what is answered. */
  async request<Body = unknown>(
    method: string,
    path: string,
    { headers = {}, body }: Request = {},
  ): Promise<Answer<Body>> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: {
        accept: ACCEPT,
        ...(this.credential !== undefined && { authorization: this.credential }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: isRaw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
      redirect: 'manual',
    });
    const problem = undocumented(method, path, response);
    if (problem !== undefined) throw new Error(`${problem}: say it in its openapi.ts`);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as Body,
    };
  }

  /** The same below the path of the current version: `get('/books')`. */
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

  /** Creates an item that a test needs, and fails where it is not created. */
  async create<Created extends Item>(path: string, body: object): Promise<Created> {
    const answer = await this.post<Created>(path, body);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** How often it was called with this name before, since the last `clear`. */
  serial(name: string): number {
    const serial = this.#serials.get(name) ?? 0;
    this.#serials.set(name, serial + 1);
    return serial;
  }

  /** Removes all items. */
  async clear(): Promise<void> {
    this.#serials.clear();
    await clear(this.database);
  }
}
