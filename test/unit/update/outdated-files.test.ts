/** What `generate` prints of files that it did not change. */
import { expect, test } from 'vitest';

import { printGenerated } from '../../../src/cli/print-generated.ts';

type PrintParameters = Parameters<typeof printGenerated>;

test('names files that would have changed, had the team not edited or deleted them', () => {
  const printed: string[] = [];
  const style = new Proxy({}, { get: () => (text: string) => text });
  const printer = {
    ...{ style, resultStyle: style, result: () => undefined, problem: () => undefined },
    note: (line: string) => void printed.push(line),
    document: () => undefined,
  };
  const outcomes = [
    { path: 'test/fixtures/cars.ts', action: 'kept', isOutdated: true },
    { path: 'test/fixtures/vans.ts', action: 'kept' },
    { path: 'src/gone.ts', action: 'absent', isOutdated: true },
    { path: 'src/other.ts', action: 'absent' },
  ];
  const result = {
    ...{
      outcomes,
      name: 'garage',
      refused: [],
      changes: [],
      strays: [],
      oldNames: [],
      newestShapes: [],
    },
    ...{
      breaking: [],
      wider: [],
      tableSql: [],
      warnings: [],
      migration: undefined,
      recovered: undefined,
    },
    project: {
      folder: '/garage',
      packageManager: undefined,
      diskFile: () => ({ kind: 'nothing' }),
      baseOf: () => undefined,
    },
  };
  const command = { dryRun: false, diff: false };
  printGenerated(
    result as unknown as PrintParameters[0],
    command as unknown as PrintParameters[1],
    '/garage',
    printer as unknown as PrintParameters[3],
  );
  expect(printed).toEqual([
    '1 file edited by you and not updated, although other text is generated now',
    '  test/fixtures/cars.ts',
    '1 file deleted or renamed by you and not generated, although other text is generated now',
    '  src/gone.ts',
    'garage is up to date: nothing to do.',
  ]);
});
