/** Brings items to a value of a member with transitions. */
import { expect } from 'vitest';

import type { TestService } from './service.ts';
import { pathOf, prepare } from './test-items.ts';
import type { AnyItem, TestItems } from './test-items.ts';

/**
 * Creates an item and brings a member to the last of some values.
 * @param given the body to create it with. @returns it as it was created.
 */
export async function takeSteps(
  service: TestService,
  items: TestItems,
  member: string,
  [first, ...others]: readonly string[],
  given: Promise<object> = items.body(service),
): Promise<AnyItem> {
  const body = { ...(await given), [member]: first };
  const item = await service.create<AnyItem>(items.path, body);
  for (const value of others) {
    expect(await takeStep(service, items, item, member, value)).toHaveStatus(200);
  }
  return item;
}

/** Sends a step, after what the fixture asks for before it. @param sender who sends it; by default the administrator. */
export async function takeStep(
  service: TestService,
  items: TestItems,
  item: AnyItem,
  member: string,
  value: string,
  sender = service,
) {
  await prepare(service, items, item, { [member]: value });
  return sender.patch(pathOf(items, item), { [member]: value });
}
