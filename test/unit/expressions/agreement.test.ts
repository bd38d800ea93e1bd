/**
 * A rule means the same in TypeScript, in SQL and in the search of examples: for random rules over members of all
 * types, and for values at the edges of these. The emitted code runs for real, and compiles.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { execa } from 'execa';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { renderProject } from '../../../src/project/render-project.ts';
import { parseSingleFile } from '../../../src/definition/index.ts';
import { holdsFor, truthOf } from '../../../src/expressions/evaluate.ts';
import type { Expression } from '../../../src/expressions/expression.ts';
import { parseRule } from '../../../src/expressions/parse-rule.ts';
import { ruleSql } from '../../../src/expressions/rule-sql.ts';
import { ruleText } from '../../../src/expressions/rule-text.ts';
import { ruleTypescript } from '../../../src/expressions/rule-typescript.ts';
import { typeRule } from '../../../src/expressions/type-rule.ts';
import { NPM } from '../../../src/shared/package-manager.ts';
import { specOf } from '../../../src/types/registry.ts';
import { compareDurations } from '../../../templates/service/src/platform/http/durations.ts';
import { FIELDS, row, rule } from './rules.ts';
import { createInMemory } from '../../../templates/service/src/platform/database/pglite.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
mkdirSync(path.join(ROOT, '.tmp'), { recursive: true });
const place = mkdtempSync(path.join(ROOT, '.tmp/checks-'));
const database = await createInMemory();
afterAll(async () => {
  rmSync(place, { recursive: true, force: true });
  await database.close();
});

/** The functions that emitted checks call. */
const FUNCTIONS = { ...(await emittedFunctions()), compareDurations };

async function emittedFunctions(): Promise<object> {
  const yaml = `collections:
  things:
    fields:
      a: { type: decimal, precision: 4, scale: 2 }
      b: { type: bigint }
      c: { type: timestamp }
      d: { type: timestamp }
    checks: { one: { rule: 'a < b' }, other: { rule: 'c < d' } }
`;
  const definitions = await parseSingleFile(
    { path: 'things.yaml', bytes: new TextEncoder().encode(yaml) },
    { fallbackName: 'things' },
  );
  if (!definitions.ok) throw new Error(definitions.issues[0]?.message);
  const files = await renderProject(definitions, { tool: '0.0.0', manager: NPM });
  const emitted = files.find(({ path: file }) => file === 'src/platform/http/checks.ts');
  const file = path.join(place, 'checks.ts');
  writeFileSync(file, emitted?.text ?? '');
  return (await import(/* @vite-ignore */ file)) as object;
}

/** The emitted code of all rules, as functions. */
async function emittedRules(): Promise<readonly ((values: object) => boolean)[]> {
  const names = Object.keys(FUNCTIONS).join(', ');
  const rules = RULES.map((one) => `  (values) => ${ruleTypescript(one).text},`);
  const file = path.join(place, 'rules.js');
  writeFileSync(file, `export const rules = ({ ${names} }) => [\n${rules.join('\n')}\n];\n`);
  const module = (await import(/* @vite-ignore */ file)) as {
    rules: (functions: object) => readonly ((values: object) => boolean)[];
  };
  return module.rules(FUNCTIONS);
}

/** The rule as it is read from its text. */
function readRule(expression: Expression): Expression {
  const text = ruleText(expression);
  const syntax = parseRule(text);
  if ('message' in syntax) throw new Error(`${text}: ${syntax.message}`);
  const { expression: read, problems } = typeRule(syntax, FIELDS);
  if (read === undefined) throw new Error(`${text}: ${problems[0]?.message}`);
  return read;
}

const seed = fc.readConfigureGlobal().seed ?? 1;
/** Rules in which TypeScript knows more of a member at the end than at the beginning. */
const NARROWING = [
  "(enum_needed != 'a' and enum_needed != 'b') or enum_needed = 'it''s'",
  "enum_needed != 'a' or enum_needed = 'b'",
  "enum_needed = 'a' or enum_needed = 'a' and date_1 = null",
  "(enum_needed = 'a' or enum_needed = 'b') and enum_needed != 'it''s'",
  "enum_needed = others_needed and enum_needed != 'a'",
  "enum_1 != 'a' or others_1 != 'c' or enum_1 = others_1",
  'boolean_needed = true or boolean_1 = false or boolean_needed = boolean_1',
  'integer_needed = 1 and integer_needed != 2 or integer_needed = integer_1',
  'date_1 = null and (date_1 < date_2 or date_2 = null)',
  'date_1 != null or date_1 < date_2',
  'not (date_1 = null or date_1 != null) or time_1 = null',
];
const RULES = [
  ...NARROWING.map(readFrom),
  ...fc.sample(rule, { numRuns: 1_500, seed }).map(readRule),
];
const ROWS = fc.sample(row, { numRuns: 150, seed });

