/**
 * The migration from one model to another: SQL that brings a database with the schema of the one,
 * and its rows, to exactly the schema that a new database of the other has. Pure.
 */
import type { Issue } from '../reading/position.ts';
import { isExisting } from '../model/existing.ts';
import { hasTextTombstones } from '../model/existing.ts';
import { hasJobs, isBackground } from '../model/jobs.ts';
import { hasNumericKeys, itemIdType } from '../model/keys.ts';
import { formerValues, quoted, renamedValue } from '../shared/sql.ts';
import { collectionNamed } from '../model/lookup.ts';
import type { Collection, Model } from '../model/types.ts';
import { changeCollection, copiedFields } from './change-collection.ts';
import { changeEvents } from './change-events.ts';
import { newDraft } from './draft.ts';
import type { Draft, DataLoss } from './draft.ts';
import { migrationName } from './migration-name.ts';
import {
  changeExistingIds,
  noteViewChange,
  createViews,
  dropFormerViews,
  refuseOtherSchema,
} from './existing-tables.ts';
import { changeItemIdType, changeNumericKeys } from './numeric-keys.ts';
import { orderRenames } from './order-renames.ts';
import { compareModels } from './compare-models.ts';
import type { Comparison, FieldMatches, FieldPair } from './compare-models.ts';
import { renameStaged, stageFields, stagedName } from './staged-columns.ts';
import { addForeignKey, createJobs, createTable } from './statements.ts';
import { tableNames } from '../model/table-names.ts';
import type { SchemaStep } from './schema-step.ts';
import { migrationParts } from './migration-text.ts';
import type { MigrationPart } from './migration-text.ts';

export type { DataLoss } from './draft.ts';

export interface Migration {
  /** What it does as a part of a file's name: `add_reviews`, `books_rename_cost_to_price`. */
  readonly name: string;
  /** Its files, in their order. */
  readonly parts: readonly MigrationPart[];
  /** The tables that are locked until all of their rows are rewritten, and why, in words. */
  readonly locks: ReadonlyMap<string, string>;
  /** Data that is lost, or may be: needs --allow-data-loss. */
  readonly losses: readonly DataLoss[];
  /** What the definitions have to say before this can be done; with any, the files are not to be used. */
  readonly issues: readonly Issue[];
}

/**
 * The migration from the definitions that were applied last to those of now; undefined where the
 * schema is the same. Both models are built by this very version.
 * @param steps what this version asks of a schema that an older one made.
 * @param tableSql what the team has to run on existing tables first: comments of the migration.
 */
export function planMigration(
  before: Model,
  now: Model,
  steps: readonly SchemaStep[] = [],
  tableSql: readonly string[] = [],
): Migration | undefined {
  if (before === now && steps.length === 0) return undefined;
  const comparison = compareForDeployment(before, now);
  const draft = newDraft();
  addUpgradeSteps(steps, before, draft);
  refuseUnknownOrigins(comparison, draft);
  refuseOtherSchema(before, now, draft);
  dropCollections(comparison, now, draft);
  dropFormerViews(before, now, draft);
  for (const pair of comparison.kept) {
    if (isExisting(pair.before) || isExisting(pair.now)) {
      noteViewChange(pair, draft);
      continue;
    }
    changeCollection(pair, (name) => oldTarget(comparison, name), draft);
    const final = collectionNamed(now, pair.now.definition.name);
    if (final !== undefined) renameStaged(pair.now, final, draft);
  }
  // Before records get names that dropped collections had.
  changeNumericKeys(before, now, comparison.dropped, draft);
  changeExistingIds(before, now, draft);
  const records = [
    '_tombstones',
    ...(hasNumericKeys(before) && hasNumericKeys(now) ? ['_numeric_tombstones', '_seeds'] : []),
    ...([before, now].every(hasTextTombstones) ? ['_text_tombstones'] : []),
    ...(hasJobs(before) && hasJobs(now) ? ['jobs'] : []),
  ];
  renameRecords(comparison, records, draft);
  changeJobs(before, now, draft);
  changeEvents(before, now, comparison, draft);
  const created = comparison.added.flatMap((collection) => addCollection(collection, draft));
  if (tableSql.length > 0) {
    draft.summary.push('The existing tables need this SQL first, unless they have it:');
    draft.summary.push(...tableSql.flatMap((sql) => sql.split('\n')).map((line) => `  ${line}`));
  }
  draft.changesViews = createViews(before).join('\n') !== createViews(now).join('\n');
  const parts = migrationParts(draft, transactionOf(draft, created));
  if (parts.length === 0 && draft.issues.length === 0) return undefined;
  return {
    name: migrationName(draft.names),
    parts,
    locks: draft.locks,
    losses: draft.losses,
    issues: draft.issues,
  };
}

