/** What the template of tests across versions says: what is written through one is read through another. */
import type { Field } from '../../definition/types.ts';
import { readBack, shownValue } from '../../definition/versions/convert.ts';
import { isBackground } from '../../model/jobs.ts';
import type { Names } from '../../model/names.ts';
import { acceptsText } from '../../model/samples-text.ts';
import { answered } from '../../model/samples-values.ts';
import { capacityOf, isNeeded, samplesOf } from '../../model/samples.ts';
import { testTargetsOf } from '../../model/test-targets.ts';
import type { TestTarget } from '../../model/test-targets.ts';
import type { Collection, Model } from '../../model/types.ts';
import { pathIn, viewIn } from '../../model/versions.ts';
import type { View, ViewMember } from '../../model/versions.ts';
import { stringLiteral } from '../literals.ts';
import { olderPermissionsView } from './permission-test.ts';
import type { OlderPermissionsView } from './permission-test.ts';
import { unsent } from './collection-test.ts';
import { fullValues } from './fixture.ts';
import { expectedCode, valueCode } from './test-values.ts';

interface MemberCode {
  readonly name: string;
  readonly code: string;
}

/** The data of templates/collection/versions.test.ts.hbs. */
export interface VersionsTestView {
  readonly names: Names;
  /** What is imported: how items are made in each version. */
  readonly imports: readonly { readonly name: string; readonly file: string }[];
  readonly expected: readonly string[];
  readonly older: readonly OlderView[];
  /** The versions that do not have it, and its path where it is. */
  readonly absent: readonly { readonly version: number; readonly path: string }[];
  /** The roles among those who ask, where permissions are looked at, and whether somebody owns items. */
  readonly callers: Pick<OlderPermissionsView, 'roles' | 'owned'> | undefined;
  /** Whether jobs are looked at. */
  readonly jobs: boolean;
}

/** An older version beside the current one. */
interface OlderView {
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
  readonly here: string;
  readonly now: string;
}

/** A word that no other member of an item has. */
const WORD = 'Quetzalcoatl';

export function versionsTestView(stored: Collection, model: Model): VersionsTestView {
  const { name } = stored.definition;
  const { versions } = model.service;
  const current = versions.at(-1) ?? 1;
  const seen = testTargetsOf(model).filter(({ collection }) => collection.code === stored.code);
  const now = seen.find(({ isCurrent }) => isCurrent);
  const older = seen
    .filter((one) => !one.isCurrent && one.hasTests)
    .flatMap((one) => (now === undefined ? [] : (olderView(stored, one, now, model) ?? [])))
    .toReversed();
  const has = versions.filter((version) => pathIn(model, stored, version) !== undefined);
  const lacking = versions.filter((version) => !has.includes(version));
  const makers = older.flatMap(({ version, make, makeNow, permissions, body, ...view }) => {
    const found = seen.find((one) => one.version === version);
    const nowPath = now?.collection.names.kebab;
    const path = `${found?.folder}${found?.collection.names.kebab}`;
    return [
      ...(view.usesNow ? [{ name: 'another', file: `../fixtures/${nowPath}` }] : []),
      ...(view.another === undefined
        ? []
        : [{ name: `another as ${view.another}`, file: `../fixtures/${path}` }]),
      { name: makeNow, file: `../support/items/${nowPath}` },
      {
        name: [
          ...(permissions ? [`${found?.collection.names.itemCamel}Body as ${body}`] : []),
          `${makerOf(found ?? seen[0])} as ${make}`,
        ]
          .toSorted()
          .join(', '),
        file: `../support/items/${path}`,
      },
    ];
  });
  const jobs = older.some(({ failing }) => failing !== undefined);
  const refers = older.some(({ permissions }) => (permissions?.references.length ?? 0) > 0);
  const codes = older.flatMap((one) => [...one.shown, ...one.stored]).map(({ code }) => code);
  return {
    names: stored.names,
    imports: [...new Map(makers.map((one) => [one.name, one])).values()].toSorted((one, other) =>
      one.file < other.file ? -1 : 1,
    ),
    expected: [
      ...(codes.some((code) => code.includes('A_DAY')) ? ['A_DAY'] : []),
      ...(older.length > 0 ? ['A_TIME', 'computedOf'] : []),
      ...(lacking.length > 0 || jobs || refers ? ['NO_ID'] : []),
    ],
    older,
    callers: older.find(({ permissions }) => permissions)?.permissions,
    jobs,
    absent: lacking.map((version) => ({
      version,
      path: pathIn(model, stored, has.at(-1) ?? current) ?? name,
    })),
  };
}

