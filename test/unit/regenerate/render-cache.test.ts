/**
 * What the last run generated is not rendered again where it would come out the same; and what a
 * run does is the same to the byte as where all is. The line `applied` of the manifest is what
 * tells that the record may be relied on: a copy of the project without it renders all.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { parseFolder } from '../../../src/definition/index.ts';
import { packageVersion } from '../../../src/disk/package.ts';
import { buildModel } from '../../../src/model/build.ts';
import type { Model } from '../../../src/model/types.ts';
import { isCurrent, openProject } from '../../../src/project/open.ts';
import { NPM } from '../../../src/shared/package-manager.ts';
import type { PackageManager } from '../../../src/shared/package-manager.ts';
import { planOutputs } from '../../../src/plan/outputs.ts';
import { readCache, unchangedSince } from '../../../src/project/render-cache.ts';
import type { Outcome } from '../../../src/update/types.ts';
import { changed, filesOf } from '../../support/related.ts';
import { filesIn } from '../cli/support.ts';
import { Dice, Growth } from './growth.ts';
import { define, resolveConflicts, tossing } from './life.ts';
import { makeProject, projectIn } from './support.ts';
import type { TestProject } from './support.ts';
import { Team } from './team.ts';

let place = '';
beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const MANIFEST = '.create-service/manifest';

interface Ran {
  readonly outcomes: readonly Outcome[];
  readonly files: Readonly<Record<string, string>>;
}

/** What becomes of a project, and of a copy of which all is rendered. */
async function bothWays(project: TestProject): Promise<{ readonly own: Ran; readonly whole: Ran }> {
  const copy = projectIn(`${project.folder}-whole`);
  cpSync(project.folder, copy.folder, { recursive: true });
  copy.edit(MANIFEST, (text) => text.replaceAll(/^applied .*\n/gm, ''));
  const ran = async ({ folder, generate }: TestProject): Promise<Ran> => {
    const { outcomes } = await generate();
    return { outcomes, files: filesIn(folder) };
  };
  try {
    return { whole: await ran(copy), own: await ran(project) };
  } finally {
    rmSync(copy.folder, { recursive: true });
  }
}

test(
  'a project that a team edits gets what it would where all is rendered',
  {
    timeout: 600_000,
  },
  async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
        number += 1;
        const dice = new Dice(numbers);
        const growth = new Growth(dice);
        const project = await makeProject(path.join(place, `shop-${number}`), growth.files());
        const team = new Team(project, dice);
        const away = new Map<string, string>();
        for (let round = 0; round < 4; round++) {
          await team.work(10);
          // Some that were removed come back as they were.
          for (const [file, text] of away) if (dice.roll(2) > 0) project.write(file, text);
          away.clear();
          const all = Object.keys(filesIn(path.join(project.folder, 'src')));
          for (const file of [dice.pick(all), dice.pick(all)].map((one) => `src/${one}`)) {
            if (away.has(file)) continue;
            away.set(file, project.read(file));
            project.write(file, undefined);
          }
          // Often nothing has changed, or one thing.
          if (dice.roll(3) > 0) growth.change();
          define(project, growth);
          const { own, whole } = await bothWays(project);
          expect(own).toEqual(whole);
          if (dice.roll(2) > 0) await resolveConflicts(project, tossing(dice));
        }
        rmSync(project.folder, { recursive: true });
      }),
      { numRuns: 3, endOnFailure: true },
    );
  },
);

test('so does one whose collections hang together', { timeout: 600_000 }, async () => {
  let number = 0;
  let done = 0;
  await fc.assert(
    fc.asyncProperty(changed, async ([before, after]) => {
      number += 1;
      const folder = path.join(place, `related-${number}`);
      const project = await makeProject(folder, filesOf(before));
      for (const shapes of [after, before]) {
        rmSync(path.join(folder, 'definitions'), { recursive: true });
        for (const [file, text] of Object.entries(filesOf(shapes))) {
          project.write(`definitions/${file}`, text);
        }
        // A migration that a person has to help with is refused before anything is written.
        const ran = await bothWays(project).catch(refused);
        if (ran === undefined) continue;
        expect(ran.own).toEqual(ran.whole);
        done += 1;
      }
      rmSync(folder, { recursive: true });
    }),
    { numRuns: 6 },
  );
  expect(done).toBeGreaterThan(3);
});

/** Issues of definitions are no failure here. */
function refused(error: unknown): undefined {
  if (!(error as Error).message.startsWith('[{"at"')) throw error;
}

const shown = (file: string): string => file;

