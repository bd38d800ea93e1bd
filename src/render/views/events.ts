/** What the templates of a service say of its events: which collections have them, in each version. */
import { eventTypesOf, writesEvents } from '../../model/events.ts';
import type { Collection, Model } from '../../model/types.ts';
import { viewIn } from '../../model/versions.ts';

/** The part of a service's view that is about events. */
export interface EventsView {
  /** The modules that have the shapes of items, with the names of the shapes. */
  readonly eventImports: readonly { readonly module: string; readonly shape: string }[];
  /** The collections with events, for each version. */
  readonly eventSources: readonly {
    readonly version: number;
    readonly sources: readonly EventSourceView[];
  }[];
  /** These collections in words, and the type of one of their events; empty if there are none. */
  readonly eventWords: readonly string[];
  readonly eventType: string;
}

/** A collection with events, in a version. */
interface EventSourceView {
  /** What an item is called in the types of stored events, and in those of the version. */
  readonly stored: string;
  readonly item: string;
  readonly shape: string;
}

export function eventsView(model: Model): EventsView {
  const { service, collections } = model;
  const all = collections.filter(writesEvents);
  const found = service.versions.map((version) => ({
    version,
    located: all.flatMap((collection) => sourceIn(model, collection, version) ?? []),
  }));
  const modules = new Map(
    found.flatMap(({ located }) => located.map(({ module, source }) => [module, source.shape])),
  );
  return {
    eventImports: [...modules].map(([module, shape]) => ({ module, shape })),
    eventSources: found.map(({ version, located }) => ({
      version,
      sources: located.map(({ source }) => source),
    })),
    eventWords: all.map(({ names }) => names.words),
    eventType: all.flatMap(({ definition }) => eventTypesOf(definition))[0] ?? '',
  };
}

/** A collection with events as a version has it, and the module of its shape; undefined if it does not have it. */
function sourceIn(
  model: Model,
  { definition, names }: Collection,
  version: number,
): { readonly source: EventSourceView; readonly module: string } | undefined {
  const { singular: stored, name } = definition;
  const view = viewIn(model, name, version);
  if (view !== undefined) {
    const shape = `${names.type}${view.key.toUpperCase()}Shape`;
    const item = view.collection.definition.singular;
    return { source: { stored, item, shape }, module: `${names.kebab}/${view.key}` };
  }
  const isStored = model.versions?.collections.get(name)?.same.includes(version) ?? true;
  return isStored
    ? {
        source: { stored, item: stored, shape: `${names.type}Shape` },
        module: `${names.kebab}/schema`,
      }
    : undefined;
}
