/** Merges of TypeScript by its structure: literal texts, each scenario by its name. */
import { describe, expect, test } from 'vitest';

import { mergedOf, mergedText, places } from './support.ts';

const PATH = 'src/example.ts';

describe('imports', () => {
  test('both sides add a name to one import', async () => {
    const base = `import { a, d } from './m.ts';\n`;
    const theirs = `import { a, c, d } from './m.ts';\n`;
    const ours = `import { a, b, d } from './m.ts';\n`;
    expect(await mergedOf(PATH, { base, theirs, ours })).toEqual({
      kind: 'merged',
      text: `import { a, b, c, d } from './m.ts';\n`,
      how: 'structure',
    });
  });

  test('both sides add one name: it stands once', async () => {
    const base = `import { a } from './m.ts';\n`;
    const theirs = `import { a, b, c } from './m.ts';\n`;
    const ours = `import { a, c } from './m.ts';\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `import { a, b, c } from './m.ts';\n`,
    );
  });

  test.each([
    ['in an import of its own', `import { b } from './m.ts';\n`],
    ['as a type', `import type { b } from './m.ts';\n`],
    ['beside another name', `import { b, own } from './m.ts';\n`],
  ])('both sides add one name, ours %s: it stands once', async (_how, line) => {
    const base = `import { a } from './m.ts';\n\na();\n`;
    const theirs = `import { a, b } from './m.ts';\n\na(b);\n`;
    const ours = base.replace('\n', `\n${line}`).replace('a();', 'a();\ntype B = typeof b;');
    const rest = line.includes('own') ? `import { own } from './m.ts';\n` : '';
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `import { a, b } from './m.ts';\n${rest}\na(b);\ntype B = typeof b;\n`,
    );
  });

  test('one side adds a name, the other removes one', async () => {
    const base = `import { a, b } from './m.ts';\n`;
    const theirs = `import { a } from './m.ts';\n`;
    const ours = `import { a, b, c } from './m.ts';\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(`import { a, c } from './m.ts';\n`);
  });

  test('both sides add an import at one place: that of the team first', async () => {
    const base = `import { a } from './a.ts';\n\na();\n`;
    const theirs = `import { a } from './a.ts';\nimport { c } from './c.ts';\n\na(c);\n`;
    const ours = `import { a } from './a.ts';\nimport { b } from './b.ts';\n\na();\nb();\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `import { a } from './a.ts';\nimport { b } from './b.ts';\nimport { c } from './c.ts';\n\na(c);\nb();\n`,
    );
  });

  test('both sides import from one module: one import with the names of both', async () => {
    const base = `import { a } from './a.ts';\n\na();\n`;
    const theirs = `import { a } from './a.ts';\nimport { x } from './m.ts';\n\na(x);\n`;
    const ours = `import { a } from './a.ts';\nimport { y } from './m.ts';\n\na();\ny();\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `import { a } from './a.ts';\nimport { y, x } from './m.ts';\n\na(x);\ny();\n`,
    );
  });

  test('types and values of one module stay apart', async () => {
    const base = `import { a } from './m.ts';\nimport type { A } from './m.ts';\n`;
    const theirs = `import { a, b } from './m.ts';\nimport type { A, B } from './m.ts';\n`;
    const ours = `import { a, c } from './m.ts';\nimport type { A, C } from './m.ts';\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `import { a, c, b } from './m.ts';\nimport type { A, C, B } from './m.ts';\n`,
    );
  });

  test('an import that is no longer generated stays where the team uses it', async () => {
    const base = `import { a, b } from './m.ts';\n\na();\n\nb();\n\nexport {};\n`;
    const theirs = `import { a } from './m.ts';\n\na();\n\nexport {};\n`;
    const ours = `import { a, b } from './m.ts';\n\na();\n\nb();\n\nexport {};\n\nexport const own = b;\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `import { a, b } from './m.ts';\n\na();\n\nexport {};\n\nexport const own = b;\n`,
    );
  });

  test('an import of a module that is no longer generated stays where the team uses it', async () => {
    const base = `import { a } from './a.ts';\nimport { b } from './b.ts';\n\na();\n\nb();\n\nexport {};\n`;
    const theirs = `import { a } from './a.ts';\n\na();\n\nexport {};\n`;
    const ours = base.replace('export {};', 'export const own = b;');
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `import { a } from './a.ts';\nimport { b } from './b.ts';\n\na();\n\nexport const own = b;\n`,
    );
  });

  test('an import that is no longer generated goes where the team has a member of its name', async () => {
    const base = `import { a, books } from './m.ts';\n\na(books);\n`;
    const theirs = `import { a } from './m.ts';\n\na();\n`;
    const own = `\nconst { books: own } = all;\nown.books({ books: 1 });\n`;
    expect(await mergedText(PATH, { base, theirs, ours: base + own })).toBe(theirs + own);
  });

  test('several names of an import that is no longer generated, which the team uses', async () => {
    const base = `import { a } from './a.ts';\nimport { b, c, d } from './b.ts';\n\na();\n\nb(c, d);\n\nexport {};\n`;
    const theirs = `import { a } from './a.ts';\n\na();\n\nexport {};\n`;
    const ours = base.replace('export {};', 'export const own = [b, d];');
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `import { a } from './a.ts';\nimport { b, d } from './b.ts';\n\na();\n\nexport const own = [b, d];\n`,
    );
  });

  test('an import that the team took out, and its uses not, is not put back', async () => {
    const base = `import { a } from './a.ts';\n\na();\n\nexport const one = 1;\n`;
    const theirs = base.replace('one = 1', 'one = 2');
    const ours = base.replace(`import { a } from './a.ts';\n\n`, '');
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(`a();\n\nexport const one = 2;\n`);
  });

  test('a comment of the team on an import that is no longer generated: a conflict', async () => {
    const base = `import { a } from './a.ts';\nimport { b } from './b.ts';\n`;
    const theirs = `import { a } from './a.ts';\n`;
    const ours = `import { a } from './a.ts';\n// Only for its types.\nimport { b } from './b.ts';\nimport { c } from './c.ts';\n`;
    expect(await places(PATH, { base, theirs, ours })).toMatchObject([{ line: 3 }]);
  });

  test('an import of two names from one module by both sides at far places is one', async () => {
    const base = `import { a } from './a.ts';\nimport { k } from './k.ts';\nimport { z } from './z.ts';\n`;
    const theirs = `import { m } from './m.ts';\n${base}`;
    const ours = `${base}import { n } from './m.ts';\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `${base}import { n, m } from './m.ts';\n`,
    );
  });

  test('two modules give one name to both sides: a conflict', async () => {
    const base = `import { a } from './a.ts';\n\na();\n\nexport {};\n`;
    const theirs = `import { a } from './a.ts';\nimport { x } from './b.ts';\n\na(x);\n\nexport {};\n`;
    const ours = `import { x } from './c.ts';\nimport { a } from './a.ts';\n\na();\n\nexport { x };\n`;
    expect(await places(PATH, { base, theirs, ours })).toEqual([
      {
        line: expect.any(Number) as number,
        what: '`x` is there and generated too: both together would have it twice',
      },
    ]);
  });
});

describe('lists and objects', () => {
  test('both sides add an element at the end of an array', async () => {
    const base = `export const all = [authors, books];\n`;
    const theirs = `export const all = [authors, books, tags];\n`;
    const ours = `export const all = [authors, books, custom];\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `export const all = [authors, books, custom, tags];\n`,
    );
  });

  test('an array over several lines keeps its comments', async () => {
    const base = `export const all = [\n  // people\n  authors,\n  books, // things\n  reviewsOfReadersWhoBoughtTheBookAndReadItToItsEnd,\n  somethingElseThatIsLong,\n];\n`;
    const theirs = base.replace('  books, // things\n', '  books, // things\n  tags,\n');
    const ours = base.replace('  books, // things\n', '  books, // things\n  // ours\n  custom,\n');
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      base.replace('  books, // things\n', '  books, // things\n  // ours\n  custom,\n  tags,\n'),
    );
  });

  test('both sides add a member to an object', async () => {
    const base = `export const book = { title: string() };\n`;
    const theirs = `export const book = { title: string(), price: decimal() };\n`;
    const ours = `export const book = { title: string(), shelf: string() };\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `export const book = { title: string(), shelf: string(), price: decimal() };\n`,
    );
  });

  test('both sides change the options of one member, each another one', async () => {
    const base = `const Book = object({ title: string({ minLength: 1, maxLength: 300 }) });\n`;
    const theirs = `const Book = object({ title: string({ minLength: 1, maxLength: 400 }) });\n`;
    const ours = `const Book = object({ title: string({ minLength: 2, maxLength: 300 }) });\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `const Book = object({ title: string({ minLength: 2, maxLength: 400 }) });\n`,
    );
  });

  test('both sides change one option: a conflict that names it', async () => {
    const base = `const Book = object({\n  title: string({ maxLength: 300 }),\n});\n`;
    const theirs = base.replace('300', '400');
    const ours = base.replace('300', '500');
    expect(await places(PATH, { base, theirs, ours })).toEqual([
      { line: 2, what: '`maxLength`: changed here to "500"; generated now: "400"' },
    ]);
  });

  test('both sides add one key with different values: a conflict', async () => {
    const base = `export const limits = {\n  a: 1,\n};\n`;
    const theirs = `export const limits = {\n  a: 1,\n  b: 2,\n};\n`;
    const ours = `export const limits = {\n  a: 1,\n  b: 3,\n};\n`;
    expect(await places(PATH, { base, theirs, ours })).toEqual([
      { line: 3, what: '`b`: added here: "b: 3"; generated at the same place: "b: 2"' },
    ]);
  });

  test('one key added by both at far places: a conflict, though the lines do not meet', async () => {
    const base = `export const limits = {\n  a: 1,\n  c: 1,\n  d: 1,\n  e: 1,\n};\n`;
    const theirs = base.replace('  a: 1,\n', '  a: 1,\n  b: 2,\n');
    const ours = base.replace('  e: 1,\n', '  e: 1,\n  b: 3,\n');
    expect(await places(PATH, { base, theirs, ours })).toMatchObject([{ line: 6 }]);
  });

  test('removed by the team, changed by the generator: a conflict', async () => {
    const base = `export const limits = {\n  a: 1,\n  b: 2,\n};\n`;
    const theirs = base.replace('b: 2', 'b: 3');
    const ours = base.replace('  b: 2,\n', '');
    expect(await places(PATH, { base, theirs, ours })).toEqual([
      { line: 2, what: '`b`: removed here; generated now: "b: 3"' },
    ]);
  });

  test('changed by the team, no longer generated: a conflict', async () => {
    const base = `export const limits = {\n  a: 1,\n  b: 2,\n};\n`;
    const theirs = base.replace('  b: 2,\n', '');
    const ours = base.replace('b: 2', 'b: 3');
    expect(await places(PATH, { base, theirs, ours })).toEqual([
      { line: 3, what: '`b`: changed here to "b: 3"; no longer generated' },
    ]);
  });

  test('removed by both: it goes', async () => {
    const base = `export const limits = { a: 1, b: 2, c: 3 };\n`;
    const theirs = `export const limits = { a: 1, c: 4 };\n`;
    const ours = `export const limits = { a: 5, c: 3 };\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `export const limits = { a: 5, c: 4 };\n`,
    );
  });

  test('renamed by the team, changed by the generator: a conflict', async () => {
    const base = `export const limits = {\n  a: 1,\n};\n`;
    const theirs = base.replace('a: 1', 'a: 2');
    const ours = base.replace('a: 1', 'z: 1');
    expect(await places(PATH, { base, theirs, ours })).toMatchObject([
      { line: expect.any(Number) as number, what: '`a`: removed here; generated now: "a: 2"' },
    ]);
  });

  test('renamed by both, each in its own way: a conflict', async () => {
    const base = `export const limits = {\n  a: 1,\n};\n`;
    const theirs = base.replace('a: 1', 'b: 1');
    const ours = base.replace('a: 1', 'c: 1');
    expect(await places(PATH, { base, theirs, ours })).toMatchObject([{ line: 2 }]);
  });
});

describe('types, interfaces and classes', () => {
  test('both sides add a member to an interface', async () => {
    const base = `interface Book {\n  readonly id: string;\n}\n`;
    const theirs = `interface Book {\n  readonly id: string;\n  /** In cents. */\n  readonly price: number;\n}\n`;
    const ours = `interface Book {\n  readonly id: string;\n  readonly shelf: string;\n}\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `interface Book {\n  readonly id: string;\n  readonly shelf: string;\n  /** In cents. */\n  readonly price: number;\n}\n`,
    );
  });

  test('both sides add a member to a union', async () => {
    const base = `type Status = 'draft' | 'published';\n`;
    const theirs = `type Status = 'draft' | 'published' | 'archived';\n`;
    const ours = `type Status = 'draft' | 'published' | 'lost';\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `type Status = 'draft' | 'published' | 'lost' | 'archived';\n`,
    );
  });

  test('one side removes a member of a union, the other adds one', async () => {
    const base = `type Status = 'draft' | 'published';\n`;
    const theirs = `type Status = 'draft';\n`;
    const ours = `type Status = 'draft' | 'published' | 'lost';\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `type Status = 'draft' | 'lost';\n`,
    );
  });

  test('both sides add a method to a class', async () => {
    const base = `class Shop {\n  open(): void {}\n}\n`;
    const theirs = `class Shop {\n  open(): void {}\n\n  close(): void {}\n}\n`;
    const ours = `class Shop {\n  open(): void {}\n\n  clean(): void {}\n}\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `class Shop {\n  open(): void {}\n\n  clean(): void {}\n\n  close(): void {}\n}\n`,
    );
  });

  test('one side makes a method async, the other changes its body', async () => {
    const base = `class Shop {\n  open(): number { return 1; }\n}\n`;
    const theirs = `class Shop {\n  open(): number { return 2; }\n}\n`;
    const ours = `class Shop {\n  async open(): number { return 1; }\n}\n`;
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      `class Shop {\n  async open(): number { return 2; }\n}\n`,
    );
  });
});

describe('functions and statements', () => {
  const base = `export function routes(app: App): void {
  app.get('/books', async () => {
    return list();
  });
}
`;

  test('both sides register a route at the end: both are kept, that of the team first', async () => {
    const theirs = base.replace(
      /\}\n$/,
      `\n  app.get('/tags', async () => {\n    return tags();\n  });\n}\n`,
    );
    const ours = base.replace(
      /\}\n$/,
      `\n  // Ours.\n  app.get('/best', async () => {\n    return best();\n  });\n}\n`,
    );
    expect(await mergedText(PATH, { base, theirs, ours }))
      .toBe(`export function routes(app: App): void {
  app.get('/books', async () => {
    return list();
  });

  // Ours.
  app.get('/best', async () => {
    return best();
  });

  app.get('/tags', async () => {
    return tags();
  });
}
`);
  });

  test('both sides register one route: a conflict', async () => {
    const theirs = base.replace(
      /\}\n$/,
      `\n  app.get('/tags', async () => {\n    return tags();\n  });\n}\n`,
    );
    const ours = base.replace(
      `  app.get('/books'`,
      `  app.get('/tags', async () => {\n    return ourTags();\n  });\n\n  app.get('/books'`,
    );
    expect(await places(PATH, { base, theirs, ours })).toMatchObject([{ line: 2 }]);
  });

  test('a route that may be either of two that are no longer generated is neither: a conflict', async () => {
    const two = `app.get('/books/:id', find);\napp.get('/users/:id', find);\n`;
    const theirs = 'app.get(`/${path}/:id`, find);\n';
    const ours = two.replace("'/books/:id', find", "'/books/:id', audited(find)");
    expect(await places(PATH, { base: two, theirs, ours })).toMatchObject([{ line: 1 }]);
  });

  test('the team adds a statement where the generator changes the next one', async () => {
    const theirs = base.replace('return list();', 'return list(1);');
    const ours = base.replace('    return list();', '    await look();\n    return list();');
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      base.replace('    return list();', '    await look();\n    return list(1);'),
    );
  });

  test('the team changes a handler, the generator adds an argument to its registration', async () => {
    const theirs = base.replace(
      `app.get('/books', async`,
      `app.get('/books', { public: true }, async`,
    );
    const ours = base.replace('return list();', 'return (await list()).reverse();');
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      base
        .replace(`app.get('/books', async`, `app.get('/books', { public: true }, async`)
        .replace('return list();', 'return (await list()).reverse();'),
    );
  });

  test('ours puts a route under a condition, theirs changes it', async () => {
    const before = `app.get('/a', all);\n`;
    const theirs = `app.get('/a', { limit: 1 }, all);\n`;
    const ours = `if (isOpen) {\n  app.get('/a', all);\n}\n`;
    expect(await mergedText(PATH, { base: before, theirs, ours })).toBe(
      `if (isOpen) {\n  app.get('/a', { limit: 1 }, all);\n}\n`,
    );
  });

  test('both sides change what is returned: a conflict', async () => {
    const theirs = base.replace('list()', 'list(1)');
    const ours = base.replace('list()', 'find()');
    expect(await places(PATH, { base, theirs, ours })).toMatchObject([{ line: 3 }]);
  });

  test('both sides add an argument to one call: a conflict, for its place means something', async () => {
    const theirs = base.replace('list()', 'list(1)');
    const ours = base.replace('list()', 'list(2)');
    expect(await places(PATH, { base, theirs, ours })).toMatchObject([{ line: 3 }]);
  });

  test('the team moves a function, the generator changes it', async () => {
    const before = `function one(): void {}\n\nfunction two(): void {}\n\nfunction three(): void {}\n`;
    const theirs = before.replace('function one(): void {}', 'function one(): void {\n  go();\n}');
    const ours = `function two(): void {}\n\nfunction three(): void {}\n\nfunction one(): void {}\n`;
    expect(await mergedText(PATH, { base: before, theirs, ours })).toBe(
      `function two(): void {}\n\nfunction three(): void {}\n\nfunction one(): void {\n  go();\n}\n`,
    );
  });

  test('both sides add a function at the end', async () => {
    const before = `export function one(): void {}\n`;
    const theirs = `${before}\n/** Generated. */\nexport function three(): void {}\n`;
    const ours = `${before}\n/** Ours. */\nexport function two(): void {}\n`;
    expect(await mergedText(PATH, { base: before, theirs, ours })).toBe(
      `${before}\n/** Ours. */\nexport function two(): void {}\n\n/** Generated. */\nexport function three(): void {}\n`,
    );
  });

  test('the comment at the top changes, and the team adds the first import', async () => {
    const before = `/** The books. */\nimport { b } from './b.ts';\n\nb();\n`;
    const theirs = before.replace('The books.', 'The books of the shop.');
    const ours = before.replace('import', `import { a } from './a.ts';\nimport`);
    expect(await mergedText(PATH, { base: before, theirs, ours })).toBe(
      `/** The books of the shop. */\nimport { a } from './a.ts';\nimport { b } from './b.ts';\n\nb();\n`,
    );
  });
});

