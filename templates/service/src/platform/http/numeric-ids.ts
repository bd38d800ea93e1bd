/** Ids that a sequence of the database assigns. In JSON and in paths they are text: clients need not know the type. */
import type { TUnsafe } from 'typebox';

import type { Filterable } from './filters.ts';
import { documented, refine, string } from './shapes.ts';
import type { Keywords } from './shapes.ts';

/** The types of such ids, with the largest value of each. */
const LARGEST = { smallint: 2n ** 15n - 1n, integer: 2n ** 31n - 1n, bigint: 2n ** 63n - 1n };

export type NumericType = keyof typeof LARGEST;

/** The only spelling of an integer: no plus sign, no leading zero. */
const PATTERN = '^(?:0|-?[1-9][0-9]{0,18})$';
const INTEGER = new RegExp(PATTERN);

/** Whether a text is an id of the type. */
export function isNumericId(text: string, type: NumericType): boolean {
  if (!INTEGER.test(text)) return false;
  const value = BigInt(text);
  return value <= LARGEST[type] && value >= -LARGEST[type] - 1n;
}

const keywordsOf = (type: NumericType): Keywords => ({
  format: 'int64',
  pattern: PATTERN,
  'x-minimum': String(-LARGEST[type] - 1n),
  'x-maximum': String(LARGEST[type]),
});

/** The id of an item, as a member. */
export const numericId = (type: NumericType): TUnsafe<string> =>
  refine(
    documented(string(), keywordsOf(type)),
    (text) => isNumericId(text, type),
    `must be the id of an item: an integer as text, such as "42", of at most ${LARGEST[type]}`,
  );

export const byNumericId = (type: NumericType): Filterable => ({
  read: (text) => (isNumericId(text, type) ? text : undefined),
  hint: `it takes the id of an item, which is an integer of at most ${LARGEST[type]}`,
  operators: [],
  schema: { type: 'string', ...keywordsOf(type) },
});

/** For `params` of a route with such an id in its path. */
export const numericIdParameter = {
  type: 'object',
  properties: { id: { type: 'string', pattern: PATTERN, description: 'The id of the item.' } },
} as const;
