/** The migration of a kept collection: columns, values, constraints, triggers and indexes. */
import type { ExistingTable, Field } from '../definition/types.ts';
import { membersOf } from '../expressions/expression.ts';
import type { Position } from '../reading/position.ts';
import type { Column } from '../model/columns.ts';
import { columnName, literal, quoted } from '../shared/sql.ts';
import type { Collection, ForeignKey, Index, TableCheck, WordsColumn } from '../model/types.ts';
import {
  checkGuard,
  conversionGuard,
  dependencyGuard,
  referenceGuard,
  requiredGuard,
  ruleGuard,
  shownRule,
  sizeGuard,
  uniqueGuard,
} from './collection-guards.ts';
import { checkNameOf, ownerKeyOf, primaryKeyOf } from '../model/constraint-names.ts';
import { membersWithoutValue } from './conversion.ts';
import { valuesOfUnknownOrigin } from '../types/enum.ts';
import { isSameType, specOf } from '../types/registry.ts';
import type { Draft } from './draft.ts';
import { backfillSql } from './backfill.ts';
import { matchIndexes } from './match-indexes.ts';
import { orderRenames } from './order-renames.ts';
import { changeOwner, movesOwners } from './owner-column.ts';
import type { CollectionPair, FieldPair } from './compare-models.ts';
import { hasConstraint, onlyIf } from './sql-conditions.ts';
import {
  addForeignKey,
  checkConstraint,
  hiddenTriggers,
  identity,
  removalTriggers,
  tableCheck,
  withoutTouch,
  wordsColumn,
} from './statements.ts';
import { changesInOneTransaction, onlineChanges } from './table-changes.ts';
import type {
  Constraint,
  LockingActions,
  OnlineChanges,
  RowFill,
  TableChanges,
} from './table-changes.ts';
import { isKeyWidened, refuseOtherKey } from './numeric-keys.ts';
import { canBeStaged, finalName } from './staged-columns.ts';
import { conversionIn, convertedSql, backfillOfNowRequired } from './future-values.ts';

/** Adds the changes of one collection to the draft. */
export function changeCollection(
  pair: CollectionPair,
  targetOf: (collection: string) => Collection | 'users' | undefined,
  draft: Draft,
): void {
  refuseOtherKey(pair.before, pair.now, draft);
  // After the upgrade of an older schema, which has other indexes.
  draft.preparations.push(...pair.copies.map((copy) => dependencyGuard(pair, copy.before)));
  const guards = draft.guards.length;
  const retyped = pair.fields.filter((field) => isRewritten(pair, field));
  const reasons = lockReasons(pair, []);
  const changes =
    reasons.length > 0 ? changesInOneTransaction(pair, draft) : onlineChanges(pair, draft);
  const actions = changes.isOnline ? undefined : changes.actions;
  if (reasons.length > 0) {
    draft.locks.set(pair.now.table.name, reasons.join('; '));
    draft.breaks.push(`${quoted(pair.now.table.name)} is rewritten`);
  }
  renameTable(pair, draft);
  if (changes.isOnline && pair.oldNameIsFree) keepOldName(pair, draft);
  else noteRenamesInPlace(pair, draft);
  renameColumns(pair, draft);
  const kept = pair.fields.map((field) => changeColumn(pair, field, changes, draft));
  if (actions !== undefined) changeTypes(pair, actions, draft);
  const isCopied = (field: Field): boolean =>
    pair.copies.some(({ before, now }) => [before, now].includes(field));
  if (changes.isOnline) {
    for (const copy of pair.copies) copyColumn(pair, copy, changes, draft);
  }
  for (const field of pair.dropped) {
    if (!isCopied(field)) dropColumn(pair, field, changes, draft);
  }
  for (const field of pair.added) {
    if (isCopied(field)) continue;
    if (field.isSequence !== true) addColumn(pair, field, changes, draft);
    else if (actions !== undefined) addSequence(pair, field, actions, draft);
  }
  changeHiddenColumns(pair, changes, actions, draft);
  changeTriggers(pair, changes, draft);
  const constraints = changeReferences(pair, targetOf, changes, draft);
  const checks = changeChecks(pair, changes, draft);
  renameConstraints(pair, [...kept.flat(), ...constraints, ...checks], draft);
  changeIndexes(pair, retyped, changes, draft);
  fillValues(pair, changes);
  changes.addToDraft();
  if (draft.guards.length > guards) draft.guarded.add(pair.now.table.name);
}

/** How a collection or one of its fields is called in what people read. */
const displayName = ({ now }: CollectionPair, field?: Field): string =>
  field === undefined ? now.definition.name : `${now.definition.name}.${finalName(field.name)}`;

interface NamePair {
  readonly from: string;
  readonly to: string;
  /** Whether it is a foreign key to an existing table. */
  readonly mayBeMissing?: boolean;
}

