/** Checks that each version of a service is a working API. */
import { checkNestedName, singularOf } from '../collection-name.ts';
import type { Issues } from '../../reading/issues.ts';
import { camelCase } from '../names.ts';
import { quote } from '../../reading/quote.ts';
import type { CollectionDefinition, Field, ServiceDefinition, UniqueDefinition } from '../types.ts';
import type { Position } from '../../reading/position.ts';
import { LIST_PARAMETERS } from '../field-lists.ts';
import { checkWithin, isInVersion, nameInVersion, findUpTo } from './span.ts';
import { olderFormOf } from './older-form.ts';
import { fieldIn, viewOf } from './view.ts';

/** Checks all versions of a service that is right otherwise. */
export function checkVersions(service: ServiceDefinition, issues: Issues): void {
  for (const collection of service.collections) checkCollection(collection, service, issues);
  for (const version of service.versions) checkVersion(service, version, issues);
}

function checkCollection(
  collection: CollectionDefinition,
  service: ServiceDefinition,
  issues: Issues,
): void {
  const served = service.versions.filter((version) => isInVersion(collection, version));
  for (const field of collection.fields) {
    const has = served.filter((version) => isInVersion(field, version));
    const without = served.filter((version) => !isInVersion(field, version));
    checkNeeded(field, without, issues);
    checkSpans(collection, field, issues);
    for (const version of has) checkTransitions(field, version, issues);
    if (field.type.type === 'reference') {
      checkTarget(field, field.type.to, has, service, issues);
    }
  }
  for (const rule of collection.unique) checkUnique(collection, rule, served, issues);
  checkOwner(collection, service, issues);
}

/** The newest version of a collection has the whole path to the owner of an item; older ones may lack some of it. */
function checkOwner(
  collection: CollectionDefinition,
  { versions, collections }: ServiceDefinition,
  issues: Issues,
): void {
  const { name, owner = [], at } = collection;
  const newest = versions.findLast((version) => isInVersion(collection, version));
  if (newest === undefined) return;
  for (const step of owner) {
    const target = collections.find((one) => one.name === step.collection);
    if (target === undefined) continue;
    const lost = [step.link, step.field].find((member) => {
      const field = target.fields.find((one) => one.name === member);
      return field !== undefined && !(isInVersion(target, newest) && isInVersion(field, newest));
    });
    if (lost === undefined) continue;
    const message = `owner of ${quote(name)} goes by ${quote(lost)} of ${quote(step.collection)}, which version ${newest} does not have, the newest that has ${quote(name)}. Write a path that it has, or remove until.`;
    issues.add(at, 'lost-in-version', message);
  }
}

/** A field is in no version that its collection is not in; nor is a nested path, or a value of an enum. */
function checkSpans(collection: CollectionDefinition, field: Field, issues: Issues): void {
  const { name, at, type } = field;
  const [whole, what] = [`collection ${quote(collection.name)}`, `field ${quote(name)}`];
  checkWithin(field, collection, [what, whole], at, issues);
  for (const older of [...(field.olderNames ?? []), ...(field.olderTypes ?? [])]) {
    const { since, until } = collection;
    if (older.upTo >= (since ?? 0) && (until === undefined || older.upTo <= until)) continue;
    const message = `${what} says what it was up to version ${older.upTo}, which does not have ${whole}. Remove that.`;
    issues.add(older.at, 'bad-span', message);
  }
  if (type.type === 'reference' && type.nestedIn !== undefined) {
    const path = `nested path ${quote(type.nestedAs ?? '')}`;
    checkWithin(type.nestedIn, field, [path, what], at, issues);
    checkWithin(type.nestedIn, collection, [path, whole], at, issues);
  }
  if (type.type !== 'enum') return;
  for (const value of type.versioned ?? []) {
    checkWithin(value, field, [`value ${quote(value.value)}`, what], at, issues);
    checkWithin(value, collection, [`value ${quote(value.value)}`, whole], at, issues);
  }
}

