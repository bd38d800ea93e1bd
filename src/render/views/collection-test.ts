/** What the template of a collection's tests says. */
import type { Field, FieldType, JsonValue } from '../../definition/types.ts';
import { isBackground } from '../../model/jobs.ts';
import { referrersOf } from '../../model/lookup.ts';
import type { Names } from '../../model/names.ts';
import { acceptedCases, refusedCases, spellings } from '../../model/samples-limits.ts';
import { answered, exampleValues, ownMember, respelled } from '../../model/samples-values.ts';
import { allGroups, capacityOf, isNeeded, samplesOf } from '../../model/samples.ts';
import type { Samples } from '../../model/samples.ts';
import type { Seen } from '../../model/seen.ts';
import { columnName, quoted } from '../../model/sql.ts';
import type { Collection, Relation } from '../../model/types.ts';
import { stringLiteral } from '../literals.ts';
import { namesOf, placeOf, samplesFor } from './fixture.ts';
import type { TestPlace } from './fixture.ts';
import { listTestsView } from './list-tests.ts';
import type { ListTestsView } from './list-tests.ts';
import { expectedCode, valueCode } from './test-values.ts';

interface MemberCode {
  readonly name: string;
  readonly code: string;
}

interface ParentVariable {
  /** A constant that holds the parent. */
  readonly variable: string;
  readonly maker: string;
}

/** The data of templates/collection/test.ts.hbs. */
export interface CollectionTestView extends TestPlace {
  readonly names: Names;
  /** Why there is no test that needs an item; empty where there are all. */
  readonly obstacle: string;
  readonly creates: boolean;
  /** Whether they are made in the background. */
  readonly background: boolean;
  /** The function that gives a body with all members. */
  readonly fullName: string;
  readonly fullDoc: string;
  /** Whether something of an item may be changed. */
  readonly patchable: boolean;
  /** Whether changes need `If-Match`. */
  readonly requireIfMatch: boolean;
  readonly search: boolean;
  /** A statement that gives a searched text to the item `$1`, and the text, which is one word. */
  readonly written: { readonly update: string; readonly text: string } | undefined;
  readonly imports: readonly { readonly kebab: string; readonly make: string }[];
  readonly expected: readonly string[];
  readonly full: {
    readonly parents: readonly ParentVariable[];
    readonly members: readonly MemberCode[];
    /** What is answered, but for what `body` says as well. */
    readonly answer: readonly MemberCode[];
  };
  /** What is answered where only what is needed was sent. */
  readonly filledIn: readonly MemberCode[];
  readonly replacement: {
    readonly members: readonly MemberCode[];
    readonly answer: readonly MemberCode[];
    /** Their names, as literals. */
    readonly names: readonly string[];
  };
  /** Members that are changed one by one. */
  readonly changes: readonly { name: string; sent: string; answer: string }[];
  readonly clearable: readonly string[];
  /** Patches that reach into objects. */
  readonly merges: readonly { name: string; patch: string; answer: string }[];
  /** Members that a patch can add to without end. */
  readonly growing: readonly string[];
  readonly refused: readonly { member: string; why: string; changes: string }[];
  readonly accepted: readonly { member: string; why: string; value: string }[];
  /** Other spellings of values, with what is answered. */
  readonly spelled: readonly { member: string; sent: string; answer: string }[];
  readonly needed: readonly string[];
  readonly nestedNeeded: readonly { member: string; changes: string }[];
  readonly readOnly: readonly MemberCode[];
  readonly immutable: readonly { name: string; other: string }[];
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
  readonly words: string;
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
}

