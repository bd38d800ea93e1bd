/** Authors for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type { Author, AuthorBody, AuthorValues } from '../../../src/collections/authors/schema.ts';
import * as fixture from '../../fixtures/authors.ts';
import type { TestService } from '../service.ts';
import type { TestItems } from '../test-items.ts';

/** What a fixture of authors returns: the members that clients send, without references. */
export type AuthorInput = Static<typeof AuthorBody>;

/** A body that creates an author. @param given the members that matter to the test. */
export async function authorBody(service: TestService, given: Partial<AuthorValues> = {}) {
  return {
    ...fixture.valid(service.serial('authors')),
    ...given,
  };
}

/** Creates an author. @param given the members that matter to the test. */
export async function createAuthor(
  service: TestService,
  given: Partial<AuthorValues> = {},
): Promise<Author> {
  return service.create('/authors', await authorBody(service, given));
}

/** Authors, as suites test them. */
export const testAuthors: TestItems = {
  path: '/authors',
  words: 'authors',
  fixture,
  body: authorBody,
  create: createAuthor,
};
