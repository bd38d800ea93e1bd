/**
 * Finding one's way in a model: the collection that has a name, and those that refer to it. Of a
 * model the tables are made once: without them, time grows by the square of the collections.
 */
import type { Collection, Model, Relation } from './types.ts';

/** A reference from the other end. */
interface Referrer {
  readonly collection: Collection;
  readonly relation: Relation;
}

interface Tables {
  readonly collections: ReadonlyMap<string, Collection>;
  readonly referrers: ReadonlyMap<string, readonly Referrer[]>;
}

const tablesByModel = new WeakMap<Model, Tables>();

function tablesOf(model: Model): Tables {
  const before = tablesByModel.get(model);
  if (before !== undefined) return before;
  const referrers = new Map<string, Referrer[]>();
  for (const collection of model.collections) {
    for (const relation of collection.relations) {
      const name = relation.target.collection;
      const found = referrers.get(name);
      if (found === undefined) referrers.set(name, [{ collection, relation }]);
      else found.push({ collection, relation });
    }
  }
  const collections = new Map(model.collections.map((one) => [one.definition.name, one]));
  const tables = { collections, referrers };
  tablesByModel.set(model, tables);
  return tables;
}

/** The collection that has a name; undefined where none has. */
export const collectionNamed = (model: Model, name: string): Collection | undefined =>
  tablesOf(model).collections.get(name);

/** All references to a collection, or to `users`, in the order of those that refer. */
export const referrersOf = (model: Model, name: string): readonly Referrer[] =>
  tablesOf(model).referrers.get(name) ?? [];