/** Compares two models. Fields that are renamed or have another type get a second column where that avoids a lock. */
function compareForDeployment(before: Model, now: Model): Comparison {
  const withoutCopies = compareModels(before, now);
  const matches = new Map<string, FieldMatches>();
  const staged = new Map<string, readonly string[]>();
  for (const pair of withoutCopies.kept) {
    if (isExisting(pair.now)) continue;
    const { renamed, retyped } = copiedFields(pair);
    if (renamed.length + retyped.length === 0) continue;
    const name = pair.now.definition.name;
    const nameOf = (field: FieldPair): string =>
      retyped.includes(field) ? stagedName(field.now.name) : field.now.name;
    matches.set(name, {
      origins: new Map(pair.fields.map((field) => [nameOf(field), field.before.name])),
      copied: [...renamed, ...retyped].map(nameOf),
    });
    staged.set(
      name,
      retyped.map((field) => field.now.name),
    );
  }
  return matches.size === 0
    ? withoutCopies
    : compareModels(before, stageFields(now, staged), matches);
}

/** The statements of the transaction: checks come first; constraints and indexes, which hold locks longest, last. */
function transactionOf(draft: Draft, created: readonly string[]): string[] {
  const tables = orderRenames(draft.tableRenames, '_renamed').map(
    ({ from, to }) => `alter table ${quoted(from)} rename to ${quoted(to)};`,
  );
  const indexes = orderRenames(draft.indexRenames, '_renamed').map(
    ({ from, to }) => `alter index ${quoted(from)} rename to ${quoted(to)};`,
  );
  return [
    ...draft.guards,
    ...draft.preparations,
    ...draft.removals,
    ...tables,
    ...indexes,
    ...draft.renames,
    ...created,
    ...draft.additions,
    ...draft.expansions,
    ...draft.data,
    ...draft.constraints,
    ...draft.references,
  ];
}

/** These come first: all other statements are written for the schema of this version. */
function addUpgradeSteps(steps: readonly SchemaStep[], before: Model, draft: Draft): void {
  const effective = steps
    .map((step) => ({ ...step, statements: step.sql(before) }))
    .filter(({ statements }) => statements.length > 0);
  const last = effective.at(-1);
  if (last === undefined) return;
  draft.breaks.push('tables of the service change');
  draft.preparations.push(...effective.flatMap(({ statements }) => statements));
  draft.summary.push(...effective.map(({ summary }) => summary));
  draft.names.push(`upgrade_to_${last.version.replaceAll(/\W/g, '_')}`);
}

/** @returns the statements that create its table, unless it has an existing one. */
function addCollection(collection: Collection, draft: Draft): string[] {
  const { definition, table } = collection;
  draft.summary.push(`Adds the collection ${definition.name}.`);
  draft.names.push(`add_${definition.name}`);
  draft.references.push(...table.foreignKeys.map((key) => addForeignKey(table.name, key)));
  return isExisting(collection) ? [] : [createTable(collection)];
}

/**
 * Drops tables once no process of an older version needs them; at once if another table gets the name of one.
 */
function dropCollections({ dropped }: Comparison, now: Model, draft: Draft): void {
  if (dropped.length === 0) return;
  for (const collection of dropped) {
    const { definition } = collection;
    const what = isExisting(collection)
      ? `the view of the collection ${definition.name}`
      : `the collection ${definition.name} and its items`;
    if (!isExisting(collection)) draft.losses.push({ what, at: definition.at });
    draft.summary.push(`Drops ${what}.`);
    draft.names.push(`drop_${definition.name}`);
  }
  const taken = tableNames(now);
  const own = dropped.filter((collection) => !isExisting(collection));
  if (own.length > 0) dropTables(own, taken, draft);
}

