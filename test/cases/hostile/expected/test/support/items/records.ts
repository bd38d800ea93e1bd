/** Records for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type {
  RecordItem,
  RecordItemBody,
  RecordItemValues,
} from '../../../src/collections/records/schema.ts';
import { valid } from '../../fixtures/records.ts';
import type { TestService } from '../service.ts';

/** What a fixture of records returns: the members that clients send, without references. */
export type RecordItemInput = Static<typeof RecordItemBody>;

/** A body that creates a record. @param given the members that matter to the test. */
export async function recordBody(service: TestService, given: Partial<RecordItemValues> = {}) {
  return {
    ...valid(service.serial('records')),
    ...given,
  };
}

/** Creates a record. @param given the members that matter to the test. */
export async function createRecordItem(
  service: TestService,
  given: Partial<RecordItemValues> = {},
): Promise<RecordItem> {
  return service.create('/records', await recordBody(service, given));
}
