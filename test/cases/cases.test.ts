/**
 * Golden output: what a case's definitions yield, file by file. Files that every service has to
 * the letter are left out, for their template is that file; and so are those that go by the package
 * manager alone, but for the first case. `npm run cases` writes the expected
 * files anew; the difference is reviewed as code.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { formatIssue, parseSingleFile } from '../../src/definition/index.ts';
import { renderProject } from '../../src/commands/create.ts';
import { NPM } from '../../src/shared/package-manager.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const TEMPLATES = path.join(HERE, '../../templates/service');
const UPDATE = process.env['UPDATE_CASES'] === '1';

const CASES = [
  { name: 'bookshop', from: '../../examples/bookshop.yaml' },
  { name: 'minimal', from: 'minimal/definitions.yaml' },
  { name: 'accept-only', from: 'accept-only/definitions.yaml' },
  { name: 'path-only', from: 'path-only/definitions.yaml' },
  { name: 'hostile', from: 'hostile/definitions.json' },
  { name: 'versions', from: 'versions/definitions.yaml' },
] as const;

/** What a case yields beyond the files that all services share. */
async function rendered(from: string): Promise<Map<string, string>> {
  const file = path.join(HERE, from);
  const result = await parseSingleFile(
    { path: path.basename(file), bytes: readFileSync(file) },
    { fallbackName: 'service' },
  );
  if (!result.ok) throw new Error(result.issues.map(formatIssue).join('\n'));
  const files = await renderProject(result, { tool: '0.0.0', manager: NPM });
  const isLeftOut = (target: string): boolean =>
    isShared(target) || (from !== CASES[0].from && OF_MANAGER.test(target));
  return new Map(
    files.filter((output) => !isLeftOut(output.path)).map((output) => [output.path, output.text]),
  );
}

const OF_MANAGER = /^(?:Dockerfile|\.dockerignore|\.gitignore|\.prettierignore|\.github\/.*)$/;

/** Whether the template of a file is the file. */
const isShared = (file: string): boolean =>
  existsSync(path.join(TEMPLATES, file.replace(/^\./, '_'))) && file !== 'package.json';

function readTree(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(
    names.map((name) => [
      path.relative(folder, name).replaceAll(path.sep, '/'),
      readFileSync(name, 'utf8'),
    ]),
  );
}

function writeTree(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

describe.each(CASES)('$name', ({ name, from }) => {
  const folder = path.join(HERE, name, 'expected');

  test('yields the expected files, and no others', async () => {
    const files = await rendered(from);
    if (UPDATE) writeTree(folder, files);
    const expected = readTree(folder);
    expect([...files.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
    for (const [file, text] of files) expect(text, file).toBe(expected.get(file));
  });

  test('yields the same bytes a second time', async () => {
    expect(await rendered(from)).toEqual(await rendered(from));
  });
});
