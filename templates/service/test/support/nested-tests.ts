/** Tests of paths below another item, such as `/authors/{id}/books`. */
import { expect, test } from 'vitest';

import type { Answer, Item, Job, TestService } from './service.ts';
import { suite } from './suite.ts';
import { createItem, makeReferred, pathOf } from './test-items.ts';
import type { AnyItem, Members, TestItems } from './test-items.ts';

/** A path below the items that a reference leads to. */
export interface Nested {
  readonly member: string;
  /** The collection that it refers to, and what follows the id in the path. */
  readonly to: Pick<TestItems, 'path'>;
  readonly path: string;
  readonly noId: string;
  /** Whether there can be another parent, two with an item each, and a parent with several items. */
  readonly hasOthers?: boolean;
  readonly isSeparate?: boolean;
  readonly hasSeveral?: boolean;
  /** Whether items share what they refer to unless told otherwise. */
  readonly isShared?: boolean;
  /** Whether clients cannot read the reference. */
  readonly isHidden?: boolean;
}

/** Tests each path. */
export function nestedTests(
  service: TestService,
  items: TestItems,
  nested: readonly Nested[],
  options: { readonly isBackground?: boolean; readonly isInKeyOrder?: boolean } = {},
): void {
  const { api } = service;
  const bodyBelow = async ({ member }: Nested, parent: Item): Promise<Members> => ({
    ...(await items.body(service, { [member]: parent.id })),
    [member]: undefined,
  });
  const read = async (item: Item): Promise<unknown> =>
    (await service.get(pathOf(items, item))).body;

  /** The item that a POST has created, after its job if it has one. */
  async function createdBy(answer: Answer): Promise<AnyItem> {
    if (options.isBackground !== true) {
      expect(answer).toHaveStatus(201);
      const item = answer.body as AnyItem;
      expect(answer.headers.get('location')).toBe(api + pathOf(items, item));
      return item;
    }
    expect(answer).toHaveStatus(202);
    const { id } = answer.body as Job;
    expect(answer.headers.get('location')).toBe(`${api}/jobs/${id}`);
    return service.made<AnyItem>(await service.finished(id));
  }

  suite(service, items, () => {
    for (const one of nested) {
      const { member, to } = one;

      test(`lists and creates items at ${to.path}/{id}/${one.path}`, async () => {
        const parent = await makeReferred(service, items, member);
        const path = `${pathOf(to, parent)}/${one.path}`;
        // Rules may have made some.
        const { body: before } = await service.get<unknown[]>(path);
        const item = await createdBy(await service.post(path, await bodyBelow(one, parent)));
        if (one.isHidden !== true) expect(item[member]).toBe(parent.id);
        expect(await read(item)).toEqual(item);
        const own = [item];
        if (one.hasSeveral === true) {
          const body = await items.body(service, { [member]: parent.id });
          own.push(await service.create<AnyItem>(path, body));
        }
        if (one.hasOthers === true) {
          const other = one.isShared === true && (await makeReferred(service, items, member)).id;
          await createItem(service, items, other === false ? {} : { [member]: other });
        }
        const listed = [...before, ...(await Promise.all(own.map(read)))];
        const { body: found } = await service.get<unknown[]>(path);
        // Perhaps in the order of their keys, and not of their creation.
        if (options.isInKeyOrder === true) expect(new Set(found)).toEqual(new Set(listed));
        else expect(found).toEqual(listed);
        if (listed.length > 1) {
          const { headers } = await service.get(`${path}?limit=1`);
          expect(headers.get('link')).toContain(`<${api}${path}?limit=1&cursor=`);
        }
        expect(await service.head(path)).toHaveStatus(200);

        const named = await items.body(service, { [member]: one.noId });
        expect(await service.post(path, named)).toBeError(422, member);
        expect(await service.put(path, {})).toBeError(405);
      });

      if (one.isSeparate !== true) continue;
      test(`separates each Idempotency-Key by parent at ${to.path}/{id}/${one.path}`, async () => {
        const [first, second] = [
          await makeReferred(service, items, member),
          await makeReferred(service, items, member),
        ];
        for (const parent of [first, second]) {
          const headers = { 'idempotency-key': 'once' };
          const body = await bodyBelow(one, parent);
          const path = `${api}${pathOf(to, parent)}/${one.path}`;
          const answer = await service.request('POST', path, { headers, body });
          expect(answer).toHaveStatus(options.isBackground === true ? 202 : 201);
        }
      });
    }
  });
}
