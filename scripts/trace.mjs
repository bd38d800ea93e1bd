/**
 * Finds the source of a stack trace from the report of a bug: `npm run --silent trace < trace.txt`, in a checkout of the
 * version that was reported. Places in `dist/` become places in `src/` and `node_modules/`; all else is printed as it is.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** A place in a file of `dist/`: `file:///…/dist/chunk-ABCDEFGH.js:12:345`. */
const PLACE = /[^\s(]*[/\\]dist[/\\](?<file>[\w-]+\.js):(?<line>\d+):(?<column>\d+)/g;

const maps = mkdtempSync(path.join(tmpdir(), 'create-service-trace-'));
try {
  execFileSync(process.execPath, [path.join(root, 'scripts/build.mjs'), '--maps', maps]);
  const trace = readFileSync(0, 'utf8');
  process.stdout.write(
    trace.replaceAll(PLACE, (place, file, line, column) => sourceOf(file, line, column) ?? place),
  );
  const unknown = [...trace.matchAll(PLACE)].find(({ groups }) => mapOf(groups.file) === undefined);
  if (unknown !== undefined) {
    console.error(`dist/${unknown.groups.file} is not of this version: check out its tag.`);
    process.exitCode = 1;
  }
} finally {
  rmSync(maps, { recursive: true });
}

/** The map of a file in `dist/`; undefined if this version has no such file. */
function mapOf(file) {
  const map = path.join(maps, `${file}.map`);
  return existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : undefined;
}

/** The place in a source: file, line and column, counted from 1. */
function sourceOf(file, line, column) {
  const found = mapOf(file)?.findOrigin(Number(line), Number(column));
  if (found?.fileName === undefined) return undefined;
  const source = path.relative(root, path.join(root, 'dist', found.fileName));
  return `${source}:${found.lineNumber}:${found.columnNumber}`;
}
