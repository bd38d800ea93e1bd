/** Headers and query parameters for the schemas of routes, and how documents have them. */
import { MAX_IN_VALUES } from '../http/filters.ts';
import type { Filterable, ListOptions } from '../http/list.ts';
import { NO_NUL } from '../http/shapes.ts';
import { convert, refer } from './schemas.ts';
import type { DocumentContext, Parameters, RouteSchema, Schema } from './schemas.ts';

const parameters = (
  properties: Parameters['properties'],
  required: readonly string[] = [],
): Parameters => ({ type: 'object', properties, required });

const TAG = '(?:W/)?"[!#-~]*"';

const IF_MATCH: Schema = {
  type: 'string',
  pattern: `^(?:[*]|${TAG}(?:, *${TAG})*)$`,
  description: 'The `ETag` of the revision to change, or `*`. Another revision is 412.',
  examples: ['*'],
};

/** For `headers` of a route that changes an item. */
export const ifMatch = parameters({ 'If-Match': IF_MATCH });

/** The same for a route that does nothing without the header (428). */
export const requiredIfMatch = parameters({ 'If-Match': IF_MATCH }, ['If-Match']);

/** For `headers` of a route that reads an item. */
export const ifNoneMatch = parameters({
  'If-None-Match': {
    type: 'string',
    description: 'The `ETag` of the revision that the client has: the response is 304 then.',
  },
  'If-Match': IF_MATCH,
});

/** For `headers` of a route that uses `createOnce`. */
export const idempotencyKey = parameters({
  'Idempotency-Key': {
    type: 'string',
    pattern: '^[!-~]{1,255}$',
    description:
      'Makes the POST safe to repeat for 24 hours: the first response is stored and sent again.',
  },
});

const REQUEST_ID: Schema = {
  type: 'string',
  format: 'uuid',
  description: 'An identifier for the request, used instead of one that the service makes.',
};

const ID: Schema = { type: 'string', format: 'uuid', description: 'The id of the item.' };

const CURSOR: Schema = {
  type: 'string',
  description: 'Where the page begins: taken from a `Link` header.',
};

const COUNT: Schema = {
  type: 'boolean',
  default: false,
  description: 'Whether to send `Total-Count`.',
};

/** The parameter `q`. */
export const WORDS: Schema = {
  type: 'string',
  // A letter or digit of ASCII, or any character beyond it.
  pattern: '^[\\u0001-/:-@[-`{-\\u007f]*(?:[0-9A-Za-z]|[^\\u0000-\\u007f])[^\\u0000]*$',
  description:
    'Words, all of which an item has: whole words in any case. At least one letter or digit. The first 10,000 different words of each text are searched.',
};

/** For `querystring` of a list: what `readList` reads. */
export function listQuery(options: ListOptions): Parameters {
  const { pages, sort, members, filter, parameters: others = {} } = options;
  return parameters({
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: pages.maximum,
      default: pages.default,
      description: 'The most items of a page. A page of large items has fewer.',
    },
    cursor: CURSOR,
    ...(sort.length > 0 && {
      sort: {
        ...oneOrMore({ type: 'string', enum: sort.flatMap((name) => [name, `-${name}`]) }),
        uniqueItems: true,
        description:
          'Members to sort by, each once. A minus sorts in descending order. Default: `id`.',
      },
    }),
    fields: {
      ...oneOrMore({ type: 'string', enum: members }),
      description: 'Members of each item to return, besides `id`.',
    },
    count: COUNT,
    ...Object.fromEntries(Object.entries(others).map(([name, { schema }]) => [name, schema])),
    ...Object.fromEntries(Object.entries(filter).flatMap(filterParameters)),
  });
}

/** Values separated by commas. */
const oneOrMore = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 });

/** `price`, `price[gte]` and so on. */
const filterParameters = ([member, { schema, operators }]: [string, Filterable]): [
  string,
  Schema,
][] => [
  [member, { ...schema, description: `\`${member}\` equals the value.` }],
  [`${member}[ne]`, { ...schema, description: `\`${member}\` is another value, or null.` }],
  [`${member}[in]`, { ...oneOf(schema), description: `\`${member}\` is one of these.` }],
  [`${member}[null]`, { type: 'boolean', description: `\`${member}\` is null, or is not.` }],
  ...operators.map((operator): [string, Schema] => [
    `${member}[${operator}]`,
    { ...schema, description: `\`${member}\` ${COMPARISONS[operator]} the value.` },
  ]),
];

const COMPARISONS: Readonly<Record<string, string>> = {
  gt: 'is after',
  gte: 'is equal to or after',
  lt: 'is before',
  lte: 'is equal to or before',
};

const ANY_VALUE = '(?:"(?:[^"\\u0000]|"")*"|[^",\\u0000]*)';

/** The values of `in`: an array, unless a value may have a comma, for which documents have no array. */
function oneOf(schema: Schema): Schema {
  const values = schema['enum'] as readonly string[] | undefined;
  const isFree = schema['pattern'] === NO_NUL;
  if (values?.some((value) => /[",]/.test(value)) ?? isFree) {
    const value = values === undefined ? ANY_VALUE : `(?:${values.map(quoted).join('|')})`;
    return { type: 'string', pattern: `^${value}(?:,${value}){0,${MAX_IN_VALUES - 1}}$` };
  }
  return { ...oneOrMore(schema), maxItems: MAX_IN_VALUES };
}

/** A pattern for a value of `in`. */
const quoted = (value: string): string => {
  const text = /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
};

/** The parameters that operations share. */
const SHARED = new Map<Schema, string>([
  [ID, 'id'],
  [REQUEST_ID, 'X-Request-Id'],
  [IF_MATCH, 'If-Match'],
  [CURSOR, 'cursor'],
  [COUNT, 'count'],
  [WORDS, 'q'],
]);

/** The parameters of an operation. */
export function operationParameters(
  url: string,
  { params, querystring, headers }: RouteSchema,
  { components }: DocumentContext,
): object[] {
  const locations: readonly (readonly [location: string, parameters: Parameters | undefined])[] = [
    ['path', params ?? parameters(url.includes('/:id') ? { id: ID } : {})],
    ['query', querystring],
    ['header', headers],
    ['header', parameters({ 'X-Request-Id': REQUEST_ID })],
  ];
  return locations.flatMap(([location, { properties = {}, required = [] } = {}]) =>
    Object.entries(properties).map(([name, shape]) => {
      const parameter = parameterOf(location, name, shape, required.includes(name));
      const shared = required.includes(name) ? undefined : SHARED.get(shape);
      return shared === undefined
        ? parameter
        : refer(components, 'parameters', shared, () => parameter);
    }),
  );
}

function parameterOf(location: string, name: string, shape: Schema, isRequired: boolean): object {
  const { description, examples, ...schema } = convert(shape);
  return {
    in: location,
    name,
    ...(description !== undefined && { description }),
    required: isRequired || location === 'path',
    schema,
    ...(examples !== undefined && { example: (examples as unknown[])[0] }),
    ...(schema['type'] === 'array' && { explode: false }),
  };
}
