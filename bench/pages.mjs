/**
 * What a page of a list costs by its place in the list: `npm run bench:pages`. The table has a
 * million rows; of every order, both ways, the page behind row 10 and the one behind the row before
 * the last thousand are asked for in turn.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import pg from 'pg';

import { fill, onPostgres, project, quantile, startService } from './service/harness.mjs';

const ROWS = Number(process.env.ROWS ?? 1_000_000);
const REQUESTS = 200;
const PLACES = [10, ROWS - 1_000];

/** Orders of the list, as SQL says them: the sort key with its index, and the id. */
const ORDERS = {
  id: ['id'],
  title: ['left(title, 200)', 'id'],
  published_at: ['published_at', 'id'],
  created_at: ['created_at', 'id'],
};

await onPostgres(async (connectionString) => {
  const { origin } = await startService(connectionString, {
    RATE_LIMIT: '0',
    LOG_LEVEL: 'silent',
  });
  console.log(`Making ${ROWS} rows`);
  await fill(connectionString, ROWS);
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { cursorsWith } = await import(
    pathToFileURL(path.join(project, 'dist/platform/http/cursor.js')).href
  );
  const { rows: secrets } = await client.query(
    `select "value" from "_secrets" where "name" = 'cursor'`,
  );
  const cursors = cursorsWith(secrets[0].value);

  console.log(`\nMilliseconds for a page of 20, median of ${REQUESTS}; Node ${process.version}`);
  for (const [member, order] of Object.entries(ORDERS)) {
    for (const descending of [false, true]) {
      const urls = [];
      for (const place of PLACES) {
        const { rows } = await client.query({
          text: `select ${order.map((key) => `(${key})::text`).join(', ')} from books
            order by ${order.map((key) => `${key} ${descending ? 'desc' : 'asc'}`).join(', ')}
            offset $1 limit 1`,
          values: [place - 1],
          rowMode: 'array',
        });
        const sort = member === 'id' ? [] : [{ member, descending }];
        const identity = JSON.stringify([1, 'books', sort, [], []]);
        const cursor = cursors.write({ direction: 'after', values: rows[0] }, identity);
        const query = sort.length === 0 ? '' : `sort=${descending ? '-' : ''}${member}&`;
        urls.push(`${origin}/api/v1/books?${query}cursor=${cursor}`);
      }
      if (member === 'id' && descending) continue;
      const times = urls.map(() => []);
      for (let at = 0; at < REQUESTS; at++) {
        for (const [place, url] of urls.entries()) times[place].push(await time(url));
      }
      const [near, far] = times.map((some) => quantile(some, 0.5));
      const name = `${descending ? '-' : ''}${member}`.padEnd(16);
      console.log(
        `${name} row ${PLACES[0]}: ${near.toFixed(2)}   row ${PLACES[1]}: ${far.toFixed(2)}   ${(far / near).toFixed(2)} times`,
      );
    }
  }
  await client.end();
});

async function time(url) {
  const begun = performance.now();
  const answer = await fetch(url);
  const items = await answer.json();
  if (items.length !== 20) throw new Error(`${url} answers ${JSON.stringify(items)}`);
  return performance.now() - begun;
}