test('the text of a rule says all of it', () => {
  for (const expression of RULES) {
    const text = ruleText(expression);
    expect(ruleText(readRule(expression))).toBe(text);
    expect(readRule(expression)).toEqual(expression);
  }
});

beforeAll(async () => {
  const columns = FIELDS.map(
    ({ name, type }) => `"${name}" ${specOf(type).column(type).definition}`,
  );
  await database.exec(`create table "rows" ("n" integer, ${columns.join(', ')})`);
  const tuples = ROWS.map((values, n) => {
    const cells = FIELDS.map(({ name, type }) => {
      const value = values[name] ?? null;
      return value === null ? 'null' : specOf(type).literal(type, value);
    });
    return `(${[n, ...cells].join(', ')})`;
  });
  await database.exec(`insert into "rows" values ${tuples.join(', ')}`);
});

test('TypeScript, SQL and the search of examples agree', async () => {
  let violated = 0;
  const emitted = await emittedRules();
  for (const [at, expression] of RULES.entries()) {
    const sql = `select array_agg(("holds") is not false order by "n") as "holds"
      from (select "n", (${ruleSql(expression)}) as "holds" from "rows") as "judged"`;
    const { rows } = await database.query<{ holds: boolean[] }>(sql);
    const { uses } = ruleTypescript(expression);
    const holds = emitted[at];
    expect(Object.keys(FUNCTIONS)).toEqual(expect.arrayContaining([...uses]));
    const inSql = rows[0]?.holds ?? [];
    const inTypescript = ROWS.map((values) => holds?.(values));
    const inSearch = ROWS.map((values) => holdsFor(expression, values));
    expect([ruleText(expression), inTypescript]).toEqual([ruleText(expression), inSql]);
    expect([ruleText(expression), inSearch]).toEqual([ruleText(expression), inSql]);
    violated += inSql.filter((one) => !one).length;
  }
  // Otherwise they would agree on nothing.
  expect(violated).toBeGreaterThan(RULES.length * 10);
});

test('a partial index takes each rule, and holds the rows for which the search of examples finds it true', async () => {
  let held = 0;
  for (const expression of RULES) {
    await database.exec(`create index "some" on "rows" ("n") where ${ruleSql(expression)}`);
    const { rows } = await database.query<{ held: number }>(
      `select "reltuples"::integer as "held" from "pg_class" where "relname" = 'some'`,
    );
    await database.exec('drop index "some"');
    const inSearch = ROWS.filter((values) => truthOf(expression, values) === true).length;
    expect([ruleText(expression), rows[0]?.held]).toEqual([ruleText(expression), inSearch]);
    held += inSearch;
  }
  expect(held).toBeGreaterThan(RULES.length * 10);
}, 120_000);

test('a CHECK of PostgreSQL refuses what a rule refuses', async () => {
  await database.exec(`create table "kept" ("a" integer, "b" integer,
    check (${ruleSql(readFrom('integer_1 > integer_2')).replaceAll('integer_1', 'a').replaceAll('integer_2', 'b')}))`);
  await database.exec('insert into "kept" values (2, 1), (null, 1), (1, null), (null, null)');
  await expect(database.exec('insert into "kept" values (1, 1)')).rejects.toThrow(/check/);
});

function readFrom(text: string): Expression {
  const syntax = parseRule(text);
  if ('message' in syntax) throw new Error(syntax.message);
  const { expression } = typeRule(syntax, FIELDS);
  if (expression === undefined) throw new Error(text);
  return expression;
}

test('the emitted code compiles', async () => {
  const members = FIELDS.map(
    ({ name, type, required }) =>
      `  readonly ${name}: ${specOf(type).typescript(type)}${required ? '' : ' | null'};`,
  );
  const functions = Object.keys(FUNCTIONS).map(
    (name) => `declare function ${name}(left: number | string, right: number | string): number;`,
  );
  const rules = RULES.map(
    (expression) => `  (values: Values): boolean => ${ruleTypescript(expression).text},`,
  );
  const lines = [
    ...['interface Values {', ...members, '}', ...functions],
    ...['export const rules = [', ...rules, '];'],
  ];
  const file = path.join(place, 'rules.ts');
  writeFileSync(file, lines.join('\n'));
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2023', '--types', ''];
  const { stdout } = await execa(path.join(ROOT, 'node_modules/.bin/tsc'), [...options, file], {
    reject: false,
  });
  const mistakes = stdout.split('\n').flatMap((line) => {
    const [, at, message] = /\((\d+),\d+\): (.*)$/.exec(line) ?? [];
    return at === undefined ? [] : [`${lines[Number(at) - 1]} => ${message}`];
  });
  expect(mistakes).toEqual([]);
  expect(stdout).toBe('');
}, 120_000);
