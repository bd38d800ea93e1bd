/**
 * The owner of items in a migration: the hidden column with who created each item, which collections with an owner
 * path do not have. Owners are kept where the other form can hold them.
 */
import type { CollectionDefinition, Field, OwnerStep } from '../definition/types.ts';
import { isSameOwner, ownerPathText } from '../model/owner-paths.ts';
import { columnName, quoted, tableName } from '../shared/sql.ts';
import type { CollectionPair } from './compare-models.ts';
import type { Draft } from './draft.ts';
import { ownerColumn, withoutTouch } from './statements.ts';
import type { LockingActions, TableChanges } from './table-changes.ts';

/** Whether the owners of existing items are written elsewhere. */
export const movesOwners = (pair: CollectionPair): boolean => {
  const [had, has] = [pair.renamed.table.hasOwner, pair.now.table.hasOwner];
  if (had === has) return false;
  return had ? newOwnerField(pair) !== undefined : keptPath(pair) !== undefined;
};

/**
 * Adds or removes the column, and says what becomes of the owners.
 * @param actions those of changes that lock the table: with owners that move, there are some.
 */
export function changeOwner(
  pair: CollectionPair,
  changes: TableChanges,
  actions: LockingActions | undefined,
  draft: Draft,
): void {
  const { renamed, now } = pair;
  if (renamed.table.hasOwner && !now.table.hasOwner) {
    dropOwnerColumn(pair, changes, actions, draft);
  }
  if (!renamed.table.hasOwner && now.table.hasOwner) addOwnerColumn(pair, changes, draft);
  const [was, is] = [renamed.definition.owner, now.definition.owner];
  if (was === undefined || is === undefined || isSameOwner(was, is)) return;
  // Recorded, because a later migration may keep the owners by this path.
  const path = `The owner of each of ${now.definition.name} is the user at ${ownerPathText(now.definition)}`;
  draft.summary.push(`${path}, and was the user at ${ownerPathText(pair.before.definition)}.`);
  draft.names.push(`${now.definition.name}_change_owner`);
  draft.constraints.push(`-- ${path}: no column changes.`);
}

function dropOwnerColumn(
  pair: CollectionPair,
  changes: TableChanges,
  actions: LockingActions | undefined,
  draft: Draft,
): void {
  const { now } = pair;
  const { name, at } = now.definition;
  const field = newOwnerField(pair);
  draft.names.push(`${name}_drop_owner`);
  if (field === undefined) {
    changes.dropColumn('_owner_id', false);
    const what = `who owns each of ${name}`;
    draft.losses.push({ what, at });
    draft.summary.push(`Drops ${what}.`);
    return;
  }
  const table = quoted(now.table.name);
  draft.data.push(
    withoutTouch(table, [
      `update ${table} set ${quoted(columnName(field.name))} = "_owner_id" where "_owner_id" is not null;`,
    ]),
  );
  // Its values are needed until then.
  actions?.finished.push('drop column "_owner_id"');
  draft.summary.push(`The owner of each of ${name} becomes its ${field.name}.`);
}

/** The field that is the whole owner path and is new, so that it can take the owners. */
const newOwnerField = ({ now, added, copies }: CollectionPair): Field | undefined => {
  const { owner = [] } = now.definition;
  if (owner.length !== 1) return undefined;
  const isCopied = (field: Field): boolean => copies.some((copy) => copy.now === field);
  return added.find((field) => field.name === owner[0]?.field && !isCopied(field));
};

/** The owner path whose users the hidden column can take. */
const keptPath = ({ before, ownersInExisting }: CollectionPair): CollectionDefinition['owner'] =>
  ownersInExisting ? undefined : before.definition.owner;

function addOwnerColumn(pair: CollectionPair, changes: TableChanges, draft: Draft): void {
  const { before, now, ownersInExisting } = pair;
  const { name, at } = now.definition;
  const [first, ...rest] = keptPath(pair) ?? [];
  draft.names.push(`${name}_add_owner`);
  if (first === undefined) {
    if (ownersInExisting) draft.losses.push({ what: `who owns each of ${name}`, at });
    changes.addHiddenColumn(ownerColumn(now.table.name));
    draft.summary.push(`Adds an owner to ${name}; existing items have none.`);
    return;
  }
  // Under the old names, while the columns of the path are there.
  const table = quoted(before.table.name);
  draft.preparations.push(
    `alter table ${table}\n  add column ${ownerColumn(now.table.name)};`,
    withoutTouch(table, [`update ${table} set "_owner_id" = ${ownerSql(first, rest)};`]),
  );
  const path = ownerPathText(before.definition);
  draft.summary.push(`Adds an owner to ${name}; of existing items, the user at ${path}.`);
}

/** The SQL expression of the owner of a row. */
function ownerSql({ collection, field }: OwnerStep, [next, ...rest]: readonly OwnerStep[]): string {
  const column = `${quoted(tableName(collection))}.${quoted(columnName(field))}`;
  if (next === undefined) return column;
  const table = quoted(tableName(next.collection));
  const key = quoted(columnName(next.link ?? 'id'));
  return `(select ${ownerSql(next, rest)} from ${table} where ${table}.${key} = ${column})`;
}
