// Loads the rows of the atlas into a running service over HTTP, reads all of them back, and
// compares every member. It needs Node alone:
//
//   node load.mjs http://127.0.0.1:3000/api/v1
//
// The README beside it tells about credentials and how rows name each other.

import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** In this order every reference names a row that is there already. */
export const collections = Object.freeze([
  'continents',
  'seas',
  'currencies',
  'languages',
  'time_zones',
  'countries',
  'cities',
  'lakes',
  'rivers',
  'mountains',
  'organizations',
  'memberships',
  'borders',
  'country_languages',
  'lake_countries',
  'river_countries',
  'mountain_countries',
]);

/** What the definitions give a member that a row leaves out; all others are null then. */
const defaults = {
  currencies: { minor_units: 2 },
  languages: { script: 'latin', direction: 'ltr' },
  time_zones: { changes_clocks: false },
  countries: { status: 'member_state', driving_side: 'right', landlocked: false },
  lakes: { water: 'fresh' },
  mountains: { volcano: false },
  memberships: { kind: 'member' },
  country_languages: { status: 'official' },
};

const concurrency = 8;
const attempts = 10;

/** A row that the service refused, or answered otherwise than it was sent. */
export class LoadError extends Error {
  name = 'LoadError';
}

/** The rows of one collection as they stand in its file. */
export async function readRows(collection) {
  return JSON.parse(await readFile(new URL(`rows/${collection}.json`, import.meta.url), 'utf8'));
}

/**
 * Loads all rows and verifies them.
 *
 * @param {string} baseUrl with the version in its path; a username and a password may stand in it
 * @param {{ log?: (line: string) => void, token?: string }} [options]
 * @returns {Promise<Record<string, number>>} how many rows each collection got
 */
export async function load(baseUrl, { log = () => {}, token } = {}) {
  const service = connect(baseUrl, token);
  const signedIn = await signIn(service);
  try {
    const ids = new Map();
    const counts = {};
    for (const collection of collections) {
      const rows = await readRows(collection);
      await createAll(service, collection, rows, ids);
      counts[collection] = rows.length;
      log(`${collection}: ${rows.length} created`);
    }
    for (const collection of collections) {
      const rows = await readRows(collection);
      await verify(service, collection, rows, ids);
      log(`${collection}: ${rows.length} read back, all equal`);
    }
    return counts;
  } finally {
    await signedIn.end();
  }
}

