/**
 * The three-way merge of one file: `base` was generated last, `ours` is on disk, `theirs` is generated now.
 *
 * An edit of the team that does not overlap with a change of the generator is kept; an overlap is a conflict, with
 * its line. Formatting, line endings and a byte order mark are no edits, and stay as the team has them if possible.
 */
import { withLayoutOf, normalizeText } from './layout.ts';
import { tryFormat } from './syntax.ts';
import { mergeLines, GIT_RULES } from './merge-lines.ts';
import { conflict, merged } from './types.ts';
import type { MergeConflict, MergeMethod, MergeResult, MergeSides, Side } from './types.ts';
import { isTypeScript, strategyOf } from './strategies.ts';
import type { RestoredText } from './typescript/index.ts';

export type { RestoredText } from './typescript/index.ts';
export type { MissingPart } from './typescript/context.ts';
export type { MergeConflict, MergeMethod, Merged, MergeResult, ConflictPlace } from './types.ts';

export interface MergeInput {
  /** Relative to the project; its name decides how the file is merged. */
  readonly path: string;
  /** The text that was generated last; undefined if it is lost. */
  readonly base: string | undefined;
  /** The text that is generated now. */
  readonly theirs: string;
  /** The text on disk. */
  readonly ours: string;
  /** Files of the project that this run removes, by their paths: nothing can be imported from them. */
  readonly removedFiles?: ReadonlySet<string> | undefined;
  /** New names of members by their old ones: comments and edits of a renamed member are kept. */
  readonly renamedMembers?: ReadonlyMap<string, string> | undefined;
}

/** Merges a file. Never throws for what a text holds: what cannot be merged is a conflict. */
export async function merge(input: MergeInput): Promise<MergeResult> {
  const { path, ours, removedFiles, renamedMembers } = input;
  const base = input.base === undefined ? undefined : normalizeText(input.base);
  const theirs = normalizeText(input.theirs);
  const mine = normalizeText(ours);
  const kept = merged(ours, 'kept');
  const as = (text: string, how: MergeMethod): MergeResult => merged(withLayoutOf(ours, text), how);

  if (mine === theirs || theirs === base) return kept;
  if (mine === base) return as(theirs, 'taken');

  const formatted = await tryFormat(path, mine);
  if (formatted === theirs) return kept;
  if (base === undefined) {
    return { ...conflictWithoutBase(mine, theirs), versions: { ours: mine, theirs } };
  }

  const strategy = strategyOf(path);
  const sides = { base, theirs, ours: mine, removedFiles, renamedMembers };
  const result = await strategy(sides, path);
  if (result.kind === 'merged') {
    // Lines that came together may need another layout.
    const text = formatted === mine ? await tryFormat(path, result.text) : result.text;
    return as(text ?? result.text, result.how);
  }
  const refused = async (): Promise<MergeConflict> => {
    const { ours: one, theirs: other } = await versionsOf(sides, path);
    if (formatted !== mine) return { ...result, versions: { ours: one, theirs: other } };
    // Lines that came together may need another layout, and a version need not parse.
    const [first, second] = [await tryFormat(path, one), await tryFormat(path, other)];
    return { ...result, versions: { ours: first ?? one, theirs: second ?? other } };
  };
  if (formatted === undefined || formatted === mine) return refused();

  // The file has a layout of its own: its formatted text is merged instead, and the result is then merged into the
  // original layout. If that conflicts, the formatted result is used.
  const styled =
    formatted === base
      ? merged(theirs, 'taken')
      : await strategy({ ...sides, ours: formatted }, path);
  if (styled.kind === 'conflict') return refused();
  const relaid = await strategy(
    { base: formatted, theirs: styled.text, ours: mine, renamedMembers },
    path,
  );
  return as(relaid.kind === 'merged' ? relaid.text : styled.text, styled.how);
}

/**
 * Finds the generated members, elements, statements and imports that an edit removed from a TypeScript file, and
 * restores them in its text. What the team moved, renamed or replaced is not missing.
 * @returns undefined if nothing is missing, or one of the texts does not parse.
 */
export async function restoreGenerated(
  path: string,
  generated: string,
  ours: string,
): Promise<RestoredText | undefined> {
  if (!isTypeScript(path)) return undefined;
  const mine = normalizeText(ours);
  const formatted = (await tryFormat(path, mine)) ?? mine;
  // The compiler takes a quarter of a second to load: most edits only add lines.
  const lines = new Set(formatted.split('\n').map((line) => line.trim()));
  if (
    normalizeText(generated)
      .split('\n')
      .every((line) => lines.has(line.trim()))
  )
    return undefined;
  const { restoreStructure } = await import('./typescript/index.ts');
  const restored = restoreStructure(path, normalizeText(generated), mine);
  if (restored === undefined || restored.parts.length === 0) return undefined;
  const text = formatted === mine ? await tryFormat(path, restored.text) : restored.text;
  return { ...restored, text: withLayoutOf(ours, text ?? restored.text) };
}

/** The merge in two versions: each takes one side where the sides conflict. */
async function versionsOf(sides: MergeSides, path: string): Promise<Record<Side, string>> {
  const strategy = strategyOf(path);
  const [ours, theirs] = await Promise.all([
    strategy({ ...sides, prefers: 'ours' }, path),
    strategy({ ...sides, prefers: 'theirs' }, path),
  ]);
  if (ours.kind === 'merged' && theirs.kind === 'merged') {
    return { ours: ours.text, theirs: theirs.text };
  }
  const byLines = (prefers: Side): string => {
    const result = mergeLines({ ...sides, prefers }, GIT_RULES);
    return result.kind === 'merged' ? result.text : sides[prefers];
  };
  return { ours: byLines('ours'), theirs: byLines('theirs') };
}

/** Two texts for one path, and no telling what of either is an edit. */
function conflictWithoutBase(mine: string, theirs: string): MergeConflict {
  const [ours, generated] = [mine.split('\n'), theirs.split('\n')];
  const first = ours.findIndex((line, index) => line !== generated[index]);
  const what =
    'this file differs from the newly generated text, and the text generated before it is not known';
  return conflict([{ line: Math.max(first, 0) + 1, what }]);
}
