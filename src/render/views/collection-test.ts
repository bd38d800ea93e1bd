/** What the template of a collection's tests says. */
import type { Field } from '../../definition/types.ts';
import type { FieldType } from '../../types/registry.ts';
import { isKeptValue } from '../../model/check-values.ts';
import { isBackground } from '../../model/jobs.ts';
import { mayBeSetByCode } from '../../model/set-by-code.ts';
import { keyPartsOf } from '../../model/key-parts.ts';
import { hasClientKey, hasCompositeKey, hasNumericKey, hasTextKey } from '../../model/keys.ts';
import { referrersOf } from '../../model/lookup.ts';
import type { Names } from '../../model/names.ts';
import { exampleValues } from '../../types/example-values.ts';
import { specOf, TEST_MODULES } from '../../types/registry.ts';
import { untestedSteps } from '../../model/testable-steps.ts';
import { isRequiredInPost } from '../../model/samples.ts';
import type { Samples } from '../../model/samples.ts';
import type { TestTarget } from '../../model/test-targets.ts';
import { columnName, quoted } from '../../shared/sql.ts';
import type { Collection } from '../../model/types.ts';
import { maxBytesOf } from '../../types/json.ts';
import type { JsonType } from '../../types/json.ts';
import { clearedTimes } from './existing.ts';
import { placeOf, targetNames } from './fixture.ts';
import type { TestPlace } from './fixture.ts';
import { afterHooksTests } from './after-hooks-tests.ts';
import { assignedView } from './assigned.ts';
import { checkTests } from './check-tests.ts';
import { listOptions } from './list-tests.ts';
import { mergeTests } from './merge-tests.ts';
import { codeText, nameText, optionCode, tellingOptions, usedBy } from './options.ts';
import type { Option, Options } from './options.ts';
import { referenceTests } from './reference-tests.ts';
import { stepTests } from './step-tests.ts';
import { testIds } from './test-ids.ts';
import { testedCollection } from './tested-collection.ts';
import type { TestedCollection } from './tested-collection.ts';
import { uniqueTests, uniqueWhereTests } from './unique-tests.ts';
import { unsentCode } from './unsent-values.ts';
import {
  acceptedTests,
  immutableTests,
  missingPropertyTests,
  refusedTests,
  spelledTests,
} from './value-tests.ts';

/** The data of templates/collection/test.ts.hbs. */
export interface CollectionTestView extends TestPlace {
  readonly names: Names;
  /** Why there is no test that needs an item; empty where there are all. */
  readonly obstacle: string;
  /** Names the steps that no test takes; empty if there are none. */
  readonly untested: string;
  readonly creates: boolean;
  /** What is imported from modules beside `service.ts`, in their order. */
  readonly imports: readonly TestImport[];
  /** Whether code names the type of an item. */
  readonly isTyped: boolean;
  /** Whether a constant holds the values of `another()`. */
  readonly usesAnother: boolean;
  /** Hooks that tests ask for. */
  readonly hooks: readonly HooksImport[];
  /** The suites, with code of what they are called with. */
  readonly calls: readonly { readonly name: string; readonly arguments: readonly string[] }[];
}

/** The object with the hooks of a collection, and its module below `src/collections/`. */
interface HooksImport {
  readonly name: string;
  readonly module: string;
}

/** What a test imports from a module, whose path begins after `test/`. */
interface TestImport {
  readonly path: string;
  readonly names: readonly string[];
}

export function collectionTestView(target: TestTarget): CollectionTestView {
  const tested = testedCollection(target);
  const { collection } = target;
  const { creates, samples } = tested;
  const { names } = collection;
  const calls = creates ? callsOf(tested, target) : [refusalCall(tested, target)];
  const uses = new Set(calls.flatMap(({ options }) => usedBy(options)));
  const place = placeOf(target);
  const fixture = [
    ...(uses.has('full') ? ['another'] : []),
    ...(uses.has('changed') ? ['changed'] : []),
  ];
  const imports = [
    ...calls.map(({ module, name }) => ({ path: `support/${module}.ts`, names: [name] })),
    ...[...SUPPORT, ...TEST_MODULES].map(([module, exported]) => ({
      path: `support/${module}.ts`,
      names: exported.filter((name) => uses.has(name)),
    })),
    { path: 'support/service.ts', names: ['sharedService'] },
    { path: `fixtures/${place.fixture}.ts`, names: fixture },
    { path: `support/items/${place.fixture}.ts`, names: creates ? [`test${names.pascal}`] : [] },
    ...tested.relations
      .map((relation) => targetNames(relation.target.collection, tested.all))
      .map(({ kebab, pascal }) => ({
        path: `support/items/${target.fixtures.get(kebab) ?? kebab}.ts`,
        names: [`test${pascal}`].filter((name) => uses.has(name)),
      })),
  ];
  return {
    ...place,
    names,
    obstacle: obstacleText(samples),
    untested: untestedText(tested),
    creates,
    imports: mergedImports(imports),
    isTyped: uses.has(names.type),
    usesAnother: uses.has('full'),
    hooks: calls.flatMap(({ hooks }) => hooks ?? []),
    calls: calls.map(({ name, options }) => ({ name, arguments: options.map(optionCode) })),
  };
}

