/**
 * The speed of an emitted service on PostgreSQL, as a ratio to a yardstick that an expert would
 * write by hand (bench/service/yardstick.mjs), side by side in one run: `npm run bench:service`.
 *
 * Both ask the same tables, and both are warm. They are measured in turn, round after round, so that
 * whatever else the machine does strikes both alike; a ratio is the median of those of the rounds.
 * CPU is what one request took at the least: that says the same on a machine that is busy.
 */
import { randomUUID } from 'node:crypto';

import {
  fill,
  makeBeside,
  makeDatabase,
  memory,
  onPostgres,
  quantile,
  startService,
  startYardstick,
  stop,
} from './service/harness.mjs';
import { CONNECTIONS, load, ROUNDS, roundsOf, SECONDS, spread, WARM_UP } from './service/load.mjs';

const ROWS = 20_000;
const STARTS = 5;

const BODY = { 'content-type': 'application/json' };

await onPostgres(async (database) => {
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s each after ${WARM_UP} s, ${CONNECTIONS} connections, ` +
      `${ROWS} rows; Node ${process.version}`,
  );
  const unlimited = { RATE_LIMIT: '1000000000' };
  const ours = await startService(database, unlimited);
  const yardstick = await startYardstick(database);
  const { author, ids } = await fill(database, ROWS);
  const item = (base, headers = {}) => ids.map((id) => ({ path: `${base}/books/${id}`, headers }));
  const list = (base) => [{ path: `${base}/books` }];
  const create = (base) => [{ ...creationBy(author), path: `${base}/books` }];
  const api = '/api/v1';

  const idle = [memory(ours.child), memory(yardstick.child)];
  const pairs = [
    ['item', [ours, item(api)], [yardstick, item('')]],
    ['list of 20', [ours, list(api)], [yardstick, list('')]],
    ['create', [ours, create(api)], [yardstick, create('')]],
  ];
  await compare(pairs);
  const busy = [memory(ours.child), memory(yardstick.child)];
  console.log(
    `\nMemory in MB, ours and the yardstick: idle ${idle.join(' and ')}, after the load ${busy.join(' and ')}`,
  );

  await compare(pairs, 2);
  await compareAuthenticated(database);
  await compareBeside(database);

  const silent = await startService(database, { ...unlimited, LOG_LEVEL: 'silent' });
  const bare = await startService(database, { RATE_LIMIT: '0', LOG_LEVEL: 'silent' });
  const authorization = `Bearer ${await tokenOf(bare)}`;
  const vendor = { accept: 'application/vnd.bookshop.v1+json' };
  await breakDown('an item', [
    ['the yardstick', yardstick, item('')],
    ['what is always there', bare, item(api)],
    ['rate limit', silent, item(api)],
    ['log', ours, item(api)],
    ['version by Accept', ours, item('/api', vendor)],
    ['access token', ours, item('/api', { ...vendor, authorization })],
  ]);
  await breakDown('a creation', [
    ['the yardstick', yardstick, create('')],
    ['what is always there', bare, create(api)],
    ['rate limit', silent, create(api)],
    ['log', ours, create(api)],
    [
      'Idempotency-Key',
      ours,
      create(api).map((request) => ({ ...request, setupRequest: withKey })),
    ],
  ]);

  const starts = { ours: [], yardstick: [] };
  for (let at = 0; at < STARTS; at++) {
    for (const [name, start] of [
      ['ours', startService],
      ['yardstick', startYardstick],
    ]) {
      const { child, took } = await start(database);
      starts[name].push(took);
      await stop(child);
    }
  }
  const [one, other] = [starts.ours, starts.yardstick].map((took) =>
    quantile(took, 0.5).toFixed(0),
  );
  console.log(`\nFrom the start to the first answer: ${one} ms, the yardstick ${other} ms`);
});

/** The same with what most services have: a token on each request, a unique field, and a searched one. */
async function compareAuthenticated(database) {
  const folder = makeBeside('authenticated', 'authenticated.yaml');
  const other = await makeDatabase(database, 'authenticated');
  const ours = await startService(other, { RATE_LIMIT: '1000000000' }, folder);
  const yardstick = await startYardstick(other, { AUTHENTICATED: 'yes' });
  const { author, ids } = await fill(other, ROWS);
  const headers = { authorization: `Bearer ${await tokenOf(ours)}` };
  let isbn = 0;
  // The books of `fill` begin with 978.
  const withIsbn = (request) => {
    isbn++;
    const values = { title: `The Dispossessed ${isbn}`, price: '12.50', author_id: author };
    const body = JSON.stringify({ ...values, isbn: `979${String(isbn).padStart(10, '0')}` });
    return { ...request, body };
  };
  const item = (base) => ids.map((id) => ({ path: `${base}/books/${id}`, headers }));
  const list = (base) => [{ path: `${base}/books`, headers }];
  const post = { method: 'POST', headers: { ...BODY, ...headers }, setupRequest: withIsbn };
  const create = (base) => [{ ...post, path: `${base}/books` }];
  console.log('\nWith an access token on each request, a unique field and a searched one:');
  const api = '/api/v1';
  await compare([
    ['item', [ours, item(api)], [yardstick, item('')]],
    ['list of 20', [ours, list(api)], [yardstick, list('')]],
    ['create', [ours, create(api)], [yardstick, create('')]],
  ]);
  await Promise.all([stop(ours.child), stop(yardstick.child)]);
}

/**
 * What collections that use no rules, includes or events cost in a service whose other collections do: the
 * service without such collections takes the place of the yardstick.
 */
async function compareBeside(database) {
  const folder = makeBeside('beside', 'beside.yaml', true);
  const unlimited = { RATE_LIMIT: '1000000000' };
  const sides = [];
  for (const [name, from] of [
    ['with_rules', folder],
    ['without_rules', undefined],
  ]) {
    const own = await makeDatabase(database, name);
    const service = await startService(own, unlimited, from);
    const { author, ids } = await fill(own, ROWS);
    sides.push({ service, author, ids });
  }
  const each = (requests) => sides.map((side) => [side.service, requests(side)]);
  console.log(
    '\nA plain collection beside one with an owner, transitions, checks, include and events; ' +
      'the yardstick is the same service without that one:',
  );
  await compare([
    ['item', ...each(({ ids }) => ids.map((id) => ({ path: `/api/v1/books/${id}` })))],
    ['list of 20', ...each(() => [{ path: '/api/v1/books' }])],
    ['create', ...each(({ author }) => [creationBy(author)])],
  ]);
  await Promise.all(sides.map(({ service }) => stop(service.child)));
}

/** A request that makes a book. */
function creationBy(author) {
  const values = {
    title: 'The Dispossessed',
    isbn: '9780060512750',
    price: '12.50',
    author_id: author,
  };
  return { method: 'POST', path: '/api/v1/books', headers: BODY, body: JSON.stringify(values) };
}

/** Prints of each pair the ratio of their requests a second, and what each side did. */
async function compare(pairs, connections = CONNECTIONS) {
  console.log(
    `\nRequests a second over ${connections} connections, as a ratio to the yardstick: median, least ` +
      'and most; then of both sides',
  );
  console.log(
    'requests a second, p99, and CPU for each at the least, of the process and of PostgreSQL',
  );
  for (const [name, ...sides] of pairs) {
    const rounds = await roundsOf(sides, connections);
    const ratios = rounds.map(([one, other]) => one.rate / other.rate);
    const told = sides.map((_, side) => {
      const of = (share, pick) =>
        quantile(
          rounds.map((results) => pick(results[side])),
          share,
        ).toFixed(0);
      const used = `${of(0, (result) => result.cpu)} + ${of(0, ({ database }) => database)} µs`;
      return `${of(0.5, ({ rate }) => rate)}/s, p99 ${of(0.5, ({ p99 }) => p99)} ms, ${used}`;
    });
    console.log(`${name.padEnd(12)} ${spread(ratios)}   ${told.join('  |  ')}`);
  }
}

/** A request with a key that no other has. */
function withKey(request) {
  return { ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } };
}

/** Prints what each step adds to the one before it, in CPU for a request. */
async function breakDown(what, steps) {
  console.log(
    `\nWhat ${what} costs, in CPU of the process at the least: each line adds to the one above`,
  );
  for (const [, service, requests] of steps) await load(service, requests, WARM_UP / 2);
  const used = steps.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, [, service, requests]] of steps.entries()) {
      used[at].push((await load(service, requests, SECONDS)).cpu);
    }
  }
  let before = 0;
  for (const [at, [name]] of steps.entries()) {
    const now = quantile(used[at], 0);
    const added = `${now < before ? '' : '+'}${(now - before).toFixed(0)}`;
    console.log(`${name.padEnd(22)} ${now.toFixed(0).padStart(5)} µs   ${added.padStart(5)}`);
    before = now;
  }
}

async function tokenOf({ origin }) {
  const answer = await fetch(`${origin}/api/v1/tokens`, {
    method: 'POST',
    headers: { ...BODY, authorization: `Basic ${btoa('root:correct horse')}` },
    body: '{}',
  });
  return (await answer.json()).token;
}
