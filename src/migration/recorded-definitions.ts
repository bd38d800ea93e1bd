/**
 * The definitions that the migrations amount to, as the migrations record them. Each one that
 * `generate` writes ends with the change of the definitions that it makes:
 *
 *     -- definitions: by create-service 0.2.0
 *     -- definitions: + collections.books.fields.pages {"type":"integer"}
 *     -- definitions: + collections.books.filter[] "pages"
 *     -- definitions: - collections.books.fields.cost
 *
 * The hashes of the chain cover these lines, and git takes a file with all of its lines or not at
 * all. So what databases have applied follows from the migrations that are there, whatever else a
 * merge of two branches made of the project.
 *
 * A path leads to the service, a collection, one of its keys, a field, or (with `[]`) an entry of a
 * list. Prose (titles, descriptions, examples) is left out: no schema depends on it.
 */
import type { Plain, PlainDefinitions, PlainMap } from '../definition/plain-definitions.ts';
import type { SourceFile } from '../reading/position.ts';
import { chainEnds, inChainOrder, withNormalLineEnds } from './chain.ts';
import type { ChainEntry, MigrationFile } from './chain.ts';
import { ownMember } from '../shared/json.ts';

/** JSON by key; of an entry of a list, the key holds its value: `filter[] "pages"`. */
type Keys = ReadonlyMap<string, string>;

/** The keys of `service`, and of each collection by its path: `collections.books`. */
export type RecordedDefinitions = ReadonlyMap<string, Keys>;

/** Lists in which each entry stands for itself: two branches may each add one. */
const SETS: ReadonlySet<string> = new Set(['sort', 'filter', 'unique', 'indexes']);
const PROSE: ReadonlySet<string> = new Set(['title', 'description', 'example']);

/** Definitions as they are recorded. */
export function recordedOf({ service, collections }: PlainDefinitions): RecordedDefinitions {
  const { name: _, ...keys } = service;
  return new Map([
    ['service', keysOf(keys)],
    ...[...collections].map(
      // A list that is left out has entries too, which one that is written replaces.
      ([name, own]) => [pathOf(name), keysOf({ sort: defaultSort(own), ...own })] as const,
    ),
  ]);
}

/** What lists are sorted by if a definition does not say it: `created_at`, if items have that. */
function defaultSort({ table, history }: PlainMap): string[] {
  const hasCreatedAt =
    table === undefined || !isMap(history) || history['created_at'] !== undefined;
  return hasCreatedAt ? ['created_at'] : [];
}

const pathOf = (collection: string): string => `collections.${collection}`;

function keysOf(map: PlainMap): Keys {
  const keys = new Map<string, string>();
  for (const [key, value] of Object.entries(map)) {
    if (PROSE.has(key)) continue;
    if (key === 'fields' && isMap(value)) {
      for (const [field, one] of Object.entries(value)) {
        keys.set(`fields.${field}`, json(fieldWithoutProse(one)));
      }
    } else if (key === 'checks' && isMap(value)) {
      for (const [check, one] of Object.entries(value)) {
        keys.set(`checks.${check}`, json(isMap(one) ? { rule: one['rule'] ?? null } : one));
      }
    } else if (SETS.has(key) && Array.isArray(value)) {
      for (const entry of value as readonly Plain[]) keys.set(`${key}[] ${json(entry)}`, '');
    } else keys.set(key, json(value));
  }
  return keys;
}

