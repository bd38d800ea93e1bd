/** The migration of a kept collection: columns, values, constraints, triggers and indexes. */
import type { Field } from '../definition/types.ts';
import { membersOf } from '../expressions/expression.ts';
import type { Position } from '../reading/position.ts';
import type { Column } from '../model/columns.ts';
import { columnName, literal, quoted } from '../shared/sql.ts';
import type { Collection, ForeignKey, Index, TableCheck, WordsColumn } from '../model/types.ts';
import {
  checkGuard,
  conversionGuard,
  referenceGuard,
  requiredGuard,
  ruleGuard,
  sizeGuard,
  uniqueGuard,
} from './collection-guards.ts';
import { unfilledMembers } from './conversion.ts';
import { valuesOfUnknownOrigin } from '../types/enum.ts';
import type { FieldType } from '../types/registry.ts';
import { specOf } from '../types/registry.ts';
import type { Draft } from './draft.ts';
import { backfillSql } from './backfill.ts';
import { orderRenames } from './order-renames.ts';
import { changeOwner } from './owner-column.ts';
import type { CollectionPair, FieldPair } from './compare-models.ts';
import {
  addForeignKey,
  buryTrigger,
  checkConstraint,
  checkNameOf,
  createIndex,
  hiddenTriggers,
  identity,
  ownerKeyOf,
  primaryKeyOf,
  tableCheck,
  withoutTouch,
  wordsColumn,
} from './statements.ts';
import { conversionIn, convertedSql, backfillOfNowRequired } from './future-values.ts';

/** The actions of `alter table` for one table: each list is one statement, in this order. */
interface Actions {
  readonly removed: string[];
  readonly added: string[];
  readonly finished: string[];
}

/** Adds the changes of one collection to the draft. */
export function changeCollection(
  pair: CollectionPair,
  targetOf: (collection: string) => Collection | 'users' | undefined,
  draft: Draft,
): void {
  const actions: Actions = { removed: [], added: [], finished: [] };
  renameTable(pair, draft);
  renameColumns(pair, draft);
  const kept = pair.fields.map((field) => changeColumn(pair, field, actions, draft));
  for (const field of pair.dropped) dropColumn(pair, field, actions, draft);
  for (const field of pair.added) addColumn(pair, field, actions, draft);
  changeOwn(pair, actions, draft);
  changeTriggers(pair, draft);
  const constraints = changeReferences(pair, targetOf, actions, draft);
  const checks = changeChecks(pair, actions, draft);
  renameConstraints(pair, [...kept.flat(), ...constraints, ...checks], draft);
  const retyped = pair.fields.filter((field) => isRetyped(pair, field));
  changeIndexes(pair, retyped, draft);
  fillValues(pair, draft);
  noteLocks(pair, retyped, actions, draft);

  const { before, now } = pair;
  if (actions.removed.length > 0)
    draft.removals.push(alterTable(before.table.name, actions.removed));
  if (actions.added.length > 0) draft.additions.push(alterTable(now.table.name, actions.added));
  if (actions.finished.length > 0) {
    draft.constraints.unshift(alterTable(now.table.name, actions.finished));
  }
}

const alterTable = (table: string, actions: readonly string[]): string =>
  `alter table ${quoted(table)}\n  ${actions.join(',\n  ')};`;

/** How a collection or one of its fields is called in what people read. */
const displayName = ({ now }: CollectionPair, field?: Field): string =>
  field === undefined ? now.definition.name : `${now.definition.name}.${field.name}`;

interface NamePair {
  readonly from: string;
  readonly to: string;
}

function renameTable({ before, now }: CollectionPair, draft: Draft): void {
  const [from, to] = [before.table.name, now.table.name];
  draft.tableRenames.push({ from, to });
  draft.indexRenames.push({ from: primaryKeyOf(from), to: primaryKeyOf(to) });
  const [was, is] = [before.definition.name, now.definition.name];
  if (was === is) return;
  draft.summary.push(`Renames the collection ${was} to ${is}.`);
  draft.names.push(`rename_${was}_to_${is}`);
  draft.renames.push(`drop trigger "_bury" on ${quoted(to)};\n${buryTrigger(to, is)}`);
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
  for (const { before, now } of pair.fields) {
    if (before.name === now.name) continue;
    draft.summary.push(`Renames ${displayName(pair, before)} to ${now.name}.`);
    draft.names.push(`${displayName(pair)}_rename_${before.name}_to_${now.name}`);
  }
}

