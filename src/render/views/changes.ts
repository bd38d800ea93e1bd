/** What changed from one version to the next, found by comparing what their clients see. */
import type { CollectionDefinition, Field } from '../../definition/types.ts';
import type { FieldType } from '../../types/registry.ts';
import type { Collection, Model } from '../../model/types.ts';
import { viewIn } from '../../model/versions.ts';
import { specOf } from '../../types/registry.ts';

/** One change, in the words of the newer version, or of the older one for what is gone. */
export interface VersionChange {
  /** `books`, or `books.price`. */
  readonly what: string;
  readonly before: string;
  readonly now: string;
}

/** The changes that a version brought. */
export interface VersionChanges {
  readonly version: number;
  readonly before: number;
  readonly changes: readonly VersionChange[];
}

/** For each version but the first, what it changed; the newest first. */
export function versionChanges(model: Model): VersionChanges[] {
  const { versions } = model.service;
  return versions
    .flatMap((version, at) => {
      const before = versions[at - 1];
      return before === undefined
        ? []
        : [{ version, before, changes: between(model, before, version) }];
    })
    .toReversed();
}

/** A collection as a version has it, and what its members are stored as. */
interface CollectionInVersion {
  readonly definition: CollectionDefinition;
  readonly path: string;
  readonly storedName: (member: string) => string;
}

function collectionInVersion(
  model: Model,
  stored: Collection,
  version: number,
): CollectionInVersion | undefined {
  const { name } = stored.definition;
  const found = model.versions?.collections.get(name);
  const view = viewIn(model, name, version);
  if (view === undefined) {
    if (found !== undefined && !found.same.includes(version)) return undefined;
    const { definition, names } = stored;
    return { definition, path: names.kebab, storedName: (member) => member };
  }
  return {
    definition: view.collection.definition,
    path: view.collection.names.kebab,
    storedName: (member) =>
      view.members.find(({ shown }) => shown.name === member)?.stored.name ?? member,
  };
}

function between(model: Model, older: number, newer: number): VersionChange[] {
  return model.collections.flatMap((stored): VersionChange[] => {
    const [before, now] = [older, newer].map((version) =>
      collectionInVersion(model, stored, version),
    );
    if (before === undefined && now === undefined) return [];
    if (before === undefined) return [{ what: `/${now?.path}`, before: '', now: 'new' }];
    if (now === undefined) return [{ what: `/${before.path}`, before: 'exists', now: 'removed' }];
    const moved =
      before.path === now.path
        ? []
        : [{ what: `/${now.path}`, before: `\`/${before.path}\``, now: `\`/${now.path}\`` }];
    return [...moved, ...memberChanges(before, now), ...listChanges(before, now)];
  });
}

function memberChanges(before: CollectionInVersion, now: CollectionInVersion): VersionChange[] {
  const at = now.definition.name;
  const find = (
    { definition, storedName }: CollectionInVersion,
    stored: string,
  ): Field | undefined => definition.fields.find(({ name }) => storedName(name) === stored);
  const removed = before.definition.fields
    .filter(({ name }) => find(now, before.storedName(name)) === undefined)
    .map((field) => ({
      what: `${at}.${field.name}`,
      before: describeMember(field),
      now: 'removed',
    }));
  const others = now.definition.fields.flatMap((field): VersionChange[] => {
    const older = find(before, now.storedName(field.name));
    const what = `${at}.${field.name}`;
    if (older === undefined) return [{ what, before: '', now: `new: ${describeMember(field)}` }];
    const [was, is] = [describeMember(older), describeMember(field)];
    const renamed = older.name === field.name ? '' : `\`${older.name}\``;
    if (renamed === '' && was === is) return [];
    const names = renamed === '' ? ['', ''] : [renamed, `\`${field.name}\``];
    const types = was === is ? ['', ''] : [was, is];
    const join = (side: 0 | 1): string =>
      [names[side], types[side]].filter((text) => text !== '').join(', ');
    return [{ what, before: join(0), now: join(1) }];
  });
  const paths = nestedPaths(before, now);
  return [...others, ...removed, ...paths];
}

/** The nested paths that were added, removed or renamed. */
function nestedPaths(before: CollectionInVersion, now: CollectionInVersion): VersionChange[] {
  const pathsOf = ({ definition, storedName }: CollectionInVersion): ReadonlyMap<string, string> =>
    new Map(
      definition.fields.flatMap(({ name, type }): [string, string][] =>
        type.type === 'reference' && type.nestedAs !== undefined
          ? [[storedName(name), `/${kebab(type.to)}/{id}/${kebab(type.nestedAs)}`]]
          : [],
      ),
    );
  const [older, newer] = [pathsOf(before), pathsOf(now)];
  return [...new Set([...older.keys(), ...newer.keys()])].flatMap((key): VersionChange[] => {
    const [was, is] = [older.get(key), newer.get(key)];
    if (was === is) return [];
    if (was === undefined) return [{ what: String(is), before: '', now: 'new' }];
    if (is === undefined) return [{ what: was, before: 'exists', now: 'removed' }];
    return [{ what: is, before: `\`${was}\``, now: `\`${is}\`` }];
  });
}

/** What lists are sorted and filtered by, as far as the members themselves are in both. */
function listChanges(before: CollectionInVersion, now: CollectionInVersion): VersionChange[] {
  return (['sort', 'filter'] as const).flatMap((key): VersionChange[] => {
    const olderNames = before.definition[key].map(before.storedName);
    const has = now.definition[key].filter((name) => {
      const stored = now.storedName(name);
      const isThere = before.definition.fields.some(
        ({ name: own }) => before.storedName(own) === stored,
      );
      return isThere && !olderNames.includes(stored);
    });
    return has.map((name) => ({
      what: `${now.definition.name}.${name}`,
      before: '',
      now: key === 'sort' ? 'sortable' : 'filterable',
    }));
  });
}

/** A member in a few words: its type, and what a client has to know to send it. */
function describeMember({ type, required, readOnly, default: defaultValue }: Field): string {
  const rules = [
    ...(required && defaultValue === undefined ? ['required'] : []),
    ...(readOnly ? ['read-only'] : []),
    ...boundsOf(type),
  ];
  return [specOf(type).documentation(type), ...rules].join(', ');
}

const boundsOf = (type: FieldType): string[] => [
  ...('minimum' in type && type.minimum !== undefined ? [`from ${type.minimum}`] : []),
  ...('maximum' in type && type.maximum !== undefined ? [`to ${type.maximum}`] : []),
  ...('maxLength' in type && type.maxLength !== undefined
    ? [`at most ${type.maxLength} long`]
    : []),
];

const kebab = (name: string): string => name.replaceAll('_', '-');

/** The changes of each version as Markdown without tables, which not every reader of OpenAPI shows. */
export const changesInWords = (
  model: Model,
): { readonly version: number; readonly text: string }[] =>
  versionChanges(model)
    .filter(({ changes }) => changes.length > 0)
    .map(({ version, before, changes }) => ({
      version,
      text: `## What version ${version} changed\n\n${changes
        .map(({ what, before: was, now }) =>
          was === ''
            ? `- \`${what}\`: ${now}`
            : now === 'removed'
              ? `- \`${what}\` was removed`
              : `- \`${what}\`: ${now}; in version ${before} it was ${was}`,
        )
        .join('\n')}`,
    }))
    .toReversed();
