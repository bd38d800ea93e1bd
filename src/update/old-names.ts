/**
 * Uses of names that are gone: after a field or collection is renamed or removed, `usesOfOldNames`
 * lists the lines of the team's own code that still use the old names. What is generated uses none.
 */
import { matchRenames } from '../types/match-renames.ts';
import type { Model } from '../model/types.ts';
import { EXISTING_TABLES } from '../shared/files.ts';
import type { Outcome } from './types.ts';

/** One line that uses a name that is gone. */
export interface OldNameUse {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** What it is called now; absent where it was removed, or that is not known. */
  readonly becomes?: string;
}

interface OldNamesInput {
  readonly before: Model;
  readonly now: Model;
  /** What becomes of each file. */
  readonly outcomes: readonly Outcome[];
  /** The text that is generated for a path; undefined for a file of the team. */
  readonly generated: (path: string) => string | undefined;
  /** What the definitions yield for a fixture that the team has edited, where that is at hand. */
  readonly fixture: (path: string) => string | undefined;
  /** Whether a file was written by this tool, edited or not. */
  readonly isKnown: (path: string) => boolean;
  /** New names of what was renamed, by old ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** All source files of the project as they will be; asked for where a name is gone. */
  readonly files: () => Iterable<SourceText>;
}

interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** A name that is gone, and how it stands in code. */
interface OldName {
  readonly name: string;
  readonly becomes: string | undefined;
  readonly pattern: RegExp;
  /** Whether the name means just this in a file, which has to change; absent: in all files. */
  readonly isAbout?: (file: SourceText) => boolean;
  /** Whether it means something else in other files. */
  readonly isAmbiguous?: boolean;
}

/** Whether a file may use names of the generated code or of the schema. Existing tables have their own names. */
export const isSource = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|sql)$/.test(path) && path !== EXISTING_TABLES;

/** The lines of the team that use names that are gone: first files that must change, by file and line. */
export function usesOfOldNames(input: OldNamesInput): readonly OldNameUse[] {
  const names = [...goneFields(input), ...goneCollections(input), ...goneExports(input)];
  if (names.length === 0) return [];
  const skipped = new Set(
    input.outcomes
      .filter(({ action }) => action === 'left' || action === 'removed')
      .map(({ path }) => path),
  );
  const uses: OldNameUse[] = [];
  const certain = new Set<string>();
  for (const file of input.files()) {
    if (skipped.has(file.path)) continue;
    const about = names.filter(
      ({ isAbout, isAmbiguous }) => isAmbiguous !== true || isAbout?.(file),
    );
    if (about.length === 0) continue;
    const fixture = input.fixture(file.path);
    const lines = (input.generated(file.path) ?? fixture)?.split('\n').map(trimmed) ?? [];
    const known = new Set(lines);
    for (const [index, line] of file.text.split('\n').entries()) {
      if (known.has(line.trim()) || isComment(line)) continue;
      const found = about.find(({ pattern }) => pattern.test(line));
      if (found === undefined) continue;
      const { name, becomes, isAbout } = found;
      // The fixture of an older version has the members of that version.
      if (fixture !== undefined && lines.some((one) => one.startsWith(`${name}:`))) continue;
      if (isAbout?.(file) ?? true) certain.add(file.path);
      uses.push({
        path: file.path,
        line: index + 1,
        name,
        ...(becomes !== undefined && { becomes }),
      });
    }
  }
  const order = ({ path }: OldNameUse): string => `${certain.has(path) ? 0 : 1} ${path}`;
  return uses.toSorted((one, other) =>
    one.path === other.path ? one.line - other.line : order(one) < order(other) ? -1 : 1,
  );
}

const trimmed = (line: string): string => line.trim();