/** Both sides add to one piece of source: what comes of it. */
describe('what both sides add to', () => {
  test.each<[what: string, base: string, theirs: string, ours: string, expected: string]>([
    [
      'an export',
      `export { a } from './m.ts';\n`,
      `export { a, n } from './m.ts';\n`,
      `export { a, o } from './m.ts';\n`,
      `export { a, o, n } from './m.ts';\n`,
    ],
    [
      'an enum',
      `enum E {\n  A,\n}\n`,
      `enum E {\n  A,\n  N,\n}\n`,
      `enum E {\n  A,\n  O,\n}\n`,
      `enum E {\n  A,\n  O,\n  N,\n}\n`,
    ],
    [
      'a switch',
      `switch (x) {\n  case 1:\n    a();\n}\n`,
      `switch (x) {\n  case 1:\n    a();\n  case 2:\n    n();\n}\n`,
      `switch (x) {\n  case 1:\n    a();\n  case 3:\n    o();\n}\n`,
      `switch (x) {\n  case 1:\n    a();\n  case 3:\n    o();\n  case 2:\n    n();\n}\n`,
    ],
    [
      'a group of tests',
      `describe('x', () => {\n  test('a', () => {});\n});\n`,
      `describe('x', () => {\n  test('a', () => {});\n  test('n', () => {});\n});\n`,
      `describe('x', () => {\n  test('a', () => {});\n  test('o', () => {});\n});\n`,
      `describe('x', () => {\n  test('a', () => {});\n  test('o', () => {});\n  test('n', () => {});\n});\n`,
    ],
    [
      'the names taken out of an object',
      `const { a } = services;\n`,
      `const { a, n } = services;\n`,
      `const { a, o } = services;\n`,
      `const { a, o, n } = services;\n`,
    ],
    [
      'a list with comments at the ends of lines',
      `const a = [\n  1, // one\n];\n`,
      `const a = [\n  1, // one\n  2, // two\n];\n`,
      `const a = [\n  1, // one\n  3, // three\n];\n`,
      `const a = [\n  1, // one\n  3, // three\n  2, // two\n];\n`,
    ],
    [
      'an empty interface',
      `interface A {}\n`,
      `interface A {\n  n: 1;\n}\n`,
      `interface A {\n  o: 1;\n}\n`,
      `interface A {\n  o: 1;\n  n: 1;\n}\n`,
    ],
    [
      'the configuration that is exported',
      `export default define({ test: { a: 1 } });\n`,
      `export default define({ test: { a: 1, n: 2 } });\n`,
      `export default define({ test: { a: 1, o: 3 } });\n`,
      `export default define({ test: { a: 1, o: 3, n: 2 } });\n`,
    ],
  ])('%s', async (_, base, theirs, ours, expected) => {
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(expected);
  });
});

