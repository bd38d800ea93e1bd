/**
 * Breaking changes that no frozen contract shows: an enum value that a version shows as another one than
 * before, and a member that becomes visible, which a PUT of an older client would reset.
 */
import { renamedStep } from '../definition/owner-step.ts';
import type {
  CollectionDefinition,
  Field,
  OwnerStep,
  ServiceDefinition,
} from '../definition/types.ts';
import { renameMembers, withValues } from '../expressions/expression.ts';
import type { Expression } from '../expressions/expression.ts';
import { olderFormOf } from '../definition/versions/older-form.ts';
import { isInVersion, nameInVersion } from '../definition/versions/span.ts';
import { typeWithRenames, valuesIn, viewOf } from '../definition/versions/view.ts';
import { checkBreak, isContractCheck, narrowerChecks } from './compare-checks.ts';
import { narrowerUnique, uniqueBreak } from './compare-unique.ts';
import { isSameOwner, ownerPathText } from '../model/owner-paths.ts';
import { renamedValues } from '../types/enum.ts';
import { ownerChanged } from './compare-owners.ts';
import { originsOf } from './trace.ts';
import type { Break } from './types.ts';
import { plainAdvice } from './types.ts';
import { inlineYaml, isContractUnique } from './definition-yaml.ts';

/** Compares how a version represents stored items, in the applied and in the current definitions. */
export function implicitBreaks(
  applied: ServiceDefinition,
  now: ServiceDefinition,
  version: number,
): readonly Break[] {
  const origins = originsOf(applied.collections, now.collections);
  // Worked out once: a view is that of all collections.
  const views = new Map(viewOf(now, version).collections.map((view) => [view.name, view]));
  return now.collections
    .filter((collection) => isInVersion(collection, version))
    .flatMap((collection) => {
      const origin = origins.get(collection.name);
      if (origin === undefined || !isInVersion(origin, version)) return [];
      const view = views.get(nameInVersion(collection, version));
      if (view === undefined) throw new Error(`version ${version} has no ${collection.name}`);
      const members = originsOf(origin.fields, collection.fields);
      const names = new Map([...members].map(([current, field]) => [field.name, current]));
      const currentName = (name: string): string => names.get(name) ?? name;
      const currentRule = (rule: Expression): Expression =>
        renameMembers(withCurrentValues(rule, collection, members), currentName);
      return [
        ...implicitChecks(origin, collection, view, currentRule),
        ...implicitUnique(origin, collection, view, currentName, currentRule),
        ...collection.fields
          .filter((field) => isInVersion(field, version))
          .flatMap((field) => {
            const before = members.get(field.name);
            if (before === undefined) return [];
            return isInVersion(before, version)
              ? changedEnumDisplay(before, field, collection, version)
              : newlyVisible(field, collection, version);
          }),
        ...(view.owner?.length === 0
          ? hiddenOwnerChange(origins, now, origin, collection, version)
          : []),
      ];
    });
}

/** A rule of before with the current names of enum values. @param members of before, by their current names. */
function withCurrentValues(
  rule: Expression,
  { fields }: CollectionDefinition,
  members: ReadonlyMap<string, Field>,
): Expression {
  const renames = new Map(
    fields.flatMap((field) => {
      const before = members.get(field.name);
      const type = typeWithRenames(field);
      return before?.type.type === 'enum' && type.type === 'enum'
        ? [[before.name, renamedValues(before.type, type)] as const]
        : [];
    }),
  );
  return withValues(rule, (value, member) => renames.get(member)?.get(String(value)) ?? value);
}

/** Checks that the contract of the version cannot state, because it does not have all of their members. */
function implicitChecks(
  origin: CollectionDefinition,
  collection: CollectionDefinition,
  view: CollectionDefinition,
  currentRule: (rule: Expression) => Expression,
): readonly Break[] {
  const implicit = collection.checks.filter((check) => {
    const shown = view.checks.find((one) => one.name === check.name);
    return shown !== undefined && !isContractCheck(shown, view);
  });
  return narrowerChecks(origin.checks, implicit, currentRule).map((check) =>
    checkBreak(check, origin.checks, view.name, check.at),
  );
}

