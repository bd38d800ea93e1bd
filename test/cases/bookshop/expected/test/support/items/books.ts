/** Books for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type { Book, BookBody, BookValues } from '../../../src/collections/books/schema.ts';
import * as fixture from '../../fixtures/books.ts';
import type { TestService } from '../service.ts';
import type { TestItems } from '../test-items.ts';

/** What a fixture of books returns: the members that clients send, without references. */
export type BookInput = Omit<Static<typeof BookBody>, 'author_id'>;

/** A body that creates a book. @param given the members that matter to the test. */
export async function bookBody(service: TestService, given: Partial<BookValues> = {}) {
  const make = fixture.references(service, given);
  return {
    ...fixture.valid(service.serial('books')),
    author_id: given.author_id ?? (await make.author_id(service)).id,
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

/** Books, as suites test them. */
export const testBooks: TestItems = {
  path: '/books',
  words: 'books',
  fixture,
  body: bookBody,
  create: createBook,
};
