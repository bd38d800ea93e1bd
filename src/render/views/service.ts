/** What the templates of the whole service say. */
import { fieldsOf, hasTransitions } from '../../model/transitions.ts';
import { hasEvents, writesEvents } from '../../model/events.ts';
import { usesExistingTables } from '../../model/existing.ts';
import { hasIncludes } from '../../model/includes.ts';
import { hasJobs, isBackground } from '../../model/jobs.ts';
import { isNumbered, itemIdType } from '../../model/keys.ts';
import { hasOwnerLinks, setsOwners } from '../../model/owner-paths.ts';
import { hasDatabaseDefaults } from '../../model/set-by-code.ts';
import { hasSearch, isSearched } from '../../model/search.ts';
import { columnName, quoted } from '../../shared/sql.ts';
import type { Model } from '../../model/types.ts';
import type { Names } from '../../model/names.ts';
import { collectionViewsView } from './collection-views.ts';
import type { CollectionViewsView } from './collection-views.ts';
import { baseOf } from './endpoints.ts';
import { existingTablesView } from './existing.ts';
import type { ExistingTablesView } from './existing.ts';
import { eventsView } from './events.ts';
import type { EventsView } from './events.ts';
import { versionsView } from './versions.ts';
import type { VersionsView } from './versions.ts';

/** The data of templates/service. */
export interface ServiceView
  extends VersionsView, EventsView, ExistingTablesView, CollectionViewsView {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** All roles, `admin` first. */
  readonly roles: readonly string[];
  /** Roles that may read users. */
  readonly usersRead: readonly string[];
  readonly versions: readonly number[];
  readonly current: number;
  readonly several: boolean;
  readonly byPath: boolean;
  readonly byAccept: boolean;
  /** The media type of the current version. */
  readonly vendor: string;
  /** A first request to copy. */
  readonly example: { readonly base: string; readonly path: string; readonly header: string };
  /** Whether items of some collection are made in the background. */
  readonly jobs: boolean;
  /** Whether changes of items of some collection write events. */
  readonly events: boolean;
  /** Whether there is work for separate processes: jobs, or events to deliver. */
  readonly workers: boolean;
  /** Whether the database sets some members in new items that are sent without them. */
  readonly databaseDefaults: boolean;
  /** The paths of these, as code in Markdown, and the first of them as it is. */
  readonly background: readonly string[];
  readonly backgroundPath: string;
  /** Whether changes of some collection need `If-Match`, and what their items are called. */
  readonly demandsIfMatch: boolean;
  readonly demanding: readonly string[];
  /** Whether some owner path goes over a linking collection. */
  readonly ownerLinks: boolean;
  /** Whether the owner of a new item is set to the caller. */
  readonly ownersByDefault: boolean;
  /** Whether messages may name collections: all versions call them the same. */
  readonly namesOthers: boolean;
  readonly collections: readonly ListedCollection[];
  /** Whether some collection is searched, and the tables of all that are; names are quoted. */
  readonly search: boolean;
  /** Whether some collection has checks, also one that versions have otherwise. */
  readonly checks: boolean;
  /** Whether some field has transitions, also one that versions have otherwise. */
  readonly transitions: boolean;
  /** Whether the project has seeds. */
  readonly seeds: boolean;
  /** Whether requests and logins can be counted in Redis. */
  readonly redis: boolean;
  /** Whether some collection has included references. */
  readonly includes: boolean;
  /** Whether a sequence assigns the ids of some collection. */
  readonly numberedKeys: boolean;
  /** Whether columns with ids of items of several collections are texts, and several write events. */
  readonly textItemIds: boolean;
  readonly mixedEvents: boolean;
  readonly searched: readonly {
    readonly name: string;
    readonly words: readonly { readonly column: string; readonly texts: readonly string[] }[];
  }[];
}

/** What the whole service says of each collection. */
interface ListedCollection {
  readonly name: string;
  readonly names: Names;
  readonly background: boolean;
  /** Whether its ids are numbers. */
  readonly numbered: boolean;
  readonly references: readonly { readonly member: string; readonly to: string }[];
}

/** Many templates say a little of it: of a model it is worked out once. */
const viewByModel = new WeakMap<Model, ServiceView>();

export function serviceView(model: Model): ServiceView {
  const view = viewByModel.get(model) ?? viewOf(model);
  viewByModel.set(model, view);
  return view;
}

function viewOf(model: Model): ServiceView {
  const { service, collections } = model;
  const current = service.versions.at(-1) ?? 1;
  const byPath = service.versioning.includes('path');
  const demanding = collections.filter(({ definition }) => definition.requireIfMatch);
  const background = collections.filter(isBackground);
  const vendor = `application/vnd.${service.name}.v${current}+json`;
  return {
    ...versionsView(model),
    ...eventsView(model),
    ...existingTablesView(model),
    ...collectionViewsView(model),
    name: service.name,
    title: service.title,
    description: service.description ?? '',
    roles: ['admin', ...service.roles],
    usersRead: service.usersRead ?? [],
    versions: service.versions,
    current,
    several: service.versions.length > 1,
    byPath,
    byAccept: service.versioning.includes('accept'),
    vendor,
    example: {
      base: baseOf(byPath, current),
      path: collections[0]?.names.kebab ?? '',
      header: byPath ? '' : ` -H 'Accept: ${vendor}'`,
    },
    demandsIfMatch: demanding.length > 0,
    demanding: demanding.map(({ names }) => names.words),
    jobs: hasJobs(model),
    events: hasEvents(model),
    workers: hasJobs(model) || hasEvents(model),
    background: background.map(({ names }) => `\`/${names.kebab}\``),
    backgroundPath: background[0]?.names.kebab ?? '',
    ownerLinks: hasOwnerLinks(model),
    ownersByDefault: setsOwners(model),
    databaseDefaults: hasDatabaseDefaults(model),
    // Tables of others may have any names.
    namesOthers: (model.versions?.areCalledAlike ?? true) && !usesExistingTables(service),
    collections: collections.map((collection) => ({
      name: collection.definition.name,
      names: collection.names,
      background: isBackground(collection),
      numbered: isNumbered(collection),
      references: collection.definition.fields.flatMap(({ name, type }) =>
        type.type === 'reference' ? [{ member: name, to: type.to }] : [],
      ),
    })),
    search: hasSearch(model),
    checks: collections.some(({ table }) => table.checks.length > 0),
    transitions: hasTransitions(fieldsOf(model)),
    includes: hasIncludes(model),
    numberedKeys: collections.some(isNumbered),
    textItemIds: itemIdType(model) === 'text',
    mixedEvents: itemIdType(model) === 'text' && collections.filter(writesEvents).length > 1,
    seeds: service.seeds,
    redis: service.redis,
    searched: collections.filter(isSearched).map(({ table }) => ({
      name: quoted(table.name),
      words: table.words.map(({ name, fields }) => ({
        column: quoted(name),
        texts: fields.map((field) => quoted(columnName(field))),
      })),
    })),
  };
}
