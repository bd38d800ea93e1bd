/** What the template of a repository's tests says. */
import { hasSoftDelete } from '../../model/existing.ts';
import type { Names } from '../../model/names.ts';
import { hasClientKey, hasFieldKey, hasNumericKey } from '../../model/keys.ts';
import { ownsChanges } from '../../model/permissions.ts';
import { samplesOf, unconditionalUniqueGroups } from '../../model/samples.ts';
import type { TestTarget } from '../../model/test-targets.ts';
import type { Collection } from '../../model/types.ts';
import { literal, quoted } from '../../shared/sql.ts';
import { unusedIdOf } from './test-ids.ts';
import { assignedView } from './assigned.ts';
import type { AssignedView } from './assigned.ts';
import { rowsTable, tableView } from './existing.ts';
import type { TableView } from './existing.ts';
import { samplesFor } from './fixture.ts';

/** The data of templates/collection/repository.test.ts.hbs. */
export interface RepositoryTestView extends AssignedView, TableView {
  readonly names: Names;
  /** The table that rules are added to, quoted. */
  readonly ruleTable: string;
  /** A statement that makes a user the owner of a row; undefined if owners do not matter to changes. */
  readonly owning: string | undefined;
  /** A statement that gives a row an old time. */
  readonly ageing: string;
  /** The name of the collection in tombstones, as a literal of SQL. */
  readonly collectionLiteral: string;
  /** The version that items are made in, where it is not the current one. */
  readonly older: number | undefined;
  /** The function that makes an item, and its module below the folder of all fixtures. */
  readonly maker: string;
  readonly fixture: string;
  /** Members that refer to other items. */
  readonly references: readonly { readonly name: string; readonly noId: string }[];
  /** Whether some of them have numbers. */
  readonly mixedIds: boolean;
  /** What is imported from `expected.ts`, and from `repositories.ts`. */
  readonly expected: readonly string[];
  readonly suites: readonly string[];
  /** Whether ids are numbers. */
  readonly numeric: boolean;
  /** Whether clients choose ids. */
  readonly clientKey: boolean;
  /** Whether ids consist of the values of fields that requests send. */
  readonly fieldKey: boolean;
  /** Whether the rows of removed items stay, with their keys. */
  readonly keepsRemovedRows: boolean;
  /** SQL that deletes the row of an item. */
  readonly deleteRow: string;
  /** Whether an item like one that is there is refused. */
  readonly isUnique: boolean;
  /** Whether a change is tried with values of its own. */
  readonly usesValues: boolean;
  /** Items that one of these keeps from being removed. */
  readonly parents: readonly {
    readonly member: string;
    readonly kebab: string;
    readonly remove: string;
  }[];
}

/** @param collection as it is stored. */
export function repositoryTestView(
  collection: Collection,
  testTarget: TestTarget,
): RepositoryTestView {
  const { names, relations } = collection;
  const { members } = samplesFor(testTarget.collection, samplesOf(testTarget.model));
  // An older version may call them otherwise.
  const given = new Set(testTarget.isCurrent ? members.map(({ field }) => field.name) : []);
  const keeping = relations.filter(
    ({ field, onDelete, target }) =>
      field.required &&
      onDelete === 'refuse' &&
      given.has(field.name) &&
      target.collection !== 'users',
  );
  const parents = new Map(
    keeping.map(({ field, target: { code } }) => [
      code.kebab,
      { member: field.name, kebab: code.kebab, remove: `delete${code.type}` },
    ]),
  );
  // A hook overwrites the others.
  const references = relations
    .filter(({ field }) => field.setBy !== 'service')
    .map(({ field }) => ({ name: field.name, noId: unusedIdOf(field.type) }));
  const isUnique = unconditionalUniqueGroups(collection).some((group) =>
    group.every((name) => given.has(name)),
  );
  const isOwning = collection.table.hasOwner && ownsChanges(collection.definition.permissions);
  return {
    ...assignedView(collection),
    ...tableView(collection, testTarget.model),
    names,
    ruleTable: rowsTable(collection),
    owning: isOwning
      ? `update ${quoted(collection.table.name)} set "_owner_id" = $2 where "id" = $1`
      : undefined,
    ageing: `update ${quoted(collection.table.name)} set "updated_at" = '2001-01-01' where "id" = $1`,
    collectionLiteral: literal(collection.definition.name),
    older: testTarget.isCurrent ? undefined : testTarget.version,
    maker: `create${testTarget.collection.names.type}`,
    fixture:
      testTarget.fixtures.get(testTarget.collection.names.kebab) ??
      testTarget.collection.names.kebab,
    references,
    numeric: hasNumericKey(collection),
    clientKey: hasClientKey(collection),
    fieldKey:
      hasFieldKey(collection) &&
      collection.definition.fields.every(
        ({ name, isSequence }) =>
          isSequence !== true || collection.definition.keyFields?.includes(name) !== true,
      ),
    keepsRemovedRows: hasFieldKey(collection) && hasSoftDelete(collection.definition),
    deleteRow: `delete from ${quoted(collection.table.name)} where "id" = $1`,
    mixedIds: references.some(({ noId }) => noId !== 'NO_ID'),
    expected: [...new Set(['computedOf', ...references.map(({ noId }) => noId)])],
    suites: [
      'runsOf',
      ...(collection.definition.existing?.nullableTimes === undefined ? [] : ['testNullableTimes']),
      ...(isOwning ? ['testOwner'] : []),
      'testRaces',
      'testRule',
    ],
    isUnique,
    usesValues: references.length + parents.size > 0 || isUnique,
    parents: [...parents.values()],
  };
}