function connect(baseUrl, token) {
  const url = new URL(baseUrl);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  const headers = { accept: 'application/json' };
  if (token) {
    headers.authorization = `Bearer ${token}`;
  } else if (username) {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  return { base: url.href, headers };
}

/** A password is slow to check, by design: it is used once, for a token that is revoked after. */
async function signIn(service) {
  if (!service.headers.authorization?.startsWith('Basic ')) return { end: async () => {} };
  const expires_at = new Date(Date.now() + 60 * 60 * 1000).toISOString();
  const body = { name: 'Atlas loader', expires_at };
  const answer = await send(service, 'POST', `${service.base}/tokens`, body);
  if (answer.status !== 201) throw new LoadError(`tokens: ${told(answer)}`);
  service.headers.authorization = `Bearer ${answer.body.token}`;
  return {
    // Should the service be gone by now, the token ends by itself, and the first failure is told.
    end: async () => {
      await send(service, 'DELETE', `${service.base}/tokens/${answer.body.id}`).catch(() => {});
    },
  };
}

/** Creates the rows, several at a time; a row waits for the rows of its collection it refers to. */
async function createAll(service, collection, rows, ids) {
  const started = new Map();
  let next = 0;
  let failed = false;

  const create = async (row) => {
    const body = {};
    for (const [member, value] of Object.entries(row)) {
      if (member === '$key') continue;
      const target = referred(member, value);
      if (target !== undefined) await started.get(target);
      body[member] = target === undefined ? value : idOf(ids, target, collection, row, member);
    }
    const answer = await send(service, 'POST', pathOf(service, collection), body);
    if (answer.status !== 201 || typeof answer.body?.id !== 'string') {
      throw new LoadError(`${nameOf(collection, row)}: ${told(answer)}`);
    }
    ids.set(`${collection}/${row.$key}`, answer.body.id);
  };

  const work = async () => {
    while (next < rows.length && !failed) {
      const row = rows[next++];
      const creation = create(row);
      started.set(`${collection}/${row.$key}`, creation);
      try {
        await creation;
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };

  // All workers come to rest before a failure is told, so that nothing is sent after it.
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}

/** Walks through all pages of a collection and compares what was sent with what is there. */
async function verify(service, collection, rows, ids) {
  const found = new Map();
  let page = `${pathOf(service, collection)}?limit=100`;
  while (page) {
    const answer = await send(service, 'GET', page);
    if (answer.status !== 200 || !Array.isArray(answer.body)) {
      throw new LoadError(`${collection}: GET ${page}: ${told(answer)}`);
    }
    for (const item of answer.body) {
      if (found.has(item.id)) {
        throw new LoadError(`${collection}: item ${item.id} stands on two pages`);
      }
      found.set(item.id, item);
    }
    page = nextPage(answer.link, page);
  }

  for (const row of rows) {
    const item = found.get(ids.get(`${collection}/${row.$key}`));
    if (!item) throw new LoadError(`${nameOf(collection, row)}: is on no page of the list`);
    const members = new Set([...Object.keys(row), ...Object.keys(item)]);
    for (const member of ['$key', 'id', 'created_at', 'updated_at']) members.delete(member);
    for (const member of members) {
      const sent = Object.hasOwn(row, member) ? row[member] : defaults[collection]?.[member];
      const target = referred(member, sent);
      const expected = target === undefined ? (sent ?? null) : ids.get(target);
      if (!same(expected, item[member])) {
        throw new LoadError(
          `${nameOf(collection, row)}: ${member} is ${JSON.stringify(item[member])}, ` +
            `expected ${JSON.stringify(expected)}`,
        );
      }
    }
  }
}

/** `@countries/fr` in a member that ends in `_id` names the row `fr` of countries. */
function referred(member, value) {
  const names = member.endsWith('_id') && typeof value === 'string' && value.startsWith('@');
  return names ? value.slice(1) : undefined;
}

function idOf(ids, target, collection, row, member) {
  const id = ids.get(target);
  if (id === undefined) {
    throw new LoadError(`${nameOf(collection, row)}: ${member} names "@${target}", no earlier row`);
  }
  return id;
}

function same(expected, actual) {
  if (expected === actual) return true;
  if (typeof expected === 'string' && typeof actual === 'string') {
    // A decimal is answered with its whole scale: "48.86" and "48.860000" are one value.
    if (!/^-?\d+(\.\d+)?$/.test(expected)) return false;
    const whole = expected.includes('.') ? expected : `${expected}.`;
    return actual.startsWith(whole) && /^0+$/.test(actual.slice(whole.length));
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((value, index) => same(value, actual[index]))
    );
  }
  if (isObject(expected) && isObject(actual)) {
    const members = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...members].every((member) => same(expected[member] ?? null, actual[member]));
  }
  return false;
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One request, made again as long as the service asks to come back later. */
async function send(service, method, url, body) {
  const headers = { ...service.headers };
  if (body !== undefined) headers['content-type'] = 'application/json';
  for (let attempt = 1; ; attempt += 1) {
    let response;
    let text;
    try {
      response = await fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      const why = error.cause?.message || error.cause?.code || error.message;
      throw new LoadError(`${method} ${url}: no answer: ${why}`);
    }
    const later = response.status === 429 || response.status === 503;
    if (later && attempt < attempts) {
      const seconds = Number(response.headers.get('retry-after'));
      const pause = Number.isFinite(seconds) && seconds > 0 ? seconds : 1;
      await new Promise((resolve) => setTimeout(resolve, pause * 1000));
      continue;
    }
    return {
      status: response.status,
      link: response.headers.get('link'),
      body: parsed(text),
      text,
    };
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The target of `rel="next"`, whichever way the links are written. */
function nextPage(link, page) {
  for (const [, target, parameters] of (link ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/;\s*rel="?next"?/.test(parameters)) return new URL(target, page).href;
  }
  return undefined;
}

function pathOf(service, collection) {
  return `${service.base}/${collection.replaceAll('_', '-')}`;
}

function nameOf(collection, row) {
  return `${collection}/${row.$key}`;
}

function told(answer) {
  return `${answer.status} ${answer.body?.message ?? answer.text}`.trim();
}

async function main([baseUrl, ...rest]) {
  if (!baseUrl || rest.length > 0 || !URL.canParse(baseUrl)) {
    console.error('Usage: node load.mjs <base-url>, such as http://127.0.0.1:3000/api/v1');
    return 2;
  }
  try {
    const log = (line) => console.log(line);
    const counts = await load(baseUrl, { log, token: process.env.ATLAS_TOKEN });
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    console.log(`${total} rows in ${Object.keys(counts).length} collections.`);
    return 0;
  } catch (error) {
    console.error(error instanceof LoadError ? error.message : error);
    return 1;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  process.exitCode = await main(process.argv.slice(2));
}
