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
import { specOf } from '../../types/registry.ts';
import { untestedSteps } from '../../model/testable-steps.ts';
import { isRequiredInPost } from '../../model/samples.ts';
import type { Samples } from '../../model/samples.ts';
import type { TestTarget } from '../../model/test-targets.ts';
import { columnName, quoted } from '../../shared/sql.ts';
import type { Collection } from '../../model/types.ts';
import { tableView } from './existing.ts';
import type { TableView } from './existing.ts';
import { stringLiteral, valueCode } from '../../shared/literals.ts';
import { targetNames, placeOf } from './fixture.ts';
import type { TestPlace } from './fixture.ts';
import { afterHooksTests } from './after-hooks-tests.ts';
import type { AfterHooksTestsView } from './after-hooks-tests.ts';
import { checkTests } from './check-tests.ts';
import type { CheckTestView } from './check-tests.ts';
import { listHelpers, listTestsView } from './list-tests.ts';
import type { ListTestsView } from './list-tests.ts';
import { mergeTests } from './merge-tests.ts';
import type { MergeView } from './merge-tests.ts';
import { referenceTests } from './reference-tests.ts';
import type { ReferenceTestsView } from './reference-tests.ts';
import { stepTests } from './step-tests.ts';
import type { StepTestsView } from './step-tests.ts';
import { testIds } from './test-ids.ts';
import type { TestIdsView } from './test-ids.ts';
import { createFunctionOf, testedCollection } from './tested-collection.ts';
import type { MemberCode, TestedCollection } from './tested-collection.ts';
import { uniqueTests, uniqueWhereTests } from './unique-tests.ts';
import type { UniqueView, UniqueWhereView } from './unique-tests.ts';
import { maxBytesOf } from '../../types/json.ts';
import type { JsonType } from '../../types/json.ts';
import { TEST_MODULES } from '../../types/registry.ts';
import { commonNames, typeImports } from './type-imports.ts';
import type { TypeImport } from './type-imports.ts';
import { assignedView } from './assigned.ts';
import type { AssignedView } from './assigned.ts';
import { unsentCode } from './unsent-values.ts';
import {
  acceptedTests,
  immutableTests,
  missingPropertyTests,
  refusedTests,
  spelledTests,
} from './value-tests.ts';
import type { AcceptedView, ImmutableView, RefusedView, SpelledView } from './value-tests.ts';

/** The data of templates/collection/test.ts.hbs. */
export interface CollectionTestView
  extends TestPlace, ReferenceTestsView, AssignedView, TableView, TestIdsView {
  readonly names: Names;
  /** Whether ids are numbers. */
  readonly numeric: boolean;
  /** Whether ids are texts. */
  readonly text: boolean;
  /** Whether they consist of several values, and whether some of these are texts, which paths have to encode. */
  readonly composite: boolean;
  readonly encodesIds: boolean;
  /** Whether clients choose ids. */
  readonly clientKey: boolean;
  /** Why there is no test that needs an item; empty where there are all. */
  readonly obstacle: string;
  /** Names the steps that no test takes; empty if there are none. */
  readonly untested: string;
  readonly creates: boolean;
  /** Whether they are made in the background. */
  readonly background: boolean;
  /** Whether something of an item may be changed. */
  readonly patchable: boolean;
  /** Whether changes need `If-Match`. */
  readonly requireIfMatch: boolean;
  readonly search: boolean;
  /** A statement that gives a searched text to the item `$1`, and the text, which is one word. */
  readonly written: { readonly update: string; readonly text: string } | undefined;
  readonly imports: readonly { readonly kebab: string; readonly make: string }[];
  readonly expected: readonly string[];
  /** References of a body with all members, with code for their values. */
  readonly full: readonly MemberCode[];
  /** Code of a body with all members. */
  readonly fullBody: string;
  /** Whether a constant holds the values of `another()`. */
  readonly usesAnother: boolean;
  /** What an item has of members that nobody sent. */
  readonly unset: readonly MemberCode[];
  /** What a POST needs, and a PUT. */
  readonly needed: readonly string[];
  readonly replaced: readonly string[];
  /** References of an item that a PUT keeps, and members that it cannot change. */
  readonly kept: readonly string[];
  readonly fixed: readonly string[];
  readonly fixedShown: readonly string[];
  /** Members that the database sets in new items that are sent without them. */
  readonly databaseDefaults: readonly string[];
  /** Those that are `write_only`. */
  readonly hiddenDatabaseDefaults: readonly string[];
  /** Whether members are changed one by one. */
  readonly changes: boolean;
  readonly clearable: readonly string[];
  /** Patches that reach into objects. */
  readonly merges: readonly MergeView[];
  /** Members that patches can add to, each with the length of a text that fits once and not twice. */
  readonly growing: readonly { readonly name: string; readonly length: number }[];
  readonly refused: readonly RefusedView[];
  readonly accepted: readonly AcceptedView[];
  /** Other spellings of values, with what is answered. */
  readonly spelled: readonly SpelledView[];
  readonly nestedNeeded: readonly Omit<RefusedView, 'why'>[];
  readonly readOnly: readonly MemberCode[];
  readonly immutable: readonly ImmutableView[];
  /** What is imported from the fixture, and from the module of helpers. */
  readonly fixtures: readonly string[];
  readonly helpers: readonly string[];
  /** What is imported from the modules of helpers that only some types need. */
  readonly typeHelpers: readonly TypeImport[];
  readonly writeOnly: readonly string[];
  readonly unique: readonly UniqueView[];
  readonly uniqueWhere: readonly UniqueWhereView[];
  readonly checks: readonly CheckTestView[];
  readonly afterHooks: readonly AfterHooksTestsView[];
  /** Absent if no member that clients send has transitions. */
  readonly steps: StepTestsView | undefined;
  /** Paths below an item of this collection. */
  readonly inside: readonly string[];
  readonly lists: ListTestsView | undefined;
}

