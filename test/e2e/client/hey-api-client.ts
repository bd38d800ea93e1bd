/** A client that uses what @hey-api/openapi-ts generates. Prints the answers. */
import { client } from './hey/client.gen.js';
import { createAuthor, createBook, getBook, listBooks, updateBook } from './hey/sdk.gen.js';

declare const process: { readonly argv: string[] };

const [, , baseUrl = '', authorization = ''] = process.argv;
client.setConfig({ baseUrl, headers: { authorization } });

const author = await createAuthor({ body: { name: 'Ursula K. Le Guin' } });
const authorId = author.data?.id ?? '';
for (const [n, status] of (['draft', 'published', 'draft'] as const).entries()) {
  const isbn = `978100000000${n}`;
  await createBook({ body: { title: `Part ${n}`, isbn, status, author_id: authorId } });
}
const listed = await listBooks({
  query: {
    author_id: authorId,
    'status[in]': ['draft', 'published'],
    sort: ['-title'],
    fields: ['title', 'status'],
  },
});
const id = listed.data?.[0]?.id ?? '';
const read = await getBook({ path: { id } });
const tag = read.response?.headers.get('etag') ?? '';
const change = { path: { id }, headers: { 'If-Match': tag }, body: { title: 'The end' } };
const changed = await updateBook(change);
const late = await updateBook(change);
const refused = await createBook({ body: { title: '', isbn: 'none', author_id: authorId } });

console.log(
  JSON.stringify({
    listed: listed.data?.map(({ title, status }) => [title, status]),
    read: read.data?.title,
    changed: changed.data?.title,
    late: [late.response?.status, late.error?.status],
    refused: [refused.response?.status, refused.error?.message],
  }),
);
