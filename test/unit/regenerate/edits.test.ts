/** Edits of a team in the files of a real project, and changes of its definitions: what comes of both. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { replace } from '../../merge/bookshop.ts';
import { conflictSides } from '../../../src/update/text.ts';
import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

const BOOKS = `fields:
  title: { type: string, required: true, max_length: 100 }
  price: { type: integer }
  author_id: { type: reference, to: authors, nested: true }
sort: [title, price]
`;

let place = '';
let project: TestProject;

beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  project = await makeProject(path.join(place, 'shop'), {
    'service.yaml': 'name: shop\nroles: [editor]\n',
    'collections/books.yaml': `${BOOKS}permissions: { read: public, update: [editor] }\n`,
    'collections/authors.yaml':
      'fields:\n  name: { type: string }\npermissions: { read: public }\n',
    'collections/shops.yaml': 'fields:\n  name: { type: string }\n',
  });
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const books = 'definitions/collections/books.yaml';
const ROUTES = 'src/collections/books/routes.ts';
const REGISTRY = 'src/collections/index.ts';

const conflicts = async (): Promise<readonly string[]> => {
  const { outcomes } = await project.generate();
  return outcomes.flatMap(({ path: file, action, conflict }) =>
    action === 'conflict' ? (conflict?.places ?? []).map(({ what }) => `${file}: ${what}`) : [],
  );
};

/** Source in one line. */
const inOneLine = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/([([{]) | ([)\]}])|,(?= ?[)\]}])/g, '$1$2');

test.each([ROUTES, 'test/fixtures/books.ts', 'src/collections/books/hooks.ts', 'README.md'])(
  '%s stays deleted, until its line is removed from the manifest',
  async (file) => {
    const text = project.read(file);
    project.write(file, undefined);
    await project.generate();
    expect(() => project.read(file)).toThrow('ENOENT');
    project.edit('.create-service/manifest', (manifest) =>
      manifest.replace(new RegExp(`^${file} .*\\n`, 'gm'), ''),
    );
    const { outcomes } = await project.generate();
    expect(outcomes).toMatchObject([{ path: file, action: 'added' }]);
    expect(project.read(file)).toBe(text);
    expect((await project.generate()).changes).toEqual([]);
  },
);

describe('the base of a file that nobody edited is that of the last run', () => {
  const BASE = `.create-service/base/${ROUTES}.base`;

  test('where it was lost', async () => {
    const base = project.read(BASE);
    project.write(BASE, undefined);
    const { outcomes } = await project.generate();
    expect(outcomes).toEqual([]);
    expect(project.read(BASE)).toBe(base);
  });

  test('where another branch generated another one', async () => {
    const base = project.read(BASE);
    const other = `${base}// Another version.\n`;
    project.write(BASE, other);
    const hash = createHash('sha256').update(other).digest('hex');
    project.edit('.create-service/manifest', (text) =>
      text.replace(new RegExp(`^${ROUTES} merged .*$`, 'm'), `$&\n${ROUTES} merged ${hash}`),
    );
    await project.generate();
    expect(project.read(BASE)).toBe(base);
    expect(project.read('.create-service/manifest')).not.toContain(hash);
  });
});

