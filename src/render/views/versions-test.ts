/** What the template of tests across versions says: what is written through one is read through another. */
import type { Names } from '../../model/names.ts';
import { testTargetsOf } from '../../model/test-targets.ts';
import type { Collection, Model } from '../../model/types.ts';
import { pathIn } from '../../model/versions.ts';
import { assignedView } from './assigned.ts';
import type { AssignedView } from './assigned.ts';
import { tableView } from './existing.ts';
import type { TableView } from './existing.ts';
import { testIds } from './test-ids.ts';
import { olderTests } from './older-version.ts';
import type { FixtureImport, OlderView } from './older-version.ts';
import type { OlderPermissionsView } from './permission-test.ts';

/** The data of templates/collection/versions.test.ts.hbs. */
export interface VersionsTestView extends AssignedView, TableView {
  readonly names: Names;
  /** What is imported: how items are made in each version. */
  readonly imports: readonly FixtureImport[];
  readonly expected: readonly string[];
  /** The name of an id that no item has. */
  readonly noId: string;
  readonly older: readonly OlderView[];
  /** The versions that do not have it, and its path where it is. */
  readonly absent: readonly { readonly version: number; readonly path: string }[];
  /** The roles among those who ask, where permissions are looked at, and whether somebody owns items. */
  readonly callers: Pick<OlderPermissionsView, 'roles' | 'owned'> | undefined;
  /** Whether jobs are looked at. */
  readonly jobs: boolean;
}

export function versionsTestView(stored: Collection, model: Model): VersionsTestView {
  const { versions } = model.service;
  const current = versions.at(-1) ?? 1;
  const targets = testTargetsOf(model).filter(({ collection }) => collection.code === stored.code);
  const now = targets.find(({ isCurrent }) => isCurrent);
  const tests = targets
    .filter((one) => !one.isCurrent && one.hasTests)
    .flatMap((one) => (now === undefined ? [] : (olderTests(stored, one, now, model) ?? [])))
    .toReversed();
  const older = tests.map(({ view }) => view);
  const has = versions.filter((version) => pathIn(model, stored, version) !== undefined);
  const lacking = versions.filter((version) => !has.includes(version));
  const imports = new Map(tests.flatMap((one) => one.imports).map((one) => [one.name, one]));
  const jobs = older.some(({ failing }) => failing !== undefined);
  const { noId } = testIds(stored.definition);
  return {
    ...assignedView(stored),
    ...tableView(stored, model),
    names: stored.names,
    imports: [...imports.values()].toSorted((one, other) => (one.file < other.file ? -1 : 1)),
    expected: [
      ...(tests.some(({ expectsDay }) => expectsDay) ? ['A_DAY'] : []),
      ...(older.length > 0
        ? [...(stored.definition.times.includes('updated_at') ? ['A_TIME'] : []), 'computedOf']
        : []),
      ...new Set([
        ...(lacking.length > 0 ? [noId] : []),
        ...older.flatMap(({ failing, permissions }) => [
          ...(failing === undefined ? [] : [failing.noId]),
          ...(permissions?.references ?? []).map((one) => one.noId),
        ]),
      ]),
    ],
    older,
    callers: older.find(({ permissions }) => permissions)?.permissions,
    jobs,
    noId,
    absent: lacking.map((version) => ({
      version,
      path: pathIn(model, stored, has.at(-1) ?? current) ?? stored.definition.name,
    })),
  };
}
