/** What a project for pnpm, Yarn or Bun has otherwise than one for npm. */
import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { render } from '../../../src/api.ts';
import { COMMANDS, managerIn, managerRunning } from '../../../src/shared/package-manager.ts';
import type { PackageManager } from '../../../src/shared/package-manager.ts';

const COLLECTIONS =
  'collections: { scans: { create: background, fields: { note: { type: text } } } }';

async function project(
  packageManager: PackageManager,
  description = 'Papers.',
): Promise<ReadonlyMap<string, string>> {
  const text = `name: shop\ndescription: ${description}\n${COLLECTIONS}\n`;
  const files = await render({ path: 'shop.yaml', text }, { tool: '0.0.0', packageManager });
  return new Map(files.map((file) => [file.path, file.text]));
}

const npm = await project('npm');
const OTHERS = (['pnpm', 'yarn', 'bun'] as const).map((name) => ({ name }));

const { devDependencies: VERSIONS } = JSON.parse(
  readFileSync(new URL('../../../templates/service/package.json', import.meta.url), 'utf8'),
) as { devDependencies: Record<string, string> };

/** The instructions of a Dockerfile up to where the sources come in, and what it runs then. */
const installing = (files: ReadonlyMap<string, string>): readonly string[] =>
  (files.get('Dockerfile') ?? '').split('\n').filter((line) => /^(?:COPY package|RUN )/.test(line));
/** What CI does until definitions are checked, and at last. */
const steps = (files: ReadonlyMap<string, string>): string =>
  (files.get('.github/workflows/ci.yml') ?? '').replace(/[^]*checkout@v5\n/, '');

test('npm has what it had before there were others', () => {
  expect(npm.get('package.json')).not.toContain('packageManager');
  expect(JSON.parse(npm.get('package.json') ?? '')).toMatchObject({
    overrides: { cookie: '^1.1.1' },
  });
  expect(installing(npm)).toEqual([
    'COPY package.json package-lock.json ./',
    'RUN npm ci --no-audit --no-fund',
    'RUN npm run build && npm prune --omit=dev --no-audit --no-fund',
    'RUN chmod -R a+rX package.json dist migrations',
    'RUN mkdir /data && chown 1000:1000 /data',
  ]);
  expect(steps(npm)).toMatch(
    /^ {6}- uses: actions\/setup-node@v5\n {8}with: \{ node-version: 24, cache: npm \}\n {6}- run: npm ci\n[^]*- run: npm audit --omit=dev\n$/,
  );
});

describe.each(OTHERS)('$name', ({ name }) => {
  test('is named in package.json, in a version that is known to work', async () => {
    const files = await project(name);
    const manifest = JSON.parse(files.get('package.json') ?? '') as Record<string, object>;
    const version = VERSIONS[name === 'yarn' ? '@yarnpkg/cli-dist' : name];
    expect(manifest['packageManager']).toBe(`${name}@${version}`);
    for (const published of ['pnpm', '@yarnpkg/cli-dist', 'bun'])
      expect(manifest['devDependencies']).not.toHaveProperty(published);
  });

  test('no other file differs than those that are about it', async () => {
    const files = await project(name);
    const names = new Set([...files.keys(), ...npm.keys()]);
    const different = [...names].filter(
      (file) => !file.startsWith('.create-service/') && files.get(file) !== npm.get(file),
    );
    const own = {
      pnpm: ['pnpm-workspace.yaml'],
      yarn: ['.gitignore', '.yarnrc.yml'],
      bun: ['.prettierignore', 'bunfig.toml'],
    };
    expect(different.toSorted()).toEqual(
      [
        ...['.dockerignore', '.github/workflows/ci.yml', 'AGENTS.md', 'Dockerfile', 'README.md'],
        ...['package.json', 'src/admin.ts', 'src/migrate.ts'],
        ...[
          'src/platform/database/apply-migrations.ts',
          'src/platform/database/migrate.ts',
          'src/platform/database/migrations.ts',
          'src/platform/jobs/queue.ts',
          'src/worker.ts',
          ...own[name],
        ],
      ].toSorted(),
    );
  });

  test('its own commands are named, and none of npm', async () => {
    const files = await project(name);
    const { run, admin, exec, install } = COMMANDS[name];
    expect(files.get('README.md')).toContain(
      `\`\`\`sh\n${install}\n${admin} ada     # creates an administrator; prompts for the password\n${run} dev\n\`\`\``,
    );
    expect(files.get('AGENTS.md')).toContain(`\`${exec} create-service generate\``);
    expect(files.get('src/admin.ts')).toContain(`Name the user: ${admin} <username>`);
    expect(files.get('src/platform/database/migrations.ts')).toContain(
      `\`${exec} create-service generate\``,
    );
    expect(files.get('src/platform/database/migrate.ts')).toContain(`\`${run} migrate\``);
    expect(files.get('src/worker.ts')).toContain(`\`${run} worker\``);
    for (const [file, text] of files) {
      const ofNpm = /\bnpm (?:run|test|start|ci|prune)\b|(?<!yarn )\bnpm audit\b|\bnpx\b/g;
      expect(text.match(ofNpm), file).toBeNull();
    }
  });

  test('what a user writes is theirs, whatever it says', async () => {
    const files = await project(name, 'Made with npm run dev and npx.');
    for (const file of ['README.md', 'package.json'])
      expect(files.get(file), file).toContain('Made with npm run dev and npx.');
  });
});

