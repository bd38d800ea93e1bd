/**
 * Random requests against a running service, and what every answer to any request must keep. The
 * requests come from the definitions, bent in every place that a client can bend; a seed gives
 * the same ones again.
 */
import http, { STATUS_CODES } from 'node:http';

import fc from 'fast-check';

import type { Field, ServiceDefinition } from '../../../src/definition/types.ts';
import type { FieldType } from '../../../src/types/registry.ts';
import { toKebab } from '../../../src/model/names.ts';

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What a run found. */
export interface FuzzReport {
  readonly requests: number;
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Answers that break the contract, with the request that drew them. */
  readonly violations: readonly string[];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const KNOWN_STATUSES = new Set([
  200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415, 422, 428, 429,
  431,
]);

const HOSTILE = [
  '',
  ' ',
  '\u0000',
  "'; drop table books; --",
  '"',
  '\\',
  '%',
  '_',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\ud800',
  '\u202e\u200b\ufeff',
  'ß',
  'İ',
  'e\u0301',
  '日本語',
  '👩‍👩‍👧‍👦',
  'a'.repeat(3000),
  '👻'.repeat(1500),
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  '-0',
  '0x10',
  '1e3',
  '007',
  '9223372036854775807',
  '9223372036854775808',
  '9007199254740993',
  '2026-02-30',
  '2026-02-28T23:59:60Z',
  '9999-12-31T23:59:59.999999-23:59',
  '0001-01-01T00:00:00+23:59',
  '0000-01-01',
  '2026-01-01T00:00:00.1234567Z',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
];

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);
const hostileJson = fc.oneof(
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown),
  hostileText,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e300, 1e-300, 2 ** 53, -(2 ** 53), [], {}, [[]], [null]),
);

/** Whether fast-check makes texts for a pattern: not for properties, groups with more to them, or \1. */
const canGenerate = (pattern: string): boolean => !/\\[pk1-9]|\(\?/i.test(pattern);

/** A value that a field takes, as often as its type makes that easy. */
function plausible(type: FieldType, ids: readonly string[]): fc.Arbitrary<unknown> {
  switch (type.type) {
    case 'string':
    case 'text':
      return fc.oneof(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
        type.type === 'string' && type.pattern !== undefined && canGenerate(type.pattern)
          ? fc.stringMatching(new RegExp(type.pattern)).map((text) => text.slice(0, 200))
          : fc.constantFrom('a-slug', 'x@example.org', 'https://example.org/', '127.0.0.1', '::1'),
      );
    case 'integer':
      return fc.integer({ min: type.minimum ?? -1000, max: type.maximum ?? 1000 });
    case 'bigint':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
    case 'number':
      return fc.double({ min: type.minimum ?? -1e9, max: type.maximum ?? 1e9, noNaN: true });
    case 'decimal':
      return fc
        .integer({ min: 0, max: 99 })
        .map((value) => (type.scale > 1 ? `${value % 10}.${value % 7}` : String(value % 10)));
    case 'boolean':
      return fc.boolean();
    case 'date':
      return fc.constantFrom('2026-01-31', '1999-12-31', '0001-01-01', '9999-12-31');
    case 'timestamp':
      return fc.constantFrom('2026-01-31T12:00:00Z', '1999-12-31T23:59:59.123456+05:30');
    case 'time':
      return fc.constantFrom('09:30:00', '00:00:00', '23:59:59.999999', '12:00:00.500');
    case 'duration':
      return fc.constantFrom('PT1H30M', 'P1D', 'P1W', 'PT0S', 'PT0.5S');
    case 'ip':
      return fc.constantFrom('192.0.2.1', '192.0.2.0/24', '2001:DB8::1', '::ffff:192.0.2.1');
    case 'bytes':
      return fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    case 'uuid':
      return fc.uuid();
    case 'enum':
      return fc.constantFrom(...type.values);
    case 'list':
      return fc.array(plausible(type.of, ids), { maxLength: 3 });
    case 'object':
      return fc.record(
        Object.fromEntries(type.properties.map(({ name, type: of }) => [name, plausible(of, ids)])),
        {
          requiredKeys: type.properties.filter(({ required }) => required).map(({ name }) => name),
        },
      );
    case 'json':
      return hostileJson;
    case 'reference':
      return ids.length > 0 ? fc.constantFrom(...ids) : fc.uuid();
  }
}

const oneIn = <T>(times: number, rare: fc.Arbitrary<T>, usual: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 1, arbitrary: rare }, { weight: times - 1, arbitrary: usual });

