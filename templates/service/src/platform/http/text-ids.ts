/** Ids that are texts, which clients choose. In paths they are percent-encoded. */
import type { TUnsafe } from 'typebox';

import type { Filterable } from './filters.ts';
import { documented, refine, string } from './shapes.ts';

/** In code points. */
const LONGEST = 255;

/** Segments of a path that clients resolve before they send it, even if encoded (WHATWG URL, section 4.5). */
const DOT_SEGMENT = /^\.{1,2}$/;

const KEYWORDS = { minLength: 1, maxLength: LONGEST, pattern: '^(?![.]{1,2}$)[^\\u0000]*$' };

/** Whether a text can be an id. */
export const isTextId = (text: string): boolean =>
  text !== '' &&
  !DOT_SEGMENT.test(text) &&
  text.isWellFormed() &&
  !text.includes('\0') &&
  (text.length <= LONGEST || Array.from(text.slice(0, 2 * LONGEST + 1)).length <= LONGEST);

/** The id of an item, as a member. */
export const textId = (): TUnsafe<string> =>
  refine(
    documented(string({ minLength: 1, maxLength: LONGEST }), { pattern: KEYWORDS.pattern }),
    (text) => !DOT_SEGMENT.test(text),
    'must not be "." or "..", which paths cannot have',
  );

export const byTextId = (): Filterable => ({
  read: (text) => (isTextId(text) ? text : undefined),
  hint: `it takes the id of an item, of 1 to ${LONGEST} characters`,
  operators: [],
  schema: { type: 'string', ...KEYWORDS },
});

/** For `params` of a route with such an id in its path. */
export const textIdParameter = {
  type: 'object',
  properties: { id: { type: 'string', ...KEYWORDS, description: 'The id of the item.' } },
} as const;
