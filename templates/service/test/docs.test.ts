/** The page at `/docs`: that it is there, whole, and safe. A browser is not needed for that. */
import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { startService } from './support/service.ts';

const service = await startService();
const FOLDER = new URL('../public/docs/', import.meta.url);
const FILES = readdirSync(FOLDER);

/** Asks as a browser does, without a credential. */
const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${service.port}${path}`, { headers });

const pathOf = (file: string): string => (file === 'index.html' ? '/docs' : `/docs/${file}`);

describe.each(FILES)('%s', (file) => {
  test('is served to everybody as it is', async () => {
    const answer = await ask(pathOf(file));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(readFileSync(new URL(file, FOLDER), 'utf8'));
    const etag = answer.headers.get('etag') ?? '';
    const again = await ask(pathOf(file), { 'if-none-match': etag });
    expect(again.status).toBe(304);
  });

  test('needs no other host, and runs nothing in its HTML', async () => {
    const text = readFileSync(new URL(file, FOLDER), 'utf8');
    expect(text).not.toMatch(/(?:src|href|import|url|fetch)\W{1,4}(?:https?:)?\/\//);
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+="|innerHTML/);
    const policy = (await ask(pathOf(file))).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });
});

test('the page leads to files that are there', () => {
  const texts = FILES.map((file) => readFileSync(new URL(file, FOLDER), 'utf8')).join('\n');
  const named = [...texts.matchAll(/(?:'\.|"\/docs)\/([\w.]+)['"]/g)].map(([, name = '']) => name);
  expect(FILES.toSorted()).toEqual([...new Set([...named, 'index.html'])].toSorted());
});

test('the page finds the document of each version', async () => {
  const versions = (await (await ask('/docs/versions.json')).json()) as {
    href: string;
    accept: string;
  }[];
  expect(versions.length).toBeGreaterThan(0);
  for (const { href, accept } of versions) {
    const answer = await ask(href, { accept });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toHaveProperty('openapi');
  }
});

test('what it is not is refused', async () => {
  const json = await service.request('GET', '/docs', { headers: { accept: 'application/json' } });
  expect(json).toBeError(406);
  expect(await service.request('GET', '/docs?a=1')).toBeError(400, 'a');
  expect(await service.request('GET', '/docs/nothing.js')).toBeError(404);
  expect(await service.request('GET', '/docs/../package.json')).toBeError(404);
  expect(await service.request('POST', '/docs')).toBeError(405);
});
