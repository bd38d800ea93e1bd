/** The shapes of events, as clients read them. */
import type { TObject, TProperties } from 'typebox';

import type { ListOptions } from '../http/list.ts';
import { described, object, oneOf, timestamp, uuid } from '../http/shapes.ts';
import type { ShapeParts } from '../http/shapes.ts';
import { answerSchema } from '../openapi/schemas.ts';
import type { DocumentContext } from '../openapi/schemas.ts';
import { formIn } from './event-store.ts';
import type { Change, Forms } from './event-store.ts';

/** A collection with events, in a version. */
export interface EventSource {
  /** What an item is called in the types of stored events: `book` in `book.created`. */
  readonly stored: string;
  /** The same in the version. */
  readonly item: string;
  /** An item as the version has it. */
  readonly shape: TObject;
}

const CHANGES: readonly Change[] = ['created', 'updated', 'deleted'];

/** A type of events, as events are stored, and as a version calls it. */
export interface EventType {
  readonly stored: string;
  readonly name: string;
}

/** The types of the events of a collection. */
export const typesOf = ({ stored, item }: Pick<EventSource, 'stored' | 'item'>): EventType[] =>
  CHANGES.map((change) => ({ stored: `${stored}.${change}`, name: `${item}.${change}` }));

/**
 * The data of a stored event in a version: the members that the definitions show now. Later definitions may
 * have made a member `write_only`, or removed it.
 */
export function dataIn({ shape }: Pick<EventSource, 'shape'>, forms: Forms, version: number) {
  const form = formIn(forms, version);
  if (form === null) return null;
  const shown = Object.entries(form).filter(([name]) => Object.hasOwn(shape.properties, name));
  return Object.fromEntries(shown) as Readonly<Record<string, unknown>>;
}

/** The shape of the events of a collection, which documents call `Event.book`. */
export function eventShape(source: EventSource): TObject {
  const { item, shape } = source;
  const { examples = [] }: ShapeParts = shape;
  const types = typesOf(source).map(({ name }) => name);
  const members: TProperties = {
    id: described('The id of the event: the same in every answer.', uuid()),
    type: oneOf(types),
    timestamp: described('When the item changed.', timestamp()),
    data: shape,
  };
  return Object.assign(object(members), {
    $id: `Event.${item}`,
    description: 'A change: `data` is the item after it, or before it if the item was deleted.',
    examples: examples.map((data) => ({
      id: '01890a5d-ac96-774b-bcce-b302099a8058',
      type: types[0],
      timestamp: '2026-01-31T12:00:00.000Z',
      data,
    })),
  });
}

/** For `response` in the schema of a list of events. `documentEvents` makes the schemas of its items. */
export function eventPage(sources: readonly EventSource[], { pages }: ListOptions): ShapeParts {
  const items = {
    anyOf: sources.map(({ item }) => ({ $ref: `#/components/schemas/${listedName(item)}` })),
  } as ShapeParts;
  return { type: 'array', description: 'Changes of items.', items, maxItems: pages.maximum };
}

/** Adds the schemas of listed events to a document. With `fields` an event has some members only. */
export function documentEvents(
  sources: readonly EventSource[],
  { components }: DocumentContext,
): void {
  for (const source of sources) {
    const shape: ShapeParts = eventShape(source);
    answerSchema({ ...shape, $id: listedName(source.item), sparse: true }, components);
  }
}

const listedName = (item: string): string => `Event.${item}.listed`;
