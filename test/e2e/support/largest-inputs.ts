/**
 * Requests of the largest size that a service of `every-input.yaml` accepts: for each field type in a
 * body, each parameter, each header that is parsed, and the identifier in a path, the texts that slow
 * parsers down.
 */

/** A request, without the service that it is sent to. */
export interface InputRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'OPTIONS';
  /** `{id}` stands for the identifier of a new item of the same collection. */
  readonly path: string;
  /** The body that this new item is created with. */
  readonly item?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The largest inputs of one kind, and the statuses that answer them. */
export interface InputKind {
  readonly name: string;
  /** The ordinary request of this size that it is compared with. */
  readonly yardstick: keyof typeof ORDINARY;
  readonly statuses: readonly number[];
  readonly requests: readonly InputRequest[];
}

/** Bytes of a body: `BODY_LIMIT` is 1 MiB. */
const BODY = 1_048_000;
/** Bytes of a header or target: Node accepts 16 KB for all of them. */
const HEAD = 14_500;
/** Bytes of a query: the three links of a page repeat it and must fit into 14 KB. */
const REPEATED_QUERY = 4_600;

const AUTHORS = '/api/v1/authors';
const SAMPLES = '/api/v1/samples';
const JSON_TYPE = { 'content-type': 'application/json' };

/** A text repeated up to a length; whole, so that no surrogate pair is cut. */
const fill = (text: string, length: number): string =>
  text.repeat(Math.max(0, Math.floor(length / text.length)));

type Text = (length: number) => string;

/** Long runs of what parsers repeat or split on, most with a last character that makes a match fail. */
const TEXTS: readonly Text[] = [
  (length) => fill('a', length),
  (length) => `${fill('a', length - 1)}!`,
  (length) => `${fill('a-', length - 1)}!`,
  (length) => `${fill('a.', length - 1)}!`,
  (length) => fill('a@', length),
  (length) => `a@${fill('a.', length - 3)}!`,
  (length) => `http://${fill('a%41', length - 8)}^`,
  (length) => `1.${fill('0', length - 3)}1`,
  (length) => fill('0', length),
  (length) => `-${fill('9', length - 2)}x`,
  (length) => `1e${fill('9', length - 2)}`,
  (length) => `2026-01-01T00:00:00.${fill('0', length - 22)}1Z`,
  (length) => `2026-01-01T00:00:00.${fill('0', length - 21)}x`,
  (length) => fill(':', length),
  (length) => fill('0:', length),
  (length) => `${fill(' ', length - 1)}a`,
  (length) => fill(', ', length),
  (length) => fill(',-', length),
  (length) => fill('"', length),
  (length) => `${fill('"a",', length - 1)}"`,
  (length) => fill('\\', length),
  (length) => `${fill('=', length - 1)}a`,
  (length) => fill('é𝒳', length / 2),
  (length) => fill('e\u0301\u0316\u0301', length / 2),
  (length) => distinctWords(length),
];

const distinctWords: Text = (length) => {
  let words = '';
  for (let count = 1_000; words.length < length; count++) words += `${count.toString(36)} `;
  return words.slice(0, length);
};

const post = (body: string, path = SAMPLES): InputRequest => ({
  method: 'POST',
  path,
  headers: JSON_TYPE,
  body,
});

/** Changes a new item, which is created with `item`. */
const patch = (body: string, item = '{}'): InputRequest => ({
  method: 'PATCH',
  path: `${SAMPLES}/{id}`,
  item,
  headers: JSON_TYPE,
  body,
});