function renameTable({ before, now }: CollectionPair, draft: Draft): void {
  const [from, to] = [before.table.name, now.table.name];
  draft.tableRenames.push({ from, to });
  draft.indexRenames.push({ from: primaryKeyOf(from), to: primaryKeyOf(to) });
  const [was, is] = [before.definition.name, now.definition.name];
  if (was === is) return;
  draft.summary.push(`Renames the collection ${was} to ${is}.`);
  draft.names.push(`rename_${was}_to_${is}`);
  draft.renames.push(
    ...removalTriggers(to, now.definition).map(
      ({ name, sql }) => `drop trigger ${quoted(name)} on ${quoted(to)};\n${sql}`,
    ),
  );
}

/** Notes names that older processes use and that are gone at once. */
function noteRenamesInPlace(pair: CollectionPair, draft: Draft): void {
  const { before, now, fields } = pair;
  if (before.table.name !== now.table.name) {
    draft.breaks.push(`${quoted(before.table.name)} is renamed`);
  }
  for (const field of fields) {
    if (field.before.name === field.now.name) continue;
    draft.breaks.push(`${displayName(pair, field.before)} is renamed`);
  }
}

/** Leaves a view under the old name of a table, which processes of an older version read and write. */
function keepOldName(pair: CollectionPair, draft: Draft): void {
  const { before, now, fields } = pair;
  const table = quoted(now.table.name);
  const column = (name: string, old = name): string =>
    `${quoted(name)}${name === old ? '' : ` as ${quoted(old)}`}`;
  const columns = [
    column('id'),
    ...before.table.columns.map(({ field, name }) => {
      const kept = fields.find((one) => one.before.name === field);
      return column(kept === undefined ? name : columnIn(now, kept.now).name, name);
    }),
    ...before.table.words.map(({ name }) => column(name)),
    ...(before.table.hasOwner ? [column('_owner_id')] : []),
    column('created_at'),
    column('updated_at'),
  ];
  const view = quoted(before.table.name);
  draft.constraints.push(
    `create view ${view} as\n  select ${columns.join(', ')}\n  from ${table};`,
  );
  draft.contract.push(`drop view if exists ${view};`);
}

function renameColumns(pair: CollectionPair, draft: Draft): void {
  const table = pair.now.table.name;
  const wanted = pair.fields.map(({ before, now }) => ({
    from: columnName(before.name),
    to: columnName(now.name),
  }));
  for (const { from, to } of orderRenames(wanted, '_renamed')) {
    draft.renames.push(
      `alter table ${quoted(table)} rename column ${quoted(from)} to ${quoted(to)};`,
    );
  }
  for (const field of pair.fields) {
    if (field.before.name !== field.now.name) noteRename(pair, field, draft);
  }
}

function renameConstraints(
  { now }: CollectionPair,
  wanted: readonly NamePair[],
  draft: Draft,
): void {
  const table = now.table.name;
  const uncertain = new Set(
    wanted.filter((pair) => pair.mayBeMissing === true).flatMap(({ from, to }) => [from, to]),
  );
  for (const { from, to } of orderRenames(wanted, '_renamed')) {
    const statement = `alter table ${quoted(table)} rename constraint ${quoted(from)} to ${quoted(to)};`;
    const isCertain = !uncertain.has(from) && !uncertain.has(to);
    draft.renames.push(isCertain ? statement : onlyIf(hasConstraint(table, from), statement));
  }
}

const columnIn = ({ table }: Collection, field: Field): Column => {
  const found = table.columns.find((column) => column.field === field.name);
  if (found === undefined) throw new Error(`${table.name} has no column for ${field.name}`);
  return found;
};

/** The column of a field as it was, under its new name. */
const renamedColumn = ({ renamed }: CollectionPair, { now }: FieldPair): Column =>
  columnIn(renamed, now);

/** Whether the values of a field are kept in another type of PostgreSQL than before. */
const isRetyped = (pair: CollectionPair, field: FieldPair): boolean =>
  renamedColumn(pair, field).definition !== columnIn(pair.now, field.now).definition;

/** PostgreSQL changes only its catalog if a decimal gets more digits before the point. */
const isWiderDecimal = ({ before, now }: FieldPair): boolean =>
  before.type.type === 'decimal' &&
  now.type.type === 'decimal' &&
  before.type.scale === now.type.scale &&
  before.type.precision <= now.type.precision;

/** Whether a new type rewrites the rows and the indexes of the field. */
const isRewritten = (pair: CollectionPair, field: FieldPair): boolean =>
  isRetyped(pair, field) && (!isWiderDecimal(field) || isInExpression(pair, field));

/** Whether a check over several fields, or an expression or condition of an index, names the field: PostgreSQL makes it anew. */
const isInExpression = ({ renamed, now }: CollectionPair, field: FieldPair): boolean =>
  [renamed, now].some(
    ({ table }) =>
      [
        ...table.checks.map(namedIn),
        ...table.indexes.map(({ where }) =>
          where === undefined ? [] : membersOf(where.rule.expression).map(({ name }) => name),
        ),
      ].some((names) => names.includes(field.now.name)) ||
      table.indexes.some(({ on }) => on.some((term) => isExpressionOver(term, field))),
  );

