/** What the template of tests across versions says: what is written through one is read through another. */
import type { Names } from '../../model/names.ts';
import { testTargetsOf } from '../../model/test-targets.ts';
import type { Collection, Model } from '../../model/types.ts';
import { pathIn } from '../../model/versions.ts';
import { testIds } from './test-ids.ts';
import { olderTests } from './older-version.ts';
import type { FixtureImport, OlderPermissions, OlderView } from './older-version.ts';

/** The data of templates/collection/versions.test.ts.hbs. */
export interface VersionsTestView {
  readonly names: Names;
  /** The items that tests make in each version, and those of the current one. */
  readonly imports: readonly FixtureImport[];
  readonly current: string;
  readonly modules: readonly { readonly file: string; readonly suites: readonly string[] }[];
  readonly expected: readonly string[];
  /** The name of an id that no item has. */
  readonly noId: string;
  readonly older: readonly OlderView[];
  /** The versions that do not have it, and its path where it is. */
  readonly absent: readonly { readonly version: number; readonly path: string }[];
  /** The roles among those who ask, where permissions are looked at, and whether somebody owns items. */
  readonly callers: Pick<OlderPermissions, 'roles' | 'owned'> | undefined;
}

export function versionsTestView(stored: Collection, model: Model): VersionsTestView {
  const { versions } = model.service;
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
  const callers = older.find(({ permissions }) => permissions)?.permissions;
  const { noId } = testIds(stored.definition);
  const lastPath = pathIn(model, stored, has.at(-1) ?? versions.at(-1) ?? 1);
  return {
    names: stored.names,
    current: `test${now?.collection.names.pascal}`,
    imports: [...imports.values()].toSorted((one, other) => (one.file < other.file ? -1 : 1)),
    modules: [
      {
        file: 'version-job-tests',
        suites: older.some(({ jobOptions }) => jobOptions.length > 0) ? ['versionJobTests'] : [],
      },
      {
        file: 'version-permission-tests',
        suites: callers === undefined ? [] : ['makeVersionCallers', 'versionPermissionTests'],
      },
      {
        file: 'version-tests',
        suites: [
          ...(lacking.length > 0 ? ['versionAbsenceTests'] : []),
          ...(older.length > 0 ? ['versionTests'] : []),
        ],
      },
    ].filter(({ suites }) => suites.length > 0),
    expected: [
      ...new Set([...tests.flatMap((one) => one.expected), ...(lacking.length > 0 ? [noId] : [])]),
    ].toSorted(),
    older,
    callers,
    noId,
    absent: lacking.map((version) => ({ version, path: lastPath ?? stored.definition.name })),
  };
}