/** The types whose values are texts: each has a list `many_<type>` of such values. */
const TEXT_TYPES: readonly {
  readonly type: string;
  readonly field: string;
  /** Texts that are a value, or nearly one, at the length of a whole body. */
  readonly texts: readonly Text[];
  /** How these, and a list of all of `TEXTS`, are answered. */
  readonly status: 201 | 422;
}[] = [
  { type: 'string', field: 'a_string', status: 201, texts: [(length) => fill('a', length)] },
  {
    type: 'text',
    field: 'a_text',
    status: 201,
    texts: [distinctWords, (length) => fill('e\u0301', length / 2), (length) => fill("a'", length)],
  },
  { type: 'code', field: 'a_code', status: 422, texts: [(length) => `${fill('a-', length)}!`] },
  {
    type: 'email',
    field: 'an_email',
    status: 422,
    texts: [(length) => `${fill('a.', length)}@`, (length) => `a@${fill('a-', length)}!`],
  },
  {
    type: 'uri',
    field: 'a_uri',
    status: 422,
    texts: [
      (length) => `http://${fill('a%41', length)}^`,
      (length) => `http://${fill('a@', length)}`,
      (length) => `http://[${fill('1:', length)}`,
      (length) => `${fill('a+', length)}^`,
    ],
  },
  {
    type: 'hostname',
    field: 'a_hostname',
    status: 422,
    texts: [(length) => `${fill('a-', length)}!`, (length) => fill('a.', length)],
  },
  { type: 'ipv4', field: 'an_ipv4', status: 422, texts: [(length) => fill('1.', length)] },
  {
    type: 'ipv6',
    field: 'an_ipv6',
    status: 422,
    texts: [(length) => fill('1:', length), (length) => `fe80::1%${fill('a', length)}!`],
  },
  { type: 'slug', field: 'a_slug', status: 422, texts: [(length) => `${fill('a-', length)}!`] },
  { type: 'bigint', field: 'a_bigint', status: 422, texts: [(length) => fill('9', length)] },
  {
    type: 'decimal',
    field: 'a_decimal',
    status: 422,
    texts: [
      (length) => `1.${fill('0', length)}1`,
      (length) => fill('9', length),
      (length) => `1.${fill('0', length)}x`,
    ],
  },
  { type: 'date', field: 'a_date', status: 422, texts: [(length) => fill('2026-', length)] },
  {
    type: 'timestamp',
    field: 'a_timestamp',
    status: 422,
    texts: [
      (length) => `2026-01-01T00:00:00.${fill('0', length)}1Z`,
      (length) => `2026-01-01T00:00:00.${fill('0', length)}x`,
    ],
  },
  { type: 'uuid', field: 'a_uuid', status: 422, texts: [(length) => fill('01a2-', length)] },
  { type: 'enum', field: 'an_enum', status: 422, texts: [(length) => fill('one', length)] },
];

/** An array of as many of these items as a body takes. */
const array = (item: string): string => `[${fill(`${item},`, BODY - 100)}${item}]`;

/** The members of an object with as many names as fit into a body. */
const members = (quote: (name: string) => string, nameLength = 0): string => {
  const all: string[] = [];
  for (let size = 0; size < BODY - 200; size += (all.at(-1) ?? '').length + 1) {
    all.push(`${quote(`m${all.length}`.padEnd(nameLength, '_'))}:0`);
  }
  return all.join(',');
};
const quoted = (name: string): string => `"${name}"`;
const escaped = (name: string): string => `"${name.replace('m', '\\u006d')}"`;
/** Nearly 10,000 names, which a body may have, as long as fit into it. */
const most = (quote: (name: string) => string): string => members(quote, 100);

const deepest = `${'['.repeat(60)}${']'.repeat(60)}`;
const distinctDecimals = `[${Array.from({ length: 90_000 }, (_, at) => `"${at}.5"`).join(',')}]`;

/** Bodies by their structure, with the status that answers them. */
const STRUCTURES: Readonly<Record<string, readonly [status: number, body: string]>> = {
  'unknown members': [422, `{${most(quoted)}}`],
  'too many members': [422, `{${members(quoted)}}`],
  'a member of a long name': [422, `{"${fill('a', BODY)}":0}`],
  'a member that occurs twice': [400, `{${most(quoted)},"a":0,"a":0}`],
  'a json with many members': [201, `{"a_json":{${most(quoted)}}}`],
  'a json with escaped members': [201, `{"a_json":{${most(escaped)}}}`],
  'a json with too many members': [422, `{"a_json":{${members(quoted)}}}`],
  'a json with too many escaped members': [422, `{"a_json":{${members(escaped)}}}`],
  'a json of empty objects': [201, `{"a_json":${array('{}')}}`],
  'a json of empty arrays': [201, `{"a_json":${array('[]')}}`],
  'a json of deep arrays': [201, `{"a_json":${array(deepest)}}`],
  'arrays that are too deep': [400, `{"a_json":${'['.repeat(BODY / 2)}${']'.repeat(BODY / 2)}}`],
  'an array without an end': [400, `{"a_json":${'['.repeat(BODY)}`],
  'a json of small integers': [201, `{"a_json":${array('1')}}`],
  'a json of unsafe integers': [422, `{"a_json":${array('9007199254740993')}}`],
  'a json of infinite numbers': [422, `{"a_json":${array('1e999')}}`],
  'a json between blanks': [201, `{"a_json":${array('     "a"     ')}}`],
  blanks: [201, `{"a_string":"a"${fill(' ', BODY)}}`],
  'an object with unknown members': [422, `{"an_object":{${most(quoted)}}}`],
  'a long integer': [422, `{"an_integer":${fill('9', BODY)}}`],
  'a long fraction': [422, `{"a_number":0.${fill('0', BODY)}1}`],
  'a long exponent': [422, `{"a_number":1e${fill('9', BODY)}}`],
  'a boolean that is a text': [422, `{"a_boolean":"${fill('true', BODY)}"}`],
  'a reference that is a long text': [422, `{"author_id":"${fill('01a2-', BODY)}"}`],
  'a list of many texts': [201, `{"many_string":${array('"a"')}}`],
  'a list of wrong types': [422, `{"many_string":${array('1')}}`],
  'a list whose last item is wrong': [422, `{"many_string":${array('"a"').slice(0, -1)},1]}`],
  'a list of wrong decimals': [422, `{"many_decimal":${array('"x"')}}`],
  'a list with too many items': [422, `{"few_timestamp":${array('"2026-01-01T00:00:00Z"')}}`],
  'a list with too many wrong items': [422, `{"few_timestamp":${array('1')}}`],
  'a unique list of one value': [422, `{"unique_decimal":${array('"1.00"')}}`],
  'a unique list of many values': [201, `{"unique_decimal":${distinctDecimals}}`],
};