/** Sends some thousand random requests one after the other, and judges each answer. */
export async function fuzz(
  origin: string,
  service: ServiceDefinition,
  {
    requests,
    seed,
    authorization,
  }: { readonly requests: number; readonly seed: number; readonly authorization: string },
): Promise<FuzzReport> {
  const ids = new Map<string, string[]>(service.collections.map(({ name }) => [name, []]));
  const statuses: Record<number, number> = {};
  const violations: string[] = [];
  for (let at = 0; at < requests; at++) {
    const collection = service.collections[at % service.collections.length];
    if (collection === undefined) throw new Error('no collection to send requests to');
    const [attempt] = fc.sample(attemptArbitrary(service, collection, ids, authorization), {
      numRuns: 1,
      seed: seed + at,
    });
    if (attempt === undefined) throw new Error('no request was made');
    const answer = await send(origin, attempt);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    for (const problem of judge(attempt, answer)) {
      violations.push(
        `${problem}\n  ${show(attempt)}\n  → ${answer.status} ${answer.body.slice(0, 300)}`,
      );
    }
    if (answer.status === 201 && answer.headers['idempotency-replayed'] === undefined) {
      const { id } = JSON.parse(answer.body) as { id: string };
      const known = ids.get(collection.name) ?? [];
      known.push(id);
      if (known.length > 50) known.shift();
      const again = await send(origin, {
        ...attempt,
        method: 'GET',
        path: answer.headers.location ?? '',
        // Strangers may create what they may not read.
        headers: { ...attempt.headers, authorization },
        body: undefined,
      });
      if (again.status !== 200 || again.body !== answer.body) {
        violations.push(
          `what was created reads otherwise\n  ${show(attempt)}\n  → ${again.body.slice(0, 300)}`,
        );
      }
    }
  }
  return { requests, statuses, violations };
}

function attemptArbitrary(
  service: ServiceDefinition,
  collection: ServiceDefinition['collections'][number],
  ids: ReadonlyMap<string, readonly string[]>,
  authorization: string,
): fc.Arbitrary<Attempt> {
  const own = ids.get(collection.name) ?? [];
  const id = oneIn(
    6,
    fc.oneof(fc.uuid(), hostileText.map(encodeURIComponentSafely)),
    own.length > 0 ? fc.constantFrom(...own.map(encodeURIComponent)) : fc.uuid(),
  );
  const nested = collection.fields.flatMap(({ type }) =>
    type.type === 'reference' && type.nestedAs !== undefined
      ? [{ to: type.to, as: type.nestedAs }]
      : [],
  );
  const resource = toKebab(collection.name);
  const list = ['GET', 'GET', 'GET', 'POST', 'POST', 'POST', 'HEAD'];
  const item = ['GET', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'HEAD'];
  const targets: fc.Arbitrary<{ path: string; method: string }>[] = [
    fc.record({ path: fc.constant(resource), method: fc.constantFrom(...list) }),
    fc.record({ path: fc.constant(resource), method: fc.constantFrom(...list) }),
    fc.record({
      path: id.map((value) => `${resource}/${value}`),
      method: fc.constantFrom(...item),
    }),
    ...nested.map(({ to, as }) => {
      const parents = ids.get(to) ?? [];
      const parent =
        parents.length > 0 ? fc.constantFrom(...parents.map(encodeURIComponent)) : fc.uuid();
      return fc.record({
        path: parent.map((value) => `${toKebab(to)}/${value}/${toKebab(as)}`),
        method: fc.constantFrom(...list),
      });
    }),
  ];
  const strangePath = fc.oneof(
    hostileText.map(encodeURIComponentSafely),
    fc.constantFrom(
      '',
      '/',
      `${resource}/`,
      `${resource}//`,
      `${resource}/%zz`,
      '%00',
      '..',
      '%2e%2e/health',
    ),
  );
  const version = service.versions.at(-1) ?? 1;
  const vendor = `application/vnd.${service.name}.v${version}+json`;
  const base = service.versioning.includes('path') ? `/api/v${version}` : '/api';
  const accept = fc.constantFrom(
    ...['application/json', vendor, '*/*', 'application/*', `${vendor};q=0.5, */*;q=0.1`],
    ...[
      'text/html',
      'application/json;q=0',
      'application/vnd.other.v1+json',
      ';;;',
      'a/b;q=x',
      '"',
    ],
  );
  const contentType = fc.constantFrom(
    ...['application/json; charset=utf-8', vendor, 'application/merge-patch+json', 'text/plain'],
    ...['application/json; charset=latin1', 'application/xml', 'multipart/form-data', ';', 'x'],
  );
  return fc
    .record({
      method: oneIn(
        12,
        fc.constantFrom('OPTIONS', 'TRACE', 'QUERY', 'PROPFIND', 'LINK', 'DELETE', 'PUT', 'POST'),
        fc.constant(undefined),
      ),
      target: fc.oneof(...targets),
      strange: oneIn(20, strangePath, fc.constant(undefined)),
      base: oneIn(
        12,
        fc.constantFrom('/api', '/api/v0', '/api/v99', '', '/health'),
        fc.constant(base),
      ),
      query: queryArbitrary(collection, ids),
      accept: oneIn(10, accept.map(optionally), fc.constant(base === '/api' ? vendor : undefined)),
      contentType: oneIn(12, contentType, fc.constant('application/json')),
      requestId: oneIn(
        5,
        fc.oneof(fc.uuid(), fc.constant('nonsense')).map(optionally),
        fc.constant(undefined),
      ),
      credential: oneIn(
        10,
        fc.constantFrom(undefined, 'Basic', 'Basic Og==', 'Bearer x', 'bearer  é', 'Digest a="b"'),
        fc.constant(authorization),
      ),
      precondition: oneIn(
        3,
        fc.constantFrom(
          { 'if-match': '*' },
          { 'if-match': '"x", W/"y"' },
          { 'if-match': 'nonsense' },
          { 'if-none-match': '*' },
          { 'if-none-match': '"x"' },
        ),
        fc.constant(undefined),
      ),
      key: oneIn(6, fc.constantFrom('one', 'two', 'no key', ''), fc.constant(undefined)),
      encoding: oneIn(40, fc.constant<string | undefined>('gzip'), fc.constant(undefined)),
      body: bodyArbitrary(collection.fields, ids),
    })
    .map(
      ({
        method: otherMethod,
        target,
        strange,
        base: start,
        query,
        accept: accepted,
        contentType: type,
        requestId,
        credential,
        precondition,
        key,
        encoding,
        body,
      }) => {
        const method = otherMethod ?? target.method;
        const path = strange ?? target.path;
        const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
        return {
          method,
          path: `${start}/${path}${method === 'GET' || method === 'HEAD' ? query : ''}`,
          headers: {
            ...(credential !== undefined && { authorization: credential }),
            ...(accepted !== undefined && { accept: accepted }),
            ...(hasBody && { 'content-type': type }),
            ...(requestId !== undefined && { 'x-request-id': requestId }),
            ...(method !== 'POST' && precondition),
            ...(key !== undefined && { 'idempotency-key': key }),
            ...(hasBody && encoding !== undefined && { 'content-encoding': encoding }),
          },
          body: hasBody ? body : undefined,
        };
      },
    );
}

