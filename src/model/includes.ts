/** References whose items responses embed (`include`): which collections take part, and the paths that requests name. */
import { includedName } from '../definition/include.ts';
import { collectionNamed, referrersOf } from './lookup.ts';
import type { Collection, Model, Relation } from './types.ts';

/** A reference that a collection includes. */
export interface IncludedRelation extends Relation {
  /** The embedded member. */
  readonly name: string;
}

/** The references that a collection includes. */
export const includedRelations = ({ definition, relations }: Collection): IncludedRelation[] =>
  definition.include.flatMap((name) => {
    const relation = relations.find(({ field }) => field.name === name);
    return relation === undefined ? [] : [{ ...relation, name: includedName(name) }];
  });

/** Whether requests for items of a collection may name references. */
export const hasInclude = ({ definition }: Collection): boolean => definition.include.length > 0;

/** Whether some collection has included references. */
export const hasIncludes = ({ collections }: Model): boolean => collections.some(hasInclude);

/** Whether a collection includes references, or is embedded by one. */
export const isEmbedded = (collection: Collection, model: Model): boolean =>
  hasInclude(collection) ||
  referrersOf(model, collection.definition.name).some(({ collection: other, relation }) =>
    other.definition.include.includes(relation.field.name),
  );

/** A path that `include` may name, and the collection of its items. */
export interface IncludePath {
  readonly path: string;
  readonly target: Collection;
}

/** The paths that `include` may name in requests for items of a collection, to depth 2. */
export const includePathsOf = (collection: Collection, model: Model): IncludePath[] =>
  targetsOf(collection, model).flatMap((one) => [
    one,
    ...targetsOf(one.target, model).map(({ path, target }) => ({
      path: `${one.path}.${path}`,
      target,
    })),
  ]);

const targetsOf = (collection: Collection, model: Model): IncludePath[] =>
  includedRelations(collection).flatMap(({ name, target }) => {
    const found = collectionNamed(model, target.collection);
    return found === undefined ? [] : [{ path: name, target: found }];
  });
