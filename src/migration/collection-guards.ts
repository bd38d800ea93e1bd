/** Checks that the existing rows of a collection satisfy its new constraints. */
import type { Field } from '../definition/types.ts';
import { checkOf } from '../model/columns.ts';
import { renameMembers } from '../expressions/expression.ts';
import type { Expression } from '../expressions/expression.ts';
import { ruleSql } from '../expressions/rule-sql.ts';
import { ruleText } from '../expressions/rule-text.ts';
import { existingName } from '../model/existing.ts';
import { columnName, literal, quoted } from '../shared/sql.ts';
import { isScalarColumn, specOf } from '../types/registry.ts';
import type { Index, Table, TableCheck } from '../model/types.ts';
import { checkNameOf } from '../model/constraint-names.ts';
import { isWiderCheck } from './wider-check.ts';
import { existsWithKey } from './sql-conditions.ts';
import { countOf, guard, guardText, guardWhere } from './guards.ts';
import type { CollectionPair, FieldPair } from './compare-models.ts';
import { finalName } from './staged-columns.ts';
import { hiddenTriggers } from './statements.ts';
import { conversionIn, futureValue, backfillOfNowRequired } from './future-values.ts';

/** A rule with the names of its definition. */
export const shownRule = (expression: Expression): string =>
  ruleText(renameMembers(expression, finalName));

const tableName = (pair: CollectionPair): string => quoted(pair.before.table.name);

/** Values that have no form in the new type. */
export function conversionGuard(pair: CollectionPair, field: FieldPair): string[] {
  const { fits } = conversionIn(field);
  if (fits === undefined) return [];
  const column = quoted(columnName(field.before.name));
  const query = countOf(
    pair.before.table.name,
    `case when ${column} is null then false else not (${fits(column)}) end`,
  );
  const what = `Values of ${column} in ${tableName(pair)} that do not fit into ${specOf(field.now.type).nameInMessages(field.now.type)}`;
  return [guard(query, what, 'Change them first.')];
}

/**
 * Refuses if anything that the definitions do not have depends on a column that a new one replaces: dropping the column
 * would fail, or drop that too. Its own default and `not null` (`n`) are left out.
 * @param field as it was.
 */
export function dependencyGuard({ before }: CollectionPair, field: Field): string {
  const { name: table, checks, foreignKeys, indexes } = before.table;
  const column = columnName(field.name);
  const mentionsColumn = (sql: string): boolean => sql.includes(quoted(column));
  const known = [
    checkNameOf(table, column),
    ...hiddenTriggers(before.table).map(({ name }) => name),
    ...foreignKeys.filter((key) => key.column === column).map(({ name }) => name),
    ...checks.filter(({ condition }) => mentionsColumn(condition)).map(({ name }) => name),
    ...indexes
      .filter(({ on, where }) => [...on, where?.condition ?? ''].some(mentionsColumn))
      .map(({ name }) => name),
  ];
  const query = `
    select string_agg(pg_describe_object(classid, objid, objsubid), ', ')
    from pg_depend
    join pg_attribute on attrelid = refobjid and attnum = refobjsubid and attname = ${literal(column)}
    left join pg_class on classid = 'pg_class'::regclass and pg_class.oid = objid
    left join pg_constraint on classid = 'pg_constraint'::regclass and pg_constraint.oid = objid
    left join pg_trigger on classid = 'pg_trigger'::regclass and pg_trigger.oid = objid
    left join pg_attrdef on classid = 'pg_attrdef'::regclass and pg_attrdef.oid = objid
    where refclassid = 'pg_class'::regclass and refobjid = ${literal(quoted(table))}::regclass
      and adnum is distinct from attnum and contype is distinct from 'n'
      and coalesce(relname, conname, tgname, '') not in (${known.map(literal).join(', ')})
  `;
  const what = `These depend on ${quoted(column)} of ${quoted(table)}, which a new column replaces`;
  return guardText(
    query,
    what,
    'Drop them in a migration before this one, and add them in one after it.',
  );
}

/** Rows without a value that is required from now on. */
export function requiredGuard(pair: CollectionPair, field: FieldPair): string[] {
  const { before, now } = field;
  const mayBeEmpty = !before.required || isScalarColumn(before.type) !== isScalarColumn(now.type);
  if (
    !now.required ||
    now.isSequence === true ||
    !mayBeEmpty ||
    backfillOfNowRequired(field) !== undefined
  )
    return [];
  const query = countOf(pair.before.table.name, `${futureValue(pair, now)} is null`);
  const what = `Rows of ${tableName(pair)} without ${quoted(before.name)}, which is required now`;
  return [guard(query, what, 'Give them a value first, or write a backfill.')];
}

