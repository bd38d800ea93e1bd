/** Books for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type {
  BookV1 as Book,
  BookV1Body,
  BookV1Values as BookValues,
} from '../../../../src/collections/books/v1.ts';
import { valid } from '../../../fixtures/v1/books.ts';
import type { TestService } from '../../service.ts';
import { createWriter } from './writers.ts';

/** What a fixture of books returns: the members that clients send, without references. */
export type BookInput = Omit<Static<typeof BookV1Body>, 'writer_id'>;

/** A body that creates a book. @param given the members that matter to the test. */
export async function bookBody(service: TestService, given: Partial<BookValues> = {}) {
  return {
    ...valid(service.serial('books')),
    writer_id: given.writer_id ?? (await createWriter(service)).id,
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
