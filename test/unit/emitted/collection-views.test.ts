/** The forms of collections for endpoints of a team: those of the version, whichever is the newest. */
import { expect, test } from 'vitest';

import { collectionViewsView } from '../../../src/render/views/collection-views.ts';
import { modelOf } from '../migration/support.ts';

/** Modules that know the types of Fastify, which is not installed here. */
const FOLDER = '../../../templates/service/src/platform/http';
const { differentByVersion, inSomeVersions, sameInAllVersions } = (await import(
  `${FOLDER}/collection-views.ts`
)) as Record<string, (make: () => unknown) => (version: number) => Record<string, unknown>>;

const view = (version: number): object => ({
  path: `orders-${version}`,
  bodies: `bodies ${version}`,
  show: `show ${version}`,
  resource: `names ${version}`,
  doc: { item: `shape ${version}`, body: `body ${version}` },
});
const VIEWS = { 1: view(1), 2: view(2) };

test('a collection that differs has the form of each version', () => {
  const orders = differentByVersion?.(() => VIEWS);
  for (const version of [1, 2]) {
    expect(orders?.(version)).toEqual({
      path: `orders-${version}`,
      shape: `shape ${version}`,
      body: `body ${version}`,
      bodies: `bodies ${version}`,
      show: `show ${version}`,
      resource: `names ${version}`,
    });
  }
});

test('a collection has no form in a version without it', () => {
  const orders = inSomeVersions?.(() => ({ 2: view(2) }));
  expect(orders?.(1)).toBeUndefined();
  expect(orders?.(2)).toMatchObject({ shape: 'shape 2' });
});

test('a form is made when it is asked for: hooks may import views before a repository is there', () => {
  const views = [differentByVersion, inSomeVersions, sameInAllVersions].map((make) =>
    make?.(() => {
      throw new Error('too early');
    }),
  );
  for (const one of views) expect(() => one?.(1)).toThrow('too early');
});

test('the versions of a collection decide how its form is found', async () => {
  const { viewed } = collectionViewsView(
    await modelOf(
      `books: { fields: { title: { type: string } } }
order_items: { fields: { amount: { type: integer, name_in: { 1: total } } } }
reviews: { since: 2, fields: { rating: { type: integer } } }`,
      '[1, 2]',
    ),
  );
  expect(viewed.map(({ name, code }) => `${name} ${code.slice(0, code.indexOf('('))}`)).toEqual([
    'books sameInAllVersions',
    'orderItems differentByVersion',
    'reviews inSomeVersions',
  ]);
});
