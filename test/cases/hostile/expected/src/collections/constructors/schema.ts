/**
 * The shapes of constructors, and what their lists offer.
 *
 * All that an object and an array have already.
 */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import { keepsChecks } from '../../platform/http/checks.ts';
import type { Checks } from '../../platform/http/checks.ts';
import { byInteger, byString } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { bySearch } from '../../platform/http/search.ts';
import {
  boolean,
  described,
  integer,
  itemShape,
  list,
  object,
  oneOf,
  optional,
  string,
} from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of a constructor. */
export const ConstructorBody = described(
  'Values that violate one of these rules are refused (422):\n\n- `constructor`, `to_string`, `length`, `value_of`: constructor != to_string or length > 3 or value_of = null must hold.',
  object({
    constructor: string({ maxLength: 50 }),
    has_own_property: optional(string({ maxLength: 50 })),
    is_prototype_of: optional(string({ maxLength: 50 })),
    property_is_enumerable: optional(string({ maxLength: 50 })),
    to_locale_string: optional(string({ maxLength: 50 })),
    to_string: optional(string({ maxLength: 50 }), '[object Object]'),
    value_of: optional(string({ maxLength: 50 })),
    at: optional(string({ maxLength: 50 })),
    concat: optional(integer()),
    copy_within: optional(boolean()),
    entries: optional(string({ maxLength: 50 })),
    every: optional(integer()),
    fill: optional(boolean()),
    filter: optional(string({ maxLength: 50 })),
    find: optional(integer()),
    find_index: optional(boolean()),
    find_last: optional(string({ maxLength: 50 })),
    find_last_index: optional(integer()),
    flat: optional(boolean()),
    flat_map: optional(string({ maxLength: 50 })),
    for_each: optional(integer()),
    includes: optional(boolean()),
    index_of: optional(string({ maxLength: 50 })),
    join: optional(integer()),
    keys: optional(boolean()),
    last_index_of: optional(string({ maxLength: 50 })),
    length: optional(integer({ minimum: 0 }), 0),
    map: optional(
      object({
        constructor: optional(string({ maxLength: 50 })),
        to_string: optional(integer()),
        length: optional(string({ maxLength: 50 })),
        map: optional(integer()),
      }),
    ),
    pop: optional(string({ maxLength: 50 })),
    push: optional(integer()),
    reduce: optional(boolean()),
    reduce_right: optional(string({ maxLength: 50 })),
    reverse: optional(integer()),
    shift: optional(boolean()),
    slice: optional(string({ maxLength: 50 })),
    some: optional(integer()),
    sort: optional(boolean()),
    splice: optional(string({ maxLength: 50 })),
    to_reversed: optional(integer()),
    to_sorted: optional(boolean()),
    to_spliced: optional(string({ maxLength: 50 })),
    unshift: optional(integer()),
    values: optional(list(oneOf(['constructor', '__proto__', 'toString', 'length']))),
    with: optional(string({ maxLength: 50 })),
  }),
);

/** What is stored of a constructor, with defaults and nulls filled in. */
export type ConstructorValues = Complete<Static<typeof ConstructorBody>>;

/** The checks of constructors, by the names of their constraints in the database. */
export const constructorChecks = {
  constructors__constructor__rule: {
    members: ['constructor', 'to_string', 'length', 'value_of'],
    message: 'constructor != to_string or length > 3 or value_of = null must hold.',
    holds: (values) =>
      values.value_of === null ||
      values.to_string === null ||
      values.length === null ||
      values.constructor !== values.to_string ||
      values.length > 3,
  },
} satisfies Checks<ConstructorValues>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over constructors must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const ConstructorComputed = object({});

/** A constructor as clients read it. */
export const ConstructorShape = itemShape(
  'Constructor',
  'All that an object and an array have already.',
  ConstructorBody,
  { computed: ConstructorComputed },
);

export interface Constructor
  extends ConstructorValues, Complete<Static<typeof ConstructorComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const constructorBodies = bodyReader(ConstructorBody, ConstructorShape, {
  rules: [keepsChecks(constructorChecks)],
});

/** Who may do what with constructors. */
export const constructorPermissions = {
  read: 'authenticated',
  create: 'authenticated',
  update: 'authenticated',
  delete: 'authenticated',
} as const satisfies Permissions;

export const constructorLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(ConstructorShape.properties),
  sort: ['length', 'to_string'],
  filter: {
    constructor: byString(),
    length: byInteger(),
    value_of: byString(),
    has_own_property: byString(),
    with: byString(),
  },
  parameters: {
    q: bySearch,
  },
};
