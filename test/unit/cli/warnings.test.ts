/** Warnings are printed by every command that reads definitions, and change no exit status. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { cli, FAST, usePlace } from './support.ts';

const place = usePlace();

const TEXT = `name: shop
collections:
  cards:
    fields: { email: { type: string, unique: true } }
    permissions: { read: owner }
`;
const LINE =
  / warning field "email" is unique, and read of "cards" is narrower than create or update: /;

test('new, explain, generate and check print them, with a new project and an unchanged one', async () => {
  writeFileSync(path.join(place.path, 'shop.yaml'), TEXT);
  const made = await cli(place, ['new', 'shop', '--from', 'shop.yaml', ...FAST, '--quiet']);
  expect(made).toMatchObject({ exitCode: 0, stdout: '' });
  expect(made.stderr).toMatch(/^shop\.yaml:4:15 warning /);
  expect(made.stderr).toMatch(LINE);
  const file = 'definitions/collections/cards.yaml';
  const cwd = path.join(place.path, 'shop');
  for (const command of ['explain', 'generate', 'check']) {
    const ended = await cli(place, [command], { cwd });
    expect(ended.exitCode).toBe(0);
    expect(ended.stderr).toContain(`${file}:`);
    expect(ended.stderr).toMatch(LINE);
    const { stdout, stderr } = await cli(place, [command, '--json'], { cwd });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      warnings: [
        { file, code: 'unique-reveals', message: expect.stringMatching(/^field /) as unknown },
      ],
    });
  }
});

test('the manifest counts the warnings of the last run', async () => {
  const text = TEXT.replace('read: owner', 'read: authenticated');
  writeFileSync(path.join(place.path, 'shop.yaml'), text);
  await cli(place, ['new', 'shop', '--from', 'shop.yaml', ...FAST, '--quiet']);
  const cwd = path.join(place.path, 'shop');
  const manifest = path.join(cwd, '.create-service/manifest');
  const recorded = readFileSync(manifest, 'utf8');
  expect(recorded).toContain('\nwarnings 0\n');
  expect((await cli(place, ['generate'], { cwd })).stderr).not.toContain('warning');

  // A change that gives a warning is counted, and one that takes it back.
  const file = path.join(cwd, 'definitions/collections/cards.yaml');
  const definition = readFileSync(file, 'utf8');
  writeFileSync(file, definition.replace('read: authenticated', 'read: owner'));
  expect((await cli(place, ['generate'], { cwd })).stderr).toMatch(LINE);
  expect(readFileSync(manifest, 'utf8')).toContain('\nwarnings 1\n');
  expect((await cli(place, ['generate'], { cwd })).stderr).toMatch(LINE);
  writeFileSync(file, definition);
  const back = await cli(place, ['generate', '--allow-data-loss', '--allow-wider'], { cwd });
  expect(back.stderr).not.toContain('warning');
  expect(readFileSync(manifest, 'utf8')).toContain('\nwarnings 0\n');
});

test('a project of a version that did not count warnings has them all printed', async () => {
  writeFileSync(path.join(place.path, 'shop.yaml'), TEXT);
  await cli(place, ['new', 'shop', '--from', 'shop.yaml', ...FAST, '--quiet']);
  const cwd = path.join(place.path, 'shop');
  const manifest = path.join(cwd, '.create-service/manifest');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('warnings 1\n', ''));
  expect((await cli(place, ['generate'], { cwd })).stderr).toMatch(LINE);
  expect(readFileSync(manifest, 'utf8')).toContain('\nwarnings 1\n');
});
