/**
 * What becomes of a file when the project is generated again: each verdict as a story of literal
 * texts. After each, a second run changes nothing.
 */
import { describe, expect, test } from 'vitest';

import { edited, EMPTY, generated, run } from './support.ts';
import type { Ran, State, Tree } from './support.ts';

const APP = 'src/app.ts';
const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');
const V1 = lines('one();', 'two();', 'three();', 'four();', 'five();');
const V2 = lines('one();', 'two();', 'three();', 'four();', 'FIVE();');
const EDIT = lines('ONE();', 'two();', 'three();', 'four();', 'five();');
const BOTH = lines('ONE();', 'two();', 'three();', 'four();', 'FIVE();');
const CLASH = lines('one();', 'two();', 'three();', 'four();', 'mine();');
/** CLASH merged with a newly generated last line. */
const besideClash = (last: string, style = (text: string): string => text): string =>
  style(lines('one();', 'two();', 'three();', 'four();')) +
  lines('<<<<<<< on disk', style('mine();'), '=======', style(last), '>>>>>>> generated');

/** Runs, and runs again: the second time nothing to do. */
async function ran(state: State, texts: Record<string, string>, options = {}): Promise<Ran> {
  const first = await run(state, texts, options);
  const second = await run(first.state, texts, { ...options, moves: {} });
  expect(second.changes, 'a second run changes nothing').toBe(0);
  expect(second.state).toEqual(first.state);
  return first;
}

async function expectRun(
  state: State,
  texts: Record<string, string>,
  {
    actions,
    disk,
    ...options
  }: {
    actions: object;
    disk: Tree;
    once?: string[];
    untilEdited?: string[];
    style?: (text: string) => string;
    moves?: object;
  },
): Promise<State> {
  const result = await ran(state, texts, options);
  expect(result.actions).toEqual(actions);
  expect(result.state.disk).toEqual(disk);
  return result.state;
}

