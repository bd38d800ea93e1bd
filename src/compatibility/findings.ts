/** Groups breaking changes by what they break: one message for all versions, with an advice. */
import type { Position } from '../reading/position.ts';
import type { BreakCode } from './break-catalogue.ts';
import type { Break, AdviceContext } from './types.ts';

/** A change that breaks clients, in words. */
export interface BreakingChange {
  readonly code: BreakCode;
  readonly at: Position;
  /** Those whose clients break; rising. */
  readonly versions: readonly number[];
  /** What changed and who breaks. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
}

/** The breaking changes of one version. */
export interface BrokenVersion {
  readonly version: number;
  readonly breaks: readonly Break[];
}

/**
 * Merges equal breaking changes of several versions; sorted by file, line and column.
 * @param served the versions that are served now.
 */
export function reportBreaks(
  broken: readonly BrokenVersion[],
  served: readonly number[],
): readonly BreakingChange[] {
  const groups = new Map<string, { readonly one: Break; readonly versions: number[] }>();
  for (const { version, breaks } of broken) {
    for (const one of breaks) {
      const { file, line, column } = one.at;
      const key = [one.code, file, line, column, one.what, one.who].join('\n');
      const group = groups.get(key) ?? { one, versions: [] };
      if (!group.versions.includes(version)) group.versions.push(version);
      groups.set(key, group);
    }
  }
  return [...groups.values()]
    .map(({ one, versions }) => breakingChange(one, versions, served))
    .toSorted(byPlace);
}

function breakingChange(
  one: Break,
  broken: readonly number[],
  served: readonly number[],
): BreakingChange {
  const versions = broken.toSorted((a, b) => a - b);
  const names = `version${versions.length === 1 ? '' : 's'} ${listed(versions)}`;
  return {
    code: one.code,
    at: one.at,
    versions,
    message: `breaks ${names}: ${one.what}: ${one.who}`,
    hint: one.advice(adviceContext(Math.max(...versions), served)),
  };
}

/** `1`, `1 and 2`, `1, 2 and 3`. */
const listed = (numbers: readonly number[]): string =>
  [numbers.slice(0, -1).join(', '), numbers.at(-1)].filter((part) => part !== '').join(' and ');

function adviceContext(last: number, served: readonly number[]): AdviceContext {
  const existing = served.find((version) => version > last);
  const next = existing ?? last + 1;
  return {
    last,
    next,
    write: (text) =>
      existing === undefined
        ? `Add version ${next} to "versions", and write ${text}.`
        : `Write ${text}.`,
  };
}

function byPlace({ at: one }: BreakingChange, { at: other }: BreakingChange): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}