function renameConstraints(pair: CollectionPair, wanted: readonly NamePair[], draft: Draft): void {
  const table = pair.now.table.name;
  for (const { from, to } of orderRenames(wanted, '_renamed')) {
    draft.renames.push(
      `alter table ${quoted(table)} rename constraint ${quoted(from)} to ${quoted(to)};`,
    );
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

/** Changes a column. @returns the constraints that stay, with their old and new names. */
function changeColumn(
  pair: CollectionPair,
  field: FieldPair,
  actions: Actions,
  draft: Draft,
): NamePair[] {
  const { before, now } = field;
  const [was, is] = [renamedColumn(pair, field), columnIn(pair.now, now)];
  const conversion = conversionIn(field);
  const retyped = isRetyped(pair, field);
  noteType(pair, field, draft);
  for (const { name, renamedFrom = '' } of valuesOfUnknownOrigin(before.type, now.type)) {
    const message = `value ${JSON.stringify(name)} is renamed from ${JSON.stringify(renamedFrom)}, and there was no such value when this was last generated. Write the name that it had then, or remove renamed_from.`;
    draft.issues.push({ at: now.at, code: 'unknown-rename', message });
  }
  draft.guards.push(...conversionGuard(pair, field), ...requiredGuard(pair, field));

  if (retyped) {
    const using =
      conversion.isIdentity === true ||
      (before.type.type === 'decimal' && now.type.type === 'decimal')
        ? ''
        : `\n    using ${convertedSql(field, quoted(is.name))}`;
    actions.added.push(`alter column ${quoted(is.name)} type ${is.definition}${using}`);
  }
  if (is.nullable && !was.nullable) {
    actions.added.push(`alter column ${quoted(is.name)} drop not null`);
    draft.summary.push(`${displayName(pair, now)} is no longer required.`);
  }
  if (!is.nullable && was.nullable) {
    actions.finished.push(`alter column ${quoted(is.name)} set not null`);
    draft.summary.push(`${displayName(pair, now)} is required.`);
    draft.names.push(`${displayName(pair)}_require_${now.name}`);
  }
  for (const { name, at } of unfilledMembers(before.type, now.type)) {
    noteUnfilled(`property ${JSON.stringify(name)}`, at, draft);
  }

  changeSequence(pair, field, actions, draft);

  const names = {
    from: checkNameOf(pair.before.table.name, columnName(before.name)),
    to: checkNameOf(pair.now.table.name, is.name),
  };
  if (was.check === is.check && !retyped) return was.check === undefined ? [] : [names];
  if (was.check !== undefined) actions.removed.push(`drop constraint ${quoted(names.from)}`);
  if (is.check !== undefined) {
    draft.guards.push(...checkGuard(pair, field));
    actions.finished.push(`add ${checkConstraint(pair.now.table.name, is.name, is.check)}`);
  }
  if (!retyped && before.type.type === now.type.type) {
    draft.summary.push(`${displayName(pair, now)}: other values are valid than before.`);
    draft.names.push(`${displayName(pair)}_change_${now.name}`);
  }
  return [];
}

/** Says that the type of a field is another one, and what is lost by that. */
function noteType(pair: CollectionPair, { before, now }: FieldPair, draft: Draft): void {
  const conversion = conversionIn({ before, now });
  const [was, is] = [before, now].map(({ type }) => specOf(type).nameInMessages(type));
  if (was !== is || conversion.isIdentity !== true) {
    const what = now.type.type === 'enum' ? 'values' : 'members';
    const change = was === is ? `Changes the ${what} of ${displayName(pair, now)}.` : undefined;
    draft.summary.push(change ?? `${displayName(pair, now)} becomes ${is} (it was ${was}).`);
    draft.names.push(`${displayName(pair)}_change_${now.name}`);
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

function dropColumn(pair: CollectionPair, field: Field, actions: Actions, draft: Draft): void {
  actions.removed.push(`drop column ${quoted(columnName(field.name))}`);
  const anew = pair.added.find((other) => other.name === field.name);
  const what = `${displayName(pair, field)} and its values`;
  draft.losses.push({ what, at: anew?.at ?? pair.now.definition.at });
  draft.summary.push(`Drops ${what}.`);
  draft.names.push(`${displayName(pair)}_drop_${field.name}`);
}

function addColumn(pair: CollectionPair, field: Field, actions: Actions, draft: Draft): void {
  const column = columnIn(pair.now, field);
  if (column.identity !== undefined) {
    addSequence(pair, field, column, actions, draft);
    return;
  }
  const fill = backfillSql(field);
  const parts = [`add column ${quoted(column.name)} ${column.definition}`];
  if (!column.nullable) parts.push('not null');
  // PostgreSQL keeps a fixed default in its catalog: the table is not rewritten.
  if (fill !== undefined) {
    parts.push(`default ${fill}`);
    actions.finished.push(`alter column ${quoted(column.name)} drop default`);
  } else if (!column.nullable) {
    noteUnfilled(`field ${JSON.stringify(field.name)}`, field.at, draft);
  }
  actions.added.push(parts.join(' '));
  if (column.check !== undefined) {
    actions.finished.push(`add ${checkConstraint(pair.now.table.name, column.name, column.check)}`);
  }
  draft.summary.push(`Adds ${displayName(pair, field)}.`);
  draft.names.push(`${displayName(pair)}_add_${field.name}`);
}

/** Adds a sequence column, and numbers existing items in the order of their creation. */
function addSequence(
  pair: CollectionPair,
  field: Field,
  column: Column,
  actions: Actions,
  draft: Draft,
): void {
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
  actions: Actions,
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
  actions: Actions,
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
function changeOwn(pair: CollectionPair, actions: Actions, draft: Draft): void {
  const { renamed, now } = pair;
  changeOwner(pair, actions, draft);
  for (const { name } of goneWords(pair)) actions.removed.push(`drop column ${quoted(name)}`);
  for (const { name } of now.table.words) {
    if (wordsIn(renamed, name) !== undefined) continue;
    actions.added.push(`add column ${wordsColumn(name)}`);
  }
  const changed = changedWords(pair);
  if (changed.length === 0 && goneWords(pair).length === 0) return;
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
function changeTriggers({ before, renamed, now }: CollectionPair, draft: Draft): void {
  const [was, is] = [hiddenTriggers(renamed.table), hiddenTriggers(now.table)];
  for (const { name, sql } of was) {
    if (is.some((trigger) => trigger.sql === sql)) continue;
    draft.removals.push(`drop trigger ${quoted(name)} on ${quoted(before.table.name)};`);
  }
  for (const { sql } of is) {
    if (!was.some((trigger) => trigger.sql === sql)) draft.constraints.push(sql);
  }
}

const wordsIn = ({ table }: Collection, name: string): WordsColumn | undefined =>
  table.words.find((words) => words.name === name);

/** Columns with words that no version looks at any more. */
const goneWords = ({ renamed, now }: CollectionPair): readonly WordsColumn[] =>
  renamed.table.words.filter(({ name }) => wordsIn(now, name) === undefined);

/** Columns that have to hold other words than before, or are new. */
const changedWords = ({ renamed, now }: CollectionPair): readonly WordsColumn[] =>
  now.table.words.filter(({ name, fields }) => {
    const was = wordsIn(renamed, name)?.fields;
    return was?.length !== fields.length || !fields.every((field) => was.includes(field));
  });

const sameKey = (one: ForeignKey, other: ForeignKey): boolean =>
  one.column === other.column && one.table === other.table && one.onDelete === other.onDelete;

/** Changes the foreign keys; gives the constraints that go on, with their names. */
function changeReferences(
  pair: CollectionPair,
  targetOf: (collection: string) => Collection | 'users' | undefined,
  actions: Actions,
  draft: Draft,
): NamePair[] {
  const { before, renamed, now } = pair;
  const names: NamePair[] = [];
  renamed.table.foreignKeys.forEach((key, at) => {
    const from = before.table.foreignKeys[at]?.name ?? key.name;
    const same = now.table.foreignKeys.find((other) => sameKey(key, other));
    if (same !== undefined) names.push({ from, to: same.name });
    else actions.removed.unshift(`drop constraint ${quoted(from)}`);
  });
  for (const key of now.table.foreignKeys) {
    const old = renamed.table.foreignKeys.find(({ column }) => column === key.column);
    if (old !== undefined && sameKey(old, key)) continue;
    draft.references.push(addForeignKey(now.table.name, key));
    const relation = now.relations.find(({ column }) => column === key.column);
    if (relation === undefined) continue;
    if (old === undefined || old.table !== key.table) {
      const target = targetOf(relation.target.collection);
      draft.guards.push(...referenceGuard(pair, relation.field, target));
    }
    if (old === undefined) continue;
    draft.summary.push(
      old.table === key.table
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
function changeChecks(pair: CollectionPair, actions: Actions, draft: Draft): NamePair[] {
  const { before, renamed, now } = pair;
  const changed = pair.fields.filter((field) => hasOtherValues(pair, field));
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
    actions.removed.unshift(`drop constraint ${quoted(from)}`);
    if (now.table.checks.some(({ definition }) => definition.name === name)) return;
    draft.summary.push(`Removes the check ${name} of ${displayName(pair)}.`);
    draft.names.push(`${displayName(pair)}_drop_check_${name}`);
  });
  for (const check of now.table.checks) {
    const isNew = !renamed.table.checks.some((other) => isKept(other, check));
    const names = namedIn(check);
    if (isNew || changed.some((field) => names.includes(field.now.name))) {
      draft.guards.push(ruleGuard(pair, check));
    }
    if (!isNew) continue;
    actions.finished.push(`add ${tableCheck(check)}`);
    const { name } = check.definition;
    const had = renamed.table.checks.some(({ definition }) => definition.name === name);
    draft.summary.push(`${had ? 'Changes' : 'Adds'} the check ${name} of ${displayName(pair)}.`);
    draft.names.push(`${displayName(pair)}_${had ? 'change' : 'add'}_check_${name}`);
  }
  return kept;
}

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
function changeIndexes(pair: CollectionPair, retyped: readonly FieldPair[], draft: Draft): void {
  const { before, renamed, now } = pair;
  const touched = retyped.map((field) => quoted(columnName(field.now.name)));
  const changed = pair.fields
    .filter((field) => hasOtherValues(pair, field))
    .map((field) => quoted(columnName(field.now.name)));
  const goesAway = goneColumns(pair);
  const mentions = ({ on, where }: Index, columns: readonly string[]): boolean =>
    on.some((part) => columns.some((column) => part.includes(column))) ||
    (where !== undefined &&
      membersOf(where.rule.expression).some(({ name }) =>
        columns.includes(quoted(columnName(name))),
      ));
  // Rows may enter a partial index by their new values.
  const isTouched = (index: Index): boolean =>
    mentions(index, index.where === undefined ? touched : changed);
  const kept = new Set<Index>();
  renamed.table.indexes.forEach((index, at) => {
    const from = before.table.indexes[at]?.name ?? index.name;
    const same = isTouched(index)
      ? undefined
      : now.table.indexes.find((other) => sameIndex(index, other));
    if (same !== undefined) {
      kept.add(same);
      draft.indexRenames.push({ from, to: same.name });
    } else if (!mentions(index, goesAway)) draft.removals.unshift(`drop index ${quoted(from)};`);
  });
  for (const index of now.table.indexes) {
    if (kept.has(index)) continue;
    const isNew = !renamed.table.indexes.some((old) => old.unique && sameIndex(old, index));
    if (index.unique && (isNew || index.where !== undefined)) {
      draft.guards.push(...sizeGuard(pair, index), ...uniqueGuard(pair, index));
    }
    draft.constraints.push(createIndex(now.table.name, index));
    draft.names.push(`${displayName(pair)}_index`);
  }
}

/** Columns, under the names of now, that go and take their indexes along. */
function goneColumns(pair: CollectionPair): string[] {
  const { renamed, now, dropped, before } = pair;
  const columns = dropped.map((field) => {
    const at = before.definition.fields.indexOf(field);
    return renamed.table.columns[at]?.name ?? '';
  });
  return [
    ...columns,
    ...goneWords(pair).map(({ name }) => name),
    ...(renamed.table.hasOwner && !now.table.hasOwner ? ['_owner_id'] : []),
  ].map(quoted);
}

/** Writes values into rows: converted ones, those that were missing, and the words of searches. */
function fillValues(pair: CollectionPair, draft: Draft): void {
  const { now } = pair;
  const table = quoted(now.table.name);
  const parts = pair.fields.flatMap((field) => {
    const column = quoted(columnName(field.now.name));
    const fill = backfillOfNowRequired(field);
    const rewrites = conversionIn(field).isIdentity !== true && !isRetyped(pair, field);
    if (!rewrites && fill === undefined) return [];
    const value = rewrites ? convertedSql(field, column) : column;
    return {
      set: `${column} = ${fill === undefined ? value : `coalesce(${value}, ${fill})`}`,
      where: rewrites ? `${column} is not null` : `${column} is null`,
      isReference: field.now.type.type === 'reference',
      also: rewrites && fill !== undefined ? [`${column} is null`] : [],
    };
  });
  const statements: string[] = [];
  if (parts.length > 0) {
    const conditions = parts.flatMap(({ where, also }) => [where, ...also]);
    statements.push(
      `update ${table} set\n  ${parts.map(({ set }) => set).join(',\n  ')}\n` +
        `where ${conditions.join(' or ')};`,
    );
    // PostgreSQL refuses to alter a table that has deferred checks pending.
    if (parts.some(({ isReference }) => isReference)) {
      statements.push('set constraints all immediate;');
    }
  }
  for (const { name, fields } of changedWords(pair)) {
    const columns = fields.map((field) => quoted(columnName(field))).join(', ');
    const words = name === '_words' ? '' : `.${quoted(name)}`;
    statements.push(`-- fill words: ${table}${words} (${columns})`);
  }
  if (statements.length === 0) return;
  // Items are not changed by that: they keep the time of their last change.
  draft.data.push(withoutTouch(table, statements));
}

const namesOf = (fields: readonly Field[]): string => fields.map(({ name }) => name).join(', ');

/** Notes tables that are locked while all their rows are read or written. Widening a decimal does neither. */
function noteLocks(
  pair: CollectionPair,
  retyped: readonly FieldPair[],
  { finished }: Actions,
  draft: Draft,
): void {
  const table = quoted(pair.now.table.name);
  const rewritten = retyped.filter(({ before, now }) => !isWiderDecimal(before.type, now.type));
  const numbered = pair.added.filter(({ isSequence }) => isSequence === true);
  const reasons = [
    ...(rewritten.length > 0 ? [`new type of ${namesOf(rewritten.map(({ now }) => now))}`] : []),
    ...(numbered.length > 0 ? [`numbers of ${namesOf(numbered)}`] : []),
  ];
  if (reasons.length > 0) {
    draft.locks.push(`${table} is rewritten (${reasons.join('; ')})`);
  } else if (finished.some((action) => /^(?:add|.* set not null$)/.test(action))) {
    draft.locks.push(`${table} is read whole (to check the new constraints)`);
  }
}

/** PostgreSQL changes only its catalog if a decimal gets more digits before the point. */
const isWiderDecimal = (before: FieldType, now: FieldType): boolean =>
  before.type === 'decimal' &&
  now.type === 'decimal' &&
  before.scale === now.scale &&
  before.precision <= now.precision;
