/** Eight changes that a team makes to an emitted bookshop, and how many lines of code each takes. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { execa } from 'execa';

import { ROOT } from './project.ts';

/** A text of a file, and what replaces it. */
type Edit = readonly [file: string, from: string, to: string];

/** A change: files of `test/e2e/own-code/`, and edits of files that are there. */
interface Change {
  readonly name: string;
  readonly files?: readonly string[];
  readonly edits?: readonly Edit[];
}

export const CHANGES: readonly Change[] = [
  {
    name: 'a rule in a hook',
    files: ['src/collections/books/hooks.ts', 'test/fixtures/books.ts'],
  },
  {
    name: 'a joined member',
    edits: [
      [
        'src/collections/books/schema.ts',
        'BookComputed = object({})',
        'BookComputed = object({ author_name: string() })',
      ],
      [
        'src/collections/books/repository.ts',
        `  updated_at: '"books"."updated_at"',\n`,
        `  updated_at: '"books"."updated_at"',
  author_name: '(select "name" from "authors" where "authors"."id" = "books"."author_id")',\n`,
      ],
    ],
  },
  {
    name: 'a computed count',
    edits: [
      [
        'src/collections/books/schema.ts',
        'object({ author_name: string() })',
        'object({ author_name: string(), reviews_count: integer() })',
      ],
      ['src/collections/books/schema.ts', '  itemShape,\n', '  integer,\n  itemShape,\n'],
      [
        'src/collections/books/repository.ts',
        `  author_name:`,
        `  reviews_count: '(select count(*) from "reviews" where "book_id" = "books"."id")',\n  author_name:`,
      ],
    ],
  },
  {
    name: 'an endpoint with a report',
    files: ['src/reports/author-report.ts', 'test/author-report.test.ts'],
    edits: [
      [
        'src/collections/index.ts',
        `import type { RouteContext }`,
        `import { reportRoutes } from '../reports/author-report.ts';\nimport type { RouteContext }`,
      ],
      ['src/collections/index.ts', '  reviewsRoutes,\n', '  reviewsRoutes,\n  reportRoutes,\n'],
    ],
  },
  {
    name: 'a filter operator',
    edits: [
      ['src/platform/http/filters.ts', `'in' | 'null';`, `'in' | 'null' | 'starts';`],
      [
        'src/platform/database/pages.ts',
        `  ne: 'is distinct from',\n`,
        `  ne: 'is distinct from',\n  starts: '^@',\n`,
      ],
      [
        'src/platform/database/pages.ts',
        `if (operator === 'ne') return`,
        `if (operator === 'ne' || operator === 'starts') return`,
      ],
      [
        'src/platform/openapi/parameters.ts',
        `  lte: 'is equal to or before',\n`,
        `  lte: 'is equal to or before',\n  starts: 'begins with',\n`,
      ],
      ['src/collections/authors/schema.ts', 'import { byString }', 'import { byString, ORDERED }'],
      [
        'src/collections/authors/schema.ts',
        'name: byString(),',
        `name: { ...byString(), operators: [...ORDERED, 'starts'] },`,
      ],
    ],
  },
  {
    name: 'a transaction over two collections',
    files: ['src/publications/routes.ts'],
    edits: [
      [
        'src/collections/index.ts',
        `import { reportRoutes }`,
        `import { publicationRoutes } from '../publications/routes.ts';\nimport { reportRoutes }`,
      ],
      ['src/collections/index.ts', '  reportRoutes,\n', '  publicationRoutes,\n  reportRoutes,\n'],
    ],
  },
  {
    name: 'a webhook after the commit',
    files: ['migrations/0002_webhook_events.sql', 'src/webhooks/outbox.ts'],
    edits: [
      [
        'src/collections/books/hooks.ts',
        `import type { Book,`,
        `import { addEvent } from '../../webhooks/outbox.ts';\nimport type { Book,`,
      ],
      [
        'src/collections/books/hooks.ts',
        `  beforeUpdate: (values) => check(values),\n`,
        `  afterCreate: (book, { database }) => addEvent(database, 'book.created', book),
  beforeUpdate: (values) => check(values),
  afterUpdate: (book, { database }) => addEvent(database, 'book.updated', book),\n`,
      ],
      [
        'src/config.ts',
        `  readonly shutdownGrace: number;\n`,
        `  readonly shutdownGrace: number;
  /** Where events are sent; undefined to keep them. */
  readonly webhookUrl: string | undefined;\n`,
      ],
      [
        'src/config.ts',
        `    shutdownGrace: read.integer('SHUTDOWN_GRACE', 10, 0, 3600),\n`,
        `    shutdownGrace: read.integer('SHUTDOWN_GRACE', 10, 0, 3600),
    webhookUrl: read.variable<string | undefined>('WEBHOOK_URL', undefined, readUrl, 'is no URL'),\n`,
      ],
      [
        'src/config.ts',
        `function readOrigin(`,
        `const readUrl = (text: string): string | undefined => (URL.canParse(text) ? text : undefined);\n\nfunction readOrigin(`,
      ],
      [
        'src/app.ts',
        `import type { Services } from './platform/services.ts';\n`,
        `import type { Services } from './platform/services.ts';
import { sendUntilClosed } from './webhooks/outbox.ts';\n`,
      ],
      [
        'src/app.ts',
        `  app.decorate('open', async () => {\n`,
        `  const startSending = sendUntilClosed(app, database, config.webhookUrl);\n  app.decorate('open', async () => {\n`,
      ],
      ['src/app.ts', `    isOpen = true;\n`, `    startSending();\n    isOpen = true;\n`],
      [
        'README.md',
        `| \`SHUTDOWN_GRACE\` `,
        `| \`WEBHOOK_URL\` | where events of books are sent | none |\n| \`SHUTDOWN_GRACE\` `,
      ],
    ],
  },
  {
    name: 'JWTs of an OpenID provider',
    files: ['src/auth/jwt.ts'],
    edits: [
      [
        'src/config.ts',
        `import { TIMEOUTS } from './platform/database/database.ts';\n`,
        `import type { Provider } from './auth/jwt.ts';\nimport { TIMEOUTS } from './platform/database/database.ts';\n`,
      ],
      [
        'src/config.ts',
        `  readonly webhookUrl: string | undefined;\n`,
        `  readonly webhookUrl: string | undefined;
  /** The OpenID provider whose JWTs are accepted; without an issuer, there is none. */
  readonly provider: Provider;\n`,
      ],
      [
        'src/config.ts',
        `'WEBHOOK_URL', undefined, readUrl, 'is no URL'),\n`,
        `'WEBHOOK_URL', undefined, readUrl, 'is no URL'),
    provider: {
      issuer: read.variable('OIDC_ISSUER', '', readUrl, 'must be a URL'),
      audience: read.variable('OIDC_AUDIENCE', '', (text) => text, ''),
    },\n`,
      ],
      [
        'src/app.ts',
        `import { collections } from './collections/index.ts';\n`,
        `import { acceptJwts } from './auth/jwt.ts';\nimport { collections } from './collections/index.ts';\n`,
      ],
      [
        'src/app.ts',
        `        authenticate(api, database, counts, () => secret);\n`,
        `        acceptJwts(api, database, config.provider);\n        authenticate(api, database, counts, () => secret);\n`,
      ],
      [
        'src/platform/openapi/documents.ts',
        "'An access token, made by `POST /tokens`.'",
        "'An access token, made by `POST /tokens`, or a JWT of the identity provider.'",
      ],
      [
        'README.md',
        `| \`WEBHOOK_URL\` `,
        `| \`OIDC_ISSUER\`, \`OIDC_AUDIENCE\` | the OpenID provider whose JWTs are accepted, and this service as they name it | none |\n| \`WEBHOOK_URL\` `,
      ],
    ],
  },
];