export function collectionTestView(seen: Seen): CollectionTestView {
  const { collection, model } = seen;
  const all = samplesOf(model);
  const samples = samplesFor(collection, all);
  const { definition, names, relations } = collection;
  const creates = samples.obstacle === undefined;
  const writable = definition.fields.filter(({ readOnly }) => !readOnly);
  const visible = definition.fields.filter(({ writeOnly }) => !writeOnly);
  const series = seriesOf(samples);
  /** The values of a field that tests write down: rare ones, which no fixture comes up with. */
  const valuesOf = once((field: Field): readonly JsonValue[] => {
    const own = series.get(field.name);
    return own === undefined ? fullValues(field) : own.toReversed();
  });
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

  const fullMembers = writable.flatMap((field) => {
    const relation = usable.find((candidate) => candidate.field === field);
    if (relation !== undefined) return [{ field, code: `${variableOf(field.name)}.id` }];
    const value = valuesOf(field)[0];
    return field.type.type === 'reference' || value === undefined
      ? []
      : [{ field, code: valueCode(respelled(field.type, value)) }];
  });
  const isGiven = (field: Field): boolean => fullMembers.some((member) => member.field === field);
  const answerOf = (field: Field, value: JsonValue | undefined): MemberCode => ({
    name: field.name,
    code: expectedCode(
      field.type,
      value === undefined ? unsent(field) : answered(field.type, value),
    ),
  });
  const baseFields = new Set(samples.members.map(({ field }) => field));
  const mutable = writable.filter(({ immutable }) => !immutable);
  const isReference = ({ type }: Field): boolean => type.type === 'reference';

  const replaced = mutable.filter(isNeeded);
  const replacement = replaced.flatMap(
    (field): { field: Field; code: string; answer: string }[] => {
      if (isReference(field)) return [{ field, code: `item.${field.name}`, answer: '' }];
      const [first, second = first] = valuesOf(field);
      if (second === undefined) return [];
      return [
        {
          field,
          code: valueCode(second),
          answer: expectedCode(field.type, answered(field.type, second)),
        },
      ];
    },
  );
  const changes = creates
    ? mutable
        .filter((field) => !isReference(field) && !field.writeOnly)
        .filter(({ type }) => type.type !== 'object' && type.type !== 'json')
        .flatMap((field) => {
          const [first, second = first] = valuesOf(field);
          if (second === undefined) return [];
          return [
            {
              name: field.name,
              sent: valueCode(respelled(field.type, second)),
              answer: expectedCode(field.type, second),
            },
          ];
        })
    : [];
  const accepted = creates
    ? writable
        .filter((field) => !field.writeOnly && !series.has(field.name))
        .flatMap((field) =>
          acceptedCases(field).map(({ member, why, value }) => ({
            member,
            why,
            value: valueCode(value),
          })),
        )
    : [];
  const filledIn = visible
    .filter((field) => !baseFields.has(field) || field.type.type === 'object')
    .map((field) => {
      const member = samples.members.find((candidate) => candidate.field === field);
      return answerOf(field, member?.kind === 'value' ? member.value : undefined);
    });
  const replacementAnswer = [
    ...replacement
      .filter(({ field, answer }) => answer !== '' && !field.writeOnly)
      .map(({ field, answer }) => ({
        name: field.name,
        code: answer,
      })),
    ...mutable
      .filter((field) => !isNeeded(field) && !field.writeOnly)
      .map((field) => answerOf(field, undefined)),
  ];
  const fullAnswer = visible.map((field) =>
    isGiven(field) && isReference(field)
      ? { name: field.name, code: `body.${field.name}` }
      : answerOf(field, isGiven(field) ? valuesOf(field)[0] : undefined),
  );
  const usesDay = [...fullAnswer, ...filledIn, ...replacementAnswer].some(({ code }) =>
    code.includes('A_DAY'),
  );
  const lists = creates ? listTestsView(samples, all) : undefined;
  const references = usable.map((relation): ReferenceView => ({
    member: relation.field.name,
    maker: makerOf(relation),
    path: relation.target.names.kebab,
    refuses: relation.onDelete === 'refuse',
    cascades: relation.onDelete === 'cascade',
    clears: relation.onDelete === 'clear',
    anItem: relation.target.names.anItem,
    words: relation.target.names.itemWords,
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
  return {
    ...placeOf(seen),
    names,
    obstacle: obstacleText(samples),
    creates,
    background: creates && isBackground(collection),
    fullName: `full${names.type}`,
    fullDoc: `A body with all members that clients can set.`,
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
    expected: creates ? [...(usesDay ? ['A_DAY'] : []), 'A_TIME', 'AN_ID', 'NO_ID'] : ['NO_ID'],
    full: {
      parents: usable.map((relation) => ({
        variable: variableOf(relation.field.name),
        maker: makerOf(relation),
      })),
      members: fullMembers.map(({ field, code }) => ({ name: field.name, code })),
      answer: fullAnswer,
    },
    filledIn,
    replacement: {
      members: replacement.map(({ field, code }) => ({ name: field.name, code })),
      answer: replacementAnswer,
      names: replacement.map(({ field }) => stringLiteral(field.name)),
    },
    changes,
    clearable: mutable
      .filter((field) => !field.required && !field.writeOnly)
      .map(({ name }) => name),
    merges: creates
      ? mutable
          .filter((field) => !field.writeOnly)
          .flatMap((field) => mergeOf(field, valuesOf(field)[0]))
      : [],
    growing: creates
      ? mutable
          .filter(({ type, writeOnly }) => type.type === 'json' && !writeOnly)
          .map(({ name }) => name)
      : [],
    refused: writable.flatMap((field) =>
      refusedCases(field).map(({ member, why, value }) => ({
        member,
        why,
        changes: `{ ${field.name}: ${valueCode(value)} }`,
      })),
    ),
    accepted,
    spelled: creates
      ? writable
          .filter((field) => !field.writeOnly)
          .flatMap((field) =>
            spellings(field).map(({ sent, answered: value }) => ({
              member: field.name,
              sent: valueCode(sent),
              answer: valueCode(value),
            })),
          )
      : [],
    needed: writable.filter(isNeeded).map(({ name }) => name),
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
    immutable: writable
      .filter((field) => field.immutable && !field.writeOnly)
      .flatMap((field) => {
        if (isReference(field)) {
          return usable.some((relation) => relation.field === field)
            ? [{ name: field.name, other: 'NO_ID' }]
            : [];
        }
        const [, second] = valuesOf(field);
        return second === undefined ? [] : [{ name: field.name, other: valueCode(second) }];
      }),
    writeOnly: definition.fields.filter((field) => field.writeOnly).map(({ name }) => name),
    unique: creates ? uniqueViews(collection, samples, valuesOf, usable, makerOf) : [],
    references: creates ? references : [],
    nested: creates ? nested : [],
    inside: referrersOf(model, definition.name).flatMap(
      ({ relation }) => relation.nestedPath ?? [],
    ),
    lists,
  };
}

/** A function that works each answer out once. */
function once<K, V>(work: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? work(key);
    known.set(key, value);
    return value;
  };
}

/** The values of members that differ from one body to the next. */
const seriesOf = ({ members }: Samples): ReadonlyMap<string, readonly JsonValue[]> =>
  new Map(
    members.flatMap((member) =>
      member.kind === 'series' ? [[member.field.name, member.values]] : [],
    ),
  );

/** Two values of a field, the first of which is not its default. */
export function fullValues(field: Field): readonly JsonValue[] {
  if (field.type.type === 'json')
    return [{ color: 'blue', sizes: [1, 2.5], more: { deep: [null] } }, ['one', 2]];
  const values = exampleValues(field);
  const isDefault = (value: JsonValue): boolean =>
    JSON.stringify(value) === JSON.stringify(field.default);
  return [...values.filter((value) => !isDefault(value)), ...values.filter(isDefault)];
}

/** What an item has for a member that nobody sent. */
export const unsent = (field: Field): JsonValue =>
  field.default === undefined ? null : answered(field.type, field.default);

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
  'after again answer answered beforeAll beforeEach body changed changes describe ' +
  'encodeURIComponent expect falling first found given has head headers id ids indexWords indexed item items job key ' +
  'keyed made matches member members method missing name named noTag other others outdated own ' +
  'parameter patch path position positions q query read readAll readForthAndBack refused removed ' +
  'replaced request rising same searched second sent service some sort sortBy startService taken test text third ' +
  'those uncounted upperCase value why without written'
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

function mergeOf(
  field: Field,
  value: JsonValue | undefined,
): { name: string; patch: string; answer: string }[] {
  const { type, name } = field;
  if (value === undefined || value === null || typeof value !== 'object' || Array.isArray(value))
    return [];
  const whole = value as { readonly [member: string]: JsonValue };
  if (type.type === 'json') {
    return [
      {
        name,
        patch: '{ color: null, more: { added: [1] } }',
        answer: '{ sizes: [1, 2.5], more: { deep: [null], added: [1] } }',
      },
    ];
  }
  if (type.type !== 'object') return [];
  const merge = innerMerge(type, whole);
  if (merge === undefined) return [];
  return [
    {
      name,
      patch: valueCode(merge),
      answer: expectedCode(type, merged(answered(type, whole), merge)),
    },
  ];
}

/** A patch that changes one property, as deep as there is one. */
function innerMerge(
  type: Extract<FieldType, { type: 'object' }>,
  whole: { readonly [member: string]: JsonValue },
): { readonly [member: string]: JsonValue } | undefined {
  for (const property of type.properties) {
    const before = ownMember(whole, property.name);
    if (property.type.type === 'object' && typeof before === 'object' && before !== null) {
      const inner = innerMerge(property.type, before as { readonly [member: string]: JsonValue });
      if (inner !== undefined) return { [property.name]: inner };
    }
  }
  for (const property of type.properties) {
    if (property.type.type === 'object' || property.type.type === 'json') continue;
    const other = exampleValues(property).find(
      (value) => JSON.stringify(value) !== JSON.stringify(ownMember(whole, property.name)),
    );
    if (other !== undefined) return { [property.name]: other };
  }
  return undefined;
}

function merged(value: JsonValue, patch: { readonly [member: string]: JsonValue }): JsonValue {
  const before = value as { readonly [member: string]: JsonValue };
  return Object.fromEntries(
    Object.entries(before).map(([name, part]) => {
      const given = ownMember(patch, name);
      if (given === undefined) return [name, part];
      return typeof given === 'object' && given !== null && !Array.isArray(given)
        ? [name, merged(part, given as { readonly [member: string]: JsonValue })]
        : [name, given];
    }),
  );
}

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
  valuesOf: (field: Field) => readonly JsonValue[],
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
      const value = valuesOf(field)[0];
      if (field.type.type === 'reference' || value === undefined) return [];
      given.push({ name: field.name, code: valueCode(value) });
    }
    return [
      {
        words: group.join(' and '),
        title: `${group.join(' and ')} ${group.length > 1 ? 'are unique together' : 'is unique'}`,
        members: group,
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
