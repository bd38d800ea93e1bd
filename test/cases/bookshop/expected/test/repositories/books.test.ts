/** The repository of books: transactions, and concurrent changes. */
import { deleteAuthor } from '../../src/collections/authors/repository.ts';
import {
  createBook,
  deleteBook,
  findBook,
  updateBook,
} from '../../src/collections/books/repository.ts';
import { BookComputed } from '../../src/collections/books/schema.ts';
import { NO_ID } from '../support/expected.ts';
import { testBooks } from '../support/items/books.ts';
import { repositoryTests } from '../support/repository-tests.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();

const repository = {
  create: createBook,
  find: findBook,
  update: updateBook,
  remove: deleteBook,
};

repositoryTests(service, testBooks, repository, {
  table: '"books"',
  computed: BookComputed,
  references: { author_id: NO_ID },
  isUnique: true,
  parents: { author_id: deleteAuthor },
});
