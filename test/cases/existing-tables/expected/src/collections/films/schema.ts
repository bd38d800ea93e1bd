/** The shapes of films, and what their lists offer. */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import type { BodyReader } from '../../platform/http/body.ts';
import { databaseDefault, exceptDatabaseDefaults } from '../../platform/http/database-defaults.ts';
import type { WithDatabaseDefaults } from '../../platform/http/database-defaults.ts';
import { numericId } from '../../platform/http/numeric-ids.ts';
import { byEnum } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import type { REVISION } from '../../platform/http/preconditions.ts';
import {
  integer,
  itemShape,
  object,
  oneOf,
  optional,
  setExample,
  string,
  uuid,
} from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of a film. */
export const FilmBody = object({
  title: string({ maxLength: 255 }),
  length_minutes: optional(integer()),
  language_id: uuid(),
  rating: optional(oneOf(['G', 'PG', 'PG-13']), 'G'),
  code: databaseDefault(uuid()),
});

setExample(FilmBody, {
  title: 'Title 1',
  length_minutes: 1,
  language_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  rating: 'G',
  code: '8d3f5a1c-4b6e-4f70-9a2b-000000000001',
});

/** What the database assigns to a film. */
export const FilmAssigned = object({
  slug: string(),
  dubbed_id: optional(uuid()),
});

setExample(FilmAssigned, {
  slug: 'Slug 1',
  dubbed_id: '01890a5d-ac96-774b-bcce-b302099a8057',
});

/** What is stored of a film, with defaults and nulls filled in. Of a new one, the database sets what is undefined. */
export type FilmValues = WithDatabaseDefaults<Complete<Static<typeof FilmBody>>, 'code'>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over films must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const FilmComputed = object({});

/** A film as clients read it. */
export const FilmShape = itemShape('Film', 'Films.', FilmBody, {
  id: numericId('integer'),
  exampleId: '1',
  readOnly: FilmAssigned,
  computed: FilmComputed,
  times: ['updated_at'],
});

export interface Film
  extends
    Complete<FilmValues>,
    Complete<Static<typeof FilmAssigned>>,
    Complete<Static<typeof FilmComputed>> {
  readonly id: string;
  readonly updated_at: string;
  readonly [REVISION]?: string | undefined;
}

export const filmBodies: BodyReader<FilmValues> = bodyReader(FilmBody, FilmShape, {
  completion: exceptDatabaseDefaults,
});

/** Who may do what with films. */
export const filmPermissions = {
  read: 'authenticated',
  create: 'authenticated',
  update: 'authenticated',
  delete: 'authenticated',
} as const satisfies Permissions;

export const filmLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(FilmShape.properties),
  sort: ['title', 'rating'],
  filter: {
    rating: byEnum(['G', 'PG', 'PG-13']),
  },
};
