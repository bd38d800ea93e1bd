/** Collections on the command line: what words become, and what is said of those that are wrong. */
import { expect, test } from 'vitest';

import { asOptions, collectionFrom } from '../../../src/definition/shorthand.ts';
import { TYPE_NAMES } from '../../../src/types/registry.ts';
import { lines, service, textOf, folder } from './support.ts';

const MODELINE =
  '# yaml-language-server: $schema=../../node_modules/create-service/schema/collection.schema.json\n';

test('words become a definition as one would write it', async () => {
  const { file, problems, words } = collectionFrom('reviews', [
    'rating:integer:required:minimum=1:maximum=5',
    'body:text',
    'book_id:reference:books:nested:on_delete=cascade',
    'state:enum:values=draft,published:default=draft',
    'price:decimal:precision=10:scale=2:minimum=0',
    String.raw`code:string:unique:pattern=^[A-Z]\d\:x$`,
    'tags:list:of=string:unique_items:default=["a"]',
    'seen_at:timestamp:default=now:read_only',
    'shown:boolean:default=true',
    'other_id:reference:to=books:nested=replies',
    String.raw`kind:enum:values=a\,b|c`,
    'count:bigint:minimum=5',
    'number:integer:set_by=service:default=sequence',
  ]);
  expect(problems).toEqual([]);
  expect(file.path).toBe('definitions/collections/reviews.yaml');
  expect(textOf(file)).toBe(`${MODELINE}name: reviews
fields:
  rating: { type: integer, required: true, minimum: 1, maximum: 5 }
  body: { type: text }
  book_id: { type: reference, to: books, nested: true, on_delete: cascade }
  state: { type: enum, values: [draft, published], default: draft }
  price: { type: decimal, precision: 10, scale: 2, minimum: '0' }
  code: { type: string, unique: true, pattern: '^[A-Z]\\d:x$' }
  tags: { type: list, of: string, unique_items: true, default: [a] }
  seen_at: { type: timestamp, default: now, read_only: true }
  shown: { type: boolean, default: true }
  other_id: { type: reference, to: books, nested: replies }
  kind: { type: enum, values: ['a,b', c] }
  count: { type: bigint, minimum: '5' }
  number: { type: integer, set_by: service, default: sequence }
`);
  expect(words.get(2)).toBe('reviews');
  expect(words.get(5)).toBe('body:text');
  const books = 'fields:\n  title: { type: string }\n';
  const result = await folder({
    'collections/books.yaml': books,
    'collections/reviews.yaml': textOf(file),
  });
  expect(lines(result)).toEqual([]);
  expect(service(result).collections.map(({ name }) => name)).toEqual(['books', 'reviews']);
});

test.each([
  ['body', '"body": it has no type. Write "body:string", or another type.'],
  ['body:', '"body:": it has no type. Write "body:string", or another type.'],
  ['rating:intger', '"rating:intger": there is no type "intger". Write "integer".'],
  ['rating:int', '"rating:int": there is no type "int". Write "integer".'],
  [
    'rating:zzzzzz',
    `"rating:zzzzzz": there is no type "zzzzzz". Types are ${TYPE_NAMES.slice(0, -1).join(', ')} and reference.`,
  ],
  [
    'box:object',
    '"box:object": the members of an object do not fit into a word. Add it to the definition then.',
  ],
  [
    'a:string:max_length',
    '"a:string:max_length": "max_length" needs a value. Write "max_length=10".',
  ],
  [
    'a:string:maxlength=3',
    '"a:string:maxlength=3": a field of type string has no option "maxlength". Write "max_length".',
  ],
  [
    'a:string:max_length=many',
    '"a:string:max_length=many": max_length is "many", not a number. Write "max_length=10".',
  ],
  [
    'a:string:required=yes',
    '"a:string:required=yes": required is "yes", not true or false. Write "required=true".',
  ],
  [
    'a:text:required:required',
    '"a:text:required:required": "required" stands there twice. Remove one.',
  ],
  [
    'a:list:of=list',
    '"a:list:of=list": of is "list", not a type that a list can hold. Write "of=string".',
  ],
  [
    'a:json:default={',
    '"a:json:default={": default is "{", not a value in JSON. Write "default=[]".',
  ],
])('%s is refused with what to write', (word, problem) => {
  expect(collectionFrom('reviews', [word]).problems).toEqual([problem]);
});

test('all problems are told, and the right words still go on to the parser', () => {
  const { problems, words } = collectionFrom('reviews', ['a', 'b:text', 'c:intger:x']);
  expect(problems).toHaveLength(2);
  expect([...words.values()]).toEqual(['reviews', 'b:text']);
  expect(collectionFrom('reviews', []).problems).toEqual([
    'a collection needs a field. Write "reviews title:string:required".',
  ]);
});

test.each([
  ['Write "precision: 10", the number', 'Write "precision=10", the number'],
  ['Write "values: [draft, published]".', 'Write "values=draft,published".'],
  ['Write "of: { type: string }".', 'Write "of=string".'],
  ['Write "to:" and the name', 'Write "to=" and the name'],
  ['Write "backfill:" with one, or "default:"', 'Write "backfill=" with one, or "default="'],
  ['Write "fields:" under it.', 'Write "fields:" under it.'],
])('what the parser says has the form of the command line: %s', (message, told) => {
  expect(asOptions(message)).toBe(told);
});
