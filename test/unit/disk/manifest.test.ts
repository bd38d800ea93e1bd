/** What a project keeps of the last run. */
import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { fingerprintOf } from '../../../src/disk/fingerprint.ts';
import {
  formatManifest,
  parseManifest,
  recordOf,
  contractPath,
  contractVersion,
} from '../../../src/disk/manifest.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const [A, B, C] = [hash('a'), hash('b'), hash('c')];

test('one line a file, the base of what is merged, and the definitions that are applied', () => {
  const record = recordOf(
    [
      { path: '.gitignore', text: 'dist/\n', ownership: 'merged' },
      { path: 'migrations/0001_initial.sql', text: 'select 1;\n', ownership: 'append' },
      { path: 'src/hooks.ts', text: 'größer\n', ownership: 'once' },
    ],
    {
      version: '1.2.3',
      inputs: A,
      applied: B,
      warnings: 0,
      definitions: [{ path: 'definitions/service.yaml', text: 'name: shop\n' }],
      contracts: [{ path: contractPath(1, 'service.yaml'), text: 'name: shop\n' }],
    },
  );
  expect(record).toEqual([
    {
      path: '.create-service/.gitattributes',
      text: '* linguist-generated text eol=lf\nmanifest merge=union\nversions/** -linguist-generated merge=union\n',
    },
    { path: '.create-service/.gitignore', text: '/lock\n/run*/\n' },
    { path: '.create-service/base/.gitignore.base', text: 'dist/\n' },
    { path: '.create-service/definitions/service.yaml', text: 'name: shop\n' },
    { path: '.create-service/versions/v1/service.yaml', text: 'name: shop\n' },
    {
      path: '.create-service/manifest',
      text: [
        'manifest 1',
        'generator 1.2.3',
        `inputs ${A}`,
        `applied ${B}`,
        'warnings 0',
        `.create-service/versions/v1/service.yaml contract ${hash('name: shop\n')}`,
        `.gitignore merged ${hash('dist/\n')}`,
        `migrations/0001_initial.sql append ${hash('select 1;\n')}`,
        `src/hooks.ts once ${hash('größer\n')}`,
        '',
      ].join('\n'),
    },
  ]);
});

describe('the manifest', () => {
  const whole = {
    version: '1.2.3',
    inputs: A,
    applied: B,
    warnings: 2,
    entries: [
      { path: 'a file with blanks.md', ownership: 'merged', hashes: [A] },
      { path: 'src/app.ts', ownership: 'merged', hashes: [A, B].toSorted() },
    ],
    openConflicts: [
      {
        path: 'src/app.ts',
        newFile: 'src/app.ts.new2',
        hashes: [C],
        markedHashes: [B],
        oursHashes: [A],
      },
    ],
    contracts: [{ path: contractPath(2, 'service.yaml'), hashes: [B, C].toSorted() }],
  } as const;

  test('is read as it was written', () => {
    const { entries, openConflicts, contracts, ...head } = parseManifest(formatManifest(whole));
    expect(head).toEqual({
      damage: [],
      format: 1,
      generators: ['1.2.3'],
      inputs: [A],
      applied: [B],
      warnings: ['2'],
    });
    expect({ known: entries, open: openConflicts, shapes: contracts }).toEqual({
      known: whole.entries,
      open: whole.openConflicts,
      shapes: whole.contracts,
    });
  });

  test('of two branches, with or without the marks of git, knows both', () => {
    const text = (...marks: string[]): string =>
      [
        'manifest 1',
        marks[0],
        'generator 1.0.0',
        `inputs ${A}`,
        `src/app.ts merged ${A}`,
        marks[1],
        'generator 1.1.0',
        `inputs ${B}`,
        `src/app.ts merged ${B}`,
        marks[2],
        '',
      ].join('\r\n');
    for (const both of [text('', '', ''), text('<<<<<<< HEAD', '=======', '>>>>>>> other')]) {
      const { damage, generators, inputs, entries } = parseManifest(both);
      expect({ damage, generators, inputs, known: entries }).toEqual({
        damage: [],
        generators: ['1.0.0', '1.1.0'],
        inputs: [A, B],
        known: [{ path: 'src/app.ts', ownership: 'merged', hashes: [A, B] }],
      });
    }
  });

  test.each([
    '../outside/file',
    'src/../../outside',
    '/etc/passwd',
    'C:/Windows/file',
    'c:file',
    'src\\app.ts',
    '..\\outside',
    '.. /outside',
    'src//app.ts',
    './src/app.ts',
    '.git/config',
  ])('takes no line for %j: it is none of the project', (file) => {
    const head = 'manifest 1\ngenerator 1.0.0\n';
    for (const rest of ['once', 'merged', 'append', 'conflict', 'over', 'contract']) {
      const line = `${file} ${rest} ${A}`;
      const { damage, entries, openConflicts, contracts } = parseManifest(`${head}${line}\n`);
      expect({ damage, known: entries, open: openConflicts, shapes: contracts }).toEqual({
        damage: [{ line: 3, text: line }],
        known: [],
        open: [],
        shapes: [],
      });
    }
  });

  test('tells lines that say nothing, and a missing head', () => {
    const { damage } = parseManifest(`manifest 1\ngenerator 1.0.0\nsrc/app.ts merged abc\nx\n`);
    expect(damage).toEqual([
      { line: 3, text: 'src/app.ts merged abc' },
      { line: 4, text: 'x' },
    ]);
    expect(parseManifest('').damage).toEqual([{ line: 1, text: '' }]);
  });
});

test.each([1, 9, 10, 123])('a file of the contract of version %i is known as one', (version) => {
  expect(contractVersion(contractPath(version, 'collections/books.yaml'))).toBe(version);
});

test('the fingerprint hangs on version, package manager, paths and texts, and not on the order of files', () => {
  const files = [
    { path: 'definitions/service.yaml', text: 'name: shop\n' },
    { path: 'definitions/collections/a.yaml', text: 'fields: 1\n' },
  ];
  const print = fingerprintOf('1.0.0', 'npm', files);
  expect(fingerprintOf('1.0.0', 'npm', files.toReversed())).toBe(print);
  const [first, second] = files as [(typeof files)[0], (typeof files)[0]];
  const others = [
    fingerprintOf('1.0.1', 'npm', files),
    fingerprintOf('1.0.0', 'pnpm', files),
    fingerprintOf('1.0.0', 'npm', [first]),
    fingerprintOf('1.0.0', 'npm', [first, { ...second, text: 'fields: 2\n' }]),
    fingerprintOf('1.0.0', 'npm', [first, { ...second, path: 'definitions/collections/b.yaml' }]),
    // What is moved from one file's end to the next one's beginning.
    fingerprintOf('1.0.0', 'npm', [
      { ...first, text: `${first.text}${second.text}` },
      { ...second, text: '' },
    ]),
    // One file that has the path and the text of the next one at its end.
    fingerprintOf('1.0.0', 'npm', [
      { ...second, text: `${second.text}\n${first.path} ${first.text}` },
    ]),
  ];
  expect(new Set([print, ...others]).size).toBe(others.length + 1);
});
