/** Headers and query parameters for the schemas of routes. */
import { ORDERED } from '../http/list.ts';
import type { Filterable, ListOptions } from '../http/list.ts';
import type { Schema } from './schemas.ts';

/** An object of parameters, as Fastify wants it in the schema of a route. */
export interface Parameters {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const parameters = (
  properties: Parameters['properties'],
  required: readonly string[] = [],
): Parameters => ({ type: 'object', properties, required });

const IF_MATCH: Schema = {
  type: 'string',
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

/** For `querystring` of a list: what `readList` reads. */
export function listQuery({ pages, sort, members, filter, search }: ListOptions): Parameters {
  return parameters({
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: pages.maximum,
      default: pages.default,
      description: 'The most items of a page. A page of large items has fewer.',
    },
    cursor: {
      type: 'string',
      description: 'Where the page begins: taken from a `Link` header.',
    },
    ...(sort.length > 0 && {
      sort: {
        type: 'string',
        pattern: commaSeparated(sort, '-?'),
        description: `Members to sort by: ${codes(sort)}. A minus sorts in descending order. Default: \`id\`.`,
      },
    }),
    fields: {
      type: 'string',
      pattern: commaSeparated(members, ''),
      description: `Members of each item to return, besides \`id\`: ${codes(members)}.`,
    },
    count: {
      type: 'boolean',
      default: false,
      description: 'Whether to send `Total-Count`.',
    },
    ...(search && {
      q: {
        type: 'string',
        minLength: 1,
        description:
          'Words, all of which an item has: whole words in any case. At least one letter or digit. The first 10,000 different words of each text are searched.',
      },
    }),
    ...Object.fromEntries(Object.entries(filter).flatMap(filterParameters)),
  });
}

/** `price`, `price[gte]` and so on. */
const filterParameters = ([member, { schema, ordered }]: [string, Filterable]): [
  string,
  Schema,
][] => [
  [member, { ...schema, description: `\`${member}\` equals the value.` }],
  [`${member}[ne]`, { ...schema, description: `\`${member}\` is another value, or null.` }],
  [
    `${member}[in]`,
    {
      type: 'string',
      description: `\`${member}\` is one of these: separated by commas; a value with a comma in double quotes.`,
    },
  ],
  [`${member}[null]`, { type: 'boolean', description: `\`${member}\` is null, or is not.` }],
  ...(ordered
    ? ORDERED.map((operator): [string, Schema] => [
        `${member}[${operator}]`,
        { ...schema, description: `\`${member}\` is ${COMPARISONS[operator]} the value.` },
      ])
    : []),
];

const COMPARISONS: Readonly<Record<string, string>> = {
  gt: 'after',
  gte: 'equal to or after',
  lt: 'before',
  lte: 'equal to or before',
};

const commaSeparated = (names: readonly string[], prefix: string): string => {
  const one = `${prefix}(?:${names.join('|')})`;
  return `^${one}(?:,${one})*$`;
};

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