/** Unique fields that the contract of the version cannot state, because it does not have what their rule is about. */
function implicitUnique(
  origin: CollectionDefinition,
  collection: CollectionDefinition,
  view: CollectionDefinition,
  currentName: (name: string) => string,
  currentRule: (rule: Expression) => Expression,
): readonly Break[] {
  const implicit = collection.unique.filter(({ where, at }) => {
    const shown = view.unique.find((one) => one.at === at);
    if (shown === undefined || where === undefined) return false;
    const { where: _where, ...fields } = shown;
    return isContractUnique(fields, view) && !isContractUnique(shown, view);
  });
  return narrowerUnique(origin, implicit, currentName, currentRule).map((narrower) =>
    uniqueBreak(narrower, view.name, (one) => one, narrower.rule.at),
  );
}

/** A change of an owner path that the version does not have all of, so that its contract does not show it. */
function hiddenOwnerChange(
  origins: ReadonlyMap<string, CollectionDefinition>,
  now: ServiceDefinition,
  before: CollectionDefinition,
  collection: CollectionDefinition,
  version: number,
): Break[] {
  const isOwner = collection.owner?.map((step): OwnerStep => {
    const own = now.collections.find(({ name }) => name === step.collection);
    const origin = origins.get(step.collection);
    const fields = originsOf(origin?.fields ?? [], own?.fields ?? []);
    // A new field was not part of any path.
    const nameOf = (field: string): string => fields.get(field)?.name ?? '';
    return renamedStep(step, origin?.name ?? '', nameOf) ?? step;
  });
  if (isSameOwner(before.owner, isOwner)) return [];
  const name = { before: nameInVersion(before, version), written: ownerPathText(before) };
  return ownerChanged(before, collection, name, collection.at);
}

const nameOf = (field: Field, collection: CollectionDefinition, version: number): string =>
  `member "${nameInVersion(field, version)}" of ${nameInVersion(collection, version)}`;

/** A PUT of a client that does not know the member would reset it. */
function newlyVisible(field: Field, collection: CollectionDefinition, version: number): Break[] {
  if (field.readOnly || field.immutable) return [];
  return [
    {
      code: 'member-unlocked',
      at: field.at,
      what: `${nameOf(field, collection, version)} was not in it, and is now`,
      who: 'clients that PUT leave it out, as they had to, and now set it back',
      advice: ({ next, write }) => write(`"since: ${next}" on it again`),
    },
  ];
}

/** Enum values that the version shows as another value than before. */
function changedEnumDisplay(
  before: Field,
  field: Field,
  collection: CollectionDefinition,
  version: number,
): Break[] {
  const [was, is] = [before.type, field.type];
  if (was.type !== 'enum' || is.type !== 'enum' || field.writeOnly) return [];
  const renames = renamedValues(was, is);
  return was.values.flatMap((value): Break[] => {
    const name = renames.get(value) ?? value;
    const [old, shown] = [shownFor(before, value, version), shownFor(field, name, version)];
    // Removed values are reported by `compareTypes`; conversions of the team are unknown.
    if (!is.values.includes(name) || old === undefined || shown === undefined) return [];
    if (old === shown || !isShown(field, shown, version)) return [];
    return [
      {
        code: 'enum-value-shown',
        at: field.at,
        what: `${nameOf(field, collection, version)} shows ${inlineYaml(name)} as ${inlineYaml(shown)}, and showed it as ${inlineYaml(old)}`,
        who: 'clients that read it find another value in items that nobody changed',
        advice: plainAdvice(`Let it show ${inlineYaml(old)} again, by its "as" or by "type_in".`),
      },
    ];
  });
}

/** Whether the version has a value. A value that it does not have is reported as a new one. */
const isShown = (field: Field, value: string, version: number): boolean => {
  const type = olderFormOf(field, version)?.type ?? field.type;
  return type.type !== 'enum' || type.values.includes(value);
};

/** The value that a version shows for a stored one; undefined if the team converts it. */
function shownFor(field: Field, value: string, version: number): string | undefined {
  const shownValue = valuesIn(field.type, version).shown[value] ?? value;
  const conversion = olderFormOf(field, version)?.conversion;
  if (conversion === undefined || conversion.kind === 'same') return shownValue;
  return conversion.kind === 'values' ? conversion.names[shownValue] : undefined;
}
