/** Constructors for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type {
  Constructor,
  ConstructorBody,
  ConstructorValues,
} from '../../../src/collections/constructors/schema.ts';
import { valid } from '../../fixtures/constructors.ts';
import type { TestService } from '../service.ts';

/** What a fixture of constructors returns: the members that clients send, without references. */
export type ConstructorInput = Omit<Static<typeof ConstructorBody>, 'constructor'> & {
  constructor?: unknown;
};

/** A body that creates a constructor. @param given the members that matter to the test. */
export async function constructorBody(
  service: TestService,
  given: Partial<Record<keyof ConstructorValues, unknown>> = {},
) {
  return {
    ...valid(service.serial('constructors')),
    ...given,
  };
}

/** Creates a constructor. @param given the members that matter to the test. */
export async function createConstructor(
  service: TestService,
  given: Partial<Record<keyof ConstructorValues, unknown>> = {},
): Promise<Constructor> {
  return service.create('/constructors', await constructorBody(service, given));
}
