/** What the templates of one collection say. */
import type { CollectionDefinition, Field } from '../../definition/types.ts';
import { ruleText } from '../../expressions/rule-text.ts';
import { memberCode } from '../../types/member-code.ts';
import { keySpec } from '../../types/key.ts';
import { specOf } from '../../types/registry.ts';
import { membersWithOtherValues } from '../../model/other-values.ts';
import { arrayJsonSql } from '../../model/array-column.ts';
import { isWritten, listedMember, withoutId } from '../../model/columns.ts';
import { isAssigned, isSetByHook } from '../../definition/set-by-hook.ts';
import { isOrderedByItself, orderOf } from '../../model/columns.ts';
import type { Column } from '../../model/columns.ts';
import { isBackground } from '../../model/jobs.ts';
import { hasFieldKey, hasNumericKey, isNumbered } from '../../model/keys.ts';
import { itemSize } from '../../model/item-size.ts';
import { listColumns } from '../../model/list-columns.ts';
import type { ListColumn, ListOrder } from '../../model/list-columns.ts';
import type { Names } from '../../model/names.ts';
import { quoted } from '../../shared/sql.ts';
import type { Collection, Model } from '../../model/types.ts';
import { pathIn } from '../../model/versions.ts';
import { commonNames, typeImports } from './type-imports.ts';
import type { TypeImport } from './type-imports.ts';
import { stringLiteral, templateText } from '../../shared/literals.ts';
import { accessView } from './access.ts';
import { existingShapeOptions, tableView } from './existing.ts';
import type { TableView } from './existing.ts';
import type { AccessView } from './access.ts';
import { repositoryView } from './repository.ts';
import type { RepositoryView } from './repository.ts';
import { documentationView, exampleOf } from './documentation.ts';
import type { DocumentationView } from './documentation.ts';
import { checkViews, rulesInWords } from './checks.ts';
import type { CheckView } from './checks.ts';
import { shapesView } from './shapes.ts';
import type { ShapesView } from './shapes.ts';
import { describedField, initialCode, limitsInitial, transitionViews } from './transitions.ts';
import type { TransitionsView } from './transitions.ts';

/** A member of an object literal. */
interface MemberView {
  readonly name: string;
  readonly code: string;
}

/** What the module of an older version has otherwise than `schema.ts`. */
interface VersionCode {
  /** The prefix of the names of its shapes. */
  readonly type: string;
  /** What is done to the shape of a field's values. */
  readonly wrap: (field: Field) => (shape: string) => string;
  /** Names that its other code uses. */
  readonly uses: readonly string[];
}

/** A member, and the SQL that it is selected by. */
interface SelectedView {
  readonly name: string;
  readonly sql: string;
}

/** The data of templates/collection. */
export interface CollectionView
  extends AccessView, DocumentationView, TableView, RepositoryView, ShapesView {
  readonly name: string;
  readonly names: Names;
  /** Whether items are made in the background, and the paths of the collection by version. */
  readonly background: boolean;
  readonly workPaths: readonly { readonly version: number; readonly path: string }[];
  /** The seconds that an attempt of a job may take. */
  readonly jobTimeout: number;
  /** Whether a sequence assigns ids. */
  readonly numbered: boolean;
  /** A doc comment for the module, from the description. */
  readonly description: string;
  readonly shapeImports: readonly string[];
  readonly filterImports: readonly string[];
  /** What the schemas import from the modules of single types. */
  readonly typeImports: readonly TypeImport[];
  /** Members that only the service writes. */
  readonly readOnly: readonly MemberView[];
  /** Members that only the database sets, and those that only a hook can set. */
  readonly assignedMembers: readonly MemberView[];
  readonly setByHook: readonly string[];
  /** Example values of both; none where a required one has no example. */
  readonly setExample: readonly MemberView[];
  /** Whether there are no other values. */
  readonly isSetByHookOnly: boolean;
  readonly writeOnly: readonly string[];
  /** Members that the database sets in a new item that is sent without them. */
  readonly databaseDefaults: readonly string[];
  readonly pages: { readonly default: number; readonly maximum: number };
  readonly sort: readonly string[];
  readonly filters: readonly MemberView[];
  /** The parameters of its lists beside those of every list: the value of each, and its module in the platform. */
  readonly listParameters: readonly { name: string; value: string; module: string }[];
  /** The table, quoted. */
  readonly table: string;
  /** What clients read of a row, and what is read of it beside that for a change. */
  readonly selected: readonly SelectedView[];
  readonly storedOnly: readonly SelectedView[];
  /** The columns that are written, with code for their values. */
  readonly written: readonly { name: string; value: string }[];
  /** Bytes that an item has as JSON at most, without the values of members that have no bound. */
  readonly largest: number;
  readonly unbounded: readonly string[];
  readonly columns: readonly { name: string; code: string }[];
  readonly unique: readonly { name: string; members: readonly string[] }[];
  /** The rules of the unique indexes that do not hold all items. */
  readonly uniqueWhere: readonly { name: string; rule: string }[];
  readonly checks: readonly CheckView[];
  readonly transitions: readonly TransitionsView[];
  /** Whether a POST may not have all values of a member. */
  readonly hasInitial: boolean;
  /** What the code of checks imports from `checks.ts`. */
  readonly checkFunctions: readonly string[];
}

