/**
 * What older versions cost: `npm run bench:versions`. The bookshop in one version stands beside the
 * same in three that differ (bench/service/versions.yaml), each with its own database on one PostgreSQL.
 * Requests of the current version should cost the same in both; then the current version and
 * version 1 of the second are compared.
 *
 * All are warm, and are asked in turn, round after round; a ratio is the median of those of the
 * rounds. CPU is what one request took at the least: that says the same on a machine that is busy.
 */
import {
  fill,
  makeBeside,
  makeDatabase,
  onPostgres,
  quantile,
  startService,
} from './service/harness.mjs';
import { CONNECTIONS, ROUNDS, roundsOf, SECONDS, spread, WARM_UP } from './service/load.mjs';

const ROWS = 20_000;
const BODY = { 'content-type': 'application/json' };
const QUIET = { RATE_LIMIT: '0', LOG_LEVEL: 'silent' };

await onPostgres(async (database) => {
  const folder = makeBeside('versions', 'versions.yaml');
  const other = await makeDatabase(database, 'versions');
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s each after ${WARM_UP} s, ${CONNECTIONS} connections, ` +
      `${ROWS} rows; Node ${process.version}`,
  );
  const one = { service: await startService(database, QUIET), ...(await fill(database, ROWS)) };
  const three = { service: await startService(other, QUIET, folder), ...(await fill(other, ROWS)) };

  const item = ({ service, ids }, base, headers = {}) => [
    service,
    ids.map((id) => ({ path: `${base}/books/${id}`, headers })),
  ];
  const list = ({ service }, base) => [service, [{ path: `${base}/books` }]];
  const create = ({ service }, base, values) => [
    service,
    [{ method: 'POST', path: `${base}/books`, headers: BODY, body: JSON.stringify(values) }],
  ];
  const book = ({ author }) => ({
    ...{ title: 'The Dispossessed', isbn: '9780060512750', price: '12.50', author_id: author },
  });
  const older = ({ author }) => ({
    ...{ name: 'The Dispossessed', ean: '9780060512750', cost: 12.5, writer_id: author },
  });
  const accept = (version) => ({ accept: `application/vnd.bookshop.v${version}+json` });

  await compare('The current version of three, and the only one', [
    ['item', item(three, '/api/v3'), item(one, '/api/v1')],
    ['item by Accept', item(three, '/api', accept(3)), item(one, '/api', accept(1))],
    ['list of 20', list(three, '/api/v3'), list(one, '/api/v1')],
    ['create', create(three, '/api/v3', book(three)), create(one, '/api/v1', book(one))],
  ]);
  await compare('Version 1 of three, and the current one', [
    ['item', item(three, '/api/v1'), item(three, '/api/v3')],
    ['list of 20', list(three, '/api/v1'), list(three, '/api/v3')],
    ['create', create(three, '/api/v1', older(three)), create(three, '/api/v3', book(three))],
  ]);
});

/** Prints of each pair the ratios of what a request costs, and the least that it did on both sides. */
async function compare(title, pairs) {
  console.log(
    `\n${title}. CPU for a request, of the process and of PostgreSQL: at the least, and as ratio of both`,
  );
  console.log('to the other side (median, least and most); requests a second as a ratio');
  for (const [name, ...sides] of pairs) {
    const rounds = await roundsOf(sides);
    const all = (pick) => rounds.map(([left, right]) => pick(left) / pick(right));
    const least = (side, pick) =>
      quantile(
        rounds.map((results) => pick(results[side])),
        0,
      ).toFixed(0);
    const used = [0, 1].map(
      (side) => `${least(side, ({ cpu }) => cpu)} + ${least(side, (result) => result.database)} µs`,
    );
    const ratios = [all((result) => result.cpu + result.database), all(({ rate }) => rate)];
    const told = [`CPU ${spread(ratios[0])}`, `requests ${spread(ratios[1])}`];
    console.log(`${name.padEnd(15)} ${used.join('  |  ').padEnd(34)} ${told.join('   ')}`);
  }
}
