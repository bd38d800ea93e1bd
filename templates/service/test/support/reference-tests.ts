/** Tests of references: to items that do not exist, and to items that are removed. */
import { expect, test } from 'vitest';

import { assignedIn } from './assigned.ts';
import type { Assigned } from './assigned.ts';
import { A_TIME } from './expected.ts';
import type { TestService } from './service.ts';
import { suite } from './suite.ts';
import { createItem, makeReferred, pathOf, prepare, removeItem } from './test-items.ts';
import type { AnyItem, RemovedItems, TestItems } from './test-items.ts';

/** A reference. */
export interface Reference {
  readonly member: string;
  /** The collection that it refers to, and what an item there is called. */
  readonly to: RemovedItems;
  readonly anItem: string;
  /** An id that no item there has. */
  readonly noId: string;
  /** Whether it can change. */
  readonly mayChange?: boolean;
  /** What the removal of the other item does: nothing, because it is refused, or to this item. */
  readonly onRemoval?: 'refused' | 'cascades' | 'clears';
  /** Whether the row of a removed item stays, and goes on referring to the other. */
  readonly keepsReference?: boolean;
  /** Whether items share what they refer to unless told otherwise. */
  readonly isShared?: boolean;
  /** Whether clients cannot read it. */
  readonly isHidden?: boolean;
}

/** What the collection has beside its references. */
export interface ReferringItems extends Assigned {
  /** Whether items have the time of their last change. */
  readonly hasUpdatedAt?: boolean;
  /** Whether the table is another program's: its rows leave no tombstone when the database removes them. */
  readonly isExisting?: boolean;
}

/** Tests each reference of a collection. */
export function referenceTests(
  service: TestService,
  items: TestItems,
  references: readonly Reference[],
  options: ReferringItems,
): void {
  suite(service, items, () => {
    for (const reference of references) {
      refusedTest(service, items, reference);
      if (reference.onRemoval === 'refused') refusalTest(service, items, reference);
      if (reference.onRemoval === 'cascades') cascadeTest(service, items, reference, options);
      if (reference.onRemoval === 'clears') clearingTest(service, items, reference, options);
    }
  });
}

/** A reference to an item that never existed, or does not any more. */
function refusedTest(
  service: TestService,
  items: TestItems,
  { member, to, anItem, noId, mayChange }: Reference,
): void {
  const { path } = items;

  test(`refuses ${member} of ${anItem} that does not exist (422)`, async () => {
    const other = await makeReferred(service, items, member);
    await removeItem(service, to, other);
    for (const id of [noId, other.id]) {
      const body = { ...(await items.body(service)), [member]: id };
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const answers = [
        await service.post(path, body),
        await service.request('POST', service.api + path, keyed),
      ];
      if (mayChange === true) {
        const item = await createItem(service, items);
        answers.push(await service.patch(pathOf(items, item), { [member]: id }));
      }
      // It is the first error, also where a hook looks at what a reference leads to.
      for (const answer of answers) expect(answer).toBeError(422, member);
    }
  });
}

/** The removal of what an item refers to is refused. */
function refusalTest(
  service: TestService,
  items: TestItems,
  { member, to, anItem, keepsReference }: Reference,
): void {
  test(`refuses to remove ${anItem} that ${member} refers to (409)`, async () => {
    const other = await makeReferred(service, items, member);
    const item = await createItem(service, items, { [member]: other.id });
    const path = pathOf(to, other);
    expect(await service.delete(path)).toBeError(409);
    expect(await service.get(path)).toHaveStatus(200);
    await removeItem(service, items, item);
    if (keepsReference === true) {
      // The row of the removed item stays, and refers to it.
      expect(await service.delete(path)).toBeError(409);
      return;
    }
    await prepare(service, to, other, 'removal');
    expect(await service.delete(path)).toHaveStatus(204);
  });
}

/** The removal of what an item refers to removes the item. */
function cascadeTest(
  service: TestService,
  items: TestItems,
  { member, to, anItem, isShared }: Reference,
  { isExisting }: ReferringItems,
): void {
  test(`the removal of ${anItem} cascades by ${member}`, async () => {
    const parent = await makeReferred(service, items, member);
    const item = await createItem(service, items, { [member]: parent.id });
    const given =
      isShared === true ? { [member]: (await makeReferred(service, items, member)).id } : {};
    const other = await createItem(service, items, given);
    await prepare(service, to, parent, 'removal');
    expect(await service.delete(pathOf(to, parent))).toHaveStatus(204);
    // The database removes it, and leaves no tombstone in a table of another program.
    expect(await service.get(pathOf(items, item))).toBeError(isExisting === true ? 404 : 410);
    expect(await service.get(pathOf(items, other))).toHaveStatus(200);
  });
}

/** The removal of what an item refers to clears the reference. */
function clearingTest(
  service: TestService,
  items: TestItems,
  { member, to, anItem, isHidden }: Reference,
  options: ReferringItems,
): void {
  test(`the removal of ${anItem} clears ${member}`, async () => {
    const parent = await makeReferred(service, items, member);
    const item = await createItem(service, items, { [member]: parent.id });
    await prepare(service, to, parent, 'removal');
    expect(await service.delete(pathOf(to, parent))).toHaveStatus(204);
    const answer = await service.get<AnyItem>(pathOf(items, item));
    expect(answer.body).toEqual({
      ...item,
      ...(isHidden !== true && { [member]: null }),
      ...(options.hasUpdatedAt === true && { updated_at: A_TIME }),
      ...assignedIn(answer.body, { computed: options.computed }),
    });
  });
}