/** The reverse of `keysOf`. */
function mapOf(path: string, keys: Keys): PlainMap {
  // Without it, a collection is sorted by `created_at`.
  const map: Record<string, Plain> = path === 'service' ? {} : { sort: [] };
  const fields: Record<string, Plain> = {};
  const checks: Record<string, Plain> = {};
  for (const [key, value] of keys) {
    const [, list = '', entry] = /^(\w+)\[\] (.+)$/.exec(key) ?? [];
    if (entry !== undefined) {
      map[list] = [
        ...((ownMember(map, list) ?? []) as readonly Plain[]),
        JSON.parse(entry) as Plain,
      ];
    } else if (key.startsWith('fields.')) {
      fields[key.slice('fields.'.length)] = JSON.parse(value) as Plain;
    } else if (key.startsWith('checks.')) {
      checks[key.slice('checks.'.length)] = JSON.parse(value) as Plain;
    } else map[key] = JSON.parse(value) as Plain;
  }
  return {
    ...(Object.keys(fields).length > 0 && { fields }),
    ...map,
    ...(Object.keys(checks).length > 0 && { checks }),
  };
}

const isMap = (value: Plain | undefined): value is PlainMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fieldWithoutProse(field: Plain): Plain {
  if (!isMap(field)) return field;
  const { properties, of } = field;
  return {
    ...Object.fromEntries(Object.entries(field).filter(([key]) => !PROSE.has(key))),
    ...(isMap(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, fieldWithoutProse(one)]),
      ),
    }),
    ...(isMap(of) && { of: fieldWithoutProse(of) }),
  };
}

/** JSON that stays on its line, and shows every character that it has. */
const json = (value: Plain): string =>
  JSON.stringify(value).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );

/** Whether two states of the definitions are the same but for prose. */
export const isSameRecord = (one: RecordedDefinitions, other: RecordedDefinitions): boolean =>
  one.size === other.size && [...one.keys()].every((path) => isSameIn(path, one, other));

/** Whether two states of the definitions have the same of one collection, or of the service. */
export function isSameIn(
  path: string,
  one: RecordedDefinitions,
  other: RecordedDefinitions,
): boolean {
  const [keys, others] = [one.get(path), other.get(path)];
  return (
    keys !== undefined &&
    keys.size === others?.size &&
    [...keys].every(([key, value]) => others.get(key) === value)
  );
}

/** What a migration does to the definitions. */
interface RecordedChange {
  /** The version of create-service that writes it. */
  readonly version: string;
  /** Absent: it is the first migration. */
  readonly before?: RecordedDefinitions;
  readonly now: RecordedDefinitions;
  /** Paths to record though they stay: two branches said different things of them. */
  readonly agreedPaths?: readonly string[];
}

/** The end of the text of a migration: what it does to the definitions. */
export function recordText(change: RecordedChange): string {
  const { version, before = new Map<string, Keys>(), now } = change;
  const lines = [
    authorOf(version),
    ...[...before.keys()].filter((path) => !now.has(path)).map((path) => `- ${path}`),
    ...[...now].flatMap(([path, keys]) => {
      const old = before.get(path);
      return old === undefined
        ? [`+ ${path} ${json(mapOf(path, keys))}`]
        : keyLines(path, old, keys, new Set(change.agreedPaths));
    }),
  ];
  return [
    '',
    '-- What this migration changes in the definitions: create-service generate reads it.',
    ...lines.map((line) => `-- definitions: ${line}`),
    '',
  ].join('\n');
}

/** The end of the text of the further files of a migration: they are not the team's. */
export const authorText = (version: string): string => `\n-- definitions: ${authorOf(version)}\n`;

const authorOf = (version: string): string => `by create-service ${version}`;

const keyLines = (
  path: string,
  old: Keys,
  keys: Keys,
  agreedPaths: ReadonlySet<string>,
): string[] => [
  ...[...old.keys()].filter((key) => !keys.has(key)).map((key) => `- ${path}.${key}`),
  ...[...keys]
    .filter(([key, value]) => old.get(key) !== value || agreedPaths.has(`${path}.${key}`))
    .map(([key, value]) => `+ ${path}.${key} ${value}`.trimEnd()),
];

/** Recorded definitions as files for the definition stage. */
export function sourcesOf(recorded: RecordedDefinitions): readonly SourceFile[] {
  const encoder = new TextEncoder();
  return [...recorded].map(([path, keys]) => ({
    path: `migrations/${path.replace('.', '/')}.yaml`,
    bytes: encoder.encode(json(mapOf(path, keys))),
  }));
}

