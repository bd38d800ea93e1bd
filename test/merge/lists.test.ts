/**
 * Properties of merged lists whose elements have no key: both sides edit, move, remove, replace and add
 * elements at random. What is expected of each element follows from the edits alone.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { merge } from '../../src/merge/index.ts';

const PATH = 'src/example.ts';

/** Lists of source that hold any expressions. */
const SHAPES: Readonly<Record<string, (elements: readonly string[]) => string>> = {
  array: (elements) => `export const all = [\n${elements.map((one) => `  ${one},\n`).join('')}];\n`,
  statements: (elements) =>
    `export function run(): void {\n${elements.map((one) => `  void ${one};\n`).join('')}}\n`,
  hooks: (elements) =>
    `app.get('/books', {\n  onRequest: [\n${elements.map((one) => `    ${one},\n`).join('')}  ],\n});\n`,
  arguments: (elements) => `run(\n${elements.map((one) => `  ${one},\n`).join('')});\n`,
};

/** What one side does with one element of the base. */
type Edit = 'keep' | 'wrap' | 'extend' | 'remove' | 'replace';

interface Side {
  readonly edits: readonly Edit[];
  /** Before which elements new ones are added. */
  readonly added: readonly number[];
  /** The sort keys of a new order; undefined leaves the order. */
  readonly order: readonly number[] | undefined;
}

const SIZE = 6;
const NAMES = Array.from({ length: SIZE }, (_, index) => `values.member${index}`);

const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 8, arbitrary: fc.constant('keep') },
  { weight: 3, arbitrary: fc.constantFrom('wrap', 'extend', 'remove', 'replace') },
);

const side: fc.Arbitrary<Side> = fc.record({
  edits: fc.array(anyEdit, { minLength: SIZE, maxLength: SIZE }),
  added: fc.array(fc.nat({ max: SIZE }), { maxLength: 2 }),
  order: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    fc.array(fc.nat({ max: 99 }), { minLength: SIZE, maxLength: SIZE }),
  ),
});

/** The text of an element after an edit; undefined where it is removed. */
function edited(index: number, edit: Edit, who: string): string | undefined {
  const name = NAMES[index] ?? '';
  switch (edit) {
    case 'keep':
      return name;
    case 'wrap':
      return `${who}(${name})`;
    case 'extend':
      return `${name}.${who}()`;
    case 'replace':
      return `${who}Instead${index}()`;
    case 'remove':
      return undefined;
  }
}

/** The elements of a side, in their order. */
function elementsOf({ edits, added, order }: Side, who: string): string[] {
  const places = NAMES.map((_, index) => index);
  if (order !== undefined) places.sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  const isAdded = (place: number): string[] =>
    added.flatMap((one, number) => (one === place ? [`${who}Added${number}()`] : []));
  return [
    ...places.flatMap((index, place) => [
      ...isAdded(place),
      edited(index, edits[index] ?? 'keep', who) ?? [],
    ]),
    ...isAdded(SIZE),
  ].flat();
}

/** The elements of a merged text, whatever its layout. */
const elementsIn = (text: string): string[] =>
  text.match(
    /(?:ours|theirs|one)\(values\.member\d\)(?:\.\w+\(\))?|values\.member\d(?:\.\w+\(\))?|\w+(?:Instead|Added)\d\(\)(?:\.\w+\(\))?/g,
  ) ?? [];

const count = (elements: readonly string[], text: string): number =>
  elements.filter((element) => element === text).length;

/** The members of the base that a list has in any form, in its order. */
const membersIn = (elements: readonly string[], among: ReadonlySet<number>): number[] =>
  elements.flatMap((element) => {
    const index = NAMES.findIndex((name) => element.includes(name));
    return index !== -1 && among.has(index) ? [index] : [];
  });

describe.each(Object.entries(SHAPES))('a list of %s', (_, source) => {
  const mergeSides = async (ours: readonly string[], theirs: readonly string[]) =>
    merge({
      path: PATH,
      base: source(NAMES),
      theirs: source(theirs),
      ours: source(ours),
    });

  test('that one side alone changed is that side', async () => {
    await fc.assert(
      fc.asyncProperty(side, async (one) => {
        const changed = elementsOf(one, 'one');
        for (const [ours, theirs] of [
          [changed, NAMES],
          [NAMES, changed],
          [changed, changed],
        ] as const) {
          const result = await mergeSides(ours, theirs);
          const text = result.kind === 'merged' ? result.text : 'a conflict';
          expect(elementsIn(text)).toEqual(changed);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('loses nothing, repeats nothing and brings nothing back', async () => {
    let merged = 0;
    await fc.assert(
      fc.asyncProperty(side, side, async (one, two) => {
        const [ours, theirs] = [elementsOf(one, 'ours'), elementsOf(two, 'theirs')];
        const result = await mergeSides(ours, theirs);
        const isClash = (a: Edit, b: Edit): boolean => a !== 'keep' && b !== 'keep' && a !== b;
        const both = one.edits.map((edit, index) => [edit, two.edits[index] ?? 'keep'] as const);
        if (result.kind === 'conflict') return;
        merged += 1;
        const elements = elementsIn(result.text);

        for (const element of new Set(elements)) {
          const most = Math.max(count(ours, element), count(theirs, element));
          expect([element, count(elements, element)]).toEqual([element, most]);
        }
        for (const [index, [mine, other]] of both.entries()) {
          const name = NAMES[index] ?? '';
          const found = elements.filter((element) => element.includes(name));
          // Two different changes of one element never come to one text by themselves.
          const isTold = isClash(mine, other) && mine !== 'replace' && other !== 'replace';
          expect([name, mine, other, isTold]).toEqual([name, mine, other, false]);
          const [edit, who] = mine === 'keep' ? [other, 'theirs'] : [mine, 'ours'];
          const wanted = edited(index, edit, who);
          const isThere = wanted !== undefined && wanted.includes(name);
          expect([name, mine, other, found]).toEqual([name, mine, other, isThere ? [wanted] : []]);
          const instead = edit === 'replace' ? [wanted] : [];
          expect(elements).toEqual(expect.arrayContaining(instead));
        }
        for (const added of [...ours, ...theirs].filter((element) => /Added/.test(element))) {
          expect(elements).toContain(added);
        }
        const kept = new Set(membersIn(elements, new Set(NAMES.keys())));
        const orders = [ours, theirs].map((list) => membersIn(list, kept));
        const isRising = (list: readonly number[]): boolean =>
          list.every((index, place) => index > (list[place - 1] ?? -1));
        const moved = orders.filter((list) => list.length === kept.size && !isRising(list));
        // Where both sides move elements, lines merge moves that are apart.
        const order = membersIn(elements, kept);
        expect(order).toEqual(moved.length === 1 ? moved[0] : order);
      }),
      { numRuns: 120 },
    );
    // Most of what both sides do is far apart.
    expect(merged).toBeGreaterThan(15);
  });
});
