/** What the template of a collection's tests says. */
import type { Field, FieldType, JsonValue, ObjectType } from '../../definition/types.ts';
import { isBackground } from '../../model/jobs.ts';
import { referrersOf } from '../../model/lookup.ts';
import type { Names } from '../../model/names.ts';
import { acceptedValues, refusedValues } from '../../model/boundary-values.ts';
import { answered, exampleValues, ownMember } from '../../model/samples-values.ts';
import { allGroups, capacityOf, isNeeded, samplesOf } from '../../model/samples.ts';
import type { Samples } from '../../model/samples.ts';
import type { TestTarget } from '../../model/test-targets.ts';
import { columnName, quoted } from '../../model/sql.ts';
import type { Collection, Relation } from '../../model/types.ts';
import { stringLiteral } from '../literals.ts';
import { fixtureValues, fullValues, namesOf, placeOf, samplesFor } from './fixture.ts';
import type { FixtureValues, TestPlace } from './fixture.ts';
import { listTestsView } from './list-tests.ts';
import type { ListTestsView } from './list-tests.ts';
import { spellings, valueCode } from './test-values.ts';
import { isTodayUnsent, unsentCode } from './unsent-values.ts';

interface MemberCode {
  readonly name: string;
  readonly code: string;
}

/** The data of templates/collection/test.ts.hbs. */
export interface CollectionTestView extends TestPlace {
  readonly names: Names;
  /** Why there is no test that needs an item; empty where there are all. */
  readonly obstacle: string;
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
  /** Read-only members that `process` in hooks.ts may set. */
  readonly processed: readonly string[];
  /** What a POST needs, and a PUT. */
  readonly needed: readonly string[];
  readonly replaced: readonly string[];
  /** References of an item that a PUT keeps, and members that it cannot change. */
  readonly kept: readonly string[];
  readonly fixed: readonly string[];
  readonly fixedShown: readonly string[];
  /** Whether members are changed one by one. */
  readonly changes: boolean;
  readonly clearable: readonly string[];
  /** Patches that reach into objects. */
  readonly merges: readonly {
    name: string;
    before: string;
    patch: string;
    answer: string;
  }[];
  /** Members that a patch can add to without end. */
  readonly growing: readonly string[];
  readonly refused: readonly { member: string; why: string; changes: string }[];
  readonly accepted: readonly { member: string; why: string; value: string }[];
  /** Other spellings of values, with what is answered. */
  readonly spelled: readonly { member: string; sent: string; answer: string }[];
  readonly nestedNeeded: readonly { member: string; changes: string }[];
  readonly readOnly: readonly MemberCode[];
  readonly immutable: readonly { name: string; other: string }[];
  /** What is imported from the fixture, and from the module of helpers. */
  readonly fixtures: readonly string[];
  readonly helpers: readonly string[];
  readonly writeOnly: readonly string[];
  readonly unique: readonly UniqueView[];
  readonly references: readonly ReferenceView[];
  readonly nested: readonly NestedTestView[];
  /** Paths below an item of this collection. */
  readonly inside: readonly string[];
  readonly lists: ListTestsView | undefined;
}

interface UniqueView {
  readonly words: string;
  readonly title: string;
  readonly members: readonly string[];
  /** Those that are references, and the others. */
  readonly references: readonly string[];
  readonly values: readonly string[];
  /** Code of the members that the first item is given beyond what a fixture gives. */
  readonly given: readonly MemberCode[];
  /** Whether several may have none. */
  readonly clearable: readonly string[];
  /** Whether a second item is possible with other values. */
  readonly mayChange: boolean;
}

