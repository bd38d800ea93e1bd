/** What a team does to its service over the years, and what becomes of it. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';
import { format as prettier } from 'prettier';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { check } from '../../../src/commands/check.ts';
import type { Outcome } from '../../../src/update/types.ts';
import { filesOf } from './team.ts';
import { makeProject, projectIn } from './support.ts';
import type { TestProject } from './support.ts';

let place = '';
let project: TestProject;

const BOOKS = `fields:
  title: { type: string, required: true, max_length: 100 }
  price: { type: integer }
`;
const DEFINITIONS = {
  'service.yaml': 'name: shop\n',
  'collections/books.yaml': BOOKS,
  'collections/authors.yaml': 'fields:\n  name: { type: string }\n',
};

beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  project = await makeProject(path.join(place, 'shop'), DEFINITIONS);
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const books = 'definitions/collections/books.yaml';
const actions = async (): Promise<Record<string, string>> => {
  const { outcomes } = await project.generate();
  return Object.fromEntries(outcomes.map(({ path: file, action }) => [file, action]));
};
const findings = async (): Promise<readonly string[]> => {
  const owner = { pid: process.pid, host: 'here', random: '0a1b2c3d' };
  const result = await check({ cwd: project.folder, owner, isAlive: () => false });
  return result.ok ? result.findings.map(({ code }) => code) : ['issues'];
};

test('a field is added: schema, SQL and tests follow, and a migration', async () => {
  project.edit(books, (text) => `${text}  pages: { type: integer }\n`);
  expect(await findings()).toEqual(['not-generated', 'migration-not-written']);
  const done = await actions();
  expect(done).toMatchObject({
    'migrations/0002_books_add_pages.sql': 'added',
    'src/collections/books/schema.ts': 'updated',
    'src/collections/books/repository.ts': 'updated',
  });
  expect(project.read('migrations/0002_books_add_pages.sql')).toMatch(
    /^-- after: 0001_initial [0-9a-f]{64}\n[^]*add column if not exists "pages"/,
  );
  expect(await findings()).toEqual([]);
  expect((await project.generate()).changes).toEqual([]);
});

test('a collection is renamed to whose items an owner path leads', async () => {
  const teams = 'fields: { name: { type: string } }\nowner: members.user_id\n';
  const members = `fields:
  user_id: { type: reference, to: users, required: true }
  team_id: { type: reference, to: teams, required: true, unique: true }
`;
  const permissions = 'permissions: { read: owner, update: owner }\n';
  const crew = await makeProject(path.join(place, 'crew'), {
    'service.yaml': 'name: crew\n',
    'collections/teams.yaml': teams + permissions,
    'collections/members.yaml': members,
  });
  crew.write('definitions/collections/teams.yaml', undefined);
  const groups = `name: groups\nrenamed_from: teams\n${teams}${permissions}`;
  crew.write('definitions/collections/groups.yaml', groups);
  crew.edit('definitions/collections/members.yaml', (text) =>
    text.replace('to: teams', 'to: groups'),
  );
  const { refused, outcomes } = await crew.generate(undefined, false, false);
  expect(refused).toEqual([]);
  expect(outcomes.filter(({ action }) => action === 'conflict')).toEqual([]);
  expect(crew.read('src/collections/groups/repository.ts')).toContain('"members"');
});

test('an edited collection is renamed: edits and rows go along, hooks too', async () => {
  const mine = '// A rule of ours.\n';
  project.edit('src/collections/books/hooks.ts', (text) => `${text}\n${mine}`);
  project.edit('src/collections/books/routes.ts', (text) => `${text}\n${mine}`);
  project.write(books, undefined);
  project.write(
    'definitions/collections/titles.yaml',
    `name: titles\nrenamed_from: books\n${BOOKS}`,
  );
  const { migration, outcomes } = await project.generate();
  expect(migration?.losses).toEqual([]);
  expect(migration?.files[0]?.text).toContain('alter table "books" rename to "titles"');
  expect(outcomes.filter(({ action }) => action === 'conflict')).toEqual([]);
  expect(existsSync(path.join(project.folder, 'src/collections/books'))).toBe(false);
  const hooks = project.read('src/collections/titles/hooks.ts');
  expect(hooks).toContain('titleHooks');
  expect(hooks).toContain(mine);
  expect(project.read('src/collections/titles/routes.ts')).toContain(mine);
  expect(await findings()).toEqual([]);
  expect((await project.generate()).changes).toEqual([]);
});

describe('what the team wrote for a collection follows it to its new name', () => {
  const rename = async (): Promise<readonly Outcome[]> => {
    project.write(books, undefined);
    project.write(
      'definitions/collections/order_items.yaml',
      `name: order_items\nrenamed_from: books\n${BOOKS}`,
    );
    const { outcomes } = await project.generate();
    expect(outcomes.filter(({ action }) => action === 'conflict')).toEqual([]);
    expect(await findings()).toEqual([]);
    expect((await project.generate()).changes).toEqual([]);
    return outcomes;
  };

  test('in the middle of what is generated', async () => {
    project.edit('src/collections/books/routes.ts', (text) =>
      text.replace(
        '    return sendItem(request, reply, item);',
        `    // A book for the window.\n    void reply.header('x-book', item.id);\n    return sendItem(request, reply, item);`,
      ),
    );
    await rename();
    const routes = project.read('src/collections/order-items/routes.ts');
    expect(routes.replaceAll(/\s+/g, ' ')).toContain(
      "findOrderItem(database, idOf(request, ORDER_ITEM_RESOURCE)); refuseParameters(request); // A book for the window. void reply.header('x-book', item.id); return sendItem(",
    );
    expect(routes).not.toMatch(/findBook|\/books/);
  });

  test('by names of code and of SQL, while words of their own stay', async () => {
    const own = `
/** The newest of all books. */
export async function newest(database: Database): Promise<Book | undefined> {
  const books = await database.query<Book>({ text: \`select \${COLUMNS} from "books"\` });
  return books.length > 0 ? findBook(database, books[0]!.id) : undefined;
}
`;
    project.edit('src/collections/books/repository.ts', (text) => text + own);
    await rename();
    expect(project.read('src/collections/order-items/repository.ts')).toContain(`
/** The newest of all books. */
export async function newest(database: Database): Promise<OrderItem | undefined> {
  const books = await database.query<OrderItem>({ text: \`select \${COLUMNS} from "order_items"\` });
  return books.length > 0 ? findOrderItem(database, books[0]!.id) : undefined;
}
`);
  });

  test('laid out in another style, in the files of other collections, and in lists of all', async () => {
    project.edit('src/collections/books/schema.ts', (text) =>
      text.replaceAll("'", '"').replaceAll('  ', '    '),
    );
    project.edit('src/collections/index.ts', (text) =>
      text.replace('  booksRoutes,', '  // The heart of the shop.\n  booksRoutes,'),
    );
    project.edit(
      'test/fixtures/authors.ts',
      (text) => `${text}\nexport const ours = 'createBook';\n`,
    );
    await rename();
    const schema = project.read('src/collections/order-items/schema.ts');
    expect(schema).toContain(
      'export const orderItemBodies = bodyReader(OrderItemBody, OrderItemShape);',
    );
    expect(schema).toContain('\n    title: string({ maxLength: 100 }),');
    expect(project.read('src/collections/index.ts')).toContain(
      '  // The heart of the shop.\n  orderItemsRoutes,',
    );
  });
});

