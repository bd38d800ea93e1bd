/** Tests of `include`, which embeds what a reference leads to. */
import { expect, test } from 'vitest';

import { readAll } from './lists.ts';
import type { TestService } from './service.ts';
import { suite } from './suite.ts';
import { createItem, makeReferred, pathOf, prepare } from './test-items.ts';
import type { TestItems } from './test-items.ts';

/** A reference that can be included. */
export interface Included {
  /** The embedded member. */
  readonly name: string;
  readonly member: string;
  /** The collection that it refers to, and what an item there is called. */
  readonly to: Pick<TestItems, 'path'>;
  readonly anItem: string;
  /** Whether items refer to nothing unless told otherwise. */
  readonly isOptional?: boolean;
  /** Whether an update of the embedded item changes a member of it. */
  readonly showsUpdates?: boolean;
}

/** Tests each of them. */
export function includeTests(
  service: TestService,
  items: TestItems,
  included: readonly Included[],
): void {
  const { api } = service;

  suite(service, items, () => {
    for (const { name, member, to, anItem, isOptional, showsUpdates } of included) {
      test(`include=${name} embeds ${anItem}`, async () => {
        const other = await makeReferred(service, items, member);
        const item = await createItem(service, items, { [member]: other.id });
        const path = pathOf(items, item);
        const answer = await service.get(`${path}?include=${name}`);
        const { body: whole } = await service.get<object>(path);
        const { body: embedded } = await service.get(pathOf(to, other));
        expect(answer.body).toEqual({ ...whole, [name]: embedded });
        const list = `${items.path}?include=${name}`;
        expect(await readAll(service, list)).toContainEqual(answer.body);
        const sparse = await readAll(service, `${list}&fields=id`);
        expect(sparse).toContainEqual({ id: item.id, [name]: embedded });

        const headers = { 'if-none-match': String(answer.headers.get('etag')) };
        const include = `${api}${path}?include=${name}`;
        expect(await service.request('GET', include, { headers })).toHaveStatus(304);
        expect(await service.request('GET', api + path, { headers })).toHaveStatus(200);
        for (const refused of ['unheard_of', `${name},${name}`]) {
          expect(await service.get(`${path}?include=${refused}`)).toBeError(400, 'include');
        }

        if (showsUpdates === true) {
          expect(await service.patch(pathOf(to, other), {})).toHaveStatus(200);
          expect(await service.request('GET', include, { headers })).toHaveStatus(200);
        }
        // Still the tag of the item alone.
        const same = { 'if-match': String(answer.headers.get('etag')) };
        await prepare(service, items, item, {});
        const patched = await service.request('PATCH', api + path, { headers: same, body: {} });
        expect(patched).toHaveStatus(200);
      });

      if (isOptional !== true) continue;
      test(`include=${name} is null without ${anItem}`, async () => {
        const item = await createItem(service, items);
        const answer = await service.get(`${pathOf(items, item)}?include=${name}`);
        expect(answer.body).toMatchObject({ [member]: null, [name]: null });
      });
    }
  });
}
