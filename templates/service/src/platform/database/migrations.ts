/** Reads the files of `migrations/`: a chain, in which each file names its predecessor and its hash. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

export interface Migration {
  /** The file name without its extension. */
  readonly name: string;
  /** With LF line ends, also after a checkout with CRLF. */
  readonly text: string;
  /** SHA-256 of the text. It covers the predecessors too, because the text contains their hashes. */
  readonly hash: string;
  /** The predecessors: one, or the ends of the branches that it joins. */
  readonly after: readonly Link[];
  /** How it is applied: as one transaction, a statement at a time, or by ranges of the rows of a table. */
  readonly kind: 'transaction' | 'statements' | 'batch';
  /** Whether processes of an older version, which do not have the file, go on after it. */
  readonly isExpand: boolean;
  /** Whether it removes what processes of an older version still need. */
  readonly isContract: boolean;
  /** Whether views of existing tables change with it (`views.ts`). */
  readonly changesViews: boolean;
  /** The tables whose rows it reads or writes whole, quoted. The first one is that of a batch. */
  readonly tables: readonly string[];
}

interface Link {
  readonly name: string;
  /** Absent if the file names no predecessor: then it follows the file before it. */
  readonly hash?: string;
}

/** Reads all migrations, sorted by name. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted();
  return Promise.all(
    files.map(async (file, at) => {
      const text = (await readFile(new URL(file, folder), 'utf8'))
        .replace(/^\uFEFF/, '')
        .replaceAll('\r\n', '\n');
      const before = files[at - 1];
      const named = [...text.matchAll(/^-- after: (\S+) ([0-9a-f]{64})$/gm)].map(
        ([, name = '', hash = '']): Link => ({ name, hash }),
      );
      const { kind, isExpand, isContract, changesViews, tables } = readLines(text);
      return {
        name: nameOf(file),
        text,
        hash: createHash('sha256').update(text).digest('hex'),
        after: named.length > 0 || before === undefined ? named : [{ name: nameOf(before) }],
        kind,
        isExpand,
        isContract,
        changesViews,
        tables,
      };
    }),
  );
}

/** Reads the lines that say how a migration is applied; README.md describes them. */
function readLines(
  text: string,
): Pick<Migration, 'kind' | 'isExpand' | 'isContract' | 'changesViews' | 'tables'> {
  const isBatch = /^-- batch: /m.test(text);
  const lines = [/^-- batch: (.+)$/m, /^-- tables: (.+)$/m].map((line) => line.exec(text)?.[1]);
  return {
    kind: isBatch ? 'batch' : /^-- no transaction$/m.test(text) ? 'statements' : 'transaction',
    isExpand: /^-- expand$/m.test(text),
    isContract: /^-- contract$/m.test(text),
    changesViews: /^-- views$/m.test(text),
    tables: lines.flatMap((line) => line?.match(/"(?:[^"]|"")+"/g) ?? []),
  };
}

const nameOf = (file: string): string => file.replace(/\.sql$/, '');

/**
 * Sorts migrations into the order in which they are applied: each after its predecessors, and otherwise
 * by name.
 * @throws if one is missing, was changed after another followed it, or the chain has two ends.
 */
export function inOrder(migrations: readonly Migration[]): Migration[] {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, after, kind, changesViews } of migrations) {
    if (changesViews && kind !== 'transaction') {
      throw new Error(
        `The migration ${name} has the line "-- views", and is not one transaction: move the line into another migration.`,
      );
    }
    for (const link of after) {
      const before = byName.get(link.name);
      if (before === undefined) {
        throw new Error(
          `The migration ${name} follows ${link.name}, which is missing: put it back.`,
        );
      }
      if (link.hash !== undefined && link.hash !== before.hash) {
        throw new Error(
          `The migration ${link.name} was changed after ${name} was made to follow it. ` +
            'Restore the file, and put further changes into a new migration.',
        );
      }
    }
  }
  const followed = new Set(migrations.flatMap(({ after }) => after.map(({ name }) => name)));
  const ends = migrations.filter(({ name }) => !followed.has(name)).map(({ name }) => name);
  if (ends.length > 1) {
    throw new Error(
      `The migrations ${ends.join(' and ')} each are the last of a branch. Run ` +
        '`npx create-service generate`: it adds one that joins them.',
    );
  }
  const ordered: Migration[] = [];
  const open = [...migrations];
  while (open.length > 0) {
    const done = new Set(ordered.map(({ name }) => name));
    const next = open.findIndex(({ after }) => after.every(({ name }) => done.has(name)));
    if (next < 0) throw new Error(`The migrations form a cycle: ${open[0]?.name}.`);
    ordered.push(...open.splice(next, 1));
  }
  return ordered;
}
