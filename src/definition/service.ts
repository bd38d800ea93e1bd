/** Reads the keys of the service itself. */
import type { Reading } from './records.ts';
import type { Issues } from './issues.ts';
import { SERVICE_KEYS } from './keys.ts';
import { caseOf, checkKebabCase, checkSnakeCase, inWords } from './names.ts';
import { completePages, readPages } from './pages.ts';
import { quote } from './quote.ts';
import type { Located } from './shapes.ts';
import type { ServiceDefinition, VersioningWay } from './types.ts';

/** All of a service but its collections. */
export type WrittenService = Omit<ServiceDefinition, 'collections'>;

/** Words that permissions use themselves. */
const RESERVED_ROLES = new Set(['admin', 'authenticated', 'owner', 'public']);
const WAYS: readonly VersioningWay[] = Object.freeze(['path', 'accept']);

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
  const versions = distinct(read.versions?.value ?? [], 'versions', issues);
  const ways = distinct(read.versioning?.value ?? [], 'versioning', issues);
  const pages = completePages(read.pages && readPages(read.pages, issues), undefined, issues);
  return {
    name,
    title,
    ...(description !== undefined && description.trim() !== '' && { description }),
    versions: versions.length === 0 ? [1] : versions.toSorted((a, b) => a - b),
    versioning: ways.length === 0 ? WAYS : WAYS.filter((way) => ways.includes(way)),
    pages,
    roles: readRoles(read.roles?.value ?? [], issues),
  };
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
