/**
 * A project that lives: the bookshop with everything that its team edits, and one change of its
 * definitions after another.
 */
import { beforeAll, describe, expect, test } from 'vitest';

import { merge } from '../../src/merge/index.ts';
import { parse } from '../../src/merge/typescript/source.ts';
import { formatFile } from '../../src/render/format.ts';
import { bookshop, DEFINITION_CHANGES, TEAM_EDITS } from './bookshop.ts';

/** Source without layout: what a formatter may change. */
const bare = (text: string): string => text.replaceAll(/[\s,]+/g, '').replaceAll(/\|?-+\|/g, '');

/** The lines of a text that another does not have. */
function added(text: string, base: string): string[] {
  const known = new Set(base.split('\n').map((line) => line.trim()));
  return text.split('\n').filter((line) => !known.has(line.trim()));
}

let base: ReadonlyMap<string, string>;
/** The files on disk, with all edits of the team. */
const ours = new Map<string, string>();

beforeAll(async () => {
  base = await bookshop();
  for (const [path, edits] of Object.entries(TEAM_EDITS)) {
    const text = edits.reduce((edited, edit) => edit.apply(edited), base.get(path) ?? '');
    ours.set(path, await formatFile(path, text));
  }
});

describe.each(DEFINITION_CHANGES)('$name', (change) => {
  test('the files have the edits of the team and what is generated anew', async () => {
    const theirs = await bookshop(change);
    for (const [path, edited] of ours) {
      const [before, generated] = [base.get(path) ?? '', theirs.get(path) ?? ''];
      const result = await merge({ path, base: before, theirs: generated, ours: edited });
      if (result.kind === 'conflict') throw new Error(`${path}: ${JSON.stringify(result.places)}`);
      const text = bare(result.text);
      // A line that both sides changed is there in a form of its own.
      const own = added(edited, before).filter((line) => !isShared(line, before, generated));
      for (const line of own) expect(text, path).toContain(bare(line));
      for (const line of added(generated, before).filter((one) => !isShared(one, before, edited))) {
        expect(text, path).toContain(bare(line));
      }
      expect(await formatFile(path, result.text), path).toBe(result.text);
      expect(!path.endsWith('.ts') || parse(path, result.text).ok, path).toBe(true);
      const again = await merge({ path, base: generated, theirs: generated, ours: result.text });
      expect(again, path).toMatchObject({ how: 'kept', text: result.text });
    }
  });
});

/** Whether a line is a changed form of one that the other side changed too. */
function isShared(line: string, before: string, other: string): boolean {
  const word = /[\w'"`/]+/.exec(line.trim())?.[0] ?? '';
  const start = line.slice(0, line.indexOf(word) + word.length);
  const gone = before.split('\n').filter((old) => !other.split('\n').includes(old));
  return gone.some((old) => old.startsWith(start));
}