/** Values outside of bounds that are narrower now. */
export function checkGuard(pair: CollectionPair, field: FieldPair): string[] {
  const { before, now } = field;
  const value = futureValue(pair, now) ?? 'null';
  const check = checkOf(now.type, value);
  if (check === undefined || isWiderCheck(before.type, now.type)) return [];
  const query = countOf(pair.before.table.name, `not (${check})`);
  const shown = checkOf(now.type, quoted(columnName(finalName(now.name)))) ?? '';
  const what = `Rows of ${tableName(pair)} that break ${shown}`;
  return [guard(query, what, 'Change them first.')];
}

/** Rows that violate a check over several fields. */
export function ruleGuard(pair: CollectionPair, { definition: check }: TableCheck): string {
  const condition = futureCondition(pair, check.expression);
  const query = countOf(pair.before.table.name, `not (${condition})`);
  const what = `Rows of ${tableName(pair)} that violate the check ${quoted(check.name)} (${shownRule(check.expression)})`;
  return guard(query, what, 'Change them first.');
}

/** A rule over the values that rows will have. */
const futureCondition = (pair: CollectionPair, expression: Expression): string =>
  ruleSql(expression, ({ name, type }) => {
    const field = pair.now.definition.fields.find((one) => one.name === name);
    // Of a new field without a backfill, all rows have null.
    return (field && futureValue(pair, field)) ?? `null::${specOf(type).column(type).cast}`;
  });

/** Values that several rows share, where they must be unique from now on. */
export function uniqueGuard(pair: CollectionPair, { fields, where }: Index): string[] {
  const { definition } = pair.now;
  const values = fields.map((name) => {
    const field = definition.fields.find((one) => one.name === name);
    return field === undefined ? undefined : futureValue(pair, field);
  });
  // What is new and empty clashes with nothing.
  if (values.includes(undefined)) return [];
  const list = values.join(', ');
  const expression = where?.rule.expression;
  const present = [
    ...values.map((value) => `${value} is not null`),
    ...(expression === undefined ? [] : [`(${futureCondition(pair, expression)})`]),
  ].join(' and ');
  const query =
    `\n    select count(*) from (\n      select from ${tableName(pair)} where ${present}\n` +
    `      group by ${list} having count(*) > 1\n    ) as "shared"\n  `;
  const names = fields.map((name) => quoted(finalName(name))).join(', ');
  const among = expression === undefined ? '' : ` where ${shownRule(expression)}`;
  const what = `Values of ${names} that several rows of ${tableName(pair)}${among} share, and must be unique now`;
  return [guard(query, what, 'Change all but one of each first.')];
}

/** Texts that are too long for an index, where a pattern or a format bounds them from now on. */
export function sizeGuard(pair: CollectionPair, { fields, on }: Index): string[] {
  return fields.flatMap((name, at) => {
    const { definition, table } = pair.now;
    const field = definition.fields.find((one) => one.name === name);
    const column = table.columns.find((one) => one.field === name);
    if (field === undefined || column === undefined || column.maxCharacters === 0) return [];
    const maxBytes = specOf(field.type).textBytes?.(field.type) ?? 0;
    // What max_length bounds is checked already, and of a digest any text will do.
    const isChecked = column.maxCharacters * 4 <= maxBytes || on[at] !== quoted(column.name);
    const value = futureValue(pair, field);
    if (isChecked || value === undefined) return [];
    const query = countOf(pair.before.table.name, `octet_length(${value}) > ${maxBytes}`);
    const what = `Values of ${quoted(finalName(name))} in ${tableName(pair)} that take more than ${maxBytes} bytes, as no value may from now on`;
    return [guard(query, what, 'Change them first.')];
  });
}

/** Ids that lead to no item of the collection that a reference names from now on. @param target absent: none does. */
export function referenceGuard(
  pair: CollectionPair,
  field: Field,
  target: Pick<Table, 'name' | 'existing'> | undefined,
  problem = 'leads to nothing',
): string[] {
  const value = futureValue(pair, field);
  if (value === undefined) return [];
  const existing = target?.existing;
  const [table, id] =
    existing === undefined
      ? [target && quoted(target.name), '"id"']
      : [existingName(existing), quoted(existing.keyColumns[0])];
  const missing =
    table === undefined
      ? ''
      : `\n    and not exists (select from ${table} where ${id} = "rows"."value")`;
  const query =
    `\n    select count(*) from (select ${value} as "value" from ${tableName(pair)}) as "rows"\n` +
    `    where "value" is not null${missing}\n  `;
  const what = `Rows of ${tableName(pair)} in which ${quoted(finalName(field.name))} ${problem}`;
  const remedy = 'Change them first.';
  return [
    existing === undefined
      ? guard(query, what, remedy)
      : guardWhere(existsWithKey(existing), query, what, remedy),
  ];
}
