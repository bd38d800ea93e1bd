/** What the repository of a collection passes to the platform: what its ids, its table and its rules are. */
import type { CollectionDefinition } from '../../definition/types.ts';
import { keyConstraintOf } from '../../model/constraint-names.ts';
import { writesEvents } from '../../model/events.ts';
import { hasSoftDelete } from '../../model/existing.ts';
import { isBackground } from '../../model/jobs.ts';
import { comparedPart, keyPartsOf } from '../../model/key-parts.ts';
import {
  hasClientKey,
  hasCompositeKey,
  hasFieldKey,
  hasNumericKey,
  hasTextKey,
  isNumbered,
} from '../../model/keys.ts';
import { writtenRelations } from '../../model/set-by-code.ts';
import { hasTransitions } from '../../model/transitions.ts';
import type { Collection } from '../../model/types.ts';
import { stringLiteral } from '../../shared/literals.ts';
import { quoted } from '../../shared/sql.ts';
import { rowsTable } from './existing.ts';

/** What templates/collection/repository.ts.hbs says beside columns. */
export interface RepositoryView {
  /** What it imports of the platform for this, by module. */
  readonly platformImports: readonly PlatformImport[];
  /** Code of what ids are, unless they are UUIDs of the service. */
  readonly rowId: string | undefined;
  /** What errors of the database mean beside the usual ones. */
  readonly violations: readonly string[];
  /** The options of an existing table, as code; empty without any. */
  readonly existingOptions: string;
  /** Code of the rules that changes keep, but for events; and whether there are rules at all. */
  readonly changeRules: readonly string[];
  readonly hasRules: boolean;
}

/** Values of a module of the platform. */
interface PlatformImport {
  readonly file: string;
  readonly names: readonly string[];
}

/** Code, and what it uses: the module of each name. */
interface Part {
  readonly code: string;
  readonly uses: Readonly<Record<string, string>>;
}

const NUMERIC_ROW_ID = 'database/numeric-row-id.ts';
const EXISTING_TABLE = 'database/existing-table.ts';
const SOFT_DELETION = 'database/soft-deletion.ts';

export function repositoryView(
  collection: Collection,
  defaultedColumns: readonly string[],
): RepositoryView {
  const rowId = rowIdCode(collection);
  const violations = violationsOf(collection);
  const rules = rulesOf(collection);
  const uses = [
    ...[rowId, ...violations, ...rules].map((part) => part?.uses ?? {}),
    ...(collection.table.existing === undefined ? [] : [{ existingTable: EXISTING_TABLE }]),
    ...(writesEvents(collection) ? [{ writesEvents: 'events/writes-events.ts' }] : []),
    ...(isBackground(collection) ? [{ makeDryRun: 'jobs/dry-run.ts' }] : []),
  ];
  return {
    platformImports: importsOf(Object.assign({}, ...uses) as Part['uses']),
    rowId: rowId?.code,
    violations: violations.map(({ code }) => code),
    existingOptions: existingOptions(collection.definition, defaultedColumns),
    changeRules: rules.map(({ code }) => code),
    hasRules: rules.length > 0 || writesEvents(collection),
  };
}

function importsOf(uses: Part['uses']): PlatformImport[] {
  const namesByFile = new Map<string, string[]>();
  for (const [name, file] of Object.entries(uses)) {
    namesByFile.set(file, [...(namesByFile.get(file) ?? []), name].toSorted());
  }
  return [...namesByFile].map(([file, names]) => ({ file, names })).toSorted(byFile);
}

const byFile = (one: PlatformImport, other: PlatformImport): number =>
  one.file < other.file ? -1 : 1;

function rowIdCode(collection: Collection): Part | undefined {
  if (collection.definition.keySource === 'service') return undefined;
  if (hasCompositeKey(collection)) return compositeRowId(collection);
  const { code, uses } = singleRowId(collection);
  return { code: hasFieldKey(collection) ? `{ ...${code}, isReused: true }` : code, uses };
}

