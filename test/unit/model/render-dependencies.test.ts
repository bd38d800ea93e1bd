/**
 * The files of a collection are made of its surroundings alone: rendered from a model that has no
 * other collection, they are the same to the byte. What is rendered again when definitions change
 * hangs on that.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseFolder, parseSingleFile } from '../../../src/definition/index.ts';
import type { DefinitionResult } from '../../../src/definition/types.ts';
import { renderSome } from '../../../src/project/render-project.ts';
import { buildModel } from '../../../src/model/build.ts';
import { renderDependenciesOf } from '../../../src/model/render-dependencies.ts';
import type { Model } from '../../../src/model/types.ts';
import { planCollections } from '../../../src/plan/outputs.ts';
import { filesOf, related } from '../../support/related.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function modelOf(result: DefinitionResult): Model {
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  return buildModel(result.service);
}

/** A model with some of its collections alone. */
function onlyWith(model: Model, names: ReadonlySet<string>): Model {
  const { service } = model;
  return {
    ...model,
    service: { ...service, collections: service.collections.filter(({ name }) => names.has(name)) },
    collections: model.collections.filter(({ definition }) => names.has(definition.name)),
  };
}

async function filesFor(model: Model, name: string): Promise<Record<string, string>> {
  const own = planCollections(model).filter(
    ({ collection }) => collection.definition.name === name,
  );
  const tree = await renderSome(own);
  return Object.fromEntries(tree.map(({ path: file, text }) => [file, text]));
}

/** The files of each collection by its surroundings alone, by the whole model, and how many were left out. */
async function filesOfAll(model: Model): Promise<{ alone: unknown; whole: unknown; left: number }> {
  const alone = new Map<string, Record<string, string>>();
  const whole = new Map<string, Record<string, string>>();
  let left = 0;
  for (const { definition } of model.collections) {
    const { name } = definition;
    const around = renderDependenciesOf(model, name);
    left += model.collections.filter((one) => !around.has(one.definition.name)).length;
    alone.set(name, await filesFor(onlyWith(model, around), name));
    whole.set(name, await filesFor(model, name));
  }
  return { alone, whole, left };
}

test.each([
  'examples/bookshop.yaml',
  'test/cases/permissions/definitions.yaml',
  'test/cases/hostile/definitions.json',
])('of %s', async (file) => {
  const source = { path: file, bytes: readFileSync(path.join(ROOT, file)) };
  const model = modelOf(await parseSingleFile(source, { fallbackName: 'shop' }));
  const { alone, whole } = await filesOfAll(model);
  expect(alone).toEqual(whole);
});

test('of collections whose items go with others, and are kept by what refers to them', async () => {
  const text = `name: shop
collections:
  authors: { fields: { name: { type: string } } }
  books: { fields: { author_id: { type: reference, to: authors, on_delete: cascade } } }
  chapters: { fields: { book_id: { type: reference, to: books, on_delete: cascade } } }
  reviews: { fields: { chapter_id: { type: reference, to: chapters, on_delete: refuse } } }
  tags: { fields: { word: { type: string } } }
`;
  const source = { path: 'shop.yaml', bytes: bytesOf(text) };
  const model = modelOf(await parseSingleFile(source, { fallbackName: 'shop' }));
  expect([...renderDependenciesOf(model, 'authors')].toSorted()).toEqual([
    'authors',
    'books',
    'chapters',
    'reviews',
  ]);
  const { alone, whole } = await filesOfAll(model);
  expect(alone).toEqual(whole);
});

test('of any service', { timeout: 240_000 }, async () => {
  let left = 0;
  await fc.assert(
    fc.asyncProperty(related, async (shapes) => {
      const files = Object.entries(filesOf(shapes)).map(([file, text]) => ({
        path: `definitions/${file}`,
        bytes: bytesOf(text),
      }));
      const model = modelOf(await parseFolder(files, { fallbackName: 'shop' }));
      const { alone, whole, left: apart } = await filesOfAll(model);
      expect(alone).toEqual(whole);
      left += apart;
    }),
    { numRuns: 40 },
  );
  expect(left).toBeGreaterThan(20);
});

test('the linking collections of an owner path are part of them, with what these link', async () => {
  const text = `
collections:
  loans: { fields: { member_id: { type: reference, to: members } }, permissions: { read: owner }, owner: member_id.cards.user_id }
  members: { fields: { club_id: { type: reference, to: clubs, required: true } } }
  cards: { fields: { user_id: { type: reference, to: users }, member_id: { type: reference, to: members, unique: true }, shop_id: { type: reference, to: shops, required: true } } }
  clubs: { fields: { name: { type: string } } }
  shops: { fields: { name: { type: string } } }
  towns: { fields: { name: { type: string } } }
`;
  const source = { path: 'shop.yaml', bytes: bytesOf(text) };
  const model = modelOf(await parseSingleFile(source, { fallbackName: 'shop' }));
  const of = (name: string) => [...renderDependenciesOf(model, name)].toSorted();
  expect(of('loans')).toEqual(['cards', 'clubs', 'loans', 'members', 'shops']);
});

test('an owner path is part of them, with what its items need', async () => {
  const text = `
collections:
  loans: { fields: { member_id: { type: reference, to: members } }, permissions: { read: owner }, owner: member_id.card_id.user_id }
  members: { fields: { card_id: { type: reference, to: cards } } }
  cards: { fields: { user_id: { type: reference, to: users }, shop_id: { type: reference, to: shops, required: true } } }
  shops: { fields: { name: { type: string } } }
  towns: { fields: { name: { type: string } } }
`;
  const source = { path: 'shop.yaml', bytes: bytesOf(text) };
  const model = modelOf(await parseSingleFile(source, { fallbackName: 'shop' }));
  expect([...renderDependenciesOf(model, 'loans')].toSorted()).toEqual([
    'cards',
    'loans',
    'members',
    'shops',
  ]);
});