/** Whether a term of an index computes something from the column of a field. */
const isExpressionOver = (term: string, { now }: FieldPair): boolean => {
  const column = quoted(columnName(now.name));
  return term.includes(column) && term !== column && term !== `${column} desc`;
};

/** Whether the values of a field are converted within the type of PostgreSQL that they have. */
const isConverted = (pair: CollectionPair, field: FieldPair): boolean =>
  conversionIn(field).isIdentity !== true && !isRetyped(pair, field);

const namesOf = (fields: readonly Field[]): string => fields.map(({ name }) => name).join(', ');

/** The fields that get a new column beside the old one, so that requests go on. */
interface CopiedFields {
  readonly renamed: readonly FieldPair[];
  readonly retyped: readonly FieldPair[];
}

/**
 * Which fields can change without a lock until all rows are rewritten: none if another change of the table needs one.
 * @param pair compared without copies.
 */
export function copiedFields(pair: CollectionPair): CopiedFields {
  const retyped = pair.fields.filter((field) => canCopyRetyped(pair, field));
  if (lockReasons(pair, retyped).length > 0) return { renamed: [], retyped: [] };
  return { renamed: canCopyRenamed(pair) ? renamedFields(pair) : [], retyped };
}

const renamedFields = ({ fields }: CollectionPair): readonly FieldPair[] =>
  fields.filter(({ before, now }) => before.name !== now.name);

function canCopyRenamed(pair: CollectionPair): boolean {
  const isFree = ({ before, now }: FieldPair): boolean =>
    !pair.before.definition.fields.some(({ name }) => name === now.name) &&
    !pair.now.definition.fields.some(({ name }) => name === before.name);
  return (
    pair.before.table.name === pair.now.table.name &&
    renamedFields(pair).every(
      (field) =>
        isFree(field) &&
        isSameType(field.before.type, field.now.type) &&
        field.before.required === field.now.required &&
        field.now.isSequence !== true,
    )
  );
}

/** Whether a field has another type or form, and nothing but its own column, checks and indexes depends on it. */
function canCopyRetyped(pair: CollectionPair, field: FieldPair): boolean {
  const { before, now } = field;
  const { words } = pair.now.table;
  return (
    (isRewritten(pair, field) || isConverted(pair, field)) &&
    pair.before.table.name === pair.now.table.name &&
    before.name === now.name &&
    canBeStaged(now.name) &&
    ![before, now].some(({ type }) => type.type === 'reference') &&
    ![...pair.renamed.table.words, ...words].some(({ fields }) => fields.includes(now.name))
  );
}

/**
 * Why the table is locked until all of its rows are rewritten; empty if nothing asks for that.
 * @param copied the fields that get a new column beside the old one.
 */
function lockReasons(pair: CollectionPair, copied: readonly FieldPair[]): string[] {
  const locking = pair.fields.filter((field) => !copied.includes(field));
  const reason = (why: string, fields: readonly Field[]): string[] =>
    fields.length > 0 ? [`${why} ${namesOf(fields)}`] : [];
  const sequences = pair.fields.filter(
    (field) => renamedColumn(pair, field).identity !== columnIn(pair.now, field.now).identity,
  );
  return [
    ...(isKeyWidened(pair.before, pair.now) ? ['new type of id'] : []),
    ...reason(
      'new type of',
      locking.filter((field) => isRewritten(pair, field)).map(({ now }) => now),
    ),
    ...reason(
      'new form of',
      locking.filter((field) => isConverted(pair, field)).map(({ now }) => now),
    ),
    ...reason('numbers of', [
      ...pair.added.filter(({ isSequence }) => isSequence === true),
      ...sequences.map(({ now }) => now),
    ]),
    ...reason(
      'another field called',
      pair.added.filter(({ name }) => pair.dropped.some((one) => one.name === name)),
    ),
    ...(movesOwners(pair) ? ['owners of items'] : []),
  ];
}

/** Changes the types and the sequences of columns. */
function changeTypes(pair: CollectionPair, actions: LockingActions, draft: Draft): void {
  if (isKeyWidened(pair.before, pair.now)) {
    const { key } = pair.now.definition;
    // PostgreSQL changes the type of the sequence with that of the column.
    actions.added.push(`alter column "id" type ${key}`);
    draft.summary.push(`Ids of ${displayName(pair)} become ${key}.`);
    draft.names.push(`${displayName(pair)}_change_id`);
  }
  for (const field of pair.fields) {
    const is = columnIn(pair.now, field.now);
    const was = renamedColumn(pair, field);
    if (isRetyped(pair, field)) {
      // PostgreSQL would convert the old default, too.
      if (was.default !== undefined) {
        actions.removed.push(`alter column ${quoted(columnName(field.before.name))} drop default`);
      }
      actions.added.push(retypeSql(field, is));
    }
    changeSequence(pair, field, actions, draft);
  }
}

