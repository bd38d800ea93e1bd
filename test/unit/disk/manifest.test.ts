/** What a project keeps of the run that made it. */
import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { recordOf } from '../../../src/disk/manifest.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

test('one line a file, and the base of what is merged', () => {
  const record = recordOf(
    [
      { path: '.gitignore', text: 'dist/\n', ownership: 'merged' },
      { path: 'migrations/0001_initial.sql', text: 'select 1;\n', ownership: 'append' },
      { path: 'src/hooks.ts', text: 'größer\n', ownership: 'once' },
    ],
    '1.2.3',
  );
  expect(record).toEqual([
    {
      path: '.create-service/.gitattributes',
      text: '* linguist-generated text eol=lf\nmanifest merge=union\n',
    },
    { path: '.create-service/base/.gitignore.base', text: 'dist/\n' },
    {
      path: '.create-service/manifest',
      text: [
        'manifest 1',
        'generator 1.2.3',
        `.gitignore merged ${hash('dist/\n')}`,
        `migrations/0001_initial.sql append ${hash('select 1;\n')}`,
        `src/hooks.ts once ${hash('größer\n')}`,
        '',
      ].join('\n'),
    },
  ]);
});
