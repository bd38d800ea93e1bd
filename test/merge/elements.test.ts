/**
 * Merges of elements without a key, as teams met them: each scenario by its name. `ours` is the text
 * on disk, `theirs` what is generated now.
 */
import { describe, expect, test } from 'vitest';

import { mergedText, places } from './support.ts';

const PATH = 'src/collections/index.ts';

const list = (...elements: string[]): string =>
  `export const all = [\n  // In this order.\n${elements.map((one) => `  ${one},\n`).join('')}];\n`;

const handler = (...statements: string[]): string =>
  `app.get('/a', async () => {\n${statements.map((one) => `  ${one}\n`).join('')}});\n`;

describe('an element that contains another is that element', () => {
  const base = list('values.title', 'values.isbn', 'values.price');
  const ours = list('values.title.trim()', 'values.isbn', 'values.price');

  test('a value that ours edits follows the new order of theirs, and is there once', async () => {
    const theirs = list('values.isbn', 'values.price', 'values.title');
    expect(await mergedText(PATH, { base, ours, theirs })).toBe(
      list('values.isbn', 'values.price', 'values.title.trim()'),
    );
  });

  test('a value that ours edits and theirs drops is a conflict', async () => {
    const theirs = list('values.isbn', 'values.price');
    expect(await places(PATH, { base, ours, theirs })).toEqual([
      { line: 3, what: '`all`: changed here to "values.title.trim()"; no longer generated' },
    ]);
  });

  test('a value that ours deletes stays deleted where theirs moves it', async () => {
    const deleted = list('values.isbn', 'values.price');
    const theirs = list('values.isbn', 'values.price', 'check(values.title)');
    expect(await places(PATH, { base, ours: deleted, theirs })).toMatchObject([
      { what: '`all`: removed here; generated now: "check(values.title)"' },
    ]);
    const moved = list('values.isbn', 'values.price', 'values.title');
    expect(await mergedText(PATH, { base, ours: deleted, theirs: moved })).not.toContain('title');
  });

  test('routes that ours wraps stay wrapped where theirs renames them', async () => {
    const routes = list('authorsRoutes', 'booksRoutes', 'reviewsRoutes');
    const wrapped = list('authorsRoutes', 'audited(booksRoutes)', 'reviewsRoutes');
    const theirs = list('authorsRoutes', 'reviewsRoutes', 'titlesRoutes');
    const sorted = list('authorsRoutes', 'reviewsRoutes', 'booksRoutes');
    expect(await mergedText(PATH, { base: routes, ours: wrapped, theirs: sorted })).toBe(
      list('authorsRoutes', 'reviewsRoutes', 'audited(booksRoutes)'),
    );
    expect(await places(PATH, { base: routes, ours: wrapped, theirs })).toHaveLength(1);
  });

  test('routes that ours adds in a wrapper, and theirs adds plain, are a conflict', async () => {
    const routes = list('authorsRoutes');
    const wrapped = list('authorsRoutes', 'audited(tagsRoutes)');
    const theirs = list('authorsRoutes', 'tagsRoutes');
    expect(await places(PATH, { base: routes, ours: wrapped, theirs })).toMatchObject([
      { line: 4 },
    ]);
  });

  test('a hook in a list of ours is changed by theirs within that list', async () => {
    const before = `app.get('/a', { onRequest: requireItem(database, BOOK) }, all);\n`;
    const limited = before.replace(
      'requireItem(database, BOOK)',
      '[limit, requireItem(database, BOOK)]',
    );
    const theirs = before.replace('BOOK', 'kind');
    expect(await mergedText(PATH, { base: before, ours: limited, theirs })).toBe(
      limited.replace('BOOK', 'kind'),
    );
  });

  test('a value that both sides wrap is a conflict, for either may be the outer one', async () => {
    const before = handler('return send(reply, item);');
    const edited = handler('return send(reply, visible(item));');
    const theirs = handler('return send(reply, show(item));');
    expect(await places(PATH, { base: before, ours: edited, theirs })).toHaveLength(1);
  });

  test('a value that ours wraps and theirs replaces is a conflict', async () => {
    const before = list('a.one', 'b');
    const edited = list('f(a.one)', 'b');
    const theirs = list('other()', 'b');
    expect(await places(PATH, { base: before, ours: edited, theirs })).toHaveLength(1);
  });

  test('the name of a member is no use of a variable', async () => {
    const before = list('title', 'b');
    const edited = list('values.title', 'b');
    const theirs = list('b');
    expect(await places(PATH, { base: before, ours: edited, theirs })).toHaveLength(1);
  });
});

