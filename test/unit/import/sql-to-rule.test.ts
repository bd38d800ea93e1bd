/** Conditions as PostgreSQL writes them back, read as rules. PostgreSQL and the rules say what they mean. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

import { truthOf } from '../../../src/expressions/evaluate.ts';
import type { Expression } from '../../../src/expressions/expression.ts';
import { parseRule } from '../../../src/expressions/parse-rule.ts';
import { ruleSql } from '../../../src/expressions/rule-sql.ts';
import { typeRule } from '../../../src/expressions/type-rule.ts';
import type { DatabaseType } from '../../../src/database/database-schema.ts';
import { sqlToRule } from '../../../src/import/sql-to-rule.ts';
import type { RuleMember } from '../../../src/import/sql-to-rule.ts';
import { specOf } from '../../../src/types/registry.ts';
import { FIELDS, row, rule } from '../expressions/rules.ts';
import { emptyDatabase } from '../../support/pglite.ts';

const database = await emptyDatabase();

/** What PostgreSQL has of a check. */
async function writtenBack(check: string): Promise<string> {
  await database.exec(`alter table "rows" add constraint "one" check (${check})`);
  const { rows } = await database.query<{ sql: string }>(
    `select pg_get_constraintdef(oid) as "sql" from pg_constraint where conname = 'one'`,
  );
  await database.exec('alter table "rows" drop constraint "one"');
  return (rows[0]?.sql ?? '').replace(/^CHECK /, '');
}

function typed(text: string): Expression | undefined {
  const syntax = parseRule(text);
  return 'message' in syntax ? undefined : typeRule(syntax, FIELDS).expression;
}

/** The columns of the table that the tests make, as the catalog has them. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ integer: 'int8', bigint: 'int8', decimal: 'numeric', finer: 'numeric', number: 'float8' },
  ...{ boolean: 'bool', string: 'text', enum: 'text', others: 'text', timestamp: 'timestamptz' },
  ...{
    duration: 'interval',
    reference: 'uuid',
    ip: 'inet',
    bytes: 'bytea',
    list: 'jsonb',
    json: 'jsonb',
  },
};

const typeOf = (name: string, schema = 'pg_catalog'): DatabaseType => ({
  ...{ name, schema, kind: 'base', values: [], checks: [], modifier: -1, extension: null },
});

function memberOf(name: string): RuleMember | undefined {
  const field = FIELDS.find((one) => one.name === name);
  const [own = ''] = name.split('_');
  const column = { type: typeOf(TYPES[own] ?? own), comparesExactly: true };
  return field && { name, required: field.required, column };
}

const integer = (name: string): RuleMember => ({
  name,
  required: false,
  column: { type: typeOf('int4'), comparesExactly: true },
});

beforeAll(async () => {
  const columns = FIELDS.map(
    ({ name, type }) => `"${name}" ${specOf(type).column(type).definition}`,
  );
  await database.exec(`create table "rows" (${columns.join(', ')})`);
});

test('a random rule that is read from its check is true, false or null for the same rows', async () => {
  const seed = fc.readConfigureGlobal().seed ?? 1;
  const rules = fc.sample(rule, { numRuns: 400, seed });
  const rows = fc.sample(row, { numRuns: 60, seed });
  let read = 0;
  for (const original of rules) {
    const sql = await writtenBack(ruleSql(original));
    const text = sqlToRule(sql, memberOf);
    const again = text === undefined ? undefined : typed(text);
    if (again === undefined) continue;
    read += 1;
    const truths = (one: Expression): unknown[] => rows.map((values) => truthOf(one, values));
    expect(truths(again), `${sql}\n${text}`).toEqual(truths(original));
  }
  // Rules over timestamps, durations, bytes and the like are not read.
  expect(read).toBeGreaterThan(100);
});

test.each([
  ['integer_1 is null', 'integer_1 = null'],
  [
    'integer_1 > 0 and integer_2 > 0 or boolean_1',
    '(integer_1 > 0 and integer_2 > 0) or boolean_1 = true',
  ],
  ['not (integer_1 > -5)', 'not (integer_1 > -5)'],
  ['boolean_1 is true', 'boolean_1 = true and boolean_1 != null'],
  ['boolean_needed is false', 'boolean_needed = false'],
  [`enum_1 in ('a', 'it''s')`, `enum_1 in ('a', 'it''s')`],
  [`enum_1::varchar(5) not in ('a', 'b')`, undefined],
  [`string_1::varchar = 'a'`, undefined],
  ['bigint_1 >= 0::smallint', 'bigint_1 >= 0'],
  [`date_1 >= '2020-01-01'`, `date_1 >= '2020-01-01'`],
  ['integer_1 + 1 > 0', undefined],
  ['length(string_1) > 1', undefined],
  [`string_1 ~ '^a'`, undefined],
  ['integer_1 between 1 and 5', 'integer_1 >= 1 and integer_1 <= 5'],
  ['(integer_1 is null) <> (integer_2 is null)', undefined],
  ['integer_1 = any (array[1, 2])', 'integer_1 in (1, 2)'],
  ['integer_1 > any (array[1, 2])', undefined],
  ['boolean_1 is not true', undefined],
])('%s', async (check, expected) => {
  expect(sqlToRule(await writtenBack(check), memberOf)).toBe(expected);
});

test('columns that are not members, and conditions that are not complete, have no rule', () => {
  const none = () => undefined;
  expect(sqlToRule('(a > 0)', none)).toBeUndefined();
  const some = () => integer('in');
  expect(sqlToRule('(a > 0)', some)).toBe('"in" > 0');
  for (const sql of [
    '',
    '(',
    '(a > 0',
    'a >',
    'a = ANY (',
    'a > 0)',
    "a = 'x",
    'a IS',
    'NOT',
    '("a',
  ]) {
    expect(sqlToRule(sql, some), sql).toBeUndefined();
  }
});

test.each([
  ['(x > (1.5)::integer)', 'numeric'],
  ['(x <> ALL ((ARRAY[1.5])::integer[]))', 'numeric'],
  ["(x > '1 or x = null'::integer)", 'int4'],
  ["(x > '5')", 'int4'],
  ["(x = 'a'::bpchar)", 'text'],
  ["(x = 'a'::text COLLATE loose)", 'text'],
  ["((x)::text = '5'::text)", 'int4'],
])('%s of a column of the type %s is not a rule', (sql, type) => {
  const column = { type: typeOf(type), comparesExactly: true };
  expect(sqlToRule(sql, () => ({ name: 'x', required: false, column }))).toBeUndefined();
});

test('conditions that are nested without end take little time', () => {
  const some = () => integer('a');
  const before = process.cpuUsage();
  for (const start of ['(', 'NOT ', '(NOT ', '((a)::text = 1) AND (']) {
    expect(sqlToRule(`${start.repeat(20_000)}a > 0`, some)).toBeUndefined();
  }
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
});
