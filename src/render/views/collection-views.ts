/** What the template of `src/collections/views.ts` says: the form of each collection by version, for endpoints of a team. */
import { isVersioned, pathIn } from '../../model/versions.ts';
import type { Collection, Model } from '../../model/types.ts';
import { stringLiteral } from '../../shared/literals.ts';

/** The part of a service's view that is about the views of collections. */
export interface CollectionViewsView {
  /** The functions that make views. */
  readonly viewMakers: readonly string[];
  /** The imports, as code. */
  readonly viewImports: readonly string[];
  /** By collection: its name in camelCase, and the code that makes its views. */
  readonly viewed: readonly { readonly name: string; readonly code: string }[];
}

interface Viewed {
  readonly maker: string;
  readonly name: string;
  readonly imports: readonly string[];
  readonly argument: string;
}

export function collectionViewsView(model: Model): CollectionViewsView {
  const all = model.collections.map((collection) => viewedOf(model, collection));
  return {
    viewMakers: [...new Set(all.map(({ maker }) => maker))].toSorted(),
    viewImports: all.flatMap(({ imports }) => imports),
    viewed: all.map(({ name, maker, argument }) => ({ name, code: `${maker}(() => ${argument})` })),
  };
}

function viewedOf(model: Model, collection: Collection): Viewed {
  const { definition, names } = collection;
  const { camel: name, kebab, type, itemCamel, constant } = names;
  if (isVersioned(model, definition.name)) {
    const isInAll = model.service.versions.every(
      (version) => pathIn(model, collection, version) !== undefined,
    );
    return {
      name,
      maker: isInAll ? 'differentByVersion' : 'inSomeVersions',
      imports: [`import { ${itemCamel}Views } from './${kebab}/views.ts';`],
      argument: `${itemCamel}Views`,
    };
  }
  // A namespace: the shape of one collection can have the name of another's type.
  const schema = `${name}Schema`;
  return {
    name,
    maker: 'sameInAllVersions',
    imports: [
      `import { ${constant} } from './${kebab}/repository.ts';`,
      `import * as ${schema} from './${kebab}/schema.ts';`,
    ],
    argument: `({
      path: ${stringLiteral(kebab)},
      shape: ${schema}.${type}Shape,
      body: ${schema}.${type}Body,
      bodies: ${schema}.${itemCamel}Bodies,
      show: (item: ${schema}.${type}) => item,
      resource: ${constant},
    })`,
  };
}