/** The action that gives a column another type. */
function retypeSql(field: FieldPair, { name, definition }: Column): string {
  const { before, now } = field;
  const isPlain =
    conversionIn(field).isIdentity === true ||
    (before.type.type === 'decimal' && now.type.type === 'decimal');
  const using = isPlain ? '' : `\n    using ${convertedSql(field, quoted(name))}`;
  return `alter column ${quoted(name)} type ${definition}${using}`;
}

/** Changes a column. @returns the constraints that stay, with their old and new names. */
function changeColumn(
  pair: CollectionPair,
  field: FieldPair,
  changes: TableChanges,
  draft: Draft,
): NamePair[] {
  const { before, now } = field;
  const [was, is] = [renamedColumn(pair, field), columnIn(pair.now, now)];
  const retyped = isRetyped(pair, field);
  noteValues(pair, field, draft);

  if (retyped && changes.isOnline) {
    changes.alterColumn(is.name, `type ${is.definition}`);
  }
  if (was.default !== is.default || (retyped && !changes.isOnline && is.default !== undefined)) {
    changes.setDefault(is);
  }
  if (is.nullable && !was.nullable) changes.alterColumn(is.name, 'drop not null');
  if (!is.nullable && was.nullable) changes.requireColumn(is.name, backfillOfNowRequired(field));

  const names = {
    from: checkNameOf(pair.before.table.name, columnName(before.name)),
    to: checkNameOf(pair.now.table.name, is.name),
  };
  if (was.check === is.check && !retyped) return was.check === undefined ? [] : [names];
  if (was.check !== undefined) changes.dropConstraint(names.from);
  if (is.check !== undefined) {
    draft.guards.push(...checkGuard(pair, field));
    changes.addConstraint(columnCheck(pair, is, is.check));
  }
  if (!retyped && before.type.type === now.type.type) {
    draft.summary.push(`${displayName(pair, now)}: other values are valid than before.`);
    draft.names.push(`${displayName(pair)}_change_${now.name}`);
  }
  return [];
}

/** Says what becomes of the values of a field, and refuses rows that cannot go on. */
function noteValues(pair: CollectionPair, field: FieldPair, draft: Draft): void {
  const { before, now } = field;
  noteType(pair, field, draft);
  for (const { name, renamedFrom = '' } of valuesOfUnknownOrigin(before.type, now.type)) {
    const message = `value ${JSON.stringify(name)} is renamed from ${JSON.stringify(renamedFrom)}, and there was no such value when this was last generated. Write the name that it had then, or remove renamed_from.`;
    draft.issues.push({ at: now.at, code: 'unknown-rename', message });
  }
  draft.guards.push(...conversionGuard(pair, field), ...requiredGuard(pair, field));
  const [wasNullable, isNullable] = [
    columnIn(pair.before, before).nullable,
    columnIn(pair.now, now).nullable,
  ];
  if (isNullable && !wasNullable) {
    draft.summary.push(`${displayName(pair, now)} is no longer required.`);
  }
  if (!isNullable && wasNullable) {
    draft.summary.push(`${displayName(pair, now)} is required.`);
    draft.names.push(`${displayName(pair)}_require_${finalName(now.name)}`);
  }
  for (const { name, at } of membersWithoutValue(before.type, now.type)) {
    noteUnfilled(`property ${JSON.stringify(name)}`, at, draft);
  }
}

const columnCheck = ({ now }: CollectionPair, { name }: Column, check: string): Constraint => ({
  name: checkNameOf(now.table.name, name),
  sql: checkConstraint(now.table.name, name, check),
});

/** Says that the type of a field is another one, and what is lost by that. */
function noteType(pair: CollectionPair, { before, now }: FieldPair, draft: Draft): void {
  const conversion = conversionIn({ before, now });
  const [was, is] = [before, now].map(({ type }) => specOf(type).nameInMessages(type));
  if (was !== is || conversion.isIdentity !== true) {
    const what = now.type.type === 'enum' ? 'values' : 'members';
    const change = was === is ? `Changes the ${what} of ${displayName(pair, now)}.` : undefined;
    draft.summary.push(change ?? `${displayName(pair, now)} becomes ${is} (it was ${was}).`);
    draft.names.push(`${displayName(pair)}_change_${finalName(now.name)}`);
  }
  const losses = conversion.losses ?? [];
  for (const what of losses) {
    draft.losses.push({ what: `${what} of ${displayName(pair, now)}`, at: now.at });
  }
  if (conversion.isWider || losses.length > 0) return;
  const what =
    now.type.type === 'enum' && before.type.type === 'enum'
      ? `values of ${displayName(pair, now)} that are gone from its list`
      : `values of ${displayName(pair, now)} that ${is} does not take`;
  draft.losses.push({ what, at: now.at });
}

