/** What `generate` and `check` say of a change that widens access. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { cli, FAST, filesIn, usePlace } from './support.ts';
import type { Ended } from './support.ts';

const place = usePlace();

const NOTES = 'definitions/collections/notes.yaml';
const all = (): Record<string, string> => filesIn(path.join(place.path, 'shop'));
const within = (...typed: string[]): Promise<Ended> => cli(place, ['--cwd', 'shop', ...typed]);

beforeEach(async () => {
  const definitions = [
    'name: shop',
    'roles: [editor, clerk]',
    'collections:',
    '  notes:',
    '    fields:',
    '      title: { type: string, max_length: 100 }',
    '    permissions: { read: authenticated, delete: [editor] }',
    '',
  ];
  writeFileSync(path.join(place.path, 'shop.yaml'), definitions.join('\n'));
  await cli(place, ['shop', '--from', 'shop.yaml', '--quiet', ...FAST]);
  const file = path.join(place.path, 'shop', NOTES);
  const text = readFileSync(file, 'utf8');
  const wider = text.replace('authenticated', 'public').replace('[editor]', '[editor, clerk]');
  writeFileSync(file, wider);
});

const TOLD = [
  `  ${NOTES}:5:1 callers without a credential may read all items of notes, and could read none`,
  `  ${NOTES}:5:1 users with the role clerk may remove all items of notes, and could remove none`,
];

test('generate refuses it, names the rights, and writes nothing', async () => {
  const before = all();
  const { exitCode, stderr } = await within('generate');
  expect(exitCode).toBe(1);
  expect(stderr.slice(stderr.indexOf('This widens'))).toBe(
    [
      'This widens access (2 rights):',
      ...TOLD,
      'Nothing was written. To do it anyway, add --allow-wider.',
      '',
    ].join('\n'),
  );
  expect(all()).toEqual(before);
});

test('check reports it until generate --allow-wider has run', async () => {
  const found = await within('check');
  expect(found.exitCode).toBe(1);
  expect(found.stdout).toContain(
    `${NOTES}:5:1 wider-access callers without a credential may read all items of notes, and could read none\n` +
      '  If you intend this, run create-service generate --allow-wider, and commit the result.\n',
  );
  const { exitCode, stderr } = await within('generate', '--allow-wider');
  expect({ exitCode, told: stderr.includes(TOLD[0]!) }).toEqual({ exitCode: 0, told: true });
  expect(stderr).toContain('This widens access (2 rights), and --allow-wider allows it:');
  expect((await within('check')).exitCode).toBe(0);
  expect((await within('generate')).stderr).toBe('shop is up to date: nothing to do.\n');
});

test('--json lists each permission that changes', async () => {
  const { exitCode, stdout } = await within('generate', '--json');
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    refused: ['wider'],
    wider: [
      {
        message: 'callers without a credential may read all items of notes, and could read none',
        collection: 'notes',
        caller: 'stranger',
        action: 'read',
        before: 'none',
        now: 'all',
        file: NOTES,
        line: 5,
        column: 1,
      },
      { caller: 'clerk', action: 'delete', before: 'none', now: 'all' },
    ],
  });
});
