/**
 * The files of migrations as a chain. Each says which it follows, by name and hash, in lines
 * `-- after: 0001_initial 9f86…`; so a changed or missing one shows without a database. Branches
 * that were merged leave two ends, which the next migration joins by following both. The emitted
 * `src/platform/database/migrations.ts` reads the same lines.
 */
import { createHash } from 'node:crypto';

/** One file of `migrations/`. */
export interface MigrationFile {
  /** Without folder and ending: `0002_add_reviews`. */
  readonly name: string;
  readonly text: string;
}

interface Link {
  readonly name: string;
  readonly hash: string;
}

/** The text of a migration, whatever the checkout made of its line ends. */
export const withNormalLineEnds = (text: string): string =>
  text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

/** SHA-256 of a migration, whatever the line ends of the checkout. */
const migrationHash = ({ text }: MigrationFile): string =>
  createHash('sha256').update(withNormalLineEnds(text)).digest('hex');

/** The migrations that one names as those before it. */
const namedIn = ({ text }: MigrationFile): Link[] =>
  [...withNormalLineEnds(text).matchAll(/^-- after: (\S+) ([0-9a-f]{64})$/gm)].map(
    ([, name = '', hash = '']) => ({ name, hash }),
  );

const byName = (files: readonly MigrationFile[]): MigrationFile[] =>
  files.toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** The names of the migrations that each one follows, by name. */
function parentsOf(files: readonly MigrationFile[]): ReadonlyMap<MigrationFile, readonly string[]> {
  const sorted = byName(files);
  return new Map(
    sorted.map((file, at) => {
      const named = namedIn(file).map(({ name }) => name);
      // What a person wrote and names none follows the one before it.
      return [file, named.length > 0 ? named : sorted.slice(Math.max(at - 1, 0), at).map(nameOf)];
    }),
  );
}

const nameOf = ({ name }: MigrationFile): string => name;

/** The ends of the chain, by name: more than one where branches were merged. */
export function chainEnds(files: readonly MigrationFile[]): MigrationFile[] {
  const parents = parentsOf(files);
  const followed = new Set([...parents.values()].flat());
  return [...parents.keys()].filter(({ name }) => !followed.has(name));
}

/** A migration in its place. */
export interface ChainEntry {
  readonly file: MigrationFile;
  /** Whether it follows another, directly or by way of others. */
  readonly isAfter: (other: ChainEntry) => boolean;
}

/**
 * The migrations in the order in which the emitted service applies them: each after those that it
 * follows, and otherwise by name. Those of a ring, which the service refuses, come last.
 */
export function inChainOrder(files: readonly MigrationFile[]): ChainEntry[] {
  const parents = parentsOf(files);
  const missing = (name: string): boolean => !files.some((file) => file.name === name);
  const missingNames = new Set([...parents.values()].flat().filter(missing));
  const ordered: ChainEntry[] = [];
  const places = new Map<string, bigint>();
  // One bit for each migration: those that it follows.
  const before = new Map<ChainEntry, bigint>();
  const pending = [...parents];
  while (pending.length > 0) {
    const isReady = ([, names]: (typeof pending)[number]): boolean =>
      names.every((name) => places.has(name) || missingNames.has(name));
    const [[file, names]] = pending.splice(Math.max(pending.findIndex(isReady), 0), 1) as [
      (typeof pending)[number],
    ];
    const place = 1n << BigInt(ordered.length);
    const entry: ChainEntry = {
      file,
      isAfter: (other) => ((before.get(entry) ?? 0n) & (places.get(other.file.name) ?? 0n)) !== 0n,
    };
    const all = names.flatMap((name) => ordered.find((one) => one.file.name === name) ?? []);
    before.set(
      entry,
      all.reduce(
        (bits, one) => bits | (before.get(one) ?? 0n) | (places.get(one.file.name) ?? 0n),
        0n,
      ),
    );
    places.set(file.name, place);
    ordered.push(entry);
  }
  return ordered;
}

/** What is wrong with a chain. Two ends are no fault of anybody: the next migration joins them. */
interface ChainProblem {
  readonly kind: 'missing' | 'altered';
  /** The migration that is not as it was. */
  readonly name: string;
  /** One that follows it. */
  readonly by: string;
}

/** Migrations that others follow and that are gone, or not as they were then. */
export function chainProblems(files: readonly MigrationFile[]): ChainProblem[] {
  const hashes = new Map(files.map((file) => [file.name, migrationHash(file)]));
  return byName(files).flatMap((file) =>
    namedIn(file).flatMap(({ name, hash }): ChainProblem[] => {
      const now = hashes.get(name);
      if (now === hash) return [];
      return [{ kind: now === undefined ? 'missing' : 'altered', name, by: file.name }];
    }),
  );
}

/** A migration as the files that it is written in. */
interface UnlinkedMigration {
  readonly name: string;
  readonly parts: readonly { readonly suffix: string; readonly sql: string }[];
}

const JOIN: UnlinkedMigration = {
  name: 'join',
  parts: [
    {
      suffix: '',
      sql: '-- Joins the migrations of branches that were merged.\n',
    },
  ],
};

/**
 * The files that come next: the first follows all ends, and each other the one before it. Without a
 * migration one joins the ends of merged branches; none where there is nothing to join.
 * @param record the end of the first text: what the migration changes in the definitions.
 * @param author the end of the others: who wrote them.
 */
export function nextMigrations(
  files: readonly MigrationFile[],
  migration: UnlinkedMigration | undefined,
  record = '',
  author = '',
): MigrationFile[] {
  const ends = chainEnds(files);
  if (migration === undefined && ends.length < 2) return [];
  const { name, parts } = migration ?? JOIN;
  const number = Math.max(0, ...files.map((file) => Number(/^\d+/.exec(file.name)?.[0] ?? 0))) + 1;
  const next: MigrationFile[] = [];
  for (const [at, { suffix, sql }] of parts.entries()) {
    const before = at === 0 ? ends : next.slice(-1);
    const links = before.map((end) => `-- after: ${end.name} ${migrationHash(end)}\n`).join('');
    next.push({
      name: `${String(number + at).padStart(4, '0')}_${name}${suffix}`,
      text: `${links}${links === '' ? '' : '\n'}${sql}${at === 0 ? record : author}`,
    });
  }
  return next;
}