describe('what cannot be brought together', () => {
  test('the text of a statement of SQL', async () => {
    const base = 'const FIND = {\n  text: `select ${ALL} from a where x = $1`,\n};\n';
    const theirs = base.replace('$1', '$1 and n');
    const ours = base.replace('where', 'where o and');
    expect(await places(PATH, { base, theirs, ours })).toMatchObject([{ line: 2 }]);
  });

  test('a function that the team moved to a file of its own, and the generator changed', async () => {
    const base = `export function a(): void {\n  one();\n}\n\nexport function b(): void {}\n`;
    const theirs = base.replace('one()', 'two()');
    const ours = `export { a } from './a.ts';\n\nexport function b(): void {}\n`;
    expect(await places(PATH, { base, theirs, ours })).toEqual([
      { line: 1, what: '`a`: removed here; generated now: "export function a(): void {"' },
    ]);
  });

  test('a parameter that both sides add', async () => {
    const base = `function find(a: string): void {}\n`;
    const theirs = base.replace('a: string', 'a: string, n: string');
    const ours = base.replace('a: string', 'a: string, o: string');
    expect(await places(PATH, { base, theirs, ours })).toMatchObject([{ line: 1 }]);
  });

  test('a comment that both sides changed', async () => {
    const base = `/** One. */\nexport const a = 1;\n\nexport const b = 1;\n`;
    const theirs = base.replace('One', 'Two');
    const ours = base.replace('One', 'Three');
    expect(await places(PATH, { base, theirs, ours })).toHaveLength(1);
  });
});

