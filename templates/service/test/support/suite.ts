/** What all suites of a collection share: their title, and an empty database for each test. */
import { beforeEach, describe } from 'vitest';

import { CURRENT_VERSION } from '../../src/platform/service.ts';
import type { TestService } from './service.ts';
import type { TestItems } from './test-items.ts';

/** Runs tests of a collection, each of which begins without items. */
export function suite(
  service: TestService,
  { words }: Pick<TestItems, 'words'>,
  tests: () => void,
): void {
  describe(titleOf(service, words), () => {
    beforeEach(() => service.clear());
    tests();
  });
}

/** The title of tests of a collection: older versions are named. */
const titleOf = ({ version }: TestService, words: string): string =>
  version === CURRENT_VERSION ? words : `${words} of version ${version}`;
