/** What the template of a repository's tests says. */
import { hasSoftDelete } from '../../model/existing.ts';
import type { Names } from '../../model/names.ts';
import { hasClientKey, hasFieldKey, hasNumericKey } from '../../model/keys.ts';
import { ownsChanges } from '../../model/permissions.ts';
import { samplesOf, unconditionalUniqueGroups } from '../../model/samples.ts';
import type { TestTarget } from '../../model/test-targets.ts';
import type { Collection, Relation } from '../../model/types.ts';
import { stringLiteral, stringsLiteral } from '../../shared/literals.ts';
import { quoted } from '../../shared/sql.ts';
import { unusedIdOf } from './test-ids.ts';
import { assignedView } from './assigned.ts';
import { rowsTable, softDeletionStatements } from './existing.ts';
import { samplesFor } from './fixture.ts';
import { objectCode } from './tested-collection.ts';
import type { MemberCode } from './tested-collection.ts';

/** The data of templates/collection/repository.test.ts.hbs. */
export interface RepositoryTestView {
  readonly names: Names;
  /** The version that items are made in, where it is not the current one. */
  readonly older: number | undefined;
  /** The items that tests make, and their module below the folder of all fixtures. */
  readonly tested: string;
  readonly fixture: string;
  /** Code for what the collection has. */
  readonly options: readonly MemberCode[];
  /** Code of the tests of what only some collections have. */
  readonly parts: readonly string[];
  /** The modules of all tests, and what is imported from `expected.ts`. */
  readonly modules: readonly { readonly file: string; readonly suites: readonly string[] }[];
  readonly expected: readonly string[];
  /** Items that one of these keeps from being removed. */
  readonly parents: readonly ParentImport[];
}

/** The function that removes an item that others refer to. */
interface ParentImport {
  readonly kebab: string;
  readonly remove: string;
}

interface Parent extends ParentImport {
  /** The reference. */
  readonly member: string;
}

/** A function that tests what only some collections have. */
interface Part {
  readonly suite: string;
  readonly file: string;
  /** Code of its arguments after the repository. */
  readonly given?: readonly string[];
}

/** @param collection as it is stored. */
export function repositoryTestView(
  collection: Collection,
  testTarget: TestTarget,
): RepositoryTestView {
  const { names, relations } = collection;
  const { kebab, pascal } = testTarget.collection.names;
  const { members } = samplesFor(testTarget.collection, samplesOf(testTarget.model));
  // An older version may call them otherwise.
  const given = new Set(testTarget.isCurrent ? members.map(({ field }) => field.name) : []);
  const parents = parentsOf(relations.filter(({ field }) => given.has(field.name)));
  // A hook overwrites the others.
  const references = relations
    .filter(({ field }) => field.setBy !== 'service')
    .map(({ field }) => ({ name: field.name, code: unusedIdOf(field.type) }));
  const isUnique = unconditionalUniqueGroups(collection).some((group) =>
    group.every((name) => given.has(name)),
  );
  const parts = partsOf(collection);
  return {
    names,
    older: testTarget.isCurrent ? undefined : testTarget.version,
    tested: `test${pascal}`,
    fixture: testTarget.fixtures.get(kebab) ?? kebab,
    options: optionsOf(collection, { references, isUnique, parents }),
    parts: parts.map(
      ({ suite, given: more = [] }) => `${suite}(${['tested', ...more].join(', ')})`,
    ),
    modules: modulesOf([{ suite: 'repositoryTests', file: 'repository-tests' }, ...parts]),
    expected: [...new Set(references.map(({ code }) => code))].toSorted(),
    parents,
  };
}

/** One item for each collection whose items required references keep from being removed. */
const parentsOf = (relations: readonly Relation[]): Parent[] => [
  ...new Map(
    relations
      .filter(({ field, onDelete }) => field.required && onDelete === 'refuse')
      .filter(({ target }) => target.collection !== 'users')
      .map(({ field, target: { code } }) => [
        code.kebab,
        { member: field.name, kebab: code.kebab, remove: `delete${code.type}` },
      ]),
  ).values(),
];

