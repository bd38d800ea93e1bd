/**
 * `withSeeds` adds the files of seeds to definitions, after it has compared them: collections, members and references by name. Values
 * are checked by the emitted service alone, when it loads the seeds.
 */
import { Issues } from '../reading/issues.ts';
import { kindOf } from '../reading/mismatch.ts';
import { nearest } from '../reading/nearest.ts';
import { enumerate, quote, quoteAll } from '../reading/quote.ts';
import type { SourceFile } from '../reading/position.ts';
import { readSource, startOf } from '../reading/source.ts';
import { toTree } from '../reading/tree.ts';
import type { Entry, MapTree, Tree } from '../reading/tree.ts';
import { BUILT_IN_MEMBERS } from '../shared/built-in-members.ts';
import { keySpec } from '../types/key.ts';
import type { ReferenceType } from '../types/reference.ts';
import { failedResult } from './check.ts';
import type { DefinitionResult, ParsedDefinitions, ServiceDefinition } from './types.ts';

/** The key of a seed that names the user who creates the item. */
const CREATOR = '_creator';
/** The members of users that requests set. */
const USER_MEMBERS = ['username', 'password', 'roles'];
const isUuid = keySpec('uuid').isId;
/** As the emitted service has it, which reads the files. */
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N}._ -]{0,98}[\p{L}\p{N}])?$/u;

/** What a seed of a collection may have. */
interface SeedMembers {
  /** Whether clients choose ids: then there are no seeds. */
  readonly isChosen?: boolean;
  readonly members: readonly string[];
  readonly readOnly: readonly string[];
  readonly references: ReadonlyMap<string, SeedReference>;
}

/** The collection that a reference refers to, and the type of its ids if they are numbers. */
type SeedReference = Pick<ReferenceType, 'to' | 'key'>;

/** Definitions with the files of their seeds, or what is wrong in these. */
export function withSeeds(
  definitions: ParsedDefinitions,
  files: readonly SourceFile[],
): DefinitionResult {
  if (!definitions.service.seeds || files.length === 0) return definitions;
  const issues = new Issues();
  const entries = files.flatMap((file) => readSeedFile(file, issues) ?? []);
  // References to seeds of a file that cannot be read would all be wrong.
  if (issues.count === 0) checkSeeds(entries, definitions.service, issues);
  if (issues.count > 0) return failedResult(issues);
  const seeds = files.map(({ path, bytes }) => ({ path: `seeds/${baseName(path)}`, bytes }));
  return { ...definitions, seeds };
}

const baseName = (path: string): string => path.split('/').at(-1)!;

/** The seeds of a file under the name of their collection; undefined where an issue was added. */
function readSeedFile(file: SourceFile, issues: Issues): Entry | undefined {
  const at = startOf(file.path);
  const [, name, ending] = /^(.*)\.([a-z]+)$/.exec(baseName(file.path))!;
  if (ending !== 'yaml') {
    const message = `the file ${quote(baseName(file.path))} is not read here. Rename it to seeds/${name}.yaml.`;
    issues.add(at, 'file-misplaced', message);
    return undefined;
  }
  const source = readSource(file, issues);
  if (source === undefined) return undefined;
  const before = issues.count;
  const value = toTree(source, issues) ?? { kind: 'map', at, entries: [] };
  return issues.count > before ? undefined : { name: name!, at, value };
}

/** @param seeds each collection with its seeds by name. */
export function checkSeeds(
  seeds: readonly Entry[],
  service: ServiceDefinition,
  issues: Issues,
): void {
  const known = membersByCollection(service);
  const named = new Map(seeds.map(({ name, value }) => [name, new Set(namesIn(value))]));
  for (const { name, at, value } of seeds) {
    const members = known.get(name);
    if (members === undefined) {
      const near = nearest(name, known.keys());
      const hint =
        near === undefined ? `one of ${enumerate([...known.keys()], 'or')}` : quote(near);
      const message = `seeds of ${quote(name)}: there is no such collection. Write ${hint}.`;
      issues.add(at, 'bad-seed', message);
      continue;
    }
    if (members.isChosen) {
      const message = `seeds of ${quote(name)}: the ids of its items are values that requests send, and seeds have ids by their names. Remove them.`;
      issues.add(at, 'bad-seed', message);
      continue;
    }
    for (const seed of seedsIn(value, name, issues)) checkSeed(seed, members, named, issues);
  }
}

