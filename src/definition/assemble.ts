/** Puts a checked service together: what one part leaves open, another one fills in. */
import type { WrittenCollection } from './collection.ts';
import { deepFreeze } from './deep-freeze.ts';
import { readOnce } from './read-once.ts';
import { completePages } from './pages.ts';
import { ownerSteps } from './owner-path.ts';
import { quote } from '../reading/quote.ts';
import { nestedName } from './relations.ts';
import type { WrittenField } from './written-field.ts';
import type { WrittenService } from './service.ts';
import type { CollectionDefinition, Field, ServiceDefinition, UniqueDefinition } from './types.ts';
import { keySpec, nonUuidKey } from '../types/key.ts';
import { keyTypesOf } from './key-fields.ts';
import type { KeyType, NonUuidKey } from '../types/key.ts';
import type { OlderNames } from '../types/reference.ts';
import { checkVersions } from './versions/check-versions.ts';
import { readOlderNames, readSpan, type VersionContext } from './versions/span.ts';
import { hasVersionDifferences } from './versions/view.ts';

/** The whole service; undefined where there are issues. */
export function assemble(
  service: WrittenService,
  collections: readonly WrittenCollection[],
  context: VersionContext,
): ServiceDefinition | undefined {
  const { issues } = context;
  const keyTypes = keyTypesOf(collections);
  const whole = collections.flatMap((collection) => {
    const owner = ownerSteps(collection, collections);
    const key = keyTypes.get(collection.name) ?? 'uuid';
    const keys = nonUuidKeysOf(collection, keyTypes);
    return complete(collection, { ...context, pages: service.pages, owner, key, keys }) ?? [];
  });
  if (issues.count > 0) return undefined;
  whole.sort((a, b) => (a.name < b.name ? -1 : 1));
  const assembled = { ...service, collections: whole };
  // Otherwise each version is what was checked already.
  if (hasVersionDifferences(assembled)) checkVersions(assembled, issues);
  return issues.count > 0 ? undefined : deepFreeze(assembled);
}

/** What a collection takes from the service. */
interface Outer extends VersionContext {
  readonly pages: WrittenService['pages'];
  /** The path to the owner, which other collections are part of. */
  readonly owner: CollectionDefinition['owner'];
  readonly key: KeyType;
  /** The types of the ids that its references have, by collection, except for UUIDs. */
  readonly keys: Readonly<Record<string, NonUuidKey>>;
}

/** The types of the keys of the collections that a collection refers to, except for UUIDs. */
function nonUuidKeysOf(
  { fields }: WrittenCollection,
  keyTypes: ReadonlyMap<string, KeyType>,
): Outer['keys'] {
  const targets = fields.map(({ reference }) => reference?.to.value);
  return Object.fromEntries(
    Array.from(keyTypes).flatMap(([name, key]) => {
      const type = targets.includes(name) ? nonUuidKey(key) : undefined;
      return type === undefined ? [] : [[name, type]];
    }),
  );
}

const complete = readOnce(completed, ({ pages, versions, owner, key, keys }: Outer) =>
  JSON.stringify([pages, versions, owner, key, keys]),
);

function completed(written: WrittenCollection, context: Outer): CollectionDefinition {
  const { name, singular, description, renamedFrom, lists, span, olderNames } = written;
  const fields = written.fields.map((field) => withTarget(field, name, olderNames, context));
  return {
    name,
    singular: singular ?? name,
    ...(description !== undefined && { description }),
    ...(renamedFrom !== undefined && { renamedFrom: renamedFrom.value }),
    ...span,
    ...(olderNames !== undefined && { olderNames }),
    key: context.key,
    keySource: written.keySource,
    ...(written.keyFields !== undefined && { keyFields: written.keyFields }),
    ...(written.existing !== undefined && { existing: written.existing }),
    times: written.times,
    fields: [...clientId(written), ...fields.filter((field) => field !== undefined)],
    sort: lists.sort,
    filter: lists.filter,
    search: lists.search,
    include: written.include,
    pages: completePages(written.pages, context.pages, context.issues),
    permissions: written.permissions,
    ...(context.owner !== undefined && { owner: context.owner }),
    create: written.create,
    jobTimeout: written.jobTimeout,
    requireIfMatch: written.requireIfMatch,
    events: written.events?.value ?? false,
    ...(written.acknowledge !== undefined && { acknowledge: written.acknowledge }),
    unique: [...written.unique, ...keyRule(written)],
    checks: written.checks,
    indexes: lists.indexes,
    at: written.at,
  };
}

/** The member `id` as a field, if clients choose ids. */
function clientId({ key, keySource, existing, at }: WrittenCollection): Field[] {
  if (keySource !== 'client' || key === undefined) return [];
  const column = existing?.keyColumns[0];
  const { field: type, example } = keySpec(key);
  return [
    {
      name: 'id',
      type,
      required: true,
      unique: true,
      readOnly: false,
      writeOnly: false,
      immutable: true,
      description: 'Chosen by the client',
      example,
      ...(column !== undefined && column !== 'id' && { column }),
      at,
    },
  ];
}

/** No two items have the same values of the fields that ids consist of. */
const keyRule = ({ keyFields: fields, existing, at }: WrittenCollection): UniqueDefinition[] =>
  fields === undefined
    ? []
    : [
        {
          fields,
          ...(existing?.keyName !== undefined && { name: existing.keyName }),
          isKey: true,
          at,
        },
      ];

/** Checks that values in the definition of a reference are ids of its target. */
function checkIds(
  { name, at, type, backfill, example }: Field,
  key: NonUuidKey | undefined,
  { issues }: Outer,
): void {
  for (const [option, value] of Object.entries({ backfill, example })) {
    if (typeof value !== 'string' || type.type !== 'reference') continue;
    const { isId, example: other } = keySpec(key ?? 'uuid');
    if (isId(value)) continue;
    const message = `${option} ${quote(value)} of field ${quote(name)} is not an id of ${type.to}, whose key is ${key ?? 'uuid'}. Write one such as '${other}'.`;
    issues.add(at, 'bad-value', message);
  }
}

/** A reference with the type of the ids that it has, and with its nested path. */
function withTarget(
  { field, reference }: WrittenField,
  collection: string,
  olderNames: OlderNames | undefined,
  context: Outer,
): Field | undefined {
  if (field?.type.type !== 'reference' || reference === undefined) return field;
  const key = Object.hasOwn(context.keys, field.type.to) ? context.keys[field.type.to] : undefined;
  const type = { ...field.type, ...(key !== undefined && { key }) };
  checkIds(field, key, context);
  const nestedAs = nestedName(reference, collection);
  if (nestedAs === undefined) return key === undefined ? field : { ...field, type };
  const what = `nested path ${quote(nestedAs)}`;
  const names =
    reference.nestedIn?.name_in === undefined
      ? // The path has the name of the collection, whatever that is.
        reference.nested?.value === true
        ? olderNames
        : undefined
      : readOlderNames(reference.nestedIn, nestedAs, what, context);
  const span = reference.nestedIn === undefined ? {} : readSpan(reference.nestedIn, what, context);
  const nestedIn = { ...span, ...(names !== undefined && { names }) };
  const differs = Object.keys(nestedIn).length > 0;
  return { ...field, type: { ...type, nestedAs, ...(differs && { nestedIn }) } };
}