interface ReferenceView {
  readonly member: string;
  readonly maker: string;
  readonly path: string;
  readonly refuses: boolean;
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

export function collectionTestView(seen: TestTarget): CollectionTestView {
  const { collection, model } = seen;
  const all = samplesOf(model);
  const samples = samplesFor(collection, all);
  const { definition, names, relations } = collection;
  const creates = samples.obstacle === undefined;
  const writable = definition.fields.filter(({ readOnly }) => !readOnly);
  const visible = definition.fields.filter(({ writeOnly }) => !writeOnly);
  const series = seriesOf(samples);
  const values = fixtureValues(samples);
  const made = (relation: Relation): boolean =>
    all.get(relation.target.collection)?.obstacle === undefined;
  const usable = relations.filter((relation) => !relation.field.readOnly && made(relation));
  const variables = variablesFor(usable);
  const variableOf = (name: string): string => variables.get(name) ?? 'parent';
  const makerOf = (relation: Relation): string =>
    `create${namesOf(relation.target.collection, all).type}`;

  /** What an item is given so that it refers to something else than those of the test. */
  const elsewhereOf = (relation: Relation): string => {
    const member = samples.members.find(({ field }) => field === relation.field);
    return member?.kind === 'parent' && member.shared
      ? `, { ${relation.field.name}: (await ${makerOf(relation)}(service)).id }`
      : '';
  };

  const mutable = writable.filter(({ immutable }) => !immutable);
  const isParent = ({ name }: Field): boolean =>
    samples.members.some((member) => member.kind === 'parent' && member.field.name === name);
  const full = usable.map((relation) => ({
    name: relation.field.name,
    code: `(await ${makerOf(relation)}(service)).id`,
  }));
  const processed = isBackground(collection) ? visible.filter(({ readOnly }) => readOnly) : [];
  const unsent = visible
    .filter((field) => field.readOnly || !isNeeded(field))
    .filter((field) => !processed.includes(field));
  const unset = unsent.map((field) => ({ name: field.name, code: unsentCode(field) }));
  const accepted = creates
    ? writable
        .filter((field) => !field.writeOnly && !series.has(field.name))
        .flatMap((field) =>
          acceptedValues(field).map(({ member, why, value }) => ({
            member,
            why,
            value: valueCode(value),
          })),
        )
    : [];
  const usesDay = unsent.some(isTodayUnsent);
  const lists = creates ? listTestsView(samples, all) : undefined;
  const references = usable.map((relation): ReferenceView => ({
    member: relation.field.name,
    maker: makerOf(relation),
    path: relation.target.names.kebab,
    refuses: relation.onDelete === 'refuse',
    cascades: relation.onDelete === 'cascade',
    clears: relation.onDelete === 'clear',
    anItem: relation.target.names.anItem,
    elsewhere: elsewhereOf(relation),
    variable: variableOf(relation.field.name),
    readable: !relation.field.writeOnly,
    mayChange: !relation.field.immutable,
  }));
  const nested = usable.flatMap((relation): NestedTestView[] =>
    relation.nestedPath === undefined
      ? []
      : [
          {
            member: relation.field.name,
            parent: relation.target.names,
            maker: makerOf(relation),
            path: relation.nestedPath,
            variable: variableOf(relation.field.name),
            readable: !relation.field.writeOnly,
            another: capacityOf(all.get(relation.target.collection)) > 1,
            several: !relation.field.unique,
            separate: capacityOf(all.get(relation.target.collection)) > 2 && samples.capacity > 2,
            elsewhere: elsewhereOf(relation),
          },
        ],
  );
  const makers = new Map<string, Set<string>>();
  for (const relation of creates ? usable : []) {
    const target = namesOf(relation.target.collection, all);
    makers.set(target.kebab, (makers.get(target.kebab) ?? new Set()).add(`create${target.type}`));
  }
  makers.set(names.kebab, new Set([`${names.itemCamel}Body`, `create${names.type}`]));
  const spelled = creates
    ? writable
        .filter((field) => !field.writeOnly && values.another.has(field.name))
        .flatMap((field) =>
          spellings(field.type, `full.${field.name}`, field.required).map((one) => ({
            member: field.name,
            ...one,
          })),
        )
    : [];
  const unchangeable = creates
    ? writable
        .filter((field) => field.immutable && !field.writeOnly)
        .flatMap((field) => otherValue(field, samples, values, usable))
    : [];
  const merges = creates ? mutable.flatMap((field) => mergeOf(field, values)) : [];
  const unique = creates ? uniqueViews(collection, samples, values, usable, makerOf) : [];
  const changes = values.changed.size > 0;
  const clears = mutable.filter((field) => !field.required && !field.writeOnly);
  const grows = mutable.filter(({ type, writeOnly }) => type.type === 'json' && !writeOnly);
  const canClear = clears.length > 0 || unique.some(({ clearable }) => clearable.length > 0);
  const restricts =
    canClear || lists !== undefined || accepted.length + merges.length + grows.length > 0;
  const usesAnother =
    spelled.length > 0 ||
    [...unchangeable, ...merges.map(({ before: other }) => ({ other }))].some(({ other }) =>
      other.includes('full.'),
    ) ||
    unique.some(({ given }) => given.some(({ code }) => code.includes('full.')));
  return {
    ...placeOf(seen),
    names,
    obstacle: obstacleText(samples),
    creates,
    background: creates && isBackground(collection),
    patchable: true,
    requireIfMatch: definition.requireIfMatch,
    search: definition.search.length > 0,
    written: creates && seen.isCurrent ? writtenBySql(collection) : undefined,
    imports: (creates ? [...makers] : [])
      .map(([kebab, functions]) => ({
        kebab: seen.fixtures.get(kebab) ?? kebab,
        make: [...functions].toSorted().join(', '),
      }))
      .toSorted((one, other) => (one.kebab < other.kebab ? -1 : 1)),
    expected: creates
      ? [...(usesDay ? ['A_DAY'] : []), 'A_TIME', 'AN_ID', 'computedOf', 'NO_ID']
      : ['NO_ID'],
    full: creates ? full : [],
    fullBody: full.length > 0 ? `await full${names.type}()` : 'another()',
    unset,
    processed: processed.map(({ name }) => name),
    needed: writable.filter(isNeeded).map(({ name }) => name),
    replaced: mutable.filter(isNeeded).map(({ name }) => name),
    kept: writable.filter(isParent).map(({ name }) => name),
    fixed: writable.filter(({ immutable }) => immutable).map(({ name }) => name),
    fixedShown: visible
      .filter(({ immutable, readOnly }) => immutable && !readOnly)
      .map(({ name }) => name),
    changes,
    clearable: clears.map(({ name }) => name),
    usesAnother,
    fixtures: [...(restricts ? ['allowed'] : []), 'another', ...(changes ? ['changed'] : [])],
    helpers: [
      ...(canClear ? ['clearable'] : []),
      ...(accepted.length > 0 ? ['limits'] : []),
      ...(spelled.length > 0 ? ['present'] : []),
      ...(merges.length + grows.length > 0 ? ['unrestricted'] : []),
      ...['longer', 'shorter', 'withOffset'].filter(
        (name) =>
          spelled.some(({ sent }) => sent.includes(`${name}(`)) ||
          lists?.filters.some(({ options }) => options.includes(name)) === true,
      ),
    ].toSorted(),
    merges,
    growing: creates ? grows.map(({ name }) => name) : [],
    refused: writable.flatMap((field) =>
      refusedValues(field).map(({ member, why, value }) => ({
        member,
        why,
        changes: `{ ${field.name}: ${valueCode(value)} }`,
      })),
    ),
    accepted,
    spelled,
    nestedNeeded: writable.flatMap((field) => nestedNeeds(field)),
    readOnly: [
      { name: 'id', code: 'NO_ID' },
      { name: 'created_at', code: stringLiteral('2026-01-31T12:00:00Z') },
      { name: 'updated_at', code: stringLiteral('2026-01-31T12:00:00Z') },
      ...definition.fields
        .filter(({ readOnly }) => readOnly)
        .map((field) => ({ name: field.name, code: valueCode(exampleValues(field)[0] ?? null) })),
      { name: 'unheard_of', code: '1' },
    ],
    immutable: unchangeable,
    writeOnly: definition.fields.filter((field) => field.writeOnly).map(({ name }) => name),
    unique,
    references: creates ? references : [],
    nested: creates ? nested : [],
    inside: referrersOf(model, definition.name).flatMap(
      ({ relation }) => relation.nestedPath ?? [],
    ),
    lists,
  };
}

/** The values of members that differ from one body to the next. */
const seriesOf = ({ members }: Samples): ReadonlyMap<string, readonly JsonValue[]> =>
  new Map(
    members.flatMap((member) =>
      member.kind === 'series' ? [[member.field.name, member.values]] : [],
    ),
  );

function obstacleText({ obstacle }: Samples): string {
  if (obstacle === undefined) return '';
  return `No value is known for ${obstacle.field.name}: give an example in the definition, and tests that need an item are written too.`;
}

/** Names for constants that hold the parents of an item. */
function variablesFor(relations: readonly Relation[]): ReadonlyMap<string, string> {
  const taken = new Set(TEST_NAMES);
  const variables = new Map<string, string>();
  for (const { field } of relations) {
    const plain = field.name
      .replace(/_id$/, '')
      .replace(/_+(.)/g, (_match, letter: string) => letter.toUpperCase());
    const isTaken = taken.has(plain) || RESERVED.has(plain) || OF_FIXTURES.test(plain);
    const name = isTaken ? `${plain}Item` : plain;
    taken.add(name);
    variables.set(field.name, name);
  }
  return variables;
}

/**
 * What templates/collection/test.ts.hbs declares and imports.
 * test/unit/render/identifiers.test.ts finds a name that is missing here.
 */
const TEST_NAMES: readonly string[] = (
  'after again allowed another answer answered at before beforeAll beforeEach body changed ' +
  'changes clearable computedOf current describe encodeURIComponent expect falling filtersOf first ' +
  'found full given has head headers id ids indexed indexWords item items job key keyed ' +
  'keys limits listed longer made matches member members method missing name named noTag ' +
  'options other others outdated own parameter patch patched path position positions ' +
  'present q query read readAll readForthAndBack refused removed replaced request rising ' +
  'same searchedTables searchesOf second sent service shorter some sort sortBy startService ' +
  'taken test text third those uncounted unrestricted upperCase value why withOffset ' +
  'without written'
).split(' ');

/** Functions that are named after a collection: `createAuthor`, `authorBody`. */
const OF_FIXTURES = /^(?:any|create|full)[A-Z]|Body$/;

/** Words of the language, which are no names for constants. */
const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval ' +
    'export extends false finally for function if implements import in instanceof interface let new ' +
    'null package private protected public return static super switch this throw true try typeof ' +
    'undefined var void while with yield async of get set type fetch process console expect name'
  ).split(' '),
);

