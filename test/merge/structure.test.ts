/** Properties of merges by structure: members that both sides add are there, each once, in order. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parse } from '../../src/merge/typescript/source.ts';
import { mergedText } from './support.ts';

const PATH = 'src/example.ts';

/** Sources with members; `none` is what stands there without any. */
const SHAPES: Readonly<Record<string, (names: readonly string[]) => string>> = {
  object: (names) =>
    `export const all = {\n${names.map((name) => `  ${name}: '${name}',\n`).join('')}};\n`,
  array: (names) =>
    `export const all = [\n${names.map((name) => `  // ${name}\n  ${name},\n`).join('')}];\n`,
  interface: (names) =>
    `interface All {\n${names.map((name) => `  /** ${name}. */\n  readonly ${name}: string;\n`).join('')}}\n`,
  class: (names) => `class All {\n${names.map((name) => `  ${name}(): void {}\n`).join('\n')}}\n`,
  functions: (names) => names.map((name) => `export function ${name}(): void {}\n`).join('\n'),
  imports: (names) =>
    `import {\n${names.map((name) => `  ${name},\n`).join('')}} from './all.ts';\n`,
  modules: (names) => names.map((name) => `import { ${name} } from './${name}.ts';\n`).join(''),
  union: (names) =>
    `type All =\n${names
      .map((name) => `  | '${name}'\n`)
      .join('')
      .trimEnd()};\n`,
  routes: (names) =>
    `function routes(app: App): void {\n${names.map((name) => `  app.get('/${name}', async () => ${name}());\n`).join('\n')}}\n`,
};

/** Where members are added, before which of the six of the base. */
const places = fc.array(fc.nat({ max: 6 }), { maxLength: 4 });

const BASE = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot'];

const withMembers = (prefix: string, at: readonly number[]): string[] =>
  [...BASE, ''].flatMap((name, index) => [
    ...at.flatMap((place, number) => (place === index ? [`${prefix}${number}`] : [])),
    ...(name === '' ? [] : [name]),
  ]);

/** The members of a text in their order. */
const membersIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:alpha|bravo|charlie|delta|echo|foxtrot|own\d|new\d)\b/g)].map(
    ([name]) => name,
  );

/** Each once: a shape says a name several times in a row. */
const once = (names: readonly string[]): string[] =>
  names.filter((name, index) => name !== names[index - 1]);

describe.each(Object.entries(SHAPES))('members of %s', (_, source) => {
  test('that both sides add are all there, in the order of each side, those of the team first', async () => {
    await fc.assert(
      fc.asyncProperty(places, places, async (ours, theirs) => {
        const [mine, generated] = [withMembers('own', ours), withMembers('new', theirs)];
        const text = await mergedText(PATH, {
          base: source(BASE),
          theirs: source(generated),
          ours: source(mine),
        });
        const expected = [...BASE, ''].flatMap((name, index) => [
          ...ours.flatMap((place, number) => (place === index ? [`own${number}`] : [])),
          ...theirs.flatMap((place, number) => (place === index ? [`new${number}`] : [])),
          ...(name === '' ? [] : [name]),
        ]);
        expect(once(membersIn(text))).toEqual(expected);
        expect(parse(PATH, text).ok).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  test('that one side removes and the other leaves as they are go', async () => {
    const some = fc.subarray(BASE.slice(1), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(some, some, async (ours, theirs) => {
        const text = await mergedText(PATH, {
          base: source(BASE),
          theirs: source(BASE.filter((name) => !theirs.includes(name))),
          ours: source(BASE.filter((name) => !ours.includes(name))),
        });
        expect(once(membersIn(text))).toEqual(
          BASE.filter((name) => !ours.includes(name) && !theirs.includes(name)),
        );
      }),
      { numRuns: 15 },
    );
  });
});
