/** The command `npm run migrate` applies pending migrations, or reports them, and exits. */
import { parseArgs } from 'node:util';

import { loadConfig } from './config.ts';
import type { OpenDatabase } from './platform/database/database.ts';
import { loadMigrations, migrate } from './platform/database/migrate.ts';
import { openDatabase, PATIENCE, waitForDatabase } from './platform/database/open.ts';
import {
  formatPlan,
  formatStatus,
  planMigrations,
  readStatus,
} from './platform/database/report-migrations.ts';
import { formatCount } from './platform/database/table-sizes.ts';
import { errorText } from './platform/log.ts';

const USAGE = `Usage: npm run migrate -- [--plan | --status | --contract] [--json]
  --plan      print what would be applied, with its tables and locks
  --status    print what was applied, and what is pending
  --contract  apply files with "-- contract" although processes of older versions run
  --json      print one JSON document`;
/** Milliseconds between two lines of progress, unless a terminal shows them. */
const PROGRESS_INTERVAL = 5_000;
/** Milliseconds in which a second signal is a duplicate (`server.ts`). */
const DUPLICATE_SIGNAL_WINDOW = 1_000;

const options = readOptions();
const stop = new AbortController();
let stoppedAt = 0;
let printedAt = -PROGRESS_INTERVAL;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (!stop.signal.aborted) stoppedAt = performance.now();
    else if (performance.now() - stoppedAt > DUPLICATE_SIGNAL_WINDOW) process.exit(1);
    stop.abort(new Error(`${signal} stopped the run`));
  });
}

try {
  const config = loadConfig();
  const database = await openDatabase(config);
  try {
    await waitForDatabase(config, () => run(database), console.error, PATIENCE);
  } finally {
    await database.close();
  }
} catch (error) {
  const isStopped = error === stop.signal.reason;
  const message = isStopped
    ? `${errorText(error)}: the next run goes on from there.`
    : `The migration failed. ${errorText(error)}`;
  console.error(message);
  if (options.json) console.log(JSON.stringify({ error: message }));
  process.exitCode = 1;
}

async function run(database: OpenDatabase): Promise<void> {
  stop.signal.throwIfAborted();
  const migrations = await loadMigrations();
  if (options.plan) {
    const plan = await planMigrations(database, migrations);
    print({ plan }, plan.length === 0 ? ['Nothing to migrate.'] : formatPlan(plan));
  } else if (options.status) {
    const status = await readStatus(database, migrations);
    print(status, formatStatus(status));
  } else {
    const result = await migrate(database, {
      onWait: console.error,
      onProgress: printProgress,
      forceContract: options.contract,
      signal: stop.signal,
    }).finally(() => {
      if (process.stderr.isTTY && printedAt > 0) process.stderr.write('\n');
    });
    const { applied, waiting } = result;
    const nothing = waiting.length === 0 ? ['Nothing to migrate.'] : [];
    print(result, [
      ...(applied.length === 0 ? nothing : [`Applied ${applied.join(', ')}.`]),
      ...(waiting.length === 0 ? [] : [`Left for later: ${waiting.join(', ')}.`]),
    ]);
  }
}

/** Prints lines for a reader, or with `--json` the value. */
function print(value: object, lines: readonly string[]): void {
  console.log(options.json ? JSON.stringify(value) : lines.join('\n'));
}

/** Rewrites a line on a terminal, else prints one every few seconds. */
function printProgress(name: string, rows: number, total: number | null): void {
  const isTerminal = process.stderr.isTTY;
  if (!isTerminal && performance.now() - printedAt < PROGRESS_INTERVAL) return;
  printedAt = performance.now();
  const of = total !== null && total > rows ? ` of about ${formatCount(total)}` : '';
  const line = `${name} ${formatCount(rows)}${of} rows`;
  process.stderr.write(isTerminal ? `\r${line}\u001B[K` : `${line}\n`);
}

/** Reads the command line. Some package managers pass on the `--` before options. */
function readOptions() {
  const option = { type: 'boolean', default: false } as const;
  const flags = { plan: option, status: option, contract: option, json: option };
  try {
    const args = process.argv.slice(2).filter((argument) => argument !== '--');
    const { values } = parseArgs({ args, options: flags });
    if ([values.plan, values.status, values.contract].filter(Boolean).length < 2) return values;
    throw new Error('--plan, --status and --contract exclude each other.');
  } catch (error) {
    console.error(`${errorText(error)}\n${USAGE}`);
    return process.exit(2);
  }
}
