/** A client that uses what openapi-zod-client generates: zod checks every body, and the answers are printed. */
import { isAxiosError } from 'axios';

import { createApiClient } from './zodios.js';

declare const process: { readonly argv: string[] };

const [, , baseUrl = '', authorization = ''] = process.argv;
const client = createApiClient(baseUrl, {
  axiosConfig: {
    headers: { authorization },
    // Lists of values are separated by commas, as the document says: `explode: false`.
    paramsSerializer: {
      serialize: (params) =>
        Object.entries(params)
          .map((pair) => pair.map((part) => encodeURIComponent(String(part))).join('='))
          .join('&'),
    },
  },
});

const { id: authorId } = await client.createAuthor({ name: 'Ursula K. Le Guin' });
const made = [];
for (const [n, status] of (['draft', 'published', 'draft'] as const).entries()) {
  const isbn = `978200000000${n}`;
  made.push(await client.createBook({ title: `Part ${n}`, isbn, status, author_id: authorId }));
}
const listed = await client.listBooks({
  queries: {
    author_id: authorId,
    'status[in]': ['draft', 'published'],
    sort: ['-title'],
    fields: ['title', 'status'],
  },
});
const id = listed[0]?.id ?? '';
const params = { id };
const read = await client.getBook({ params });
const change = (tag: string) =>
  client.updateBook({ title: 'The end' }, { params, headers: { 'If-Match': tag } });
const changed = await change('*');
const late = await change('"another"').catch((error: unknown) => error);
const refused = await client
  .createBook({ title: 'Part 3', isbn: made[0]?.isbn ?? '', author_id: authorId })
  .catch((error: unknown) => error);
const unsent = await client
  .createBook({ title: '', isbn: 'none', author_id: authorId })
  .catch((error: unknown) => error);
const user = await client.createUser({ username: 'grace', password: 'a long password' });

const answerOf = (error: unknown): unknown[] =>
  isAxiosError(error) ? [error.response?.status, error.response?.data.status] : [String(error)];

console.log(
  JSON.stringify({
    listed: listed.map(({ title, status }) => [title, status]),
    read: read.title,
    changed: changed.title,
    late: answerOf(late),
    refused: answerOf(refused),
    unsent: isAxiosError(unsent) ? 'sent' : 'refused by the client',
    user: user.username,
  }),
);