/** What is expected of the defaults `now` and `today`: values of `test/support/expected.ts`. */
const FORMS = ['A_TIME', 'A_DAY'];

export function collectionTestView(target: TestTarget): CollectionTestView {
  const { collection, model } = target;
  const tested = testedCollection(target);
  const { creates, writable, mutable, samples } = tested;
  const { definition, names } = collection;
  const unset = unsentFields(tested).map((field) => ({
    name: field.name,
    code: unsentCode(field),
  }));
  const full = fullReferences(tested);
  const spelled = spelledTests(tested);
  const expects = (form: string): boolean =>
    [...unset.map(({ code }) => code), ...spelled].some(({ uses }) => uses.includes(form));
  const expectsTime = definition.times.length > 0 || expects('A_TIME');
  const immutable = immutableTests(tested);
  const merges = mergeTests(tested);
  const unique = uniqueTests(tested);
  const uniqueWhere = uniqueWhereTests(tested);
  const allChecks = checkTests(tested);
  const checks = allChecks.filter(({ afterHooks }) => !afterHooks);
  const steps = stepTests(tested, model);
  const references = referenceTests(tested);
  const ids = testIds(definition);
  const accepted = acceptedTests(tested);
  const lists = creates ? listTestsView(samples, tested.all) : undefined;
  const helpers = [
    ...spelled.flatMap(({ uses }) => uses.filter((name) => !FORMS.includes(name))),
    ...(creates ? listHelpers(samples) : []),
  ];
  const changes = tested.values.changed.size > 0;
  const clearable = mutable
    .filter((field) => !field.required && !field.writeOnly)
    .filter((field) => isKeptValue(samples.checks, field, null));
  const growing = mutable
    .filter(({ writeOnly }) => !writeOnly)
    .filter(({ name }) => tested.values.another.has(name))
    .flatMap(({ name, type }) => (type.type === 'json' ? [{ name, length: growthOf(type) }] : []));
  const canClear = clearable.length > 0 || unique.some((one) => one.clearable.length > 0);
  const restricts =
    canClear ||
    steps !== undefined ||
    lists !== undefined ||
    accepted.length + merges.length + growing.length > 0;
  return {
    ...placeOf(target),
    ...references,
    ...bodiesOf(tested),
    ...ids,
    names,
    numeric: hasNumericKey(collection),
    text: hasTextKey(collection),
    composite: hasCompositeKey(collection),
    encodesIds: keyPartsOf(collection).some(({ type }) => type === 'text'),
    clientKey: hasClientKey(collection),
    obstacle: obstacleText(samples),
    untested: untestedText(tested),
    creates,
    background: creates && isBackground(collection),
    patchable: true,
    requireIfMatch: definition.requireIfMatch,
    search: definition.search.length > 0,
    written: creates && target.isCurrent ? writtenBySql(collection) : undefined,
    imports: creates ? importsOf(tested, target.fixtures) : [],
    expected: creates
      ? [
          ...new Set([
            ...(expects('A_DAY') ? ['A_DAY'] : []),
            ...(expectsTime ? ['A_TIME'] : []),
            ...(hasClientKey(collection) ? [] : [ids.anId]),
            ...(isBackground(collection) ? ['AN_ID'] : []),
            'computedOf',
            ids.noId,
            ...[...references.references, ...references.nested].map(({ noId }) => noId),
            ...(lists?.byReference ?? []).map(({ noId }) => noId),
          ]),
        ]
      : [ids.noId],
    full,
    fullBody: full.length > 0 ? `await full${names.type}()` : 'another()',
    unset: unset.map(({ name, code }) => ({ name, code: code.text })),
    ...tableView(collection, model),
    ...assignedView(collection),
    changes,
    clearable: clearable.map(({ name }) => name),
    usesAnother:
      spelled.length > 0 ||
      [...immutable, ...merges, ...unique, ...uniqueWhere].some(({ usesAnother }) => usesAnother),
    fixtures: [...(restricts ? ['allowed'] : []), 'another', ...(changes ? ['changed'] : [])],
    helpers: [
      ...(canClear ? ['clearable'] : []),
      ...(accepted.length > 0 ? ['limits'] : []),
      ...(spelled.length > 0 ? ['present'] : []),
      ...(merges.length + growing.length > 0 || steps !== undefined ? ['unrestricted'] : []),
      ...commonNames(helpers, TEST_MODULES),
    ].toSorted(),
    typeHelpers: typeImports(helpers, TEST_MODULES),
    merges,
    growing: creates ? growing : [],
    refused: refusedTests(tested),
    accepted,
    spelled,
    nestedNeeded: writable.flatMap((field) => missingPropertyTests(field)),
    immutable,
    unique,
    uniqueWhere,
    checks,
    afterHooks: afterHooksTests(collection, allChecks, steps),
    steps,
    inside: referrersOf(model, definition.name).flatMap(
      ({ relation }) => relation.nestedPath ?? [],
    ),
    lists,
  };
}