/** Replaces a text in a file of a project. */
export function edit(project: string, [file, from, to]: Edit): void {
  const path = join(project, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} lacks ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}

/** Makes a change. */
export function change(project: string, { files = [], edits = [] }: Change): void {
  for (const file of files) {
    const target = join(project, file);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, 'test/e2e/own-code', file), target);
  }
  for (const one of edits) edit(project, one);
}

/** What a commit took: files of code, and lines without blank ones and comments. */
export interface Size {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Commits everything in a project, also when git had an identity and `create-service` has done so. */
export async function commit(project: string, message: string): Promise<Size> {
  const git = async (...words: string[]): Promise<string> => {
    const settings = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    const { stdout } = await execa('git', [...settings, ...words], { cwd: project });
    return stdout;
  };
  await git('add', '--all');
  await git('commit', '--quiet', '--allow-empty', '--message', message);
  const lines = (await git('show', '--format=', '--unified=0', '--', '*.ts', '*.sql')).split('\n');
  const count = (mark: string): number =>
    lines.filter((line) => line.startsWith(mark) && /^.\s*(?!\/\/|--|\/?\*|\+\+)\S/.test(line))
      .length;
  return {
    files: lines.filter((line) => line.startsWith('diff --git')).length,
    added: count('+'),
    removed: count('-'),
  };
}