describe('a file that is generated', () => {
  test('is written where it is new', async () => {
    const state = await generated({ [APP]: V1 });
    await expectRun(
      state,
      { [APP]: V1, 'src/new.ts': V2 },
      { actions: { 'src/new.ts': 'added' }, disk: { [APP]: V1, 'src/new.ts': V2 } },
    );
  });

  test('is replaced where nobody has edited it', async () => {
    const state = await generated({ [APP]: V1 });
    await expectRun(state, { [APP]: V2 }, { actions: { [APP]: 'updated' }, disk: { [APP]: V2 } });
  });

  test('stays as the team has it where what is generated is the same', async () => {
    const state = edited(await generated({ [APP]: V1 }), { [APP]: EDIT });
    await expectRun(state, { [APP]: V1 }, { actions: { [APP]: 'kept' }, disk: { [APP]: EDIT } });
  });

  test('is replaced, and told as that, where the team has only laid it out otherwise', async () => {
    const file = 'NOTES.md';
    const state = edited(await generated({ [file]: '- one\n- two\n' }), {
      [file]: '* one\n* two\n',
    });
    const { actions, state: after } = await ran(state, { [file]: '- one\n- TWO\n' });
    expect(actions).toEqual({ [file]: 'updated' });
    expect(after.disk[file]).toBe('- one\n- TWO\n');
  });

  test('is merged where both have changed it, run after run', async () => {
    const state = edited(await generated({ [APP]: V1 }), { [APP]: EDIT });
    const merged = await expectRun(
      state,
      { [APP]: V2 },
      { actions: { [APP]: 'merged' }, disk: { [APP]: BOTH } },
    );
    const V3 = V2.replace('three', 'THREE');
    await expectRun(
      merged,
      { [APP]: V3 },
      { actions: { [APP]: 'merged' }, disk: { [APP]: BOTH.replace('three', 'THREE') } },
    );
  });

  test('is nothing to tell of where the team has made the same change', async () => {
    const state = edited(await generated({ [APP]: V1 }), { [APP]: V2 });
    await expectRun(state, { [APP]: V2 }, { actions: {}, disk: { [APP]: V2 } });
  });

  test('stays deleted, and is merged again once it is back', async () => {
    const gone = edited(await generated({ [APP]: V1 }), { [APP]: undefined });
    expect((await ran(gone, { [APP]: V1 })).outdated).toEqual([]);
    expect((await ran(gone, { [APP]: V2 })).outdated).toEqual([APP]);
    const still = await expectRun(gone, { [APP]: V2 }, { actions: { [APP]: 'absent' }, disk: {} });
    await expectRun(
      edited(still, { [APP]: EDIT }),
      { [APP]: V2 },
      { actions: { [APP]: 'merged' }, disk: { [APP]: BOTH } },
    );
  });

  test('that was deleted and is back as it was is not edited, whether its base is known or lost', async () => {
    const gone = edited(await generated({ [APP]: V1 }), { [APP]: undefined });
    for (const start of [gone, { ...gone, bases: new Map<string, string>() }]) {
      const still = await ran(start, { [APP]: V2 });
      await expectRun(
        edited(still.state, { [APP]: V1 }),
        { [APP]: V2 },
        { actions: { [APP]: 'updated' }, disk: { [APP]: V2 } },
      );
    }
  });

  test('does not replace a file of the team whose name differs in case alone', async () => {
    const other = { is: 'other name' } as const;
    await expectRun(
      edited(await generated({}), { [APP]: other }),
      { [APP]: V1 },
      { actions: { [APP]: 'conflict' }, disk: { [APP]: other, [`${APP}.new`]: V1 } },
    );
    // A generated file that the team renamed in case alone was deleted under its old name.
    await expectRun(
      edited(await generated({ [APP]: V1 }), { [APP]: other }),
      { [APP]: V2 },
      { actions: { [APP]: 'absent' }, disk: { [APP]: other } },
    );
  });

  test('has LF where most of its lines have', async () => {
    const mixed = V1.replace('two();\n', 'two();\r\n');
    const state = edited(await generated({ [APP]: V1 }), { [APP]: mixed });
    await expectRun(state, { [APP]: V2 }, { actions: { [APP]: 'updated' }, disk: { [APP]: V2 } });
  });

  test('that was only laid out anew was not edited', async () => {
    const text = 'export const list = [1, 2, 3];\n';
    const laidOut = 'export const list = [\n  1,\n  2,\n  3\n]\n';
    const state = edited(await generated({ [APP]: text }), { [APP]: laidOut });
    const result = await ran(state, { [APP]: text.replace('3]', '3, 4]') });
    expect(result.state.disk[APP]).toContain('4');
    expect(result.actions[APP]).not.toBe('conflict');
  });

  test.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
  ])('keeps %s, which is no edit', async (_what, form) => {
    const state = edited(await generated({ [APP]: V1 }), { [APP]: form(V1) });
    const updated = await expectRun(
      state,
      { [APP]: V2 },
      { actions: { [APP]: 'updated' }, disk: { [APP]: form(V2) } },
    );
    await expectRun(
      edited(updated, { [APP]: form(BOTH) }),
      { [APP]: V2.replace('three', 'THREE') },
      { actions: { [APP]: 'merged' }, disk: { [APP]: form(BOTH.replace('three', 'THREE')) } },
    );
  });
});

