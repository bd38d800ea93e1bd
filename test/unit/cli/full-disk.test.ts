/**
 * A disk that takes no more, wherever that shows: a clear error, nothing half-written, and nothing
 * lost. The limit that a shell sets on the size of files stands for it, which needs no rights.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { execa } from 'execa';
import { expect, test } from 'vitest';

import { BIN, cli, FAST, filesIn, firstLine, ROOT, usePlace } from './support.ts';
import type { Ended } from './support.ts';

const place = usePlace();
const MINIMAL = ['--from', path.join(ROOT, 'examples/minimal.yaml')];

/** Runs the command line where no file may be larger than so many blocks of 512 bytes. */
async function limited(blocks: number, typed: readonly string[]): Promise<Ended> {
  const script = `ulimit -f ${blocks}; exec "$@"`;
  const { exitCode, stdout, stderr } = await execa(
    'sh',
    ['-c', script, 'sh', process.execPath, BIN, ...typed],
    { cwd: place.path, reject: false, stdin: 'ignore', stripFinalNewline: false },
  );
  return { exitCode, stdout, stderr };
}

/** Runs with ever more room until it is done; answers how often it failed. */
async function untilDone(typed: readonly string[], failed: (run: Ended) => void): Promise<number> {
  for (let blocks = 0, failures = 0; ; blocks = blocks * 2 + 1, failures += 1) {
    const run = await limited(blocks, typed);
    if (run.exitCode === 0) return failures;
    expect(run.exitCode, run.stderr).toBe(1);
    expect(run.stderr).toMatch(
      /^error \S+ could not be written: it exceeds the limit for the size of a file\nNothing was left behind\. Raise the limit \(ulimit -f\), and run the command again\.\n$/,
    );
    failed(run);
  }
}

test('a new service is there whole, or not at all', async () => {
  const failures = await untilDone(['my-api', ...MINIMAL, ...FAST], () => {
    expect(readdirSync(place.path)).toEqual([]);
  });
  expect(failures).toBeGreaterThan(2);
  expect(existsSync(path.join(place.path, 'my-api/package.json'))).toBe(true);
});

test('what is generated is too, and the next run finds nothing in its way', async () => {
  await cli(place, ['my-api', ...MINIMAL, ...FAST]);
  const project = path.join(place.path, 'my-api');
  const before = filesIn(project);
  const words = ['generate', 'collection', 'authors', 'name:string:required', '--cwd', 'my-api'];
  const failures = await untilDone(words, () => expect(filesIn(project)).toEqual(before));
  expect(failures).toBeGreaterThan(2);
  const check = await cli(place, ['check', '--cwd', 'my-api']);
  expect(check.exitCode, check.stderr).toBe(0);
});

test('what should be read on a full disk and is not there, fails in a line', async () => {
  const words = ['explain', ...MINIMAL, '--format', 'json'];
  const script = 'exec "$@" > /dev/full';
  const { exitCode, stderr } = await execa(
    'sh',
    ['-c', script, 'sh', process.execPath, BIN, ...words],
    { reject: false, stripFinalNewline: false },
  );
  expect(exitCode).toBe(1);
  expect(firstLine(stderr)).toMatch(/^error standard output could not be written: ENOSPC\b/);
  expect(stderr).not.toMatch(/^ +at /m);
});
