/** Writes definitions as YAML, for frozen contracts and for advice in messages. */
import { Document, visit } from 'yaml';

import { ruleText } from '../expressions/rule-text.ts';
import { isContractCheck } from './compare-checks.ts';
import { padAsExamples } from '../definition/split.ts';
import { transitionKeys } from '../definition/transition-keys.ts';
import type {
  CollectionDefinition,
  Field,
  Permission,
  ServiceDefinition,
  UniqueDefinition,
} from '../definition/types.ts';
import { isReadableWhere } from '../definition/unique.ts';
import { isNullableTime } from '../model/columns.ts';
import { ownerPathText } from '../model/owner-paths.ts';
import { writtenMember } from '../types/object.ts';
import { withoutUndefined } from '../types/written-options.ts';
import { specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';

type Keys = Readonly<Record<string, unknown>>;

/** A value in one line of YAML, as the examples have it: `{ type: string, max_length: 300 }`. */
export function inlineYaml(value: unknown): string {
  const document = new Document(value);
  visit(document, {
    Collection: (_, node) => {
      node.flow = true;
      padAsExamples(node);
    },
    Scalar: (_, node) => {
      // Other quotes would write a line break as one.
      if (typeof node.value === 'string' && /\p{Cc}/u.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document
    .toString({
      lineWidth: 0,
      singleQuote: true,
      flowCollectionPadding: true,
      // The library breaks longer texts at their line breaks, and indents what follows for a place that it does not know.
      doubleQuotedMinMultiLineLength: Infinity,
    })
    .trimEnd();
}

/** One key with its value, as it stands in a map in one line: `pattern: '^[0-9]+$'`. */
export const inlinePair = (key: string, value: unknown): string =>
  inlineYaml({ [key]: value }).slice(2, -2);

/** A map from a version, whose key is a number. */
export const versionMap = (version: number, value: unknown): ReadonlyMap<number, unknown> =>
  new Map([[version, value]]);

/** Maps with a line for each entry. */
const PER_ENTRY: ReadonlySet<string> = new Set(['columns', 'fields', 'permissions', 'checks']);

/** A file of keys: a line for each, or for each entry. */
export const yamlLines = (keys: Keys): string =>
  Object.entries(keys)
    .flatMap(([key, value]) =>
      PER_ENTRY.has(key)
        ? [`${key}:`, ...Object.entries(value as Keys).map((entry) => `  ${inlinePair(...entry)}`)]
        : [inlinePair(key, value)],
    )
    .map((line) => `${line}\n`)
    .join('');

/** The keys of the service that clients depend on, with all defaults written out. */
export const serviceKeys = ({
  name,
  versions,
  versioning,
  roles,
  usersRead,
  schema,
}: ServiceDefinition): Keys => ({
  name,
  // Collections with existing tables need it; clients do not depend on it.
  ...(schema !== undefined && { schema }),
  versions,
  versioning,
  roles: roles.toSorted(),
  ...(usersRead !== undefined && { users: { read: usersRead.toSorted() } }),
});

/** The keys of a collection that clients depend on, with all defaults; sorted where order has no meaning. */
export function collectionKeys(collection: CollectionDefinition): Keys {
  const { name, singular, fields, sort, filter, search, pages, permissions, times } = collection;
  const checks = byName(collection.checks.filter((check) => isContractCheck(check, collection)));
  const owner = ownerPathText(collection);
  const rules = collection.unique.filter(({ isKey }) => isKey !== true);
  // Then `id` is one of the fields, and no definition says so.
  const isChosen = collection.keySource === 'client';
  const { keyFields } = collection;
  const writesHistory = times.length < 2 || times.some((time) => isNullableTime(collection, time));
  return {
    name,
    singular,
    ...(keyFields !== undefined
      ? { key: { fields: keyFields } }
      : isChosen
        ? { key: { type: collection.key, generated: 'client' } }
        : collection.key !== 'uuid' && { key: collection.key }),
    // Only an existing table may have or lack these. What its columns are called means nothing to clients.
    ...((isChosen || keyFields !== undefined || writesHistory || fields.some(isDefaulted)) && {
      table: name,
    }),
    ...(writesHistory && {
      history: Object.fromEntries(
        times.map((time) => [
          time,
          isNullableTime(collection, time) ? { column: time, nullable: true } : time,
        ]),
      ),
    }),
    fields: Object.fromEntries(
      byName(fields.filter((field) => field.name !== 'id')).map((field) => {
        const isUnique = field.unique || rules.some((rule) => rule.fields.includes(field.name));
        return [
          field.name,
          fieldKeys(field, isUnique, collection.create === 'background'),
        ] as const;
      }),
    ),
    sort: sort.toSorted(),
    filter: filter.toSorted(),
    search: search.toSorted(),
    ...(collection.include.length > 0 && { include: collection.include.toSorted() }),
    pages,
    permissions: Object.fromEntries(
      Object.entries(permissions).map(([action, one]) => [
        action,
        permissionKey(one as Permission),
      ]),
    ),
    ...(owner !== undefined && { owner }),
    create: collection.create,
    require_if_match: collection.requireIfMatch,
    ...(collection.events && { events: true }),
    unique: rules.filter((rule) => isContractUnique(rule, collection)).map(uniqueKey),
    ...(checks.length > 0 && {
      checks: Object.fromEntries(
        checks.map(({ name: check, expression }) => [check, { rule: ruleText(expression) }]),
      ),
    }),
  };
}

const isDefaulted = ({ hasDatabaseDefault }: Field): boolean => hasDatabaseDefault === true;

/** A type with its options. */
export const typeKeys = (type: FieldType): Keys => ({
  type: type.type,
  ...specOf(type).write(type),
});

/** Whether values of a type can be unique. Clients may be shown ones that cannot for ones that can. */
export const isUniquable = (type: FieldType): boolean =>
  specOf(type).isComparable || type.type === 'text';

/** Whether the contract of a version can state unique fields: their form may be a list, or a rule of newer members. */
export const isContractUnique = (
  { fields, where }: UniqueDefinition,
  collection: Pick<CollectionDefinition, 'fields'>,
): boolean =>
  fields.every((name) => {
    const field = collection.fields.find((one) => one.name === name);
    return field === undefined || isUniquable(field.type);
  }) &&
  (where === undefined || isReadableWhere(where, collection.fields));

/** A field; a text that is unique is a string, which is the same to clients. */
const fieldKeys = (field: Field, isUnique: boolean, isBackground: boolean): Keys =>
  withoutUndefined({
    ...writtenMember(specOf, field),
    ...(isUnique && field.type.type === 'text' && { type: 'string' }),
    unique: (field.unique && isUniquable(field.type)) || undefined,
    set_by: field.setBy,
    database_default: field.hasDatabaseDefault,
    ...(field.isSequence === true && sequenceKeys(field, isBackground)),
    read_only: (field.setBy === undefined && field.readOnly) || undefined,
    write_only: field.writeOnly || undefined,
    immutable: field.immutable || undefined,
    ...(field.transitions !== undefined && transitionKeys(field.transitions)),
  });

/**
 * The keys of a sequence. Its default is none of another type, which a version may have: only a hook
 * could set that, and no background creation calls one in time.
 */
function sequenceKeys({ type }: Field, isBackground: boolean): Keys {
  if (specOf(type).hasSequence === true) return { default: 'sequence' };
  return isBackground ? { required: undefined } : {};
}

/** As it is written: a word, or a list of roles in which `owner` may stand. */
export function permissionKey(permission: Permission): string | readonly string[] {
  if (permission.kind !== 'some') return permission.kind;
  const { roles, owner } = permission;
  if (owner && roles.length === 0) return 'owner';
  return [...roles, ...(owner ? ['owner'] : [])];
}

/** As it is written: a list of fields, or a map with the rule of the items. */
export const uniqueKey = ({ fields, where }: UniqueDefinition): readonly string[] | Keys =>
  where === undefined ? fields : { fields, where: ruleText(where.expression) };

const byName = <T extends { readonly name: string }>(all: readonly T[]): readonly T[] =>
  all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
