/** To strings for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type {
  ToString,
  ToStringBody,
  ToStringValues,
} from '../../../src/collections/to-strings/schema.ts';
import { valid } from '../../fixtures/to-strings.ts';
import type { TestService } from '../service.ts';
import { createConstructor } from './constructors.ts';

/** What a fixture of to strings returns: the members that clients send, without references. */
export type ToStringInput = Omit<
  Static<typeof ToStringBody>,
  'constructor' | 'constructor_id' | 'item_id'
> & { constructor?: unknown };

/** A body that creates a to string. @param given the members that matter to the test. */
export async function toStringBody(
  service: TestService,
  given: Partial<Record<keyof ToStringValues, unknown>> = {},
) {
  return {
    ...valid(service.serial('to strings')),
    constructor_id: given.constructor_id ?? (await createConstructor(service)).id,
    ...given,
  };
}

/** Creates a to string. @param given the members that matter to the test. */
export async function createToString(
  service: TestService,
  given: Partial<Record<keyof ToStringValues, unknown>> = {},
): Promise<ToString> {
  return service.create('/to-strings', await toStringBody(service, given));
}
