/**
 * Temporary names (`_new_price`) for the columns of fields with another type: the new column is filled beside the old
 * one, and then renamed to replace it.
 */
import { buildModel } from '../model/build.ts';
import { collectionNamed } from '../model/lookup.ts';
import type { Collection, Index, Model } from '../model/types.ts';
import { LONGEST_IDENTIFIER, quoted } from '../shared/sql.ts';
import { checkNameOf } from '../model/constraint-names.ts';
import type { Draft } from './draft.ts';
import { matchIndexes } from './match-indexes.ts';
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
 * A model in which some fields have the names that they have until their old columns are dropped.
 * @param fields the final names of these fields, by collection.
 */
export function stageFields(model: Model, fields: ReadonlyMap<string, readonly string[]>): Model {
  const collections = model.service.collections.map((definition) => {
    const staged = fields.get(definition.name) ?? [];
    return staged.length === 0
      ? definition
      : renameFields(definition, (name) => (staged.includes(name) ? stagedName(name) : name));
  });
  const built = buildModel({ ...model.service, collections });
  return {
    ...built,
    collections: built.collections.map((collection) => {
      const final = collectionNamed(model, collection.definition.name);
      return final === undefined ? collection : keepIndexNames(collection, final);
    }),
  };
}

/** An index without a staged column has its final name. */
function keepIndexNames(staged: Collection, final: Collection): Collection {
  const finals = finalIndexes(staged, final);
  const indexes = staged.table.indexes.map((index) => {
    const isStaged = [...index.on, index.where?.condition ?? ''].some((sql) =>
      sql.includes(`"${PREFIX}`),
    );
    return isStaged ? index : { ...index, name: finals.get(index)?.name ?? index.name };
  });
  return { ...staged, table: { ...staged.table, indexes } };
}

const finalIndexes = (staged: Collection, final: Collection): ReadonlyMap<Index, Index> =>
  matchIndexes(staged.table.indexes, final.table.indexes, finalName);

/**
 * Gives the constraints and indexes of staged fields their final names.
 * @param final the same collection with the final names.
 */
export function renameStaged(staged: Collection, final: Collection, draft: Draft): void {
  const table = final.table.name;
  const checks = staged.table.columns.flatMap(({ name, check }) =>
    check === undefined
      ? []
      : [{ from: checkNameOf(table, name), to: checkNameOf(table, finalName(name)) }],
  );
  const indexes = Array.from(finalIndexes(staged, final), ([index, { name }]) => ({
    from: index.name,
    to: name,
  }));
  for (const { from, to } of orderRenames(checks, '_renamed')) {
    draft.switchStatements.push(
      `alter table ${quoted(table)} rename constraint ${quoted(from)} to ${quoted(to)};`,
    );
  }
  for (const { from, to } of orderRenames(indexes, '_renamed')) {
    draft.switchStatements.push(`alter index ${quoted(from)} rename to ${quoted(to)};`);
  }
}