describe('versions that differ are added', () => {
  /** What teams do to a handler, and what stands there once the service has versions. */
  const EDITS: readonly (readonly [what: string, edit: (text: string) => string, then: string])[] =
    [
      [
        'a header in a handler',
        (text) =>
          replace(
            text,
            'return sendItem(',
            `void reply.header('x-shop', 'main');\n    return sendItem(`,
          ),
        `void reply.header('x-shop', 'main'); return sendItem(request, reply, show(item));`,
      ],
      [
        'a header in a chain of calls',
        (text) => replace(text, '.code(204)', `.code(204).header('x-gone', 'yes')`),
        `await deleteBook(database, id, expectedRevision(request), { principal: request.principal, resource, }); return reply.code(204).header('x-gone', 'yes').send();`,
      ],
      [
        'an extra statement in a handler',
        (text) =>
          replace(
            text,
            / {6}const item = await updateBook\(/,
            `      request.log.info({ id }, 'a book changes');\n      const item = await updateBook(`,
          ),
        `const id = idOf(request, resource); request.log.info({ id }, 'a book changes'); const item = await updateBook(`,
      ],
      [
        'another value for the database',
        (text) =>
          replace(text, 'createBook(inside, values,', 'createBook(inside, withTax(values),'),
        `await createBook(inside, withTax(values), { principal: request.principal, resource })`,
      ],
      [
        'a hook more in a list of hooks',
        (text) => replace(text, /checkPreconditions,?\s*\]/, 'checkPreconditions, audited]'),
        `requireItem(database, resource), checkPreconditions, audited]`,
      ],
      [
        'a list in place of one hook, below the path of a parent',
        (text) =>
          replace(
            text,
            'onRequest: requireItem(database, AUTHOR_RESOURCE)',
            'onRequest: [limited, requireItem(database, AUTHOR_RESOURCE)]',
          ),
        `onRequest: [limited, requireItem(database, byAuthor.resource)]`,
      ],
      [
        'a comment above a route below the path of a parent',
        (text) =>
          replace(text, `  app.get(\n    '/authors/`, `  // Ours.\n  app.get(\n    '/authors/`),
        '// Ours. app.get( `/${byAuthor.parent}/:id/${byAuthor.path}`'.replace('( ', '('),
      ],
      [
        'an endpoint of its own',
        (text) =>
          replace(
            text,
            /\n\}\n$/,
            `\n\n  app.get('/books/newest', async (request, reply) => {\n    refuseParameters(request);\n    return reply.send(await newestBooks(database));\n  });\n}\n`,
          ),
        `app.get('/books/newest', async (request, reply) => {refuseParameters(request); return reply.send(await newestBooks(database));});`,
      ],
    ];

  const addVersions = (): void => {
    project.edit('definitions/service.yaml', (text) => `${text}versions: [1, 2]\n`);
    project.edit(books, (text) =>
      replace(text, 'sort:', '  pages: { type: integer, since: 2 }\nsort:'),
    );
  };

  test('a routes.ts with an edit in every handler merges', async () => {
    for (const [, edit] of EDITS) project.edit(ROUTES, edit);
    addVersions();
    expect(await conflicts()).toEqual([]);
    const merged = inOneLine(project.read(ROUTES));
    for (const [what, , then] of EDITS) expect(merged, what).toContain(inOneLine(then));
    expect(merged).not.toMatch(/'\/books\/:id'|BOOK_RESOURCE|bookBodies/);
    expect((await project.generate()).changes).toEqual([]);
  });
});

test.each([
  ['renamed_from: books', ''],
  ['name_in: { 1: books }', 'versions: [1, 2]\n'],
])('rules of a collection follow it to its new name: %s', async (origin, versions) => {
  const rule = "{ beforeDelete: () => Promise.reject(new Error('never')) }";
  project.edit('src/collections/books/hooks.ts', (text) => replace(text, '{}', rule));
  project.edit('definitions/service.yaml', (text) => `${text}${versions}`);
  project.write(books, undefined);
  project.write('definitions/collections/titles.yaml', `name: titles\n${origin}\n${BOOKS}`);
  const { outcomes } = await project.generate(undefined, true);
  expect(outcomes.filter(({ action }) => action === 'conflict')).toEqual([]);
  expect(project.read('src/collections/titles/hooks.ts')).toContain('beforeDelete');
  expect(() => project.read('src/collections/books/hooks.ts')).toThrow('ENOENT');
});

