/** A table of a database → the definition of a collection, and what that definition does not say. */
import type {
  DatabaseColumn,
  DatabaseForeignKey,
  DatabaseTable,
  DatabaseUnique,
} from '../database/database-schema.ts';
import { BUILT_IN_MEMBERS } from '../shared/built-in-members.ts';
import { specOf } from '../types/registry.ts';
import type { TypeName } from '../types/registry.ts';
import { columnType } from './column-type.ts';
import type { FieldTypeKeys } from './column-type.ts';
import { defaultValue } from './default-value.ts';
import type { Difference, DifferenceCode } from './difference.ts';
import { checkNameFor, fieldNameFor } from './propose-names.ts';
import type { ProposedName } from './propose-names.ts';
import { sqlRule } from './sql-rule.ts';

/** A table that is a collection, and its name there. */
export interface NamedTable {
  readonly table: DatabaseTable;
  readonly proposed: ProposedName;
}

/** A column, and the member of the items that has its values. */
export interface ProposedColumn {
  readonly column: string;
  /** Null if it is left out. */
  readonly member: string | null;
}

/** A collection as it is written, and how the table that it makes differs from the one of the database. */
export interface ProposedCollection {
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly columns: readonly ProposedColumn[];
  readonly differences: readonly Difference[];
}

/** The collection that a table of the same schema and name has; undefined: none. */
export type CollectionOf = (schema: string, table: string) => NamedTable | undefined;

interface ProposedField {
  readonly column: DatabaseColumn;
  readonly name: string;
  readonly written: Readonly<Record<string, unknown>> & { readonly type: string };
}

/** The members that the service sets, and the columns that hold them. */
interface BuiltInColumns {
  readonly id: DatabaseColumn | undefined;
  readonly created_at: DatabaseColumn | undefined;
  readonly updated_at: DatabaseColumn | undefined;
}

/** What an earlier proposal for a table was refused for, by what is then left out. */
export interface Refused {
  /** Messages, by the name of the field. */
  readonly fields: ReadonlyMap<string, string>;
  /** Messages, by the name of the check. */
  readonly checks: ReadonlyMap<string, string>;
  /** Messages, by the name of the key: `filter`, `unique`. */
  readonly keys: ReadonlyMap<string, string>;
  /** References that cannot be required, by their names: collections would need each other. */
  readonly cycles: ReadonlySet<string>;
}

/** Proposes a collection for a table. */
export function proposeCollection(
  { table, proposed }: NamedTable,
  collectionOf: CollectionOf,
  refused: Refused,
): ProposedCollection {
  const differences: Difference[] = [];
  const builtIn = builtInColumns(table);
  differences.push(...nameDifferences(table, proposed), ...keyDifferences(table));
  differences.push(...historyDifferences(builtIn));
  const own = table.columns.filter((column) => !Object.values(builtIn).includes(column));
  const fields: ProposedField[] = [];
  for (const column of own) {
    const proposal = proposeField(column, table, collectionOf, refused);
    differences.push(...proposal.differences);
    const { field } = proposal;
    if (field === undefined) continue;
    const message = refused.fields.get(field.name);
    if (message !== undefined) {
      differences.push({
        code: 'definition',
        columns: [column.name],
        text: `is left out: ${message}`,
      });
      continue;
    }
    const clash = fields.find(({ name }) => name === field.name);
    if (clash === undefined) fields.push(field);
    else {
      const text = `is left out: the column ${clash.column.name} has the name ${field.name} already`;
      differences.push({ code: 'column-name', columns: [column.name], text });
    }
  }
  differences.push(...foreignKeyDifferences(table, collectionOf));
  const uniques = proposeUniques(table, fields);
  const checks = proposeChecks(table, fields, refused);
  differences.push(...uniques.differences, ...checks.differences, ...tableDifferences(table));
  const indexed = fields.filter(
    ({ column, written }) => table.indexedColumns.includes(column.name) && canBeCompared(written),
  );
  const filter = indexed.map(({ name }) => name).filter((name) => !PARAMETERS.has(name));
  differences.push(
    ...Array.from(refused.keys, ([key, message]): Difference => ({
      code: 'definition',
      columns: [],
      text: `${key} is left out: ${message}`,
    })),
  );
  const definition = {
    ...(proposed.singular !== undefined && { singular: proposed.singular }),
    ...descriptionOf(table.comment),
    fields: Object.fromEntries(
      fields.map(({ name, written, column }) => [
        name,
        uniques.fields.has(column.name) ? { ...written, unique: true } : written,
      ]),
    ),
    ...(filter.length > 0 && !refused.keys.has('filter') && { filter }),
    ...(uniques.groups.length > 0 && !refused.keys.has('unique') && { unique: uniques.groups }),
    ...(checks.rules.size > 0 && { checks: Object.fromEntries(checks.rules) }),
  };
  const members = new Map<string, string>([
    ...fields.map(({ column, name }) => [column.name, name] as const),
    ...Object.entries(builtIn).flatMap(([member, column]) =>
      column === undefined ? [] : [[(column as DatabaseColumn).name, member] as const],
    ),
  ]);
  return {
    name: proposed.name,
    definition,
    columns: table.columns.map(({ name }) => ({ column: name, member: members.get(name) ?? null })),
    differences,
  };
}

