/**
 * The shapes of people, and what their lists offer.
 *
 * Who writes.
 */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import { byDate, byString } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import {
  date,
  integer,
  itemShape,
  json,
  object,
  optional,
  setExample,
  string,
} from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of a person. */
export const PersonBody = object({
  name: string({ maxLength: 100 }),
  born: optional(date()),
  score: optional(integer()),
  country: optional(string({ maxLength: 2 }), 'NL'),
  nickname: optional(string({ maxLength: 50 })),
  home: optional(
    object({
      city: optional(string({ maxLength: 40 })),
      floor: optional(integer(), 0),
    }),
  ),
  notes: optional(json()),
});

setExample(PersonBody, {
  name: 'Name 1',
  born: '2026-01-31',
  score: 1,
  country: 'NL',
  nickname: 'Nickname 1',
  home: { city: 'City 2', floor: 1 },
  notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
});

/** What is stored of a person, with defaults and nulls filled in. */
export type PersonValues = Complete<Static<typeof PersonBody>>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over people must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const PersonComputed = object({});

/** A person as clients read it. */
export const PersonShape = itemShape('Person', 'Who writes.', PersonBody, {
  computed: PersonComputed,
});

export interface Person extends PersonValues, Complete<Static<typeof PersonComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const personBodies = bodyReader(PersonBody, PersonShape);

/** Who may do what with people. */
export const personPermissions = {
  read: 'public',
  create: 'authenticated',
  update: 'authenticated',
  delete: 'authenticated',
} as const satisfies Permissions;

export const personLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(PersonShape.properties),
  sort: ['name', 'born', 'score'],
  filter: {
    name: byString(),
    born: byDate(),
    country: byString(),
  },
  search: searchWords,
};
