/** Included references: their paths in each version, which collections take part, and what `explain` prints. */
import { expect, test } from 'vitest';

import { explainedIncludes, includeLines } from '../../../src/commands/explain/includes.ts';
import { buildModel } from '../../../src/model/build.ts';
import { includePathsOf, isEmbedded } from '../../../src/model/includes.ts';
import { service, single } from '../definition/support.ts';

const model = buildModel(
  service(
    await single(`name: shop
versions: [1, 2]
collections:
  books:
    fields:
      author_id: { type: reference, to: authors, name_in: { 1: writer_id } }
      editor_id: { type: reference, to: authors, since: 2 }
    include: [author_id, editor_id]
  authors:
    fields: { mentor_id: { type: reference, to: authors }, country_id: { type: reference, to: countries } }
    include: [mentor_id]
  countries: { fields: { name: { type: string } } }
`),
  ),
);

const pathsIn = (version: number): string[] =>
  (model.versions?.models.get(version)?.collections ?? []).flatMap((collection) =>
    includePathsOf(collection, model.versions?.models.get(version) ?? model).map(
      ({ path, target }) => `${collection.definition.name}.${path}: ${target.definition.name}`,
    ),
  );

test('paths have the names of each version, and two references at most', () => {
  expect(pathsIn(2)).toEqual([
    'authors.mentor: authors',
    'authors.mentor.mentor: authors',
    'books.author: authors',
    'books.author.mentor: authors',
    'books.editor: authors',
    'books.editor.mentor: authors',
  ]);
  expect(pathsIn(1)).toEqual([
    'authors.mentor: authors',
    'authors.mentor.mentor: authors',
    'books.writer: authors',
    'books.writer.mentor: authors',
  ]);
});

test('collections that nothing includes take no part', () => {
  const embedded = model.collections.filter((one) => isEmbedded(one, model));
  expect(embedded.map(({ names }) => names.kebab)).toEqual(['authors', 'books']);
});

test('explain lists them with the collections of the items', () => {
  const [authors] = explainedIncludes(model);
  expect(authors).toEqual({
    collection: 'authors',
    paths: [
      { path: 'mentor', collection: 'authors' },
      { path: 'mentor.mentor', collection: 'authors' },
    ],
  });
  expect(includeLines(explainedIncludes(model))).toContain(
    '  authors: mentor (authors), mentor.mentor (authors)',
  );
  expect(includeLines([])).toEqual([]);
});