describe('where there is no telling which element is which, it is a conflict', () => {
  test('ours deletes a statement, theirs has another in its place', async () => {
    const base = handler('one();', 'two(1);', 'three();');
    const ours = handler('one();', 'three();');
    const theirs = handler('one();', 'four(1);', 'three();');
    expect(await places(PATH, { base, ours, theirs })).toEqual([
      { line: 2, what: '`app.get(\'/a\')`: removed here; generated now: "four(1);"' },
    ]);
  });

  test('ours replaces two elements by one, theirs changes one of the two', async () => {
    const base = list("'a'", "'b'", "'c'");
    const ours = list("'x'", "'c'");
    const theirs = list("'a'", "'y'", "'c'");
    expect(await places(PATH, { base, ours, theirs })).not.toHaveLength(0);
  });

  test('ours replaces an element, and theirs moves the others', async () => {
    const base = list('a.one', 'a.two', 'a.three');
    const ours = list('first()', 'a.two', 'a.three');
    const theirs = list('a.three', 'a.two', 'a.one');
    expect(await places(PATH, { base, ours, theirs })).not.toHaveLength(0);
  });

  test('ours replaces two elements by one, theirs drops one of the two', async () => {
    const base = list('a.one', 'a.two', 'a.three', 'a.four');
    const ours = list('a.both', 'a.three', 'a.four');
    const theirs = list('a.one', 'a.three', 'a.four');
    expect(await places(PATH, { base, ours, theirs })).not.toHaveLength(0);
  });

  test('ours replaces an element, and theirs moves it among others', async () => {
    const base = list('a.one', 'a.two', 'a.three', 'a.four');
    const ours = list('first()', 'a.two', 'a.three', 'a.four');
    const theirs = list('a.two', 'a.four', 'a.three', 'a.one');
    expect(await places(PATH, { base, ours, theirs })).not.toHaveLength(0);
  });

  test('ours replaces a variable by a member of its name, and theirs moves the variable', async () => {
    const base = list('title', 'b', 'c');
    const ours = list('values.title', 'b', 'c');
    const theirs = list('c', 'b', 'title');
    expect(await places(PATH, { base, ours, theirs })).not.toHaveLength(0);
  });

  test('ours replaces an element, and theirs adds a comment to it', async () => {
    const base = list('a.zero', 'a.one', 'a.two');
    const ours = list('a.zero', 'first()', 'a.two');
    const theirs = list('a.zero', '// Theirs.\n  a.one', 'a.two');
    expect(await places(PATH, { base, ours, theirs })).not.toHaveLength(0);
  });

  test('ours and theirs add an equal statement at different places', async () => {
    const base = handler('one();', 'two();', 'three();', 'four();');
    const ours = handler('check();', 'one();', 'two();', 'three();', 'four();');
    const theirs = handler('one();', 'two();', 'three();', 'check();', 'four(1);');
    expect(
      await places(PATH, { base, ours, theirs: theirs.replace('one()', 'one(1)') }),
    ).toMatchObject([{ what: expect.stringContaining('more often than either has it') as string }]);
  });
});

describe('an order of ours stays', () => {
  test('of strings, where theirs adds one', async () => {
    const base = list("'title'", "'isbn'", "'price'");
    const ours = list("'price'", "'isbn'", "'title'");
    const theirs = list("'title'", "'isbn'", "'price'", "'pages'");
    const merged = await mergedText(PATH, { base, ours, theirs });
    expect(merged.match(/'\w+'/g)?.filter((one) => one !== "'pages'")).toEqual([
      "'price'",
      "'isbn'",
      "'title'",
    ]);
    expect(merged.match(/'pages'/g)).toHaveLength(1);
  });

  test('of strings, where theirs drops one', async () => {
    const base = list("'title'", "'isbn'", "'price'");
    const ours = list("'price'", "'title'", "'isbn'");
    const theirs = list("'title'", "'price'");
    expect((await mergedText(PATH, { base, ours, theirs })).match(/'\w+'/g)).toEqual([
      "'price'",
      "'title'",
    ]);
  });
});