/** The members of bodies, by what requests do with them. */
function bodiesOf({
  collection,
  samples,
  writable,
  mutable,
  visible,
}: TestedCollection): Pick<
  CollectionTestView,
  | 'needed'
  | 'replaced'
  | 'kept'
  | 'fixed'
  | 'fixedShown'
  | 'databaseDefaults'
  | 'hiddenDatabaseDefaults'
  | 'readOnly'
  | 'writeOnly'
> {
  const { fields } = collection.definition;
  const isParent = ({ name }: Field): boolean =>
    samples.members.some((member) => member.kind === 'parent' && member.field.name === name);
  const namesIn = (chosen: readonly Field[]): string[] => chosen.map(({ name }) => name);
  const time = stringLiteral('2026-01-31T12:00:00Z');
  const defaulted = writable.filter(({ hasDatabaseDefault }) => hasDatabaseDefault);
  return {
    needed: namesIn(writable.filter(isRequiredInPost)),
    replaced: namesIn(mutable.filter(isRequiredInPost)),
    kept: namesIn(writable.filter(isParent)),
    fixed: namesIn(writable.filter(({ immutable }) => immutable)),
    fixedShown: namesIn(visible.filter(({ immutable, readOnly }) => immutable && !readOnly)),
    databaseDefaults: namesIn(defaulted.filter(({ writeOnly }) => !writeOnly)),
    hiddenDatabaseDefaults: namesIn(defaulted.filter(({ writeOnly }) => writeOnly)),
    readOnly: [
      ...(hasClientKey(collection)
        ? []
        : [{ name: 'id', code: testIds(collection.definition).noId }]),
      ...collection.definition.times.map((name) => ({ name, code: time })),
      ...fields
        .filter(({ readOnly }) => readOnly)
        .map((field) => ({
          name: field.name,
          code: valueCode(exampleValues(specOf, field)[0] ?? null),
        })),
      { name: 'unheard_of', code: '1' },
    ],
    writeOnly: namesIn(fields.filter(({ writeOnly }) => writeOnly)),
  };
}

/** Code for the references of a body with all members. */
const fullReferences = ({ creates, relations, all }: TestedCollection): MemberCode[] =>
  (creates ? relations : []).map((relation) => ({
    name: relation.field.name,
    code: `(await ${createFunctionOf(relation, all)}(service)).id`,
  }));

/** The fields that an item has without anybody sending them. */
const unsentFields = ({ collection, visible }: TestedCollection): readonly Field[] =>
  visible
    .filter((field) => field.readOnly || !isRequiredInPost(field))
    .filter((field) => !mayBeSetByCode(collection, field) && field.hasDatabaseDefault !== true);

/** What is imported of the modules that create items. @param fixtures where each of these is. */
function importsOf(
  { collection, relations, all }: TestedCollection,
  fixtures: TestTarget['fixtures'],
): CollectionTestView['imports'] {
  const { names } = collection;
  const makers = new Map<string, Set<string>>();
  for (const relation of relations) {
    const { kebab } = targetNames(relation.target.collection, all);
    makers.set(kebab, (makers.get(kebab) ?? new Set()).add(createFunctionOf(relation, all)));
  }
  makers.set(names.kebab, new Set([`${names.itemCamel}Body`, `create${names.type}`]));
  return [...makers]
    .map(([kebab, functions]) => ({
      kebab: fixtures.get(kebab) ?? kebab,
      make: [...functions].toSorted().join(', '),
    }))
    .toSorted((one, other) => (one.kebab < other.kebab ? -1 : 1));
}

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
function writtenBySql({ definition, table }: Collection): CollectionTestView['written'] {
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
