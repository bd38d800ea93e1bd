/** Command lines to copy mean what they say in a shell. */
import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { commandLine } from '../../../src/cli/shell.ts';

test('plain words stay plain', () => {
  expect(commandLine(['cd', '../my-api'])).toBe('cd ../my-api');
});

test.each(["it's here", 'a b', '$HOME', '`x`', '*', '', 'größe', '\\'])('%j', (word) => {
  const output = execFileSync('sh', ['-c', commandLine(['printf', '%s', word])]);
  expect(output.toString()).toBe(word);
});