/** Makes the column of a field that is renamed, or has another type, beside the old one. */
function copyColumn(
  pair: CollectionPair,
  field: FieldPair,
  changes: OnlineChanges,
  draft: Draft,
): void {
  const { before, now } = field;
  const [from, to] = [columnIn(pair.before, before), columnIn(pair.now, now)];
  const isRenamed = before.name !== finalName(now.name);
  if (isRenamed) {
    changes.renameColumn(from, to);
    noteRename(pair, field, draft);
  } else {
    const { fits } = conversionIn(field);
    const fill = backfillOfNowRequired(field);
    // A migration of another branch may have added something since the first file.
    draft.switchStatements.push(dependencyGuard(pair, before));
    changes.retypeColumn({
      from,
      to,
      value: (column) => convertedSql(field, column),
      ...(fits && { fits }),
      ...(fill !== undefined && { fill }),
      typeName: specOf(now.type).nameInMessages(now.type),
    });
    draft.switched.push(`${displayName(pair, now)} has another type or form`);
  }
  noteValues(pair, field, draft);
  if (to.check === undefined) return;
  if (!isRenamed) draft.guards.push(...checkGuard(pair, field));
  changes.addConstraint(columnCheck(pair, to, to.check));
}

function noteRename(pair: CollectionPair, { before, now }: FieldPair, draft: Draft): void {
  draft.summary.push(`Renames ${displayName(pair, before)} to ${now.name}.`);
  draft.names.push(`${displayName(pair)}_rename_${before.name}_to_${now.name}`);
}

function dropColumn(pair: CollectionPair, field: Field, changes: TableChanges, draft: Draft): void {
  const column = columnIn(pair.before, field);
  const isRequired =
    !column.nullable && column.default === undefined && column.identity === undefined;
  changes.dropColumn(column.name, isRequired);
  const anew = pair.added.find((other) => other.name === field.name);
  const what = `${displayName(pair, field)} and its values`;
  draft.losses.push({ what, at: anew?.at ?? pair.now.definition.at });
  draft.summary.push(`Drops ${what}.`);
  draft.names.push(`${displayName(pair)}_drop_${field.name}`);
}

function addColumn(pair: CollectionPair, field: Field, changes: TableChanges, draft: Draft): void {
  const column = columnIn(pair.now, field);
  const fill = backfillSql(field);
  if (fill === undefined && !column.nullable) {
    noteUnfilled(`field ${JSON.stringify(field.name)}`, field.at, draft);
  }
  changes.addColumn(column, fill);
  if (column.check !== undefined) changes.addConstraint(columnCheck(pair, column, column.check));
  draft.summary.push(`Adds ${displayName(pair, field)}.`);
  draft.names.push(`${displayName(pair)}_add_${field.name}`);
}

/** Adds a sequence column, and numbers existing items in the order of their creation. */
function addSequence(
  pair: CollectionPair,
  field: Field,
  actions: LockingActions,
  draft: Draft,
): void {
  const column = columnIn(pair.now, field);
  const table = quoted(pair.now.table.name);
  const name = quoted(column.name);
  const { identity: first = 1n } = column;
  actions.added.push(`add column ${name} ${column.definition}`);
  draft.data.push(numberRows(table, name, first));
  actions.finished.push(`alter column ${name} set not null`);
  if (column.check !== undefined) {
    actions.finished.push(`add ${checkConstraint(pair.now.table.name, column.name, column.check)}`);
  }
  startSequence(pair, column, first, actions, draft);
  draft.summary.push(
    `Adds ${displayName(pair, field)}, and numbers existing items in the order of their creation.`,
  );
  draft.names.push(`${displayName(pair)}_add_${field.name}`);
}

/** A kept field becomes a sequence, stops being one, or gets another start. */
function changeSequence(
  pair: CollectionPair,
  { before, now }: FieldPair,
  actions: LockingActions,
  draft: Draft,
): void {
  const was = renamedColumn(pair, { before, now }).identity;
  const column = columnIn(pair.now, now);
  const is = column.identity;
  if (was === is) return;
  if (is === undefined) {
    actions.removed.push(`alter column ${quoted(columnName(before.name))} drop identity`);
    draft.summary.push(`${displayName(pair, now)} is no longer a sequence.`);
  } else if (was === undefined) {
    if (renamedColumn(pair, { before, now }).nullable) {
      draft.data.push(numberRows(quoted(pair.now.table.name), quoted(column.name), is));
    }
    startSequence(pair, column, is, actions, draft);
    draft.summary.push(`${displayName(pair, now)} becomes a sequence.`);
  } else {
    // PostgreSQL refuses a minimum above the next number. A lower start does not take numbers back.
    if (is > was) draft.data.push(continueSequence(pair, column.name, is));
    const options = [`minvalue ${is < 1n ? is : 1n}`, `start with ${is}`].map(
      (one) => `set ${one}`,
    );
    actions.finished.push(`alter column ${quoted(column.name)} ${options.join(' ')}`);
    draft.summary.push(`${displayName(pair, now)}: its sequence starts at ${is}.`);
  }
  draft.names.push(`${displayName(pair)}_change_${now.name}`);
}

