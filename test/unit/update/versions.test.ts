/** Which version is newer: the examples of Semantic Versioning 2.0.0, section 11. */
import { expect, test } from 'vitest';

import { compareVersions, newest } from '../../../src/update/versions.ts';

const RISING = [
  '0.9.0',
  '0.10.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '2.0.0',
  '2.1.0',
  '2.1.1',
];

test('each version is older than those after it', () => {
  for (const [at, one] of RISING.entries()) {
    for (const [against, other] of RISING.entries()) {
      expect(Math.sign(compareVersions(one, other)), `${one} and ${other}`).toBe(
        Math.sign(at - against),
      );
    }
  }
  expect(newest(RISING.toReversed())).toBe('2.1.1');
});

test('what a build says of itself has no part in the order', () => {
  expect(compareVersions('1.0.0+one', '1.0.0+another')).toBe(0);
});
