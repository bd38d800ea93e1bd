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
import { stringLiteral, stringsLiteral, valueCode } from '../../shared/literals.ts';
import { assignedView } from './assigned.ts';
import { olderPermissionsView } from './permission-test.ts';
import type { OlderPermissionsView } from './permission-test.ts';
import { unusedIdOf } from './test-ids.ts';
import { objectCode } from './tested-collection.ts';
import type { MemberCode } from './tested-collection.ts';
import { unsentCode } from './unsent-values.ts';
import { writtenMembers, writtenValues } from './version-values.ts';
import type { WrittenMembers } from './version-values.ts';

/** An older version beside the current one. */
export interface OlderView {
  readonly version: number;
  /** The items that tests make in the older version. */
  readonly tested: string;
  /** Code for how the versions differ. */
  readonly options: readonly MemberCode[];
  /** Who may do what with it; undefined where all may do all. */
  readonly permissions: OlderPermissions | undefined;
  /** Code for a reference that each calls in its own way, where jobs may find that it leads nowhere; else empty. */
  readonly jobOptions: readonly MemberCode[];
}

/** Who may do what with an older version, with code for what is beside the table. */
export interface OlderPermissions extends Pick<OlderPermissionsView, 'table' | 'roles' | 'owned'> {
  readonly options: readonly MemberCode[];
}

/** A reference: what it is called in what is stored, in the older version, and in the current one. */
interface FailingReference {
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

/** The tests of an older version, and what they import. */
interface OlderTests {
  readonly view: OlderView;
  readonly imports: readonly FixtureImport[];
  /** What is imported from `expected.ts`. */
  readonly expected: readonly string[];
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
  const { version, collection, folder } = older.target;
  const { names } = collection;
  const { setByCode } = assignedView(stored);
  const added = addedMembers(stored, older, now).map((field) => ({
    name: field.name,
    code: unsentCode(field),
  }));
  const toCurrent = writtenIn(older, now);
  const untold = untoldOf(older.members, now);
  const options = {
    computed: `${stored.names.type}Computed`,
    setByCode: strings(setByCode),
    hasUpdatedAt: String(stored.definition.times.includes('updated_at')),
    toOlder: writtenCode(writtenIn(now, older)),
    toCurrent: writtenCode({
      ...toCurrent,
      shown: [...toCurrent.shown, ...added.map(({ name, code }) => ({ name, code: code.text }))],
    }),
    writable: stringsLiteral(
      older.members
        .filter(({ stored: field }) => !field.readOnly && !field.writeOnly)
        .map(({ shown }) => shown.name),
    ),
    secrets: strings(secretsOf(older)),
    replaced: untold.length === 0 ? undefined : `[${untold.join(', ')}]`,
    searchedInCurrent: strings(searchedOnlyIn(now, older)),
    searchedInOlder: strings(searchedOnlyIn(older, now)),
    several: String(Math.min(capacityOf(older.samples), capacityOf(now.samples)) > 1),
  };
  const permissions = olderPermissionsView(collection, older.target.model, stored);
  const failing = isBackground(stored) ? failingOf(older.members, now.members) : undefined;
  const tested = `test${names.pascal}`;
  const view: OlderView = {
    version,
    tested: `${tested}InV${version}`,
    options: membersOf(options),
    permissions: permissions && { ...permissions, options: permissionOptions(permissions) },
    jobOptions: failing === undefined ? [] : jobOptions(stored.definition.name, failing),
  };
  const nowNames = now.target.collection.names;
  return {
    view,
    imports: [
      { name: `test${nowNames.pascal}`, file: `items/${nowNames.kebab}` },
      { name: `${tested} as ${view.tested}`, file: `items/${folder}${names.kebab}` },
    ],
    expected: [
      ...(added.some(({ code }) => code.uses.includes('A_DAY')) ? ['A_DAY'] : []),
      ...(permissions?.references ?? []).map(({ noId }) => noId),
      ...(failing === undefined ? [] : [failing.noId]),
    ],
  };
}

/** The options that are there. */
const membersOf = (options: Readonly<Record<string, string | undefined>>): MemberCode[] =>
  Object.entries(options).flatMap(([name, code]) => (code === undefined ? [] : [{ name, code }]));

/** Code for an option with texts; undefined if there are none. */
const strings = (texts: readonly string[]): string | undefined =>
  texts.length === 0 ? undefined : stringsLiteral(texts);

/** What one version sends, and what the other one shows of it. */
const writtenIn = (from: VersionSide, to: VersionSide): WrittenMembers =>
  writtenMembers(writtenValues(from.target.collection, from.members, from.samples), to.members);

const writtenCode = ({ fixture, sent, shown }: WrittenMembers): string =>
  objectCode(
    membersOf({
      fixture: fixture.length === 0 ? undefined : `[${fixture.join(', ')}]`,
      sent: sent.length === 0 ? undefined : objectCode(sent),
      shown: shown.length === 0 ? undefined : objectCode(shown),
    }),
  );

const permissionOptions = ({ nested, ownLists, references }: OlderPermissionsView): MemberCode[] =>
  membersOf({
    nested:
      nested.length === 0
        ? undefined
        : `{ ${nested.map(({ row, member }) => `${stringLiteral(row)}: ${stringLiteral(member)}`).join(', ')} }`,
    listsOwn: ownLists ? 'true' : undefined,
    references:
      references.length === 0
        ? undefined
        : `[${references.map(({ member, creator, noId }) => `[${stringLiteral(member)}, ${creator}, ${noId}]`).join(', ')}]`,
  });

const jobOptions = (
  collection: string,
  { stored, here, now, noId }: FailingReference,
): MemberCode[] =>
  membersOf({
    collection: stringLiteral(collection),
    stored: stringLiteral(stored),
    names: `{ current: ${stringLiteral(now)}, older: ${stringLiteral(here)} }`,
    noId,
  });

/** The write-only members that a body of the version needs. */
const secretsOf = ({ members }: VersionSide): string[] =>
  members
    .filter(({ stored }) => stored.writeOnly && !stored.readOnly && stored.required)
    .filter(({ shown }) => shown.type.type !== 'reference')
    .map(({ shown }) => shown.name);

/** The members of the current version that the older one does not have, and so does not send. */
const addedMembers = (stored: Collection, older: VersionSide, now: VersionSide): Field[] =>
  now.members
    .filter(({ stored: field }) => !older.members.some((one) => one.stored === field))
    .filter(({ stored: field }) => !field.writeOnly && field.hasDatabaseDefault !== true)
    .filter(({ stored: field }) => !mayBeSetByCode(stored, field))
    .map(({ shown }) => shown);

function failingOf(
  members: readonly ViewMember[],
  nowMembers: readonly ViewMember[],
): FailingReference | undefined {
  for (const { stored, shown } of members) {
    const now = nowMembers.find((one) => one.stored === stored)?.shown.name;
    if (stored.type.type !== 'reference' || now === undefined || now === shown.name) continue;
    return {
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

/** Code for values of the current version that the older one shows as others, each with the members. */
function untoldOf(
  members: readonly ViewMember[],
  { members: nowMembers, samples }: VersionSide,
): string[] {
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
        const texts = [now.shown.name, value, shown.name].map(stringLiteral);
        return [`[${[...texts, valueCode(here)].join(', ')}]`];
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
