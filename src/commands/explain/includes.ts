/** The references that responses embed by `include`, for people and for scripts. */
import { includePathsOf } from '../../model/includes.ts';
import type { Model } from '../../model/types.ts';

/** What requests for items of a collection may include. */
export interface ExplainedInclude {
  readonly collection: string;
  /** As the parameter names them, with the collections of the embedded items. */
  readonly paths: readonly { readonly path: string; readonly collection: string }[];
}

/** By collection, in the order of the definitions. */
export const explainedIncludes = (model: Model): readonly ExplainedInclude[] =>
  model.collections.flatMap((collection) => {
    const paths = includePathsOf(collection, model).map(({ path, target }) => ({
      path,
      collection: target.definition.name,
    }));
    return paths.length === 0 ? [] : [{ collection: collection.definition.name, paths }];
  });

/** The same as lines for people; none if there are none. */
export const includeLines = (includes: readonly ExplainedInclude[]): readonly string[] =>
  includes.length === 0
    ? []
    : [
        '',
        'GET embeds what include names, for callers who may read it (403 otherwise):',
        ...includes.map(
          ({ collection, paths }) =>
            `  ${collection}: ${paths.map(({ path, collection: of }) => `${path} (${of})`).join(', ')}`,
        ),
      ];
