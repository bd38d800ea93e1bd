/** What the template of how `include` embeds the items of a collection says. */
import { includedRelations } from '../../model/includes.ts';
import { allowsOwners } from '../../model/permissions.ts';
import type { Names } from '../../model/names.ts';
import type { Collection, Model } from '../../model/types.ts';
import { isVersioned, viewIn } from '../../model/versions.ts';
import { stringLiteral } from '../../shared/literals.ts';
import { quoted } from '../../shared/sql.ts';
import { when } from './module-imports.ts';

/** A reference that is embedded, as code. */
interface ReferenceView {
  readonly name: string;
  readonly member: string;
  readonly target: string;
}

/** The data of templates/collection/embedding.ts.hbs. */
export interface EmbeddingView {
  readonly names: Names;
  /** Whether versions have the collection in several forms. */
  readonly versioned: boolean;
  /** Code for who may read items, with the owner if some callers may read only their own. */
  readonly readers: readonly string[];
  /** Whether the owner is at the end of a path. */
  readonly ownerPath: boolean;
  readonly repositoryImports: readonly string[];
  readonly targets: readonly { readonly kebab: string; readonly code: string }[];
  /** Of a collection whose versions are alike. */
  readonly references: readonly ReferenceView[];
  readonly versions: readonly {
    readonly version: number;
    readonly references: readonly ReferenceView[];
  }[];
}

/** @param collection as it is stored. */
export function embeddingView(collection: Collection, model: Model): EmbeddingView {
  const { names, definition, table } = collection;
  const versioned = isVersioned(model, definition.name);
  const isOwned = allowsOwners(definition.permissions.read);
  const ownerPath = isOwned && definition.owner !== undefined;
  const owner = ownerPath
    ? `ownerOfRow(${names.constant}.owner)`
    : stringLiteral(`${quoted(table.name)}."_owner_id"`);
  const targets = new Map(
    includedRelations(collection)
      .filter(({ target }) => target.collection !== definition.name)
      .map(({ target }) => [
        target.collection,
        { kebab: target.code.kebab, code: embeddingName(target, model) },
      ]),
  );
  return {
    names,
    versioned,
    readers: [`read: ${names.itemCamel}Permissions.read`, ...when(isOwned, `owner: ${owner}`)],
    ownerPath,
    repositoryImports: [
      ...when(ownerPath, names.constant),
      ...when(!versioned, `${names.itemCamel}Table`),
    ],
    targets: [...targets.values()].toSorted((one, other) => (one.kebab < other.kebab ? -1 : 1)),
    references: versioned ? [] : referencesOf(collection, collection, model),
    versions: versioned
      ? model.service.versions.flatMap((version) => {
          const seen = seenIn(collection, model, version);
          return seen === undefined
            ? []
            : [{ version, references: referencesOf(collection, seen, model) }];
        })
      : [],
  };
}

/** The name of the embedding of a collection in the code. */
export const embeddingName = (
  { collection, code }: { readonly collection: string; readonly code: Names },
  model: Model,
): string => `${code.itemCamel}${isVersioned(model, collection) ? 'Embeddings' : 'Embedding'}`;

/** A collection as a version has it; undefined if it does not. */
function seenIn(stored: Collection, model: Model, version: number): Collection | undefined {
  const { name } = stored.definition;
  const same = model.versions?.collections.get(name)?.same ?? [];
  return same.includes(version) ? stored : viewIn(model, name, version)?.collection;
}

/** The references that a version embeds. */
function referencesOf(stored: Collection, seen: Collection, model: Model): ReferenceView[] {
  return includedRelations(seen).map(({ name, field, target }) => {
    // A version may call the collection otherwise.
    const { collection } =
      stored.relations.find((one) => one.target.code.kebab === target.code.kebab)?.target ?? target;
    const code = embeddingName({ collection, code: target.code }, model);
    return {
      name,
      member: stringLiteral(field.name),
      target: isVersioned(model, collection)
        ? `(version: number) => ${code}[version]`
        : `() => ${code}`,
    };
  });
}
