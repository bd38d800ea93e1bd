/** What tests across versions say of an older version beside the current one. */
import { ownMember } from '../../shared/json.ts';
import type { Field } from '../../definition/types.ts';
import { shownValue } from '../../definition/versions/older-form.ts';
import { isBackground } from '../../model/jobs.ts';
import { mayBeSetByCode } from '../../model/set-by-code.ts';
import { acceptsText } from '../../types/text-samples.ts';
import { isStringOrText } from '../../types/text.ts';
import { isKeptValue } from '../../model/check-values.ts';
import { capacityOf, samplesOf } from '../../model/samples.ts';
import type { Samples } from '../../model/samples.ts';
import type { TestTarget } from '../../model/test-targets.ts';
import type { Collection, Model, View, ViewMember } from '../../model/types.ts';
import { viewIn } from '../../model/versions.ts';
import { stringLiteral, valueCode } from '../../shared/literals.ts';
import { olderPermissionsView } from './permission-test.ts';
import type { OlderPermissionsView } from './permission-test.ts';
import { unusedIdOf } from './test-ids.ts';
import type { MemberCode } from './tested-collection.ts';
import { unsentCode } from './unsent-values.ts';
import { bodyOf, isSameInBothVersions, valuesShownIn, writtenValues } from './version-values.ts';

/** An older version beside the current one. */
export interface OlderView {
  readonly version: number;
  readonly path: string;
  readonly now: string;
  readonly isMoved: boolean;
  readonly make: string;
  readonly makeNow: string;
  /** What an item of the current version is given, and what the older one shows of it. */
  readonly given: readonly MemberCode[];
  readonly shown: readonly MemberCode[];
  /** What the older one sends back of what it read, and what it reads of nothing. */
  readonly writable: readonly string[];
  readonly secrets: readonly MemberCode[];
  /** What an item of the older version is given, and what the current one shows of it. */
  readonly sent: readonly MemberCode[];
  readonly stored: readonly MemberCode[];
  /** Values that the older one cannot tell. */
  readonly untold: readonly {
    readonly member: string;
    readonly value: string;
    readonly olderMember: string;
    readonly shown: string;
  }[];
  /** Members in which only the current one searches, and in which only the older one does. */
  readonly searchedNow: readonly string[];
  readonly searchedHere: readonly string[];
  /** Who may do what with it, and how tests make its bodies. */
  readonly permissions: OlderPermissionsView | undefined;
  readonly body: string;
  /** A reference that each calls in its own way, where jobs may find that it leads nowhere. */
  readonly failing: FailingView | undefined;
  /** Whether there can be two of them. */
  readonly several: boolean;
  /** Whether values of the current fixture are sent, and what gives those of the older one. */
  readonly usesNow: boolean;
  readonly another: string | undefined;
}

/** A reference: what it is called in what is stored, in the older version, and in the current one. */
interface FailingView {
  readonly collection: string;
  readonly stored: string;
  /** The name of an id that no item has. */
  readonly noId: string;
  readonly here: string;
  readonly now: string;
}

/** A word that no other member of an item has. */
const WORD = 'Quetzalcoatl';

/** Names that are imported from a module of fixtures or items. */
export interface FixtureImport {
  readonly name: string;
  readonly file: string;
}

/** The tests of an older version, and what they need. */
interface OlderTests {
  readonly view: OlderView;
  readonly imports: readonly FixtureImport[];
  /** Whether code of the view names `A_DAY`. */
  readonly expectsDay: boolean;
}

/** A version of a collection, with what its tests know of it. */
interface VersionSide {
  readonly target: TestTarget;
  readonly members: readonly ViewMember[];
  readonly samples: Samples;
}

function sideOf(stored: Collection, target: TestTarget, model: Model): VersionSide | undefined {
  const samples = samplesOf(target.model).get(target.collection.definition.name);
  if (samples === undefined || samples.obstacle !== undefined) return undefined;
  const view = viewIn(model, stored.definition.name, target.version);
  return { target, members: membersIn(stored, view), samples };
}

/** Undefined where tests cannot make items in both versions. */
export function olderTests(
  stored: Collection,
  olderTarget: TestTarget,
  nowTarget: TestTarget,
  model: Model,
): OlderTests | undefined {
  const [older, now] = [olderTarget, nowTarget].map((target) => sideOf(stored, target, model));
  if (older === undefined || now === undefined) return undefined;
  const { names } = older.target.collection;
  const { version } = older.target;
  const given = writtenValues(now.target.collection, now.members, now.samples);
  const sent = writtenValues(older.target.collection, older.members, older.samples);
  const secrets = secretsOf(older);
  const added = addedMembers(stored, older, now).map((field) => ({
    name: field.name,
    code: unsentCode(field),
  }));
  const nowPath = now.target.collection.names.kebab;
  const view: OlderView = {
    version,
    path: names.kebab,
    now: nowPath,
    isMoved: names.kebab !== nowPath,
    make: `create${names.type}InV${version}`,
    makeNow: `create${now.target.collection.names.type}`,
    given: bodyOf(given, 'now', older.members),
    shown: valuesShownIn(older.members, given, 'now'),
    writable: older.members
      .filter(({ stored: field }) => !field.readOnly && !field.writeOnly)
      .map(({ shown }) => shown.name),
    secrets,
    sent: bodyOf(sent, 'here', now.members),
    stored: [
      ...valuesShownIn(now.members, sent, 'here'),
      ...added.map(({ name, code }) => ({ name, code: code.text })),
    ],
    untold: untoldOf(older.members, now),
    permissions: olderPermissionsView(older.target.collection, older.target.model, stored),
    body: `${names.itemCamel}BodyInV${version}`,
    failing: isBackground(stored)
      ? failingOf(stored.definition.name, older.members, now.members)
      : undefined,
    searchedNow: searchedOnlyIn(now, older),
    searchedHere: searchedOnlyIn(older, now),
    several: Math.min(capacityOf(older.samples), capacityOf(now.samples)) > 1,
    usesNow: given.some((one) => isSameInBothVersions(one, older.members)),
    another:
      secrets.length > 0 || sent.some((one) => isSameInBothVersions(one, now.members))
        ? `anotherInV${version}`
        : undefined,
  };
  return {
    view,
    imports: importsOf(view, older.target, nowPath),
    expectsDay: added.some(({ code }) => code.uses.includes('A_DAY')),
  };
}