test('a collection goes: its files go, but for those with edits', async () => {
  project.edit('src/collections/books/hooks.ts', (text) => `${text}\n// ours\n`);
  project.write('src/collections/books/prices.ts', 'export const PRICES = [];\n');
  project.write(books, undefined);
  const done = await actions();
  expect(done['src/collections/books/hooks.ts']).toBe('left');
  expect(done['src/collections/books/routes.ts']).toBe('removed');
  expect(readdirSync(path.join(project.folder, 'src/collections/books')).toSorted()).toEqual([
    'hooks.ts',
    'prices.ts',
  ]);
  expect(await findings()).toEqual([]);
});

test('a dependency that the team raised stays, and so do scripts of theirs', async () => {
  project.edit('package.json', (text) =>
    text
      .replace(/"pg": ".*"/, '"pg": "99.0.0"')
      .replace('"scripts": {', '"scripts": {\n    "seed": "node seed.js",'),
  );
  project.edit('definitions/service.yaml', (text) => `${text}description: Sells books.\n`);
  await project.generate();
  const { dependencies, scripts, description } = JSON.parse(project.read('package.json')) as {
    dependencies: Record<string, string>;
    scripts: Record<string, string>;
    description: string;
  };
  expect(dependencies['pg']).toBe('99.0.0');
  expect(scripts['seed']).toBe('node seed.js');
  expect(description).toBe('Sells books.');
});

