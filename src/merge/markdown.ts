/** Merging Markdown: by lines, and tables by their cells. */
import { mergeLines } from './merge-lines.ts';
import type { LineRules } from './merge-lines.ts';
import { merged } from './types.ts';
import type { MergeResult, MergeSides } from './types.ts';

/** Prose: paragraphs that both sides add are both wanted. */
const PROSE: LineRules = { neighbours: 'apart', additions: 'both' };

/**
 * Merges three versions of a Markdown text. Where a table grew wider, all of its lines differ by
 * blanks: these are left out, and come back when the file is formatted. Where both sides changed
 * rows beside each other, or cells of one, each cell counts as a line; and a row that one side added
 * stays where the other removed those around it.
 */
export async function mergeMarkdown(versions: MergeSides): Promise<MergeResult> {
  const result = mergeLines({ ...versions, prefers: undefined }, PROSE);
  if (result.kind === 'merged') return result;
  const narrowed = each(versions, narrow);
  const tight = mergeLines(narrowed, PROSE);
  if (tight.kind === 'merged') return tight;
  const byCells = mergeLines(each(versions, split), { ...PROSE, isLoose: isCell });
  const text = byCells.kind === 'merged' ? joined(byCells.text) : undefined;
  if (text !== undefined) return merged(text, 'lines');
  return versions.prefers === undefined
    ? tight
    : mergeLines({ ...narrowed, prefers: versions.prefers }, PROSE);
}

const each = (
  { base, theirs, ours }: MergeSides,
  change: (text: string) => string,
): MergeSides => ({
  base: change(base),
  theirs: change(theirs),
  ours: change(ours),
});

const ROW = /^\|.*\|$/gm;

/** The text with the rows of its tables as short as they can be; line by line. */
const narrow = (text: string): string =>
  text.replaceAll(ROW, (row) => row.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---'));

/** What marks a line that is a cell, and the end of a row; no text holds them. */
const CELL = '\u0000';
const END = '\u0001';

const isCell = (line: string): boolean => line.startsWith(CELL) || line === END;

/** The text with a line for each cell of its tables. */
const split = (text: string): string =>
  narrow(text).replaceAll(ROW, (row) =>
    [...row.slice(1, -1).split(/(?<!\\)\|/), END]
      .map((cell) => (cell === END ? cell : `${CELL}${cell.trim()}`))
      .join('\n'),
  );

/** The text with its rows whole again; undefined where one has not the cells that its table has. */
function joined(text: string): string | undefined {
  const lines: string[] = [];
  let [cells, width]: [string[], number | undefined] = [[], undefined];
  for (const line of text.split('\n')) {
    if (line.startsWith(CELL)) {
      cells.push(line.slice(CELL.length));
    } else if (line === END) {
      if (cells.length !== (width ?? cells.length) || cells.length === 0) return undefined;
      lines.push(`| ${cells.join(' | ')} |`);
      [cells, width] = [[], cells.length];
    } else {
      if (cells.length > 0) return undefined;
      lines.push(line);
      width = undefined;
    }
  }
  return cells.length > 0 ? undefined : lines.join('\n');
}
