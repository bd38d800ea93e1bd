/** Counts that documents state are those of the code. `npm run cases` writes them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeAll, expect, test } from 'vitest';

import { render } from '../src/api.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const UPDATE = process.env['UPDATE_CASES'] === '1';
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const grouped = (count: number): string => count.toLocaleString('en-US');
const rounded = (count: number, to: number): string => grouped(Math.round(count / to) * to);

/** What stands for each group of a pattern. */
const counts = new Map<string, readonly string[]>();
beforeAll(async () => {
  const files = await render({ path: 'notes.yaml', text: read('examples/minimal.yaml') });
  const below = (folder: string) =>
    files.filter((file) => file.path.startsWith(folder) && file.path.endsWith('.ts'));
  const lines = (folder: string): number =>
    below(folder).reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  counts.set('size', [
    grouped(below('src/').length),
    rounded(lines('src/'), 100),
    grouped(below('src/collections/notes/').length),
    rounded(lines('src/collections/notes/'), 10),
  ]);
  const rows = readdirSync(path.join(ROOT, 'examples/atlas/rows')).map(
    (file) => (JSON.parse(read(`examples/atlas/rows/${file}`)) as readonly unknown[]).length,
  );
  const total = rows.reduce((sum, count) => sum + count, 0);
  counts.set('atlas', [grouped(rows.length), grouped(total)]);
});

test.each([
  [
    'size',
    'docs/speed.md',
    /has ([\d,]+) files and about ([\d,]+) lines in `src`; ([\d,]+) files and about ([\d,]+) lines\n/,
  ],
  ['atlas', 'README.md', /with ([\d,]+) collections and ([\d,]+) rows/],
  [
    'atlas',
    'examples/atlas/README.md',
    /: ([\d,]+) collections that[^]*?definition language, and ([\d,]+) rows/,
  ],
])('the %s in %s', (what, file, pattern) => {
  const text = read(file);
  const [found, ...stated] = pattern.exec(text) ?? [];
  const counted = counts.get(what) ?? [];
  if (UPDATE && found !== undefined) {
    const next = counted.values();
    const written = found.replaceAll(/\d[\d,]*/g, (one) => next.next().value ?? one);
    writeFileSync(path.join(ROOT, file), text.replace(found, written));
    return;
  }
  expect(stated).toEqual(counted);
});