/** A version has the values of a field with transitions under names of its own, and one that a new item may have. */
function checkTransitions(field: Field, version: number, issues: Issues): void {
  const { name, transitions, default: defaultValue, at } = field;
  if (transitions === undefined) return;
  const kind = olderFormOf(field, version)?.conversion.kind ?? 'same';
  const seen = fieldIn(field, version, new Map());
  if (seen.transitions === undefined || (kind !== 'same' && kind !== 'values')) {
    const message = `field ${quote(name)} has transitions, and version ${version} has a type that does not name each of its values. Write a map from each current value to its older one, as the values of an enum under type_in.`;
    issues.add(findUpTo(field.olderTypes, version)?.at ?? at, 'lost-in-version', message);
    return;
  }
  const { initial: first } = seen.transitions;
  if (first.length === 0) {
    const message = `field ${quote(name)} has no initial value that version ${version} has. Add one to initial, or leave out since and until of one.`;
    issues.add(at, 'lost-in-version', message);
  } else if (defaultValue !== undefined && !first.includes(String(seen.default))) {
    const message = `field ${quote(name)} has the default ${quote(String(defaultValue))}, which version ${version} shows as ${quote(String(seen.default))}, and that is not in initial. Add it to initial, or write another default.`;
    issues.add(at, 'lost-in-version', message);
  }
}

/** A version without a required field must be able to write items. */
function checkNeeded(field: Field, without: readonly number[], issues: Issues): void {
  const hasDefault = field.default !== undefined || field.hasDatabaseDefault === true;
  if (!field.required || field.readOnly || hasDefault || without.length === 0) return;
  const { name, type, at } = field;
  const start = `field ${quote(name)} is required and not in version ${without.join(', ')}, whose clients could not create an item`;
  const write =
    type.type === 'reference' ? 'A reference has no default: remove required.' : 'Write a default.';
  issues.add(at, 'needs-version-default', `${start}. ${write}`);
}

/** Where a reference is, there is what it leads to. */
function checkTarget(
  { name, at }: Field,
  to: string,
  has: readonly number[],
  { collections }: ServiceDefinition,
  issues: Issues,
): void {
  const target = collections.find((collection) => collection.name === to);
  if (target === undefined) return;
  const lacking = has.filter((version) => !isInVersion(target, version));
  if (lacking.length === 0) return;
  const span = [
    ...(target.since === undefined ? [] : [`since: ${target.since}`]),
    ...(target.until === undefined ? [] : [`until: ${target.until}`]),
  ].join(', ');
  const message = `field ${quote(name)} leads to ${quote(to)}, which is not in version ${lacking.join(', ')}. Write "${span}" for the field too.`;
  issues.add(at, 'lost-in-version', message);
}

/** Members that a version does not have must not make its items clash. */
function checkUnique(
  { fields, at }: CollectionDefinition,
  { fields: group }: UniqueDefinition,
  served: readonly number[],
  issues: Issues,
): void {
  const of = (name: string): Field | undefined => fields.find((field) => field.name === name);
  for (const version of served) {
    const missing = group.flatMap((name) => {
      const field = of(name);
      return field !== undefined && !isInVersion(field, version) ? [field] : [];
    });
    if (missing.length === 0 || missing.some((field) => field.default === undefined)) continue;
    const names = missing.map(({ name }) => quote(name)).join(', ');
    const message = `unique [${group.join(', ')}] has ${names}, which version ${version} does not have: all of its items would have the same default there. Remove the default, or the group.`;
    issues.add(missing[0]?.at ?? at, 'lost-in-version', message);
    return;
  }
}

/** The position of the name of a collection or field in a version. */
const placeIn = ({ at, olderNames }: CollectionDefinition | Field, version: number): Position =>
  findUpTo(olderNames, version)?.at ?? at;