const isComment = (line: string): boolean => /^\s*(?:\/[/*]|\*|--)/.test(line);

/** Fields that their collections no longer have. */
function goneFields({ before, now, generated }: OldNamesInput): OldName[] {
  const still = new Set(
    now.service.collections.flatMap(({ fields }) => fields.map(({ name }) => name)),
  );
  const { kept } = matchRenames(before.service.collections, now.service.collections);
  return kept.flatMap((pair) => {
    const fields = matchRenames(pair.before.fields, pair.now.fields);
    const renamed = fields.kept.filter((one) => one.before.name !== one.now.name);
    const isAbout = aboutCollection(now, pair.now.name, generated);
    return [
      ...fields.dropped.map(({ name }) => ({ name, becomes: undefined })),
      ...renamed.map((one) => ({ name: one.before.name, becomes: one.now.name })),
    ].map(({ name, becomes }) => ({
      name,
      becomes,
      pattern: new RegExp(`(?<![\\w$-])${name}(?![\\w$])`),
      // Another collection has a field of that name.
      isAmbiguous: still.has(name),
      isAbout,
    }));
  });
}

/** Whether a file is of a collection, or names what is generated for it. */
function aboutCollection(
  model: Model,
  name: string,
  generated: OldNamesInput['generated'],
): NonNullable<OldName['isAbout']> {
  const names = model.collections.find(({ definition }) => definition.name === name)?.names;
  if (names === undefined) return () => false;
  const { kebab, type, itemCamel, pascal } = names;
  const pattern = new RegExp(
    `/${kebab}(?![\\w-])|\\b${itemCamel}[A-Z]|${type}|${pascal}|"${name}"`,
  );
  // Generated files of other collections name this one too, where they refer to it.
  return ({ path, text }) =>
    pattern.test(`/${path}`) || (generated(path) === undefined && pattern.test(text));
}

/** Collections that are gone, by the name of the table and by the path. */
function goneCollections({ before, now }: OldNamesInput): OldName[] {
  const { kept, dropped } = matchRenames(before.service.collections, now.service.collections);
  const still = new Set(now.service.collections.map(({ name }) => name));
  return [
    ...dropped.map(({ name }) => ({ name, becomes: undefined })),
    ...kept.map((pair) => ({ name: pair.before.name, becomes: pair.now.name })),
  ]
    .filter(({ name }) => !still.has(name))
    .map(({ name, becomes }) => ({
      name,
      becomes,
      pattern: new RegExp(`"${name}"|/${name.replaceAll('_', '-')}(?![\\w-])`),
    }));
}

/** Names that generated modules exported and none of them exports now. */
function goneExports({ outcomes, renamed, files, isKnown }: OldNamesInput): OldName[] {
  const exported = outcomes
    .filter(({ action }) => action !== 'conflict' && action !== 'left')
    .flatMap(({ before = '', after, action }) =>
      after === undefined && action !== 'removed' ? [] : exportsOf(before),
    );
  const gone = new Set(exported);
  for (const { after = '' } of outcomes) for (const name of exportsOf(after)) gone.delete(name);
  if (gone.size === 0) return [];
  // Files that stay as they are may export it too, as the fixtures of all collections do.
  const removed = new Set(outcomes.flatMap((one) => (one.action === 'removed' ? one.path : [])));
  for (const { path, text } of files()) {
    if (!isKnown(path) || removed.has(path)) continue;
    for (const name of exportsOf(text)) gone.delete(name);
  }
  return [...gone].map((name) => ({
    name,
    becomes: renamed.get(name),
    pattern: new RegExp(`(?<![\\w$/-])${name.replaceAll('$', '\\$')}(?![\\w$-])`),
  }));
}

/** The names that a module exports, those of a destructured constant among them. */
const exportsOf = (text: string): string[] => [
  ...[
    ...text.matchAll(/^export (?:async )?(?:const|function|class|interface|type|enum) ([\w$]+)/gm),
  ].flatMap(([, name]) => name ?? []),
  ...[...text.matchAll(/^export const \{([^{}]*)\} =/gm)].flatMap(([, members = '']) =>
    members
      .split(',')
      .map((member) => member.slice(member.indexOf(':') + 1).trim())
      .filter((name) => name !== ''),
  ),
];
