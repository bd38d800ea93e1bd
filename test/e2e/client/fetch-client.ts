/**
 * What somebody writes who knows nothing of a bookshop but its OpenAPI document: `api.d.ts` is
 * generated from it. Prints what was answered, for the test that runs this.
 */
import createClient from 'openapi-fetch';

import type { components, paths } from './api.js';

declare const process: { readonly argv: string[] };

const [, , baseUrl = '', authorization = ''] = process.argv;
// Lists of values are separated by commas, as the document says: `explode: false`.
const querySerializer = { array: { style: 'form', explode: false } } as const;
const client = createClient<paths>({ baseUrl, headers: { authorization }, querySerializer });
const stranger = createClient<paths>({ baseUrl, querySerializer });

type Book = components['schemas']['Book'];

const author = await client.POST('/api/v1/authors', { body: { name: 'Octavia E. Butler' } });
const authorId: string = author.data?.id ?? '';

const made: Book[] = [];
for (let n = 0; n < 5; n++) {
  // The members that have a default may be left out, and so may those that may be null.
  const { data } = await client.POST('/api/v1/books', {
    body: { title: `Volume ${n}`, isbn: `978000000000${n}`, author_id: authorId },
  });
  if (data !== undefined) made.push(data);
}

// Page by page, as the Link header leads.
const titles: (string | undefined)[] = [];
let cursor: string | undefined;
let pages = 0;
do {
  const page = await stranger.GET('/api/v1/authors/{id}/books', {
    params: { path: { id: authorId }, query: { limit: 2, sort: ['-title'], cursor } },
  });
  titles.push(...(page.data ?? []).map(({ title }) => title));
  const next = /<([^>]*)>; rel="next"/.exec(page.response.headers.get('link') ?? '')?.[1];
  cursor = next && (new URL(next, baseUrl).searchParams.get('cursor') ?? undefined);
  pages++;
} while (cursor !== undefined);

const first = made[0]?.id ?? '';
const params = { path: { id: first } };
const changed = await client.PATCH('/api/v1/books/{id}', { params, body: { status: 'published' } });
const refused = await client.POST('/api/v1/books', {
  body: { title: '', isbn: 'none', author_id: authorId },
});
const unknown = await stranger.DELETE('/api/v1/books/{id}', { params });
const removed = await client.DELETE('/api/v1/books/{id}', { params });
const gone = await client.GET('/api/v1/books/{id}', { params });
const health = await stranger.GET('/health/ready');

console.log(
  JSON.stringify({
    made: made.map(({ status }) => status),
    titles,
    pages,
    changed: changed.data?.status,
    refused: [refused.response.status, refused.error?.message],
    unknown: [unknown.response.status, unknown.error?.status],
    removed: removed.response.status,
    gone: [gone.response.status, gone.error?.status],
    health: health.data?.status,
  }),
);
