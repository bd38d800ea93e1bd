/** Deprecated and retired versions. */
import { expect, test } from 'vitest';

import { startService } from './support/service.ts';

const service = await startService();

test.each<[method: string, path: string, status: number]>([
  ['GET', '/users', 200],
  ['HEAD', '/users?limit=1', 200],
  ['OPTIONS', '/users', 204],
  ['GET', '/openapi.json', 200],
  ['POST', '/users', 422],
  ['DELETE', '/users', 405],
  ['GET', '/unheard-of', 404],
])('version 1 sends Deprecation headers: %s %s', async (method, path, status) => {
  const answer = await service.request(
    method,
    `/api/v1${path}`,
    method === 'POST' ? { body: {} } : {},
  );
  expect(answer).toHaveStatus(status);
  expect(answer.headers.get('deprecation')).toBe('@1793491200');
  expect(answer.headers.get('sunset')).toBe('Sat, 01 May 2027 00:00:00 GMT');
  // Without a matching route, the link goes to the document of the current version.
  const successor = [200, 422].includes(status) ? path.replace(/\?.*/, '') : '/openapi.json';
  expect(answer.headers.get('link')).toContain(
    `</api/v3${successor}>; rel="successor-version"; type="application/vnd.library.v3+json"`,
  );
});

test.each([
  ['writers/books', 'people/books'],
  ['loans', ''],
  ['books/loans', ''],
  ['writers', 'people'],
])('version 1 links from /%s to its path in the current version', async (from, to) => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  const pathOf = (name: string): string => name.replace('/', `/${id}/`);
  const answer = await service.request('GET', `/api/v1/${pathOf(from)}`);
  const target = to === '' ? 'openapi.json' : pathOf(to);
  expect(answer.headers.get('link')).toContain(`</api/v3/${target}>; rel="successor-version"`);
});

test('the current version is not deprecated', async () => {
  const { headers } = await service.get('/users');
  expect(headers.get('deprecation')).toBeNull();
  expect(headers.get('sunset')).toBeNull();
  expect(headers.get('link')).not.toContain('successor-version');
});
