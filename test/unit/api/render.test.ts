/** The library: what it renders is what the command line writes, and what it refuses it tells. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { execa } from 'execa';
import { afterAll, describe, expect, test } from 'vitest';

import { DefinitionError, render } from '../../../src/api.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TOOL = path.join(ROOT, 'bin/create-service.js');
const folder = mkdtempSync(path.join(tmpdir(), 'create-service-api-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files below a folder that were written, as the library gives them. */
function written(project: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({
      path: path.relative(project, file).replaceAll(path.sep, '/'),
      text: readFileSync(file, 'utf8'),
    }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

async function made(name: string, from: string): Promise<ReturnType<typeof written>> {
  const project = path.join(folder, name);
  const words = ['--from', path.join(ROOT, from), '--tool', '9.9.9', '--no-install', '--no-git'];
  await execa(process.execPath, [TOOL, 'new', project, ...words, '--yes']);
  return written(project);
}

const fileOf = (file: string) => ({
  path: path.basename(file),
  text: readFileSync(path.join(ROOT, file), 'utf8'),
});

describe('render', () => {
  test('gives what the command line writes, of one file', async () => {
    const files = await render(fileOf('examples/bookshop.yaml'), { tool: '9.9.9' });
    expect(files).toEqual(await made('bookshop', 'examples/bookshop.yaml'));
  });

  test('and of a folder', async () => {
    const below = 'test/definitions/everything';
    const sources = written(path.join(ROOT, below));
    expect(await render(sources, { tool: '9.9.9' })).toEqual(await made('everything', below));
  });

  test('calls a service without a name as it is told, and takes the tool that renders', async () => {
    const { version } = JSON.parse(fileOf('package.json').text) as { readonly version: string };
    const text = 'collections: { notes: { fields: { body: { type: text } } } }';
    for (const [options, name] of [[{}, 'service'] as const, [{ name: 'mine' }, 'mine'] as const]) {
      const files = await render({ path: 'any.yaml', text }, options);
      const manifest = files.find((file) => file.path === 'package.json')?.text ?? '';
      expect(JSON.parse(manifest)).toMatchObject({
        name,
        devDependencies: { 'create-service': version },
      });
    }
  });

  test('takes JSON', async () => {
    const text = JSON.stringify({ collections: { notes: { fields: { body: { type: 'text' } } } } });
    const files = await render({ path: 'notes.json', text });
    expect(files.map((file) => file.path)).toContain('definitions/collections/notes.yaml');
  });

  test('tells all that is wrong, and where', async () => {
    const text = 'nme: x\ncollections:\n  book:\n    fields: { title: { type: string } }\n';
    const error: unknown = await render({ path: 'shop.yaml', text }).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(DefinitionError);
    const { name, message, issues } = error as DefinitionError;
    expect(name).toBe('DefinitionError');
    expect(issues.map(({ file, line, column }) => [file, line, column])).toEqual([
      ['shop.yaml', 1, 1],
      ['shop.yaml', 3, 3],
    ]);
    expect(message.split('\n')).toEqual(
      issues.map((one) => `shop.yaml:${one.line}:${one.column} error ${one.message}`),
    );
    expect(issues[1]?.message).toContain('is singular');
  });
});