describe('a file that nothing yields any more', () => {
  test('goes, where nobody has edited it', async () => {
    const state = await generated({ [APP]: V1, 'src/old.ts': V1 });
    await expectRun(
      state,
      { [APP]: V1 },
      { actions: { 'src/old.ts': 'removed' }, disk: { [APP]: V1 } },
    );
  });

  test('stays where it holds edits, is told of once, and is the team’s from then on', async () => {
    const state = edited(await generated({ 'src/old.ts': V1 }), { 'src/old.ts': EDIT });
    const left = await run(state, {});
    expect(left.actions).toEqual({ 'src/old.ts': 'left' });
    expect(left.state.disk).toEqual({ 'src/old.ts': EDIT });
    const later = await run(left.state, {});
    expect(later.actions).toEqual({});
    // Should something yield it again, it is not written over.
    const again = await run(later.state, { 'src/old.ts': V2 });
    expect(again.actions).toEqual({ 'src/old.ts': 'conflict' });
    expect(again.state.disk['src/old.ts']).toBe(EDIT);
  });

  test('that the team has deleted is forgotten', async () => {
    const state = edited(await generated({ 'src/old.ts': V1 }), { 'src/old.ts': undefined });
    const { state: after } = await ran(state, {});
    expect(after.known).toEqual([]);
  });

  test('and is the team’s from the first day goes only where it is as it was written', async () => {
    const once = ['a/hooks.ts', 'b/hooks.ts'];
    const state = await generated({ 'a/hooks.ts': V1, 'b/hooks.ts': V1 }, once);
    const result = await run(edited(state, { 'b/hooks.ts': EDIT }), {});
    expect(result.actions).toEqual({ 'a/hooks.ts': 'removed', 'b/hooks.ts': 'left' });
    expect(result.state.disk).toEqual({ 'b/hooks.ts': EDIT });
  });
});

describe('a file that is the team’s from the first day', () => {
  const once = ['hooks.ts'];

  test('is written where it is new, and never again', async () => {
    const state = await generated({ 'hooks.ts': V1 }, once);
    expect(state.disk).toEqual({ 'hooks.ts': V1 });
    await expectRun(state, { 'hooks.ts': V2 }, { actions: {}, disk: { 'hooks.ts': V1 }, once });
    await expectRun(
      edited(state, { 'hooks.ts': undefined }),
      { 'hooks.ts': V2 },
      { actions: {}, disk: {}, once },
    );
  });

  test('stays where the team was sooner', async () => {
    const state = edited(await generated({}), { 'hooks.ts': EDIT });
    await expectRun(state, { 'hooks.ts': V1 }, { actions: {}, disk: { 'hooks.ts': EDIT }, once });
  });
});

describe('a file that is replaced until the team edits it', () => {
  const untilEdited = [APP];
  /** Of a project without semicolons. */
  const style = (text: string): string => text.replaceAll(';', '');

  test.each([
    ['in the style of generated files', undefined],
    ['in a style of the project', style],
  ])('follows what is generated, %s', async (_what, own = (text: string) => text) => {
    const options = { untilEdited, style: own };
    const { state } = await ran(await generated({}), { [APP]: V1 }, options);
    expect(state.disk).toEqual({ [APP]: own(V1) });
    await expectRun(state, { [APP]: V1 }, { actions: {}, disk: { [APP]: own(V1) }, ...options });
    await expectRun(
      state,
      { [APP]: V2 },
      { actions: { [APP]: 'updated' }, disk: { [APP]: own(V2) }, ...options },
    );
    const mine = own('mine();\n');
    await expectRun(
      edited(state, { [APP]: mine }),
      { [APP]: V2 },
      { actions: { [APP]: 'kept' }, disk: { [APP]: mine }, ...options },
    );
  });

  test('is merged once more if an older version merged it', async () => {
    const before = edited(await generated({ [APP]: V1 }), { [APP]: EDIT });
    const after = await expectRun(
      before,
      { [APP]: V2 },
      { actions: { [APP]: 'merged' }, disk: { [APP]: BOTH }, untilEdited },
    );
    expect(after.known).toMatchObject([{ path: APP, ownership: 'until-edited' }]);
  });
});

