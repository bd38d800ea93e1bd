/** What the tests of merges share. */
import { expect } from 'vitest';

import { merge } from '../../src/merge/index.ts';
import type { Merged, ConflictPlace } from '../../src/merge/index.ts';

/** The three texts of a scenario. */
export interface Scenario {
  readonly base: string;
  readonly theirs: string;
  readonly ours: string;
  /** Files that go. */
  readonly removedFiles?: ReadonlySet<string>;
}

/** The merged text; fails on a conflict. */
export async function mergedText(path: string, scenario: Scenario): Promise<string> {
  return (await mergedOf(path, scenario)).text;
}

export async function mergedOf(path: string, scenario: Scenario): Promise<Merged> {
  const result = await merge({ path, ...scenario });
  expect(result).toMatchObject({ kind: 'merged' });
  return result as Merged;
}

/** Where it conflicts; fails on a merge. */
export async function places(path: string, scenario: Scenario): Promise<readonly ConflictPlace[]> {
  const result = await merge({ path, ...scenario });
  if (result.kind !== 'conflict') throw new Error(`merged:\n${result.text}`);
  return result.places;
}