const optionally = (text: string): string | undefined => text;

function bodyArbitrary(
  fields: readonly Field[],
  ids: ReadonlyMap<string, readonly string[]>,
): fc.Arbitrary<string> {
  const members = Object.fromEntries(
    fields.map(({ name, type, required }) => {
      const good = plausible(type, type.type === 'reference' ? (ids.get(type.to) ?? []) : []);
      return [name, oneIn(25, hostileJson, required ? good : oneIn(5, fc.constant(null), good))];
    }),
  );
  const required = fields.filter((field) => field.required && !field.readOnly);
  const usual = fc.record(members, { requiredKeys: required.map(({ name }) => name) });
  const withoutReadOnly = usual.map((body) =>
    Object.fromEntries(
      Object.entries(body).filter(
        ([name]) => !fields.some((field) => field.name === name && field.readOnly),
      ),
    ),
  );
  const strange = fc.oneof(
    hostileJson.map((value) => JSON.stringify(value)),
    usual.map((body) => JSON.stringify({ ...body, id: 'x', unknown: 1 })),
    fc.constantFrom(
      ...['', '{', '[]', 'null', '{"a":1,"a":2}', '{"__proto__":{}}', '\ufeff{}', '{"a":1e999}'],
      ...[`${'['.repeat(70)}${']'.repeat(70)}`, '{"a":9007199254740993}', '{"a":"\\ud800"}'],
    ),
    fc.string({ unit: 'binary', maxLength: 100 }),
  );
  return oneIn(
    8,
    strange,
    withoutReadOnly.map((body) => JSON.stringify(body)),
  );
}