/** Every parameter up to its value, and the statuses beside 400 that answer its texts. */
const PARAMETERS: readonly (readonly [before: string, ...statuses: number[]])[] = [
  ...[
    'a_string',
    'an_integer',
    'a_bigint',
    'a_number',
    'a_decimal',
    'a_boolean',
    'a_date',
    'a_timestamp',
    'a_uuid',
    'an_enum',
    'author_id',
  ].flatMap((name) => {
    const statuses = ['a_string', 'an_integer', 'a_number'].includes(name) ? [200] : [];
    return [[`${name}=`, ...statuses] as const, [`${name}[in]=`, ...statuses] as const];
  }),
  ['limit='],
  ['sort='],
  ['fields='],
  ['count='],
  ['q=', 200],
  ['cursor='],
  ['unknown='],
  ['a_string['],
  [''],
];

/** A text in the query, of at most so many bytes once it is encoded. */
function encode(text: Text, bytes: number): string {
  const whole = encodeURIComponent(text(bytes));
  if (whole.length <= bytes) return whole;
  return encodeURIComponent(text(Math.floor((bytes * bytes) / whole.length)));
}

const list = (query: string): InputRequest => ({ method: 'GET', path: `${SAMPLES}?${query}` });

/** Pairs that a query repeats. */
const PAIRS = ['a=b&', '&', 'a_string=b&', 'a_string[ne]=b&', '%61=b&', 'a[b]=c&', '=&', '%', '+'];

/** Elements that headers repeat: media ranges, entity tags, addresses. */
const ELEMENTS = [
  '*/*;q=0.1,',
  'a/b;c="d,e";q=0.5,',
  'application/json;a=b;c=d,',
  ';a=b',
  'W/"a",',
  '"v1-a-b",',
  '127.0.0.1,',
  '192.0.2.1, ',
  '::1,',
];

/** Every header that is parsed, up to the text; the request that carries it, and how it is answered. */
const HEADERS: readonly {
  readonly header: string;
  readonly before?: string;
  readonly request: InputRequest;
  readonly statuses: readonly number[];
}[] = (() => {
  const read: InputRequest = { method: 'GET', path: SAMPLES };
  const readItem: InputRequest = { method: 'GET', path: `${AUTHORS}/{id}`, item: '{"name":"a"}' };
  const changeItem: InputRequest = { ...readItem, method: 'PATCH', headers: JSON_TYPE, body: '{}' };
  const create = post('{"name":"a"}', AUTHORS);
  const preflight: InputRequest = {
    method: 'OPTIONS',
    path: SAMPLES,
    headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
  };
  return [
    { header: 'accept', request: read, statuses: [200, 406] },
    { header: 'accept', before: 'application/json;a="', request: read, statuses: [200, 406] },
    { header: 'authorization', request: read, statuses: [400, 401] },
    { header: 'authorization', before: 'Bearer ', request: read, statuses: [400, 401] },
    { header: 'authorization', before: 'Basic ', request: read, statuses: [400, 401, 429] },
    { header: 'host', request: read, statuses: [200, 400] },
    { header: 'x-request-id', request: read, statuses: [200] },
    { header: 'x-forwarded-for', request: read, statuses: [200] },
    { header: 'origin', request: read, statuses: [200] },
    { header: 'access-control-request-headers', request: preflight, statuses: [204] },
    { header: 'if-none-match', request: readItem, statuses: [200, 400] },
    { header: 'if-none-match', before: 'W/"', request: readItem, statuses: [200, 400] },
    { header: 'if-match', request: changeItem, statuses: [400, 412] },
    { header: 'content-type', request: create, statuses: [415] },
    { header: 'content-type', before: 'application/json;', request: create, statuses: [201, 415] },
    { header: 'content-encoding', request: create, statuses: [415] },
    { header: 'idempotency-key', request: create, statuses: [201, 400] },
  ];
})();