/** Query parameters that every list has: no filter can have such a name. */
const PARAMETERS = new Set(['limit', 'cursor', 'sort', 'fields', 'q', 'count']);

const canBeCompared = ({ type, write_only: isSecret }: ProposedField['written']): boolean =>
  isSecret !== true && specOf({ type: type as TypeName }).isComparable;

/** A comment of the database in one line. */
function descriptionOf(comment: string | null): { readonly description?: string } {
  const text = (comment ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return text === '' ? {} : { description: text };
}

/** A key without a meaning of its own is the id; two timestamps may have the names of those of a service. */
function builtInColumns(table: DatabaseTable): BuiltInColumns {
  const { columns } = table;
  const moment = (member: string): DatabaseColumn | undefined =>
    columns.find(({ name, type }) => name === member && TIMESTAMPS.has(type.name));
  return {
    id: columns.find((column) => isSurrogateKey(column, table)),
    created_at: moment('created_at'),
    updated_at: moment('updated_at'),
  };
}

/** Whether a column is the primary key and has no other use: it is generated, or called id. */
function isSurrogateKey(
  { name, type, default: value, isIdentity }: DatabaseColumn,
  { primaryKey, foreignKeys }: DatabaseTable,
): boolean {
  if (primaryKey?.columns.length !== 1 || primaryKey.columns[0] !== name) return false;
  const isReference = foreignKeys.some(({ columns }) => columns.includes(name));
  const isGenerated = isIdentity || value?.startsWith('nextval(') === true || type.name === 'uuid';
  return name === 'id' || (isGenerated && !isReference);
}

const TIMESTAMPS: ReadonlySet<string> = new Set(['timestamp', 'timestamptz']);

function nameDifferences({ name }: DatabaseTable, proposed: ProposedName): Difference[] {
  if (name === proposed.name) return [];
  const text = `is called ${name}, and would be ${proposed.name}`;
  return [{ code: 'table-name', columns: [], text }];
}

function keyDifferences(table: DatabaseTable): Difference[] {
  const { columns, primaryKey, foreignKeys, uniques } = table;
  if (primaryKey === undefined) {
    const unique = uniques.find(({ where }) => where === null);
    const instead = unique === undefined ? '' : `; ${unique.name} is unique`;
    const text = `has no primary key${instead}, and items have the id of one`;
    return [{ code: 'key-missing', columns: [], text }];
  }
  const names = primaryKey.columns.flatMap((name) => name ?? []);
  const refers = foreignKeys.some((key) => key.columns.every((name) => names.includes(name)));
  const found: Difference[] = [];
  const add = (code: DifferenceCode, text: string): void => {
    found.push({ code, columns: names, text });
  };
  if (names.length > 1) add('key-composite', 'are the primary key, and an id is one column');
  if (refers) {
    const be = names.length > 1 ? 'are' : 'is';
    add('key-reference', `${be} the primary key, and a foreign key to another table is over it`);
  }
  const key = columns.find(({ name }) => name === names[0]);
  if (names.length > 1 || key === undefined) return found;
  if (!isSurrogateKey(key, table)) {
    add('key-type', 'is the primary key, and would be a unique field: items have an id beside it');
    return found;
  }
  const isUuid = key.type.name === 'uuid' && key.type.schema === 'pg_catalog';
  if (!isUuid) add('key-type', `is the primary key, of the type ${key.definition}: ids are UUIDs`);
  if (key.name !== 'id') add('key-name', 'is the primary key, and would be called id');
  return found;
}

function historyDifferences(builtIn: BuiltInColumns): Difference[] {
  return (['created_at', 'updated_at'] as const).flatMap((member): Difference[] => {
    const column = builtIn[member];
    if (column === undefined) {
      return [{ code: 'history', columns: [], text: `has no ${member}` }];
    }
    const { definition, notNull } = column;
    if (definition === MOMENT && notNull) return [];
    const text = `is ${definition}${notNull ? ' not null' : ''}, and would be ${MOMENT} not null`;
    const code = definition.includes('without') ? 'timestamp-zone' : 'history';
    return [{ code, columns: [member], text }];
  });
}

const MOMENT = 'timestamp with time zone';

interface FieldProposal {
  readonly field?: ProposedField;
  readonly differences: readonly Difference[];
}

function proposeField(
  column: DatabaseColumn,
  table: DatabaseTable,
  collectionOf: CollectionOf,
  { cycles }: Refused,
): FieldProposal {
  const target = referenceOf(column, table, collectionOf);
  const typed = target === undefined ? columnType(column) : undefined;
  const type: FieldTypeKeys | undefined =
    target === undefined ? typed?.type : { type: 'reference', ...target };
  const differences: Difference[] = [...(typed?.differences ?? [])];
  if (type === undefined) return { differences };
  const add = (code: DifferenceCode, text: string): void => {
    differences.push({ code, columns: [column.name], text });
  };
  const name = fieldNameFor(column.name, target !== undefined);
  if (name === '' || BUILT_IN_MEMBERS.includes(name)) {
    add(
      'column-name',
      name === ''
        ? 'is left out: it has no letter'
        : 'is left out: each item has a member of that name',
    );
    return { differences };
  }
  if (name !== column.name) add('column-name', `would be called ${name}`);
  if (column.isGenerated) {
    add('generated', 'is left out: the database computes it');
    return { differences };
  }
  const constant = column.isIdentity ? undefined : defaultValue(column, type);
  if (constant === undefined) {
    add(
      'default',
      column.isIdentity ? 'is an identity column' : `has the default ${column.default}`,
    );
  }
  const isInCycle = cycles.has(name) && column.notNull;
  if (isInCycle) {
    add(
      'foreign-key-cycle',
      'is not null, and would be optional: collections would need each other',
    );
  }
  const isSecret = target === undefined && SECRET.test(name);
  if (isSecret) add('secret', 'has the name of a secret, and is write_only: no answer shows it');
  return {
    field: {
      column,
      name,
      written: {
        ...searchable(type, column, table),
        ...(column.notNull && !isInCycle && { required: true }),
        ...(isSecret && { write_only: true }),
        ...(constant?.value !== undefined && { default: constant.value }),
        ...descriptionOf(column.comment),
      },
    },
    differences,
  };
}

/** Names of columns whose values nobody should read over HTTP. */
const SECRET =
  /(?:^|_)(?:password|passwd|passphrase|secret|token|salt|otp|credentials?|(?:api|private|secret|encryption)_key)(?:_|$)/;

/** A text that the database compares is a string: lists are not filtered by a field of the type text. */
const searchable = (
  type: FieldTypeKeys,
  { name }: DatabaseColumn,
  table: DatabaseTable,
): FieldTypeKeys =>
  type.type === 'text' &&
  (table.indexedColumns.includes(name) ||
    uniquesOf(table).some(({ columns }) => columns.includes(name)))
    ? { ...type, type: 'string' }
    : type;

const ON_DELETE: Readonly<Record<DatabaseForeignKey['onDelete'], string | undefined>> = {
  'no action': undefined,
  restrict: undefined,
  cascade: 'cascade',
  'set null': 'clear',
  'set default': undefined,
};

/** What a column refers to, if that is the key of a collection. */
function referenceOf(
  { name, notNull }: DatabaseColumn,
  { foreignKeys }: DatabaseTable,
  collectionOf: CollectionOf,
): { readonly to: string; readonly on_delete?: string } | undefined {
  for (const key of foreignKeys) {
    const [column, another] = key.columns;
    const target = collectionOf(key.schema, key.table);
    if (column !== name || another !== undefined || target === undefined) continue;
    if (!isKeyOf(target.table, key.referredColumns)) continue;
    const onDelete = isImpossible(key, notNull) ? undefined : ON_DELETE[key.onDelete];
    return { to: target.proposed.name, ...(onDelete !== undefined && { on_delete: onDelete }) };
  }
  return undefined;
}

/** `on delete set null` of a column that is not null refuses each removal. */
const isImpossible = ({ onDelete }: DatabaseForeignKey, notNull: boolean): boolean =>
  onDelete === 'set default' || (onDelete === 'set null' && notNull);

const isKeyOf = ({ primaryKey }: DatabaseTable, columns: readonly string[]): boolean =>
  primaryKey !== undefined && primaryKey.columns.join('\0') === columns.join('\0');

function foreignKeyDifferences(
  { foreignKeys, columns: all }: DatabaseTable,
  collectionOf: CollectionOf,
): Difference[] {
  const isRequired = ([name]: readonly string[]): boolean =>
    all.some((column) => column.name === name && column.notNull);
  return foreignKeys.flatMap((key): Difference[] => {
    const { columns, schema, table, referredColumns, onDelete } = key;
    const target = collectionOf(schema, table);
    const differ = (code: DifferenceCode, text: string): Difference => ({ code, columns, text });
    if (target === undefined) {
      return [differ('foreign-key-outside', `refers to ${table}, which is not a collection`)];
    }
    if (columns.length > 1) return [differ('foreign-key-composite', `refer to ${table} together`)];
    return [
      ...(isKeyOf(target.table, referredColumns)
        ? []
        : [
            differ(
              'foreign-key-target',
              `refers to ${table}.${referredColumns.join(', ')}, and not to its primary key`,
            ),
          ]),
      ...(isImpossible(key, isRequired(columns))
        ? [differ('foreign-key-action', `has on delete ${onDelete}: the removal would be refused`)]
        : []),
    ];
  });
}

interface UniqueWhere {
  readonly fields: readonly string[];
  readonly where: string;
}

/** What is unique beside the id: a primary key too, unless it is the id. */
function uniquesOf(table: DatabaseTable): readonly DatabaseUnique[] {
  const { primaryKey, uniques, columns } = table;
  const isId = columns.some((column) => isSurrogateKey(column, table));
  return primaryKey === undefined || isId ? uniques : [primaryKey, ...uniques];
}

interface UniqueProposal {
  /** The columns that are unique by themselves. */
  readonly fields: ReadonlySet<string>;
  readonly groups: readonly (readonly string[] | UniqueWhere)[];
  readonly differences: readonly Difference[];
}

function proposeUniques(table: DatabaseTable, fields: readonly ProposedField[]): UniqueProposal {
  const uniques = uniquesOf(table);
  const single = new Set<string>();
  const groups: (readonly string[] | UniqueWhere)[] = [];
  const differences: Difference[] = [];
  const leaveOut = (
    code: DifferenceCode,
    columns: DatabaseUnique['columns'],
    text: string,
  ): void => {
    differences.push({ code, columns: columns.flatMap((column) => column ?? []), text });
  };
  for (const { name, columns, where, nullsNotDistinct } of uniques) {
    const members = columns.map((column) => fields.find((field) => field.column.name === column));
    const left = `${name} is left out: `;
    const rule = where === null ? undefined : ruleOf(where, fields);
    const isImplied = uniques.some(
      (other) =>
        other.where === null &&
        other.columns.every((column) => column !== null && columns.includes(column)),
    );
    if (where !== null && isImplied) continue;
    if (columns.includes(null)) {
      leaveOut('unique-expression', columns, `${left}it is over an expression`);
    } else if (nullsNotDistinct) {
      leaveOut('unique-nulls', columns, `${left}nulls are equal for it`);
    } else if (!members.every((member) => member !== undefined && canBeCompared(member.written))) {
      leaveOut(
        'unique-type',
        columns,
        `${left}one of its columns is not a field that can be unique`,
      );
    } else if (where !== null && rule === undefined) {
      leaveOut('unique-where', columns, `${left}it has the condition ${where}`);
    } else {
      const names = members.map((member) => String(member?.name));
      if (rule !== undefined) groups.push({ fields: names, where: rule });
      else if (columns.length === 1) single.add(String(columns[0]));
      else groups.push(names);
    }
  }
  return { fields: single, groups, differences };
}

const ruleOf = (sql: string, fields: readonly ProposedField[]): string | undefined =>
  sqlRule(sql, (column) => {
    const field = fields.find((one) => one.column.name === column);
    return field && { name: field.name, required: field.written['required'] === true };
  });

interface CheckProposal {
  readonly rules: ReadonlyMap<string, { readonly rule: string }>;
  readonly differences: readonly Difference[];
}

function proposeChecks(
  { checks }: DatabaseTable,
  fields: readonly ProposedField[],
  refused: Refused,
): CheckProposal {
  const rules = new Map<string, { readonly rule: string }>();
  const differences: Difference[] = [];
  for (const { name, sql } of checks) {
    const own = checkNameFor(name);
    const rule = ruleOf(sql.replace(/^CHECK /, ''), fields);
    const message = refused.checks.get(own);
    if (rule !== undefined && message === undefined && own !== '' && !rules.has(own)) {
      rules.set(own, { rule });
      continue;
    }
    const why = message === undefined ? '' : ` (${message})`;
    differences.push({ code: 'check', columns: [], text: `${name} is left out: ${sql}${why}` });
  }
  return { rules, differences };
}

/** What a table has that no definition says. */
function tableDifferences(table: DatabaseTable): Difference[] {
  const { exclusions, triggers, hasRowSecurity, parents, kind } = table;
  const about = (code: DifferenceCode, text: string): Difference => ({ code, columns: [], text });
  return [
    ...exclusions.map(({ name, sql }) => about('exclusion', `${name} is left out: ${sql}`)),
    ...triggers.map(({ name }) => about('trigger', `${name} is left out`)),
    ...(hasRowSecurity ? [about('row-security', 'policies decide which rows a role sees')] : []),
    ...(parents.length > 0 ? [about('inheritance', `inherits from ${parents.join(', ')}`)] : []),
    ...(kind === 'partitioned table' ? [about('partitions', 'is partitioned')] : []),
  ];
}