describe('routes that the team has put into a wrapper', () => {
  beforeEach(() => {
    project.edit(REGISTRY, (text) =>
      replace(
        replace(text, '  booksRoutes,', '  audited(booksRoutes),'),
        '\nimport { authorsRoutes }',
        `\nimport { audited } from '../audit.ts';\nimport { authorsRoutes }`,
      ),
    );
    project.write('src/audit.ts', 'export const audited = <Routes>(routes: Routes) => routes;\n');
  });

  test('follow the collection to its new name, and stand there once', async () => {
    project.write(books, undefined);
    project.write(
      'definitions/collections/titles.yaml',
      `name: titles\nrenamed_from: books\n${BOOKS}`,
    );
    expect(await conflicts()).toEqual([]);
    const registry = project.read(REGISTRY);
    expect(inOneLine(registry)).toContain('[authorsRoutes, shopsRoutes, audited(titlesRoutes)]');
    expect(registry).not.toContain('books');
    expect(registry.match(/titlesRoutes/g)).toHaveLength(2);
  });

  test('stay with the name where the collection is renamed and a new one has its name', async () => {
    project.write(
      'definitions/collections/works.yaml',
      `name: works\nrenamed_from: books\n${BOOKS}`,
    );
    expect(await conflicts()).toEqual([]);
    expect(inOneLine(project.read(REGISTRY))).toContain(
      '[authorsRoutes, audited(booksRoutes), shopsRoutes, worksRoutes]',
    );
  });

  test('are told where the collection goes, and its import does not come back', async () => {
    project.write(books, undefined);
    const before = project.read(REGISTRY);
    expect(await conflicts()).toEqual([
      `${REGISTRY}: \`collections\`: changed here to "audited(booksRoutes)"; no longer generated`,
    ]);
    expect(project.read(REGISTRY)).toBe(before);
    expect(conflictSides(project.read(`${REGISTRY}.new`))?.[1]).not.toContain('books');
  });

  test('used elsewhere in the file, are told where the collection goes', async () => {
    project.edit(REGISTRY, (text) =>
      replace(text, '  audited(booksRoutes),', '  booksRoutes,').concat(
        '\nexport const main = audited(booksRoutes);\n',
      ),
    );
    project.write(books, undefined);
    expect(await conflicts()).toEqual([
      `${REGISTRY}: \`booksRoutes\` is used here, and './books/routes.ts' is no longer generated`,
    ]);
  });
});

describe('lines of the team that use a removed or changed name are listed', () => {
  const uses = async (): Promise<readonly string[]> => {
    const { oldNames } = await project.generate();
    // Told once: nothing is renamed or removed by the next run.
    expect((await project.generate()).oldNames).toEqual([]);
    return oldNames.map(({ path: file, line, name, becomes }) =>
      `${file}:${line} ${name} ${becomes ?? ''}`.trim(),
    );
  };
  const HOOKS = 'src/collections/books/hooks.ts';

  test('of a field that is renamed, in files of their own, in hooks and in generated files', async () => {
    project.write(
      'src/reports/prices.ts',
      `import type { Book } from '../collections/books/schema.ts';\n\n// The price of all.\nexport const total = (books: readonly Book[]): number =>\n  books.reduce((sum, { price }) => sum + (price ?? 0), 0);\nexport const SQL = 'select sum("price") from "books"';\nexport const pricelist = 1;\nexport const CLASS = 'list-price';\n`,
    );
    project.edit(
      HOOKS,
      (text) => `${text}\nexport const rounded = (book: { price: number }) => 1;\n`,
    );
    project.edit(ROUTES, (text) =>
      replace(
        text,
        'return sendItem(',
        `void reply.header('x-price', item.price);\n    return sendItem(`,
      ),
    );
    project.edit(books, (text) =>
      replace(
        text,
        /price: \{ type: integer \}/,
        'cost: { type: integer, renamed_from: price }',
      ).replace('sort: [title, price]', 'sort: [title, cost]'),
    );
    const lineIn = (file: string, part: string): number =>
      project
        .read(file)
        .split('\n')
        .findIndex((line) => line.includes(part)) + 1;
    const [hook, route] = [lineIn(HOOKS, 'rounded'), lineIn(ROUTES, 'x-price')];
    expect(await uses()).toEqual([
      `${HOOKS}:${hook} price cost`,
      `${ROUTES}:${route} price cost`,
      'src/reports/prices.ts:5 price cost',
      'src/reports/prices.ts:6 price cost',
    ]);
  });

  test('of a field that is removed, and not where another collection has one of that name', async () => {
    const about = (name: string): string =>
      `import type { ${name} } from './collections/${name.toLowerCase()}s/schema.ts';\n\nexport const titleOf = (one: ${name}) => one.title;\n`;
    project.edit(
      'definitions/collections/shops.yaml',
      (text) => `${text}  title: { type: string }\n`,
    );
    project.write('src/of-shops.ts', about('Shop'));
    project.write('src/of-books.ts', about('Book'));
    project.edit(books, (text) =>
      replace(replace(text, / {2}title: .*\n/, ''), 'sort: [title, price]', 'sort: [price]'),
    );
    expect(await uses()).toEqual(['src/of-books.ts:3 title']);
  });

  test('of a collection that is renamed, and of one that is removed', async () => {
    project.write(
      'scripts/newest.mjs',
      `import { findBook } from '../src/collections/books/repository.ts';\n\nawait fetch('/api/v1/books');\nawait findBook();\nawait query('select * from "books"');\nconst books = 'books';\nawait fetch('/api/v1/books-of-ours');\nexport { shopHooks, books };\nimport './shopHooks.mjs';\n`,
    );
    project.write(books, undefined);
    project.write(
      'definitions/collections/titles.yaml',
      `name: titles\nrenamed_from: books\n${BOOKS}`,
    );
    project.write('definitions/collections/shops.yaml', undefined);
    expect(await uses()).toEqual([
      'scripts/newest.mjs:1 findBook findTitle',
      'scripts/newest.mjs:3 books titles',
      'scripts/newest.mjs:4 findBook findTitle',
      'scripts/newest.mjs:5 books titles',
      'scripts/newest.mjs:8 shopHooks',
    ]);
  });
});