/** A patch of an object or a JSON value, with the value before and the answer. */
function mergeOf(field: Field, { another, changed }: FixtureValues): CollectionTestView['merges'] {
  const { type, name, writeOnly } = field;
  const value = another.get(name);
  if (writeOnly || value === undefined) return [];
  if (type.type === 'json') {
    return [
      {
        name,
        before: valueCode(fullValues(field)[0] ?? null),
        patch: '{ color: null, more: { added: [1] } }',
        answer: '{ sizes: [1, 2.5], more: { deep: [null], added: [1] } }',
      },
    ];
  }
  if (type.type !== 'object') return [];
  const path = changedProperty(type, value, changed.get(name) ?? null);
  if (path === undefined) return [];
  const before = `full.${name}`;
  const other = [`changed().${name}`, ...path].join('?.');
  return [
    {
      name,
      before,
      patch: path.reduceRight((inner, property) => `{ ${property}: ${inner} }`, other),
      answer: mergedCode(before, path, other),
    },
  ];
}

/** An object with the value of one property replaced. */
function mergedCode(whole: string, [property, ...rest]: readonly string[], value: string): string {
  if (property === undefined) return value;
  const inner = mergedCode(`${whole}?.${property}`, rest, value);
  return `{ ...${whole}, ${property}: ${inner} }`;
}

