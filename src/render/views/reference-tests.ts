/** Tests of references: to items that do not exist or go, and of lists below a parent. */
import { hasSoftDelete } from '../../model/existing.ts';
import { includedName } from '../../definition/include.ts';
import { RESERVED_WORDS } from '../../model/names.ts';
import type { Names } from '../../model/names.ts';
import { isKeptValue } from '../../model/check-values.ts';
import { capacityOf, isUniqueByItself } from '../../model/samples.ts';
import type { Relation } from '../../model/types.ts';
import { unusedIdOf } from './test-ids.ts';
import { createFunctionOf } from './tested-collection.ts';
import type { TestedCollection } from './tested-collection.ts';

/** The part of the view that is about references. */
export interface ReferenceTestsView {
  readonly references: readonly ReferenceView[];
  readonly nested: readonly NestedTestView[];
  readonly includes: readonly IncludeTestView[];
}

interface IncludeTestView {
  /** The embedded member. */
  readonly name: string;
  readonly member: string;
  readonly maker: string;
  readonly path: string;
  readonly anItem: string;
  readonly variable: string;
  /** Whether items that tests create refer to nothing unless told to. */
  readonly optional: boolean;
  /** Whether an update of the embedded item changes a member of it. */
  readonly showsUpdates: boolean;
}

interface ReferenceView {
  readonly member: string;
  /** The name of an id that no item there has. */
  readonly noId: string;
  readonly maker: string;
  readonly path: string;
  readonly refuses: boolean;
  /** Whether the row of a removed item stays, and goes on referring to a row that would be deleted. */
  readonly keepsReference: boolean;
  readonly cascades: boolean;
  readonly elsewhere: string;
  readonly clears: boolean;
  readonly anItem: string;
  readonly variable: string;
  readonly readable: boolean;
  readonly mayChange: boolean;
}

interface NestedTestView {
  readonly member: string;
  readonly noId: string;
  readonly parent: Names;
  readonly maker: string;
  readonly path: string;
  readonly variable: string;
  readonly readable: boolean;
  /** Whether there can be another parent, and what an item of that is given. */
  readonly another: boolean;
  readonly elsewhere: string;
  /** Whether a parent can have more than one. */
  readonly several: boolean;
  /** Whether there can be two parents with an item each. */
  readonly separate: boolean;
}

/** The tests of all references of a collection; none if tests cannot create its items. */
export function referenceTests(tested: TestedCollection): ReferenceTestsView {
  if (!tested.creates) return { references: [], nested: [], includes: [] };
  const { relations, collection, samples } = tested;
  const variables = variablesFor(relations);
  const variableOf = ({ field }: Relation): string => variables.get(field.name) ?? 'parent';
  return {
    references: relations.map((relation) => referenceView(relation, variableOf(relation), tested)),
    nested: relations.flatMap((relation) => nestedView(relation, variableOf(relation), tested)),
    includes: relations
      .filter(({ field }) => collection.definition.include.includes(field.name))
      .map((relation) => ({
        name: includedName(relation.field.name),
        member: relation.field.name,
        maker: createFunctionOf(relation, tested.all),
        path: relation.target.names.kebab,
        anItem: relation.target.names.anItem,
        variable: variableOf(relation),
        optional: !samples.members.some(
          ({ kind, field }) => kind === 'parent' && field === relation.field,
        ),
        showsUpdates: hasUpdatedAt(relation.target),
      })),
  };
}

/** Whether items that are referred to have the time of their last change. */
const hasUpdatedAt = ({ existing }: Relation['target']): boolean =>
  existing === undefined || existing.times.updated_at !== undefined;

const referenceView = (
  relation: Relation,
  variable: string,
  tested: TestedCollection,
): ReferenceView => ({
  member: relation.field.name,
  noId: unusedIdOf(relation.field.type),
  maker: createFunctionOf(relation, tested.all),
  path: relation.target.names.kebab,
  refuses: relation.onDelete === 'refuse',
  keepsReference: hasSoftDelete(tested.collection.definition) && !hasSoftDelete(relation.target),
  cascades: relation.onDelete === 'cascade',
  clears: relation.onDelete === 'clear' && isKeptValue(tested.samples.checks, relation.field, null),
  anItem: relation.target.names.anItem,
  elsewhere: elsewhereOf(relation, tested),
  variable,
  readable: !relation.field.writeOnly,
  mayChange: !relation.field.immutable,
});

/** Nothing for a reference without a nested path. */
function nestedView(
  relation: Relation,
  variable: string,
  tested: TestedCollection,
): NestedTestView[] {
  const { field, target, nestedPath } = relation;
  if (nestedPath === undefined) return [];
  const parents = capacityOf(tested.all.get(target.collection));
  return [
    {
      member: field.name,
      noId: unusedIdOf(field.type),
      parent: target.names,
      maker: createFunctionOf(relation, tested.all),
      path: nestedPath,
      variable,
      readable: !field.writeOnly,
      another: parents > 1,
      several: !isUniqueByItself(tested.collection, field),
      separate: parents > 2 && tested.samples.capacity > 2,
      elsewhere: elsewhereOf(relation, tested),
    },
  ];
}

/** Code for what an item is given so that it refers to something else than those of the test. */
function elsewhereOf(relation: Relation, { samples, all }: TestedCollection): string {
  const member = samples.members.find(({ field }) => field === relation.field);
  return member?.kind === 'parent' && member.shared
    ? `, { ${relation.field.name}: (await ${createFunctionOf(relation, all)}(service)).id }`
    : '';
}

/** Names for constants that hold the parents of an item. */
function variablesFor(relations: readonly Relation[]): ReadonlyMap<string, string> {
  const taken = new Set(TEST_NAMES);
  const variables = new Map<string, string>();
  for (const { field } of relations) {
    const plain = field.name
      .replace(/_id$/, '')
      .replace(/_+(.)/g, (_match, letter: string) => letter.toUpperCase());
    const isTaken = taken.has(plain) || RESERVED_WORDS.has(plain) || OF_FIXTURES.test(plain);
    const name = isTaken ? `${plain}Item` : plain;
    taken.add(name);
    variables.set(field.name, name);
  }
  return variables;
}

/**
 * What templates/collection/test.ts.hbs declares and imports, globals, and words such as `get`.
 * test/unit/render/identifiers.test.ts finds a name that is missing here.
 */
const TEST_NAMES: readonly string[] = (
  'after again allowed another answer answered async at before beforeAll beforeEach body changed ' +
  'changes clearable computedOf console current describe embedded encodeURIComponent expect falling fetch filtersOf first ' +
  'found full get given has head headers id ids indexed indexWords inside item items job key keyed ' +
  'keys limits listed longer made matches member members method missing name named noTag of ' +
  'options other others outdated outside own parameter patch patched path position positions ' +
  'present process q query read readAll readForthAndBack refused removed replaced request rising ' +
  'same searchedTables searchesOf second sent service set sharedService shorter some sort sortBy ' +
  'taken test text third those type uncounted unrestricted upperCase value why withOffset ' +
  'whole without written'
).split(' ');

/** Functions that are named after a collection: `createAuthor`, `authorBody`. */
const OF_FIXTURES = /^(?:any|create|full)[A-Z]|Body$/;
