/**
 * The order of test files: those that take minutes begin first, the longest of them before all, for
 * one that begins last would keep all but one core idle at the end.
 */
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** By what they took, longest first. */
const LONG = [
  'e2e/journey',
  'e2e/collections',
  'e2e/pairs',
  'e2e/emitted/everything',
  'e2e/emitted/versions',
  'e2e/emitted/existing-tables',
  'e2e/generate',
  'e2e/webhooks',
  'e2e/existing-tables',
  'e2e/packed',
  'e2e/migrations',
  'e2e/guide',
  'e2e/versions',
  'e2e/members',
  'e2e/faults',
  'e2e/jobs',
  'e2e/emitted/mixed',
  'e2e/own-code',
  'e2e/container',
  'e2e/openapi',
  'e2e/emitted/many-versions',
  'e2e/emitted/bookshop',
  'e2e/preconditions',
  'unit/cli/interruptions',
  'unit/cli/generate',
  'unit/regenerate/lives',
  'unit/regenerate/replay-migrations',
  'unit/regenerate/branches',
].map((name) => `/test/${name}.test.ts`);

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((name) => moduleId.endsWith(name));
  return at === -1 ? LONG.length : at;
};

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is not that of arrays
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => rank(one) - rank(other));
  }
}
