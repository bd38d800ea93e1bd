/**
 * Material for realistic merges: the bookshop as it is emitted, what its team edits in the files,
 * and how its definitions change.
 */
import { readFileSync } from 'node:fs';

import { formatIssue, parseSingleFile } from '../../src/definition/index.ts';
import { renderProject } from '../../src/project/render-project.ts';
import { NPM } from '../../src/shared/package-manager.ts';

/** Without the seeds, so that a collection can be added at the end. */
const DEFINITIONS = readFileSync(
  new URL('../../examples/bookshop.yaml', import.meta.url),
  'utf8',
).replace(/^# Items to begin with[^]*/m, '');

/** A change of a text; `name` says what somebody wanted. */
export interface Edit {
  readonly name: string;
  readonly apply: (text: string) => string;
}

/** Replaces the first occurrence; fails where there is none, for then an edit edits nothing. */
export function replace(text: string, from: string | RegExp, to: string): string {
  const result = text.replace(from, () => to);
  if (result === text) throw new Error(`nothing to replace: ${String(from)}`);
  return result;
}

const before =
  (place: string | RegExp, added: string) =>
  (text: string): string =>
    around(text, place, (found) => added + found);

const after =
  (place: string | RegExp, added: string) =>
  (text: string): string =>
    around(text, place, (found) => found + added);

function around(text: string, place: string | RegExp, edit: (found: string) => string): string {
  const result = text.replace(place, edit);
  if (result === text) throw new Error(`nothing to add to: ${String(place)}`);
  return result;
}

/** The text files of a project that has these definitions, by path. */
export async function emitted(definitions: string): Promise<ReadonlyMap<string, string>> {
  const result = await parseSingleFile(
    { path: 'bookshop.yaml', bytes: new TextEncoder().encode(definitions) },
    { fallbackName: 'bookshop' },
  );
  if (!result.ok) throw new Error(result.issues.map(formatIssue).join('\n'));
  const files = await renderProject(result, { tool: '0.0.0', manager: NPM });
  return new Map(
    files.filter(({ ownership }) => ownership === 'merged').map(({ path, text }) => [path, text]),
  );
}

export const bookshop = async (...changes: readonly Edit[]): Promise<ReadonlyMap<string, string>> =>
  emitted(changes.reduce((text, change) => change.apply(text), DEFINITIONS));

/** What a team changes in its definitions over the years. */
export const DEFINITION_CHANGES: readonly Edit[] = [
  {
    name: 'books gain a field at the end',
    apply: after(
      '      published_at: { type: timestamp }\n',
      '      subtitle: { type: string, max_length: 300 }\n',
    ),
  },
  {
    name: 'books gain a field in the middle',
    apply: after(
      "        { type: string, required: true, unique: true, max_length: 13, pattern: '^97[89][0-9]{10}$' }\n",
      '      pages: { type: integer, minimum: 1, default: 1 }\n',
    ),
  },
  {
    name: 'a longer title',
    apply: (text) => replace(text, 'max_length: 300 }', 'max_length: 400 }'),
  },
  {
    name: 'books have one more status',
    apply: (text) => replace(text, '[draft, published]', '[draft, published, archived]'),
  },
  {
    name: 'books are filtered by isbn',
    apply: (text) => replace(text, '[status, author_id, price', '[status, isbn, author_id, price'),
  },
  {
    name: 'administrators alone create books',
    apply: (text) => replace(text, /(?<=\n {2}books:[^]*)create: \[editor\]/, 'create: [admin]'),
  },
  {
    name: 'authors lose their website',
    apply: (text) =>
      replace(text, '      website: { type: string, format: uri, max_length: 2000 }\n', ''),
  },
  {
    name: 'a collection of tags',
    apply: (text) => `${text}
  tags:
    fields:
      name: { type: string, required: true, unique: true, max_length: 50 }
    sort: [name, created_at]
`,
  },
  {
    name: 'a collection that is nested below books',
    apply: (text) => `${text}
  editions:
    fields:
      book_id: { type: reference, to: books, required: true, nested: true, on_delete: cascade }
      year: { type: integer, required: true, minimum: 1400 }
    filter: [year]
`,
  },
  {
    name: 'reviews refer to an author too, nested',
    apply: after(
      '      reader: { type: string, required: true, min_length: 1, max_length: 100 }\n',
      '      author_id: { type: reference, to: authors, nested: true, on_delete: clear }\n',
    ),
  },
  {
    name: 'another description of books',
    apply: (text) => replace(text, 'A title that the shop sells.', 'A title, new or second-hand.'),
  },
  {
    name: 'another description of the service',
    apply: (text) =>
      replace(
        text,
        'Books, their authors and what readers say of them.',
        'All that a shop of books needs.',
      ),
  },
  {
    name: 'version 2 beside version 1',
    apply: (text) => replace(text, 'versions: [1]', 'versions: [1, 2]'),
  },
  {
    name: 'smaller pages',
    apply: (text) => replace(text, 'roles: [editor]', 'pages: { default: 10 }\nroles: [editor]'),
  },
];

/** What a team edits in the emitted files. */
export const TEAM_EDITS: Readonly<Record<string, readonly Edit[]>> = {
  'src/collections/books/routes.ts': [
    {
      name: 'a route of its own at the end',
      apply: (text) =>
        replace(
          text,
          /\n\}\n$/,
          `

  // The shop window: what was published last.
  app.get('/books/newest', async (request, reply) => {
    refuseParameters(request);
    return reply.send(await newestBooks(database));
  });
}
`,
        ),
    },
    {
      name: 'a route of its own at the start',
      apply: before(
        /\n {2}app\.get\(/,
        `
  app.get('/books/isbn/:isbn', async (request, reply) => {
    return reply.send(await bookByIsbn(database, request));
  });
`,
      ),
    },
    {
      name: 'an import at the end',
      apply: after(`} from './schema.ts';\n`, `import { newestBooks } from './window.ts';\n`),
    },
    {
      name: 'one more name of an import',
      apply: (text) => replace(text, / findBook,/, ' findBook, findBookByIsbn,'),
    },
    {
      name: 'a line in the handler that reads one',
      apply: after(
        / {4}const item = await findBook\([^;]*;\n/,
        `    request.log.info({ id: item.id }, 'a book was read');\n`,
      ),
    },
    {
      name: 'a header of the answer to a removal',
      apply: after('.code(204)', `.header('x-removed', 'true')`),
    },
  ],
  'src/collections/books/schema.ts': [
    {
      name: 'a shorter price',
      apply: (text) => replace(text, 'decimal({ precision: 10,', 'decimal({ precision: 8,'),
    },
    {
      name: 'a member more, at the end of the body',
      apply: after(
        /\n {2}published_at: optional\(timestamp\(\)\),\n/,
        `  // Where it stands in the shop.\n  shelf: optional(string({ maxLength: 10 })),\n`,
      ),
    },
    {
      name: 'a member more of what clients read',
      apply: after(`  readonly id: string;\n`, `  readonly stock: number;\n`),
    },
    {
      name: 'a type of its own',
      apply: (text) =>
        `${text}\n/** Of a book, what stands in the window. */\nexport type Window = Pick<Book, 'id' | 'title'>;\n`,
    },
    {
      name: 'a comment above a list',
      apply: before(`export const bookLists`, `// Readers look for titles most.\n`),
    },
    {
      name: 'a larger maximum of pages',
      apply: (text) => replace(text, 'maximum: 100 }', 'maximum: 200 }'),
    },
  ],
  'src/collections/books/repository.ts': [
    {
      name: 'a function of its own at the end',
      apply: (text) => `${text}
/** The book of an ISBN, or nothing. */
export async function findBookByIsbn(database: Database, isbn: string): Promise<Book | undefined> {
  const [found] = await database.query<Book>(BY_ISBN, [isbn]);
  return found;
}
`,
    },
    {
      name: 'a statement of its own',
      apply: before(
        `export const {\n  list: listBooks`,
        `const BY_ISBN = {\n  prepared: true,\n  text: \`select \${selectList(COLUMNS)} from "books" where "isbn" = $1\`,\n};\n`,
      ),
    },
    {
      name: 'another word in messages',
      apply: (text) => replace(text, `anItem: 'a book'`, `anItem: 'a title'`),
    },
  ],
  'src/collections/index.ts': [
    {
      name: 'routes of its own, imported and registered',
      apply: (text) =>
        after(
          / {2}reviewsRoutes,\n/,
          '  windowRoutes,\n',
        )(
          after(
            /import \{ reviewsRoutes \}[^\n]*\n/,
            `import { windowRoutes } from '../window.ts';\n`,
          )(text),
        ),
    },
  ],
  'test/collections/books.test.ts': [
    {
      name: 'a test of its own at the end',
      apply: (text) =>
        `${text}\ntest('the window shows the newest', async () => {\n  expect(await service.get('/books/newest')).toHaveStatus(200);\n});\n`,
    },
    {
      name: 'a refused value of its own among the others',
      apply: before(
        `    ['status', 'not one of its values'`,
        `    ['price', 'with a currency', { price: '5 EUR' }],\n`,
      ),
    },
    {
      name: 'one more path below an item',
      apply: (text) => replace(text, "inside: ['reviews']", "inside: ['reviews', 'orders']"),
    },
  ],
  'test/support/items/books.ts': [
    {
      name: 'an author of its own',
      apply: (text) => replace(text, 'await make.author_id(service)', 'await theAuthor(service)'),
    },
  ],
  'package.json': [
    {
      name: 'a script and a dependency',
      apply: (text) =>
        before(
          /"pg": /,
          '"nodemailer": "7.0.0",\n    ',
        )(before(/"test": /, '"seed": "tsx scripts/seed.ts",\n    ')(text)),
    },
    {
      name: 'a raised version',
      apply: (text) => replace(text, /"fastify": "[^"]*"/, '"fastify": "^5.99.0"'),
    },
  ],
  'README.md': [
    {
      name: 'a chapter at the end',
      apply: (text) => `${text}\n## On call\n\nAsk Ada first.\n`,
    },
    {
      name: 'a paragraph at the start',
      apply: before('## Start', 'Run by the shop team.\n\n'),
    },
    {
      name: 'a row of its own in the table of endpoints',
      apply: before(
        /\| GET +\| `\/health\/live`/,
        '| GET | `/api/v1/books/newest` | 200, the newest |\n',
      ),
    },
  ],
};
