/**
 * Views: the form that a collection has in a version of the API. All versions share the stored items;
 * a view converts stored items to those of its version, and bodies back to stored values.
 */
import type { FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';

import type { Resource } from '../database/constraints.ts';
import type { ListTable } from '../database/pages.ts';
import type { BodyReader } from './body.ts';
import type { Shown } from './item.ts';
import { isSameJson } from './json.ts';
import type { ListOptions } from './list.ts';
import { completeMembers } from './shapes.ts';
import type { ValuesOf } from './shapes.ts';

/** The names of a resource and its members in a version, for messages. */
export interface VersionedResource<Reference extends string> extends Resource {
  readonly references: Readonly<Record<Reference, string>>;
}

/** A nested collection path, `/{parent}/{id}/{path}`. */
export interface NestedPath {
  readonly parent: string;
  readonly path: string;
  /** The resource of the parent. */
  readonly resource: Resource;
  /** The end of the names of its operations: `BooksOfAuthor`. */
  readonly name: string;
}

/** What the OpenAPI document of a version has of a collection. */
export interface ViewDocumentation {
  /** The group of its operations: `Books`. */
  readonly tag: string;
  /** `books`, for summaries. */
  readonly words: string;
  /** `Book` and `Books`, for the names of operations. */
  readonly type: string;
  readonly types: string;
  readonly item: TObject;
  readonly body: TObject;
  /** Members whose values no two items share. */
  readonly unique: readonly string[];
}

/** A collection in a version. */
export interface View<Item extends object, Values, Reference extends string> {
  readonly path: string;
  readonly resource: VersionedResource<Reference>;
  /** Reads bodies of the version and converts them to stored values. */
  readonly bodies: BodyReader<Values>;
  readonly lists: ListOptions;
  readonly table: ListTable;
  /** By the reference that leads to the parent; those that the version has. */
  readonly nested: Readonly<Partial<Record<Reference, NestedPath>>>;
  /** Converts a stored item to the version. */
  readonly show: (item: Item) => Shown;
  readonly doc: ViewDocumentation;
}

/** A body reader for a version: it reads bodies of the version and returns stored values. */
export const bodiesOf = <Sent, Stored extends object, Values>(
  reader: BodyReader<Sent>,
  view: {
    readonly show: (stored: Stored) => object;
    readonly store: (sent: Sent, stored?: Stored) => Values;
    /** The names of references in the version, by their stored names. */
    readonly references: Readonly<Record<string, string>>;
  },
): BodyReader<Values> => ({
  create: (request: FastifyRequest, given: object = {}) => {
    const renamed = Object.entries(given).map(([name, value]: [string, unknown]) => [
      view.references[name] ?? name,
      value,
    ]);
    return view.store(reader.create<never>(request, Object.fromEntries(renamed)));
  },
  replace: (request, stored) => {
    // Callers pass items of this collection.
    const item = stored as Stored;
    return view.store(reader.replace(request, view.show(item)), item);
  },
  patch: (request, stored) => {
    const item = stored as Stored;
    return view.store(reader.patch(request, view.show(item)), item);
  },
});

/** The computed members of an item: all versions show them as they are. */
export const computedMembers = <Shape extends TObject>(
  { properties }: Shape,
  item: ValuesOf<Shape>,
): ValuesOf<Shape> =>
  Object.fromEntries(
    Object.keys(properties).map((name) => [name, (item as Record<string, unknown>)[name]]),
  ) as ValuesOf<Shape>;

/** The `sources` of computed members, which have one name in all versions. */
export const computedSources = ({ properties }: TObject): Record<string, string> =>
  Object.fromEntries(Object.keys(properties).map((name) => [name, name]));

/** The defaults of all members, or null; for members that a version cannot set. */
export const defaultsOf = <Shape extends TObject>(shape: Shape): ValuesOf<Shape> =>
  completeMembers(shape, {}) as ValuesOf<Shape>;

/**
 * The stored value if the client sent back exactly what the version shows of it, else undefined. So an
 * older version never changes what it cannot represent.
 */
export const storedIfUnchanged = <Value>(
  stored: Value,
  shown: unknown,
  sent: unknown,
): Value | undefined => (isSameJson(shown, sent) ? stored : undefined);
