/** Values that columns of existing tables hold and no request can send: answers show them as they are. */
import type { TSchema } from 'typebox';

import { documented, extend, KEYWORDS } from './shapes.ts';
import type { ShapeParts } from './shapes.ts';

const NUMBER = '-?[0-9]+';

/** By the type of the member, as patterns of their texts. */
const OTHERS = {
  decimal: '^NaN$',
  duration:
    `^-?infinity$|^P(?=[0-9T]|-)(?:${NUMBER}Y)?(?:${NUMBER}M)?(?:${NUMBER}D)?` +
    `(?:T(?=[0-9]|-)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}(?:[.][0-9]+)?S)?)?$`,
  number: '^(?:NaN|-?Infinity)$',
  time: '^24:00:00$',
} as const;

type OtherType = keyof typeof OTHERS;

/** Documents a member of an item with its other values, so that the schema allows what answers contain. */
export const withOtherValues =
  (members: Readonly<Record<string, OtherType>>) =>
  (name: string, shape: TSchema): TSchema =>
    Object.hasOwn(members, name) ? widened(shape, OTHERS[members[name]!]) : shape;

function widened(shape: TSchema, pattern: string): TSchema {
  const { items, type = [], [KEYWORDS]: keywords = {} }: ShapeParts = shape;
  if (items !== undefined) return extend(shape, { items: widened(items as TSchema, pattern) });
  const { pattern: own } = keywords;
  return typeof own === 'string'
    ? documented(shape, { ...keywords, pattern: `${own}|${pattern}` })
    : documented(shape, { ...keywords, type: [...[type].flat(), 'string'], pattern });
}