function optionsOf(
  collection: Collection,
  {
    references,
    isUnique,
    parents,
  }: {
    readonly references: readonly MemberCode[];
    readonly isUnique: boolean;
    readonly parents: readonly Parent[];
  },
): MemberCode[] {
  const { table, definition, names } = collection;
  const { setByCode } = assignedView(collection);
  const option = (isNeeded: boolean, name: string, code = 'true'): MemberCode[] =>
    isNeeded ? [{ name, code }] : [];
  return [
    { name: 'table', code: stringLiteral(quoted(table.name)) },
    ...option(table.existing !== undefined, 'existing', stringLiteral(rowsTable(collection))),
    { name: 'computed', code: `${names.type}Computed` },
    ...option(setByCode.length > 0, 'setByCode', stringsLiteral(setByCode)),
    ...option(hasClientKey(collection), 'choosesIds'),
    ...option(hasFieldKey(collection) && hasSoftDelete(definition), 'keepsRemovedIds'),
    ...option(references.length > 0, 'references', objectCode(references)),
    ...option(isUnique, 'isUnique'),
    ...option(
      parents.length > 0,
      'parents',
      objectCode(parents.map(({ member: name, remove: code }) => ({ name, code }))),
    ),
  ];
}

/** The tests of what only some collections have. */
function partsOf(collection: Collection): Part[] {
  const { table, definition } = collection;
  const { existing, times, permissions } = definition;
  const { nullableTimes = [] } = existing ?? {};
  const softDeletion = softDeletionStatements(collection);
  const file = 'existing-table-tests';
  return [
    ...(table.hasOwner && ownsChanges(permissions)
      ? [{ suite: 'repositoryOwnerTests', file: 'repository-owner-tests' }]
      : []),
    ...(existing !== undefined && times.includes('updated_at')
      ? [{ suite: 'updateTimeTests', file }]
      : []),
    ...(nullableTimes.length > 0
      ? [{ suite: 'nullableTimesTests', file, given: [stringsLiteral(nullableTimes)] }]
      : []),
    ...(softDeletion === undefined
      ? []
      : [
          {
            suite: 'softDeletionTests',
            file,
            given: [softDeletion.removed, softDeletion.mark].map(stringLiteral),
          },
        ]),
    ...keyParts(collection, softDeletion !== undefined),
  ];
}

/** The tests of ids, where the service does not assign UUIDs. */
function keyParts(collection: Collection, keepsRows: boolean): Part[] {
  const { keyFields, fields, existing, name } = collection.definition;
  const file = 'repository-key-tests';
  if (hasClientKey(collection)) {
    return [{ suite: 'chosenIdTests', file, given: keepsRows ? [] : [stringLiteral('removed')] }];
  }
  if (hasFieldKey(collection)) {
    const isAssigned = fields.some(
      (field) => field.isSequence === true && keyFields?.includes(field.name) === true,
    );
    if (!isAssigned) return keepsRows ? [] : [{ suite: 'memberIdTests', file }];
  }
  if (!hasNumericKey(collection)) return [];
  return existing === undefined
    ? [{ suite: 'sequenceTests', file }]
    : [{ suite: 'existingNumberTests', file, given: [stringLiteral(name)] }];
}

/** What is imported from each module, in the order of their names. */
function modulesOf(suites: readonly Part[]): RepositoryTestView['modules'] {
  const modules = new Map<string, string[]>();
  for (const { suite, file } of suites) modules.set(file, [...(modules.get(file) ?? []), suite]);
  return [...modules]
    .map(([file, names]) => ({ file, suites: names.toSorted() }))
    .toSorted((one, other) => (one.file < other.file ? -1 : 1));
}
