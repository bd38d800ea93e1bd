/** People as version 2 has them, and the way to what is stored and back. */
import type { Static } from 'typebox';

import { bodyReader } from '../../platform/http/body.ts';
import { convertible, decimalOfInteger, orNull, reading } from '../../platform/http/conversions.ts';
import { decimal } from '../../platform/http/exact-numbers.ts';
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
import { bodiesOf, computedMembers, computedSources } from '../../platform/http/view.ts';
import { PERSON_RESOURCE, personTable } from './repository.ts';
import { PersonBody, PersonComputed } from './schema.ts';
import type { Person, PersonValues } from './schema.ts';
import type { PersonView } from './views.ts';

const SCORE_IN_V2 = decimalOfInteger(2);

/** What a client of version 2 sends of a person. */
export const PersonV2Body = object({
  full_name: string({ maxLength: 100 }),
  born: optional(date()),
  score: optional(
    convertible(
      decimal({ precision: 20, scale: 2 }),
      SCORE_IN_V2,
      PersonBody.properties.score,
      'must be an integer that is in range',
    ),
  ),
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

setExample(PersonV2Body, {
  full_name: 'Full name 1',
  born: '2026-01-31',
  score: '1.50',
  country: 'NL',
  nickname: 'Nickname 1',
  home: { city: 'City 2', floor: 1 },
  notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
});

/** The same with defaults and nulls filled in. */
export type PersonV2Values = Complete<Static<typeof PersonV2Body>>;

/** The computed members of version 2. To leave one out: `Type.Omit(PersonComputed, ['name'])` of typebox. */
export const PersonV2Computed = PersonComputed;

/** A person as clients of version 2 read it. */
export const PersonV2Shape = itemShape('Person', 'Who writes.', PersonV2Body, {
  computed: PersonV2Computed,
});

export interface PersonV2 extends PersonV2Values, Complete<Static<typeof PersonV2Computed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const personV2Lists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(PersonV2Shape.properties),
  sort: ['full_name', 'born', 'score'],
  filter: {
    full_name: byString(),
    born: byDate(),
    country: byString(),
  },
  search: searchWords,
};

/** What version 2 shows of a person. */
export const personToV2 = (person: Person): PersonV2 => ({
  id: person.id,
  full_name: person.name,
  born: person.born,
  score: orNull(SCORE_IN_V2.show, person.score),
  country: person.country,
  nickname: person.nickname,
  home: person.home,
  notes: person.notes,
  created_at: person.created_at,
  updated_at: person.updated_at,
  ...computedMembers(PersonV2Computed, person),
});

/** The stored values of a person that version 2 writes. */
export function personFromV2(sent: PersonV2Values): PersonValues {
  return {
    name: sent.full_name,
    born: sent.born,
    score: orNull(reading(SCORE_IN_V2), sent.score),
    country: sent.country,
    nickname: sent.nickname,
    home: sent.home,
    notes: sent.notes,
  };
}

const references = {};

export const personV2: PersonView = {
  path: 'people',
  resource: {
    ...PERSON_RESOURCE,
    item: 'person',
    anItem: 'a person',
    unique: {},
    references,
  },
  bodies: bodiesOf(bodyReader(PersonV2Body, PersonV2Shape), {
    show: personToV2,
    store: personFromV2,
    references,
  }),
  lists: personV2Lists,
  table: {
    ...personTable,
    largest: undefined,
    sources: {
      id: 'id',
      full_name: 'name',
      born: 'born',
      score: 'score',
      country: 'country',
      nickname: 'nickname',
      home: 'home',
      notes: 'notes',
      created_at: 'created_at',
      updated_at: 'updated_at',
      ...computedSources(PersonV2Computed),
    },
    converted: ['score'],
    columns: {
      full_name: { name: '"people"."name"', type: 'text' },
      born: {
        name: '"people"."born"',
        type: 'date',
        order: (value: string) => [`(${value} is null)`, `coalesce(${value}, date '0001-01-01')`],
      },
      score: {
        name: '"people"."score"',
        type: 'numeric',
        positionType: 'numeric::bigint',
        order: (value: string) => [`(${value} is null)`, `coalesce(${value}, 0)`],
      },
      country: { name: '"people"."country"', type: 'text' },
    },
    words: '"_words_v2"',
    show: (row) => personToV2(row as unknown as Person),
  },
  nested: {},
  show: personToV2,
  doc: {
    tag: 'People',
    words: 'people',
    type: 'Person',
    types: 'People',
    item: PersonV2Shape,
    body: PersonV2Body,
    unique: [],
  },
};
