/**
 * Projects that a team and its definitions changed at random (test/unit/regenerate/) are sound: the
 * compiler of the emitted toolchain finds nothing in them.
 */
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';

import { Dice, Growth } from '../unit/regenerate/growth.ts';
import {
  define,
  expectNothingLost,
  expectSettled,
  resolveConflicts,
} from '../unit/regenerate/life.ts';
import { makeProject } from '../unit/regenerate/support.ts';
import { Team } from '../unit/regenerate/team.ts';

const ROUNDS = 3;
const MOST_EDITS = 30;

/** All that a service may depend on. */
const modules = join(inject('installed'), 'node_modules');

test.each([1, 2, 4])('a project that lived a life of its own compiles (%i)', async (seed) => {
  const [numbers] = fc.sample(fc.infiniteStream(fc.nat()), { seed, numRuns: 1 });
  if (numbers === undefined) throw new Error('there are no numbers');
  const dice = new Dice(numbers);
  const growth = new Growth(dice);
  const project = await makeProject(join(inject('workshop'), `life-${seed}`), growth.files());
  const team = new Team(project, dice);
  const tally = { merged: 0, conflicts: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    await team.work(MOST_EDITS);
    growth.change();
    define(project, growth);
    const { left } = await expectNothingLost(project, tally);
    await expectSettled(project);
    // What is generated goes together; what is left of a collection that has gone is of no use.
    await resolveConflicts(project, () => true);
    for (const file of left) project.write(file, undefined);
  }
  expect(tally.merged).toBeGreaterThan(0);

  symlinkSync(modules, join(project.folder, 'node_modules'));
  const { all } = await execa(join(modules, '.bin/tsc'), [], {
    cwd: project.folder,
    all: true,
    reject: false,
  });
  // A fixture that the team has edited is theirs: here the compiler says what a change asks of it.
  const found = all.split('\n').filter((line) => !line.startsWith('test/fixtures/'));
  expect(found.join('\n')).toBe('');
  rmSync(project.folder, { recursive: true });
});
