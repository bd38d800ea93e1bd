/** Tests of who may do what in a collection: a table of methods, paths and callers, and what they refer to. */
import { beforeEach, describe, expect, test } from 'vitest';

import { clientsOf, statusesOf } from './callers.ts';
import type { Callers, Owners, Target } from './callers.ts';
import type { Item, TestService } from './service.ts';
import { rowsOf } from './table.ts';
import { makeReferred, pathOf, prepare, removeItem } from './test-items.ts';
import type { RemovedItems, TestItems } from './test-items.ts';

/** A collection, of which tests may be unable to create items. */
type Tested = TestItems | Pick<TestItems, 'path' | 'words'>;

/** A collection that others are nested in. */
type Parents = RemovedItems & Pick<TestItems, 'create'>;

/** What a table calls items. */
const ITEM_STATES = new Set(['id', 'removed', 'missing']);

/** What the definition of a collection has. */
export interface PermissionOptions {
  readonly callers: Callers;
  /** The status of the response to each caller, as `rowsOf` reads it. */
  readonly table: string;
  /** An id that no item has. */
  readonly noId: string;
  /** How items come to belong to users; absent if they do not. */
  readonly owners?: Owners;
  readonly nested?: readonly NestedPath[];
}

/** A path of the collection below an item of another: `/authors/{id}/books`. */
export interface NestedPath {
  readonly parents: Parents;
  /** The part of the path after the item. */
  readonly path: string;
  /** The reference to the item. */
  readonly member: string;
  /** An id that no item of the parents has. */
  readonly noId: string;
}

/** Tests each row of the table. */
export function permissionTests(
  service: TestService,
  items: Tested,
  { callers, table, noId, owners, nested = [] }: PermissionOptions,
): void {
  const clients = Object.fromEntries(callers.clients);
  const body = async (given?: object): Promise<object> =>
    'body' in items ? items.body(service, given) : {};

  /** Creates the item at `{id}` or `{removed}`, with the body that it is made of. */
  async function makeItem(state: string): Promise<Target & { readonly item: Item }> {
    if (owners === undefined || state === 'removed') {
      const sent = await body();
      const item = await service.create(items.path, sent);
      return { item, path: pathOf(items, item), body: sent };
    }
    const sent = await body(await owners.given(callers.owner));
    const item = await owners.create(callers.owner, sent);
    return { item, path: pathOf(items, item), body: sent };
  }

  async function arrangeItem(method: string, state: string): Promise<Target> {
    if (state === 'missing') return { path: pathOf(items, { id: noId }), body: {} };
    const target = await makeItem(state);
    if (state === 'removed') await removeItem(service, items, target.item);
    else if (method === 'DELETE') await prepare(service, items, target.item, 'removal');
    return target;
  }

  async function arrangeNested({ parents, path, member, ...at }: NestedPath, state: string) {
    const below = (id: string): string => `${pathOf(parents, { id })}/${path}`;
    if (state === 'missing') return { path: below(at.noId), body: {} };
    const parent =
      'body' in items ? await makeReferred(service, items, member) : await parents.create(service);
    if (state === 'removed') await removeItem(service, parents, parent);
    return {
      path: below(parent.id),
      body: state === 'removed' ? {} : await body({ [member]: parent.id }),
    };
  }

  /** Creates the items that a path of the table needs. */
  async function arrange(method: string, row: string): Promise<Target> {
    await service.clear();
    const [, start = '', state = '', rest] =
      /^(\/[^/]+)(?:\/\{(\w+)\}(?:\/(.+))?)?$/.exec(row) ?? [];
    if (start === items.path && state === '') return { path: start, body: await body() };
    if (rest === undefined && start === items.path && ITEM_STATES.has(state)) {
      return arrangeItem(method, state);
    }
    const at = nested.find(({ parents, path }) => parents.path === start && path === rest);
    if (at === undefined || !ITEM_STATES.has(state)) throw new Error(`unknown path ${row}`);
    return arrangeNested(at, state);
  }

  test.each(rowsOf(table))(
    '%s %s answers each caller by permission',
    async (method, row, statuses) => {
      expect(await statusesOf(clients, method, () => arrange(method, row))).toEqual(statuses);
    },
  );
}

/** A reference to items that not all callers may read who may send it. */
export interface HiddenReference {
  readonly member: string;
  /** An id that no item has. */
  readonly noId: string;
  /** Callers who may create or change items, but not read what they would refer to. */
  readonly creator?: string;
  readonly updater?: string;
}

/** Tests that an item that a caller may not read is answered as one that does not exist. */
export function hiddenReferenceTests(
  service: TestService,
  items: TestItems,
  callers: Callers,
  references: readonly HiddenReference[],
): void {
  describe('references to items that the caller may not read are refused', () => {
    beforeEach(() => service.clear());

    test.each(references.map((reference) => [reference.member, reference] as const))(
      '%s',
      async (member, { noId, creator, updater }) => {
        const { id } = await makeReferred(service, items, member);
        const body = await items.body(service);
        for (const sender of clientsOf(callers, creator)) {
          const hidden = await sender.post(items.path, { ...body, [member]: id });
          const absent = await sender.post<{ readonly message: string }>(items.path, {
            ...body,
            [member]: noId,
          });
          expect(hidden).toBeError(422, member);
          expect(absent).toBeError(422, member);
          expect(hidden.body).toHaveProperty('message', absent.body.message);
        }
        for (const changer of clientsOf(callers, updater)) {
          const item = await service.create(items.path, body);
          const path = pathOf(items, item);
          const change = { [member]: id };
          expect(await changer.patch(path, change)).toBeError(422, member);
          expect(await changer.patch(path, { [member]: noId })).toBeError(422, member);
          await prepare(service, items, item, change);
          expect(await service.patch(path, change)).toHaveStatus(200);
          // An unchanged reference is accepted.
          expect(await changer.patch(path, change)).toHaveStatus(200);
        }
      },
    );
  });
}

/** A reference that `include` embeds, to items that not all readers may read. */
export interface HiddenInclude {
  readonly name: string;
  readonly member: string;
  /** A caller who may read none of them. */
  readonly refused?: string;
  /** A caller who may read only their own. */
  readonly limited?: string;
}

/** Tests that `include` embeds no item that a caller may not read. */
export function hiddenIncludeTests(
  service: TestService,
  items: TestItems,
  callers: Callers,
  includes: readonly HiddenInclude[],
): void {
  describe('include of items that the caller may not read', () => {
    beforeEach(() => service.clear());

    test.each(includes.map((include) => [include.name, include] as const))(
      '%s',
      async (name, { member, refused, limited }) => {
        const { id } = await makeReferred(service, items, member);
        const item = await items.create(service, { [member]: id });
        const path = `${pathOf(items, item)}?include=${name}`;
        const status = refused === 'no credential' ? 401 : 403;
        for (const client of clientsOf(callers, refused)) {
          expect(await client.get(path)).toBeError(status, name);
        }
        for (const client of clientsOf(callers, limited)) {
          const answer = await client.get(path);
          expect(answer).toHaveStatus(200);
          expect(answer.body).toMatchObject({ [member]: id, [name]: null });
        }
      },
    );
  });
}
