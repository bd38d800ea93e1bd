/**
 * Merging package.json: by keys, and dependencies as a team means them. A version that the team
 * raised is never lowered; what it took out stays out; what it moved stays where it is. Its package
 * manager is its own choice.
 */
import { mergeJsonKeys } from './json.ts';
import type { MergeResult, MergeSides } from './types.ts';
import { REMOVED } from './value-difference.ts';
import type { ValueChange, Decide, Members, ValuePath, Value } from './value-difference.ts';
import { isVersion, mergeVersions } from './versions.ts';

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** Merges three versions of a package.json. */
export async function mergePackageJson(versions: MergeSides): Promise<MergeResult> {
  return mergeJsonKeys(versions, decide, moved);
}

/** Settles what both sides changed, where it is about versions. */
const decide: Decide = (at, { base, ours, theirs }) => {
  if (at.length === 1 && at[0] === 'packageManager') return ours ?? REMOVED;
  if (!isAboutVersions(at)) return undefined;
  // Taken out by the team, or no longer needed by what is generated: the team's word holds.
  if (ours === undefined) return REMOVED;
  if (theirs === undefined) return ours;
  if (typeof ours !== 'string' || typeof theirs !== 'string') return undefined;
  const isOrdered = SECTIONS.includes(String(at[0])) || (isVersion(ours) && isVersion(theirs));
  return isOrdered ? mergeVersions(textOf(base), ours, theirs) : undefined;
};

const isAboutVersions = (at: ValuePath): boolean =>
  (at.length === 2 && [...SECTIONS, 'engines'].includes(String(at[0]))) ||
  (at.length > 1 && (at[0] === 'overrides' || at[0] === 'resolutions'));

/** Raises dependencies that the team moved to another section. */
function moved(base: Value, ours: Value, theirs: Value): ValueChange[] {
  return SECTIONS.flatMap((section) =>
    Object.entries(sectionOf(theirs, section)).flatMap(([name, version]): ValueChange[] => {
      const old = sectionOf(base, section);
      const before = Object.hasOwn(old, name) ? old[name] : undefined;
      const home = SECTIONS.find(
        (other) => other !== section && Object.hasOwn(sectionOf(ours, other), name),
      );
      const isMoved = before !== undefined && !Object.hasOwn(sectionOf(ours, section), name);
      if (home === undefined || !isMoved || Object.hasOwn(sectionOf(theirs, home), name)) return [];
      const own = textOf(sectionOf(ours, home)[name]);
      const generated = textOf(version);
      if (own === undefined || generated === undefined || before === version) return [];
      return [
        { kind: 'set', at: [home, name], value: mergeVersions(textOf(before), own, generated) },
      ];
    }),
  );
}

function sectionOf(value: Value, section: string): Members {
  const found = (value as Members)[section];
  return typeof found === 'object' && found !== null ? (found as Members) : {};
}

const textOf = (value: Value | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