/** Numbers rows that have no number, in the order of their creation, after the greatest. @param table quoted. */
const numberRows = (table: string, column: string, first: bigint): string =>
  withoutTouch(table, [
    `update ${table} set ${column} = "numbered"."number"
from (
  select "id", row_number() over (order by "created_at", "id")
    + greatest(${first - 1n}, (select max(${column}) from ${table})) as "number"
  from ${table} where ${column} is null
) as "numbered"
where ${table}."id" = "numbered"."id";`,
  ]);

/** Adds a sequence to a column. It continues after the existing numbers. */
function startSequence(
  pair: CollectionPair,
  { name }: Column,
  first: bigint,
  actions: LockingActions,
  draft: Draft,
): void {
  actions.finished.push(`alter column ${quoted(name)} add ${identity(first)}`);
  draft.constraints.push(continueSequence(pair, name, first));
}

/** Sets the next number of a sequence: above all numbers that it gave or that rows have, and at least its start. */
function continueSequence({ now }: CollectionPair, column: string, first: bigint): string {
  const table = quoted(now.table.name);
  const sequence = `pg_get_serial_sequence(${literal(table)}, ${literal(column)})`;
  const numbers = [String(first), `max(${quoted(column)}) + 1`, `nextval(${sequence})`];
  return `select setval(${sequence}, greatest(${numbers.join(', ')}), false)\nfrom ${table};`;
}

function noteUnfilled(what: string, at: Position, draft: Draft): void {
  const message = `${what} is new and required, and items that are there already have no value for it. Write "backfill:" with one, or "default:"; or leave out required until all have one.`;
  draft.issues.push({ at, code: 'needs-backfill', message });
}

/** The columns that no field has: the words of a search, and the owner. */
function changeHiddenColumns(
  pair: CollectionPair,
  changes: TableChanges,
  actions: LockingActions | undefined,
  draft: Draft,
): void {
  const { renamed, now } = pair;
  changeOwner(pair, changes, actions, draft);
  for (const { name } of droppedWords(pair)) changes.dropColumn(name, false);
  for (const { name } of now.table.words) {
    if (wordsIn(renamed, name) === undefined) changes.addHiddenColumn(wordsColumn(name));
  }
  const changed = changedWords(pair);
  if (changed.length === 0 && droppedWords(pair).length === 0) return;
  draft.names.push(`${displayName(pair)}_search`);
  if (now.table.words.length === 0)
    draft.summary.push(`${displayName(pair)} are no longer searched.`);
  for (const { fields } of changed) {
    const version = now.definition.olderSearches?.find((one) => one.fields === fields)?.version;
    const where = version === undefined ? '' : ` for clients of version ${version}`;
    draft.summary.push(`Searches ${displayName(pair)} in ${fields.join(', ')}${where}.`);
  }
}

/** The triggers over these columns: PostgreSQL keeps a column that a trigger names. */
function changeTriggers(
  { before, renamed, now, oldNameIsFree }: CollectionPair,
  { isOnline }: TableChanges,
  draft: Draft,
): void {
  const [was, is] = [hiddenTriggers(renamed.table), hiddenTriggers(now.table)];
  const keepsColumns = isOnline && (oldNameIsFree || before.table.name === now.table.name);
  for (const { name, sql } of was) {
    if (is.some((trigger) => trigger.sql === sql)) continue;
    // Processes of an older version go on to search what is no longer searched.
    if (keepsColumns && !is.some((trigger) => trigger.name === name)) {
      draft.contract.push(`drop trigger if exists ${quoted(name)} on ${quoted(now.table.name)};`);
    } else draft.removals.push(`drop trigger ${quoted(name)} on ${quoted(before.table.name)};`);
  }
  for (const { sql } of is) {
    if (!was.some((trigger) => trigger.sql === sql)) draft.constraints.push(sql);
  }
}

const wordsIn = ({ table }: Collection, name: string): WordsColumn | undefined =>
  table.words.find((words) => words.name === name);

/** The columns with words that no version searches any more: they are dropped. */
const droppedWords = ({ renamed, now }: CollectionPair): readonly WordsColumn[] =>
  renamed.table.words.filter(({ name }) => wordsIn(now, name) === undefined);

const sameFields = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((field) => other.includes(field));

/** Columns that have to hold other words than before, or are new. A copied field is another one. */
const changedWords = ({ renamed, now }: CollectionPair): readonly WordsColumn[] =>
  now.table.words.filter(
    ({ name, fields }) => !sameFields(fields, wordsIn(renamed, name)?.fields ?? []),
  );

/** Whether processes of an older version write other words into a column. */
function writesOtherWords(
  { before, fields: kept, copies }: CollectionPair,
  { name, fields }: WordsColumn,
): boolean {
  const was = wordsIn(before, name)?.fields;
  const nameNow = (field: string): string =>
    [...kept, ...copies].find((pair) => pair.before.name === field)?.now.name ?? '';
  // Of several columns with words, a change of one marks no other.
  if (was === undefined) return before.table.words.length > 0;
  return !sameFields(was.map(nameNow), fields);
}

const sameKey = (one: ForeignKey, other: ForeignKey): boolean =>
  one.column === other.column &&
  one.table === other.table &&
  sameTable(one.existing, other.existing) &&
  one.onDelete === other.onDelete;