const makerOf = (seen: TestTarget | undefined): string => `create${seen?.collection.names.type}`;

function olderView(
  stored: Collection,
  older: TestTarget,
  now: TestTarget,
  model: Model,
): OlderView | undefined {
  const { name } = stored.definition;
  const samples = [older, now].map((seen) =>
    samplesOf(seen.model).get(seen.collection.definition.name),
  );
  if (samples.some((some) => some === undefined || some.obstacle !== undefined)) return undefined;
  const [olderSamples, nowSamples] = samples;
  const members = membersIn(stored, viewIn(model, name, older.version));
  const nowMembers = membersIn(stored, viewIn(model, name, now.version));
  const isSeries = (some: typeof olderSamples, field: string): boolean =>
    some?.members.some((member) => member.field.name === field && member.kind !== 'value') === true;
  /** Values that tests write down for the members of a version. */
  const valuesFor = (seen: TestTarget, all: readonly ViewMember[], some: typeof olderSamples) =>
    all.flatMap((member) => {
      const field = seen.collection.definition.fields.find(
        ({ name: one }) => one === member.shown.name,
      );
      if (field === undefined || field.readOnly || field.type.type === 'reference') return [];
      if (isSeries(some, field.name) || field.unique || member.conversion.kind === 'team')
        return [];
      const [value] = fullValues(field);
      return value === undefined ? [] : [{ member, field, value }];
    });
  const given = valuesFor(now, nowMembers, nowSamples);
  const sent = valuesFor(older, members, olderSamples);
  type Values = typeof given;
  /** The value of a fixture, where both versions show it as it is; undefined where they do not. */
  const fixtureCode = (
    { member, field, value }: Values[number],
    fixture: string,
    others: readonly ViewMember[],
  ): string | undefined => {
    const other = others.find((one) => one.stored === member.stored);
    const isSame = [member, other].every(
      (one) =>
        one === undefined ||
        (one.conversion.kind === 'same' && Object.keys(one.shownAs).length === 0),
    );
    // The types of fixtures have no object with all its members.
    const isPlain = isSame && field.type.type !== 'object' && field.type.type !== 'json';
    if (!isPlain) return undefined;
    const own = `${fixture}.${field.name}`;
    return isNeeded(field) ? own : `${own} ?? ${valueCode(value)}`;
  };
  /** Objects that satisfy the types of fixtures: members that have a default stand too. */
  const typed = (values: Values, fixture: string, others: readonly ViewMember[]) =>
    values.map((one) => ({
      name: one.field.name,
      code: fixtureCode(one, fixture, others) ?? valueCode(answered(one.field.type, one.value)),
    }));
  const type = older.collection.names.type;
  const olderPath = older.collection.names.kebab;
  const nowPath = now.collection.names.kebab;
  const view = {
    version: older.version,
    path: olderPath,
    now: nowPath,
    isMoved: olderPath !== nowPath,
    make: `create${type}InV${older.version}`,
    makeNow: makerOf(now),
    given: typed(given, 'now', members),
    shown: given.flatMap((one) => {
      const { member, value } = one;
      const { stored: field, conversion } = member;
      const other = members.find(({ stored: its }) => its === field);
      if (other === undefined || field.writeOnly || other.conversion.kind === 'team') return [];
      const own = fixtureCode(one, 'now', members);
      if (own !== undefined) return [{ name: other.shown.name, code: own }];
      // What the current version shows is what is stored, but for values that it does not have.
      const kept = readBack(conversion, answered(field.type, value));
      if (kept === undefined) return [];
      const here = typeof kept === 'string' ? (other.shownAs[kept] ?? kept) : kept;
      const shown = shownValue(other.conversion, here);
      return shown === undefined ? [] : [{ name: other.shown.name, code: valueCode(shown) }];
    }),
    writable: members
      .filter(({ stored: field }) => !field.readOnly && !field.writeOnly)
      .map(({ shown }) => shown.name),
    secrets: members
      .filter(({ stored: field }) => field.writeOnly && !field.readOnly && field.required)
      .filter(({ shown }) => shown.type.type !== 'reference')
      .map(({ shown }) => ({ name: shown.name, code: `here.${shown.name}` })),
    sent: typed(sent, 'here', nowMembers),
    stored: [
      ...sent.flatMap((one) => {
        const { member, field, value } = one;
        const other = nowMembers.find(({ stored: its }) => its === member.stored);
        if (other === undefined || other.conversion.kind === 'team' || field.writeOnly) return [];
        const own = fixtureCode(one, 'here', nowMembers);
        if (own !== undefined) return [{ name: other.shown.name, code: own }];
        const kept = readBack(member.conversion, answered(field.type, value));
        if (kept === undefined) return [];
        const here = typeof kept === 'string' ? (other.shownAs[kept] ?? kept) : kept;
        const shown = shownValue(other.conversion, here);
        return shown === undefined ? [] : [{ name: other.shown.name, code: valueCode(shown) }];
      }),
      ...nowMembers
        .filter(({ stored: field }) => !members.some((one) => one.stored === field))
        .filter(({ stored: field }) => !field.writeOnly)
        // `process` in hooks.ts may set these.
        .filter(({ stored: field }) => !(isBackground(stored) && field.readOnly))
        .map(({ shown }) => ({ name: shown.name, code: expectedCode(shown.type, unsent(shown)) })),
    ],
    untold: untoldOf(members, nowMembers),
    permissions: olderPermissionsView(older.collection, older.model),
    body: `${older.collection.names.itemCamel}BodyInV${older.version}`,
    failing: isBackground(stored) ? failingOf(name, members, nowMembers) : undefined,
    searchedNow: searchedBeside([now, nowMembers], [older, members]),
    searchedHere: searchedBeside([older, members], [now, nowMembers]),
    several: Math.min(...samples.map(capacityOf)) > 1,
  };
  const codes = [...view.given, ...view.shown, ...view.sent, ...view.stored, ...view.secrets];
  const uses = (fixture: string): boolean => codes.some(({ code }) => code.startsWith(fixture));
  return {
    ...view,
    usesNow: uses('now.'),
    another: uses('here.') ? `anotherInV${older.version}` : undefined,
  };
}

