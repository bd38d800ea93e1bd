/** Where the outputs of a collection go that has another name now. */
import type { FieldType } from '../types/registry.ts';
import { buildModel } from '../model/build.ts';
import { collectionNamed } from '../model/lookup.ts';
import type { Collection, Model } from '../model/types.ts';
import { matchRenames } from '../types/match-renames.ts';
import { planCollections } from './outputs.ts';

/** A collection that has another name now. */
export interface RenamedCollection {
  readonly before: Collection;
  readonly now: Collection;
}

/** All collections that were renamed since, as migrations rename their tables. Two that swap their names are left out. */
export function renamedBetween(before: Model, now: Model): readonly RenamedCollection[] {
  const { kept } = matchRenames(before.service.collections, now.service.collections);
  return kept.flatMap(({ before: { name: was }, now: { name: is } }) => {
    const pair = { before: collectionNamed(before, was), now: collectionNamed(now, is) };
    const isTaken = collectionNamed(before, is) ?? collectionNamed(now, was);
    return pair.before === undefined || pair.now === undefined || isTaken !== undefined
      ? []
      : [{ before: pair.before, now: pair.now }];
  });
}

/** New paths of outputs by their old ones, for collections that were renamed. */
export function movesOf(
  renamed: readonly RenamedCollection[],
  before: Model,
  now: Model,
): ReadonlyMap<string, string> {
  if (renamed.length === 0) return new Map();
  const [old, current] = [targetsOf(before), targetsOf(now)];
  return new Map(
    renamed.flatMap((pair) =>
      [...(old.get(pair.before.definition.name) ?? [])].flatMap(([template, target]) => {
        const goes = current.get(pair.now.definition.name)?.get(template);
        return goes === undefined ? [] : [[target, goes] as const];
      }),
    ),
  );
}

/** For each collection, its outputs by their templates. */
function targetsOf(model: Model): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const targets = new Map<string, Map<string, string>>();
  for (const { collection, template, target, isOfVersion } of planCollections(model)) {
    // What is made for an older version has no edits that could not be made again.
    if (isOfVersion) continue;
    const { name } = collection.definition;
    targets.set(name, (targets.get(name) ?? new Map<string, string>()).set(template, target));
  }
  return targets;
}

/** The model of before with these collections under the names of now, and nothing else changed. */
export function underNewNames({ service }: Model, renamed: readonly RenamedCollection[]): Model {
  const names = new Map(
    renamed.map(({ before, now }) => [before.definition.name, now.definition] as const),
  );
  const renameTarget = (type: FieldType): FieldType =>
    type.type === 'reference' ? { ...type, to: names.get(type.to)?.name ?? type.to } : type;
  const collections = service.collections.map((definition) => {
    const { name, singular } = names.get(definition.name) ?? definition;
    const fields = definition.fields.map((field) => ({ ...field, type: renameTarget(field.type) }));
    const owner = definition.owner?.map((step) => ({
      ...step,
      collection: names.get(step.collection)?.name ?? step.collection,
    }));
    return { ...definition, name, singular, fields, ...(owner !== undefined && { owner }) };
  });
  return buildModel({
    ...service,
    collections: collections.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  });
}
