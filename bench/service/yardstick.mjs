/**
 * The yardstick: what an expert writes by hand for speed, in one file. Fastify and pg with named
 * statements, the same schemas and pages with `Link`, and none of the emitted service's other
 * conventions: no versions, no request ids, no limits, no fixed errors. With `AUTHENTICATED`, each request
 * needs an access token, an ISBN is unique, and titles are searched.
 *
 * It runs where the emitted service is installed, on the same tables.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';

const [project, port] = process.argv.slice(2);
const require = createRequire(path.join(project, 'package.json'));
const Fastify = require('fastify');
const pg = require('pg');
const { uuidv7 } = require('uuidv7');

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

const FIELDS =
  '"id", "title", "isbn", "price", "status", "author_id", "published_at", "created_at", "updated_at"';
const text = { type: 'string' };
const optional = { type: 'string', nullable: true };
const Book = {
  type: 'object',
  properties: {
    id: text,
    title: text,
    isbn: text,
    price: optional,
    status: optional,
    author_id: text,
    published_at: { ...optional, format: 'date-time' },
    created_at: { ...text, format: 'date-time' },
    updated_at: { ...text, format: 'date-time' },
  },
};
const NewBook = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'isbn', 'author_id'],
  properties: {
    title: { ...text, minLength: 1, maxLength: 300 },
    isbn: { ...text, pattern: '^97[89][0-9]{10}$' },
    price: { ...text, pattern: '^[0-9]{1,8}(\\.[0-9]{1,2})?$' },
    status: { enum: ['draft', 'published'], default: 'draft' },
    author_id: { ...text, format: 'uuid' },
    published_at: { ...text, format: 'date-time' },
  },
};
const id = { type: 'object', properties: { id: { ...text, format: 'uuid' } } };
const query = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    after: { ...text, format: 'uuid' },
  },
};

const isAuthenticated = process.env.AUTHENTICATED !== undefined;
const app = Fastify({ logger: { level: 'warn' } });

app.get('/ready', async () => (await pool.query('select 1')).rows);

if (isAuthenticated) {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url === '/ready') return;
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const { rows } = await pool.query({
      name: 'token',
      text: `select "users"."id", "users"."roles" from "tokens" join "users" on "users"."id" = "user_id"
        where "hash" = $1 and ("expires_at" is null or "expires_at" > now())`,
      values: [createHash('sha256').update(token).digest('hex')],
    });
    if (rows.length === 0) await reply.code(401).send({ message: 'Unauthorized' });
  });
}

const wordsOf = (title) => [...new Set(title.toLowerCase().match(/[\p{L}\p{Nd}]+/gu))];
const INSERTED = ['id', 'title', 'isbn', 'price', 'status', 'author_id', 'published_at'];
if (isAuthenticated) INSERTED.push('_words');
const INSERT = `insert into "books" (${INSERTED.map((name) => `"${name}"`).join(', ')})
  values (${INSERTED.map((_, at) => `$${at + 1}`).join(', ')}) returning ${FIELDS}`;
const UNIQUE_VIOLATION = '23505';

app.get(
  '/books/:id',
  { schema: { params: id, response: { 200: Book } } },
  async (request, reply) => {
    const { rows } = await pool.query({
      name: 'item',
      text: `select ${FIELDS} from "books" where "id" = $1`,
      values: [request.params.id],
    });
    return rows[0] ?? reply.code(404).send({ message: 'Not Found' });
  },
);

app.get(
  '/books',
  { schema: { querystring: query, response: { 200: { type: 'array', items: Book } } } },
  async (request, reply) => {
    const { limit, after } = request.query;
    const { rows } = await pool.query(
      after === undefined
        ? {
            name: 'first',
            text: `select ${FIELDS} from "books" order by "id" limit $1`,
            values: [limit + 1],
          }
        : {
            name: 'after',
            text: `select ${FIELDS} from "books" where "id" > $1 order by "id" limit $2`,
            values: [after, limit + 1],
          },
    );
    const items = rows.slice(0, limit);
    const links = ['</books>; rel="first"'];
    if (rows.length > limit) {
      links.push(`</books?limit=${limit}&after=${items.at(-1).id}>; rel="next"`);
    }
    reply.header('link', links.join(', '));
    return items;
  },
);

app.post(
  '/books',
  { schema: { body: NewBook, response: { 201: Book } } },
  async (request, reply) => {
    const { title, isbn, price, status, author_id, published_at } = request.body;
    const values = [uuidv7(), title, isbn, price, status, author_id, published_at];
    if (isAuthenticated) values.push(wordsOf(title));
    const { rows } = await pool.query({ name: 'create', text: INSERT, values }).catch((error) => {
      if (error.code !== UNIQUE_VIOLATION) throw error;
      throw Object.assign(new Error('The ISBN is taken.'), { statusCode: 409 });
    });
    return reply.code(201).header('location', `/books/${rows[0].id}`).send(rows[0]);
  },
);

await app.listen({ host: '127.0.0.1', port: Number(port) });
