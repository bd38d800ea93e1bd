/** The unique keys, checks and indexes of a table → `unique`, `checks`, `filter` and `indexes` of a collection. */
import type { DatabaseIndex, DatabaseTable, UniqueKey } from '../database/database-schema.ts';
import { MOST_CHECKS } from '../definition/checks.ts';
import { LIST_PARAMETERS } from '../definition/field-lists.ts';
import { MOST_RULES } from '../definition/unique.ts';
import { primaryKeyColumn } from './adopted-key.ts';
import { isSurrogateKey } from './built-in-columns.ts';
import { tableDifference } from './difference.ts';
import type { Difference } from './difference.ts';
import { isComparable, uniqueKeysOf } from './propose-field.ts';
import type { ProposedField } from './propose-field.ts';
import { checkNameFor } from './propose-names.ts';
import { sqlToRule } from './sql-to-rule.ts';

interface UniqueEntry {
  readonly fields: readonly string[];
  /** Of an index of an adopted table. */
  readonly name?: string;
  readonly where?: string;
}

interface UniqueGroup {
  /** The name of the constraint or index. */
  readonly key: string;
  readonly rule: readonly string[] | UniqueEntry;
}

interface UniqueProposal {
  /** The columns that are unique by themselves. */
  readonly columns: ReadonlySet<string>;
  readonly groups: readonly UniqueGroup[];
  readonly differences: readonly Difference[];
}

/**
 * @param rejected messages for keys of an earlier proposal, by the name of the constraint or index.
 * @param isAdopted whether the definition uses the table, and so its indexes.
 */
export function proposeUnique(
  table: DatabaseTable,
  fields: readonly ProposedField[],
  rejected: ReadonlyMap<string, string>,
  isAdopted = false,
): UniqueProposal {
  // The key of an adopted table is not a rule as well.
  const keys = uniqueKeysOf(table).filter((key) => !isAdopted || !isSameSet(key, table.primaryKey));
  const single = new Set<string>();
  const groups: UniqueGroup[] = [];
  const differences: Difference[] = [];
  const id = isAdopted
    ? primaryKeyColumn(table)
    : table.columns.find((column) => isSurrogateKey(column, table));
  // Those without a condition first: they imply others.
  const imported: UniqueKey[] = [];
  for (const key of [
    ...keys.filter(isUnconditional),
    ...keys.filter((one) => !isUnconditional(one)),
  ]) {
    if (isImplied(key, imported) || key.columns.some((name) => name === id?.name)) continue;
    const members = key.columns.map((name) => fields.find(({ column }) => column.name === name));
    const rule = key.where === null ? undefined : ruleFor(key.where, fields);
    const isTooMany = rule !== undefined && countOfWhere(groups) === MOST_RULES;
    const reason =
      rejected.get(key.name) ??
      uniqueObstacle(key, members, rule) ??
      (isAdopted ? comparisonObstacle(members) : undefined) ??
      (isTooMany ? `a collection has at most ${MOST_RULES} with a condition` : undefined);
    if (reason !== undefined) {
      const on = key.columns.map((name) => name ?? 'an expression').join(', ');
      differences.push(tableDifference('unique', `${key.name} (${on}) is left out: ${reason}`));
      continue;
    }
    imported.push(key);
    const names = members.flatMap((member) => member?.name ?? []);
    const [first] = members;
    const isSequence = names.length === 1 && first?.isSequence === true;
    const name = isAdopted && !isSequence ? nameToWrite(key, table) : {};
    const entry = { fields: names, ...name, ...(rule !== undefined && { where: rule }) };
    const isPlain = Object.keys(entry).length === 1;
    if (isPlain && names.length === 1) single.add(String(key.columns[0]));
    else groups.push({ key: key.name, rule: isPlain ? names : entry });
  }
  return { columns: single, groups, differences };
}

const countOfWhere = (groups: readonly UniqueGroup[]): number =>
  groups.filter(({ rule }) => 'where' in rule).length;

/** The name of an index; none if it is the one that PostgreSQL gives to a unique constraint. */
const nameToWrite = (
  { name, columns }: UniqueKey,
  table: DatabaseTable,
): { readonly name?: string } =>
  name === [table.name, ...columns, 'key'].join('_') ? {} : { name };

/** The database would refuse values that the service takes for different ones. */
function comparisonObstacle(members: readonly (ProposedField | undefined)[]): string | undefined {
  const unfit = members.find((member) => member?.column.comparesExactly === false);
  return unfit && `${unfit.name} treats different texts as equal`;
}

const isUnconditional = ({ where }: UniqueKey): boolean => where === null;

/** Whether two unique keys of all rows have the same columns. */
const isSameSet = (one: UniqueKey, other: UniqueKey | undefined): boolean =>
  one.where === null &&
  one.columns.length === other?.columns.length &&
  one.columns.every((column) => other.columns.includes(column));

/** Whether a key with a condition says no more than one without that is imported. */
const isImplied = (
  { columns, where, nullsNotDistinct }: UniqueKey,
  imported: readonly UniqueKey[],
): boolean =>
  where !== null &&
  !nullsNotDistinct &&
  imported.some(
    (other) => isUnconditional(other) && other.columns.every((column) => columns.includes(column)),
  );

