/** The repository of authors: transactions, and concurrent changes. */
import {
  createAuthor,
  deleteAuthor,
  findAuthor,
  updateAuthor,
} from '../../src/collections/authors/repository.ts';
import { AuthorComputed } from '../../src/collections/authors/schema.ts';
import { testAuthors } from '../support/items/authors.ts';
import { repositoryTests } from '../support/repository-tests.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();

const repository = {
  create: createAuthor,
  find: findAuthor,
  update: updateAuthor,
  remove: deleteAuthor,
};

repositoryTests(service, testAuthors, repository, {
  table: '"authors"',
  computed: AuthorComputed,
});
