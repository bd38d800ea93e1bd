/** Writers for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type {
  PersonV1 as Writer,
  PersonV1Body,
  PersonV1Values as WriterValues,
} from '../../../../src/collections/people/v1.ts';
import { valid } from '../../../fixtures/v1/writers.ts';
import type { TestService } from '../../service.ts';

/** What a fixture of writers returns: the members that clients send, without references. */
export type WriterInput = Static<typeof PersonV1Body>;

/** A body that creates a writer. @param given the members that matter to the test. */
export async function writerBody(service: TestService, given: Partial<WriterValues> = {}) {
  return {
    ...valid(service.serial('writers')),
    ...given,
  };
}

/** Creates a writer. @param given the members that matter to the test. */
export async function createWriter(
  service: TestService,
  given: Partial<WriterValues> = {},
): Promise<Writer> {
  return service.create('/writers', await writerBody(service, given));
}