/** What the tests of an older version import. @param nowPath the path of the collection in the current version. */
function importsOf(
  { make, makeNow, permissions, body, usesNow, another }: OlderView,
  { folder, collection }: TestTarget,
  nowPath: string,
): FixtureImport[] {
  const { kebab, type, itemCamel } = collection.names;
  const makers = [
    ...(permissions ? [`${itemCamel}Body as ${body}`] : []),
    `create${type} as ${make}`,
  ].toSorted();
  return [
    ...(usesNow ? [{ name: 'another', file: `../fixtures/${nowPath}` }] : []),
    ...(another === undefined
      ? []
      : [{ name: `another as ${another}`, file: `../fixtures/${folder}${kebab}` }]),
    { name: makeNow, file: `../support/items/${nowPath}` },
    { name: makers.join(', '), file: `../support/items/${folder}${kebab}` },
  ];
}

/** The write-only members that a body of the version needs. */
const secretsOf = ({ members }: VersionSide): MemberCode[] =>
  members
    .filter(({ stored }) => stored.writeOnly && !stored.readOnly && stored.required)
    .filter(({ shown }) => shown.type.type !== 'reference')
    .map(({ shown }) => ({ name: shown.name, code: `here.${shown.name}` }));

/** The members of the current version that the older one does not have, and so does not send. */
const addedMembers = (stored: Collection, older: VersionSide, now: VersionSide): Field[] =>
  now.members
    .filter(({ stored: field }) => !older.members.some((one) => one.stored === field))
    .filter(({ stored: field }) => !field.writeOnly && field.hasDatabaseDefault !== true)
    .filter(({ stored: field }) => !mayBeSetByCode(stored, field))
    .map(({ shown }) => shown);

function failingOf(
  collection: string,
  members: readonly ViewMember[],
  nowMembers: readonly ViewMember[],
): FailingView | undefined {
  for (const { stored, shown } of members) {
    const now = nowMembers.find((one) => one.stored === stored)?.shown.name;
    if (stored.type.type !== 'reference' || now === undefined || now === shown.name) continue;
    return {
      collection,
      stored: stored.name,
      noId: unusedIdOf(stored.type),
      here: shown.name,
      now,
    };
  }
  return undefined;
}

/** Members in which one version searches and the other does not, though it searches in some. */
function searchedOnlyIn(one: VersionSide, other: VersionSide): string[] {
  const { search } = other.target.collection.definition;
  if (search.length === 0) return [];
  return one.target.collection.definition.search.filter((name) => {
    const member = one.members.find(({ shown }) => shown.name === name);
    const same = other.members.find(({ stored }) => stored === member?.stored);
    const isSearched = same !== undefined && search.includes(same.shown.name);
    const type = member?.shown.type;
    const isText = type !== undefined && isStringOrText(type);
    return isText && !isSearched && !member?.stored.readOnly && acceptsText(type, WORD);
  });
}

/** Values of the current version that the older one shows as others. */
function untoldOf(
  members: readonly ViewMember[],
  { members: nowMembers, samples }: VersionSide,
): OlderView['untold'] {
  return members.flatMap(({ stored, shown, conversion, substitutes }) => {
    const now = nowMembers.find((one) => one.stored === stored);
    const isTold = now === undefined || stored.readOnly || stored.writeOnly || stored.immutable;
    if (isTold || now.conversion.kind !== 'same') return [];
    return Object.entries(substitutes)
      .filter(([value]) => ownMember(now.substitutes, value) === undefined)
      .filter(([value]) => isKeptValue(samples.checks, now.shown, value))
      .flatMap(([value, as]) => {
        const here = shownValue(stored.type, conversion, as);
        if (here === undefined) return [];
        return [
          {
            member: now.shown.name,
            value: stringLiteral(value),
            olderMember: shown.name,
            shown: valueCode(here),
          },
        ];
      });
  });
}

/** The members of a collection in a version; where that sees what is stored, all of them. */
const membersIn = ({ definition }: Collection, view: View | undefined): readonly ViewMember[] =>
  view?.members ??
  definition.fields.map((field: Field): ViewMember => ({
    stored: field,
    shown: field,
    conversion: { kind: 'same' },
    substitutes: {},
  }));