/** A text in UTF-8, of at most so many bytes, as the string that Node writes byte by byte. */
const headerValue = (text: Text, bytes: number): string =>
  Buffer.from(text(bytes))
    .subarray(0, bytes)
    .toString('latin1')
    .replaceAll(/[\u007f-\u009f]/g, 'x');

const shortName = (before: string): string => (before === '' ? 'a name' : before);

const records = `{"a_json":${array('{"sku":"9780140449136","title":"The Odyssey","price":"12.50","quantity":3,"gift":false}')}}`;

/** What services are usually sent in these sizes: the yardsticks. */
export const ORDINARY = {
  head: {
    ...list('limit=1&fields=id'),
    headers: { cookie: fill('session=0123456789abcdef; ', HEAD) },
  },
  text: post(JSON.stringify({ a_string: fill('the quick brown fox ', BODY - 100) })),
  records: post(records),
  // The item that it changes has this size too: it is read, compared and written.
  patch: patch(records.replace('Odyssey', 'Iliad'), records),
} as const satisfies Record<string, InputRequest>;

/** Every kind. Lists come first, while the collection has no items, so that their answers are small. */
export const INPUT_KINDS: readonly InputKind[] = [
  ...PARAMETERS.map(([before, ...statuses]) => ({
    name: `query: ${shortName(before)}`,
    statuses: [400, ...statuses],
    yardstick: 'head' as const,
    requests: TEXTS.map((text) => list(before + encode(text, REPEATED_QUERY))),
  })),
  ...PARAMETERS.map(([before]) => ({
    name: `query that is too long to repeat: ${shortName(before)}`,
    statuses: [400, 414],
    yardstick: 'head' as const,
    requests: TEXTS.map((text) => list(before + encode(text, HEAD))),
  })),
  {
    name: 'query: many parameters',
    yardstick: 'head' as const,
    statuses: [200, 400, 414],
    requests: PAIRS.map((pair) => list(fill(pair, HEAD))),
  },
  {
    name: 'path: id',
    yardstick: 'head' as const,
    statuses: [404],
    requests: TEXTS.map((text) => ({ method: 'GET', path: `${SAMPLES}/${encode(text, HEAD)}` })),
  },
  ...HEADERS.map(({ header, before = '', request, statuses }) => ({
    name: `header: ${header}: ${before}`.trim(),
    yardstick: 'head' as const,
    statuses,
    requests: [
      ...TEXTS,
      ...ELEMENTS.map(
        (element): Text =>
          (length) =>
            fill(element, length),
      ),
    ].map((text) => ({
      ...request,
      headers: { ...request.headers, [header]: before + headerValue(text, HEAD) },
    })),
  })),
  ...TEXT_TYPES.map(({ type, field, status, texts }) => ({
    name: `body: ${type}`,
    yardstick: 'text' as const,
    statuses: [status],
    requests: texts.map((text) =>
      post(JSON.stringify({ [field]: text(BODY - 100) }).slice(0, BODY)),
    ),
  })),
  ...TEXT_TYPES.map(({ type, status }) => ({
    name: `body: list of ${type}`,
    yardstick: 'text' as const,
    statuses: [status],
    requests: [post(JSON.stringify({ [`many_${type}`]: TEXTS.map((text) => text(BODY / 30)) }))],
  })),
  ...Object.entries(STRUCTURES).map(([name, [status, body]]) => ({
    name: `body: ${name}`,
    yardstick: 'records' as const,
    statuses: [status],
    requests: [post(body)],
  })),
  ...Object.entries(STRUCTURES).map(([name, [status, body]]) => ({
    name: `patch: ${name}`,
    yardstick: 'patch' as const,
    statuses: [status === 201 ? 200 : status],
    // A patch that repeats what is there compares all of it.
    requests: [patch(body), ...(status === 201 ? [patch(body, body)] : [])],
  })),
];
