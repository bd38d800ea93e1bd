/** The OpenAPI document: it is there, and what it says of the service is true. */
import { describe, expect, test } from 'vitest';

import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { vendorType } from '../src/http/versions.ts';
import { documentOf } from '../src/openapi/document.ts';
import type { Document, Operation } from '../src/openapi/types.ts';
import { DOCUMENTS } from './support/documented.ts';
import { NO_ID } from './support/expected.ts';
import { startService } from './support/service.ts';

const service = await startService();
const stranger = service.as(undefined);
const ROUTES = await registeredRoutes();

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** What is at each path of a document; HEAD and OPTIONS are everywhere, and are not named. */
const operationsOf = ({ paths }: Document): [method: string, path: string, Operation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): [string, string, Operation][] => {
      const operation = item[method];
      return operation === undefined ? [] : [[method.toUpperCase(), path, operation]];
    }),
  );

/** A route in the words of a document: `GET /api/v1/books/{id}`. */
interface Route {
  readonly text: string;
  /** Where `Accept` leads to it, the version that it has to name. */
  readonly accepted: string | undefined;
}

/** The routes that the service registers. */
async function registeredRoutes(): Promise<Route[]> {
  const app = await buildApp(readConfig({ LOG_LEVEL: 'silent' }), service.database);
  await app.ready();
  const tree = app.printRoutes({ commonPrefix: false });
  await app.close();
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = '', accepted] =
      /^((?:[│ ] {3})*?)(?:[├└]── |[│ ] {3})(\S+) \(([A-Z, ]+)\)(?: \{"\w+":"(\d+)"\})?$/.exec(
        line,
      ) ?? [];
    if (segment === '') return [];
    above.splice(indent.length / 4, Infinity, segment.replaceAll(/:(\w+)/g, '{$1}'));
    return methods
      .split(', ')
      .filter((method) => method !== 'HEAD')
      .map((method) => ({ text: `${method} ${above.join('')}`, accepted }));
  });
}

describe.each(DOCUMENTS)('the document of version $version at $base', (served) => {
  const { base, version, document } = served;
  const headers = { accept: vendorType(version) };

  test('is served, to everybody', async () => {
    const path = `${base}/openapi.json`;
    const answer = await stranger.request('GET', path, { headers });
    expect(answer).toHaveStatus(200);
    expect(answer.headers.get('content-type')).toBe(headers.accept);
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(document)));
    const known = { ...headers, 'if-none-match': answer.headers.get('etag') ?? '' };
    expect(await stranger.request('GET', path, { headers: known })).toHaveStatus(304);
    expect(await stranger.request('GET', `${path}?a=1`, { headers })).toBeError(400, 'a');
  });

  // A route of your own belongs in the `openapi.ts` beside its `routes.ts`.
  test('has every route that there is, and no other', () => {
    const others = DOCUMENTS.map((other) => other.base).filter((other) => other !== base);
    const own = ROUTES.filter(({ accepted = String(version) }) => accepted === String(version))
      .map(({ text }) => text)
      .filter((route) => {
        const path = route.replace(/^\w+ /, '');
        const isOurs = path.startsWith(`${base}/`) && !others.some(isWithin(base, path));
        return isOurs || !/^\/(?:api|docs)(?:\/|$)/.test(path);
      });
    expect(own.length).toBeGreaterThan(8);
    const told = operationsOf(document).map(([method, path]) => `${method} ${path}`);
    expect(told.toSorted()).toEqual(own.toSorted());
  });

  test('calls each operation by a name of its own', () => {
    const names = operationsOf(document).map(([, , { operationId }]) => operationId);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test('says truly what needs a credential', async () => {
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

  test('refers to nothing that is not there', () => {
    const references = JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g);
    for (const [, kind = '', name = ''] of references) {
      expect(document.components[kind]).toHaveProperty([name]);
    }
  });
});

/** Whether a path is below a longer base than this one. */
const isWithin = (base: string, path: string) => (other: string) =>
  other.startsWith(`${base}/`) && path.startsWith(`${other}/`);

test('a document names the origin that clients see', () => {
  for (const { base, version } of DOCUMENTS) {
    const { servers } = documentOf({ version, base, publicUrl: 'https://example.org' });
    expect(servers.map(({ url }) => url)).toEqual(['https://example.org']);
  }
});
