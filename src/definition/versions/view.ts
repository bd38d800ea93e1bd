/**
 * Derives two definitions without version keys from the definitions of a service: the view of one version,
 * from which its schemas, documents and tests are generated, and the stored form.
 */
import { ownMember } from '../../shared/json.ts';
import { membersOf, withMembers, renameMembers } from '../../expressions/expression.ts';
import type { VersionConversion } from '../../types/version-conversion.ts';
import { singularOf } from '../collection-name.ts';
import { renamedStep } from '../owner-step.ts';
import type {
  CheckDefinition,
  CollectionDefinition,
  Field,
  MemberRule,
  OwnerStep,
  ServiceDefinition,
  UniqueDefinition,
} from '../types.ts';
import type { EnumType, RenamedValue } from '../../types/enum.ts';
import type { ReferenceType } from '../../types/reference.ts';
import { specOf } from '../../types/registry.ts';
import type { FieldType } from '../../types/registry.ts';
import { isStringOrText } from '../../types/text.ts';
import { recordWithoutPrototype } from '../../shared/json.ts';
import type { JsonValue } from '../../shared/json.ts';
import { olderFormOf, unversionedType, shownValue } from './older-form.ts';
import { isInVersion, nameInVersion, findUpTo } from './span.ts';

/** Whether the view of some version may differ from the stored form. */
export const hasVersionDifferences = ({ collections }: ServiceDefinition): boolean =>
  collections.some((collection) => {
    const says = versionedCollections.get(collection) ?? isVersionedAnywhere(collection);
    versionedCollections.set(collection, says);
    return says;
  });

/** A cache: the previous and the current definitions share most collections. */
const versionedCollections = new WeakMap<CollectionDefinition, boolean>();

const isVersionedAnywhere = (collection: CollectionDefinition): boolean =>
  isVersioned(collection) ||
  collection.fields.some(
    (field) => isVersioned(field) || field.olderTypes !== undefined || isVersionedType(field.type),
  );

const isVersioned = ({
  since,
  until,
  olderNames,
}: Pick<Field, 'since' | 'until' | 'olderNames'>): boolean =>
  since !== undefined || until !== undefined || olderNames !== undefined;

const isVersionedType = (type: FieldType): boolean => specOf(type).isVersioned?.(type) ?? false;

