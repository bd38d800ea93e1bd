/**
 * `CollectionView`: a collection as a version of the API has it, for endpoints of your own. They use
 * `views` of `src/collections/views.ts` instead of `schema.ts`, whose shapes are those of the newest
 * version: a later version then changes nothing for clients of the earlier ones.
 */
import type { TObject } from 'typebox';

import type { Resource } from '../database/constraints.ts';
import type { BodyReader } from './body.ts';
import type { Shown } from './item.ts';

/** A collection in a version of the API. */
export interface CollectionView<Item, Values> {
  /** The path of the collection, for `createdAnswer`. */
  readonly path: string;
  /** The schema of an item, for `response` in the schema of a route. */
  readonly shape: TObject;
  /** The schema of a body, for `body` in the schema of a route. */
  readonly body: TObject;
  /** Reads bodies of the version, and returns stored values. */
  readonly bodies: BodyReader<Values>;
  /** Converts a stored item to the version. */
  readonly show: (item: Item) => Shown;
  /** The names that members have in the version, for error messages: an option of the repository. */
  readonly resource: Resource;
}

/** The parts of a `View` that a `CollectionView` is made of. */
interface ViewParts<Item, Values> extends Omit<CollectionView<Item, Values>, 'shape' | 'body'> {
  readonly doc: { readonly item: TObject; readonly body: TObject };
}

/**
 * The view of a collection that all versions have in its stored form.
 * @param make a function, because `hooks.ts` may import `views`, and be evaluated before its repository.
 */
export const sameInAllVersions =
  <Item, Values>(make: () => CollectionView<Item, Values>) =>
  (_version: number): CollectionView<Item, Values> =>
    make();

/** The views of a collection that versions have in different forms. */
export const differentByVersion =
  <Item, Values>(views: () => Readonly<Record<number, ViewParts<Item, Values>>>) =>
  (version: number): CollectionView<Item, Values> => {
    const view = inSomeVersions(views)(version);
    if (view === undefined) throw new Error(`There is no version ${version} of this collection.`);
    return view;
  };

/** The views of a collection that some versions do not have: there the view is undefined. */
export const inSomeVersions =
  <Item, Values>(views: () => Readonly<Record<number, ViewParts<Item, Values>>>) =>
  (version: number): CollectionView<Item, Values> | undefined => {
    const view = views()[version];
    if (view === undefined) return undefined;
    const { path, bodies, show, resource, doc } = view;
    return { path, shape: doc.item, body: doc.body, bodies, show, resource };
  };