describe('a fixture', () => {
  const path = 'test/fixtures/cars.ts';
  const untilEdited = [path];
  const fixture = (valid: string, another = valid): string =>
    [
      '/** The values that tests send of cars. */',
      "import { nth } from '../support/series.ts';",
      '',
      'export function valid(n = 0): CarInput {',
      `  return {${valid}};`,
      '}',
      '',
      'export function another(): CarInput {',
      `  return {${another}};`,
      '}',
      '',
    ].join('\n');
  const V1_MEMBERS = '\n    plate: `Plate ${n}`,\n    seats: 4,\n  ';
  const V2_MEMBERS = "\n    plate: `Plate ${n}`,\n    seats: 5,\n    maker: 'Maker 1',\n  ";
  const first = async (text = fixture(V1_MEMBERS)): Promise<State> =>
    (await run(EMPTY, { [path]: text }, { untilEdited })).state;

  test.each([
    ['a blank line at its end', (text: string) => `${text}\n`],
    ['blank lines within it', (text: string) => text.replaceAll('\n  return', '\n\n  return')],
    [
      'no semicolons and other quotes',
      (text: string) => text.replaceAll(';', '').replaceAll("'", '"'),
    ],
    [
      'objects on one line',
      (text: string) =>
        text.replaceAll(/\{\n +plate: 1,\n +seats: 4,\n +\}/g, '{ plate: 1, seats: 4 }'),
    ],
    ['parameters on several lines', (text: string) => text.replace('n = 0', '\n  n = 0,\n')],
  ])('is not edited by a format: %s', async (_what, format) => {
    const text = fixture('\n    plate: 1,\n    seats: 4,\n  ');
    const next = text.replaceAll('seats: 4', 'seats: 5');
    const mine = format(text);
    expect(mine).not.toBe(text);
    await expectRun(
      edited(await first(text), { [path]: mine }),
      { [path]: next },
      { actions: { [path]: 'updated' }, disk: { [path]: next }, untilEdited },
    );
  });

  test('keeps the values of the team, and takes new, removed and renamed members', async () => {
    const mine = fixture(
      "\n    // As the register has it.\n    plate: 'B-RV 1',\n    seats: 7, // with two in the boot\n  ",
      "\n    plate: 'B-RV 2',\n    seats: 2,\n    ...extras,\n  ",
    );
    const next = fixture(
      "\n    plate: `Plate number ${n}`,\n    maker: 'Maker 1',\n    seat_count: 5,\n  ",
      "\n    maker: 'Maker 1',\n    seat_count: 5,\n  ",
    );
    const result = await ran(
      edited(await first(), { [path]: mine }),
      { [path]: next },
      {
        untilEdited,
        fields: { seats: 'seat_count' },
      },
    );
    expect(result.actions).toEqual({ [path]: 'merged' });
    expect(result.outdated).toEqual([]);
    expect(result.state.disk[path]).toBe(
      fixture(
        "\n    // As the register has it.\n    plate: 'B-RV 1',\n    maker: 'Maker 1',\n    seat_count: 7, // with two in the boot\n  ",
        "\n    maker: 'Maker 1',\n    seat_count: 2,\n    ...extras,\n  ",
      ),
    );
    const later = await ran(result.state, { [path]: fixture(V1_MEMBERS) }, { untilEdited });
    expect(later.state.disk[path]).not.toContain('maker');
    expect(later.state.disk[path]).toContain("plate: 'B-RV 1'");
  });

  test('is named once where it is deleted, or has a form of the team’s own', async () => {
    const own = "export const valid = () => load('cars.json');\n";
    for (const text of [undefined, own]) {
      const state = edited(await first(), { [path]: text });
      const next = await ran(state, { [path]: fixture(V2_MEMBERS) }, { untilEdited });
      expect(next.outdated).toEqual([path]);
      expect(next.state.disk[path]).toBe(text);
      const again = await ran(next.state, { [path]: fixture(V2_MEMBERS) }, { untilEdited });
      expect(again.outdated).toEqual([]);
    }
  });
});

