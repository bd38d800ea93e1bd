/** People for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type {
  PersonV2 as Person,
  PersonV2Body,
  PersonV2Values as PersonValues,
} from '../../../../src/collections/people/v2.ts';
import { valid } from '../../../fixtures/v2/people.ts';
import type { TestService } from '../../service.ts';

/** What a fixture of people returns: the members that clients send, without references. */
export type PersonInput = Static<typeof PersonV2Body>;

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
