/**
 * How long the tests of an emitted service take: those of the bookshop, by the clock, from `npm test`
 * to its end, on PGlite and on PostgreSQL: `npm run bench:tests`.
 */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

import { makeBeside, makeDatabase, onPostgres, quantile } from './service/harness.mjs';

const ROUNDS = Number(process.env['ROUNDS'] ?? 3);

await onPostgres(async (database) => {
  const bookshop = makeBeside('tested', '../../examples/bookshop.yaml');
  const taken = { PGlite: [], PostgreSQL: [] };
  let tests = '';
  // In turn, so that whatever else the machine does strikes both alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [on, seconds] of Object.entries(taken)) {
      const env = { ...process.env, DATABASE_URL: undefined, NO_COLOR: '1' };
      if (on === 'PostgreSQL') env.DATABASE_URL = await makeDatabase(database, `tests_${round}`);
      const begun = performance.now();
      const { status, stdout } = spawnSync('npm', ['test'], {
        cwd: bookshop,
        env,
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`the tests failed on ${on}:\n${stdout}`);
      seconds.push((performance.now() - begun) / 1000);
      tests = /Tests\s+(\d+) passed/.exec(stdout)?.[1] ?? '?';
    }
  }
  console.log(
    `The ${tests} tests of the bookshop: median of ${ROUNDS} rounds, with the least and the most; ` +
      `Node ${process.version}, ${cpus().length} cores`,
  );
  for (const [on, seconds] of Object.entries(taken)) {
    const [least, middle, most] = [0, 0.5, 1].map((share) => quantile(seconds, share).toFixed(0));
    console.log(`${on.padEnd(10)} ${middle} s (${least} to ${most})`);
  }
});
