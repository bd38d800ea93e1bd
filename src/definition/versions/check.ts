/** What a whole service says of its versions: each of them must be an API that works. */
import { BUILT_IN } from '../collection-name.ts';
import type { Issues } from '../issues.ts';
import { camelCase } from '../names.ts';
import { singularOf } from '../collection-name.ts';
import { quote } from '../quote.ts';
import type { CollectionDefinition, Field, Position, ServiceDefinition } from '../types.ts';
import { isIn, nameIn } from './span.ts';
import { viewOf } from './view.ts';

/** Names that every item, or every list, has already. */
const TAKEN_MEMBERS = new Set(['id', 'created_at', 'updated_at']);
const PARAMETERS = new Set(['limit', 'cursor', 'sort', 'fields', 'q', 'count']);

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
  const served = service.versions.filter((version) => isIn(collection, version));
  for (const field of collection.fields) {
    const has = served.filter((version) => isIn(field, version));
    const without = served.filter((version) => !isIn(field, version));
    checkNeeded(field, without, issues);
    if (field.type.type === 'reference') {
      checkTarget(field, field.type.to, has, service, issues);
    }
  }
  for (const group of collection.unique) checkGroup(collection, group, served, issues);
}

/** A version without a required field must be able to write items. */
function checkNeeded(field: Field, without: readonly number[], issues: Issues): void {
  if (!field.required || field.default !== undefined || without.length === 0) return;
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
  const lacking = has.filter((version) => !isIn(target, version));
  if (lacking.length === 0) return;
  const span = [
    ...(target.since === undefined ? [] : [`since: ${target.since}`]),
    ...(target.until === undefined ? [] : [`until: ${target.until}`]),
  ].join(', ');
  const message = `field ${quote(name)} leads to ${quote(to)}, which is not in version ${lacking.join(', ')}. Write "${span}" for the field too.`;
  issues.add(at, 'lost-in-version', message);
}

/** Members that a version does not have must not make its items clash. */
function checkGroup(
  { fields, at }: CollectionDefinition,
  group: readonly string[],
  served: readonly number[],
  issues: Issues,
): void {
  const of = (name: string): Field | undefined => fields.find((field) => field.name === name);
  for (const version of served) {
    const missing = group.flatMap((name) => {
      const field = of(name);
      return field !== undefined && !isIn(field, version) ? [field] : [];
    });
    if (missing.length === 0 || missing.some((field) => field.default === undefined)) continue;
    const names = missing.map(({ name }) => quote(name)).join(', ');
    const message = `unique [${group.join(', ')}] has ${names}, which version ${version} does not have: all of its items would have the same default there. Remove the default, or the group.`;
    issues.add(missing[0]?.at ?? at, 'lost-in-version', message);
    return;
  }
}

/** What clients of a version see is named once, and there is something to see. */
function checkVersion(service: ServiceDefinition, version: number, issues: Issues): void {
  const seen = service.collections.filter((collection) => isIn(collection, version));
  const last = service.collections.at(-1);
  if (seen.length === 0 && last !== undefined) {
    const message = `version ${version} would have no collection. Remove a since or until, or the version.`;
    issues.add(last.at, 'lost-in-version', message);
  }
  const where = `in version ${version}`;
  once(
    seen.flatMap((collection) => {
      const name = nameIn(collection, version);
      checkCollectionName(collection, name, issues);
      const singular = name === collection.name ? collection.singular : (singularOf(name) ?? name);
      const own = { at: collection.at, of: collection.name };
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
    const fields = collection.fields.filter((field) => isIn(field, version));
    const named = fields.map((field) => ({
      name: nameIn(field, version),
      at: field.at,
      of: field.name,
    }));
    once(named, `fields of ${quote(collection.name)} ${where}`, issues);
    for (const { name, at, of } of named) {
      if (name !== of) checkMember(collection, name, of, version, at, issues);
    }
  }
  checkNestedPaths(service, version, issues);
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

function checkCollectionName(
  { name: now, at }: CollectionDefinition,
  name: string,
  issues: Issues,
): void {
  if (name === now) return;
  if (BUILT_IN.includes(name) || /^v[0-9]+$/.test(name)) {
    const message = `name_in ${quote(name)} of ${quote(now)} is taken: every service has that. Write another.`;
    issues.add(at, 'name-reserved', message);
  } else if (singularOf(name) === undefined) {
    const message = `name_in ${quote(name)} of ${quote(now)} is no plural noun with a singular of its own. Write one.`;
    issues.add(at, 'name-plural', message);
  }
}

function checkMember(
  { filter }: CollectionDefinition,
  name: string,
  field: string,
  version: number,
  at: Position,
  issues: Issues,
): void {
  if (TAKEN_MEMBERS.has(name)) {
    const message = `name_in ${quote(name)} of field ${quote(field)} is there already: every item has it. Write another.`;
    issues.add(at, 'name-reserved', message);
  } else if (PARAMETERS.has(name) && filter.includes(field)) {
    const message = `name_in ${quote(name)} of field ${quote(field)} is a parameter of every list, and version ${version} filters by it. Write another.`;
    issues.add(at, 'reserved-parameter', message);
  }
}

function checkNestedPaths(service: ServiceDefinition, version: number, issues: Issues): void {
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
