/** People for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type {
  PersonV3 as Person,
  PersonV3Body,
  PersonV3Values as PersonValues,
} from '../../../src/collections/people/v3.ts';
import { valid } from '../../fixtures/people.ts';
import type { TestService } from '../service.ts';

/** What a fixture of people returns: the members that clients send, without references. */
export type PersonInput = Static<typeof PersonV3Body>;

/** A body that creates a person. @param given the members that matter to the test. */
export async function personBody(service: TestService, given: Partial<PersonValues> = {}) {
  return {
    ...valid(service.serial('people')),
    ...given,
  };
}

/** Creates a person. @param given the members that matter to the test. */
export async function createPerson(
  service: TestService,
  given: Partial<PersonValues> = {},
): Promise<Person> {
  return service.create('/people', await personBody(service, given));
}