function singleRowId(collection: Collection): Part {
  if (hasTextKey(collection)) {
    return { code: 'TEXT_ROW_ID', uses: { TEXT_ROW_ID: 'database/text-row-id.ts' } };
  }
  if (!hasNumericKey(collection)) {
    return { code: 'UUID_ID', uses: { UUID_ID: 'database/row-id.ts' } };
  }
  const type = stringLiteral(collection.definition.key);
  const sequence = isNumbered(collection) ? `, ${sequenceCode(collection)}` : '';
  return { code: `numericRowId(${type}${sequence})`, uses: { numericRowId: NUMERIC_ROW_ID } };
}

function sequenceCode(collection: Collection): string {
  const { definition, table } = collection;
  const key = `key: ${stringLiteral(keyConstraintOf(table))}`;
  if (definition.existing === undefined) return `{ ${key} }`;
  const column = stringLiteral(definition.existing.keyColumns[0] ?? 'id');
  return `{ ${key}, table: ${stringLiteral(rowsTable(collection))}, column: ${column} }`;
}

function compositeRowId(collection: Collection): Part {
  const table = quoted(collection.table.name);
  const parts = keyPartsOf(collection).map((part) => {
    const expression = comparedPart(part, `${table}.${quoted(part.column.name)}`);
    return `{ expression: ${stringLiteral(expression)}, type: ${stringLiteral(part.type)} },\n`;
  });
  const uses = { compositeRowId: 'database/composite-row-id.ts' };
  return { code: `compositeRowId([\n${parts.join('')}])`, uses };
}

const violationsOf = (collection: Collection): Part[] => [
  ...(isNumbered(collection)
    ? [{ code: 'cannotAssignId', uses: { cannotAssignId: NUMERIC_ROW_ID } }]
    : []),
  ...(hasClientKey(collection)
    ? [{ code: 'removedIdTaken', uses: { removedIdTaken: EXISTING_TABLE } }]
    : []),
  ...(collection.table.checks.length > 0
    ? [{ code: 'brokenCheck', uses: { brokenCheck: 'database/violated-check.ts' } }]
    : []),
];

/** The rules that all changes of a collection keep, in the order in which they are asked. */
function rulesOf(collection: Collection): Part[] {
  const { definition } = collection;
  const { fields, checks } = definition;
  const softDeleted = writtenRelations(collection).filter(({ target }) => hasSoftDelete(target));
  const tables = softDeleted.map(
    ({ field, target }) => `${field.name}: ${stringLiteral(quoted(target.table))}`,
  );
  return [
    ...(hasTransitions(fields)
      ? [{ code: 'keepsTransitions', uses: { keepsTransitions: 'http/transitions.ts' } }]
      : []),
    ...(checks.some(({ afterHooks }) => afterHooks)
      ? [{ code: 'checksAfterHooks', uses: { checksAfterHooks: 'database/checks-after-hooks.ts' } }]
      : []),
    ...(tables.length > 0
      ? [
          {
            code: `refusesRemoved({ ${tables.join(', ')} })`,
            uses: { refusesRemoved: SOFT_DELETION },
          },
        ]
      : []),
    ...(hasSoftDelete(definition)
      ? [{ code: 'keepsReferred', uses: { keepsReferred: SOFT_DELETION } }]
      : []),
  ];
}

function existingOptions(
  { times }: CollectionDefinition,
  defaultedColumns: readonly string[],
): string {
  const columns = defaultedColumns.map((name) => stringLiteral(name)).join(', ');
  const options = [
    ...(times.includes('updated_at') ? ['setsUpdatedAt: true'] : []),
    ...(columns === '' ? [] : [`databaseDefaults: [${columns}]`]),
  ];
  return options.length === 0 ? '' : `{ ${options.join(', ')} }`;
}
