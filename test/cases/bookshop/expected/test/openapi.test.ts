/** The OpenAPI documents describe every route, as it is. */
import { describe, expect, test } from 'vitest';

import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { vendorType } from '../src/platform/http/versions.ts';
import { documentOf } from '../src/platform/openapi/documents.ts';
import { documentsOf } from './support/documented.ts';
import type { Document, Operation } from './support/documented.ts';
import { NO_ID } from './support/expected.ts';
import { sharedService } from './support/service.ts';

const service = await sharedService();
const stranger = service.as(undefined);
const DOCUMENTS = documentsOf(service.app);
const ROUTES = registeredRoutes();

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The operations of a document, without HEAD and OPTIONS, which every path supports. */
const operationsOf = ({ paths }: Document): [method: string, path: string, Operation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): [string, string, Operation][] => {
      const operation = item[method];
      return operation === undefined ? [] : [[method.toUpperCase(), path, operation]];
    }),
  );

/** The routes that the service registers, in the words of a document: `GET /api/v1/books/{id}`. */
function registeredRoutes(): string[] {
  const tree = service.app.printRoutes({ commonPrefix: false });
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = ''] =
      /^([│ ]*)[├└]── (\S+) \(([A-Z, ]+)\)$/.exec(line) ?? [];
    if (segment === '') return [];
    above.splice(indent.length / 4, Infinity, segment.replaceAll(/:(\w+)/g, '{$1}'));
    return methods
      .split(', ')
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${above.join('')}`);
  });
}

describe.each(DOCUMENTS)('the document of version $version at $base', (served) => {
  const { base, version, document } = served;
  const headers = { accept: vendorType(version) };

  test('is served without a credential', async () => {
    const path = `${base}/openapi.json`;
    const answer = await stranger.request('GET', path, { headers });
    expect(answer).toHaveStatus(200);
    expect(answer.headers.get('content-type')).toBe(headers.accept);
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(document)));
    const known = { ...headers, 'if-none-match': answer.headers.get('etag') ?? '' };
    expect(await stranger.request('GET', path, { headers: known })).toHaveStatus(304);
    expect(await stranger.request('GET', `${path}?a=1`, { headers })).toBeError(400, 'a');
  });

  test('has every route, and no other', () => {
    const others = DOCUMENTS.map((other) => other.base).filter((other) => other !== base);
    const own = ROUTES.filter((route) => {
      const path = route.replace(/^\w+ /, '');
      const isOurs = path.startsWith(`${base}/`) && !others.some(isWithin(base, path));
      return isOurs || !/^\/(?:api|docs)(?:\/|$)/.test(path);
    });
    expect(own.length).toBeGreaterThan(8);
    const told = operationsOf(document).map(([method, path]) => `${method} ${path}`);
    expect(told.toSorted()).toEqual(own.toSorted());
  });

  test('has an operationId, a summary, a tag and a successful response for each route', () => {
    const incomplete = operationsOf(document).filter(([, , operation]) => {
      const { operationId, summary, tags = [], responses } = operation;
      const succeeds = Object.keys(responses).some((status) => Number(status) < 400);
      return !operationId || !summary || tags.length === 0 || !succeeds;
    });
    const toDo = incomplete.map(
      ([method, path]) =>
        `${method} ${path}: add operationId, summary, tags and response to the schema of its route`,
    );
    expect(toDo).toEqual([]);
  });

  test('names the path and the media type of its version', () => {
    expect(document.info.description).toContain(vendorType(version));
    const others = DOCUMENTS.filter((other) => other.version !== version);
    for (const other of others) {
      expect(document.info.description).not.toContain(vendorType(other.version));
      expect(document.info.description).not.toContain(`/api/v${other.version}`);
    }
  });

  test('has unique operationIds', () => {
    const names = operationsOf(document).map(([, , { operationId = '' }]) => operationId);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test('requires a credential exactly where the service does', async () => {
    const below = operationsOf(document).filter(([, path]) => path.startsWith(base));
    for (const [method, path, { security }] of below) {
      const answer = await stranger.request(method, path.replace('{id}', NO_ID), {
        headers,
        ...(method === 'POST' && { body: {} }),
      });
      const isNeeded = security.every((schemes) => Object.keys(schemes).length > 0);
      expect(answer.status === 401, `${method} ${path}`).toBe(isNeeded);
    }
  });

  test('has no dangling $ref', () => {
    const references = JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g);
    for (const [, kind = '', name = ''] of references) {
      expect(document.components[kind]).toHaveProperty([name]);
    }
  });
});

/** Whether a path is below a longer base than this one. */
const isWithin = (base: string, path: string) => (other: string) =>
  other.startsWith(`${base}/`) && path.startsWith(`${other}/`);

test('documents have PUBLIC_URL as their server', async () => {
  const config = readConfig({ LOG_LEVEL: 'silent', PUBLIC_URL: 'https://example.org' });
  const app = await buildApp(config, service.database);
  await app.ready();
  for (const { base, version } of DOCUMENTS) {
    const { servers } = documentOf(app, base, version);
    expect(servers.map(({ url }) => url)).toEqual(['https://example.org']);
  }
  await app.close();
});
