/** The page at `/docs`: self-contained, with a strict Content-Security-Policy. */
import { expect, test } from 'vitest';

import { sharedService } from './support/service.ts';

const service = await sharedService();

/** Sends a request as a browser does, without a credential. */
const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${service.port}${path}`);

const page = await (await get('/docs')).text();
/** The files that the page loads. */
const files = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path = '']) => path);

test('loads all scripts and styles from this service', async () => {
  expect(files.length).toBeGreaterThan(3);
  for (const path of files) {
    expect(path).toMatch(/^\/docs\//);
    const response = await get(path);
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
  }
});

test('forbids inline scripts and other hosts', async () => {
  for (const path of ['/docs', ...files]) {
    const response = await get(path);
    await response.arrayBuffer();
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  }
  expect(page).not.toMatch(/<script(?![^<>]* src=)|\son\w+="/);
});

test('shows the title of the document as text', async () => {
  const { info } = (await (await get('/docs/json')).json()) as { info: { title: string } };
  const [, title = ''] = /<title>([^<>]*)<\/title>/.exec(page) ?? [];
  const text = title.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(+code));
  expect(text).toBe(info.title);
});

test('lists the OpenAPI document of each version', async () => {
  const settings = await (await get('/docs/static/swagger-initializer.js')).text();
  const urls = [...settings.matchAll(/"?url"?: ?"([^"]*\.json)"/g)].map(([, url = '']) => url);
  expect(urls.length).toBeGreaterThan(0);
  for (const url of urls) {
    const response = await get(url);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('openapi');
  }
});

test('serves the document of the current version for download', async () => {
  expect(await (await get('/docs/json')).json()).toHaveProperty('paths');
});

test.each([
  [406, 'a client that does not accept HTML', 'GET', '/docs', { accept: 'application/json' }],
  [400, 'a query', 'GET', '/docs?a=1', {}],
  [400, 'a query on a file', 'GET', '/docs/static/swagger-ui.css?a=1', {}],
  [404, 'an unknown file', 'GET', '/docs/static/nothing.js', {}],
  [404, 'a file outside its folder', 'GET', '/docs/static/..%2fpackage.json', {}],
  [404, 'an absolute path', 'GET', '/docs/static//etc/passwd', {}],
  [405, 'another method', 'POST', '/docs', {}],
])('answers %i to %s', async (status, _what, method, path, headers) => {
  expect(await service.request(method, path, { headers })).toBeError(status);
});
