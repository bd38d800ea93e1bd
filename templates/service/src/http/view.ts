/**
 * How versions of the API see a collection: under which names, in which shapes, and in which of its
 * members. What is stored is the same for all of them; a view leads from that to what clients of a
 * version read, and from what they send back to that.
 */
import type { FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';

import type { Constraints } from '../database/constraints.ts';
import type { Kind } from '../database/missing.ts';
import type { ListTable } from '../database/pages.ts';
import type { BodyReader } from './body.ts';
import { isSameJson } from './json.ts';
import type { ListOptions } from './list.ts';
import { complete } from './shapes.ts';
import type { Complete } from './shapes.ts';

/** A kind of item, by the names that a version has for it and for its references. */
export interface NamedKind<Reference extends string> extends Kind {
  readonly constraints: Constraints;
  readonly references: Readonly<Record<Reference, string>>;
}

/** A path below the items of another collection. */
export interface NestedPath {
  /** The path of the other collection, and the last segment. */
  readonly parent: string;
  readonly path: string;
  /** What the parent is. */
  readonly kind: Kind;
}

/** A collection as a version has it. */
export interface View<Item extends object, Values, Reference extends string> {
  readonly path: string;
  readonly kind: NamedKind<Reference>;
  /** Reads what clients send, and says what of it is stored. */
  readonly bodies: BodyReader<Values>;
  readonly lists: ListOptions;
  readonly table: ListTable;
  /** By the reference that leads to the parent; those that the version has. */
  readonly nested: Readonly<Partial<Record<Reference, NestedPath>>>;
  /** What clients read of an item. */
  readonly show: (item: Item) => Shown;
}

/** What every item has, whatever else a version shows of it. */
export interface Shown {
  readonly id: string;
  readonly updated_at: string;
}

/** Reads bodies by the shape of a version, and says what is stored of them. */
export const storing = <Sent, Stored extends object, Values>(
  reader: BodyReader<Sent>,
  view: {
    readonly show: (stored: Stored) => object;
    readonly store: (sent: Sent, stored?: Stored) => Values;
    /** What members that a path names already are called in the version. */
    readonly references: Readonly<Record<string, string>>;
  },
): BodyReader<Values> => ({
  create: (request: FastifyRequest, given: object = {}) => {
    const renamed = Object.entries(given).map(([name, value]: [string, unknown]) => [
      view.references[name] ?? name,
      value,
    ]);
    return view.store(reader.create(request, Object.fromEntries(renamed) as Partial<Sent>));
  },
  replace: (request, stored) => {
    // Bodies are read for items of this very collection.
    const item = stored as Stored;
    return view.store(reader.replace(request, view.show(item)), item);
  },
  patch: (request, stored) => {
    const item = stored as Stored;
    return view.store(reader.patch(request, view.show(item)), item);
  },
});

/** What a new item has of members that nothing is said of: their defaults, or null. */
export const unsaid = <Shape extends TObject>(shape: Shape): Complete<Static<Shape>> =>
  complete(shape, {} as Static<Shape>);

/**
 * The stored value, where what was sent is just what is shown of it: what a version cannot tell
 * apart it does not change. Undefined where something else was sent.
 */
export const kept = <Value>(stored: Value, shown: unknown, sent: unknown): Value | undefined =>
  isSameJson(shown, sent) ? stored : undefined;