describe('a value that the team edits on its way to the database', () => {
  const repository = 'src/collections/books/repository.ts';
  const written = (): string =>
    /const WRITTEN[^]*?\{\n([^]*?)\};/.exec(project.read(repository))?.[1] ?? '';

  beforeEach(() => {
    project.edit(repository, (text) =>
      replace(text, '=> values.title,', '=> values.title.trim(),'),
    );
  });

  test('keeps its form and is there once where the fields have another order', async () => {
    project.edit(books, (text) =>
      replace(text, /( {2}title: .*\n)( {2}price: .*\n)/, '').replace(
        'fields:\n',
        'fields:\n  price: { type: integer }\n  title: { type: string, required: true, max_length: 100 }\n',
      ),
    );
    expect(await conflicts()).toEqual([]);
    expect(written().match(/\w+(?=: \()/g)).toEqual(['price', 'title', 'author_id']);
    expect(written()).toContain('title: (values) => values.title.trim(),');
  });

  test('and its comments follow the field to its new name', async () => {
    const COLUMN = `  title: '"books"."title"',\n`;
    project.edit(repository, (text) =>
      replace(text, COLUMN, `  // As printed.\n${COLUMN.trimEnd()} // not shortened\n`),
    );
    project.edit(books, (text) =>
      replace(text, / {2}title: \{/, '  heading: { renamed_from: title,').replace(
        '[title, price]',
        '[heading, price]',
      ),
    );
    expect(await conflicts()).toEqual([]);
    expect(written()).toContain('heading: (values) => values.heading.trim(),');
    expect(project.read(repository)).toContain(
      `  // As printed.\n  heading: '"books"."heading"', // not shortened\n`,
    );
  });

  test('is told where the field goes', async () => {
    project.edit(books, (text) =>
      replace(replace(text, / {2}title: .*\n/, ''), 'sort: [title, price]', 'sort: [price]'),
    );
    expect(await conflicts()).toEqual([
      `${repository}: \`title\`: changed here to "title: (values) => values.title.trim()"; no longer generated`,
    ]);
    expect(written()).toContain('values.title.trim()');
  });
});
