/** The names of collections and fields that an import finds: `import --again` gives no table or column another one. */
import type { KnownNames } from '../import/name-tables.ts';
import { nameWithSchema } from '../definition/existing-table.ts';
import { isTableRemoved } from './removed-tables.ts';
import type { ReadTables } from './removed-tables.ts';
import type { ImportLock } from './types.ts';
import { diskDefinitionOf, diskDefinitions, writtenTableOf } from './match-definitions.ts';
import { fieldsByColumn } from './written-fields.ts';

/**
 * The names in the definitions on disk, or else those of the last import. The name of a table that is gone is free.
 * @param files the definitions on disk as texts with LF. They are valid.
 */
export function knownNames(
  lock: ImportLock | undefined,
  files: ReadonlyMap<string, string>,
  read: ReadTables,
): KnownNames {
  const disk = diskDefinitions(files);
  const imported = new Map(
    lock?.imported.map((one) => [
      one.table,
      {
        name: diskDefinitionOf(one, disk)?.name ?? one.name,
        columns: new Set(fieldsByColumn(one.definition).keys()),
      },
    ]),
  );
  const ofTeam = new Map(disk.map((one) => [writtenTableOf(one), one.name]));
  const inUse = [...imported].filter(([table]) => !isTableRemoved(table, read));
  const tableOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
    nameWithSchema({ schema, table: name });
  return {
    ofTable: (table) => imported.get(tableOf(table))?.name ?? ofTeam.get(tableOf(table)),
    hasField: (table, { name }) => imported.get(tableOf(table))?.columns.has(name) === true,
    taken: new Set([
      ...inUse.map(([, { name }]) => name),
      // A collection with `renamed_from` is the one that had the name.
      ...disk.flatMap(({ value: { renamed_from: from } }) =>
        typeof from === 'string' ? [from] : [],
      ),
    ]),
  };
}