/** A call of a suite: its function, the module of `test/support/` that has it, and what it is called with. */
interface SuiteCall {
  readonly name: string;
  readonly module: string;
  readonly options: readonly Option[];
  /** The hooks that it asks for. */
  readonly hooks?: HooksImport;
}

/** What code of tests may name, by the module of `test/support/`. */
const SUPPORT: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'expected',
    [
      ...['A_COMPOSITE_ID', 'A_DAY', 'A_NUMERIC_ID', 'A_TEXT_ID', 'A_TIME', 'AN_ID'],
      ...['NO_COMPOSITE_ID', 'NO_ID', 'NO_NUMERIC_ID', 'NO_SMALLINT_ID', 'NO_TEXT_ID'],
    ],
  ],
  ['search-tests', ['searchIn']],
  ['test-items', ['made']],
  ['values', ['longer', 'shorter', 'withOffset']],
]);

/** Names as linters sort them: an underscore comes before letters. */
const { compare: byWord } = new Intl.Collator('en');

/** The imports of each module once. */
function mergedImports(imports: readonly TestImport[]): TestImport[] {
  const byPath = new Map<string, Set<string>>();
  for (const { path, names } of imports) {
    const found = byPath.get(path) ?? new Set();
    for (const name of names) found.add(name);
    byPath.set(path, found);
  }
  return [...byPath]
    .filter(([, names]) => names.size > 0)
    .map(([path, names]) => ({ path, names: [...names].toSorted(byWord) }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** The suites of a collection of which tests can create items. */
function callsOf(tested: TestedCollection, { isCurrent, model }: TestTarget): SuiteCall[] {
  const { collection, samples } = tested;
  const items = `test${collection.names.pascal}`;
  const call = (module: string, name: string, ...options: Option[]): SuiteCall => ({
    name,
    module,
    options: [codeText(items), ...options],
  });
  /** A call for each of some rows, or none. */
  const callFor = (
    module: string,
    name: string,
    rows: readonly Option[],
    ...more: Option[]
  ): SuiteCall[] => (rows.length === 0 ? [] : [call(module, name, rows, ...more)]);
  const isReadingBackground = isBackground(collection);
  const references = referenceTests(tested);
  const checks = checkTests(tested);
  const steps = stepTests(tested, model);
  const late = afterHooksTests(collection, checks, steps);
  const written = isCurrent ? writtenBySql(collection) : undefined;
  const { existing, times } = collection.definition;
  const referring = tellingOptions({
    computed: codeText(`${collection.names.type}Computed`),
    hasUpdatedAt: times.includes('updated_at'),
    isExisting: existing !== undefined,
  });
  return [
    call('collection-tests', 'collectionTests', collectionOptions(tested, model)),
    call('member-tests', 'memberTests', memberTestOptions(tested, model)),
    ...callFor('unique-tests', 'uniqueTests', uniqueTests(tested)),
    ...callFor('unique-tests', 'uniqueWhereTests', uniqueWhereTests(tested)),
    ...(steps === undefined ? [] : [call('transition-tests', 'transitionTests', steps.options)]),
    ...callFor(
      'check-tests',
      'checkTests',
      checks
        .filter(({ afterHooks }) => !afterHooks)
        .map(({ name, named, violating, keeping, mayChange }) => ({
          name,
          named,
          violating,
          ...tellingOptions({ keeping, mayChange }),
        })),
    ),
    ...(late === undefined
      ? []
      : [
          {
            ...call('check-tests', 'lateCheckTests', codeText(late.hooks.name), late.options),
            hooks: late.hooks,
          },
        ]),
    ...callFor('reference-tests', 'referenceTests', references.references, referring),
    ...callFor(
      'nested-tests',
      'nestedTests',
      references.nested,
      ...optional(
        tellingOptions({ isBackground: isReadingBackground, isInKeyOrder: hasTextIds(collection) }),
      ),
    ),
    ...callFor('include-tests', 'includeTests', references.includes),
    ...(written === undefined ? [] : [call('search-tests', 'writtenTests', written)]),
    call('list-tests', 'listTests', {
      ...listOptions(samples, tested.all),
      ...tellingOptions({ clearTimes: clearedTimes(collection) }),
    }),
  ];
}

/** Options, unless there are none. */
const optional = (options: Options): Options[] =>
  Object.keys(options).length === 0 ? [] : [options];

/** The one suite of a collection of which tests cannot create items. */
const refusalCall = (tested: TestedCollection, { model }: TestTarget): SuiteCall => {
  const { kebab, words } = tested.collection.names;
  return {
    name: 'refusalTests',
    module: 'member-tests',
    options: [{ path: `/${kebab}`, words }, refusalOptions(tested, model)],
  };
};

/** What the service sets by itself: computed members, and those that a hook or the database may set. */
const assignedOptions = (collection: Collection): Options => ({
  computed: codeText(`${collection.names.type}Computed`),
  ...tellingOptions({ setByCode: assignedView(collection).setByCode }),
});

/** What `collectionTests` is called with. */
function collectionOptions(tested: TestedCollection, model: TestTarget['model']): Options {
  const { collection, samples, writable, mutable, visible } = tested;
  const { definition } = collection;
  const ids = testIds(definition);
  const isParent = ({ name }: Field): boolean =>
    samples.members.some((member) => member.kind === 'parent' && member.field.name === name);
  const defaulted = writable.filter(({ hasDatabaseDefault }) => hasDatabaseDefault);
  return {
    ...assignedOptions(collection),
    ids: formOfIds(collection),
    ...(!hasClientKey(collection) && { anId: nameText(ids.anId) }),
    noId: nameText(ids.noId),
    times: definition.times,
    ...tellingOptions({
      isExisting: definition.existing !== undefined,
      isBackground: isBackground(collection),
      unset: Object.fromEntries(
        unsentFields(tested).map((field) => {
          const { text, uses } = unsentCode(field);
          return [field.name, codeText(text, ...uses)];
        }),
      ),
      parents: namesIn(writable.filter(isParent)),
      fixed: namesIn(writable.filter(({ immutable }) => immutable)),
      shownFixed: namesIn(visible.filter(({ immutable, readOnly }) => immutable && !readOnly)),
      immutable: immutableTests(tested),
      writeOnly: namesIn(definition.fields.filter(({ writeOnly }) => writeOnly)),
      databaseDefaults: namesIn(defaulted.filter(({ writeOnly }) => !writeOnly)),
      hiddenDatabaseDefaults: namesIn(defaulted.filter(({ writeOnly }) => writeOnly)),
      clearable: namesIn(
        mutable
          .filter((field) => !field.required && !field.writeOnly)
          .filter((field) => isKeptValue(samples.checks, field, null)),
      ),
      merges: mergeTests(tested),
      growing: mutable
        .filter(({ writeOnly }) => !writeOnly)
        .filter(({ name }) => tested.values.another.has(name))
        .flatMap(({ name, type }) => (type.type === 'json' ? [[name, growthOf(type)]] : [])),
      requiresIfMatch: definition.requireIfMatch,
      inside: pathsInside(collection, model),
    }),
  };
}

/** The form of the ids of a collection. */
function formOfIds(collection: Collection): string {
  if (hasNumericKey(collection)) return 'number';
  if (hasCompositeKey(collection)) return 'composite';
  return hasTextKey(collection) ? 'text' : 'uuid';
}

/** Whether ids are texts that clients may choose, so that their order is not that of creation. */
const hasTextIds = (collection: Collection): boolean =>
  keyPartsOf(collection).some(({ type }) => type === 'text');

/** Paths below an item of a collection. */
const pathsInside = ({ definition }: Collection, model: TestTarget['model']): string[] =>
  referrersOf(model, definition.name).flatMap(({ relation }) => relation.nestedPath ?? []);

/** What `memberTests` is called with. */
const memberTestOptions = (tested: TestedCollection, model: TestTarget['model']): Options => ({
  ...refusalOptions(tested, model),
  ...tellingOptions({
    needed: namesIn(tested.writable.filter(isRequiredInPost)),
    replaced: namesIn(tested.mutable.filter(isRequiredInPost)),
    accepted: acceptedTests(tested),
    spelled: spelledTests(tested).map(({ member, sent, answer, uses }) => [
      member,
      codeText(sent, 'full', ...uses),
      codeText(answer, 'full', ...uses),
    ]),
  }),
});

/** What `refusalTests` is called with. */
function refusalOptions(
  { collection, writable }: TestedCollection,
  model: TestTarget['model'],
): Options {
  const { definition } = collection;
  const { noId, malformedIds } = testIds(definition);
  return {
    unknownIds: [nameText(noId), ...malformedIds.map((code) => codeText(code))],
    ...tellingOptions({
      inside: pathsInside(collection, model),
      refused: refusedTests({ writable }),
      incomplete: writable.flatMap((field) => missingPropertyTests(field)),
    }),
    readOnly: [
      ...(hasClientKey(collection) ? [] : [['id', nameText(noId)]]),
      ...definition.times.map((name) => [name, '2026-01-31T12:00:00Z']),
      ...definition.fields
        .filter(({ readOnly }) => readOnly)
        .map((field) => [field.name, exampleValues(specOf, field)[0] ?? null]),
      ['unheard_of', 1],
    ],
  };
}

const namesIn = (chosen: readonly Field[]): string[] => chosen.map(({ name }) => name);

/** The fields that an item has without anybody sending them. */
const unsentFields = ({ collection, visible }: TestedCollection): readonly Field[] =>
  visible
    .filter((field) => field.readOnly || !isRequiredInPost(field))
    .filter((field) => !mayBeSetByCode(collection, field) && field.hasDatabaseDefault !== true);

function obstacleText({ obstacle }: Samples): string {
  if (obstacle === undefined) return '';
  const { name } = obstacle.field;
  if (obstacle.kind === 'one-item') {
    return `Only one item can exist with the values that are known for ${name}: tests that need items are left out.`;
  }
  return `No value is known for ${name}: give an example in the definition, and tests that need an item are written too.`;
}

/** Names the steps that no test takes, so that nobody relies on tests that are not there. */
function untestedText({ creates, writable, samples }: TestedCollection): string {
  const fields = creates ? writable : [];
  const texts = fields.flatMap((field) => {
    const steps = untestedSteps(field, samples);
    const named = steps.slice(0, MOST_NAMED).map(({ from, to }) => `${from} to ${to}`);
    const rest = steps.length - named.length;
    const more = rest === 0 ? '' : ` and ${rest} more`;
    return steps.length === 0 ? [] : [`of ${field.name}: ${named.join(', ')}${more}`];
  });
  if (texts.length === 0) return '';
  return `No test takes the steps ${texts.join('; ')}. No values are known with which an item keeps the checks there, or there are more steps than tests take.`;
}

/** The most steps of a field that one sentence names. */
const MOST_NAMED = 20;

const isFree = (type: FieldType): type is Extract<FieldType, { type: 'string' | 'text' }> =>
  type.type === 'text' ||
  (type.type === 'string' && type.pattern === undefined && type.format === undefined);

/** A change of a searched text by SQL; none where lists are not searched. */
function writtenBySql({ definition, table }: Collection): Options | undefined {
  const { fields, search } = definition;
  // Any text will do, but for those of a form: answers are held to that.
  const field = fields.find(({ name, type }) => search.includes(name) && isFree(type));
  if (field === undefined || !isFree(field.type)) return undefined;
  const { maxLength = Infinity } = field.type;
  const minLength = field.type.type === 'string' ? (field.type.minLength ?? 0) : 0;
  const text = 'quetzalcoatl'.slice(0, maxLength).padEnd(minLength, 'z');
  const column = quoted(columnName(field.name));
  return { update: `update ${quoted(table.name)} set ${column} = $2 where "id" = $1`, text };
}

/** The bytes of `BODY_LIMIT`, which no member may exceed either. */
const BODY_LIMIT = 1_048_576;

/** The length of a text of which one fits into a JSON value, and two do not. */
const growthOf = (type: JsonType): number =>
  Math.floor(0.6 * Math.min(maxBytesOf(type), BODY_LIMIT));
