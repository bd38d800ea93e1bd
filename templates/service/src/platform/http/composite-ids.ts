/** Ids that consist of the values of several members, with `~` between them: `12~de`. In texts, `%` and `~` are `%25` and `%7E`. */
import type { TUnsafe } from 'typebox';

import { isNumericId } from './numeric-ids.ts';
import { documented, string } from './shapes.ts';
import { isUuid } from './uuid.ts';

/** A part of an id. */
export interface IdPart {
  /** The column, in SQL. One of an enum type is cast to text, so the index of the key cannot find its values. */
  readonly expression: string;
  readonly type: 'bigint' | 'integer' | 'smallint' | 'text' | 'uuid';
}

const COMPOSITE_ID = {
  pattern: '^[^~\\u0000]*(?:~[^~\\u0000]*)+$',
  description:
    'The values of the key, with `~` between them. In texts, `%` is `%25` and `~` is `%7E`. In a URL, the whole id is percent-encoded.',
};

/** Whether a part of an id can be cast to the type of its column. */
const IS_PART: Readonly<Record<IdPart['type'], (text: string) => boolean>> = {
  smallint: (text) => isNumericId(text, 'smallint'),
  integer: (text) => isNumericId(text, 'integer'),
  bigint: (text) => isNumericId(text, 'bigint'),
  text: (text) => text.isWellFormed() && !text.includes('\0'),
  uuid: isUuid,
};

/** Whether a text can be an id. */
export function isCompositeId(id: string, parts: readonly IdPart[]): boolean {
  const values = id.split('~', parts.length + 1);
  return (
    values.length === parts.length && parts.every(({ type }, at) => IS_PART[type](values[at] ?? ''))
  );
}

/** The id of an item, as a member. */
export const compositeId = (): TUnsafe<string> => documented(string(), COMPOSITE_ID);

/** For `params` of a route with such an id in its path. */
export const compositeIdParameter = {
  type: 'object',
  properties: { id: { type: 'string', ...COMPOSITE_ID } },
} as const;
