/** Items that belong to users by an owner path: `order_line_id.order_id.buyer_id`. */
import type { Caller, Owners } from './callers.ts';
import type { Item, TestService } from './service.ts';
import { makeReferred } from './test-items.ts';
import type { TestItems } from './test-items.ts';

/**
 * A step of an owner path: a collection, and its reference. An item of a linking collection is found by
 * `link`, its reference to the item of the step before.
 */
export type OwnerStep = readonly [items: TestItems, reference: string, link?: string];

/** What the path of a linking collection begins with in place of a reference. */
const ID = 'id';

/** How items belong to users by an owner path. */
export interface PathOwners extends Owners {
  /** The first reference of the path; absent if the path begins with a linking collection. */
  readonly member?: string;
  /** That collection. */
  readonly links?: Links;
}

/** The linking collection that a path begins with. */
export interface Links {
  readonly items: TestItems;
  /** Creates the item of it that makes a caller the owner of an item. */
  create(caller: Caller, item: Item): Promise<Item>;
}

/** Items belong to the users that a path leads to. */
export function ownerPath(
  service: TestService,
  [first, ...rest]: readonly [OwnerStep, ...OwnerStep[]],
): PathOwners {
  const [{ path }, member] = first;
  const [link, ...others] = rest;
  if (member !== ID || link === undefined) {
    return {
      member,
      given: async ({ id }) => ({ [member]: await referredId(service, first, rest, id) }),
      create: (_caller, body) => service.create(path, body),
    };
  }
  const linkItem = ({ id }: Caller, item: Item): Promise<Item> =>
    linkTo(service, item.id, link, others, id);
  return {
    links: { items: link[0], create: linkItem },
    given: async () => ({}),
    async create(caller, body) {
      const item = await service.create(path, body);
      await linkItem(caller, item);
      return item;
    },
  };
}

/** Makes what the reference of a step leads to, so that it belongs to a user. @returns its id */
async function referredId(
  service: TestService,
  [items, member]: OwnerStep,
  [next, ...rest]: readonly OwnerStep[],
  user: string,
): Promise<string> {
  if (next === undefined) return user;
  const [, reference, link] = next;
  if (link === undefined) {
    const given = { [reference]: await referredId(service, next, rest, user) };
    return (await makeReferred(service, items, member, given)).id;
  }
  const { id } = await makeReferred(service, items, member);
  await linkTo(service, id, next, rest, user);
  return id;
}

/** Creates the item of a linking collection that makes a user the owner of the item `id`. */
async function linkTo(
  service: TestService,
  id: string,
  step: OwnerStep,
  rest: readonly OwnerStep[],
  user: string,
): Promise<Item> {
  const [items, member, link = ''] = step;
  const owner = await referredId(service, step, rest, user);
  return items.create(service, { [link]: id, [member]: owner });
}
