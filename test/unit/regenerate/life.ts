/**
 * What holds of every run over a project that a team has edited, whatever they did: proved by what
 * stood there before, what was and is generated, and what stands there then.
 */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';

import { expect } from 'vitest';

import { check } from '../../../src/commands/check.ts';
import type { BreakingChange } from '../../../src/compatibility/findings.ts';
import { formatFile } from '../../../src/render/format.ts';
import { conflictSides } from '../../../src/update/text.ts';
import type { Outcome } from '../../../src/update/types.ts';
import type { Dice, Growth } from './growth.ts';
import type { TestProject } from './support.ts';
import { filesOf } from './team.ts';

/** Edited files by what became of them where what is generated changed too. */
export interface Tally {
  merged: number;
  conflicts: number;
}

/** What stands in a project, and what was generated for it last. */
interface Snapshot {
  readonly disk: ReadonlyMap<string, string>;
  readonly known: ReadonlySet<string>;
  readonly bases: ReadonlyMap<string, string>;
}

function snapshot({ folder, read }: TestProject): Snapshot {
  const known = [
    ...read('.create-service/manifest').matchAll(/^(\S+) (?:merged|once|until-edited) /gm),
  ].map(([, file = '']) => file);
  const bases = known.flatMap((file): [string, string][] => {
    // The values of a fixture are the team's, also where others are generated.
    if (file.startsWith('test/fixtures/')) return [];
    const base = `.create-service/base/${file}.base`;
    return existsSync(path.join(folder, base)) ? [[file, read(base)]] : [];
  });
  return {
    disk: new Map(filesOf(folder).map((file) => [file, read(file)])),
    known: new Set(known),
    bases: new Map(bases),
  };
}

/**
 * Generates, and holds what it did against what stood there before.
 * @returns the files of collections that have gone which the team had edited, and what breaks clients.
 */
export async function expectNothingLost(
  project: TestProject,
  tally: Tally,
): Promise<{ readonly left: readonly string[]; readonly breaking: readonly BreakingChange[] }> {
  const before = snapshot(project);
  const { outcomes, breaking } = await project.generate(undefined, true);
  const after = snapshot(project);
  const outcomeAt = new Map(outcomes.map((outcome) => [outcome.path, outcome]));
  const moved = new Map(outcomes.flatMap(({ path: to, from }) => (from ? [[from, to]] : [])));
  for (const [file, disk] of before.disk) {
    const target = moved.get(file) ?? file;
    if (!before.known.has(file)) {
      // The team's own; but a file beside a conflict goes with it.
      if (!file.endsWith('.new')) expect([file, after.disk.get(file)]).toEqual([file, disk]);
      continue;
    }
    const [base, now] = [before.bases.get(file), after.bases.get(target)];
    const outcome = outcomeAt.get(target);
    await expectKept({ file: target, base, disk, now, result: after.disk.get(target) }, outcome);
    if (outcome?.action === 'conflict') tally.conflicts++;
    else if (disk !== base && now !== base) tally.merged++;
    if (outcome?.conflict) expect(after.disk.has(String(outcome.conflict.newFile))).toBe(true);
  }
  for (const file of before.known) {
    const target = moved.get(file) ?? file;
    if (!before.disk.has(file)) expect([file, after.disk.has(target)]).toEqual([file, false]);
  }
  const left = outcomes.filter(({ action }) => action === 'left').map((one) => one.path);
  return { left, breaking };
}

/** One file: what was and is generated for it, what stood there, and what stands there now. */
interface Kept {
  readonly file: string;
  /** Absent of files that are the team's from the first day. */
  readonly base: string | undefined;
  readonly disk: string;
  readonly now: string | undefined;
  readonly result: string | undefined;
}

async function expectKept(
  { file, base, disk, now, result }: Kept,
  outcome: Outcome | undefined,
): Promise<void> {
  const isKept = (): void => expect([file, result]).toEqual([file, disk]);
  if (outcome?.action === 'conflict' || outcome?.action === 'left') {
    isKept();
  } else if (outcome?.action === 'removed') {
    expect([file, result]).toEqual([file, undefined]);
    if (base === undefined) expect(disk).not.toContain('mark');
    else expect(await formatFile(file, plain(disk))).toBe(base);
  } else if (base === undefined && outcome?.action === 'updated') {
    // A fixture follows the definitions until it is edited.
    expect([file, marksIn(disk)]).toEqual([file, []]);
  } else if (base === undefined || now === undefined) {
    if (outcome?.from === undefined && outcome?.action !== 'merged') isKept();
    else for (const mark of marksIn(disk)) expect(result).toContain(mark);
  } else if (disk === base) {
    expect([file, result]).toEqual([file, now]);
  } else if (now === base) {
    isKept();
  } else {
    const isWide = !/(^|[^\r])\n/.test(disk);
    expect([file, !/(^|[^\r])\n/.test(result ?? '')]).toEqual([file, isWide]);
    expectBothSides(file, [base, plain(disk), now], plain(result ?? ''));
    await formatFile(file, result ?? '');
  }
}

const plain = (text: string): string => text.replaceAll('\r\n', '\n');

const marksIn = (text: string): readonly string[] => text.match(/mark\d+x/g) ?? [];

/** How often each word stands in a text, whatever its layout. */
function wordsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/[\w$]+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** A word that one side alone has more or less often than before stands there as often as it says. */
function expectBothSides(
  file: string,
  sides: readonly [base: string, disk: string, now: string],
  after: string,
): void {
  const words = [...sides, after].map(wordsOf);
  for (const word of new Set(words.flatMap((counts) => [...counts.keys()]))) {
    const [base = 0, disk = 0, now = 0, result = 0] = words.map((counts) => counts.get(word) ?? 0);
    const wanted = base === disk ? now : base === now ? disk : result;
    expect([file, word, result]).toEqual([file, word, wanted]);
  }
}

const owner = { pid: process.pid, host: 'here', random: '0a1b2c3d' };

/** A run has nothing left to do, and `check` finds the open conflicts and nothing else. */
export async function expectSettled(project: TestProject): Promise<void> {
  const { changes } = await project.generate();
  expect(changes.map(({ path: file }) => file)).toEqual([]);
  const result = await check({ cwd: project.folder, owner, isAlive: () => false });
  const open = filesOf(project.folder).filter((file) => file.endsWith('.new'));
  expect(result).toMatchObject({
    ok: true,
    findings: open.map((file) => ({ code: 'conflict-open', path: file.replace(/\.new$/, '') })),
  });
  expect(result.ok && result.findings.length).toBe(open.length);
}

/** Ends all conflicts, by what is generated or by what the team has, and generates. */
export async function resolveConflicts(
  project: TestProject,
  takesGenerated: () => boolean,
): Promise<void> {
  const open = filesOf(project.folder).filter((file) => file.endsWith('.new'));
  for (const beside of open) {
    const text = project.read(beside);
    if (takesGenerated())
      project.write(beside.replace(/\.new$/, ''), conflictSides(text)?.[1] ?? text);
    project.write(beside, undefined);
  }
  const { changes } = await project.generate();
  const others = changes.filter(({ path: file }) => !file.startsWith('.create-service/'));
  expect(others).toEqual([]);
}

/** Writes the definitions as they are now. */
export function define(project: TestProject, growth: Growth): void {
  rmSync(path.join(project.folder, 'definitions'), { recursive: true });
  for (const [file, text] of Object.entries(growth.files())) {
    project.write(`definitions/${file}`, text);
  }
}

/** Where conflicts are resolved by the throw of a coin. */
export const tossing = (dice: Dice) => (): boolean => dice.roll(2) === 0;
