/**
 * A project that lives: the team edits it at random, its definitions change at random, and it is
 * generated again, several times over. What the team wrote is all there, run after run; what
 * conflicts is told, and stays; and a run that follows another has nothing to do.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { check } from '../../../src/commands/check.ts';
import { parseFolder } from '../../../src/definition/index.ts';
import type { ServiceDefinition } from '../../../src/definition/types.ts';
import { contractTexts } from '../../../src/project/frozen-contracts.ts';
import { buildModel } from '../../../src/model/build.ts';
import type { OpenDatabase } from '../../../templates/service/src/platform/database/database.ts';
import {
  createInMemory,
  overPglite,
} from '../../../templates/service/src/platform/database/pglite.ts';
import { filesIn } from '../cli/support.ts';
import { apply, freshCatalog, inSchema } from '../migration/apply.ts';
import { catalogOf } from '../migration/support.ts';
import { Dice, Growth } from './growth.ts';
import { define, expectNothingLost, expectSettled, resolveConflicts, tossing } from './life.ts';
import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';
import { Team } from './team.ts';
import { VersionedGrowth } from './versioned-growth.ts';

const LIVES = 6;
const ROUNDS = 3;
const MOST_EDITS = 40;
const VERSIONED_LIVES = 4;
const VERSIONED_ROUNDS = 5;
const FEW_EDITS = 10;

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

describe('where versions come, differ and are retired', () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = overPglite(await createInMemory(), () => {});
  }, 60_000);
  afterAll(() => database.close());

  test(
    'all that holds too, and their shapes and the schema follow',
    { timeout: 600_000 },
    async () => {
      let number = 0;
      const tally = { merged: 0, conflicts: 0 };
      const broken = { told: 0, rounds: 0 };
      await fc.assert(
        fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
          number += 1;
          const dice = new Dice(numbers);
          const growth = new VersionedGrowth(dice);
          const project = await makeProject(path.join(place, `versions-${number}`), growth.files());
          const team = new Team(project, dice);
          for (let round = 0; round < VERSIONED_ROUNDS; round++) {
            await team.work(FEW_EDITS);
            growth.change();
            define(project, growth);
            const foretold = await codesOf(project);
            const { breaking } = await expectNothingLost(project, tally);
            expect(foretold.includes('breaking-change')).toBe(breaking.length > 0);
            broken.rounds += 1;
            broken.told += breaking.length > 0 ? 1 : 0;
            await expectSettled(project);
            await resolveConflicts(project, tossing(dice));
            await expectSettled(project);
            expect(shapesOn(project)).toEqual(shapesOf(await serviceOf(growth.files())));
          }
          await expectSchema(database, project, await serviceOf(growth.files()));
          rmSync(project.folder, { recursive: true });
        }),
        { numRuns: VERSIONED_LIVES, endOnFailure: true },
      );
      expect(tally.merged).toBeGreaterThan(5);
      // Some of what changes breaks somebody, and some breaks nobody.
      expect(broken.told).toBeGreaterThan(0);
      expect(broken.told).toBeLessThan(broken.rounds);
    },
  );
});

async function codesOf({ folder }: TestProject): Promise<readonly string[]> {
  const owner = { pid: process.pid, host: 'here', random: '0a1b2c3d' };
  const result = await check({ cwd: folder, owner, isAlive: () => false });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.findings.map(({ code }) => code);
}

async function serviceOf(files: Readonly<Record<string, string>>): Promise<ServiceDefinition> {
  const sources = Object.entries(files).map(([file, text]) => ({
    path: `definitions/${file}`,
    bytes: new TextEncoder().encode(text),
  }));
  const result = await parseFolder(sources, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.service;
}

/** What is kept of frozen versions, and what the definitions of now say of them. */
const shapesOn = ({ folder }: TestProject): Readonly<Record<string, string>> => {
  const versions = path.join(folder, '.create-service/versions');
  return existsSync(versions) ? filesIn(versions) : {};
};
const shapesOf = (service: ServiceDefinition): Readonly<Record<string, string>> =>
  Object.fromEntries(
    contractTexts(service).map(({ path: file, text }) => [
      file.replace('.create-service/versions/', ''),
      text,
    ]),
  );

/** The migrations of a project lead to the schema that a new one has. */
async function expectSchema(
  database: OpenDatabase,
  { read, folder }: TestProject,
  service: ServiceDefinition,
): Promise<void> {
  const names = Object.keys(filesIn(path.join(folder, 'migrations')));
  const migrations = names.map((name) => ({
    name: name.replace(/\.sql$/, ''),
    text: read(`migrations/${name}`),
  }));
  await inSchema(database, 'migrated');
  await apply(database, migrations);
  const migrated = await catalogOf(database);
  expect(migrated).toEqual(await freshCatalog(database, buildModel(service)));
}