/** A version has a collection, and no name twice. */
function checkVersion(service: ServiceDefinition, version: number, issues: Issues): void {
  const seen = service.collections.filter((collection) => isInVersion(collection, version));
  const last = service.collections.at(-1);
  if (seen.length === 0 && last !== undefined) {
    const message = `version ${version} would have no collection. Remove a since or until, or the version.`;
    issues.add(last.at, 'lost-in-version', message);
  }
  const where = `in version ${version}`;
  once(
    seen.flatMap((collection) => {
      const name = nameInVersion(collection, version);
      const singular = name === collection.name ? collection.singular : (singularOf(name) ?? name);
      const own = { at: placeIn(collection, version), of: collection.name };
      return singular === name
        ? [{ name, ...own }]
        : [
            { name, ...own },
            { name: singular, ...own },
          ];
    }),
    `collections ${where}`,
    issues,
  );
  for (const collection of seen) {
    const fields = collection.fields.filter((field) => isInVersion(field, version));
    const named = fields.map((field) => ({
      name: nameInVersion(field, version),
      at: placeIn(field, version),
      of: field.name,
    }));
    once(named, `fields of ${quote(collection.name)} ${where}`, issues);
    for (const field of fields) checkParameter(collection, field, version, issues);
    if (fields.length === 0) checkEmpty(collection, version, issues);
  }
  checkNestedPaths(service, version, issues);
}

/** Items without a member say nothing. */
function checkEmpty(collection: CollectionDefinition, version: number, issues: Issues): void {
  const { name, at, fields } = collection;
  const first = Math.min(...fields.map(({ since = 0 }) => since));
  const last = Math.max(...fields.map(({ until = Infinity }) => until));
  const write =
    version < first
      ? ` Write "since: ${first}" for the collection too.`
      : version > last
        ? ` Write "until: ${last}" for the collection too.`
        : ' Add one that it has.';
  const message = `collection ${quote(name)} has no field in version ${version}.${write}`;
  issues.add(at, 'lost-in-version', message);
}

interface Claim {
  readonly name: string;
  readonly at: Position;
  /** What it is called today. */
  readonly of: string;
}

function once(claims: readonly Claim[], what: string, issues: Issues): void {
  const first = new Map<string, Claim>();
  for (const claim of claims) {
    const camel = camelCase(claim.name);
    const other = first.get(camel);
    if (other === undefined) first.set(camel, claim);
    else if (other.of !== claim.of) {
      const message = `${quote(other.of)} and ${quote(claim.of)} would both be called ${quote(claim.name)} among the ${what}. Write another name_in, or since and until.`;
      issues.add(claim.at, 'name-clash', message);
    }
  }
}

/** A field that lists of a version are filtered by is not called like a parameter of all lists. */
function checkParameter(
  { filter }: CollectionDefinition,
  { name, olderNames }: Field,
  version: number,
  issues: Issues,
): void {
  const older = findUpTo(olderNames, version);
  if (older === undefined || !LIST_PARAMETERS.has(older.name) || !filter.includes(name)) return;
  const message = `name_in ${quote(older.name)} of field ${quote(name)} is a parameter of every list, and version ${version} filters by it. Write another.`;
  issues.add(older.at, 'reserved-parameter', message);
}

function checkNestedPaths(service: ServiceDefinition, version: number, issues: Issues): void {
  const seen = service.collections.filter((collection) => isInVersion(collection, version));
  const names = seen.map((collection) => nameInVersion(collection, version));
  for (const { type, at } of seen.flatMap(({ fields }) => fields)) {
    if (type.type !== 'reference' || type.nestedAs === undefined) continue;
    if (!isInVersion(type.nestedIn ?? {}, version)) continue;
    const older = findUpTo(type.nestedIn?.names, version);
    const path = { value: older?.name ?? type.nestedAs, at: older?.at ?? at };
    checkNestedName(path, names, issues, older === undefined ? 'nested' : 'name_in');
  }
  const first = new Set<string>();
  for (const { name, fields } of viewOf(service, version).collections) {
    for (const { type, at } of fields) {
      if (type.type !== 'reference' || type.nestedAs === undefined) continue;
      const path = `/${type.to}/{id}/${type.nestedAs}`;
      const key = camelCase(path);
      if (first.has(key)) {
        const message = `nested ${quote(name)} shares the path ${path} with another in version ${version}. Write a name_in of its own.`;
        issues.add(at, 'nested-clash', message);
      }
      first.add(key);
    }
  }
}