describe('a conflict', () => {
  const conflicting = async (): Promise<State> => {
    const state = edited(await generated({ [APP]: V1 }), { [APP]: CLASH });
    return expectRun(
      state,
      { [APP]: V2 },
      {
        actions: { [APP]: 'conflict' },
        disk: { [APP]: CLASH, [`${APP}.new`]: besideClash('FIVE();') },
      },
    );
  };

  test('leaves the file as it is, and puts the merge with markers beside it', async () => {
    await conflicting();
  });

  test('is resolved by removing the file beside, whatever was taken over', async () => {
    for (const resolution of [CLASH, V2, BOTH]) {
      const resolved = edited(await conflicting(), {
        [APP]: resolution,
        [`${APP}.new`]: undefined,
      });
      const after = await ran(resolved, { [APP]: V2 });
      expect(after.state.disk).toEqual({ [APP]: resolution });
      expect(after.state.open).toEqual([]);
      // What comes next is merged with what was resolved.
      const V3 = V2.replace('one', 'uno');
      const next = await ran(after.state, { [APP]: V3 });
      expect(next.state.disk[APP]).toContain(resolution === BOTH ? 'ONE' : 'uno');
    }
  });

  test('is no more where the file was brought in line, and its file beside goes', async () => {
    const resolved = edited(await conflicting(), { [APP]: BOTH });
    await expectRun(resolved, { [APP]: V2 }, { actions: { [APP]: 'kept' }, disk: { [APP]: BOTH } });
  });

  test('follows what the team edits while it is open', async () => {
    const edit = (text: string): string => text.replace('one', 'uno').replace('mine', 'my');
    await expectRun(
      edited(await conflicting(), { [APP]: edit(CLASH) }),
      { [APP]: V2 },
      {
        actions: { [APP]: 'conflict' },
        disk: { [APP]: edit(CLASH), [`${APP}.new`]: edit(besideClash('FIVE();')) },
      },
    );
  });

  test('stays open where the merge is taken over and its markers are left', async () => {
    const state = edited(await conflicting(), {
      [APP]: besideClash('FIVE();'),
      [`${APP}.new`]: undefined,
    });
    const { actions, state: after } = await ran(state, { [APP]: V2 });
    expect(actions).toEqual({ [APP]: 'conflict' });
    expect(after.disk[APP]).toBe(besideClash('FIVE();'));
  });

  test('follows what is generated while it is open', async () => {
    const V3 = V2.replace('FIVE', 'cinco');
    await expectRun(
      await conflicting(),
      { [APP]: V3 },
      {
        actions: { [APP]: 'conflict' },
        disk: { [APP]: CLASH, [`${APP}.new`]: besideClash('cinco();') },
      },
    );
  });

  test('does not write over a file beside that the team works on', async () => {
    const half = edited(await conflicting(), { [`${APP}.new`]: BOTH });
    const V3 = V2.replace('FIVE', 'cinco');
    await expectRun(
      half,
      { [APP]: V3 },
      {
        actions: { [APP]: 'conflict' },
        disk: { [APP]: CLASH, [`${APP}.new`]: BOTH, [`${APP}.new2`]: besideClash('cinco();') },
      },
    );
  });

  test('stays open in the file beside that the team works on, as long as the same is generated', async () => {
    const half = edited(await conflicting(), { [`${APP}.new`]: BOTH });
    const state = await expectRun(
      half,
      { [APP]: V2 },
      { actions: { [APP]: 'conflict' }, disk: { [APP]: CLASH, [`${APP}.new`]: BOTH } },
    );
    expect(state.open).toMatchObject([{ path: APP, newFile: `${APP}.new` }]);
  });

  test('follows what is generated in the style of the project, and its file beside goes at the end', async () => {
    const style = (text: string): string => text.replaceAll(';', '');
    const start = edited(await generated({ [APP]: V1 }), { [APP]: style(CLASH) });
    const { state } = await ran(start, { [APP]: V2 }, { style });
    expect(state.disk).toEqual({
      [APP]: style(CLASH),
      [`${APP}.new`]: besideClash('FIVE();', style),
    });
    const V3 = V2.replace('FIVE', 'cinco');
    const next = await expectRun(
      state,
      { [APP]: V3 },
      {
        actions: { [APP]: 'conflict' },
        disk: { [APP]: style(CLASH), [`${APP}.new`]: besideClash('cinco();', style) },
        style,
      },
    );
    await expectRun(
      edited(next, { [APP]: V3 }),
      { [APP]: V3 },
      { actions: {}, disk: { [APP]: V3 }, style },
    );
  });

  test('stays where nothing was done about it, also if what was in its way is no longer known', async () => {
    const state = { ...(await conflicting()), bases: new Map([[APP, CLASH]]) };
    await expectRun(
      state,
      { [APP]: V2 },
      {
        actions: { [APP]: 'conflict' },
        disk: { [APP]: CLASH, [`${APP}.new`]: besideClash('FIVE();') },
      },
    );
    // Whatever is done there is looked at anew.
    const worked = edited(state, { [APP]: CLASH.replace('one', 'uno') });
    const after = await ran(worked, { [APP]: V2 });
    expect(after.actions).toEqual({ [APP]: 'merged' });
    expect(after.state.disk).toEqual({ [APP]: V2.replace('one', 'uno') });
  });

  test('is no more where the file is deleted', async () => {
    const gone = edited(await conflicting(), { [APP]: undefined });
    await expectRun(gone, { [APP]: V2 }, { actions: { [APP]: 'absent' }, disk: {} });
  });

  test('is no more where nothing yields the file any more', async () => {
    const result = await run(await conflicting(), {});
    expect(result.actions).toEqual({ [APP]: 'left' });
    expect(result.state.disk).toEqual({ [APP]: CLASH });
  });

  test('is what becomes of a new output where the team has a file', async () => {
    const state = edited(await generated({}), { [APP]: EDIT, [`${APP}.new`]: 'theirs too\n' });
    const taken = await expectRun(
      state,
      { [APP]: V1 },
      {
        actions: { [APP]: 'conflict' },
        disk: { [APP]: EDIT, [`${APP}.new`]: 'theirs too\n', [`${APP}.new2`]: V1 },
      },
    );
    // Their file put elsewhere makes room for it.
    await expectRun(
      edited(taken, { [APP]: undefined, 'src/mine.ts': EDIT }),
      { [APP]: V1 },
      {
        actions: { [APP]: 'added' },
        disk: { 'src/mine.ts': EDIT, [APP]: V1, [`${APP}.new`]: 'theirs too\n' },
      },
    );
    // Or it stays, and is merged with what comes.
    const own = edited(taken, { [`${APP}.new2`]: undefined });
    await expectRun(
      own,
      { [APP]: V2 },
      { actions: { [APP]: 'merged' }, disk: { [APP]: BOTH, [`${APP}.new`]: 'theirs too\n' } },
    );
  });

  test.each(['folder', 'link'] as const)('is a %s in the place of a file', async (is) => {
    const state = edited(await generated({ [APP]: V1 }), { [APP]: { is } });
    await expectRun(state, { [APP]: V1 }, { actions: { [APP]: 'kept' }, disk: { [APP]: { is } } });
    await expectRun(
      state,
      { [APP]: V2 },
      { actions: { [APP]: 'conflict' }, disk: { [APP]: { is }, [`${APP}.new`]: V2 } },
    );
  });

  test('is a text too long to be merged', async () => {
    const long = `${V1}${'// '.padEnd(2_000_001, 'x')}\n`;
    const state = edited(await generated({ [APP]: V1 }), { [APP]: long });
    const result = await ran(state, { [APP]: V2 });
    expect(result.actions).toEqual({ [APP]: 'conflict' });
    expect(result.state.disk[APP]).toBe(long);
  });

  test('is a generated text too long to be merged', async () => {
    const long = `${V1}${'// '.padEnd(2_000_001, 'x')}\n`;
    const state = edited(await generated({ [APP]: V1 }), { [APP]: EDIT });
    const result = await ran(state, { [APP]: long });
    expect(result.actions).toEqual({ [APP]: 'conflict' });
    expect(result.state.disk).toEqual({ [APP]: EDIT, [`${APP}.new`]: long });
  });
});

