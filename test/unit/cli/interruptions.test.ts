/** Signals at any moment: a project is there whole, or not at all. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { execa } from 'execa';
import { expect, test } from 'vitest';

import { BIN, BOOKSHOP, cli, FAST, filesIn, STAGING, usePlace } from './support.ts';

const place = usePlace();

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGKILL';

test.each<Signal>(['SIGINT', 'SIGTERM'])('%s at any moment', async (signal) => {
  const expected = await wholeProject();
  for (const moment of await moments(6)) {
    const ended = await killed(['api'], place.path, signal, moment);
    // Before the first line has run, the signal ends the process itself.
    expect([0, 130, signal]).toContain(ended);
    expect([[], expected]).toContainEqual(namesIn('api'));
    expect(readdirSync(place.path)).not.toContainEqual(STAGING);
    rmSync(path.join(place.path, 'api'), { recursive: true, force: true });
  }
});

test('SIGKILL at any moment', async () => {
  const expected = await wholeProject();
  for (const moment of await moments(6)) {
    await killed(['api'], place.path, 'SIGKILL', moment);
    expect([[], expected]).toContainEqual(namesIn('api'));
    rmSync(path.join(place.path, 'api'), { recursive: true, force: true });
  }
  await cli(place, ['last', '--from', BOOKSHOP, ...FAST]);
  expect(readdirSync(place.path)).not.toContainEqual(STAGING);
});

test('SIGKILL while the folder that it is run in is filled', async () => {
  const expected = await wholeProject();
  const folder = path.join(place.path, 'api');
  for (const moment of await moments(6)) {
    mkdirSync(folder);
    await killed(['.'], folder, 'SIGKILL', moment);
    // The next run finishes what was begun, or begins anew.
    await cli(place, ['.', '--from', BOOKSHOP, ...FAST], { cwd: folder });
    expect(namesIn('api')).toEqual(expected);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('SIGKILL of generate at any moment: the next run brings the project to its end', async () => {
  const project = path.join(place.path, 'lived');
  await cli(place, ['lived', '--from', BOOKSHOP, ...FAST]);
  const at = (file: string): string => path.join(project, file);
  const edit = (file: string, change: (text: string) => string): void =>
    writeFileSync(at(file), change(readFileSync(at(file), 'utf8')));
  // Nearly every file of a collection moves, with an edit in some and in those of all.
  const books = 'definitions/collections/books.yaml';
  for (const file of ['routes.ts', 'repository.ts', 'hooks.ts']) {
    edit(`src/collections/books/${file}`, (text) => `${text}\n// ours\n`);
  }
  edit('README.md', (text) => text.replace('## Start', 'Ours.\n\n## Start'));
  edit(books, (text) => text.replace('name: books', 'name: titles\nrenamed_from: books'));
  edit('definitions/collections/reviews.yaml', (text) => text.replace('to: books', 'to: titles'));
  renameSync(at(books), at('definitions/collections/titles.yaml'));
  const before = filesIn(project);
  cpSync(project, path.join(place.path, 'whole'), { recursive: true });
  const start = performance.now();
  expect((await cli(place, ['generate', '--cwd', 'whole'])).exitCode).toBe(0);
  const duration = performance.now() - start;
  const after = filesIn(path.join(place.path, 'whole'));
  expect(Object.values(after).filter((text) => /^(\/\/ ours|Ours\.)$/m.test(text))).toHaveLength(4);

  const trial = path.join(place.path, 'trial');
  const record = path.join(trial, '.create-service');
  const run = { isOver: false };
  const appears = async (name: string): Promise<void> => {
    while (!run.isOver && !existsSync(path.join(record, name))) await pause(1);
  };
  /** Some moments by the clock, others by what the run has just begun to do. */
  const killAt: readonly (() => Promise<unknown>)[] = [
    () => pause(duration / 2),
    () => pause(duration * 0.9),
    () => appears('run-new'),
    () => appears('run-new/new/9'),
    () => appears('run-new/journal.json'),
    () => appears('run'),
  ];
  let broken = 0;
  for (const moment of killAt) {
    cpSync(project, trial, { recursive: true });
    const child = execa(process.execPath, [BIN, 'generate'], { cwd: trial, reject: false });
    run.isOver = false;
    void child.then(() => (run.isOver = true));
    await Promise.race([moment(), child]);
    child.kill('SIGKILL');
    await child;
    const left = filesIn(trial);
    if (Object.keys(left).some((file) => file.startsWith('.create-service/run'))) broken++;
    // No file is half of one: each is as it was, as it will be, or not there.
    for (const [file, text] of Object.entries(left)) {
      if (/^\.create-service\/(run|lock)/.test(file)) continue;
      expect([file, [before[file], after[file]].includes(text)]).toEqual([file, true]);
    }
    const next = await cli(place, ['generate', '--cwd', 'trial']);
    expect(next.exitCode, next.stderr).toBe(0);
    expect(filesIn(trial)).toEqual(after);
    rmSync(trial, { recursive: true });
  }
  // Some of them were killed while they wrote.
  expect(broken).toBeGreaterThan(0);
});

test('SIGINT while dependencies are installed: the service stays, and the way on is told', async () => {
  const started = path.join(place.path, 'started');
  const npm = path.join(place.path, 'npm');
  writeFileSync(
    npm,
    `#!/bin/sh\n[ "$1" = --version ] && echo 11.0.0 && exit\ntouch ${started}\nexec sleep 60\n`,
  );
  chmodSync(npm, 0o755);
  const child = execa(process.execPath, [BIN, 'api', '--from', BOOKSHOP], {
    cwd: place.path,
    reject: false,
    env: { PATH: `${place.path}${path.delimiter}${process.env['PATH']}` },
  });
  while (!existsSync(started)) await pause(20);
  child.kill('SIGINT');
  const { exitCode, stderr } = await child;
  expect(exitCode).toBe(130);
  expect(stderr).toMatch(
    /Interrupted: the service was created in api\. Continue with: cd api && npm install$/,
  );
  expect(existsSync(path.join(place.path, 'api/package.json'))).toBe(true);
});

async function wholeProject(): Promise<readonly string[]> {
  await cli(place, ['whole', '--from', BOOKSHOP, ...FAST]);
  return namesIn('whole');
}

const namesIn = (folder: string): readonly string[] => {
  const whole = path.join(place.path, folder);
  return existsSync(whole) ? Object.keys(filesIn(whole)) : [];
};

/** Moments of a run, by how long one takes here and now. */
async function moments(count: number): Promise<readonly number[]> {
  const start = performance.now();
  await cli(place, ['timed', '--from', BOOKSHOP, ...FAST]);
  const duration = performance.now() - start;
  return Array.from({ length: count }, (_, index) => (duration * (index + 1.5)) / (count + 1));
}

/** Ends a run with a signal; answers the status or the signal that it ended with. */
async function killed(
  typed: readonly string[],
  cwd: string,
  signal: Signal,
  moment: number,
): Promise<number | string | undefined> {
  const child = execa(process.execPath, [BIN, ...typed, '--from', BOOKSHOP, ...FAST], {
    cwd,
    reject: false,
    stdin: 'ignore',
  });
  await pause(moment);
  child.kill(signal);
  const ended = await child;
  return ended.signal ?? ended.exitCode;
}
