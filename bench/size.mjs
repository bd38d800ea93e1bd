/**
 * How much code a team receives, and how much of it a request passes: `npm run bench:size`.
 *
 * Counts the files and lines of `src` of a service of one collection with one field, what a further
 * collection adds, and the files whose functions run for one request, by V8's coverage, on PostgreSQL.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

import { makeBeside, makeDatabase, onPostgres, startService } from './service/harness.mjs';

const COVERAGE = fileURLToPath(new URL('./service/coverage.mjs', import.meta.url));
const JSON_BODY = { 'content-type': 'application/json' };

await onPostgres(async (database) => {
  const one = makeBeside('one', 'minimal.yaml');
  const [files, lines] = sizeOf(path.join(one, 'src'));
  const [ownFiles, ownLines] = sizeOf(path.join(one, 'src/collections/notes'));
  console.log(`src of a service of one collection: ${files} files, ${lines} lines`);
  console.log(`of them for the collection: ${ownFiles} files, ${ownLines} lines`);

  const report = path.join(one, 'coverage.json');
  const { child, origin } = await startService(
    await makeDatabase(database, 'size'),
    { NODE_OPTIONS: `--import ${COVERAGE}`, COVERAGE_FILE: report },
    one,
  );
  const ran = async () => {
    rmSync(report, { force: true });
    child.kill('SIGUSR2');
    while (!existsSync(report)) await sleep(10);
    await sleep(50);
    return JSON.parse(readFileSync(report, 'utf8'));
  };
  const authorization = `Basic ${Buffer.from('root:correct horse').toString('base64')}`;
  const headers = { ...JSON_BODY, authorization };
  const url = `${origin}/api/v1/notes`;
  const create = () => fetch(url, { method: 'POST', headers, body: '{"body":"x"}' });
  const { id } = await (await create()).json();
  const requests = {
    'GET of an item': () => fetch(`${url}/${id}`, { headers }),
    'GET of a list': () => fetch(url, { headers }),
    POST: create,
  };
  for (const [name, request] of Object.entries(requests)) {
    // Once for what happens only the first time.
    await (await request()).text();
    await ran();
    const answer = await request();
    if (!answer.ok) throw new Error(`${name} was answered ${answer.status}`);
    await answer.text();
    const passed = await ran();
    console.log(`\n${name} passes ${passed.length} files:\n  ${passed.join('\n  ')}`);
  }
});

/** The TypeScript files below a folder, and their lines. */
function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.ts'));
  const lines = files.map(
    (file) => readFileSync(path.join(folder, file), 'utf8').split('\n').length - 1,
  );
  return [files.length, lines.reduce((sum, count) => sum + count, 0)];
}