async function modelOf(definitions: Readonly<Record<string, string>>): Promise<Model> {
  const files = Object.entries(definitions).map(([file, text]) => ({
    path: `definitions/${file}`,
    bytes: new TextEncoder().encode(text),
  }));
  const result = await parseFolder(files, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return buildModel(result.service);
}

const FIELDS = 'fields:\n  name: { type: string }\n';
const CHAIN = {
  'service.yaml': 'name: shop\n',
  'collections/anchors.yaml': FIELDS,
  'collections/boxes.yaml': `${FIELDS}  anchor_id: { type: reference, to: anchors }\n`,
  'collections/crates.yaml': `${FIELDS}  box_id: { type: reference, to: boxes }\n`,
  'collections/doors.yaml': `${FIELDS}  crate_id: { type: reference, to: crates }\n`,
};

/** The collections of which something is rendered, where these definitions come after others. */
async function renderedFor(
  project: TestProject,
  definitions: Readonly<Record<string, string>>,
  manager: PackageManager = 'npm',
): Promise<readonly string[]> {
  const files = Object.entries(definitions).map(([file, text]) => ({
    path: `definitions/${file}`,
    bytes: new TextEncoder().encode(text),
  }));
  const record = openProject(project.folder, shown);
  const now = await modelOf(definitions);
  const isSame = unchangedSince(
    record,
    { model: await modelOf(CHAIN), manager },
    { model: now, files },
  );
  const outputs = planOutputs(now, { tool: packageVersion(), manager: NPM }).filter(
    ({ ownership }) => ownership !== 'append',
  );
  const cached = readCache(record, isSame);
  const rest = outputs.filter((output) => cached(output) === undefined);
  return [...new Set(rest.map(({ collection }) => collection?.definition.name ?? 'service'))];
}

test('a change is told to the collections around, and to no others', async () => {
  const project = await makeProject(path.join(place, 'chain'), CHAIN);
  const applied = Object.fromEntries(
    Object.keys(CHAIN).map((file) => [file, project.read(`.create-service/definitions/${file}`)]),
  );
  const wider = (file: string): Readonly<Record<string, string>> => ({
    ...applied,
    [file]: `${applied[file]}  more: { type: text }\n`,
  });
  expect(await renderedFor(project, applied)).toEqual(['service']);
  expect(await renderedFor(project, wider('collections/doors.yaml'))).toEqual([
    'service',
    'crates',
    'doors',
  ]);
  expect(await renderedFor(project, wider('collections/boxes.yaml'))).toEqual([
    'service',
    'anchors',
    'boxes',
    'crates',
  ]);
  const renamed = { ...applied, 'service.yaml': `${applied['service.yaml']}title: Another\n` };
  expect(await renderedFor(project, renamed)).toHaveLength(5);
  expect(await renderedFor(project, applied, 'pnpm')).toHaveLength(5);

  // What two branches wrote is relied on by neither.
  project.edit(MANIFEST, (text) => text.replace(/^applied .*$/m, `$&\napplied ${'0'.repeat(64)}`));
  expect(await renderedFor(project, applied)).toHaveLength(5);
});

test('files that come back as they were are brought up to date', async () => {
  const project = await makeProject(path.join(place, 'back'), CHAIN);
  // Several, for what is generated last stands first or second in the manifest, by its hash.
  const changing = ['boxes', 'crates', 'doors'];
  const files = changing.flatMap((name) =>
    ['repository.ts', 'schema.ts'].map((file) => `src/collections/${name}/${file}`),
  );
  const old = files.map((file) => project.read(file));
  for (const file of files) project.write(file, undefined);
  for (const name of changing) {
    project.edit(
      `definitions/collections/${name}.yaml`,
      (text) => `${text}  more: { type: text }\n`,
    );
  }
  await project.generate();
  for (const [at, file] of files.entries()) project.write(file, old[at]);
  const { outcomes } = await project.generate();
  expect(outcomes).toMatchObject(files.map((file) => ({ path: file, action: 'updated' })));
  for (const file of files) expect(project.read(file)).toContain('more');
});

test('a project that two versions generated is not current', async () => {
  const project = await makeProject(path.join(place, 'versions'), CHAIN);
  const isNow = (): boolean => isCurrent(openProject(project.folder, shown), project.folder);
  expect(isNow()).toBe(true);
  project.edit(MANIFEST, (text) => text.replace(/^generator .*$/m, '$&\ngenerator 0.0.1'));
  expect(isNow()).toBe(false);
});

test('a conflict that is open stays so while other things change', async () => {
  const project = await makeProject(path.join(place, 'open'), CHAIN);
  const file = 'src/collections/boxes/schema.ts';
  const boxes = 'definitions/collections/boxes.yaml';
  project.edit(file, (text) => text.replace('string()', 'string({ maxLength: 7 })'));
  project.edit(boxes, (text) => text.replace('string }', 'string, max_length: 99 }'));
  const { outcomes: first } = await project.generate();
  const conflict = first.find((outcome) => outcome.path === file)?.conflict;
  expect(conflict).toMatchObject({ newFile: `${file}.new`, isOld: false });

  project.edit('definitions/collections/doors.yaml', (text) => `${text}  more: { type: text }\n`);
  const { own, whole } = await bothWays(project);
  expect(own).toEqual(whole);
  expect(own.files[`${file}.new`]).toBe(conflict?.text);
});
