/**
 * The changes of one table as statements. `onlineChanges` lets requests go on meanwhile: constraints are added
 * without a look at the rows and validated later, indexes are built concurrently, values are filled in batches, and
 * what processes of an older version need is removed last, except for columns that get another type.
 * `changesInOneTransaction` locks the table: for changes that rewrite it.
 */
import type { Column } from '../model/columns.ts';
import type { ForeignKey, Index } from '../model/types.ts';
import { columnName, literal, objectName, quoted } from '../shared/sql.ts';
import type { CollectionPair } from './compare-models.ts';
import type { Draft } from './draft.ts';
import { dollarQuoted } from './guards.ts';
import { addForeignKey, createIndex, validateForeignKey, withoutTouch } from './statements.ts';

/** A constraint as SQL: `constraint "…" check (…)`, and its name, unquoted. */
export interface Constraint {
  readonly name: string;
  readonly sql: string;
}

/** Values that are written into rows. */
export interface RowFill {
  /** Unquoted. */
  readonly column: string;
  /** The new value, in SQL. */
  readonly value: string;
  /** The rows that get it, in SQL. */
  readonly where: string;
  /** Whether the column refers to other items. */
  readonly isReference: boolean;
}

/** A column of words that is filled, and the fields with the texts. */
interface WordsFill {
  readonly name: string;
  readonly fields: readonly string[];
  /** Whether processes of an older version write other words into the column. */
  readonly oldVersionWritesOtherWords: boolean;
}

export interface TableChanges {
  readonly isOnline: boolean;
  /** @param mayBeMissing of a foreign key to an existing table. */
  dropConstraint(name: string, mayBeMissing?: boolean): void;
  addConstraint(constraint: Constraint): void;
  addForeignKey(key: ForeignKey): void;
  /** @param fill the value of existing rows, in SQL. */
  addColumn(column: Column, fill: string | undefined): void;
  /** Adds a column that no field has. @param sql with its name. */
  addHiddenColumn(sql: string): void;
  /** @param column its name, unquoted. @param isRequired whether new rows would need a value. */
  dropColumn(column: string, isRequired: boolean): void;
  /** An action that changes the catalog alone. */
  alterColumn(column: string, action: string): void;
  /** Gives a column the default that it has from now on. */
  setDefault(column: Column): void;
  /** @param fill the value of rows without one, in SQL. */
  requireColumn(column: string, fill: string | undefined): void;
  createIndex(index: Index): void;
  dropIndex(index: Index, name: string): void;
  fillRows(fills: readonly RowFill[], words: readonly WordsFill[]): void;
  /** Adds all of this to the draft. */
  addToDraft(): void;
}

/** Changes that let requests go on. */
export interface OnlineChanges extends TableChanges {
  readonly isOnline: true;
  /** Adds a column under a new name, and keeps it equal to the old one until no older process runs. */
  renameColumn(from: Column, to: Column): void;
  /**
   * Adds a column with another type for the values of an old one, with a trigger that converts what is written until
   * the columns are switched: then it replaces the old one.
   */
  retypeColumn(change: RetypedColumn): void;
}

/** A column whose values get another type or form. */
export interface RetypedColumn {
  readonly from: Column;
  /** The new column, with its name until the old one is dropped. */
  readonly to: Column;
  /** The new value, in SQL. @param column the old column, quoted. */
  readonly value: (column: string) => string;
  /** The condition that a value has a form in the new type, in SQL; absent: all have. */
  readonly fits?: (column: string) => string;
  /** The value of rows without one, in SQL. */
  readonly fill?: string;
  /** The new type, in words. */
  readonly typeName: string;
}

/** Changes that lock the table until the end of the transaction. */
export interface LockingChanges extends TableChanges {
  readonly isOnline: false;
  readonly actions: LockingActions;
}

/** The actions of `alter table`, of changes that need a lock: each list is one statement, in this order. */
export interface LockingActions {
  readonly removed: string[];
  readonly added: string[];
  readonly finished: string[];
}

const alterTable = (table: string, actions: readonly string[]): string =>
  `alter table ${quoted(table)}\n  ${actions.join(',\n  ')};`;

const add = ({ sql }: Constraint): string => `add ${sql}`;

/** `add column`, and a default for existing rows. PostgreSQL keeps it in its catalog: no row is written. */
function columnSql({ name, definition, nullable }: Column, fill: string | undefined): string {
  const parts = [quoted(name), definition];
  if (!nullable) parts.push('not null');
  if (fill !== undefined) parts.push(`default ${fill}`);
  return parts.join(' ');
}