describe('a file of a collection that was renamed', () => {
  const moves = { 'books/routes.ts': 'titles/routes.ts' };
  const [OLD, NEW] = ['books/routes.ts', 'titles/routes.ts'];

  test('goes along, with the edits of the team', async () => {
    const state = await generated({ [OLD]: V1 });
    await expectRun(
      state,
      { [NEW]: V2 },
      { actions: { [NEW]: 'moved' }, disk: { [NEW]: V2 }, moves },
    );
    await expectRun(
      edited(state, { [OLD]: EDIT }),
      { [NEW]: V2 },
      { actions: { [NEW]: 'merged' }, disk: { [NEW]: BOTH }, moves },
    );
  });

  test('goes along where it stays as it was', async () => {
    const state = edited(await generated({ [OLD]: V1 }), { [OLD]: EDIT });
    await expectRun(
      state,
      { [NEW]: V1 },
      { actions: { [NEW]: 'moved' }, disk: { [NEW]: EDIT }, moves },
    );
  });

  test('goes along as it is where it is in conflict', async () => {
    const state = edited(await generated({ [OLD]: V1 }), { [OLD]: CLASH });
    await expectRun(
      state,
      { [NEW]: V2 },
      {
        actions: { [NEW]: 'conflict' },
        disk: { [NEW]: CLASH, [`${NEW}.new`]: besideClash('FIVE();') },
        moves,
      },
    );
  });

  test('stays deleted under its new name', async () => {
    const state = edited(await generated({ [OLD]: V1 }), { [OLD]: undefined });
    await expectRun(state, { [NEW]: V2 }, { actions: { [NEW]: 'absent' }, disk: {}, moves });
  });

  test.each(['folder', 'link'] as const)('is new where a %s is in its old place', async (is) => {
    const state = edited(await generated({ [OLD]: V1 }), { [OLD]: { is } });
    const result = await run(state, { [NEW]: V2 }, { moves });
    expect(result.actions).toEqual({ [OLD]: 'left', [NEW]: 'added' });
    expect(result.state.disk).toEqual({ [OLD]: { is }, [NEW]: V2 });
  });

  test('does not come back under a path where the team has deleted it', async () => {
    const start = await generated({ [OLD]: V1, [NEW]: V1 });
    await expectRun(
      edited(start, { [NEW]: undefined }),
      { [NEW]: V2 },
      { actions: { [OLD]: 'removed', [NEW]: 'absent' }, disk: {}, moves },
    );
  });

  test('does not take the place of a file of the team', async () => {
    const state = edited(await generated({ [OLD]: V1 }), { [NEW]: EDIT });
    await expectRun(
      state,
      { [NEW]: V2 },
      {
        actions: { [OLD]: 'removed', [NEW]: 'conflict' },
        disk: { [NEW]: EDIT, [`${NEW}.new`]: V2 },
        moves,
      },
    );
  });
});