describe('layout', () => {
  const base = `import { a } from './a.ts';\n\nexport const limits = { one: 1, two: 'x' };\n\nexport function go(value: number): number {\n  return value + a;\n}\n`;
  const other = `import { a } from "./a.ts"\n\nexport const limits = {\n    one: 1,\n    two: "x"\n}\n\nexport function go(value: number): number {\n    return value + a\n}\n`;

  test('laid out otherwise only: no edit', async () => {
    expect(await mergedText(PATH, { base, theirs: base, ours: other })).toBe(other);
  });

  test('laid out otherwise, and a change of the generator: the layout stays', async () => {
    const theirs = base.replace('value + a', 'value * a');
    expect(await mergedText(PATH, { base, theirs, ours: other })).toBe(
      other.replace('value + a', 'value * a'),
    );
  });

  test('laid out otherwise, edited, and a change of the generator: all three survive', async () => {
    const theirs = base.replace('one: 1,', 'one: 1, three: 3,');
    const ours = other.replace('value + a', 'value - a');
    expect(await mergedText(PATH, { base, theirs, ours })).toBe(
      ours.replace('one: 1,', 'one: 1, three: 3,'),
    );
  });

  test('laid out otherwise, and a conflict: at its line on disk', async () => {
    const theirs = base.replace('value + a', 'value * a');
    const ours = base.replace('{ a } from', '{\n  a\n} from').replace('value + a', 'value - a');
    expect(await places(PATH, { base, theirs, ours })).toMatchObject([{ line: 8 }]);
  });

  test('what is generated anew is indented as the file is, but for the text of template literals', async () => {
    const before = `export function routes(app: App): void {\n  app.get('/a', () => {\n    return a();\n  });\n}\n`;
    const theirs = before.replace(
      /\}\n$/,
      `\n  // As text.\n  app.get('/b', () => {\n    return \`\n  b\n\`;\n  });\n}\n`,
    );
    const ours = `export function routes(app: App): void {\n\tapp.get('/a', () => {\n\t\treturn a()\n\t})\n\n\tapp.get('/own', own)\n}\n`;
    expect(await mergedText(PATH, { base: before, theirs, ours })).toBe(
      ours.replace(
        /\}\n$/,
        `\n\t// As text.\n\tapp.get('/b', () => {\n\t\treturn \`\n  b\n\`;\n\t});\n}\n`,
      ),
    );
  });

  test('a file in the style of the project stays in it', async () => {
    const before = `export const all = [one, two];\n`;
    const theirs = `export const all = [one, two, threeWhichHasAVeryLongNameThatFillsTheLine];\n`;
    const ours = `export const all = [one, two, fourWhichHasAVeryLongNameThatFillsTheLineToo];\n`;
    expect(await mergedText(PATH, { base: before, theirs, ours })).toBe(
      `export const all = [\n  one,\n  two,\n  fourWhichHasAVeryLongNameThatFillsTheLineToo,\n  threeWhichHasAVeryLongNameThatFillsTheLine,\n];\n`,
    );
  });

  test('CRLF, and both sides at one place', async () => {
    const before = `export const all = [one, two];\n`;
    const theirs = `export const all = [one, two, three];\n`;
    const ours = `export const all = [one, two, four];\r\n`;
    expect(await mergedText(PATH, { base: before, theirs, ours })).toBe(
      `export const all = [one, two, four, three];\r\n`,
    );
  });
});

describe('what does not parse', () => {
  test('a file on disk that does not parse: a conflict at its line', async () => {
    const base = `export const a = 1;\n\nexport const b = 1;\n`;
    const theirs = base.replace('a = 1', 'a = 2');
    const ours = base.replace('b = 1', 'b = (1');
    expect(await places(PATH, { base, theirs, ours })).toMatchObject([{ line: 3 }]);
  });

  test('lines that do not meet, and do not parse together: a conflict or a whole', async () => {
    // The team wraps the middle in a block; the generator closes another around its end.
    const base = `one();\ntwo();\nthree();\nfour();\nfive();\nsix();\n`;
    const ours = `one();\nif (a) {\ntwo();\nthree();\nfour();\n}\nfive();\nsix();\n`;
    const theirs = `one();\ntwo();\nthree();\nif (b) {\nfour();\nfive();\nsix();\n}\n`;
    const result = await places(PATH, { base, theirs, ours });
    expect(result.length).toBeGreaterThan(0);
  });
});
