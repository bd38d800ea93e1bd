/**
 * Columns of another type: each is made and filled under a name of its own beside the old one, and takes its name
 * in the end.
 */
import { buildModel } from '../model/build.ts';
import type { Collection, Model } from '../model/types.ts';
import { LONGEST_IDENTIFIER, quoted } from '../shared/sql.ts';
import { checkNameOf } from './statements.ts';
import type { Draft } from './draft.ts';
import { orderRenames } from './order-renames.ts';
import { renameFields } from './rename-fields.ts';

/** No definition has a name with this prefix. */
const PREFIX = '_new_';

/** Whether the name of a field leaves room for the prefix. */
export const canBeStaged = (field: string): boolean =>
  PREFIX.length + field.length <= LONGEST_IDENTIFIER;

/** The name of a field until the old column is dropped. */
export const stagedName = (field: string): string => `${PREFIX}${field}`;

/** The name that a field has in the definitions, for messages. */
export const finalName = (field: string): string =>
  field.startsWith(PREFIX) ? field.slice(PREFIX.length) : field;

/**
 * A model in which some fields have their names for the time beside the old column.
 * @param fields the names of these fields, by collection.
 */
export function stageFields(model: Model, fields: ReadonlyMap<string, readonly string[]>): Model {
  const collections = model.service.collections.map((definition) => {
    const staged = fields.get(definition.name) ?? [];
    if (staged.length === 0) return definition;
    const renamed = renameFields(definition, (name) =>
      staged.includes(name) ? stagedName(name) : name,
    );
    return {
      ...renamed,
      fields: renamed.fields.map((field) =>
        field.name === finalName(field.name)
          ? field
          : { ...field, renamedFrom: finalName(field.name) },
      ),
    };
  });
  return buildModel({ ...model.service, collections });
}

/**
 * Gives the constraints and indexes of a staged collection the names that they keep.
 * @param final the same collection with the final names.
 */
export function renameStaged(staged: Collection, final: Collection, draft: Draft): void {
  const table = final.table.name;
  const constraintsOf = ({ table: { checks, columns, foreignKeys } }: Collection): string[] => [
    ...columns.flatMap(({ name, check }) => (check === undefined ? [] : checkNameOf(table, name))),
    ...checks.map(({ name }) => name),
    ...foreignKeys.map(({ name }) => name),
  ];
  const rename = (
    was: readonly string[],
    is: readonly string[],
    sql: (from: string, to: string) => string,
  ): void => {
    const wanted = was.map((from, at) => ({ from, to: is[at] ?? from }));
    for (const { from, to } of orderRenames(wanted, '_renamed')) {
      draft.switchStatements.push(sql(quoted(from), quoted(to)));
    }
  };
  rename(
    constraintsOf(staged),
    constraintsOf(final),
    (from, to) => `alter table ${quoted(table)} rename constraint ${from} to ${to};`,
  );
  rename(
    staged.table.indexes.map(({ name }) => name),
    final.table.indexes.map(({ name }) => name),
    (from, to) => `alter index ${from} rename to ${to};`,
  );
}
