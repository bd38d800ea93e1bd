/** Puts a checked service together: what one part leaves open, another one fills in. */
import type { WrittenCollection } from './collection.ts';
import { deepFreeze } from './freeze.ts';
import type { Issues } from './issues.ts';
import { completePages } from './pages.ts';
import { nestedName } from './relations.ts';
import type { WrittenField } from './field.ts';
import type { WrittenService } from './service.ts';
import type { CollectionDefinition, Field, ServiceDefinition } from './types.ts';

/** The whole service; undefined where there are issues. */
export function assemble(
  service: WrittenService,
  collections: readonly WrittenCollection[],
  issues: Issues,
): ServiceDefinition | undefined {
  const whole = collections.map((collection) => complete(collection, service, issues));
  if (issues.count > 0) return undefined;
  whole.sort((a, b) => (a.name < b.name ? -1 : 1));
  return deepFreeze({ ...service, collections: whole });
}

function complete(
  written: WrittenCollection,
  service: WrittenService,
  issues: Issues,
): CollectionDefinition {
  const { name, singular, description, renamedFrom, lists } = written;
  const fields = written.fields.map((field) => withNesting(field, name));
  return {
    name,
    singular: singular ?? name,
    ...(description !== undefined && { description }),
    ...(renamedFrom !== undefined && { renamedFrom: renamedFrom.value }),
    fields: fields.filter((field) => field !== undefined),
    sort: lists.sort,
    filter: lists.filter,
    search: lists.search,
    pages: completePages(written.pages, service.pages, issues),
    permissions: written.permissions,
    create: written.create,
    requireIfMatch: written.requireIfMatch,
    unique: lists.unique,
    indexes: lists.indexes,
    at: written.at,
  };
}

function withNesting({ field, reference }: WrittenField, collection: string): Field | undefined {
  if (field?.type.type !== 'reference' || reference === undefined) return field;
  const nestedAs = nestedName(reference, collection);
  return { ...field, type: { ...field.type, ...(nestedAs !== undefined && { nestedAs }) } };
}
