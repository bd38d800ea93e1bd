/** What the demo asks of a bookshop, and what it expects. */

const VENDOR = 'application/vnd.bookshop.v1+json';
const API = '/api/v1';
const UNKNOWN = '019b0000-0000-7000-8000-000000000000';

/** The administrator of the demo, as the environment of the service names them. */
export const ADMINISTRATOR = { ADMIN_USERNAME: 'ada', ADMIN_PASSWORD: 'only-for-this-demo' };

const { ADMIN_USERNAME, ADMIN_PASSWORD } = ADMINISTRATOR;
const CREDENTIAL = `Basic ${Buffer.from(`${ADMIN_USERNAME}:${ADMIN_PASSWORD}`).toString('base64')}`;

/** Walks through the interface; tells `seen` of each request and its answer. */
export async function tour(origin, seen) {
  const ask = async (caption, expected, method, path, options = {}) => {
    const { headers = {}, body, shown = [], isBrief = false, isStranger = false } = options;
    const sent = {
      ...(isStranger ? {} : { Authorization: CREDENTIAL }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    };
    const answer = await fetch(origin + path, {
      method,
      headers: sent,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const step = { caption, expected, method, path, headers, body, shown, isBrief, answer, text };
    seen(step);
    return step;
  };

  await ask('A stranger may read, but not write', 401, 'POST', `${API}/authors`, {
    body: { name: 'Nobody' },
    shown: ['www-authenticate'],
    isStranger: true,
  });
  const author = await ask('With a credential an author is added', 201, 'POST', `${API}/authors`, {
    body: { name: 'Ursula K. Le Guin', born_on: '1929-10-21' },
    shown: ['location'],
  });
  const authorPath = author.answer.headers.get('location') ?? '';
  const authorId = idOf(author);

  const add = (caption, [title, isbn, price], isBrief) =>
    ask(caption, 201, 'POST', `${API}/books`, {
      body: { title, isbn, price, status: 'published', author_id: authorId },
      shown: ['location'],
      isBrief,
    });
  const book = idOf(await add('And a book', ['The Dispossessed', '9780061054884', '8.50'], false));
  await add('Another …', ['The Left Hand of Darkness', '9780441478125', '9.95'], true);
  await add('… and another', ['A Wizard of Earthsea', '9780547773742', '12.00'], true);

  const page = await ask(
    'A list comes in pages, and links to the next one',
    200,
    'GET',
    `${API}/books?sort=title&limit=2&fields=title`,
    { shown: ['link'] },
  );
  await ask('… which is the last, and links back', 200, 'GET', nextOf(page), { shown: ['link'] });

  await ask('A version in the path …', 200, 'GET', `${API}/books/${book}`, {
    shown: ['content-type', 'x-request-id'],
  });
  await ask('… or in the Accept header: the same book', 200, 'GET', `/api/books/${book}`, {
    headers: { Accept: VENDOR },
    shown: ['content-type', 'vary'],
  });

  await ask(
    'A nested list: the books of one author',
    200,
    'GET',
    `${authorPath}/books?fields=title`,
  );
  await ask(
    'A filter: what costs less than 10',
    200,
    'GET',
    `${API}/books?price[lt]=10&fields=title,price`,
  );
  await ask('A search by words', 200, 'GET', `${API}/books?q=darkness&fields=title`);

  await ask('What is not valid is told, all of it', 422, 'POST', `${API}/books`, {
    body: { title: '', isbn: '123', price: -1, author_id: authorId },
  });
  await ask('A format that the service does not have', 406, 'GET', `${API}/books`, {
    headers: { Accept: 'text/csv' },
  });
  await ask('A book that never was', 404, 'GET', `${API}/books/${UNKNOWN}`);
  await ask('A book is removed', 204, 'DELETE', `${API}/books/${book}`);
  await ask('… and is gone for good', 410, 'GET', `${API}/books/${book}`);
}

/** The id of an item that was made; an answer of another kind fails at its own step. */
function idOf({ answer, text }) {
  return answer.ok ? JSON.parse(text).id : UNKNOWN;
}

/** The path of the next page. */
function nextOf({ path, answer }) {
  return /<([^>]*)>; *rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? path;
}
