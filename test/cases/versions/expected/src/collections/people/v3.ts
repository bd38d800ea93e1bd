/** People as version 3 has them, and the way to what is stored and back. */
import type { Static } from 'typebox';

import { bodyReader } from '../../platform/http/body.ts';
import { byDate, byString } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { bySearch } from '../../platform/http/search.ts';
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

/** What a client of version 3 sends of a person. */
export const PersonV3Body = object({
  name: string({ maxLength: 100 }),
  born: optional(date()),
  score: optional(integer()),
  country: optional(string({ maxLength: 2 }), 'NL'),
  home: optional(
    object({
      city: optional(string({ maxLength: 40 })),
      floor: optional(integer(), 0),
    }),
  ),
  notes: optional(json()),
});

setExample(PersonV3Body, {
  name: 'Name 1',
  born: '2026-01-31',
  score: 1,
  country: 'NL',
  home: { city: 'City 2', floor: 1 },
  notes: { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
});

/** The same with defaults and nulls filled in. */
export type PersonV3Values = Complete<Static<typeof PersonV3Body>>;

/** The computed members of version 3. To leave one out: `Type.Omit(PersonComputed, ['name'])` of typebox. */
export const PersonV3Computed = PersonComputed;

/** A person as clients of version 3 read it. */
export const PersonV3Shape = itemShape('Person', 'Who writes.', PersonV3Body, {
  computed: PersonV3Computed,
});

export interface PersonV3 extends PersonV3Values, Complete<Static<typeof PersonV3Computed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const personV3Lists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(PersonV3Shape.properties),
  sort: ['name', 'born', 'score'],
  filter: {
    name: byString(),
    born: byDate(),
    country: byString(),
  },
  parameters: {
    q: bySearch,
  },
};

/** What version 3 shows of a person. */
export const personToV3 = (person: Person): PersonV3 => ({
  id: person.id,
  name: person.name,
  born: person.born,
  score: person.score,
  country: person.country,
  home: person.home,
  notes: person.notes,
  created_at: person.created_at,
  updated_at: person.updated_at,
  ...computedMembers(PersonV3Computed, person),
});

/**
 * The stored values of a person that version 3 writes. Members that it does not have keep their
 * stored value, or get their default.
 */
export function personFromV3(sent: PersonV3Values, stored?: Person): PersonValues {
  const unseen = stored ?? defaultsOf(PersonBody);
  return {
    name: sent.name,
    born: sent.born,
    score: sent.score,
    country: sent.country,
    nickname: unseen.nickname,
    home: sent.home,
    notes: sent.notes,
  };
}

const references = {};

export const personV3: PersonView = {
  path: 'people',
  resource: {
    ...PERSON_RESOURCE,
    item: 'person',
    anItem: 'a person',
    unique: {},
    references,
  },
  bodies: bodiesOf(bodyReader(PersonV3Body, PersonV3Shape), {
    show: personToV3,
    store: personFromV3,
    references,
  }),
  lists: personV3Lists,
  table: {
    ...personTable,
    largest: undefined,
    sources: {
      id: 'id',
      name: 'name',
      born: 'born',
      score: 'score',
      country: 'country',
      home: 'home',
      notes: 'notes',
      created_at: 'created_at',
      updated_at: 'updated_at',
      ...computedSources(PersonV3Computed),
    },
    columns: {
      name: { name: '"people"."name"', type: 'text' },
      born: {
        name: '"people"."born"',
        type: 'date',
        order: (value: string) => [`(${value} is null)`, `coalesce(${value}, date '0001-01-01')`],
      },
      score: {
        name: '"people"."score"',
        type: 'bigint',
        order: (value: string) => [`(${value} is null)`, `coalesce(${value}, 0)`],
      },
      country: { name: '"people"."country"', type: 'text' },
    },
    show: (row) => personToV3(row as unknown as Person),
  },
  nested: {},
  show: personToV3,
  doc: {
    tag: 'People',
    words: 'people',
    type: 'Person',
    types: 'People',
    item: PersonV3Shape,
    body: PersonV3Body,
    unique: [],
  },
};