function queryArbitrary(
  collection: ServiceDefinition['collections'][number],
  ids: ReadonlyMap<string, readonly string[]>,
): fc.Arbitrary<string> {
  const names = collection.fields.map(({ name }) => name);
  const filterValue = (name: string): fc.Arbitrary<string> => {
    const field = collection.fields.find((candidate) => candidate.name === name);
    if (field === undefined) return hostileText;
    const known = field.type.type === 'reference' ? (ids.get(field.type.to) ?? []) : [];
    return oneIn(3, hostileText, plausible(field.type, known).map(String));
  };
  const filters = collection.filter.map((name) =>
    fc
      .tuple(
        fc.constantFrom(
          '',
          '[gt]',
          '[gte]',
          '[lt]',
          '[lte]',
          '[ne]',
          '[in]',
          '[null]',
          '[eq]',
          '[',
          '[]',
        ),
        filterValue(name),
      )
      .map(([operator, value]): [string, string] => [`${name}${operator}`, value]),
  );
  const keys = fc.constantFrom(
    ...collection.sort,
    ...collection.sort.map((name) => `-${name}`),
    'nope',
  );
  const parameter = fc.oneof(
    fc.tuple(
      fc.constant('limit'),
      fc.constantFrom('1', '2', '3', '100', '0', '-1', '101', 'x', '1.0', ''),
    ),
    fc.tuple(
      fc.constant('sort'),
      fc.array(keys, { minLength: 1, maxLength: 3 }).map((all) => all.join()),
    ),
    fc.tuple(
      fc.constant('fields'),
      fc.subarray([...names, 'id', 'nope']).map((all) => all.join()),
    ),
    fc.tuple(fc.constant('count'), fc.constantFrom('true', 'false', '1', '')),
    fc.tuple(fc.constant('q'), hostileText),
    fc.tuple(fc.constant('cursor'), fc.oneof(hostileText, fc.base64String())),
    fc.tuple(hostileText, hostileText),
    ...filters,
    ...filters,
  );
  return fc.array(parameter, { maxLength: 3 }).map((parameters) => {
    const text = parameters
      .map(
        ([name, value]) => `${encodeURIComponentSafely(name)}=${encodeURIComponentSafely(value)}`,
      )
      .join('&');
    return text === '' ? '' : `?${text}`;
  });
}

/** Half a surrogate pair cannot be encoded: it goes as bytes that are no UTF-8. */
function encodeURIComponentSafely(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

/** Sends one request as it is, on a connection of its own. */
export function send(origin: string, { method, path, headers, body }: Attempt): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        hostname,
        port,
        method,
        path,
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          });
        });
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** What an answer breaks of the contract; nothing where it keeps it. */
export function judge(attempt: Attempt, { status, headers, body }: Answer): string[] {
  const problems: string[] = [];
  const must = (kept: boolean, problem: string): void => {
    if (!kept) problems.push(problem);
  };
  const id = headers['x-request-id'];
  must(KNOWN_STATUSES.has(status), `the status ${status} is none of the contract`);
  must(typeof id === 'string' && UUID.test(id), 'X-Request-Id is no UUID');
  const sent = attempt.headers['x-request-id'];
  // Of a request whose headers are too large nothing is read.
  if (sent !== undefined && UUID.test(sent) && status !== 431)
    must(id === sent, "the client's X-Request-Id was not used");
  must(/\bAccept\b/.test(headers.vary ?? ''), 'Vary does not name Accept');
  if (status === 304) must(headers.etag !== undefined, '304 without ETag');
  if (attempt.method === 'HEAD' || status === 204 || status === 304) {
    must(body === '', 'there is a body');
    return problems;
  }
  const value = parse(body);
  must(value !== undefined, 'the body is no JSON');
  if (status >= 400) {
    const {
      status: name,
      message,
      request_id: requestId,
      ...more
    } = (value ?? {}) as Record<string, unknown>;
    must(Object.keys(more).length === 0, 'the error has more members than three');
    must(name === STATUS_CODES[status], 'status is not the reason phrase');
    must(
      typeof message === 'string' && message.length > 0 && message.length <= 4000,
      'message is none',
    );
    must(requestId === id, 'request_id is not X-Request-Id');
    must(
      headers['content-type'] === 'application/json; charset=utf-8',
      'an error is not plain JSON',
    );
    if (status === 401)
      must(headers['www-authenticate'] !== undefined, '401 without WWW-Authenticate');
    if (status === 429) must(headers['retry-after'] !== undefined, '429 without Retry-After');
    if (status === 405) must(headers.allow !== undefined, '405 without Allow');
    if (status === 415) {
      must((headers['accept-patch'] ?? headers.accept) !== undefined, '415 without Accept');
    }
    return problems;
  }
  must(
    /^application\/(vnd\.[a-z0-9-]+\.v\d+\+json|json; charset=utf-8)$/.test(
      headers['content-type'] ?? '',
    ),
    'the media type is none of ours',
  );
  if (status === 201) must(headers.location !== undefined, '201 without Location');
  if (Array.isArray(value)) {
    must(/rel="first"/.test(String(headers['link'])), 'a page without links');
    must(value.length <= 100, 'a page is too long');
  }
  return problems;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const show = ({ method, path, headers, body }: Attempt): string =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${(body ?? '').slice(0, 500)}`;
