/** Reads the keys of the service itself. */
import type { Reading } from '../reading/records.ts';
import type { Issues } from '../reading/issues.ts';
import { SERVICE_KEYS } from './keys.ts';
import { caseOf, checkKebabCase, checkSnakeCase, inWords } from './names.ts';
import { completePages, readPages } from './pages.ts';
import { quote } from '../reading/quote.ts';
import type { Located } from '../reading/shapes.ts';
import type { Lifecycle, ServiceDefinition, VersioningWay } from './types.ts';
import { isDate } from '../types/calendar.ts';
import type { WrittenVersion } from '../reading/version-shapes.ts';

/** All of a service but its collections. */
export type WrittenService = Omit<ServiceDefinition, 'collections'>;

/** Words that permissions use themselves. */
const RESERVED_ROLES = new Set(['admin', 'authenticated', 'owner', 'public']);
const WAYS: readonly VersioningWay[] = Object.freeze(['path', 'accept']);

/** Whether a name is that of a role, and not a word of permissions. */
export const isRoleName = ({ value }: Located<string>): boolean =>
  value === 'admin' || !RESERVED_ROLES.has(value);

/** Fills in what was not written. `fallbackName` is any text, such as the name of a folder. */
export function readService(
  read: Reading<typeof SERVICE_KEYS>,
  fallbackName: string,
  issues: Issues,
): WrittenService {
  if (read.name !== undefined) checkKebabCase(read.name.value, 'name', read.name.at, issues);
  const name = read.name?.value ?? (caseOf(fallbackName, '-') || 'service');
  const title = readTitle(read.title, issues) ?? inWords(name);
  const description = read.description?.value;
  const versions = readVersions(read.versions?.value ?? [], issues);
  const retired = readRetired(read.retired?.value ?? [], versions, issues);
  const ways = distinct(read.versioning?.value ?? [], 'versioning', issues);
  const usersRead = readUsers(read.users?.value.read?.value ?? [], issues);
  const schema = readSchemaName(read.schema, issues);
  const pages = completePages(read.pages && readPages(read.pages, issues), undefined, issues);
  return {
    name,
    title,
    ...(description !== undefined && description.trim() !== '' && { description }),
    versions: versions.map(({ version }) => version),
    lifecycles: versions,
    retired,
    versioning: ways.length === 0 ? WAYS : WAYS.filter((way) => ways.includes(way)),
    pages,
    roles: readRoles(read.roles?.value ?? [], issues),
    ...(usersRead.length > 0 && { usersRead }),
    seeds: read.seeds?.value ?? false,
    redis: read.redis?.value ?? false,
    ...(schema !== undefined && { schema }),
  };
}

function readSchemaName(schema: Located<string> | undefined, issues: Issues): string | undefined {
  if (schema === undefined) return undefined;
  if (!checkSnakeCase(schema.value, 'schema', schema.at, issues)) return undefined;
  if (!/^(?:public|pg_.*|information_schema)$/.test(schema.value)) return schema.value;
  const message = `schema ${quote(schema.value)} has tables of others. Write another name, such as "service".`;
  issues.add(schema.at, 'name-reserved', message);
  return undefined;
}

function readTitle(title: Located<string> | undefined, issues: Issues): string | undefined {
  if (title === undefined || title.value.trim() !== '') return title?.value;
  issues.add(title.at, 'bad-name', 'title is empty. Write one, or leave it out.');
  return undefined;
}

function readRoles(roles: readonly Located<string>[], issues: Issues): readonly string[] {
  for (const { value, at } of roles) {
    if (!checkSnakeCase(value, 'role', at, issues) || !RESERVED_ROLES.has(value)) continue;
    const why =
      value === 'admin' ? 'is always there. Remove it' : 'has a meaning of its own. Rename it';
    issues.add(at, 'name-reserved', `role ${quote(value)} ${why}.`);
  }
  return distinct(roles, 'roles', issues);
}

