/** Clients that read and write books at a bounded rate, and note how long each request took. */
import http from 'node:http';

const CLIENTS = 32;
/** Milliseconds between two requests of a client: the machine is not busy with them alone. */
const PAUSE = Number(process.env.PAUSE ?? 100);

/**
 * Starts the clients. Of 10 requests, 5 read an item, 2 a page, 2 change an item, and 1 creates one.
 * @returns their requests, with status 0 where there was no answer.
 */
export function startClients(origin, { author, books }) {
  const requests = [];
  const failures = new Map();
  const agent = new http.Agent({ keepAlive: true, maxSockets: CLIENTS });
  const stopped = new AbortController();
  let isbn = Date.now() % 1e9;
  const some = () => books[Math.floor(Math.random() * books.length)];
  const next = () => {
    const choice = Math.floor(Math.random() * 10);
    if (choice < 5) return { method: 'GET', path: `/api/v1/books/${some()}` };
    if (choice < 7) return { method: 'GET', path: '/api/v1/books?sort=-created_at' };
    if (choice < 9) {
      return { method: 'PATCH', path: `/api/v1/books/${some()}`, body: { status: 'published' } };
    }
    isbn++;
    const values = { title: 'The Lathe of Heaven', isbn: `979${String(isbn).padStart(10, '0')}` };
    return { method: 'POST', path: '/api/v1/books', body: { ...values, author_id: author } };
  };
  const run = async () => {
    await sleep(Math.random() * PAUSE);
    while (!stopped.signal.aborted) {
      const { method, path, body } = next();
      const at = performance.now();
      const { status, text } = await send(agent, origin + path, method, body);
      requests.push({ at, took: performance.now() - at, status });
      if (status === 0 || status >= 400) {
        const what = `${method} ${path.replace(/[0-9a-f-]{36}/, '…')} ${status} ${text.replace(/,"request_id.*/, '').slice(0, 300)}`;
        failures.set(what, (failures.get(what) ?? 0) + 1);
      }
      await sleep(PAUSE);
    }
  };
  const ended = Promise.all(Array.from({ length: CLIENTS }, run));
  return {
    requests,
    failures: () => failures,
    async stop() {
      stopped.abort();
      await ended;
      agent.destroy();
    },
  };
}

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const send = (agent, url, method, body) =>
  new Promise((resolve) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = http.request(url, { method, agent, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
    });
    request.on('error', (error) => resolve({ status: 0, text: error.message }));
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