function dropTables(
  dropped: readonly Collection[],
  taken: ReadonlySet<string>,
  draft: Draft,
): void {
  const names = dropped.map(({ table }) => table.name);
  // One statement for all tables: they may refer to each other.
  const tables = names.map(quoted).join(', ');
  if (names.some((name) => taken.has(name))) {
    draft.removals.push(`drop table ${tables};`);
    draft.breaks.push(`${tables} ${names.length === 1 ? 'is' : 'are'} dropped`);
    return;
  }
  // Their rows must not keep items of other collections from being deleted.
  for (const { table } of dropped) {
    const keys = table.foreignKeys.filter((key) => !names.includes(key.table));
    if (keys.length === 0) continue;
    const actions = keys.map((key) => `drop constraint if exists ${quoted(key.name)}`);
    draft.expansions.push(`alter table ${quoted(table.name)}\n  ${actions.join(',\n  ')};`);
  }
  draft.contract.push(`drop table if exists ${tables};`);
}

/** Removed items and jobs keep their answers under the new name of their collection. */
function renameRecords({ kept }: Comparison, tables: readonly string[], draft: Draft): void {
  const renames = kept
    .map(({ before, now }) => [before.definition.name, now.definition.name] as const)
    .filter(([was, is]) => was !== is);
  if (renames.length === 0) return;
  if (tables.includes('jobs')) draft.breaks.push('jobs have other names of collections');
  // Before the tables are renamed, which locks them.
  for (const table of tables) {
    draft.rewritten.add(table);
    draft.preparations.push(
      `update ${quoted(table)} set "collection" = ${renamedValue('"collection"', renames)}\n` +
        `where "collection" in (${formerValues(renames)});`,
    );
  }
}

/** The table of jobs is there as long as some collection makes its items in the background. */
function changeJobs(before: Model, now: Model, draft: Draft): void {
  const [had, has] = [hasJobs(before), hasJobs(now)];
  if (had && has) {
    changeItemIdType(['jobs'], before, now, draft);
    const known = before.collections.filter(isBackground).map(({ definition }) => definition.name);
    const others = now.collections.filter(
      (one) => isBackground(one) && !known.includes(one.definition.name),
    );
    if (others.length > 0)
      draft.breaks.push('older workers do not know the jobs of all collections');
  }
  if (had === has) return;
  if (has) {
    draft.additions.push(createJobs(itemIdType(now)));
    draft.summary.push('Adds jobs, for items that are created in the background.');
    draft.names.push('add_jobs');
    return;
  }
  const at = now.collections[0]?.definition.at;
  const what = 'all jobs: those that are not finished, and the results of the others';
  if (at !== undefined) draft.losses.push({ what, at });
  draft.contract.push('drop table if exists "jobs";');
  draft.summary.push(`Drops ${what}.`);
  draft.names.push('drop_jobs');
}

/** The collection that a reference leads to, as it was before; undefined where it is new. */
const oldTarget = ({ origins }: Comparison, name: string): Collection | 'users' | undefined =>
  name === 'users' ? name : origins.get(name);

function refuseUnknownOrigins({ kept, unknownOrigins }: Comparison, draft: Draft): void {
  const all = [
    ...unknownOrigins.map(({ definition }) => ({ ...definition, kind: 'collection' })),
    ...kept.flatMap((pair) => pair.unknownOrigins.map((field) => ({ ...field, kind: 'field' }))),
  ];
  for (const { name, renamedFrom = '', at, kind } of all) {
    const message = `${kind} ${JSON.stringify(name)} is renamed from ${JSON.stringify(renamedFrom)}, and there was no such ${kind} when this was last generated. Write the name that it had then, or remove renamed_from.`;
    draft.issues.push({ at, code: 'unknown-rename', message });
  }
}