test('a file that may only be read is brought up to date, and may still only be read', async () => {
  chmodSync(path.join(project.folder, 'README.md'), 0o444);
  project.edit(books, (text) => `${text}description: What one reads.\n`);
  expect((await actions())['README.md']).toBe('updated');
  expect(statSync(path.join(project.folder, 'README.md')).mode & 0o777).toBe(0o444);
});

/** What a text says, whatever its layout. */
const wordsOf = (text: string): readonly string[] => text.match(/[\w$]+/g) ?? [];

test('a team that lays out all files in its own way keeps its way, and gets what a new project gets', async () => {
  const OURS = { tabWidth: 4, semi: false, singleQuote: false, printWidth: 120 };
  const files = filesOf(project.folder).filter((file) => /\.(ts|json|md|yaml)$/.test(file));
  for (const file of files) {
    const text = await prettier(project.read(file), { filepath: file, ...OURS });
    project.write(file, text.replaceAll('\n', '\r\n'));
  }
  expect((await project.generate()).changes).toEqual([]);
  project.edit(books, (text) => `${text}  pages: { type: integer, minimum: 1 }\n`);
  const { outcomes } = await project.generate();
  expect(outcomes.filter(({ action }) => action === 'conflict')).toEqual([]);
  expect(await findings()).toEqual([]);
  expect((await project.generate()).changes).toEqual([]);

  const fresh = await makeProject(path.join(place, 'fresh'), {
    ...DEFINITIONS,
    'collections/books.yaml': `${BOOKS}  pages: { type: integer, minimum: 1 }\n`,
  });
  // A fixture that was laid out in another way is the team's.
  for (const file of files.filter((one) => !one.startsWith('test/fixtures/'))) {
    const text = project.read(file);
    expect([file, text.match(/(?<!\r)\n/)]).toEqual([file, null]);
    expect([file, wordsOf(text)]).toEqual([file, wordsOf(fresh.read(file))]);
  }
  expect(project.read('src/collections/books/schema.ts')).toContain(
    '\r\n    pages: optional(integer({ minimum: 1 })),\r\n',
  );
});

test('code that the team moved to a file of its own stays there, and what it left is merged', async () => {
  const file = 'src/collections/books/repository.ts';
  const own = 'src/collections/books/written.ts';
  const code = project.read(file);
  const declaration = /\/\*\* The values of written columns\. \*\/\nconst WRITTEN[^]*?\n\};\n/.exec(
    code,
  )?.[0];
  if (declaration === undefined) throw new Error(`${file} has no WRITTEN`);
  const imports = [
    `import type { WrittenColumns } from '../../platform/database/repository.ts';\n`,
    `import type { BookValues } from './schema.ts';\n\n`,
  ];
  project.write(
    own,
    imports.join('') + declaration.replace('const WRITTEN', 'export const WRITTEN'),
  );
  project.edit(file, (text) =>
    text
      .replace(`\n${declaration}`, '')
      .replace(
        'import { bookHooks }',
        () => "import { WRITTEN } from './written.ts';\nimport { bookHooks }",
      ),
  );
  const moved = project.read(own);
  // Items that are made in the background need more of the repository.
  project.edit(books, (definition) => `${definition}create: background\n`);
  const done = await actions();
  expect(done[file]).toBe('merged');
  const merged = project.read(file);
  expect(merged).toContain("import { WRITTEN } from './written.ts';\n");
  expect(merged).not.toContain('const WRITTEN');
  expect(merged).toContain('makeDryRun(insertion)');
  expect(project.read(own)).toBe(moved);
  expect(await findings()).toEqual([]);
  expect((await project.generate()).changes).toEqual([]);
});

