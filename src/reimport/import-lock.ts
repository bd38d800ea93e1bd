/**
 * `definitions/import.lock`: the options of the last import, and the definitions that it wrote. `import --again` merges
 * what has changed in the database since. It is in YAML, with a line for each field, but has another ending: it is no
 * definition, and formatters leave it alone.
 */
import { parse, parseAllDocuments } from 'yaml';

import { yamlLines } from '../compatibility/definition-yaml.ts';
import { nameWithSchema } from '../definition/existing-table.ts';
import { definitionText } from '../import/definition-text.ts';
import type { Difference } from '../import/difference.ts';
import type { ImportPlan, TableImport } from '../import/plan-import.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';
import { isJsonObject, ownMember } from '../shared/json.ts';
import { diskDefinitions, writtenTableOf } from './match-definitions.ts';
import { columnIdentity } from './renamed-columns.ts';
import type { ImportedDefinition, ImportLock } from './types.ts';
import { columnsByName } from './written-fields.ts';

const HEADING = `# The options and the result of the last import. "create-service import --again" merges into the definitions what has
# changed in the database since. Commit this file with the definitions, and do not edit it.
`;

/** The end of the last document of YAML: a lock that was cut does not have it. */
const END = '...\n';
/** What import writes. */
export const importedDefinitions = ({ tables }: ImportPlan): readonly ImportedDefinition[] =>
  tables.flatMap(({ schema, table, collection, definition, columns }) =>
    collection === null || definition === null
      ? []
      : [
          {
            name: collection,
            table: nameWithSchema({ schema, table }),
            definition: parse(definition) as JsonObject,
            columns: new Map(
              columns.map(({ column, number, type }) => [
                column,
                columnIdentity({ number, definition: type }),
              ]),
            ),
          },
        ],
  );

/** What import leaves out, as a lock has it. */
export const leftOutIn = (plan: ImportPlan): Pick<ImportLock, 'leftOut' | 'leftOutColumns'> => ({
  leftOut: leftOutTables(plan),
  leftOutColumns: leftOutColumns(plan),
});

const leftOutTables = ({ tables }: ImportPlan): readonly string[] =>
  tables
    .filter(({ definition }) => definition === null)
    .map(({ schema, table }) => nameWithSchema({ schema, table }))
    .toSorted();

const leftOutColumns = ({ tables }: ImportPlan): readonly string[] =>
  tables
    .filter(({ definition }) => definition !== null)
    .flatMap((table) => leftOutDifferences(table).flatMap((one) => columnNamesIn(table, one)))
    .toSorted();

/** That columns of a table are left out. */
export const leftOutDifferences = ({ differences }: TableImport): readonly Difference[] =>
  differences.filter(({ reason, columns }) => reason !== undefined && columns.length > 0);

/** The columns of a difference, as `table.column`. */
export const columnNamesIn = ({ schema, table }: TableImport, { columns }: Difference): string[] =>
  columns.map((column) => `${nameWithSchema({ schema, table })}.${column}`);

export function lockText({ options, imported, leftOut, ...lock }: ImportLock): string {
  const { schemas, tables, skip, adopt, timestamps } = options;
  const written = yamlLines({
    schema: schemas,
    ...(tables !== undefined && { tables }),
    ...(skip.length > 0 && { skip }),
    adopt,
    ...(timestamps !== undefined && { timestamps }),
    ...(leftOut.length > 0 && { left_out: leftOut }),
    left_out_columns: lock.leftOutColumns,
  });
  const documents = imported
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, table, definition, columns: own }) => {
      const identities = own.size === 0 ? {} : { columns: Object.fromEntries(own) };
      return definitionText({ collection: name, from: table, ...identities, ...definition });
    });
  return `${HEADING}${[written, ...documents].join('---\n')}${END}`;
}

/** What a lock says; undefined if it is damaged. */
export function parseLock(text: string): ImportLock | undefined {
  if (!text.endsWith(`\n${END}`)) return undefined;
  const documents = parseAllDocuments(text);
  if (documents.some(({ errors }) => errors.length > 0)) return undefined;
  const [options, ...imported] = documents.map((document) => document.toJS() as JsonValue);
  if (!isJsonObject(options) || !imported.every(isImported)) return undefined;
  const [schemas, tables, skip] = ['schema', 'tables', 'skip'].map((key) =>
    stringListIn(options, key),
  );
  const { adopt } = options;
  if (schemas === undefined || typeof adopt !== 'boolean') return undefined;
  return {
    options: {
      schemas,
      tables,
      skip: skip ?? [],
      adopt,
      timestamps: options['timestamps'] === 'utc' ? 'utc' : undefined,
    },
    leftOut: stringListIn(options, 'left_out') ?? [],
    leftOutColumns: stringListIn(options, 'left_out_columns') ?? [],
    imported: imported.map(({ collection, from, columns = {}, ...definition }) => ({
      name: String(collection),
      table: String(from),
      definition,
      columns: new Map(
        Object.entries(isJsonObject(columns) ? columns : {}).map(([name, one]) => [
          name,
          String(one),
        ]),
      ),
    })),
  };
}

const isImported = (document: JsonValue): document is JsonObject =>
  isJsonObject(document) &&
  ['collection', 'from'].every((key) => typeof document[key] === 'string');

/**
 * The columns that mark removed rows, by their tables: those of the definitions on disk, or else of the last import.
 * @param files the definitions on disk as texts with LF. They are valid.
 */
export function softDeleteColumns(
  lock: ImportLock | undefined,
  files: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const disk = diskDefinitions(files).map((one) => [writtenTableOf(one), one.value] as const);
  const last = lock?.imported.map(({ table, definition }) => [table, definition] as const) ?? [];
  return new Map(
    [...last, ...disk].flatMap(([table, definition]) => {
      const softDelete = ownMember(definition, 'soft_delete');
      return table !== undefined && isJsonObject(softDelete)
        ? [[table, String(softDelete['column'])] as const]
        : [];
    }),
  );
}

/** The columns of the ids, by their tables. */
export const idColumns = (lock: ImportLock | undefined): ReadonlyMap<string, readonly string[]> =>
  new Map(lock?.imported.map(({ table, definition }) => [table, idColumnsOf(definition)]));

function idColumnsOf(definition: JsonObject): readonly string[] {
  const key = ownMember(definition, 'key');
  if (!isJsonObject(key)) return ['id'];
  const names = stringListIn(key, 'fields');
  if (names === undefined) return [String(ownMember(key, 'column') ?? 'id')];
  const columns = columnsByName(definition);
  return names.map((name) => columns.get(name) ?? name);
}

function stringListIn(options: JsonObject, key: string): readonly string[] | undefined {
  const names = ownMember(options, key);
  return Array.isArray(names) ? names.map(String) : undefined;
}