const sameTable = (one: ExistingTable | undefined, other: ExistingTable | undefined): boolean =>
  one?.schema === other?.schema &&
  one?.table === other?.table &&
  one?.keyColumns[0] === other?.keyColumns[0];

/** Changes the foreign keys; gives the constraints that go on, with their names. */
function changeReferences(
  pair: CollectionPair,
  targetOf: (collection: string) => Collection | 'users' | undefined,
  changes: TableChanges,
  draft: Draft,
): NamePair[] {
  const { before, renamed, now } = pair;
  const names: NamePair[] = [];
  renamed.table.foreignKeys.forEach((key, at) => {
    const from = before.table.foreignKeys[at]?.name ?? key.name;
    const same = now.table.foreignKeys.find((other) => sameKey(key, other));
    const mayBeMissing = key.existing !== undefined;
    if (same !== undefined) names.push({ from, to: same.name, mayBeMissing });
    else changes.dropConstraint(from, mayBeMissing);
  });
  for (const key of now.table.foreignKeys) {
    const old = renamed.table.foreignKeys.find(({ column }) => column === key.column);
    if (old !== undefined && sameKey(old, key)) continue;
    const isMoved = old?.table === key.table && !sameTable(old.existing, key.existing);
    // Until the view changes, too, older processes would refer to one table and read another.
    if (isMoved) draft.references.push(addForeignKey(now.table.name, key));
    else changes.addForeignKey(key);
    const relation = now.relations.find(({ column }) => column === key.column);
    if (relation === undefined) continue;
    if (isMoved) draft.breaks.push(`${displayName(pair, relation.field)} refers to another table`);
    if (old === undefined || isMoved || old.table !== key.table) {
      const former = targetOf(relation.target.collection);
      const target =
        key.existing === undefined
          ? former === 'users'
            ? { name: 'users' }
            : former?.table
          : { name: key.table, existing: key.existing };
      // Of two collections whose ids are numbers, each has an item 1: the reference would lead to another one.
      const { type } = relation.field;
      const hasSameIds =
        old === undefined || isMoved || (type.type === 'reference' && type.key === undefined);
      draft.guards.push(
        ...(hasSameIds
          ? referenceGuard(pair, relation.field, target)
          : referenceGuard(pair, relation.field, undefined, 'has an id of another collection')),
      );
    }
    if (old === undefined) continue;
    draft.summary.push(
      old.table === key.table && old.onDelete !== key.onDelete
        ? `Changes on_delete of ${displayName(pair, relation.field)}.`
        : `${displayName(pair, relation.field)} refers to ${relation.target.collection}.`,
    );
    draft.names.push(`${displayName(pair)}_change_${relation.field.name}`);
  }
  if (before.table.hasOwner && now.table.hasOwner) {
    names.push({ from: ownerKeyOf(before.table.name), to: ownerKeyOf(now.table.name) });
  }
  return names;
}

/** Changes the checks over several fields. @returns those that stay, with their old and new names. */
function changeChecks(pair: CollectionPair, changes: TableChanges, draft: Draft): NamePair[] {
  const { before, renamed, now } = pair;
  const others = pair.fields.filter((field) => hasOtherValues(pair, field));
  // PostgreSQL converts the condition with the types of its columns.
  const isKept = (one: TableCheck, other: TableCheck): boolean => one.condition === other.condition;
  const kept: NamePair[] = [];
  renamed.table.checks.forEach((check, at) => {
    const from = before.table.checks[at]?.name ?? check.name;
    const { name } = check.definition;
    const same = now.table.checks.find((other) => isKept(check, other));
    if (same !== undefined) {
      kept.push({ from, to: same.name });
      return;
    }
    changes.dropConstraint(from);
    if (now.table.checks.some(({ definition }) => definition.name === name)) return;
    draft.summary.push(`Removes the check ${name} of ${displayName(pair)}.`);
    draft.names.push(`${displayName(pair)}_drop_check_${name}`);
  });
  for (const check of now.table.checks) {
    const isNew = !renamed.table.checks.some((other) => isKept(other, check));
    const names = namedIn(check);
    if (isNew || others.some((field) => names.includes(field.now.name))) {
      draft.guards.push(ruleGuard(pair, check));
    }
    if (!isNew) continue;
    changes.addConstraint({ name: check.name, sql: tableCheck(check) });
    const { name } = check.definition;
    // A field of it has another type.
    if (before.table.checks.some((other) => ruleOf(other) === ruleOf(check))) continue;
    const had = renamed.table.checks.some(({ definition }) => definition.name === name);
    draft.summary.push(`${had ? 'Changes' : 'Adds'} the check ${name} of ${displayName(pair)}.`);
    draft.names.push(`${displayName(pair)}_${had ? 'change' : 'add'}_check_${name}`);
  }
  return kept;
}

const ruleOf = ({ definition: { name, expression } }: TableCheck): string =>
  `${name}: ${shownRule(expression)}`;