/** The default that a column has in the end. */
const defaultAction = ({ name, default: value }: Column): string =>
  `alter column ${quoted(name)} ${value === undefined ? 'drop default' : `set default ${value}`}`;

const wordsLine = (table: string, { name, fields }: WordsFill): string => {
  const columns = fields.map((field) => quoted(columnName(field))).join(', ');
  const words = name === '_words' ? '' : `.${quoted(name)}`;
  return `-- fill words: ${table}${words} (${columns})`;
};

/** @param table quoted. @param rows a condition for rows, which those of the fills narrow. */
function updateRows(table: string, fills: readonly RowFill[], rows?: string): string {
  const sets = fills.map(({ column, value }) => `${quoted(column)} = ${value}`).join(',\n  ');
  const conditions = fills.map(({ where }) => where).join(' or ');
  const where = rows === undefined ? conditions : `${rows} and (${conditions})`;
  return `update ${table} set\n  ${sets}\nwhere ${where};`;
}

/**
 * Copies the value of a column to another one, whichever of them a statement writes. A row that has no value in
 * the new one yet gets that of the old one with any change. Names are quoted.
 * @param fallback the value of new rows that have none in either, in SQL.
 */
const copyFunction = (
  name: string,
  old: string,
  is: string,
  fallback: string | undefined,
): string => `create or replace function ${name}() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.${is} := coalesce(new.${is}, new.${old}${fallback === undefined ? '' : `, ${fallback}`});
    new.${old} := new.${is};
  elsif new.${is} is distinct from old.${is} then
    new.${old} := new.${is};
  else
    new.${is} := new.${old};
  end if;
  return new;
end
$$;`;

/** Writes the converted value of a column into another one. Names are quoted. */
function conversionFunction(
  name: string,
  table: string,
  old: string,
  is: string,
  { value, fits, typeName }: RetypedColumn,
): string {
  const row = `new.${old}`;
  const refusal = literal(`A value of ${old} in ${table} does not fit into ${typeName}`);
  const body = [
    'begin',
    ...(fits === undefined
      ? []
      : [
          // In parentheses: PL/pgSQL ends the condition of `if` at the first `then` outside of any.
          `  if (case when ${row} is not null then not (${fits(row)}) end) then`,
          `    raise exception using errcode = 'check_violation', message = ${refusal};`,
          '  end if;',
        ]),
    `  new.${is} := ${value(row)};`,
    '  return new;',
    'end',
  ].join('\n');
  return `create or replace function ${name}() returns trigger language plpgsql as ${dollarQuoted(body)};`;
}

/** Gives a column a value in rows that are written without one. Names are quoted. */
function fillFunction(name: string, column: string, value: string): string {
  const body = `begin\n  new.${column} := coalesce(new.${column}, ${value});\n  return new;\nend`;
  return `create or replace function ${name}() returns trigger language plpgsql as ${dollarQuoted(body)};`;
}

/** A trigger that calls the function of its name. */
const rowTrigger = (name: string, table: string): string =>
  `create trigger ${name} before insert or update on ${table}\n  ` +
  `for each row execute function ${name}();`;

const dropAction = (constraint: string, mayBeMissing = false): string =>
  `drop constraint ${mayBeMissing ? 'if exists ' : ''}${quoted(constraint)}`;

/** Changes that hold the table until the end of the transaction. */
export function changesInOneTransaction(
  { before, now }: CollectionPair,
  draft: Draft,
): LockingChanges {
  const actions: LockingActions = { removed: [], added: [], finished: [] };
  const name = now.table.name;
  return {
    isOnline: false,
    actions,
    dropConstraint(constraint, mayBeMissing) {
      actions.removed.unshift(dropAction(constraint, mayBeMissing));
    },
    addConstraint(constraint) {
      actions.finished.push(add(constraint));
    },
    addForeignKey(key) {
      draft.references.push(addForeignKey(name, key));
    },
    addColumn(column, fill) {
      actions.added.push(`add column ${columnSql(column, fill)}`);
      if (fill !== column.default) actions.finished.push(defaultAction(column));
    },
    addHiddenColumn(sql) {
      actions.added.push(`add column ${sql}`);
    },
    dropColumn(column) {
      actions.removed.push(`drop column ${quoted(column)}`);
    },
    alterColumn(column, action) {
      actions.added.push(`alter column ${quoted(column)} ${action}`);
    },
    setDefault(column) {
      actions.finished.push(defaultAction(column));
    },
    requireColumn(column) {
      actions.finished.push(`alter column ${quoted(column)} set not null`);
    },
    createIndex(index) {
      draft.constraints.push(createIndex(name, index));
    },
    dropIndex(_index, old) {
      draft.removals.unshift(`drop index ${quoted(old)};`);
    },
    fillRows(fills, words) {
      const table = quoted(name);
      const statements = [
        ...(fills.length > 0 ? [updateRows(table, fills)] : []),
        // PostgreSQL refuses to alter a table that has deferred checks pending.
        ...(fills.some(({ isReference }) => isReference) ? ['set constraints all immediate;'] : []),
        ...words.map((one) => wordsLine(table, one)),
      ];
      // Items are not changed by that: they keep the time of their last change.
      if (statements.length > 0) draft.data.push(withoutTouch(table, statements));
    },
    addToDraft() {
      const { removed, added, finished } = actions;
      if (removed.length > 0) draft.removals.push(alterTable(before.table.name, removed));
      if (added.length > 0) draft.additions.push(alterTable(name, added));
      if (finished.length > 0) draft.constraints.unshift(alterTable(name, finished));
    },
  };
}

