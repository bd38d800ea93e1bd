/** What older versions have that the current one has otherwise: their own paths, and what changed since. */
import type { Model } from '../../model/types.ts';
import { versionChanges } from '../../render/views/changes.ts';
import type { VersionChange } from '../../render/views/changes.ts';
import { endpointAccess } from './endpoints.ts';
import type { EndpointAccess } from './endpoints.ts';

/** An older version that differs from the next one. */
export interface OlderVersion {
  readonly version: number;
  /** Its endpoints where they are not those of the current version. */
  readonly endpoints: readonly EndpointAccess[];
  /** What the version after it changed, and which that is. */
  readonly next: number;
  readonly changes: readonly VersionChange[];
}

/** The older versions, the newest first; none where versions do not differ. */
export function olderVersions(model: Model): readonly OlderVersion[] {
  if (model.versions === undefined) return [];
  return versionChanges(model).flatMap(({ version, before, changes }): OlderVersion[] => {
    const seen = model.versions?.models.get(before);
    if (seen === undefined) return [];
    return [{ version: before, endpoints: endpointAccess(seen), next: version, changes }];
  });
}

/** The changes as lines for people. */
export const olderVersionLines = (older: readonly OlderVersion[]): string[] =>
  older.flatMap(({ version, next, endpoints, changes }) => [
    '',
    `Version ${version} has these paths:`,
    ...new Set(endpoints.map(({ path }) => `  ${path}`)),
    `Version ${next} changed:`,
    ...(changes.length === 0 ? ['  nothing that clients see'] : changes.map(lineOf)),
  ]);

const lineOf = ({ what, before, now }: VersionChange): string =>
  `  ${what}: ${[before, now].filter((text) => text !== '').join(' -> ')}`.replaceAll('`', '');
