/** Completion, as bash does it: the script is read by a bash, and asked what it would offer. */
import { symlinkSync } from 'node:fs';
import path from 'node:path';

import { execa } from 'execa';
import { expect, test } from 'vitest';

import { BIN, usePlace } from './support.ts';

const place = usePlace();

/** What bash offers for the last of some words. */
async function offered(...words: readonly string[]): Promise<string> {
  symlinkSync(BIN, path.join(place.path, 'create-service'));
  const script = `eval "$(create-service completion bash)"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _create_service; echo "\${COMPREPLY[*]}"`;
  const { stdout } = await execa('bash', ['-c', script, 'bash', ...words], {
    env: { PATH: [place.path, process.env['PATH']].join(path.delimiter) },
  });
  return stdout;
}

test.each([
  [['create-service', 'gen'], 'generate'],
  [['create-service', 'generate', '--allow'], '--allow-data-loss --allow-breaking --allow-wider'],
  [['create-service', 'generate', 'coll'], 'collection'],
  [['create-service', '--fr'], '--from'],
  [['create-service', '--cwd', 'x', '--no-i'], '--no-install'],
  [['create-service', '--json', 'gen'], 'generate'],
  [['create-service', 'check', '--no-i'], ''],
  [['create-service', 'explain', '--format', ''], 'table json mermaid states'],
  [['create-service', 'explain', '--da'], '--database'],
  [['create-service', 'new', '--package-manager', 'y'], 'yarn'],
  // Names of files are the shell's own affair.
  [['create-service', 'new', '--from', ''], ''],
  [['create-service', 'import', 'openapi'], ''],
  [['create-service', 'zzz'], ''],
])('%j', async (words, offer) => {
  expect(await offered(...words)).toBe(offer);
});