/** The path of a collection in what is recorded, by its file in `sourcesOf`. */
export const recordedPath = (file: string): string =>
  file.replace(/^migrations\/|\.yaml$/g, '').replace('/', '.');

/** All lines that record something, in the order of the files. */
export const recordLines = (files: readonly MigrationFile[]): string =>
  files
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ text }) => text.match(/^-- definitions: .*$/gm) ?? [])
    .join('\n');

/** Two migrations of different branches that change one thing. */
export interface RecordConflict {
  /** `collections.books.fields.title` */
  readonly path: string;
  readonly migrations: readonly [string, string];
  /** The definitions as either of them has them. */
  readonly variants: readonly [RecordedDefinitions, RecordedDefinitions];
  /** Both add it, or both remove it: the second of them fails on every database. */
  readonly isCertain: boolean;
}

/** What a chain of migrations records. */
export interface RecordedChain {
  /** After all of them; where two clash, as the later file has it. */
  readonly definitions: RecordedDefinitions;
  readonly conflicts: readonly RecordConflict[];
  /** The versions of create-service that wrote the last migration of each branch. */
  readonly generators: readonly string[];
}

/** A line that says nothing of definitions. */
export class RecordDamage extends Error {
  readonly migration: string;
  readonly line: number;

  constructor(migration: string, line: number, text: string) {
    super(text);
    this.migration = migration;
    this.line = line;
  }
}

type State = Map<string, Map<string, string>>;

/** A change that is the last of its path on some branch. */
interface Change {
  readonly by: ChainEntry;
  readonly value: string | undefined;
  readonly wasThere: boolean;
}

/**
 * What a chain records; undefined where no migration of it records anything.
 * @throws RecordDamage
 */
export function recordedIn(files: readonly MigrationFile[]): RecordedChain | undefined {
  const chain = inChainOrder(files);
  const state: State = new Map();
  const changes = new Map<string, Change[]>();
  const generators = new Map<ChainEntry, string>();
  let isRecorded = false;
  for (const by of chain) {
    for (const line of linesIn(by.file)) {
      isRecorded = true;
      if ('version' in line) generators.set(by, line.version);
      else applyLine(state, changes, line, by);
    }
  }
  if (!isRecorded) return undefined;
  const conflicts = conflictsIn(state, changes);
  const ends = new Set(chainEnds(files).map(({ name }) => name));
  const backwards = chain.toReversed();
  const lastOf = (end: ChainEntry): string | undefined =>
    backwards
      .filter((one) => generators.has(one))
      .filter((one) => one === end || end.isAfter(one))
      .map((one) => generators.get(one))[0];
  return {
    definitions: state,
    conflicts,
    generators: chain.filter(({ file }) => ends.has(file.name)).flatMap((end) => lastOf(end) ?? []),
  };
}

type Line =
  | { readonly version: string }
  | {
      readonly sign: '+' | '-';
      /** `service`, or a collection: `collections.books`. */
      readonly owner: string;
      /** Absent: the owner as a whole. */
      readonly key?: string;
      readonly value: string;
    };

function linesIn({ name, text }: MigrationFile): readonly Line[] {
  if (!text.includes('-- definitions: ')) return [];
  return withNormalLineEnds(text)
    .split('\n')
    .flatMap((line, at) => {
      const said = /^-- definitions: (.*)$/.exec(line)?.[1];
      if (said === undefined) return [];
      const read = readLine(said);
      if (read === undefined) throw new RecordDamage(name, at + 1, line);
      return [read];
    });
}