function failingOf(
  collection: string,
  members: readonly ViewMember[],
  nowMembers: readonly ViewMember[],
): FailingView | undefined {
  for (const { stored, shown } of members) {
    const now = nowMembers.find((one) => one.stored === stored)?.shown.name;
    if (stored.type.type !== 'reference' || now === undefined || now === shown.name) continue;
    return { collection, stored: stored.name, here: shown.name, now };
  }
  return undefined;
}

/** Members in which one version searches and the other does not, though it searches in some. */
function searchedBeside(
  [one, members]: readonly [TestTarget, readonly ViewMember[]],
  [other, otherMembers]: readonly [TestTarget, readonly ViewMember[]],
): string[] {
  const { search } = other.collection.definition;
  if (search.length === 0) return [];
  return one.collection.definition.search.filter((name) => {
    const member = members.find(({ shown }) => shown.name === name);
    const same = otherMembers.find(({ stored }) => stored === member?.stored);
    const isSearched = same !== undefined && search.includes(same.shown.name);
    const type = member?.shown.type;
    const isText = type?.type === 'string' || type?.type === 'text';
    return isText && !isSearched && !member?.stored.readOnly && acceptsText(type, WORD);
  });
}

/** Values of the current version that the older one shows as others. */
function untoldOf(
  members: readonly ViewMember[],
  nowMembers: readonly ViewMember[],
): OlderView['untold'] {
  return members.flatMap(({ stored, shown, conversion, shownAs }) => {
    const now = nowMembers.find((one) => one.stored === stored);
    const isTold = now === undefined || stored.readOnly || stored.writeOnly || stored.immutable;
    if (isTold || now.conversion.kind !== 'same') return [];
    return Object.entries(shownAs)
      .filter(([value]) => now.shownAs[value] === undefined)
      .flatMap(([value, as]) => {
        const here = shownValue(conversion, as);
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
    shownAs: {},
  }));
