/** The parameters of requests. */
import { ORDERED } from '../http/list.ts';
import type { Filterable, ListOptions } from '../http/list.ts';
import { refer } from './draft.ts';
import type { Draft } from './draft.ts';
import type { Parameter, Reference, Schema } from './types.ts';

/** The parameters that every request takes. */
export const requestParameters = (draft: Draft): Reference[] => [
  parameter(draft, 'X-Request-Id', {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An identifier for the request; one that is no UUID is passed over.',
    schema: { type: 'string', format: 'uuid' },
  }),
];

/** The id in a path. */
export const idParameter = (draft: Draft): Reference =>
  parameter(draft, 'id', {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the item.',
    schema: { type: 'string', format: 'uuid' },
  });

/** The state that an item must be in to be changed, by its ETag. */
export const ifMatch = (draft: Draft, required: boolean): Reference =>
  parameter(draft, required ? 'If-Match.required' : 'If-Match', {
    name: 'If-Match',
    in: 'header',
    ...(required && { required }),
    description:
      'The `ETag` that was read with the item: in another state it stays as it is (412). `*` is any state.',
    schema: { type: 'string' },
    example: '*',
  });

/** The state in which a client has an item already, by its ETag. */
export const ifNoneMatch = (draft: Draft): Reference =>
  parameter(draft, 'If-None-Match', {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of the item that the client has: in that state it is not sent again (304).',
    schema: { type: 'string' },
  });

/** What makes it safe to send a POST again. */
export const idempotencyKey = (draft: Draft): Reference =>
  parameter(draft, 'Idempotency-Key', {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A name for this request, best a UUID: sent again within 24 hours, it is done once, and answered as the first time.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  });

/** What a list takes. `name` is that of the list, unique in the document. */
export function listParameters(draft: Draft, name: string, options: ListOptions): Reference[] {
  const { pages, sort, members, filter, search } = options;
  const own = (key: string, schema: Schema, description: string): Reference =>
    parameter(draft, `${name}.${key}`, query(key, schema, description));
  const shared = (key: string, schema: Schema, description: string): Reference =>
    parameter(draft, key, query(key, schema, description));
  return [
    own(
      'limit',
      { type: 'integer', minimum: 1, maximum: pages.maximum, default: pages.default },
      'How many items a page has.',
    ),
    shared(
      'cursor',
      { type: 'string' },
      'The place where the page begins: taken from a `Link` of another page, never made up.',
    ),
    own(
      'sort',
      { type: 'string', pattern: commaSeparated(sort, '-?') },
      `The order: ${codes(sort)}, with commas between, each with a minus in front to fall. Without it items come in the order in which they were made.`,
    ),
    own(
      'fields',
      { type: 'string', pattern: commaSeparated(members, '') },
      `The members that are wanted, with commas between; \`id\` always comes along. Known: ${codes(members)}.`,
    ),
    shared(
      'count',
      { type: 'boolean', default: false },
      'Whether `Total-Count` is to tell how many items the whole list has.',
    ),
    ...(search
      ? [
          shared(
            'q',
            { type: 'string', pattern: String.raw`[\p{L}\p{N}]` },
            'Words, each of which an item must have somewhere in its texts, as a whole word and in any case.',
          ),
        ]
      : []),
    ...Object.entries(filter).flatMap(([member, type]) =>
      filterParameters(member, type).map((one) =>
        parameter(draft, `${name}.${one.name.replace(/\[(\w+)\]$/, '.$1')}`, one),
      ),
    ),
  ];
}

/** `price`, `price[gte]` and so on. */
function filterParameters(member: string, { schema, ordered }: Filterable): Parameter[] {
  const by = (operator: string, value: Schema, words: string): Parameter =>
    query(`${member}[${operator}]`, value, `Only items whose \`${member}\` ${words}.`);
  return [
    query(member, schema, `Only items whose \`${member}\` is this.`),
    by('ne', schema, 'is not this, those without one included'),
    by(
      'in',
      { type: 'string' },
      'is one of these: values with commas between, one with a comma in double quotes',
    ),
    by('null', { type: 'boolean' }, 'is null (`true`) or has a value (`false`)'),
    ...(ordered ? ORDERED.map((operator) => by(operator, schema, WORDS[operator] ?? '')) : []),
  ];
}

const WORDS: Readonly<Record<string, string>> = {
  gt: 'comes after this',
  gte: 'is this or comes after it',
  lt: 'comes before this',
  lte: 'is this or comes before it',
};

const query = (name: string, schema: Schema, description: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

const parameter = (draft: Draft, name: string, value: Parameter): Reference =>
  refer(draft, 'parameters', name, () => value);

/** Some of these names, with commas between. */
const commaSeparated = (names: readonly string[], prefix: string): string => {
  const one = `${prefix}(?:${names.join('|')})`;
  return `^${one}(?:,${one})*$`;
};

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