describe('two branches that met', () => {
  const BASE = lines('books,', 'reviews,');
  const OURS = lines('awards,', 'books,', 'reviews,');
  const THEIRS = lines('books,', 'reviews,', 'shops,');
  const NOW = lines('awards,', 'books,', 'reviews,', 'shops,');
  const LIST = 'list.txt';

  /** What git makes of the two: the manifest has both lines, the base is as given. */
  const met = async (base: string, disk: string): Promise<State> => {
    const start = await generated({ [LIST]: BASE });
    const [ours, theirs] = [
      await run(start, { [LIST]: OURS }),
      await run(start, { [LIST]: THEIRS }),
    ];
    const hashes = [ours, theirs].flatMap(({ state }) => state.known[0]?.hashes ?? []);
    return {
      ...ours.state,
      disk: { [LIST]: disk },
      known: [{ path: LIST, ownership: 'merged', hashes }],
      bases: new Map([[LIST, base]]),
    };
  };
  const marked = (ours: string, theirs: string): string =>
    `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> other\n`;

  test('and merged by themselves', async () => {
    await expectRun(await met(NOW, NOW), { [LIST]: NOW }, { actions: {}, disk: { [LIST]: NOW } });
  });

  test('of which either was taken, is what is generated now', async () => {
    for (const side of [OURS, THEIRS]) {
      const state = await met(marked(OURS, THEIRS), side);
      await expectRun(
        state,
        { [LIST]: NOW },
        { actions: { [LIST]: 'updated' }, disk: { [LIST]: NOW } },
      );
    }
  });

  test('with the marks of git, where nobody had edited either side', async () => {
    const state = await met(marked(OURS, THEIRS), marked(OURS, THEIRS));
    await expectRun(
      state,
      { [LIST]: NOW },
      { actions: { [LIST]: 'updated' }, disk: { [LIST]: NOW } },
    );
  });

  test('with the marks of git around edits: they are the team’s to resolve', async () => {
    const disk = marked(`mine,\n${OURS}`, THEIRS);
    const state = await met(marked(OURS, THEIRS), disk);
    await expectRun(
      state,
      { [LIST]: NOW },
      { actions: { [LIST]: 'conflict' }, disk: { [LIST]: disk, [`${LIST}.new`]: NOW } },
    );
  });

  test('of which one was taken with its edits: what the other added comes along', async () => {
    for (const side of [OURS, THEIRS]) {
      const state = await met(marked(OURS, THEIRS), side.replace('books', 'books // mine'));
      const { state: after, actions } = await ran(state, { [LIST]: NOW });
      expect(actions).toEqual({ [LIST]: 'merged' });
      expect(after.disk[LIST]).toBe(NOW.replace('books', 'books // mine'));
    }
  });
});