/** Changes that hold the table for moments only. All statements but those of renames can be repeated. */
export function onlineChanges(
  { before, now, fields, oldNameIsFree }: CollectionPair,
  draft: Draft,
): OnlineChanges {
  const name = now.table.name;
  const table = quoted(name);
  const isRenamed = before.table.name !== name;
  // Constraints are named by tables and columns: those that stay get their new names before any is added.
  const renamesConstraints = isRenamed || fields.some((one) => one.before.name !== one.now.name);
  const dropped = new Set<string>();
  const removed: string[] = [];
  const actions: string[] = [];
  const constraints: string[] = [];
  const validated: string[] = [];
  const foreignKeys: ForeignKey[] = [];
  const indexes: Index[] = [];
  const contracted: string[] = [];
  const copies: RowFill[] = [];
  const dropTrigger = (trigger: string, file = draft.contract): void => {
    file.push(
      `drop trigger if exists ${trigger} on ${table};`,
      `drop function if exists ${trigger}();`,
    );
  };
  const addFinishStatements = (...statements: string[]): void => {
    draft.finishStatements.push(...statements);
    draft.finishTables.add(name);
  };
  /** The statements that give a column its value where processes of an older version leave it out. */
  const fillMeanwhile = (column: string, fill: string): string[] => {
    const trigger = quoted(objectName('_fill', name, column));
    dropTrigger(trigger);
    return [fillFunction(trigger, quoted(column), fill), rowTrigger(trigger, table)];
  };
  const requireColumn: TableChanges['requireColumn'] = (column, fill) => {
    // PostgreSQL reads no row for `set not null` where a valid constraint says the same.
    const constraint = quoted(objectName(name, column, 'required'));
    addFinishStatements(
      alterTable(name, [
        `drop constraint if exists ${constraint}`,
        `add constraint ${constraint} check (${quoted(column)} is not null) not valid`,
      ]),
    );
    if (fill !== undefined) draft.constraints.push(...fillMeanwhile(column, fill));
    addFinishStatements(
      `alter table ${table} validate constraint ${constraint};`,
      `alter table ${table} alter column ${quoted(column)} set not null;`,
      `alter table ${table} drop constraint if exists ${constraint};`,
    );
  };
  return {
    isOnline: true,
    dropConstraint(constraint, mayBeMissing) {
      if (renamesConstraints) removed.unshift(dropAction(constraint, mayBeMissing));
      else dropped.add(constraint);
    },
    addConstraint(constraint) {
      dropped.add(constraint.name);
      constraints.push(`${add(constraint)} not valid`);
      validated.push(constraint.name);
    },
    addForeignKey(key) {
      dropped.delete(key.name);
      foreignKeys.push(key);
    },
    addColumn(column, fill) {
      actions.push(`add column if not exists ${columnSql(column, fill)}`);
      // Processes of an older version insert rows without it.
      if (fill !== column.default) contracted.push(defaultAction(column));
    },
    addHiddenColumn(sql) {
      actions.push(`add column if not exists ${sql}`);
    },
    renameColumn(from, to) {
      const [old, is] = [quoted(from.name), quoted(to.name)];
      const copy = quoted(objectName('_copy', name, to.name));
      actions.push(`add column if not exists ${is} ${to.definition}`);
      // Of a new row, only one of them has a value.
      if (from.default !== undefined) actions.push(`alter column ${old} drop default`);
      // Once the trigger is gone, new rows have none in the old column, until that is gone too.
      if (!from.nullable) actions.push(`alter column ${old} drop not null`);
      const fallback = to.nullable ? undefined : to.default;
      draft.constraints.push(copyFunction(copy, old, is, fallback), rowTrigger(copy, table));
      copies.push({
        column: to.name,
        value: old,
        where: `${is} is distinct from ${old}`,
        isReference: false,
      });
      if (!to.nullable) requireColumn(to.name, undefined);
      dropTrigger(copy);
      contracted.push(`drop column if exists ${old}`);
      if (to.default !== undefined) contracted.push(defaultAction(to));
    },
    retypeColumn(change) {
      const { from, to, value, fill } = change;
      const [old, is] = [quoted(from.name), quoted(to.name)];
      const copy = quoted(objectName('_copy', name, to.name));
      const filled = (column: string): string =>
        fill === undefined ? value(column) : `coalesce(${value(column)}, ${fill})`;
      actions.push(`add column if not exists ${is} ${to.definition}`);
      draft.constraints.push(
        conversionFunction(copy, table, old, is, { ...change, value: filled }),
        rowTrigger(copy, table),
      );
      copies.push({
        column: to.name,
        value: filled(old),
        // The trigger fills rows that are written meanwhile.
        where: `${is} is null${fill === undefined ? ` and ${old} is not null` : ''}`,
        isReference: false,
      });
      if (!to.nullable) requireColumn(to.name, undefined);
      dropTrigger(copy, draft.switchStatements);
      draft.switchStatements.push(
        alterTable(name, [`drop column ${old}`]),
        `alter table ${table} rename column ${is} to ${old};`,
      );
      if (to.default !== undefined) {
        draft.switchStatements.push(alterTable(name, [defaultAction({ ...to, name: from.name })]));
      }
      if (fill !== undefined) draft.switchStatements.push(...fillMeanwhile(from.name, fill));
    },
    dropColumn(column, isRequired) {
      // Another column, or an index of another table, gets its names.
      if ((isRenamed && !oldNameIsFree) || now.table.columns.some((one) => one.name === column)) {
        removed.push(`drop column ${quoted(column)}`);
        draft.breaks.push(`the column ${quoted(column)} of ${table} is replaced`);
        return;
      }
      if (isRequired) actions.push(`alter column ${quoted(column)} drop not null`);
      contracted.push(`drop column if exists ${quoted(column)}`);
    },
    alterColumn(column, action) {
      actions.push(`alter column ${quoted(column)} ${action}`);
    },
    setDefault(column) {
      actions.push(defaultAction(column));
    },
    requireColumn,
    createIndex(index) {
      indexes.push(index);
    },
    dropIndex(index, old) {
      const isReplaced = now.table.indexes.some((one) => one.name === old);
      if (isReplaced) {
        const aside = quoted(objectName(old, 'old'));
        draft.removals.push(`alter index ${quoted(old)} rename to ${aside};`);
        draft.afterIndexes.push(`drop index concurrently if exists ${aside};`);
      } else if (index.unique || (isRenamed && !oldNameIsFree))
        draft.removals.push(`drop index ${quoted(old)};`);
      else draft.contract.push(`drop index concurrently if exists ${quoted(old)};`);
    },
    fillRows(others, words) {
      const fills = [...copies, ...others];
      const range = '"id" > $1 and "id" <= $2';
      const statements = [
        ...(fills.length > 0 ? [updateRows(table, fills, range)] : []),
        ...words.map((one) => wordsLine(table, one)),
      ];
      if (statements.length > 0) draft.batches.push({ table: name, statements });
      const rewritten = words.filter(
        ({ oldVersionWritesOtherWords }) => oldVersionWritesOtherWords,
      );
      if (rewritten.length === 0) return;
      draft.contractTables.add(name);
      draft.contract.push(
        `set service.touch = 'off';`,
        ...rewritten.map((one) => wordsLine(table, one)),
        'reset service.touch;',
      );
    },
    addToDraft() {
      if (removed.length > 0) draft.removals.push(alterTable(before.table.name, removed));
      const drops = [...dropped].map((one) => dropAction(one, true));
      const all = [...drops, ...actions, ...constraints];
      if (all.length > 0) draft.expansions.push(alterTable(name, all));
      draft.expansions.push(...foreignKeys.map((key) => addForeignKey(name, key, 'online')));
      for (const one of validated) {
        addFinishStatements(`alter table ${table} validate constraint ${quoted(one)};`);
      }
      for (const key of foreignKeys) addFinishStatements(validateForeignKey(name, key));
      for (const index of indexes) addFinishStatements(createIndex(name, index, 'online'));
      if (contracted.length > 0) draft.contract.push(alterTable(name, contracted));
    },
  };
}
