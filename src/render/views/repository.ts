/** What the repository of a collection passes to the platform: what its ids, its table and its rules are. */
import { isSetByHook } from '../../definition/set-by-hook.ts';
import type { OwnerStep } from '../../definition/types.ts';
import { isWritten } from '../../model/columns.ts';
import { keyConstraintOf } from '../../model/constraint-names.ts';
import { writesEvents } from '../../model/events.ts';
import { hasSoftDelete } from '../../model/existing.ts';
import { isEmbedded } from '../../model/includes.ts';
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
import type { Names } from '../../model/names.ts';
import { ownsChanges } from '../../model/permissions.ts';
import { writtenRelations } from '../../model/set-by-code.ts';
import { hasTransitions } from '../../model/transitions.ts';
import type { Collection, Model } from '../../model/types.ts';
import { isVersioned } from '../../model/versions.ts';
import { stringLiteral, stringUnion, valueLiteral } from '../../shared/literals.ts';
import { columnName, quoted, tableName } from '../../shared/sql.ts';
import { rowsTable } from './existing.ts';
import { collectionImports, presentTexts } from './module-imports.ts';
import type { ModuleImport } from './module-imports.ts';
import { optionCode, tellingOptions } from './options.ts';
import { typeImports } from './type-imports.ts';

/** What templates/collection/repository.ts.hbs says beside columns. */
export interface RepositoryView {
  readonly repositoryImports: readonly ModuleImport[];
  /** Code of what ids are, unless they are UUIDs of the service. */
  readonly rowId: string | undefined;
  /** The type of the resource, its doc comment, and its last properties. */
  readonly resourceType: string;
  readonly resourceDoc: string;
  readonly resourceProperties: readonly string[];
  /** The type arguments of the values of written columns. */
  readonly writtenTypes: readonly string[];
  /** The declaration of the table of lists. */
  readonly lists: { readonly doc: string; readonly keyword: string; readonly name: string };
  /** The type arguments and the last options of `crudRepository`. */
  readonly repositoryTypes: readonly string[];
  readonly repositoryOptions: readonly string[];
}

/** Code, and what it uses: the module of each name. */
interface Part {
  readonly code: string;
  readonly uses: Readonly<Record<string, string>>;
}

const NUMERIC_ROW_ID = 'database/numeric-row-id.ts';
const EXISTING_TABLE = 'database/existing-table.ts';
const SOFT_DELETION = 'database/soft-deletion.ts';

/** @param writtenUses what the code of the values of written columns uses. */
export function repositoryView(
  collection: Collection,
  model: Model,
  writtenUses: readonly string[],
): RepositoryView {
  const { definition, names, table } = collection;
  const { fields, owner } = definition;
  const { type, itemCamel } = names;
  const versioned = isVersioned(model, definition.name);
  const setByHook = fields.some(isSetByHook);
  const hasHidden = fields.some(({ writeOnly }) => writeOnly);
  const references = writtenRelations(collection);
  const written = table.columns.filter(isWritten);
  const renamed = written.filter(({ name, field }) => name !== field).map(({ field }) => field);
  const checks = table.checks.length > 0 && `${itemCamel}Checks`;
  const transitions = hasTransitions(fields) && `${itemCamel}Transitions`;
  const newType = setByHook && `New${type}`;
  const values = `${type}Values`;
  const rowId = rowIdCode(collection);
  const violations = violationsOf(collection);
  const rules = rulesOf(collection, versioned);
  const ownerCode = ownerOfChanges(collection);
  const resourceTypes = presentTexts([
    versioned && `VersionedResource<${referenceUnion(collection)}>`,
    owner !== undefined && 'OwnedResource',
  ]);
  const uses = [
    ...[rowId, ...violations, ...rules].map((part) => part?.uses ?? {}),
    ...(table.existing === undefined ? [] : [{ existingTable: EXISTING_TABLE }]),
    ...(isBackground(collection) ? [{ makeDryRun: 'jobs/dry-run.ts' }] : []),
  ];
  return {
    repositoryImports: collectionImports([
      ['database/completing-hooks.ts', [], [setByHook && 'CompletingHooks']],
      ['database/constraints.ts', [], [resourceTypes.length === 0 && 'Resource']],
      ...modulesOf(Object.assign({}, ...uses) as Part['uses']),
      ['database/json.ts', [written.some(({ isJson }) => isJson) && 'toJson']],
      [
        'database/owner-path.ts',
        [owner !== undefined && ownerCode !== undefined && 'ownerOfRow'],
        [owner !== undefined && 'OwnedResource'],
      ],
      ['database/pages.ts', [], ['ListTable']],
      ['database/repository.ts', ['crudRepository'], ['SelectedColumns', 'WrittenColumns']],
      ['http/view.ts', [], [versioned && 'VersionedResource']],
      ['http/search-words.ts', [definition.search.length > 0 && 'searchWords']],
      ...typeImports(writtenUses).map(
        ({ module, names: used }) => [`http/${module}.ts`, used] as const,
      ),
      ['./hooks.ts', [`${itemCamel}Hooks`]],
      [
        './schema.ts',
        [checks, `${type}Computed`, transitions],
        [newType, hasHidden && `Stored${type}`, type, values],
      ],
    ]),
    rowId: rowId?.code,
    resourceType: resourceTypes.join(' & ') || 'Resource',
    resourceDoc: versioned
      ? `The names of ${names.anItem} for messages, and its table. A version may have other names.`
      : '',
    resourceProperties: presentTexts([
      checks && `checks: ${checks}`,
      violations.length > 0 && `violations: ${listCode(violations)}`,
      transitions && `transitions: ${transitions}`,
      versioned &&
        `references: ${textsCode(references.map(({ field: { name } }) => [name, name]))}`,
      owner !== undefined && `owner: ${valueLiteral(owner.map(ownerStep))}`,
    ]),
    writtenTypes: presentTexts([values, renamed.length > 0 && stringUnion(renamed)]),
    lists: listsOf(collection, model),
    repositoryTypes: presentTexts([
      type,
      values,
      hasHidden ? 'Unreadable' : newType && 'unknown',
      newType,
    ]),
    repositoryOptions: presentTexts([
      hasHidden && 'unreadable: UNREADABLE',
      'written: WRITTEN',
      table.existing !== undefined && `table: existingTable(${existingOptions(collection)})`,
      table.hasOwner && 'hasOwner: true',
      ownerCode !== undefined && `owner: ${ownerCode}`,
      references.length > 0 &&
        `references: ${textsCode(references.map(({ field, target }) => [field.name, quoted(target.table)]))}`,
      rules.length > 0 && `rules: ${listCode(rules)}`,
      `hooks: ()${newType ? `: CompletingHooks<${type}, ${values}, ${newType}>` : ''} => ${itemCamel}Hooks`,
    ]),
  };
}

