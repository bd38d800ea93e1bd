/** Emitted files pass the `format:check` of their project: the formatter gives the bytes that Prettier gives. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { check, getFileInfo } from 'prettier';
import type { Options } from 'prettier';
import { afterAll, expect, test } from 'vitest';

import { render } from '../../../src/api.ts';
import { sourcesIn } from '../../support/sources.ts';

const place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
afterAll(() => rmSync(place, { recursive: true }));

/** Most files are the same in each project. */
const known = new Set<string>();

test.each([
  'examples/bookshop.yaml',
  'test/definitions/everything',
  'test/e2e/definitions/existing-tables.yaml',
  'test/cases/minimal/definitions.yaml',
  'test/cases/accept-only/definitions.yaml',
  'test/cases/path-only/definitions.yaml',
  'test/cases/hostile/definitions.json',
  'test/cases/versions/definitions.yaml',
])('Prettier changes no file made of %s', async (definitions) => {
  const files = await render(sourcesIn(definitions), { name: 'service', tool: '0.0.0' });
  const textOf = (name: string): string => files.find((file) => file.path === name)?.text ?? '';
  const style = JSON.parse(textOf('.prettierrc.json')) as Options;
  const ignorePath = path.join(place, '.prettierignore');
  writeFileSync(ignorePath, textOf('.prettierignore'));
  const changed: string[] = [];
  let formatted = 0;
  for (const { path: file, text } of files) {
    const filepath = path.join(place, file);
    const { ignored, inferredParser } = await getFileInfo(filepath, { ignorePath });
    if (ignored || inferredParser === null) continue;
    formatted += 1;
    if (known.has(`${file}\n${text}`)) continue;
    known.add(`${file}\n${text}`);
    if (!(await check(text, { ...style, filepath }))) changed.push(file);
  }
  expect(changed).toEqual([]);
  expect(formatted).toBeGreaterThan(100);
});
