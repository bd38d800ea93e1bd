/** Keys for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type { KeyItem, KeyItemBody, KeyItemValues } from '../../../src/collections/keys/schema.ts';
import { valid } from '../../fixtures/keys.ts';
import type { TestService } from '../service.ts';

/** What a fixture of keys returns: the members that clients send, without references. */
export type KeyItemInput = Static<typeof KeyItemBody>;

/** A body that creates a key. @param given the members that matter to the test. */
export async function keyBody(service: TestService, given: Partial<KeyItemValues> = {}) {
  return {
    ...valid(service.serial('keys')),
    ...given,
  };
}

/** Creates a key. @param given the members that matter to the test. */
export async function createKeyItem(
  service: TestService,
  given: Partial<KeyItemValues> = {},
): Promise<KeyItem> {
  return service.create('/keys', await keyBody(service, given));
}