test('two branches that met in one place, brought together by hand: nothing is there twice', async () => {
  const [file, base] = ['list.txt', lines('books,', 'reviews,')];
  const met = `<<<<<<< HEAD\nawards,\n=======\nshops,\n>>>>>>> other\n${base}`;
  const now = lines('awards,', 'shops,', 'books,', 'reviews,');
  const mine = now.replace('books,', 'books, // mine');
  const start = edited(await generated({ [file]: now }), { [file]: mine });
  await expectRun(
    { ...start, bases: new Map([[file, met]]) },
    { [file]: now },
    { actions: { [file]: 'kept' }, disk: { [file]: mine } },
  );
});

test('a base that is lost is no reason to lose an edit', async () => {
  const start = await generated({ [APP]: V1 });
  const lost = { ...edited(start, { [APP]: EDIT }), bases: new Map<string, string>() };
  await expectRun(lost, { [APP]: V1 }, { actions: { [APP]: 'kept' }, disk: { [APP]: EDIT } });
  await expectRun(
    lost,
    { [APP]: V2 },
    {
      actions: { [APP]: 'conflict' },
      disk: {
        [APP]: EDIT,
        [`${APP}.new`]: lines(
          ...['<<<<<<< on disk', 'ONE();', '=======', 'one();', '>>>>>>> generated'],
          ...['two();', 'three();', 'four();'],
          ...['<<<<<<< on disk', 'five();', '=======', 'FIVE();', '>>>>>>> generated'],
        ),
      },
    },
  );
  const untouched = { ...start, bases: new Map<string, string>() };
  await expectRun(untouched, { [APP]: V2 }, { actions: { [APP]: 'updated' }, disk: { [APP]: V2 } });
});