/** The roles that may read users, without those that always may. */
function readUsers(roles: readonly Located<string>[], issues: Issues): readonly string[] {
  for (const { value, at } of roles.filter((role) => !isRoleName(role))) {
    const message = `read ${quote(value)} of users is not a role: only roles may read all users. Remove it.`;
    issues.add(at, 'bad-permission', message);
  }
  return distinct(roles, 'read', issues).filter((role) => role !== 'admin');
}

function distinct<T extends string | number>(
  entries: readonly Located<T>[],
  what: string,
  issues: Issues,
): readonly T[] {
  const seen = new Set<T>();
  for (const { value, at } of entries) {
    if (seen.has(value)) {
      const shown = typeof value === 'string' ? quote(value) : String(value);
      issues.add(at, 'duplicate-entry', `${what} names ${shown} twice. Remove one.`);
    }
    seen.add(value);
  }
  return [...seen];
}

/** What is known of each version that is served; rising. */
function readVersions(written: readonly WrittenVersion[], issues: Issues): readonly Lifecycle[] {
  distinct(
    written.map(({ version }) => version),
    'versions',
    issues,
  );
  if (written.length === 0) return [{ version: 1, frozen: false }];
  const highest = Math.max(...written.map(({ version }) => version.value));
  const read = written.map(({ version: { value: version }, about }): Lifecycle => {
    const deprecated = readDay(about.deprecated, 'deprecated', issues);
    const sunset = readDay(about.sunset, 'sunset', issues);
    const isHighest = version === highest;
    if (isHighest && about.deprecated !== undefined) {
      const message = `version ${version} is the highest: clients have none to move on to. Remove deprecated, or add a version.`;
      issues.add(about.deprecated.keyAt, 'bad-lifecycle', message);
    }
    if (about.sunset !== undefined && about.deprecated === undefined) {
      const message = `version ${version} has a sunset, and is not deprecated: clients would not be told before. Write deprecated beside it.`;
      issues.add(about.sunset.keyAt, 'bad-lifecycle', message);
    }
    if (deprecated !== undefined && sunset !== undefined && sunset < deprecated) {
      const message = `sunset ${sunset} of version ${version} is before it is deprecated, on ${deprecated}. Write that day or a later one.`;
      issues.add(about.sunset!.at, 'bad-lifecycle', message);
    }
    if (about.frozen?.value === false && !isHighest) {
      const message = `version ${version} is below the highest, and so it is frozen. Remove frozen.`;
      issues.add(about.frozen.keyAt, 'bad-lifecycle', message);
    }
    return {
      version,
      ...(deprecated !== undefined && { deprecated }),
      ...(sunset !== undefined && { sunset }),
      frozen: !isHighest || about.frozen?.value === true,
    };
  });
  return read.toSorted((one, other) => one.version - other.version);
}

function readDay(
  day: Located<string> | undefined,
  what: string,
  issues: Issues,
): string | undefined {
  if (day === undefined || isDate(day.value)) return day?.value;
  const message = `${what} ${quote(day.value)} is not a date that exists. Write one such as 2026-11-01.`;
  issues.add(day.at, 'bad-value', message);
  return undefined;
}

function readRetired(
  retired: readonly Located<number>[],
  served: readonly Lifecycle[],
  issues: Issues,
): readonly number[] {
  const highest = Math.max(...served.map(({ version }) => version));
  for (const { value, at } of retired) {
    if (served.some(({ version }) => version === value)) {
      const message = `retired names version ${value}, which "versions" serves. Remove it from one of them.`;
      issues.add(at, 'bad-lifecycle', message);
    } else if (value > highest) {
      const message = `retired names version ${value}, which is over the highest that is served. Write a lower one.`;
      issues.add(at, 'bad-lifecycle', message);
    }
  }
  return distinct(retired, 'retired', issues).toSorted((one, other) => one - other);
}