type Members = { readonly [member: string]: JsonValue };

const isMembers = (value: JsonValue | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The way to one property that two values have otherwise, as deep as there is one. */
function changedProperty(
  { properties }: ObjectType,
  before: JsonValue,
  now: JsonValue,
): string[] | undefined {
  if (!isMembers(before) || !isMembers(now)) return undefined;
  const partsOf = (name: string): [JsonValue, JsonValue] => [
    ownMember(before, name) ?? null,
    ownMember(now, name) ?? null,
  ];
  for (const { name, type } of properties) {
    const inner = type.type === 'object' ? changedProperty(type, ...partsOf(name)) : undefined;
    if (inner !== undefined) return [name, ...inner];
  }
  const found = properties.find(({ name, type }) => {
    const [one, other] = partsOf(name);
    const isWhole = type.type === 'object' || type.type === 'json';
    return !isWhole && JSON.stringify(one) !== JSON.stringify(other);
  });
  return found && [found.name];
}

/** A value that a member cannot change to after `valid(n)`; none where there is no other. */
function otherValue(
  field: Field,
  { members }: Samples,
  { another }: FixtureValues,
  usable: readonly Relation[],
): CollectionTestView['immutable'] {
  const { name, type } = field;
  if (type.type === 'reference') {
    return usable.some((relation) => relation.field === field) ? [{ name, other: 'NO_ID' }] : [];
  }
  const value = another.get(name);
  const base = members.find((member) => member.field === field);
  const first = base?.kind === 'value' ? answered(type, base.value) : undefined;
  if (value === undefined || JSON.stringify(value) === JSON.stringify(first)) return [];
  return [{ name, other: ofAnother(field, value) }];
}

/** A member of `another()`; of a field that may be newer than the fixture, with a value in its place. */
const ofAnother = ({ name, required }: Field, value: JsonValue): string =>
  required ? `full.${name}` : `full.${name} ?? ${valueCode(value)}`;

/** Objects that lack a property that is needed. */
function nestedNeeds(field: Field): { member: string; changes: string }[] {
  const { type } = field;
  if (type.type !== 'object') return [];
  const whole = exampleValues(field)[0];
  return type.properties
    .filter((property) => property.required && property.default === undefined)
    .map((property) => {
      const rest = Object.entries((whole ?? {}) as object).filter(
        ([name]) => name !== property.name,
      );
      const changes = Object.fromEntries(rest) as JsonValue;
      return {
        member: `${field.name}.${property.name}`,
        changes: `{ ${field.name}: ${valueCode(changes)} }`,
      };
    });
}

function uniqueViews(
  collection: Collection,
  samples: Samples,
  { another }: FixtureValues,
  usable: readonly Relation[],
  makerOf: (relation: Relation) => string,
): UniqueView[] {
  const { definition } = collection;
  const alone = new Set(definition.fields.filter(({ unique }) => unique).map(({ name }) => name));
  // A member that is unique by itself leaves nothing for the others to say.
  const groups = allGroups(collection).filter(
    (group) => group.length === 1 || !group.some((name) => alone.has(name)),
  );
  return groups.flatMap((group): UniqueView[] => {
    const fields = group.flatMap(
      (name) => definition.fields.find((field) => field.name === name) ?? [],
    );
    const base = new Set(samples.members.map(({ field }) => field));
    if (fields.length !== group.length || fields.some(({ readOnly }) => readOnly)) return [];
    const given: MemberCode[] = [];
    for (const field of fields) {
      if (base.has(field)) continue;
      const relation = usable.find((candidate) => candidate.field === field);
      if (relation !== undefined) {
        given.push({ name: field.name, code: `(await ${makerOf(relation)}(service)).id` });
        continue;
      }
      const value = another.get(field.name);
      if (value === undefined) return [];
      given.push({ name: field.name, code: ofAnother(field, value) });
    }
    return [
      {
        words: group.join(' and '),
        title: `${group.join(' and ')} ${group.length > 1 ? 'are unique together' : 'is unique'}`,
        members: group,
        references: fields.filter(({ type }) => type.type === 'reference').map(({ name }) => name),
        values: fields.filter(({ type }) => type.type !== 'reference').map(({ name }) => name),
        given,
        clearable: fields.filter((field) => !field.required).map(({ name }) => name),
        mayChange: samples.capacity > 2 && fields.every(({ immutable }) => !immutable),
      },
    ];
  });
}

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