test('pnpm: what images, CI and its settings say', async () => {
  const files = await project('pnpm');
  expect(installing(files).slice(0, 4)).toEqual([
    'COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./',
    `RUN npm install --global "$(node -p "require('./package.json').packageManager.split('+')[0]")"`,
    'RUN pnpm install --frozen-lockfile',
    'RUN pnpm run build && CI=true pnpm prune --prod',
  ]);
  expect(files.get('.dockerignore')).toContain('\n!pnpm-lock.yaml\n!pnpm-workspace.yaml\n');
  expect(steps(files)).toMatch(
    /^ {6}- uses: pnpm\/action-setup@v6\n {6}- uses: actions\/setup-node@v5\n {8}with: \{ node-version: 24, cache: pnpm \}\n {6}- run: pnpm install --frozen-lockfile\n[^]*- run: pnpm exec create-service check\n[^]*- run: pnpm audit --prod\n$/,
  );
  // From version 11 on pnpm reads no overrides in package.json, and refuses scripts that nobody allowed.
  expect(files.get('package.json')).not.toContain('overrides');
  expect(files.get('pnpm-workspace.yaml')).toMatch(
    /overrides:\n {2}cookie: \^1\.1\.1\n[^]*allowBuilds:\n {2}esbuild: false\n/,
  );
});

test('Yarn: what images, CI and its settings say', async () => {
  const files = await project('yarn');
  expect(installing(files).slice(0, 4)).toEqual([
    'COPY package.json yarn.lock .yarnrc.yml ./',
    'RUN corepack enable',
    'RUN yarn install --immutable',
    'RUN yarn run build && yarn workspaces focus --production',
  ]);
  expect(files.get('.dockerignore')).toContain('\n!yarn.lock\n!.yarnrc.yml\n');
  expect(steps(files)).toMatch(
    /^ {6}- run: corepack enable\n {6}- uses: actions\/setup-node@v5\n {8}with: \{ node-version: 24, cache: yarn \}\n {6}- run: yarn install --immutable\n[^]*- run: yarn run create-service check\n[^]*- run: yarn npm audit --recursive --environment production\n$/,
  );
  expect(JSON.parse(files.get('package.json') ?? '')).toMatchObject({
    resolutions: { cookie: '^1.1.1' },
  });
  expect(files.get('package.json')).not.toContain('overrides');
  expect(files.get('.yarnrc.yml')).toBe('nodeLinker: node-modules\n');
  expect(files.get('.gitignore')).toContain('\n.yarn/*\n!.yarn/patches\n');
});

test('Bun: what images, CI and its settings say', async () => {
  const files = await project('bun');
  expect(installing(files).slice(0, 4)).toEqual([
    'COPY package.json bun.lock ./',
    `RUN npm install --global "$(node -p "require('./package.json').packageManager.split('+')[0]")"`,
    'RUN bun install --frozen-lockfile',
    'RUN bun run build && rm -rf node_modules && bun install --frozen-lockfile --production',
  ]);
  expect(files.get('.dockerignore')).toContain('\n!bun.lock\n');
  expect(steps(files)).toMatch(
    /^ {6}- uses: actions\/setup-node@v5\n {8}with: \{ node-version: 24 \}\n {6}- uses: oven-sh\/setup-bun@v2\n {6}- uses: actions\/cache@v4\n[^]*\$\{\{ hashFiles\('bun\.lock'\) \}\}\n {6}- run: bun install --frozen-lockfile\n[^]*- run: bunx create-service check\n[^]*- run: bun audit --production\n$/,
  );
  // `bun test` would run Bun's own runner.
  expect(files.get('AGENTS.md')).toContain('bun run test');
  expect(files.get('package.json')).toContain('"overrides"');
  expect(files.get('.prettierignore')).toContain('\nbun.lock\n');
});

test.each([
  ['{ "packageManager": "pnpm@10.34.9" }', { name: 'pnpm', version: '10.34.9' }],
  ['{ "packageManager": "yarn@4.18.1+sha512.1f" }', { name: 'yarn', version: '4.18.1+sha512.1f' }],
  ['{ "packageManager": "bun" }', { name: 'bun', version: undefined }],
  ['{ "packageManager": "npm@11.0.0" }', { name: 'npm', version: '11.0.0' }],
  ['{ "packageManager": "vlt@1.0.0" }', undefined],
  ['{ "packageManager": { "name": "pnpm" } }', undefined],
  ['{ "tool": { "packageManager": "pnpm@10.34.9" } }', undefined],
  ['{}', undefined],
  ['', undefined],
  // As git leaves it.
  [
    '{\n<<<<<<< ours\n  "a": 1,\n=======\n>>>>>>> theirs\n  "packageManager": "pnpm@10.34.9"\n}\n',
    { name: 'pnpm', version: '10.34.9' },
  ],
])('package.json %j names %j', (text, named) => {
  expect(managerIn(text)).toEqual(named);
});

test.each([
  ['pnpm/10.34.9 npm/? node/v24.1.0 linux x64', { name: 'pnpm', version: '10.34.9' }],
  ['yarn/4.18.1 npm/? node/v24.1.0 linux x64', { name: 'yarn', version: '4.18.1' }],
  ['bun/1.4.5 npm/? node/v24.1.0 linux x64', { name: 'bun', version: '1.4.5' }],
  ['npm/11.19.1 node/v24.1.0 linux x64 workspaces/false', { name: 'npm', version: '11.19.1' }],
  ['vlt/1.0.0', { name: 'npm', version: undefined }],
  [undefined, { name: 'npm', version: undefined }],
])('what runs as %j is %j', (userAgent, running) => {
  expect(managerRunning(userAgent)).toEqual(running);
});
