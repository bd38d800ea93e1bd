/** What the parts of a structural merge share. */
import { ts } from 'ts-morph';

import { quoteExcerpt, quoteExcerpts } from '../excerpts.ts';
import { GIT_RULES, mergeLines } from '../merge-lines.ts';
import type { ConflictPlace, MergeSides, Side } from '../types.ts';
import { keyOf } from './keys.ts';
import { lineAt } from './source.ts';

/** A piece that both sides want differently, in the versions that have it. */
interface NodeConflict {
  readonly base?: ts.Node;
  readonly ours?: ts.Node;
  readonly theirs?: ts.Node;
  /** The line on disk where it would stand; needed where the disk does not have it. */
  readonly line?: number;
  /** The sentence, where it is not the usual one. */
  readonly what?: string;
  /** Whether no side of an element is to be taken, but one of the list that it stands in. */
  readonly isOfList?: boolean;
}

/** A generated piece that a file lacks: an edit removed it. */
export interface MissingPart {
  /** The line on disk where it would stand, from 1. */
  readonly line: number;
  /** What it is and where it belongs: "`price` in `BookBody`". */
  readonly name: string;
}

export interface Context {
  readonly places: ConflictPlace[];
  /** The side that is taken where the sides conflict. */
  readonly prefers: Side | undefined;
  /** New names of members by their old ones. */
  readonly renamedMembers: MergeSides['renamedMembers'];
  /**
   * The generated pieces that were restored; undefined in a merge. To restore, the generated text is base and theirs,
   * and an element of it that the disk lacks is written again.
   */
  readonly restored: MissingPart[] | undefined;
  /** How many conflicts were of a list. */
  readonly ofLists: number;
  /** Merges a node; the text is that of the node on disk. */
  merge(base: ts.Node, ours: ts.Node, theirs: ts.Node): string;
  /** Merges comments by lines; undefined where they conflict. */
  lines(base: string, ours: string, theirs: string): string | undefined;
  /** Records a conflict; gives the side to take. */
  clash(clash: NodeConflict): Side;
}

export function newContext(
  merge: (base: ts.Node, ours: ts.Node, theirs: ts.Node, context: Context) => string,
  { prefers, renamedMembers }: Pick<MergeSides, 'prefers' | 'renamedMembers'>,
  restored?: MissingPart[],
): Context {
  const places: ConflictPlace[] = [];
  let ofLists = 0;
  const context: Context = {
    places,
    prefers,
    renamedMembers,
    restored,
    get ofLists() {
      return ofLists;
    },
    merge: (base, ours, theirs) => merge(base, ours, theirs, context),
    lines(base, ours, theirs) {
      const result = mergeLines({ base, ours, theirs, prefers }, GIT_RULES);
      return result.kind === 'merged' ? result.text : undefined;
    },
    clash: (clash) => {
      const line = clash.ours === undefined ? clash.line : lineOf(clash.ours);
      const known = clash.ours ?? clash.base ?? clash.theirs;
      const label = known === undefined ? '' : labelOf(known);
      places.push({ line: line ?? 1, what: `${label}${clash.what ?? sentence(clash)}` });
      if (clash.isOfList === true) ofLists += 1;
      return prefers ?? 'ours';
    },
  };
  return context;
}

const lineOf = (node: ts.Node): number => lineAt(node.getSourceFile(), node.getStart());

function sentence({ base, ours, theirs }: NodeConflict): string {
  const texts = [ours, theirs].map((node) => node?.getText() ?? '') as [string, string];
  const [here, generated] =
    ours === undefined || theirs === undefined ? texts.map(quoteExcerpt) : quoteExcerpts(...texts);
  if (ours === undefined) return `removed here; generated now: ${generated}`;
  if (theirs === undefined) return `changed here to ${here}; no longer generated`;
  if (base === undefined) return `added here: ${here}; generated at the same place: ${generated}`;
  return `changed here to ${here}; generated now: ${generated}`;
}

/** What a piece is called, and the nearest thing around it that has a name. */
export function nameOf(node: ts.Node): string {
  const own = keyOf(node)?.label ?? quoteExcerpt(node.getText());
  if (ts.isSourceFile(node.parent)) return own;
  const around = labelOf(node.parent).slice(0, -': '.length);
  const statement = ts.findAncestor(node.parent, ts.isStatement);
  return `${own} in ${around === '' ? quoteExcerpt(statement?.getText() ?? '') : around}`;
}

/** What a piece belongs to: the nearest thing around it that has a name. */
function labelOf(node: ts.Node): string {
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    const key = keyOf(at);
    if (key !== undefined) return `${key.label}: `;
  }
  return '';
}