/** The view of a version: the definitions of a service of that version alone. */
export function viewOf(service: ServiceDefinition, version: number): ServiceDefinition {
  const { collections, lifecycles, ...rest } = service;
  const names = new Map(
    collections.map((collection) => [collection.name, nameInVersion(collection, version)]),
  );
  return {
    ...rest,
    versions: [version],
    lifecycles: lifecycles.filter((one) => one.version === version),
    collections: collections
      .filter((collection) => isInVersion(collection, version))
      .map((collection) => ({
        ...collectionIn(collection, version, names),
        ...ownerIn(collection, version, collections),
      }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  };
}

/** The owner path under the names of a version; empty where that does not have all of it. */
function ownerIn(
  { owner }: CollectionDefinition,
  version: number,
  collections: readonly CollectionDefinition[],
): Pick<CollectionDefinition, 'owner'> {
  if (owner === undefined) return {};
  const steps = owner.flatMap((step): OwnerStep | readonly OwnerStep[] => {
    const collection = collections.find(({ name }) => name === step.collection);
    if (collection === undefined || !isInVersion(collection, version)) return [];
    const memberName = (name: string): string | undefined => memberIn(collection, name, version);
    return renamedStep(step, nameInVersion(collection, version), memberName) ?? [];
  });
  return { owner: steps.length === owner.length ? steps : [] };
}

/** The stored form: everything that some version has, with current names and types. */
export function storedOf(service: ServiceDefinition): ServiceDefinition {
  const { versions, collections } = service;
  const isServed = (span: Parameters<typeof isInVersion>[0]): boolean =>
    versions.some((version) => isInVersion(span, version));
  return {
    ...service,
    collections: collections.filter(isServed).map((collection) => {
      const fields = collection.fields.filter(isServed).map(storedField);
      return {
        ...collectionWithoutVersionKeys(collection),
        ...formerNameOf(collection),
        ...listsOf(collection, (name) => named(fields, name)),
        ...searchesOf(collection, versions),
        include: collection.include.filter((name) => named(fields, name) !== undefined),
        unique: storedUnique(collection, fields),
        checks: storedChecks(collection, fields),
        fields,
      };
    }),
  };
}

/** The name of a field in a version; undefined if the version does not have it. */
function memberIn(
  { fields }: Pick<CollectionDefinition, 'fields'>,
  name: string,
  version: number,
): string | undefined {
  const field = fields.find((one) => one.name === name);
  if (field === undefined) return name === 'created_at' || name === 'updated_at' ? name : undefined;
  return isInVersion(field, version) ? nameInVersion(field, version) : undefined;
}

/** The values of an enum that a version has, and the substitutes that it shows for the others. */
export function valuesIn(
  type: FieldType,
  version: number,
): { readonly values: readonly string[]; readonly shown: Readonly<Record<string, string>> } {
  if (type.type !== 'enum') return { values: [], shown: recordWithoutPrototype<string>([]) };
  const absent = (type.versioned ?? []).filter((one) => !isInVersion(one, version));
  return {
    values: type.values.filter((value) => !absent.some((one) => one.value === value)),
    shown: recordWithoutPrototype(absent.map(({ value, as = value }) => [value, as])),
  };
}

function collectionIn(
  collection: CollectionDefinition,
  version: number,
  names: ReadonlyMap<string, string>,
): CollectionDefinition {
  const name = nameInVersion(collection, version);
  const fields = collection.fields
    .filter((field) => isInVersion(field, version))
    .map((field) => fieldIn(field, version, names));
  const lists = listsOf(collection, (member) => memberIn(collection, member, version));
  const isListed = (member: string): boolean => {
    const own = collection.fields.find(
      (field) => isInVersion(field, version) && nameInVersion(field, version) === member,
    );
    const form = own && olderFormOf(own, version);
    // The team's functions are unknown to the database.
    return (
      form === undefined || (form.conversion.kind !== 'team' && specOf(form.type).isComparable)
    );
  };
  return {
    ...collectionWithoutVersionKeys(collection),
    name,
    singular: name === collection.name ? collection.singular : (singularOf(name) ?? name),
    ...lists,
    sort: lists.sort.filter(isListed),
    filter: lists.filter.filter(isListed),
    search: searchedIn(collection, version).map((field) => nameInVersion(field, version)),
    include: collection.include.flatMap((member) => memberIn(collection, member, version) ?? []),
    ...(collection.keyFields !== undefined && {
      keyFields: collection.keyFields.flatMap((one) => memberIn(collection, one, version) ?? []),
    }),
    unique: collection.unique.flatMap((rule) => uniqueIn(rule, collection, version) ?? []),
    checks: collection.checks.map((check) => ({ ...check, ...ruleIn(check, collection, version) })),
    fields,
  };
}

/** The checks of what is stored; those of members that no version has any more are gone. */
const storedChecks = (
  { checks }: CollectionDefinition,
  fields: readonly Field[],
): readonly CheckDefinition[] =>
  checks.flatMap((check) => {
    const rule = storedRule(check, fields);
    return rule === undefined ? [] : [{ ...check, ...rule }];
  });

/** The unique fields of what is stored; those of members that no version has any more are gone. */
const storedUnique = (
  { unique }: CollectionDefinition,
  fields: readonly Field[],
): readonly UniqueDefinition[] =>
  unique.flatMap((rule): UniqueDefinition[] => {
    if (!rule.fields.every((name) => named(fields, name) !== undefined)) return [];
    if (rule.where === undefined) return [rule];
    const where = storedRule(rule.where, fields);
    return where === undefined ? [] : [{ ...rule, where }];
  });

/** A rule over what is stored; undefined if no version has one of its members any more. */
function storedRule<R extends MemberRule>(rule: R, fields: readonly Field[]): R | undefined {
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  if (!membersOf(rule.expression).every(({ name }) => types.has(name))) return undefined;
  const expression = withMembers(rule.expression, (member) => ({
    ...member,
    type: types.get(member.name) ?? member.type,
  }));
  return { ...rule, expression };
}

/** Unique fields as a version has them; undefined if it does not have all of them. */
function uniqueIn(
  rule: UniqueDefinition,
  collection: CollectionDefinition,
  version: number,
): UniqueDefinition | undefined {
  const fields = rule.fields.flatMap((name) => memberIn(collection, name, version) ?? []);
  if (fields.length < rule.fields.length) return undefined;
  const where = rule.where && ruleIn(rule.where, collection, version);
  // The rule applies to stored values, and the version shows some of them as other values.
  const isAsStored = rule.where && !hasSubstitutes(rule.where, collection, version);
  const inView = { absent: {}, converted: {} };
  return { ...rule, fields, ...(where && { where: isAsStored ? where : { inView, ...where } }) };
}

/** Whether a version shows values of a member of a rule as other ones. */
const hasSubstitutes = (
  { expression }: MemberRule,
  { fields }: CollectionDefinition,
  version: number,
): boolean =>
  membersOf(expression).some(({ name }) => {
    const field = fields.find((one) => one.name === name);
    return field !== undefined && Object.keys(valuesIn(field.type, version).shown).length > 0;
  });

/** A rule as a version has it. */
function ruleIn(
  { expression }: MemberRule,
  { fields }: CollectionDefinition,
  version: number,
): MemberRule {
  const absent: Record<string, JsonValue> = {};
  const converted: Record<string, VersionConversion> = {};
  const names = new Map<string, string>();
  for (const { name } of membersOf(expression)) {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) continue;
    const shown = isInVersion(field, version) ? nameInVersion(field, version) : `_${name}`;
    names.set(name, shown);
    const conversion = olderFormOf(field, version)?.conversion;
    if (!isInVersion(field, version)) absent[shown] = field.default ?? null;
    else if (conversion !== undefined && conversion.kind !== 'same') converted[shown] = conversion;
  }
  const differs = Object.keys(absent).length + Object.keys(converted).length > 0;
  return {
    expression: renameMembers(expression, (name) => names.get(name) ?? name),
    ...(differs && { inView: { absent, converted } }),
  };
}

/** The fields that a version searches in: those that it has, as the texts that are stored. */
function searchedIn({ fields, search }: CollectionDefinition, version: number): Field[] {
  return search.flatMap((name) => {
    const field = fields.find((one) => one.name === name);
    if (field === undefined || !isInVersion(field, version)) return [];
    const form = olderFormOf(field, version);
    const isText =
      form === undefined || (form.conversion.kind === 'same' && isStringOrText(form.type));
    return isText ? [field] : [];
  });
}

/** The searched fields of the newest version with a search, and those of versions that differ. */
function searchesOf(
  collection: CollectionDefinition,
  versions: readonly number[],
): Pick<CollectionDefinition, 'search' | 'olderSearches'> {
  // The stored form has it already.
  if (collection.olderSearches !== undefined) return collection;
  const searches = versions
    .filter((version) => isInVersion(collection, version))
    .map((version) => ({
      version,
      fields: searchedIn(collection, version).map(({ name }) => name),
    }))
    .filter(({ fields }) => fields.length > 0)
    .toReversed();
  const [newest, ...older] = searches.filter(
    ({ fields }, at) => searches.findIndex((one) => isSameList(one.fields, fields)) === at,
  );
  return {
    search: newest?.fields ?? [],
    ...(older.length > 0 && { olderSearches: older }),
  };
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);

function collectionWithoutVersionKeys({
  since: _since,
  until: _until,
  olderNames: _names,
  ...collection
}: CollectionDefinition): CollectionDefinition {
  return collection;
}

/** The lists of a collection under other names; a member without one is left out. */
function listsOf(
  { sort, filter, search, indexes }: CollectionDefinition,
  nameOf: (name: string) => string | undefined,
): Pick<CollectionDefinition, 'sort' | 'filter' | 'search' | 'indexes'> {
  const some = (names: readonly string[]): string[] => names.flatMap((name) => nameOf(name) ?? []);
  return {
    sort: some(sort),
    filter: some(filter),
    search: some(search),
    indexes: indexes.flatMap((keys) => {
      const fields = some(keys.map(({ field }) => field));
      return fields.length < keys.length
        ? []
        : [keys.map((key, at) => ({ ...key, field: fields[at] ?? key.field }))];
    }),
  };
}

const named = (fields: readonly Field[], name: string): string | undefined =>
  fields.some((field) => field.name === name) || name === 'created_at' || name === 'updated_at'
    ? name
    : undefined;

function withoutVersionKeys({
  since: _since,
  until: _until,
  olderNames: _names,
  olderTypes: _types,
  ...field
}: Field): Field {
  return field;
}

function storedField(field: Field): Field {
  return {
    ...withoutVersionKeys(field),
    ...formerNameOf(field),
    type: field.type.type === 'reference' ? withoutSpan(field.type) : storedType(field),
  };
}

/** The type of a field as it is stored. */
function storedType(field: Field): FieldType {
  const type = typeWithRenames(field);
  return type.type === 'enum'
    ? { ...unversionedType(type), ...renamesOf(type) }
    : unversionedType(type);
}

const renamesOf = ({ renamed }: EnumType): Pick<EnumType, 'renamed'> =>
  renamed === undefined ? {} : { renamed };

/** The type of a field; an older enum that maps current values to former ones also states renames. */
export function typeWithRenames({ type, olderTypes }: Field): FieldType {
  const older = olderTypes?.at(-1)?.type;
  if (type.type !== 'enum' || older?.type !== 'enum' || older.currentValues === undefined)
    return type;
  const given = type.renamed ?? [];
  const renamed = older.currentValues.flatMap((name, at): RenamedValue[] => {
    const formerName = older.values[at];
    const isSaid = formerName === undefined || given.some((one) => one.name === name);
    return isSaid || formerName === name ? [] : [{ name, formerName }];
  });
  return renamed.length === 0 ? type : { ...type, renamed: [...given, ...renamed] };
}

const formerNameOf = ({
  renamedFrom,
  olderNames,
}: Pick<Field, 'renamedFrom' | 'olderNames'>): { readonly formerName?: string } => {
  const former = olderNames?.at(-1)?.name;
  return renamedFrom === undefined && former !== undefined ? { formerName: former } : {};
};

function withoutSpan({ nestedIn: _span, ...type }: ReferenceType): ReferenceType {
  return type;
}

/** A field as a version has it. @param names the names that collections have there. */
export function fieldIn(field: Field, version: number, names: ReadonlyMap<string, string>): Field {
  const {
    default: defaultValue,
    example,
    backfill: _filled,
    renamedFrom: _old,
    ...rest
  } = withoutVersionKeys(field);
  const form = olderFormOf(field, version);
  const { values, shown } = valuesIn(field.type, version);
  const show = (value: JsonValue | undefined): JsonValue | undefined => {
    if (value === undefined) return undefined;
    const here = typeof value === 'string' ? (ownMember(shown, value) ?? value) : value;
    return form === undefined ? here : shownValue(field.type, form.conversion, here);
  };
  const given = show(defaultValue) ?? findUpTo(field.olderTypes, version)?.default;
  const instance = show(example);
  const type = form?.type ?? typeIn(typeWithRenames(field), version, names, values);
  return {
    ...rest,
    name: nameInVersion(field, version),
    ...(given !== undefined && { default: given }),
    ...(instance !== undefined && { example: instance }),
    type,
    ...transitionsIn(field, type, version),
  };
}

/** The transitions between the values that a version has, under their names there. */
function transitionsIn(field: Field, type: FieldType, version: number): Pick<Field, 'transitions'> {
  const { transitions } = field;
  if (transitions === undefined || type.type !== 'enum') return {};
  const has = new Set(valuesIn(field.type, version).values);
  const conversion = olderFormOf(field, version)?.conversion;
  const shown = (value: string): readonly string[] => {
    if (!has.has(value)) return [];
    if (conversion === undefined || conversion.kind === 'same') return [value];
    // Values that the team converts are unknown.
    return conversion.kind === 'values' ? [ownMember(conversion.names, value) ?? value] : [];
  };
  const steps = new Map(
    transitions.states.flatMap((state) =>
      shown(state.value).map((value) => [
        value,
        state.steps.flatMap((step) => shown(step.to).map((to) => ({ ...step, to }))),
      ]),
    ),
  );
  return {
    transitions: {
      ...transitions,
      initial: transitions.initial.flatMap(shown),
      // An older form may have values that no item has.
      states: type.values.map((value) => ({ value, steps: steps.get(value) ?? [] })),
    },
  };
}

function typeIn(
  type: FieldType,
  version: number,
  names: ReadonlyMap<string, string>,
  values: readonly string[],
): FieldType {
  if (type.type === 'enum') return { ...unversionedType({ ...type, values }), ...renamesOf(type) };
  if (type.type !== 'reference') return type;
  const { nestedIn, nestedAs, ...rest } = type;
  const isNested = nestedAs !== undefined && isInVersion(nestedIn ?? {}, version);
  return {
    ...rest,
    to: names.get(type.to) ?? type.to,
    ...(isNested && { nestedAs: findUpTo(nestedIn?.names, version)?.name ?? nestedAs }),
  };
}
