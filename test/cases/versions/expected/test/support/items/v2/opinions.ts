/** Opinions for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type {
  ReviewV2 as Opinion,
  ReviewV2Body,
  ReviewV2Values as OpinionValues,
} from '../../../../src/collections/reviews/v2.ts';
import { valid } from '../../../fixtures/v2/opinions.ts';
import type { TestService } from '../../service.ts';
import { createBook } from './books.ts';

/** What a fixture of opinions returns: the members that clients send, without references. */
export type OpinionInput = Omit<Static<typeof ReviewV2Body>, 'title_id'>;

/** A body that creates an opinion. @param given the members that matter to the test. */
export async function opinionBody(service: TestService, given: Partial<OpinionValues> = {}) {
  return {
    ...valid(service.serial('opinions')),
    title_id: given.title_id ?? (await createBook(service)).id,
    ...given,
  };
}

/** Creates an opinion. @param given the members that matter to the test. */
export async function createOpinion(
  service: TestService,
  given: Partial<OpinionValues> = {},
): Promise<Opinion> {
  return service.create('/opinions', await opinionBody(service, given));
}
