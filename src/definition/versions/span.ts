/** Reads `since`, `until` and `name_in`: which versions have something, and what they call it. */
import type { Issues } from '../../reading/issues.ts';
import { checkSnakeCase } from '../names.ts';
import { quote } from '../../reading/quote.ts';
import type { Located } from '../../reading/shapes.ts';
import type { OlderNames, Span } from '../../types/reference.ts';
import type { Position } from '../../reading/position.ts';
import { checkKnownVersion, highestOf, lowestOf, type KnownVersions } from './known-versions.ts';
import type { UpTo } from '../../reading/version-shapes.ts';

/** The keys as they were read. */
export interface SpanReading {
  readonly since?: Located<number> & { readonly keyAt: Position };
  readonly until?: Located<number> & { readonly keyAt: Position };
  readonly name_in?: Located<readonly UpTo<string>[]> & { readonly keyAt: Position };
}

/** The context of functions that read version keys. */
export interface VersionContext {
  readonly issues: Issues;
  readonly versions: KnownVersions;
}

/** Reads which versions have something. `what` names it in messages: `field "price"`. */
export function readSpan(
  { since, until }: Pick<SpanReading, 'since' | 'until'>,
  what: string,
  { issues, versions }: VersionContext,
): Span {
  const isLater = (version: number): boolean => version > lowestOf(versions);
  const isOlder = (version: number): boolean => version < highestOf(versions);
  const first = since && checkKnownVersion(since, `since of ${what}`, versions, issues, isLater);
  const last = until && checkKnownVersion(until, `until of ${what}`, versions, issues, isOlder);
  if (first && since.value === lowestOf(versions)) {
    const message = `${what} has since ${since.value}, and that is the first version there is: all have it. Remove since.`;
    issues.add(since.keyAt, 'bad-span', message);
  }
  if (last && until.value >= highestOf(versions)) {
    const message = `${what} has until ${until.value}, and that is the highest version: nothing ends there. Remove until.`;
    issues.add(until.keyAt, 'bad-span', message);
  }
  if (since && until && since.value > until.value) {
    const message = `${what} has since ${since.value} and until ${until.value}: no version would have it. Write a since of ${until.value} or less.`;
    issues.add(since.at, 'bad-span', message);
  }
  return { ...(since && { since: since.value }), ...(until && { until: until.value }) };
}

/** Reads `name_in`. */
export function readOlderNames(
  { name_in: written, ...span }: SpanReading,
  name: string,
  what: string,
  context: VersionContext,
): OlderNames | undefined {
  if (written === undefined) return undefined;
  const { issues } = context;
  const names = readUpTo(written.value, `name_in of ${what}`, span, context);
  for (const [at, { value }] of names.entries()) {
    if (!checkSnakeCase(value.value, 'name_in', value.at, issues)) continue;
    const next = names[at + 1]?.value.value ?? name;
    if (next !== value.value) continue;
    const message = `name_in has ${quote(value.value)} for ${what}, which is called so in the next version too. Write what it was called, or remove it.`;
    issues.add(value.at, 'bad-span', message);
  }
  return names.map(({ version, value }) => ({
    upTo: version.value,
    name: value.value,
    at: value.at,
  }));
}

/** Reads a map from versions; sorted, with an issue for each version that is not an older one. */
export function readUpTo<T>(
  written: readonly UpTo<T>[],
  what: string,
  { since, until }: Pick<SpanReading, 'since' | 'until'>,
  { issues, versions }: VersionContext,
): readonly UpTo<T>[] {
  const sorted = written.toSorted((one, other) => one.version.value - other.version.value);
  for (const { version } of sorted) {
    const isOlder = (one: number): boolean => one < highestOf(versions);
    if (!checkKnownVersion(version, what, versions, issues, isOlder)) continue;
    if (version.value >= highestOf(versions)) {
      const message = `${what} names version ${version.value}, the highest: it is about older ones. Write an older one, or remove it.`;
      issues.add(version.at, 'bad-span', message);
    } else if (since !== undefined && version.value < since.value) {
      const message = `${what} names version ${version.value}, which does not have it: since is ${since.value}. Remove one.`;
      issues.add(version.at, 'bad-span', message);
    } else if (until !== undefined && version.value > until.value) {
      const message = `${what} names version ${version.value}, which does not have it: until is ${until.value}. Write ${until.value}.`;
      issues.add(version.at, 'bad-span', message);
    }
  }
  return sorted;
}

/**
 * Checks that something is in no version that lacks what it is a part of.
 * @param what the part, and what it is a part of: `field "price"`, `collection "books"`.
 */
export function checkWithin(
  part: Span,
  whole: Span,
  what: readonly [part: string, whole: string],
  at: Position,
  issues: Issues,
): void {
  const [inner, outer] = what;
  const isNowhere =
    (part.since ?? 0) > (whole.until ?? Infinity) || (part.until ?? Infinity) < (whole.since ?? 0);
  if (isNowhere) {
    const message = `${inner} is in no version that has ${outer}. Remove it, or its since and until.`;
    issues.add(at, 'bad-span', message);
    return;
  }
  for (const key of ['since', 'until'] as const) {
    const [own, limit] = [part[key], whole[key]];
    if (own === undefined || limit === undefined) continue;
    if (key === 'since' ? own >= limit : own <= limit) continue;
    const message = `${inner} has ${key} ${own}, and ${outer} has ${key} ${limit}: no other version has it. Write "${key}: ${limit}", or remove ${key}.`;
    issues.add(at, 'bad-span', message);
  }
}

/** Whether a version has something. */
export const isInVersion = ({ since = 0, until = Infinity }: Span, version: number): boolean =>
  version >= since && version <= until;

/** The entry that applies to a version: the first whose `upTo` is not below it. */
export const findUpTo = <T extends { readonly upTo: number }>(
  all: readonly T[] | undefined,
  version: number,
): T | undefined => all?.find((one) => one.upTo >= version);

/** The name of a collection or field in a version. */
export const nameInVersion = (
  { name, olderNames }: { readonly name: string; readonly olderNames?: OlderNames },
  version: number,
): string => findUpTo(olderNames, version)?.name ?? name;