describe('two branches', () => {
  const git = async (...words: string[]): Promise<boolean> => {
    const settings = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    const { failed } = await execa('git', [...settings, ...words], {
      cwd: project.folder,
      reject: false,
    });
    return !failed;
  };
  const branch = async (name: string, text: string): Promise<void> => {
    await git('checkout', '-q', '-b', name, 'main');
    project.write(`definitions/collections/${name}.yaml`, text);
    await project.generate();
    await git('add', '--all');
    await git('commit', '-q', '-m', name);
  };
  const NAMED = 'fields:\n  name: { type: string }\n';

  beforeEach(async () => {
    await git('init', '-q', '-b', 'main');
    await git('add', '--all');
    await git('commit', '-q', '-m', 'start');
    // Beside each other in every list, so that git cannot merge these by itself.
    await branch('shops', NAMED);
    await branch('sales', NAMED);
  });

  const expectBoth = async (): Promise<void> => {
    expect(await findings()).toEqual([]);
    const registry = project.read('src/collections/index.ts');
    expect(registry.match(/salesRoutes|shopsRoutes/g)).toHaveLength(4);
    expect(project.read('README.md')).toMatch(/### Sales[^]*### Shops/);
    expect(readdirSync(path.join(project.folder, 'migrations'))).toEqual([
      '0001_initial.sql',
      '0002_add_sales.sql',
      '0002_add_shops.sql',
      '0003_join.sql',
    ]);
    const manifest = project.read('.create-service/manifest');
    expect(manifest.match(/^src\/collections\/index\.ts /gm)).toHaveLength(1);
    expect((await project.generate()).changes).toEqual([]);
  };

  test('that each added a collection merge, whichever side is taken of what git cannot', async () => {
    for (const side of ['--ours', '--theirs']) {
      expect(await git('merge', 'shops')).toBe(false);
      await git('checkout', side, 'README.md', 'src', 'test');
      await project.generate();
      await expectBoth();
      await git('reset', '-q', '--hard', 'sales');
      await git('clean', '-qfd');
    }
  });

  test('merge with the marks of git as they are, where nobody had edited', async () => {
    expect(await git('merge', 'shops')).toBe(false);
    expect(project.read('src/collections/index.ts')).toContain('<<<<<<<');
    const { outcomes } = await project.generate();
    expect(outcomes.filter(({ action }) => action === 'conflict')).toEqual([]);
    await expectBoth();
  });

  test('of which one is cloned alone and without history: it knows its edits', async () => {
    await git('checkout', '-q', 'shops');
    project.edit('src/collections/shops/routes.ts', (text) => `${text}\n// ours\n`);
    await git('commit', '-qam', 'ours');
    const clone = path.join(place, 'clone');
    await git(
      'clone',
      '-q',
      '--depth',
      '1',
      '--branch',
      'shops',
      `file://${project.folder}`,
      clone,
    );
    const shallow = projectIn(clone);
    expect((await shallow.generate()).changes).toEqual([]);
    shallow.edit('definitions/collections/shops.yaml', (text) => `${text}description: Of wood.\n`);
    await shallow.generate();
    const routes = shallow.read('src/collections/shops/routes.ts');
    expect(routes).toContain('// ours');
    expect(routes).toContain('Of wood.');
    expect((await shallow.generate()).changes).toEqual([]);
  });

  test('squashed into one commit, and cloned without history, go on', async () => {
    await git('merge', '--squash', 'shops');
    await git('checkout', '--ours', 'README.md', 'src', 'test');
    await project.generate();
    await git('add', '--all');
    await git('commit', '-q', '-m', 'both');
    rmSync(path.join(project.folder, '.git'), { recursive: true });
    await expectBoth();
  });
});
