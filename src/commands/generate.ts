/**
 * The pipeline for a project that lives: all is decided in memory (`src/commands/plan-run.ts`); the last act is
 * one commit.
 */
import path from 'node:path';

import type { SourceFile } from '../reading/position.ts';
import { realFileSystem as fs } from '../disk/file-system.ts';
import { applyChanges, recover } from '../disk/journal.ts';
import type { Recovery } from '../disk/journal.ts';
import { requireInside } from '../disk/inside.ts';
import { MANIFEST } from '../disk/manifest.ts';
import { takeLock } from '../disk/run-lock.ts';
import type { Owner } from '../disk/staging.ts';
import { displayPath } from '../shared/display-path.ts';
import { locateProject } from '../project/open.ts';
import { throwIfInterrupted } from './interruption.ts';
import { planRun } from './plan-run.ts';
import type { InvalidDefinitions, RunPlan } from './plan-run.ts';
import type { UpgradeSteps } from '../update/upgrade-steps.ts';

export interface GenerateRequest {
  /** Absolute: the project is this folder or one above it. */
  readonly cwd: string;
  readonly added?: SourceFile;
  readonly steps?: UpgradeSteps;
  /** A file in which what an edit removed is written again, absolute. */
  readonly restore?: string | undefined;
  readonly dryRun: boolean;
  readonly allowDataLoss: boolean;
  readonly allowBreaking: boolean;
  readonly allowWider: boolean;
  readonly interrupted: AbortSignal;
  readonly owner: Owner;
  readonly isAlive: (pid: number) => boolean;
}

export type GenerateResult = {
  /** What a run that was killed had begun. */
  readonly recovered: Recovery | undefined;
} & (
  | InvalidDefinitions
  | (RunPlan & {
      /** What was not allowed: with any, nothing is written. */
      readonly refused: readonly Refusal[];
    })
);

/** What a person has to agree to. */
export type Refusal = 'data-loss' | 'breaking' | 'wider';

/**
 * Brings a project up to date, whole or not at all.
 * @throws UserError where it cannot be done.
 */
export async function generate(request: GenerateRequest): Promise<GenerateResult> {
  const { cwd, dryRun, owner, isAlive } = request;
  const folder = locateProject(cwd);
  const shown = (file: string): string => displayPath(cwd, path.join(folder, file));
  // The lock, and all that a run keeps, are written into this folder.
  if (!dryRun) requireInside(fs, folder, [MANIFEST], shown);
  const release = dryRun
    ? () => undefined
    : takeLock(fs, folder, { owner, isAlive, shown: shown('.') });
  try {
    const recovered = dryRun ? undefined : recover(fs, folder, shown);
    const restore =
      request.restore && path.relative(folder, request.restore).split(path.sep).join('/');
    const plan = await planRun({ folder, ...request, restore });
    if (!plan.ok) return { ...plan, recovered };
    const refused = refusalsOf(plan, request);

    // A signal that came meanwhile has its turn first.
    await throwIfInterrupted(request.interrupted);
    if (refused.length === 0 && !dryRun) applyChanges(fs, folder, plan.changes, shown);
    return { ...plan, refused, recovered };
  } finally {
    release();
  }
}

function refusalsOf(
  { migration, breaking, wider }: RunPlan,
  { allowDataLoss, allowBreaking, allowWider }: GenerateRequest,
): readonly Refusal[] {
  const losses = migration?.losses.length ?? 0;
  return [
    ...(losses > 0 && !allowDataLoss ? (['data-loss'] as const) : []),
    ...(breaking.length > 0 && !allowBreaking ? (['breaking'] as const) : []),
    ...(wider.length > 0 && !allowWider ? (['wider'] as const) : []),
  ];
}
