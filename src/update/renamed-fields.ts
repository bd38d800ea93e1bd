/** Exports `renamedFields`: the new names of fields, for merges of the fixtures of their collections. */
import type { Collection, Model } from '../model/types.ts';
import { matchRenames } from '../types/match-renames.ts';

/** A file that is generated, perhaps of a collection. */
interface CollectionFile {
  readonly target: string;
  readonly collection?: Collection;
}

/** By the path of a file of a collection: new names of the fields of that collection, by their old ones. */
export function renamedFields(
  before: Model,
  now: Model,
  files: readonly CollectionFile[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const { kept } = matchRenames(before.service.collections, now.service.collections);
  const byCollection = new Map(
    kept.map((pair) => {
      const fields = matchRenames(pair.before.fields, pair.now.fields).kept;
      return [pair.now.name, new Map(fields.map((one) => [one.before.name, one.now.name]))];
    }),
  );
  return new Map(
    files.flatMap(({ target, collection }) => {
      const names = collection && byCollection.get(collection.definition.name);
      return names === undefined ? [] : [[target, names]];
    }),
  );
}
