/** A database in memory, and definitions that were imported from it. */

import { changeLines, conflictText } from '../../../src/commands/import/reimport-text.ts';
import { readSchema } from '../../../src/database/read-schema.ts';
import { nameWithSchema } from '../../../src/definition/existing-table.ts';
import { planImport } from '../../../src/import/plan-import.ts';
import type { ImportPlan } from '../../../src/import/plan-import.ts';
import {
  idColumns,
  importedDefinitions,
  leftOutIn,
  lockText,
  parseLock,
  softDeleteColumns,
} from '../../../src/reimport/import-lock.ts';
import type { ImportLock, ImportOptions, ReimportPlan } from '../../../src/reimport/types.ts';
import { knownNames } from '../../../src/reimport/known-names.ts';
import {
  renamedColumns,
  withRenamedColumns,
  withRenamedPlaces,
} from '../../../src/reimport/renamed-columns.ts';
import type { WithRenamedColumns } from '../../../src/reimport/renamed-columns.ts';
import { planReimport } from '../../../src/reimport/plan-reimport.ts';
import { emptyDatabase } from '../../support/pglite.ts';

export const FILMS = 'definitions/collections/films.yaml';

/** What a run does, in the words of the command line. */
export const told = ({ files, conflicts, notes, issues }: ReimportPlan): readonly string[] => [
  ...files.flatMap((file) =>
    file.after === undefined
      ? [`${file.path} is removed`]
      : file.before === undefined
        ? [`${file.path} is new`]
        : changeLines(file),
  ),
  ...conflicts.map((one) => `${one.path}:${one.line} ${conflictText(one)}`),
  ...notes.map(({ path = '', message }) => `${path} ${message}`),
  ...issues.map(({ message }) => message),
];

interface Read {
  readonly plan: ImportPlan;
  /** The last import and the definitions, with the new names of renamed columns. */
  readonly known: WithRenamedColumns;
  readonly tables: ReadonlySet<string>;
}

/** An import, and what a team and a database do after it. */
export interface Imported {
  /** The definitions on disk, by their paths. */
  readonly files: Map<string, string>;
  lock: string | undefined;
  /** Replaces a part of a definition. */
  readonly edit: (path: string, from: string | RegExp, to: string) => void;
  /** Changes the database, and imports again; what it does is written unless it is refused. */
  readonly again: (sql: string, options?: AgainOptions) => Promise<ReimportPlan>;
}

interface AgainOptions {
  readonly keepEdits?: true;
  /** The tables to leave out. */
  readonly skip?: readonly string[];
  readonly schemas?: readonly string[];
}

interface ReadOptions {
  readonly adopt: boolean;
  readonly skip: readonly string[];
  readonly schemas: readonly string[];
  readonly lock?: ImportLock | undefined;
  readonly files: ReadonlyMap<string, string>;
}

/** Gives a function that imports the tables which some SQL makes. */
export function useDatabase(): (
  sql: string,
  adopt?: boolean,
  schemas?: readonly string[],
) => Promise<Imported> {
  const opened = emptyDatabase();

  const read = async (
    sql: string,
    { adopt, skip, schemas, lock, files }: ReadOptions,
  ): Promise<Read> => {
    const database = await opened;
    await database.exec(sql);
    const query = async <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> =>
      (await database.query<Row>(text, [...(values ?? [])])).rows;
    const schema = await readSchema({ query }, schemas);
    const tables = schema.tables.filter(({ name }) => !skip.includes(name));
    const names = new Set(
      schema.tables.map((one) => nameWithSchema({ schema: one.schema, table: one.name })),
    );
    const known = withRenamedColumns(lock, files, renamedColumns(lock, tables));
    const plan = await planImport(
      { ...schema, tables, schemas: [] },
      {
        service: 'shop',
        adopt: adopt
          ? {
              timestamps: undefined,
              softDeleteColumns: softDeleteColumns(known.lock, known.files),
              previousIdColumns: idColumns(known.lock),
            }
          : undefined,
        names: knownNames(known.lock, known.files, { options: { schemas }, tables: names }),
        checkpoint: async () => Promise.resolve(),
      },
    );
    return { plan, tables: names, known };
  };

  return async (sql, adopt = true, schemas = ['public']) => {
    const options: ImportOptions = { schemas, skip: ['skipped'], adopt };
    const { plan } = await read(
      `drop schema if exists "sales" cascade; drop schema if exists "public" cascade; create schema "public"; ${sql}`,
      { ...options, files: new Map() },
    );
    const decoder = new TextDecoder();
    const imported: Imported = {
      files: new Map(plan.files.map(({ path, bytes }) => [path, decoder.decode(bytes)])),
      lock: lockText({
        options,
        imported: importedDefinitions(plan),
        ...leftOutIn(plan),
      }),
      edit(path, from, to) {
        const text = imported.files.get(path) ?? '';
        const edited = text.replace(from, () => to);
        if (edited === text) throw new Error(`nothing to edit in ${path}:\n${text}`);
        imported.files.set(path, edited);
      },
      async again(change, { keepEdits, ...given } = {}) {
        const lock = imported.lock === undefined ? undefined : parseLock(imported.lock);
        const now = await read(change, {
          ...{ ...options, ...given, lock },
          files: imported.files,
        });
        const { known, ...found } = now;
        const merged = await planReimport({
          ...{ ...known, options: { ...options, ...given }, ...found },
          fallbackName: 'shop',
        });
        const reimport = withRenamedPlaces(merged, known);
        const isRefused = reimport.conflicts.length > 0 && keepEdits !== true;
        if (isRefused || reimport.issues.length > 0) return reimport;
        imported.lock = reimport.lock;
        for (const { path, after } of reimport.files) {
          if (after === undefined) imported.files.delete(path);
          else imported.files.set(path, after);
        }
        return reimport;
      },
    };
    return imported;
  };
}
