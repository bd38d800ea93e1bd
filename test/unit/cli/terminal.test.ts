/** The questions, on a pseudo-terminal. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { execa } from 'execa';
import { describe, expect, test } from 'vitest';

import { BIN, usePlace } from './support.ts';

const place = usePlace();

describe('a terminal', () => {
  test('is asked where nothing was typed, and shown the command', async () => {
    const { output, exitCode } = await onTerminal([
      ['Which folder', 'shop\r'],
      ['start from?', '\r'],
      ['Install', 'n'],
    ]);
    expect(exitCode).toBe(0);
    expect(output).toContain('npx create-service shop --no-install');
    expect(existsSync(path.join(place.path, 'shop/package.json'))).toBe(true);
  });

  test('may answer with Ctrl-C', async () => {
    const { output, exitCode } = await onTerminal([['Which folder', '\u0003']]);
    expect(exitCode).toBe(130);
    expect(output).toContain('Interrupted: nothing was written.');
    expect(readdirSync(place.path)).toEqual([]);
  });
});

/** Runs on a pseudo-terminal; each answer is typed once its question is shown. */
async function onTerminal(
  answers: readonly (readonly [question: string, keys: string])[],
): Promise<{ output: string; exitCode: number | undefined }> {
  // A terminal of its own has no size, and text would be wrapped after each letter.
  const command = `stty cols 100 rows 40; exec ${process.execPath} ${BIN}`;
  const child = execa('script', ['-qec', command, '/dev/null'], {
    cwd: place.path,
    reject: false,
    env: { TERM: 'xterm', GIT_AUTHOR_NAME: 'Test', GIT_AUTHOR_EMAIL: 'test@example.org' },
  });
  let output = '';
  let next = 0;
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
    const answer = answers[next];
    if (answer === undefined || !output.includes(answer[0])) return;
    next += 1;
    setTimeout(() => child.stdin.write(answer[1]), 50);
  });
  const { exitCode } = await child;
  return { output, exitCode };
}