function membersByCollection(service: ServiceDefinition): ReadonlyMap<string, SeedMembers> {
  const users: SeedMembers = {
    members: USER_MEMBERS,
    readOnly: BUILT_IN_MEMBERS,
    references: new Map(),
  };
  return new Map([
    ['users', users],
    ...service.collections.map(({ name, fields, keySource }) => {
      const references = fields.flatMap((field) =>
        field.type.type === 'reference' ? [[field.name, field.type] as const] : [],
      );
      const own: SeedMembers = {
        isChosen: keySource === 'client' || keySource === 'fields',
        members: fields.filter(({ readOnly }) => !readOnly).map((field) => field.name),
        readOnly: [
          ...BUILT_IN_MEMBERS,
          ...fields.filter(({ readOnly }) => readOnly).map((field) => field.name),
        ],
        references: new Map(references),
      };
      return [name, own] as const;
    }),
  ]);
}

const isNothing = (tree: Tree): boolean => tree.kind === 'scalar' && tree.value === null;

const namesIn = (tree: Tree): readonly string[] =>
  tree.kind === 'map' ? tree.entries.map(({ name }) => name) : [];

/** The seeds of a collection that are maps. */
function seedsIn(
  tree: Tree,
  collection: string,
  issues: Issues,
): readonly (Entry & { value: MapTree })[] {
  if (isNothing(tree)) return [];
  if (tree.kind !== 'map') {
    const message = `seeds of ${collection} are ${kindOf(tree)}, not a map. Write each as its name, a colon, and its members.`;
    issues.add(tree.at, 'wrong-type', message);
    return [];
  }
  return tree.entries.flatMap((seed) => {
    const { name, at, value } = seed;
    if (!NAME.test(name) || isUuid(name)) {
      const message = `seed ${quote(name)} is no name. Write up to 100 letters and digits, with ".", "-", "_" or blanks between them, and no UUID.`;
      issues.add(at, 'bad-seed', message);
      return [];
    }
    if (isNothing(value)) return [{ ...seed, value: { kind: 'map', at, entries: [] } as const }];
    if (value.kind === 'map') return [{ ...seed, value }];
    const message = `seed ${quote(name)} is ${kindOf(value)}, not a map. Write its members, such as "{ title: A title }".`;
    issues.add(value.at, 'wrong-type', message);
    return [];
  });
}

function checkSeed(
  { value: { entries } }: { readonly value: MapTree },
  { members, readOnly, references }: SeedMembers,
  named: ReadonlyMap<string, ReadonlySet<string>>,
  issues: Issues,
): void {
  for (const { name, at, value } of entries) {
    const target = name === CREATOR ? { to: 'users' } : references.get(name);
    if (readOnly.includes(name)) {
      const message = `${name} of a seed is set by the service. Remove it.`;
      issues.add(at, 'bad-seed', message);
    } else if (name !== CREATOR && !members.includes(name)) {
      const near = nearest(name, members);
      const hint = near === undefined ? `Known are ${quoteAll(members)}` : `Write ${quote(near)}`;
      issues.add(at, 'unknown-key', `${quote(name)} is no member of this collection. ${hint}.`);
    } else if (target !== undefined) {
      checkReference(name, value, target, named.get(target.to), issues);
    }
  }
}

function checkReference(
  member: string,
  tree: Tree,
  { to, key }: SeedReference,
  names: ReadonlySet<string> | undefined,
  issues: Issues,
): void {
  if (isNothing(tree)) return;
  const written = tree.kind === 'scalar' ? tree.source : undefined;
  const { isId } = keySpec(key ?? 'uuid');
  if (written !== undefined && (names?.has(written) === true || isId(written))) return;
  const near = written === undefined ? undefined : nearest(written, names ?? []);
  const shown = written === undefined ? `is ${kindOf(tree)}, and names` : `${quote(written)} names`;
  const hint = near === undefined ? `Write the name of one of them` : `Write ${quote(near)}`;
  issues.add(
    tree.at,
    'bad-seed',
    `${member} ${shown} no seed of ${to}. ${hint}, or the id of an item.`,
  );
}