function readLine(said: string): Line | undefined {
  const version = /^by create-service (\S+)$/.exec(said)?.[1];
  if (version !== undefined) return { version };
  const [, sign, owner, entry, name, value = ''] =
    /^([-+]) (service|collections\.\w+)(?:\.([\w.]+\[\] .+)|(?:\.([\w.]+))?(?: (.+))?)$/.exec(
      said,
    ) ?? [];
  if (owner === undefined) return undefined;
  const key = entry ?? name;
  const isEntry = key?.includes('[] ') === true;
  const texts = isEntry ? [key.slice(key.indexOf(' '))] : sign === '-' ? [] : [value];
  try {
    const values = texts.map((one) => JSON.parse(one) as Plain);
    if (key === undefined && sign !== '-' && !isMap(values[0])) return undefined;
  } catch {
    return undefined;
  }
  return { sign: sign as '+' | '-', owner, ...(key !== undefined && { key }), value };
}

function applyLine(
  state: State,
  changes: Map<string, Change[]>,
  { sign, owner, key, value }: Exclude<Line, { version: string }>,
  by: ChainEntry,
): void {
  const own = state.get(owner);
  const text = sign === '-' ? undefined : value;
  const path = key === undefined ? owner : `${owner}.${key}`;
  const isThere = key === undefined ? own !== undefined : own?.has(key) === true;
  const last = changes.get(path) ?? [];
  const before = last.find((one) => one.by !== by && by.isAfter(one.by));
  const concurrent = last.find((one) => one.by === by || !by.isAfter(one.by));
  // What is there now may be the work of another branch.
  const wasThere =
    before === undefined ? (concurrent?.wasThere ?? isThere) : before.value !== undefined;
  changes.set(path, [
    ...last.filter((one) => one.by !== by && !by.isAfter(one.by)),
    { by, value: text, wasThere },
  ]);
  if (key === undefined) {
    if (text === undefined) state.delete(owner);
    else state.set(owner, new Map(keysOf(JSON.parse(text) as PlainMap)));
  } else if (text === undefined) own?.delete(key);
  else state.set(owner, (own ?? new Map<string, string>()).set(key, text));
}

/** Changes of one thing that no later migration follows both of. */
function conflictsIn(
  state: State,
  changes: ReadonlyMap<string, readonly Change[]>,
): RecordConflict[] {
  const found: RecordConflict[] = [];
  const tell = (
    path: string,
    [one, other]: readonly [Change, Change],
    isCertain: boolean,
  ): void => {
    found.push({
      path,
      migrations: [one.by.file.name, other.by.file.name],
      variants: [variantOf(state, path, one.value), variantOf(state, path, other.value)],
      isCertain,
    });
  };
  for (const [path, [first, ...others]] of changes) {
    if (first === undefined) continue;
    const isCollection = /^collections\.\w+$/.test(path);
    const isTable = isCollection || /^collections\.\w+\.(?:fields|checks)\.\w+$/.test(path);
    for (const other of others) {
      const isSameKind = first.wasThere === other.wasThere;
      const isCertain =
        isCollection || (isTable && isSameKind && isAddOrRemove(first) && isAddOrRemove(other));
      if (isCertain || first.value !== other.value) tell(path, [first, other], isCertain);
    }
    if (!isCollection) continue;
    // One branch removes or renames a collection, and another changes something in it.
    const removal = [first, ...others].find(({ value }) => value === undefined);
    if (removal === undefined) continue;
    const inside = [...changes]
      .filter(([one]) => one.startsWith(`${path}.`))
      .flatMap(([, list]) => list)
      .find(({ by }) => by !== removal.by && !by.isAfter(removal.by) && !removal.by.isAfter(by));
    if (inside !== undefined) tell(path, [removal, inside], true);
  }
  return found;
}

const isAddOrRemove = ({ value, wasThere }: Change): boolean => (value === undefined) === wasThere;

function variantOf(state: State, path: string, value: string | undefined): RecordedDefinitions {
  const [, owner = '', key] = /^(service|collections\.\w+)(?:\.(.+))?$/.exec(path) ?? [];
  if (key === undefined) return state;
  const own = new Map(state.get(owner));
  if (value === undefined) own.delete(key);
  else own.set(key, value);
  return new Map([...state, [owner, own]]);
}