export function collectionView(
  collection: Collection,
  model: Model,
  older?: VersionCode,
): CollectionView {
  const { definition, names, table } = collection;
  const { fields } = definition;
  const prefix = older?.type ?? names.type;
  const uses = new Set<string>();
  const shapes = (chosen: readonly Field[]): MemberView[] =>
    chosen.map((field) => {
      const { text, uses: used } = memberCode(specOf, describedField(field), (schema) => {
        // Ids that clients choose have the shape of ids.
        if (field.name === 'id') return keySpec(definition.key).shape;
        return { ...schema, text: older?.wrap(field)(schema.text) ?? schema.text };
      });
      for (const name of used) uses.add(name);
      return { name: field.name, code: isDefaulted(field) ? `databaseDefault(${text})` : text };
    });
  const written = fields.filter((field) => !field.readOnly);
  const body = shapes(written).map(({ name, code }, at) => ({
    name,
    code: initialCode(written[at]?.transitions, code),
  }));
  const readOnly = shapes(fields.filter((field) => field.readOnly && !isAssigned(field)));
  const assignedMembers = shapes(fields.filter(isAssigned));

  const access = accessView(collection, model);
  const { checks, uses: checkUses } = checkViews(table);
  const rules = rulesInWords(definition.checks);
  const idShape =
    isNumbered(collection) || hasFieldKey(collection) ? keySpec(definition.key).shape : undefined;
  const filterUses = new Set<string>();
  const filters = definition.filter.map((name) => {
    const { type } = listedMember(definition, name);
    const filter = specOf(type).filter?.(type);
    if (filter === undefined) throw new Error(`no filter for the type of ${name}`);
    for (const use of filter.uses) filterUses.add(use);
    return { name, code: filter.text };
  });
  const visible = fields.filter((field) => !field.writeOnly).map(({ name }) => name);
  const isVisible = ({ field }: Column): boolean => visible.includes(field);
  const quotedTable = quoted(table.name);
  const id = `${quotedTable}."id"`;
  const selectedAs = (name: string): SelectedView => ({
    name,
    sql: `${quotedTable}.${quoted(name)}`,
  });
  const selected = ({ name, field, type, arrayEntryType }: Column): SelectedView => {
    const column = `${quotedTable}.${quoted(name)}`;
    if (arrayEntryType !== undefined) {
      return { name: field, sql: arrayJsonSql(arrayEntryType, column) };
    }
    // `char(n)` of an existing table has blanks at the end, which its form as a text has not.
    const isPadded = table.existing !== undefined && specOf(type).isSearchable === true;
    const stored = isPadded ? `${column}::text` : column;
    return { name: field, sql: specOf(type).select?.(stored, type) ?? stored };
  };
  const writtenColumns = table.columns.filter(isWritten);
  const columns = writtenColumns.map((column) => {
    const { name, field, type, arrayEntryType } = column;
    const value = `values.${field}`;
    // `pg` serializes a JavaScript array as an array literal.
    const code = arrayEntryType === undefined ? specOf(type).parameterCode?.(value) : undefined;
    if (code === undefined) return { name, text: value, uses: [] };
    const guard = isDefaulted(column) ? `${value} === undefined ? undefined : ` : '';
    return { name, text: `${guard}${code.text}`, uses: code.uses };
  });
  const hidden = fields.filter(({ writeOnly }) => writeOnly).map(({ name }) => name);
  const databaseDefaults = fields.filter(isDefaulted).map(({ name }) => name);
  const hasInitial = written.some(({ transitions }) => limitsInitial(transitions));
  const bodyRules = [
    ...(older === undefined && checks.length > 0 ? [`keepsChecks(${names.itemCamel}Checks)`] : []),
    ...(hasInitial ? [`keepsInitial(${prefix}Body)`] : []),
  ];
  const documentation = documentationView(collection);
  const setExample = exampleOf(
    definition,
    fields.filter((field) => isAssigned(field) || isSetByHook(field)),
  );
  return {
    ...access,
    ...documentation,
    ...tableView(collection, model),
    ...repositoryView(
      collection,
      model,
      columns.flatMap(({ uses: used }) => used),
    ),
    ...shapesView(prefix, {
      body,
      rules,
      bodyRules,
      hasReadOnly: readOnly.length > 0,
      hasAssigned: assignedMembers.length > 0,
      databaseDefaults,
      writeOnly: hidden,
      // Other ids are UUIDs of the service.
      idOptions:
        idShape === undefined
          ? []
          : [`id: ${idShape.text}`, `exampleId: '${keySpec(definition.key).example}'`],
      timeOptions: existingShapeOptions(collection),
    }),
    name: definition.name,
    names,
    background: isBackground(collection),
    workPaths: model.service.versions.flatMap((version) => {
      const path = pathIn(model, collection, version);
      return path === undefined ? [] : [{ version, path }];
    }),
    jobTimeout: definition.jobTimeout,
    numbered: isNumbered(collection),
    description: definition.description ?? '',
    shapeImports: commonNames([
      'itemShape',
      'object',
      ...(documentation.example.length > 0 || setExample.length > 0 ? ['setExample'] : []),
      ...(rules === '' ? [] : ['described']),
      ...uses,
    ]),
    filterImports: commonNames([...filterUses]),
    // The code of checks is that of what is stored.
    typeImports: [
      ...typeImports([
        ...uses,
        ...filterUses,
        ...(idShape?.uses ?? []),
        ...(older?.uses ?? checkUses),
      ]),
      ...(membersWithOtherValues(collection).length > 0
        ? [{ module: 'other-values', names: ['withOtherValues'] }]
        : []),
    ],
    readOnly,
    assignedMembers,
    setByHook: fields.filter(isSetByHook).map(({ name }) => name),
    setExample,
    isSetByHookOnly: fields.every((field) => isSetByHook(field) || isAssigned(field)),
    writeOnly: hidden,
    databaseDefaults,
    pages: definition.pages,
    sort: definition.sort,
    filters,
    listParameters: listParameters(definition),
    table: quotedTable,
    selected: [
      { name: 'id', sql: hasNumericKey(collection) ? `${id}::text` : id },
      ...withoutId(table.columns).filter(isVisible).map(selected),
      ...definition.times.map(selectedAs),
    ],
    storedOnly: table.columns.filter((column) => !isVisible(column)).map(selected),
    ...itemSize(
      definition,
      fields.filter(({ writeOnly }) => !writeOnly),
    ),
    columns: columnViews(listColumns(collection)),
    written: [
      ...columns.map(({ name, text }) => ({ name, value: text })),
      ...table.words.map(({ name, fields: searched }) => ({
        name,
        value: `searchWords(${searched.map((field) => `values.${field}`).join(', ')})`,
      })),
    ],
    unique: table.indexes
      .filter(({ unique }) => unique)
      .map(({ name, fields: members }) => ({ name, members })),
    uniqueWhere: table.indexes.flatMap(({ name, where }) =>
      where === undefined ? [] : [{ name, rule: ruleText(where.rule.expression) }],
    ),
    checks,
    transitions: transitionViews(fields),
    hasInitial,
    checkFunctions: commonNames([...checkUses, ...(checks.length > 0 ? ['keepsChecks'] : [])]),
  };
}

