/** People as version 1 has them: as writers. And the way to what is stored and back. */
import type { Static } from 'typebox';

import { bodyReader } from '../../platform/http/body.ts';
import {
  convertible,
  decimalOfInteger,
  midnight,
  orNull,
  reading,
} from '../../platform/http/conversions.ts';
import { decimal } from '../../platform/http/exact-numbers.ts';
import { byString, byTimestamp } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import {
  integer,
  itemShape,
  json,
  object,
  optional,
  setExample,
  string,
  timestamp,
} from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';
import {
  bodiesOf,
  computedMembers,
  computedSources,
  defaultsOf,
} from '../../platform/http/view.ts';
import { PERSON_RESOURCE, personTable } from './repository.ts';
import { PersonBody, PersonComputed } from './schema.ts';
import type { Person, PersonValues } from './schema.ts';
import type { PersonView } from './views.ts';

const BORN_IN_V1 = midnight;
const SCORE_IN_V1 = decimalOfInteger(2);

/** What a client of version 1 sends of a writer. */
export const PersonV1Body = object({
  full_name: string({ maxLength: 100 }),
  born: optional(
    convertible(
      timestamp({ minimum: '0001-01-01T00:00:00.000Z', maximum: '9999-12-31T00:00:00.000Z' }),
      BORN_IN_V1,
      PersonBody.properties.born,
      'must be the beginning of a day in UTC',
    ),
  ),
  score: optional(
    convertible(
      decimal({ precision: 20, scale: 2 }),
      SCORE_IN_V1,
      PersonBody.properties.score,
      'must be an integer that is in range',
    ),
  ),
  nickname: optional(string({ maxLength: 50 })),
  home: optional(
    object({
      city: optional(string({ maxLength: 40 })),
      floor: optional(integer(), 0),
    }),
  ),
  notes: optional(json()),
});

setExample(PersonV1Body, {
  full_name: 'Full name 1',
  born: '2026-01-31T00:00:00.000Z',
  score: '1.50',
  nickname: 'Nickname 1',
  home: { city: 'City 2', floor: 1 },
  notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
});

/** The same with defaults and nulls filled in. */
export type PersonV1Values = Complete<Static<typeof PersonV1Body>>;

/** The computed members of version 1. To leave one out: `Type.Omit(PersonComputed, ['name'])` of typebox. */
export const PersonV1Computed = PersonComputed;

/** A writer as clients of version 1 read it. */
export const PersonV1Shape = itemShape('Writer', 'Who writes.', PersonV1Body, {
  computed: PersonV1Computed,
});

export interface PersonV1 extends PersonV1Values, Complete<Static<typeof PersonV1Computed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const personV1Lists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(PersonV1Shape.properties),
  sort: ['full_name', 'born', 'score'],
  filter: {
    full_name: byString(),
    born: byTimestamp(),
  },
  search: searchWords,
};

/** What version 1 shows of a person. */
export const personToV1 = (person: Person): PersonV1 => ({
  id: person.id,
  full_name: person.name,
  born: orNull(BORN_IN_V1.show, person.born),
  score: orNull(SCORE_IN_V1.show, person.score),
  nickname: person.nickname,
  home: person.home,
  notes: person.notes,
  created_at: person.created_at,
  updated_at: person.updated_at,
  ...computedMembers(PersonV1Computed, person),
});

/**
 * The stored values of a person that version 1 writes. Members that it does not have keep their
 * stored value, or get their default.
 */
export function personFromV1(sent: PersonV1Values, stored?: Person): PersonValues {
  const unseen = stored ?? defaultsOf(PersonBody);
  return {
    name: sent.full_name,
    born: orNull(reading(BORN_IN_V1), sent.born),
    score: orNull(reading(SCORE_IN_V1), sent.score),
    country: unseen.country,
    nickname: sent.nickname,
    home: sent.home,
    notes: sent.notes,
  };
}

const references = {};

export const personV1: PersonView = {
  path: 'writers',
  resource: {
    ...PERSON_RESOURCE,
    item: 'writer',
    anItem: 'a writer',
    unique: {},
    references,
  },
  bodies: bodiesOf(bodyReader(PersonV1Body, PersonV1Shape), {
    show: personToV1,
    store: personFromV1,
    references,
  }),
  lists: personV1Lists,
  table: {
    ...personTable,
    largest: undefined,
    sources: {
      id: 'id',
      full_name: 'name',
      born: 'born',
      score: 'score',
      nickname: 'nickname',
      home: 'home',
      notes: 'notes',
      created_at: 'created_at',
      updated_at: 'updated_at',
      ...computedSources(PersonV1Computed),
    },
    converted: ['born', 'score'],
    columns: {
      full_name: { name: '"people"."name"', type: 'text' },
      born: {
        name: '"people"."born"',
        type: 'timestamptz',
        positionType: 'timestamptz::date',
        order: (value: string) => [`(${value} is null)`, `coalesce(${value}, date '0001-01-01')`],
      },
      score: {
        name: '"people"."score"',
        type: 'numeric',
        positionType: 'numeric::bigint',
        order: (value: string) => [`(${value} is null)`, `coalesce(${value}, 0)`],
      },
    },
    words: '"_words_v2"',
    show: (row) => personToV1(row as unknown as Person),
  },
  nested: {},
  show: personToV1,
  doc: {
    tag: 'Writers',
    words: 'writers',
    type: 'Writer',
    types: 'Writers',
    item: PersonV1Shape,
    body: PersonV1Body,
    unique: [],
  },
};