const namedIn = ({ definition }: TableCheck): readonly string[] =>
  membersOf(definition.expression).map(({ name }) => name);

/** Whether rows may get other values of a field. */
const hasOtherValues = (pair: CollectionPair, field: FieldPair): boolean =>
  conversionIn(field).isIdentity !== true ||
  backfillOfNowRequired(field) !== undefined ||
  isRetyped(pair, field);

const sameIndex = (one: Index, other: Index): boolean =>
  one.unique === other.unique &&
  one.method === other.method &&
  one.on.join(', ') === other.on.join(', ') &&
  one.where?.condition === other.where?.condition;

/** Indexes over the same stay, perhaps under another name; the others are made anew. */
function changeIndexes(
  pair: CollectionPair,
  retyped: readonly FieldPair[],
  changes: TableChanges,
  draft: Draft,
): void {
  const { before, renamed, now } = pair;
  const touched = retyped.map((field) => quoted(columnName(field.now.name)));
  const changed = pair.fields
    .filter((field) => hasOtherValues(pair, field))
    .map((field) => quoted(columnName(field.now.name)));
  const removed = removedColumns(pair);
  const mentions = ({ on, where }: Index, columns: readonly string[]): boolean =>
    on.some((part) => columns.some((column) => part.includes(column))) ||
    (where !== undefined &&
      membersOf(where.rule.expression).some(({ name }) =>
        columns.includes(quoted(columnName(name))),
      ));
  // Rows may enter a partial index by their new values.
  const isTouched = (index: Index): boolean =>
    mentions(index, index.where === undefined ? touched : changed);
  // New rows have the default of a column that goes, or nothing: what they have beside that may be the same.
  const isInTheWay = (index: Index): boolean =>
    index.unique && changes.isOnline && mentions(index, droppedColumns(pair));
  const kept = new Set<Index>();
  const columns = new Map(
    renamed.table.columns.map(({ name }, at) => [name, before.table.columns[at]?.name ?? name]),
  );
  const origins = matchIndexes(
    renamed.table.indexes,
    before.table.indexes,
    (column) => columns.get(column) ?? column,
  );
  for (const index of renamed.table.indexes) {
    const from = origins.get(index)?.name ?? index.name;
    const same = isTouched(index)
      ? undefined
      : now.table.indexes.find((other) => sameIndex(index, other));
    if (same !== undefined) {
      kept.add(same);
      draft.indexRenames.push({ from, to: same.name });
    } else if (!mentions(index, removed) || isInTheWay(index)) changes.dropIndex(index, from);
  }
  for (const index of now.table.indexes) {
    if (kept.has(index)) continue;
    const isNew = !renamed.table.indexes.some((old) => old.unique && sameIndex(old, index));
    if (index.unique && (isNew || index.where !== undefined)) {
      draft.guards.push(...sizeGuard(pair, index), ...uniqueGuard(pair, index));
    }
    changes.createIndex(index);
    draft.names.push(`${displayName(pair)}_index`);
  }
}

/** All columns that are dropped, with their indexes, under their new names. */
function removedColumns(pair: CollectionPair): string[] {
  const { renamed, now, dropped } = pair;
  return [
    ...columnsOf(pair, dropped),
    ...droppedWords(pair).map(({ name }) => quoted(name)),
    ...(renamed.table.hasOwner && !now.table.hasOwner ? [quoted('_owner_id')] : []),
  ];
}

/** The columns of dropped fields, without those that are renamed by a copy. */
const droppedColumns = (pair: CollectionPair): string[] =>
  columnsOf(
    pair,
    pair.dropped.filter((field) => !pair.copies.some(({ before }) => before === field)),
  );

/** The columns of earlier fields, under the names of now. */
const columnsOf = ({ renamed, before }: CollectionPair, fields: readonly Field[]): string[] =>
  fields.map((field) => {
    const at = before.definition.fields.indexOf(field);
    return quoted(renamed.table.columns[at]?.name ?? '');
  });

/** Writes values into rows: converted ones, those that were missing, and the words of searches. */
function fillValues(pair: CollectionPair, changes: TableChanges): void {
  const fills = pair.fields.flatMap((field): RowFill[] => {
    const name = columnName(field.now.name);
    const column = quoted(name);
    const fill = backfillOfNowRequired(field);
    const converts = isConverted(pair, field);
    if (!converts && fill === undefined) return [];
    const value = converts ? convertedSql(field, column) : column;
    const rows = [
      ...(converts ? [`${column} is not null`] : []),
      ...(fill === undefined ? [] : [`${column} is null`]),
    ];
    return [
      {
        column: name,
        value: fill === undefined ? value : `coalesce(${value}, ${fill})`,
        where: rows.join(' or '),
        isReference: field.now.type.type === 'reference',
      },
    ];
  });
  const words = changedWords(pair).map((one) => ({
    ...one,
    oldVersionWritesOtherWords: writesOtherWords(pair, one),
  }));
  changes.fillRows(fills, words);
}
