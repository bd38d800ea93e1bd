/** What is published: everything that is needed, nothing else, and not much. */
import { execFileSync, spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, onTestFinished, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

interface Packed {
  /** The bytes of the tarball: what a user downloads. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** What `npm pack` would put into the tarball; `dist/` has been built. */
function pack(): Packed {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const output = execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8' });
  const [packed] = Object.values(JSON.parse(output) as Record<string, Packed>);
  if (packed === undefined) throw new Error(output);
  return packed;
}

const filesBelow = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .map((file) => file.replaceAll(path.sep, '/'));

/** For people who work on the tool, or choose one. */
const OF_THE_REPOSITORY = ['docs/speed.md', 'docs/comparison.md'];

test('the package has all that runs and is read, less than 0.9 MB to download, and nothing else', () => {
  const { size, unpackedSize, files } = pack();
  expect(size).toBeLessThan(900_000);
  expect(unpackedSize).toBeLessThan(2_000_000);
  expect(files.map((file) => file.path).toSorted()).toEqual(
    [
      'LICENSE',
      'README.md',
      'package.json',
      'bin/create-service.js',
      'examples/bookshop.yaml',
      'examples/minimal.yaml',
      'examples/scans.yaml',
      ...filesBelow('docs').filter((file) => !OF_THE_REPOSITORY.includes(file)),
      'schema/collection.schema.json',
      'schema/service.schema.json',
      'schema/single.schema.json',
      // Templates are in it too, compiled or in an archive.
      ...filesBelow('dist'),
    ].toSorted(),
  );
});

test('links of its README and its documentation lead to files of the package', () => {
  const packed = pack().files.map((file) => file.path);
  const pages = packed.filter((file) => /^(?:README|docs\/.*)\.md$/.test(file));
  const links = pages.flatMap((page) =>
    [...readFileSync(path.join(ROOT, page), 'utf8').matchAll(/\]\(([^)#:]+)[^):]*\)/g)].map(
      ([, link = '']) => path.posix.join(path.posix.dirname(page), link),
    ),
  );
  expect(links).toContain('docs/guide.md');
  expect(links.filter((link) => !packed.some((file) => file.startsWith(link)))).toEqual([]);
});

test('installing it runs nothing, and needs few others', () => {
  const { scripts, dependencies } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  ) as { readonly scripts: object; readonly dependencies: object };
  expect(Object.keys(scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
  expect(Object.keys(dependencies)).toEqual(['oxfmt', 'pg', 'ts-morph']);
});

test('it reads nothing of what stands beside it', () => {
  const place = mkdtempSync(path.join(tmpdir(), 'create-service-package-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(path.join(ROOT, name), path.join(place, 'create-service', name), { recursive: true });
  }
  // Where yargs would find its translations, were it not bundled.
  mkdirSync(path.join(place, 'locales'));
  writeFileSync(path.join(place, 'locales/en.json'), JSON.stringify({ 'Options:': 'STRANGE' }));
  const help = execFileSync(
    process.execPath,
    [path.join(place, 'create-service/bin/create-service.js'), '--help'],
    { encoding: 'utf8' },
  );
  expect(help).toContain('Options:');
  expect(help).not.toContain('STRANGE');
});

test('a stack trace leads to its sources, and one of another version is refused', () => {
  const failing = `import('./dist/index.js').then(({ render }) => render({ path: 'a.yaml', text: '' })).catch((error) => console.log(error.stack))`;
  const stack = execFileSync(process.execPath, ['-e', failing], { cwd: ROOT, encoding: 'utf8' });
  const trace = (input: string): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, ['scripts/trace.mjs'], { cwd: ROOT, encoding: 'utf8', input });
  const { stdout, status } = trace(stack);
  expect(status).toBe(0);
  const [, line = 0] = /\bsrc\/api\.ts:(\d+):\d+/.exec(stdout) ?? [];
  const source = readFileSync(path.join(ROOT, 'src/api.ts'), 'utf8').split('\n');
  expect(source[Number(line) - 1]).toContain('throw new DefinitionError(');

  const other = '    at f (file:///p/create-service/dist/chunk-ZZZZZZZZ.js:1:2)\n';
  expect(trace(other)).toMatchObject({
    status: 1,
    stdout: other,
    stderr: 'dist/chunk-ZZZZZZZZ.js is not of this version: check out its tag.\n',
  });
});