describe('a comment of ours on an element that theirs drops is told', () => {
  test.each([
    ['above it', 'a,\n  // Ours.\n  b,\n  c'],
    ['at the end of its line', 'a,\n  b, // Ours.\n  c'],
    ['beside it', 'a,\n  /* Ours. */ b,\n  c'],
    ['a line above it', 'a,\n\n  // Ours.\n\n  b,\n  c'],
  ])('%s', async (_, elements) => {
    const [told] = await places(PATH, {
      base: list('a', 'b', 'c'),
      ours: list(elements),
      theirs: list('a', 'c'),
    });
    expect(told?.what).toBe('`all`: a comment here is on what is no longer generated: "b"');
  });

  test('among the names of an import', async () => {
    const base = `import { a, b, c } from './m.ts';\n\nf(a, b, c);\n`;
    const ours = `import {\n  a,\n  // Ours.\n  b,\n  c,\n} from './m.ts';\n\nf(a, b, c);\n`;
    const theirs = `import { a, c } from './m.ts';\n\nf(a, c);\n`;
    expect(await places(PATH, { base, ours, theirs })).toMatchObject([{ line: 4 }]);
  });

  test('but kept where theirs drops another name of the import', async () => {
    const base = `import { a, b, c } from './m.ts';\n\nf(a, b, c);\n`;
    const ours = `import {\n  a,\n  // Ours.\n  b,\n  c,\n} from './m.ts';\n\nf(a, b, c);\n`;
    const theirs = `import { a, b } from './m.ts';\n\nf(a, b);\n`;
    expect(await mergedText(PATH, { base, ours, theirs })).toContain('// Ours.\n  b,\n');
  });

  test('among type arguments that are no longer generated', async () => {
    const base = `const a = read<One, Two>(text, 1);\n`;
    const ours = `const a = read<One, /* Ours. */ Two>(text, 1);\n`;
    const theirs = `const a = read(text, 2);\n`;
    expect(await places(PATH, { base, ours, theirs })).toHaveLength(1);
  });

  test('within options that are no longer generated', async () => {
    const base = `app.get('/a', { onRequest: [one, two] }, all);\n`;
    const ours = `app.get('/a', { onRequest: [one, /* Ours. */ two] }, all);\n`;
    const theirs = `app.get('/a', all);\n`;
    expect(await places(PATH, { base, ours, theirs })).toHaveLength(1);
  });
});

describe('an import of a file that goes', () => {
  const base = `import { a } from './a/routes.ts';\nimport { b } from './b/routes.ts';\n\nexport const all = [\n  // Both.\n  a,\n  b,\n];\n`;
  const theirs = `import { a } from './a/routes.ts';\n\nexport const all = [\n  // Both.\n  a,\n];\n`;
  const ours = `${base}\n/** Ours. */\nexport const own = audited(b);\n`;

  test('does not come back for a use of ours, which is told', async () => {
    const removedFiles = new Set(['src/collections/b/routes.ts']);
    expect(await places(PATH, { base, ours, theirs, removedFiles })).toEqual([
      { line: 11, what: "`b` is used here, and './b/routes.ts' is no longer generated" },
    ]);
  });

  test('comes back where the file stays, for ours has edited it', async () => {
    const merged = await mergedText(PATH, { base, ours, theirs });
    expect(merged).toContain(`import { b } from './b/routes.ts';\n`);
  });
});

describe('theirs puts statements into a block', () => {
  const routes = (path: string, kind: string): string =>
    `app.get(${path}, hook(${kind}), async () => {\n  return one();\n});`;
  const base = `export function routes(): void {\n${routes("'/books'", 'BOOK')}\n\n${routes("'/authors/:id/books'", 'BOOK')}\n}\n`;
  const theirs = `export function routes(): void {\n${routes('`/${path}`', 'kind')}\n\nif (parent) {\n${routes('`/${parent}/:id/${path}`', 'kind')}\n}\n}\n`;

  test('edits of ours go along, and so do paths that are templates now', async () => {
    const ours = base.replaceAll('return one();', 'look();\nreturn one();');
    const merged = await mergedText(PATH, { base, ours, theirs });
    expect(merged).toBe(theirs.replaceAll('return one();', 'look();\nreturn one();'));
  });

  test('a route that ours deleted stays deleted where theirs changes it: a conflict', async () => {
    const ours = base.replace(routes("'/authors/:id/books'", 'BOOK'), '');
    expect(await places(PATH, { base, ours, theirs })).toHaveLength(1);
  });

  test('a route that ours adds between the others goes into the block with them', async () => {
    const own = `app.get('/own', async () => own());`;
    const two = (text: string, path: string): string =>
      text.replace(/return one\(\);\n\}\);\n\}/, `return one();\n});\n\n${path}\n}`);
    const both = two(base, routes("'/authors/:id/drafts'", 'BOOK'));
    const wrapped = two(theirs, routes('`/${parent}/:id/drafts`', 'kind'));
    const ours = both.replace(
      routes("'/authors/:id/drafts'", 'BOOK'),
      `${own}\n\n${routes("'/authors/:id/drafts'", 'BOOK')}`,
    );
    const merged = await mergedText(PATH, { base: both, ours, theirs: wrapped });
    expect(merged.match(/own\(\)/g)).toHaveLength(1);
    expect(merged.indexOf(own)).toBeGreaterThan(merged.indexOf('if (parent)'));
    expect(merged.match(/app\.get\(/g)).toHaveLength(4);
  });
});
