/**
 * A conflict yields the merge in two versions: each takes one side where the sides conflict, and both have all other
 * edits. Both sides change and remove members at random; what is expected follows from the edits alone.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { merge } from '../../src/merge/index.ts';
import type { Side } from '../../src/merge/types.ts';

type Members = readonly (readonly [name: string, value: string])[];

const lines = (members: Members, lineOf: (name: string, value: string) => string): string =>
  members.map(([name, value]) => `${lineOf(name, value)}\n`).join('');

const FORMATS: Readonly<Record<string, (members: Members) => string>> = {
  'src/shape.ts': (members) =>
    `export const shape = {\n${lines(members, (name, value) => `  ${name}: '${value}',`)}};\n`,
  'settings.json': (members) => `${JSON.stringify(Object.fromEntries(members), null, 2)}\n`,
  'package.json': (members) => `${JSON.stringify(Object.fromEntries(members), null, 2)}\n`,
  'compose.yaml': (members) => lines(members, (name, value) => `${name}: ${value}`),
  'notes.md': (members) =>
    sections(members, (name, value) => `## ${name}\n\n${value ?? 'nothing'}\n`),
  Dockerfile: (members) => sections(members, (name, value) => `# ${name}\n${setting(name, value)}`),
};

const NAMES = ['first', 'second', 'third', 'fourth', 'fifth'];

/** A section for each name: lines have no other structure that tells one change from the next. */
const sections = (
  members: Members,
  sectionOf: (name: string, value: string | undefined) => string,
): string => NAMES.map((name) => sectionOf(name, new Map(members).get(name))).join('\n');

const setting = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `ENV ${name}=${value}\n`;

type Edit = 'keep' | 'change' | 'remove';

const edits = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Edit>('keep') },
    { weight: 2, arbitrary: fc.constantFrom<Edit>('change', 'remove') },
  ),
  { minLength: NAMES.length, maxLength: NAMES.length },
);

const valueOf = (edit: Edit, side: Side): string | undefined =>
  ({ keep: 'kept', change: side, remove: undefined })[edit];

/** The members whose edits have a value. */
const membersOf = (values: readonly (string | undefined)[]): Members =>
  NAMES.flatMap((name, index) => {
    const value = values[index];
    return value === undefined ? [] : [[name, value] as const];
  });

describe.each(Object.entries(FORMATS))('%s', (path, format) => {
  test('both versions have what one side alone changed, and each has its side of a conflict', async () => {
    let conflicts = 0;
    await fc.assert(
      fc.asyncProperty(edits, edits, async (ours, theirs) => {
        const at = (side: Side, list: readonly Edit[]): string =>
          format(membersOf(list.map((edit) => valueOf(edit, side))));
        const result = await merge({
          path,
          base: format(membersOf(NAMES.map(() => 'kept'))),
          ours: at('ours', ours),
          theirs: at('theirs', theirs),
        });
        if (result.kind === 'merged') return;
        conflicts += 1;
        for (const side of ['ours', 'theirs'] as const) {
          const wanted = NAMES.map((_, index) => {
            const [mine, other] = [ours[index]!, theirs[index]!];
            if (mine === 'keep') return valueOf(other, 'theirs');
            if (other === 'keep') return valueOf(mine, 'ours');
            return valueOf(side === 'ours' ? mine : other, side);
          });
          expect(result.versions?.[side]).toBe(format(membersOf(wanted)));
        }
      }),
      { numRuns: 60 },
    );
    expect(conflicts).toBeGreaterThan(5);
  });
});

test('where one side changed more lines, the version of the other has these as they were', async () => {
  const result = await merge({
    path: 'Dockerfile',
    base: 'one\ntwo\nthree\nfour\n',
    ours: 'ours 1\nours 2\nours 3\nfour\n',
    theirs: 'one\ntheirs 2\nthree\nfour\n',
  });
  expect(result).toMatchObject({
    kind: 'conflict',
    versions: {
      ours: 'ours 1\nours 2\nours 3\nfour\n',
      theirs: 'one\ntheirs 2\nthree\nfour\n',
    },
  });
});

test('a list that conflicts as a whole is in each version as one side has it', async () => {
  const texts = (argument: string, name = 'name'): string =>
    `export const ${name} = 1;\n\nrun(first${argument});\n`;
  const result = await merge({
    path: 'src/run.ts',
    base: texts(''),
    ours: texts(', mine', 'title'),
    theirs: texts(', generated'),
  });
  expect(result).toMatchObject({
    kind: 'conflict',
    versions: { ours: texts(', mine', 'title'), theirs: texts(', generated', 'title') },
  });
});
