/** What the Dockerfile and compose.yaml of a project promise to those who run its containers. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { render } from '../../../src/api.ts';

const text =
  'name: shop\ncollections: { scans: { create: background, fields: { note: { type: text } } } }';
const files = new Map(
  (await render({ path: 'shop.yaml', text })).map((file) => [file.path, file.text] as const),
);
const read = (path: string): string => files.get(path) ?? '';
const compose = parse(read('compose.yaml')) as {
  services: Record<string, { image?: string; environment?: Record<string, string> }>;
};

test('every base image is pinned by its digest, one version of each', () => {
  const images = [
    ...read('Dockerfile').matchAll(/^FROM (\S+)/gm),
    ...read('compose.yaml').matchAll(/^ +image: (\S+)/gm),
    ...read('.github/workflows/ci.yml').matchAll(/^ +image: (\S+)/gm),
  ].map(([, image = '']) => image);
  expect(images).toHaveLength(5);
  for (const image of images) expect(image).toMatch(/^[a-z]+:\d[\w.-]+@sha256:[0-9a-f]{64}$/);
  expect(new Set(images).size).toBe(3);
});

test('the container runs as a numbered user, and is healthy as long as it lives', () => {
  expect(read('Dockerfile')).toMatch(/^USER 1000:1000$/m);
  expect(read('Dockerfile')).toMatch(/^HEALTHCHECK [^\n]*\\\n[^\n]*\/health\/live"/m);
});

test('the service connects as a role of its own, and does not know the password of the superuser', () => {
  const { api, worker, postgres } = compose.services;
  for (const service of [api, worker]) {
    expect(service?.environment?.['DATABASE_URL']).toMatch(
      /^postgresql:\/\/service:\$\{DATABASE_PASSWORD:\?[^}]*\}@postgres:5432\/service$/,
    );
    expect(JSON.stringify(service)).not.toContain('POSTGRES_PASSWORD');
  }
  expect(Object.keys(postgres?.environment ?? {})).toEqual([
    'POSTGRES_PASSWORD',
    'DATABASE_PASSWORD',
  ]);
});
