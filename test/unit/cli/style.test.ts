/** Whether output is coloured: the option, then FORCE_COLOR, then NO_COLOR, then the terminal. */
import { expect, test } from 'vitest';

import { wantsColor } from '../../../src/cli/style.ts';

test.each([
  ['a terminal', true, {}, true, true],
  ['a pipe', true, {}, false, false],
  ['a terminal that cannot', true, { TERM: 'dumb' }, true, false],
  ['NO_COLOR', true, { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR', true, { NO_COLOR: '' }, true, true],
  ['FORCE_COLOR in a pipe', true, { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR before NO_COLOR', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, true, false],
  ['--no-color before FORCE_COLOR', false, { FORCE_COLOR: '1' }, true, false],
])('%s', (_name, option, env, isTerminal, expected) => {
  expect(wantsColor(option, env, isTerminal)).toBe(expected);
});