function uniqueObstacle(
  { columns, where, nullsNotDistinct, isNondeterministic }: UniqueKey,
  members: readonly (ProposedField | undefined)[],
  rule: string | undefined,
): string | undefined {
  if (columns.includes(null)) return 'it is over an expression';
  if (nullsNotDistinct) return 'nulls are not distinct for it';
  if (isNondeterministic) return 'its collation is nondeterministic';
  const missing = columns.find((_name, at) => members[at] === undefined);
  if (missing !== undefined) return `${String(missing)} is not a field`;
  const unfit = members.find((member) => member !== undefined && !isComparable(member.definition));
  if (unfit !== undefined) {
    const { name, definition } = unfit;
    return definition['write_only'] === true
      ? `${name} is write_only, and a refusal would reveal its values`
      : `a field of the type ${definition.type} cannot be unique`;
  }
  return where !== null && rule === undefined ? `its condition is not a rule: ${where}` : undefined;
}

const ruleFor = (sql: string, fields: readonly ProposedField[]): string | undefined =>
  sqlToRule(sql, (column) => {
    const field = fields.find((one) => one.column.name === column);
    if (field === undefined) return undefined;
    return {
      name: field.name,
      required: field.definition['required'] === true,
      column: field.column,
    };
  });

interface CheckProposal {
  readonly checks: Readonly<Record<string, { readonly rule: string }>>;
  readonly differences: readonly Difference[];
}

/** @param rejected messages for checks of an earlier proposal, by name. */
export function proposeChecks(
  { checks }: DatabaseTable,
  fields: readonly ProposedField[],
  rejected: ReadonlyMap<string, string>,
): CheckProposal {
  const rules = new Map<string, { readonly rule: string }>();
  const differences: Difference[] = [];
  for (const { name, sql } of checks) {
    const checkName = checkNameFor(name);
    const rule = ruleFor(sql.replace(/^CHECK /, ''), fields);
    const message = rejected.get(checkName);
    const isTooMany = rules.size === MOST_CHECKS;
    const isFree = checkName !== '' && !rules.has(checkName) && !isTooMany;
    if (rule !== undefined && message === undefined && isFree) {
      rules.set(checkName, { rule });
      continue;
    }
    const reason =
      message ??
      (rules.has(checkName) ? `${checkName} is another check` : undefined) ??
      (rule !== undefined && isTooMany
        ? `a collection has at most ${MOST_CHECKS} checks`
        : undefined);
    const why = reason === undefined ? '' : ` (${reason})`;
    differences.push(tableDifference('check', `${name} is left out: ${sql}${why}`));
  }
  return { checks: Object.fromEntries(rules), differences };
}

interface IndexProposal {
  readonly filter: readonly string[];
  /** Empty: lists are sorted as they are by default. */
  readonly sort: readonly string[];
  readonly indexes: readonly (readonly string[])[];
  readonly differences: readonly Difference[];
}

/**
 * Lists are filtered by references, and filtered and sorted by what an index begins with; an index over several columns is
 * one of `indexes`.
 */
export function proposeIndexes(
  table: DatabaseTable,
  fields: readonly ProposedField[],
): IndexProposal {
  const differences: Difference[] = [];
  const indexed = new Set<ProposedField>();
  const indexes = new Map<string, readonly string[]>();
  const fieldOf = (name: string | null | undefined): ProposedField | undefined =>
    fields.find(({ column, definition }) => column.name === name && isComparable(definition));
  for (const { columns, where } of uniqueKeysOf(table)) {
    const first = fieldOf(columns[0]);
    if (where === null && first !== undefined) indexed.add(first);
  }
  for (const index of table.indexes) {
    const members = index.columns.map(fieldOf);
    const names = members.flatMap((member) => member?.name ?? []);
    if (index.method !== 'btree' || index.where !== null || names.length < index.columns.length) {
      differences.push(
        tableDifference('index', `${index.name} is left out: ${indexReason(index)}`),
      );
      continue;
    }
    for (const first of members.slice(0, 1)) if (first !== undefined) indexed.add(first);
    const entry = names.map((name, at) => (index.descending[at] === true ? `-${name}` : name));
    if (names.length > 1 && new Set(names).size === names.length) indexes.set(entry.join(), entry);
  }
  const isReference = ({ definition }: ProposedField): boolean => definition.type === 'reference';
  const isParameter = ({ name }: ProposedField): boolean => LIST_PARAMETERS.has(name);
  const sorted = [...indexed].filter((field) => !isReference(field)).map(({ name }) => name);
  for (const { name } of [...indexed].filter(isParameter)) {
    const text = `lists cannot be filtered by ${name}: each list has a parameter of that name`;
    differences.push(tableDifference('index', text));
  }
  const filtered = new Set([...fields.filter(isReference), ...indexed]);
  return {
    filter: [...filtered].filter((field) => !isParameter(field)).map(({ name }) => name),
    sort: sorted.length === 0 ? [] : ['created_at', ...sorted],
    indexes: [...indexes.values()],
    differences,
  };
}

function indexReason({ method, where, columns }: DatabaseIndex): string {
  if (method !== 'btree') return `its method is ${method}`;
  if (where !== null) return `it has the condition ${where}`;
  return columns.includes(null)
    ? 'it is over an expression'
    : 'lists are not filtered by one of its columns';
}
