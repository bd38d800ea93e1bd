/** Warnings are printed by every command that reads definitions, and change no exit status. */
import { writeFileSync } from 'node:fs';
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
