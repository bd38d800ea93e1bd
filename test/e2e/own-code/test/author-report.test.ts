/** The report on an author. The service under test refuses answers that its document lacks. */
import { expect, test } from 'vitest';

import { createBook } from './support/items/books.ts';
import { startService } from './support/service.ts';

const service = await startService();

test('reports the books of an author, and 404 without one', async () => {
  const { author_id: author } = await createBook(service);
  const { body } = await service.get(`/authors/${author}/report`);
  expect(body).toEqual({ books: 1, published: 0, reviews: 0, rating: null });
  expect(await service.get('/authors/nobody/report')).toBeError(404);
});
