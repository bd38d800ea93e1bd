/** What `generate` and `check` say of a change that breaks clients of a frozen version. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { cli, FAST, filesIn, usePlace } from './support.ts';
import type { Ended } from './support.ts';

const place = usePlace();

const at = (file: string): string => path.join(place.path, 'shop', file);
const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(at(file), change(readFileSync(at(file), 'utf8')));
const all = (): Record<string, string> => filesIn(path.join(place.path, 'shop'));
const within = (...typed: string[]): Promise<Ended> => cli(place, ['--cwd', 'shop', ...typed]);

const NOTES = 'definitions/collections/notes.yaml';

beforeEach(async () => {
  const definitions = [
    'name: shop',
    'versions: [1, 2]',
    'collections:',
    '  notes:',
    '    fields:',
    '      title: { type: string, max_length: 100 }',
    '      body: { type: text }',
    '    filter: [title]',
    '',
  ];
  writeFileSync(path.join(place.path, 'shop.yaml'), definitions.join('\n'));
  await cli(place, ['shop', '--from', 'shop.yaml', '--quiet', ...FAST]);
  edit(NOTES, (text) =>
    text.replace('max_length: 100', 'max_length: 50').replace('filter: [title]', 'filter: []'),
  );
});

const TOLD = [
  `  ${NOTES}:4:3 bounds-narrower breaks version 1: member "title" of notes has max_length 50, and had 100: clients that send what was accepted get 422`,
  `  ${NOTES}:6:1 filter-gone breaks version 1: collection notes no longer has the filter title: clients that filter by it get 400`,
];
const HINTS = ['    Write "max_length: 100" again.', '    Write "filter: [title]".'];

test('it is refused with what breaks whom, and what to write instead', async () => {
  const before = all();
  for (const dry of [[], ['--dry-run']]) {
    const { exitCode, stderr } = await within('generate', ...dry);
    expect(exitCode).toBe(1);
    // Only a dry run was asked what would be done.
    expect(stderr.includes(' updated\n')).toBe(dry.length > 0);
    expect(stderr.slice(stderr.indexOf('This breaks'))).toBe(
      [
        'This breaks clients of a frozen version (2 changes):',
        TOLD[0],
        HINTS[0],
        TOLD[1],
        HINTS[1],
        'Nothing was written. To do it anyway, add --allow-breaking.',
        '',
      ].join('\n'),
    );
    expect(all()).toEqual(before);
  }
});

test('it is written where it is allowed, and told all the same', async () => {
  const { exitCode, stderr } = await within('generate', '--allow-breaking');
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    [
      'This breaks clients of a frozen version (2 changes), and --allow-breaking allows it:',
      ...TOLD,
      '',
    ].join('\n'),
  );
  expect(stderr).toMatch(/shop is up to date\.\n$/);
  expect((await within('check')).exitCode).toBe(0);
});

test('a loss of data and a broken client are each to be allowed', async () => {
  edit(NOTES, (text) => text.replace(/ {2}body: .*\n/, ''));
  const loss = await within('generate', '--allow-breaking', '--json');
  expect(loss.exitCode).toBe(1);
  expect(JSON.parse(loss.stdout)).toMatchObject({ ok: false, refused: ['data-loss'] });
  const both = await within('generate', '--json');
  expect(both.exitCode).toBe(1);
  expect(JSON.parse(both.stdout)).toMatchObject({ refused: ['data-loss', 'breaking'] });
  const { stderr } = await within('generate');
  expect(stderr).toMatch(
    /^This migration loses data \(1 definition\):\n {2}.*\nThis breaks clients /,
  );
  expect(stderr.match(/Nothing was written/g)).toHaveLength(1);
  expect(stderr).toMatch(
    /\nNothing was written\. To do it anyway, add --allow-data-loss and --allow-breaking; to rename and keep the data, write renamed_from\.\n$/,
  );
});

test('generate tells it as a document', async () => {
  const { exitCode, stdout, stderr } = await within('generate', '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    dryRun: true,
    refused: ['breaking'],
    breaking: [
      {
        code: 'bounds-narrower',
        file: NOTES,
        line: 4,
        column: 3,
        versions: [1],
        message:
          'breaks version 1: member "title" of notes has max_length 50, and had 100: clients that send what was accepted get 422',
        hint: 'Write "max_length: 100" again.',
      },
      { code: 'filter-gone', line: 6, column: 1 },
    ],
  });
});

test('check finds it', async () => {
  const { exitCode, stdout } = await within('check');
  expect(exitCode).toBe(1);
  expect(stdout).toContain(
    `${NOTES}:6:1 breaking-change breaks version 1: collection notes no longer has the filter title: clients that filter by it get 400\n  Write "filter: [title]".\n`,
  );
  const { issues } = JSON.parse((await within('check', '--json')).stdout) as {
    issues: object[];
  };
  expect(issues[0]).toEqual({
    code: 'breaking-change',
    file: NOTES,
    line: 4,
    column: 3,
    message:
      'breaks version 1: member "title" of notes has max_length 50, and had 100: clients that send what was accepted get 422',
    hint: 'Write "max_length: 100" again.',
    change: 'bounds-narrower',
    versions: [1],
  });
});
