/** The unique indexes of existing tables, as far as definitions name them: a violation names its index. */
import type { CollectionDefinition, ExistingTable, UniqueDefinition } from '../definition/types.ts';
import { ruleSql } from '../expressions/rule-sql.ts';
import { LONGEST_IDENTIFIER, primaryKeyName, quoted } from '../shared/sql.ts';
import { columnOfMember } from './existing.ts';
import type { Index } from './types.ts';

/** The unique indexes of an existing table. */
export function existingIndexes(
  definition: CollectionDefinition,
  { table, keyName }: ExistingTable,
): Index[] {
  const { fields, unique } = definition;
  const columnOf = (member: string): string => columnOfMember(definition, member);
  const indexOf = (rule: Pick<UniqueDefinition, 'fields' | 'name' | 'where' | 'isKey'>): Index => {
    const columns = rule.fields.map(columnOf);
    return {
      name: rule.name ?? (isKey(rule) ? primaryKeyName(table) : defaultIndexName(table, columns)),
      on: columns.map(quoted),
      unique: true,
      method: 'btree',
      fields: rule.fields,
      ...(rule.where !== undefined && {
        where: {
          rule: rule.where,
          condition: ruleSql(rule.where.expression, ({ name }) => quoted(columnOf(name))),
        },
      }),
    };
  };
  const alone = fields
    .filter((field) => field.unique)
    .map(({ name }) => ({
      fields: [name],
      ...(name === 'id' && keyName !== undefined && { name: keyName }),
    }));
  return [...alone, ...unique].map(indexOf);
}

const isKey = (rule: Pick<UniqueDefinition, 'fields' | 'isKey'>): boolean =>
  rule.isKey === true || rule.fields.join() === 'id';

/** The name of a unique constraint that was made without one (`makeObjectName` in PostgreSQL's indexcmds.c). */
export function defaultIndexName(table: string, columns: readonly string[]): string {
  let [first, second] = [table, columns.join('_')];
  const bytes = (text: string): number => Buffer.byteLength(text);
  // The longer of the two is cut until all fits.
  while (bytes(first) + bytes(second) + '__key'.length > LONGEST_IDENTIFIER) {
    if (bytes(first) > bytes(second)) first = withoutLast(first);
    else second = withoutLast(second);
  }
  return `${first}_${second}_key`;
}

const withoutLast = (text: string): string => Array.from(text).slice(0, -1).join('');
