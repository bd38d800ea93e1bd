/** The shapes of notes, and what their lists offer. */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { itemShape, object, optional, setExample, string } from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of a note. */
export const NoteBody = object({
  body: optional(string()),
});

setExample(NoteBody, {
  body: 'Body 1',
});

/** What is stored of a note, with defaults and nulls filled in. */
export type NoteValues = Complete<Static<typeof NoteBody>>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over notes must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const NoteComputed = object({});

/** A note as clients read it. */
export const NoteShape = itemShape('Note', 'Notes.', NoteBody, { computed: NoteComputed });

export interface Note extends NoteValues, Complete<Static<typeof NoteComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const noteBodies = bodyReader(NoteBody, NoteShape);

/** Who may do what with notes. */
export const notePermissions = {
  read: 'authenticated',
  create: 'authenticated',
  update: 'authenticated',
  delete: 'authenticated',
} as const satisfies Permissions;

export const noteLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(NoteShape.properties),
  sort: ['created_at'],
  filter: {},
  search: false,
};
