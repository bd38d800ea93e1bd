/** Which steps are on the way from one version to another. */
import { expect, test } from 'vitest';

import { movesSince, schemaStepsSince, UPGRADE_STEPS } from '../../../src/update/upgrade-steps.ts';
import { compareVersions } from '../../../src/update/versions.ts';

const STORY = {
  files: [
    { version: '0.2.0', from: 'src/a.ts', to: 'src/b.ts' },
    { version: '0.3.0', from: 'src/x.ts', to: 'src/y.ts' },
    { version: '1.0.0', from: 'src/b.ts', to: 'src/c.ts' },
  ],
  schema: ['0.2.0', '0.10.0', '1.0.0'].map((version) => ({
    version,
    summary: `What ${version} asks.`,
    sql: () => ['select 1;'],
  })),
};

test('a file that moved twice is found under the name that it had then', () => {
  const since = (version: string): object => Object.fromEntries(movesSince(version, STORY));
  expect(since('0.1.0')).toEqual({ 'src/a.ts': 'src/c.ts', 'src/x.ts': 'src/y.ts' });
  expect(since('0.2.0')).toEqual({ 'src/x.ts': 'src/y.ts', 'src/b.ts': 'src/c.ts' });
  expect(since('0.3.0')).toEqual({ 'src/b.ts': 'src/c.ts' });
  // What leads to a version is taken by its first test releases too.
  expect(since('1.0.0-beta.1')).toEqual({ 'src/b.ts': 'src/c.ts' });
  expect(since('1.0.0')).toEqual({});
});

test('the schema changes by the steps of later versions, in their order', () => {
  const since = (version: string): readonly string[] =>
    schemaStepsSince(version, STORY).map(({ version: at }) => at);
  expect(since('0.1.0')).toEqual(['0.2.0', '0.10.0', '1.0.0']);
  expect(since('0.9.0')).toEqual(['0.10.0', '1.0.0']);
  expect(since('1.0.0')).toEqual([]);
});

test('the steps of this tool stand in the order of their versions', () => {
  for (const list of [UPGRADE_STEPS.files, UPGRADE_STEPS.schema]) {
    const versions = list.map(({ version }) => version);
    expect(versions.toSorted(compareVersions)).toEqual(versions);
  }
});
