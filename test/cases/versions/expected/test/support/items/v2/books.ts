/** Books for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type {
  BookV2 as Book,
  BookV2Body,
  BookV2Values as BookValues,
} from '../../../../src/collections/books/v2.ts';
import { valid } from '../../../fixtures/v2/books.ts';
import type { TestService } from '../../service.ts';
import { createPerson } from './people.ts';

/** What a fixture of books returns: the members that clients send, without references. */
export type BookInput = Omit<Static<typeof BookV2Body>, 'person_id'>;

/** A body that creates a book. @param given the members that matter to the test. */
export async function bookBody(service: TestService, given: Partial<BookValues> = {}) {
  return {
    ...valid(service.serial('books')),
    person_id: given.person_id ?? (await createPerson(service)).id,
    ...given,
  };
}

/** Creates a book. @param given the members that matter to the test. */
export async function createBook(
  service: TestService,
  given: Partial<BookValues> = {},
): Promise<Book> {
  return service.create('/books', await bookBody(service, given));
}