const listParameters = ({ search }: CollectionDefinition): CollectionView['listParameters'] =>
  search.length > 0 ? [{ name: 'q', value: 'bySearch', module: 'http/search.ts' }] : [];

const isDefaulted = ({ hasDatabaseDefault }: Field | Column): boolean =>
  hasDatabaseDefault === true;

/** How the members that lists are sorted or filtered by are compared in SQL, as code. */
export const columnViews = (columns: readonly ListColumn[]): { name: string; code: string }[] =>
  columns.map(({ member, sql, cast, position, order, beginning }) => {
    const parts = [
      `name: ${stringLiteral(sql)}`,
      `type: ${stringLiteral(cast)}`,
      ...(position === undefined ? [] : [`positionType: ${stringLiteral(position)}`]),
      ...(order === undefined ? [] : orderCode(order)),
      ...(beginning === undefined ? [] : [`beginning: ${stringLiteral(beginning)}`]),
    ];
    return { name: member, code: `{ ${parts.join(', ')} }` };
  });

/** The member `order` of a column, where its values are not their own order. */
function orderCode({ type, nullable, isNativeEnum = false }: ListOrder): string[] {
  if (isOrderedByItself(type, nullable) && !isNativeEnum) return [];
  const order = orderOf(type, nullable, VALUE, isNativeEnum);
  return [`order: (value: string) => [${order.map(templateLiteral).join(', ')}]`];
}

/** Stands for the parameter of `order` in SQL: no text of a definition has it. */
const VALUE = '\0value\0';

/** A template literal in which the parameter `value` is replaced. */
const templateLiteral = (text: string): string =>
  text === VALUE ? 'value' : `\`${text.split(VALUE).map(templateText).join('${value}')}\``;
