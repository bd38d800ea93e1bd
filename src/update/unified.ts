/** The difference of two texts as people read it: hunks of lines, as `diff -u` prints them. */
import { diffIndices } from 'node-diff3';

/** Lines around a change that show where it is. */
const CONTEXT = 3;

interface Edit {
  readonly from: number;
  readonly removed: readonly string[];
  readonly to: number;
  readonly added: readonly string[];
}

/**
 * @param before absent where there was no file.
 * @param after absent where there is none any more.
 * @returns lines; none where the texts are the same.
 */
export function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
): readonly string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const edits = diffIndices([...old], [...fresh]).map((edit): Edit => ({
    from: edit.buffer1[0],
    removed: edit.buffer1Content,
    to: edit.buffer2[0],
    added: edit.buffer2Content,
  }));
  if (edits.length === 0) return [];
  return [
    `--- ${before === undefined ? '/dev/null' : `a/${path}`}`,
    `+++ ${after === undefined ? '/dev/null' : `b/${path}`}`,
    ...hunksOf(edits).flatMap((hunk) => hunkLines(hunk, old)),
  ];
}

/** A last line without its end has a mark of its own, as in `diff`. */
function linesOf(text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return [];
  if (text.endsWith('\n')) return text.slice(0, -1).split('\n');
  const lines = text.split('\n');
  return [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`];
}

/** Edits whose surroundings meet are shown together. */
function hunksOf(edits: readonly Edit[]): readonly (readonly Edit[])[] {
  const hunks: Edit[][] = [];
  for (const edit of edits) {
    const last = hunks.at(-1)?.at(-1);
    const end = last === undefined ? -Infinity : last.from + last.removed.length;
    if (edit.from - end <= 2 * CONTEXT) hunks.at(-1)?.push(edit);
    else hunks.push([edit]);
  }
  return hunks;
}

function hunkLines(edits: readonly Edit[], old: readonly string[]): readonly string[] {
  const [first] = edits;
  const last = edits.at(-1);
  if (first === undefined || last === undefined) return [];
  const start = Math.max(0, first.from - CONTEXT);
  const end = Math.min(old.length, last.from + last.removed.length + CONTEXT);
  const lines: string[] = [];
  let at = start;
  for (const { from, removed, added } of edits) {
    lines.push(...old.slice(at, from).map((line) => ` ${line}`));
    lines.push(...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`));
    at = from + removed.length;
  }
  lines.push(...old.slice(at, end).map((line) => ` ${line}`));
  const freshStart = first.to - (first.from - start);
  const grown = edits.reduce((sum, { added, removed }) => sum + added.length - removed.length, 0);
  const head = `@@ -${range(start, end - start)} +${range(freshStart, end - start + grown)} @@`;
  return [head, ...lines].flatMap((line) => line.split('\n'));
}

/** Lines count from 1; of a range without lines the one before it is named. */
const range = (start: number, count: number): string =>
  `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`;
