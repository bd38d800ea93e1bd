/**
 * A project that lives: the team edits it at random, its definitions change at random, and it is
 * generated again, several times over. What the team wrote is all there, run after run; what
 * conflicts is told, and stays; and a run that follows another has nothing to do.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Dice, Growth } from './growth.ts';
import { define, expectNothingLost, expectSettled, resolveConflicts, tossing } from './life.ts';
import { makeProject } from './support.ts';
import { Team } from './team.ts';

const LIVES = 6;
const ROUNDS = 3;
const MOST_EDITS = 40;

let place = '';
beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

test('nothing that a team wrote is lost, whatever changes', { timeout: 600_000 }, async () => {
  let number = 0;
  const tally = { merged: 0, conflicts: 0 };
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
      number += 1;
      const dice = new Dice(numbers);
      const growth = new Growth(dice);
      const project = await makeProject(path.join(place, `shop-${number}`), growth.files());
      const team = new Team(project, dice);
      for (let round = 0; round < ROUNDS; round++) {
        await team.work(MOST_EDITS);
        growth.change();
        define(project, growth);
        await expectNothingLost(project, tally);
        await expectSettled(project);
        await resolveConflicts(project, tossing(dice));
        await expectSettled(project);
      }
      rmSync(project.folder, { recursive: true });
    }),
    // Numbers that are smaller are no simpler.
    { numRuns: LIVES, endOnFailure: true },
  );
  // Nearly all that overlaps in a file does not overlap in it line by line.
  expect(tally.merged).toBeGreaterThan(10);
  expect(tally.conflicts * 10).toBeLessThan(tally.merged);
});
