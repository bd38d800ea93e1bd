/**
 * What a newer version asks of an older project beyond a merge: files that are called otherwise now,
 * and changes of the schema that no definition asks for. A step is named by the version that it came
 * with, and is taken once, on the way past that version.
 */
import type { SchemaStep } from '../migration/schema-step.ts';
import { compareVersions } from './versions.ts';

/** A file that is called otherwise from a version on. The team's edits go along. */
interface FileStep {
  /** The first version that yields the file under its new name. */
  readonly version: string;
  readonly from: string;
  readonly to: string;
}

export interface UpgradeSteps {
  readonly files: readonly FileStep[];
  readonly schema: readonly SchemaStep[];
}

/**
 * All steps, the oldest first: a file that moves is `{ version, from, to }`, and a change of the schema is a
 * `SchemaStep`. None yet: no project is older than the first release.
 */
export const UPGRADE_STEPS: UpgradeSteps = { files: [], schema: [] };

/** The moves on the way from a version to this one: new paths by old ones. */
export function movesSince(
  version: string,
  { files }: UpgradeSteps = UPGRADE_STEPS,
): ReadonlyMap<string, string> {
  const moves = new Map<string, string>();
  for (const { version: at, from, to } of files) {
    if (compareVersions(at, version) <= 0) continue;
    // What was moved before and is moved again is found under its first name.
    const origin = [...moves].find(([, target]) => target === from)?.[0] ?? from;
    moves.set(origin, to);
  }
  return moves;
}

/** The changes of the schema on the way from a version to this one. */
export const schemaStepsSince = (
  version: string,
  { schema }: UpgradeSteps = UPGRADE_STEPS,
): SchemaStep[] => schema.filter(({ version: at }) => compareVersions(at, version) > 0);