const listCode = (parts: readonly Part[]): string =>
  `[${parts.map(({ code }) => code).join(', ')}]`;

/** An object with these texts. */
const textsCode = (members: readonly (readonly [name: string, text: string])[]): string =>
  valueLiteral(Object.fromEntries(members));

/** A step of the path to an owner. Without `link`, the step before finds the row by its id. */
const ownerStep = ({ collection, field, link }: OwnerStep): object => ({
  table: quoted(tableName(collection)),
  column: quoted(columnName(field)),
  ...(link !== undefined && { link: quoted(columnName(link)) }),
});

/** The modules of some names, in their order. */
function modulesOf(uses: Part['uses']): (readonly [module: string, names: readonly string[]])[] {
  const names = Object.keys(uses).toSorted();
  return [...new Set(Object.values(uses))]
    .toSorted()
    .map((module) => [module, names.filter((name) => uses[name] === module)]);
}

/** How the table of lists is declared: other modules need it if versions or other collections show the items. */
function listsOf(collection: Collection, model: Model): RepositoryView['lists'] {
  const shared = { keyword: 'export const', name: `${collection.names.itemCamel}Table` };
  if (isVersioned(model, collection.definition.name)) {
    return { ...shared, doc: 'The columns of lists. A version can have other columns.' };
  }
  return isEmbedded(collection, model)
    ? { ...shared, doc: 'The columns of lists, and of embedded items.' }
    : { keyword: 'const', name: 'LISTS', doc: '' };
}

/** The names of references as a union of literal types. */
export const referenceUnion = (collection: Collection): string =>
  stringUnion(writtenRelations(collection).map(({ field }) => field.name)) || 'never';

/** Code for the SQL expression of the owner of a row, if changes demand one. */
function ownerOfChanges({ names, definition, table }: Collection): string | undefined {
  if (!ownsChanges(definition.permissions)) return undefined;
  return definition.owner === undefined
    ? stringLiteral(`${quoted(table.name)}."_owner_id"`)
    : `ownerOfRow(${names.constant}.owner)`;
}

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
function rulesOf(collection: Collection, versioned: boolean): Part[] {
  const { definition, names } = collection;
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
    ...(writesEvents(collection)
      ? [
          {
            code: eventsCode(names, definition.singular, versioned),
            uses: { writesEvents: 'events/writes-events.ts' },
          },
        ]
      : []),
  ];
}

/** The rule that writes the events of an item. */
function eventsCode(
  { type, variable, itemCamel }: Names,
  item: string,
  versioned: boolean,
): string {
  const start = `{\nitem: ${stringLiteral(item)},\n`;
  return versioned
    ? `writesEvents<${type}>(${start}// Not a static import: \`views.ts\` needs what this module exports.
       forms: async (${variable}) => (await import('./views.ts')).${itemCamel}Forms(${variable}) })`
    : `writesEvents(${start}})`;
}

/** The options of an existing table; empty if there are none. */
function existingOptions({ definition, table }: Collection): string {
  const options = tellingOptions({
    setsUpdatedAt: definition.times.includes('updated_at'),
    databaseDefaults: table.columns
      .filter(({ hasDatabaseDefault }) => hasDatabaseDefault)
      .map(({ name }) => name),
  });
  return Object.keys(options).length === 0 ? '' : optionCode(options);
}
