/** The items of a collection as clients read them, by themselves and in lists. */
import type { TSchema } from 'typebox';

import { complete } from '../http/shapes.ts';
import type { ShapeParts } from '../http/shapes.ts';
import { inEveryType, refer } from './draft.ts';
import type { Draft } from './draft.ts';
import type { Resource } from './resource.ts';
import { answerSchema } from './schemas.ts';
import type { Content, Reference, Schema } from './types.ts';
import { withoutHtml } from './words.ts';

const EXAMPLE_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const EXAMPLE_TIME = '2026-01-31T12:00:00.000Z';

/** An item as clients read it. */
export const itemSchema = (draft: Draft, about: Resource): Reference =>
  refer(draft, 'schemas', about.types.one, () => {
    const properties = itemProperties(about);
    return {
      type: 'object',
      description: withoutHtml(about.description),
      properties,
      required: Object.keys(properties),
    };
  });

/** A page. With `fields`, items have fewer members than by themselves. */
export function pageContent(draft: Draft, about: Resource): Content {
  const listed = refer(draft, 'schemas', `${about.types.one}.listed`, () => ({
    type: 'object',
    description: 'As in a list: every member is there, unless `fields` chose some.',
    properties: itemProperties(about),
    required: ['id'],
  }));
  const { example } = exampleOf(about);
  return inEveryType(draft, {
    schema: { type: 'array', items: listed, maxItems: about.lists.pages.maximum },
    ...(example !== undefined && { example: [example] }),
  });
}

/** The members of an item, in the order in which it has them. */
function itemProperties({ body, readOnly, lists }: Resource): Readonly<Record<string, Schema>> {
  const written = (body as ShapeParts).properties ?? {};
  const unwritten = (readOnly as ShapeParts | undefined)?.properties ?? {};
  return Object.fromEntries(
    lists.members.map((name): [string, Schema] => {
      const own = ITEM_MEMBERS[name];
      if (own !== undefined) return [name, own];
      if (unwritten[name] !== undefined) {
        return [name, { ...answerSchema(unwritten[name]), readOnly: true }];
      }
      return [name, answerSchema(written[name] ?? {})];
    }),
  );
}

/** The members that every item has, and the service alone writes. */
const ITEM_MEMBERS: Readonly<Record<string, Schema>> = {
  id: { type: 'string', format: 'uuid', readOnly: true, description: 'A UUID of version 7.' },
  created_at: { type: 'string', format: 'date-time', readOnly: true },
  updated_at: { type: 'string', format: 'date-time', readOnly: true },
};

/** An item that the example of a body would yield. */
export function exampleOf({ example, body, readOnly, lists }: Resource): { example?: object } {
  if (example === undefined) return {};
  const values: Record<string, unknown> = {
    ...(readOnly !== undefined && (complete(readOnly as TSchema, {}) as object)),
    ...(complete(body as TSchema, example) as object),
    id: EXAMPLE_ID,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
  };
  return { example: Object.fromEntries(lists.members.map((name) => [name, values[name]])) };
}
