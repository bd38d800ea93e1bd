/**
 * Recognizes columns of existing tables that were renamed since the last import: their members keep their names. A column
 * keeps its number in the catalog (`attnum`) when it is renamed, and a new one gets another. After a dump and restore, columns
 * behind a dropped one have other numbers: a table of which any column has another number is left alone.
 */
import { nameWithSchema } from '../definition/existing-table.ts';
import { quote } from '../reading/quote.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';
import { isJsonObject, ownMember } from '../shared/json.ts';
import { editYaml } from './edit-yaml.ts';
import type { ImportedDefinition, ImportLock, ReimportPlan } from './types.ts';
import { diskDefinitions, writtenTableOf } from './match-definitions.ts';
import type { DiskDefinition } from './match-definitions.ts';
import type { DefinitionChange } from './merge-definition.ts';
import { fieldsByColumn, writtenColumn, writtenFields } from './written-fields.ts';

/** A column as the catalog of a database has it. */
interface CatalogColumn {
  readonly name: string;
  /** `attnum`. */
  readonly number: number;
  /** The type as `create table` writes it. */
  readonly definition: string;
}

interface CatalogTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly CatalogColumn[];
}

/** A column that the last import read by another name. */
export interface RenamedColumn {
  /** With the schema if it is not `public`. */
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/** The number and the type of a column, as a lock has them. */
export const columnIdentity = ({
  number,
  definition,
}: Pick<CatalogColumn, 'number' | 'definition'>): string => `${number} ${definition}`;

/** The columns that were renamed since the last import. */
export const renamedColumns = (
  lock: ImportLock | undefined,
  tables: readonly CatalogTable[],
): readonly RenamedColumn[] =>
  tables.flatMap((table) => {
    const name = nameWithSchema({ schema: table.schema, table: table.name });
    const last = lock?.imported.find((one) => one.table === name && isAdopted(one));
    return last === undefined ? [] : renamedIn(name, last.columns, table.columns);
  });

const isAdopted = ({ definition }: ImportedDefinition): boolean =>
  ownMember(definition, 'table') !== undefined;

function renamedIn(
  table: string,
  last: ReadonlyMap<string, string>,
  columns: readonly CatalogColumn[],
): readonly RenamedColumn[] {
  const now = new Map(columns.map((column) => [column.name, columnIdentity(column)]));
  const numberIn = (identity: string | undefined): string | undefined => identity?.split(' ', 1)[0];
  const kept = [...last].filter(([name]) => now.has(name));
  // Without a column that has kept its name, it may be another table of the same name.
  const isComparable =
    kept.length > 0 && kept.every(([name, one]) => numberIn(one) === numberIn(now.get(name)));
  if (!isComparable) return [];
  const added = [...now].filter(([name]) => !last.has(name));
  return [...last]
    .filter(([name]) => !now.has(name))
    .flatMap(([from, identity]) => {
      const to = added.find(([, one]) => one === identity)?.[0];
      return to === undefined ? [] : [{ table, from, to }];
    });
}

/** The last import and the definitions on disk, as if the columns had always had their new names. */
export interface WithRenamedColumns {
  readonly lock: ImportLock | undefined;
  readonly files: ReadonlyMap<string, string>;
  /** The places in definitions that name such a column. */
  readonly places: readonly RenamedPlace[];
}

/** A field, or `soft_delete`, that names its column now. */
interface RenamedPlace extends RenamedColumn {
  /** The file of the definition, and its text before. */
  readonly path: string;
  readonly before: string;
  readonly change: DefinitionChange;
  /** What becomes of the place, for a person. */
  readonly text: string;
}

export function withRenamedColumns(
  lock: ImportLock | undefined,
  files: ReadonlyMap<string, string>,
  renamed: readonly RenamedColumn[],
): WithRenamedColumns {
  if (lock === undefined || renamed.length === 0) return { lock, files, places: [] };
  const nameNow = (table: string, column: string): string =>
    renamed.find((one) => one.table === table && one.from === column)?.to ?? column;
  const texts = new Map(files);
  const places = diskDefinitions(files).flatMap((disk) => placesIn(disk, renamed));
  for (const disk of diskDefinitions(files)) {
    const own = places.filter(({ path }) => path === disk.path);
    if (own.length === 0) continue;
    const value = withNewColumns(
      disk.value,
      (column) => own.find(({ from }) => from === column)?.to ?? column,
    );
    texts.set(disk.path, editYaml(disk.text, value, disk.path.endsWith('.json')));
  }
  return {
    lock: {
      ...lock,
      imported: lock.imported.map((one) => ({
        ...one,
        columns: new Map([...one.columns].map(([name, id]) => [nameNow(one.table, name), id])),
        definition: withNewColumns(one.definition, (column) => nameNow(one.table, column)),
        renamedColumns: new Set(
          renamed.filter(({ table }) => table === one.table).map(({ to }) => to),
        ),
      })),
      leftOutColumns: lock.leftOutColumns.map(
        (column) =>
          renamed
            .filter(({ table, from }) => `${table}.${from}` === column)
            .map(({ table, to }) => `${table}.${to}`)[0] ?? column,
      ),
    },
    files: texts,
    places,
  };
}

/** Where a definition names renamed columns; not one whose new name it has already. */
function placesIn(
  disk: DiskDefinition,
  renamed: readonly RenamedColumn[],
): readonly RenamedPlace[] {
  const { path, text: before, value } = disk;
  const used = fieldsByColumn(value);
  return renamed
    .filter(({ table, to }) => table === writtenTableOf(disk) && !used.has(to))
    .flatMap((one) => {
      const { from, to } = one;
      const fields = writtenFields(value)
        .filter(([member, field]) => writtenColumn(member, field) === from)
        .map(([member, field]) => ({
          ...{ ...one, path, before },
          change: {
            at: ['fields', member, 'column'],
            before: ownMember(field, 'column'),
            after: member === to ? undefined : to,
          },
          text: `the member ${member} keeps its name${member === to ? '' : ` with column: ${to}`}`,
        }));
      const mark = softDeleteColumn(value);
      if (mark !== from) return fields;
      const change = { at: ['soft_delete', 'column'], before: mark, after: to };
      return [...fields, { ...one, path, before, change, text: 'soft_delete names it' }];
    });
}

function softDeleteColumn(definition: JsonObject): JsonValue | undefined {
  const softDelete = ownMember(definition, 'soft_delete');
  return isJsonObject(softDelete) ? ownMember(softDelete, 'column') : undefined;
}

/** A definition whose fields and soft_delete name other columns. */
function withNewColumns(definition: JsonObject, nameNow: (column: string) => string): JsonObject {
  const { soft_delete: softDelete } = definition;
  const mark = softDeleteColumn(definition);
  return {
    ...definition,
    ...(isJsonObject(softDelete) &&
      typeof mark === 'string' && { soft_delete: { ...softDelete, column: nameNow(mark) } }),
    fields: Object.fromEntries(
      writtenFields(definition).map(([member, field]) => {
        const column = writtenColumn(member, field);
        const to = nameNow(column);
        if (to === column) return [member, field];
        const { column: _, ...rest } = field;
        return [member, to === member ? rest : { ...field, column: to }];
      }),
    ),
  };
}

/** The plan of a run with the new names of columns among its changes, and what they mean. */
export function withRenamedPlaces(
  plan: ReimportPlan,
  { places, files }: WithRenamedColumns,
): ReimportPlan {
  const paths = [...new Set(places.map(({ path }) => path))];
  const renamedFiles = paths.map((path) => {
    const own = places.filter((one) => one.path === path);
    const merged = plan.files.find((file) => file.path === path);
    const changes = own.map(({ change }) => change);
    return {
      path,
      before: own[0]?.before,
      after: merged === undefined ? files.get(path) : merged.after,
      changes: [...changes, ...(merged?.changes ?? [])],
      renamed: merged?.renamed ?? new Map<string, string>(),
    };
  });
  const others = plan.files.filter(({ path }) => !paths.includes(path));
  const notes = places.map(({ path, table, from, to, text }) => ({
    path,
    message: `the column ${quote(from)} of ${table} seems renamed to ${quote(to)}; ${text}`,
  }));
  return { ...plan, files: [...renamedFiles, ...others], notes: [...notes, ...plan.notes] };
}
