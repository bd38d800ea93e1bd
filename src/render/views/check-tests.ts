/** Tests of checks: bodies that violate each, and similar ones that keep all. */
import type { CheckDefinition, Field } from '../../definition/types.ts';
import { checkMessage, shownMembers } from './checks.ts';
import { membersCode, nameOfShared, sharedIds } from './member-values.ts';
import type { MemberCode, TestedCollection } from './tested-collection.ts';

/** A test of one check. */
export interface CheckTestView {
  readonly name: string;
  /** What the error names: members, and words of the message. */
  readonly named: readonly string[];
  /** Constants for ids that several members have. */
  readonly shared: readonly MemberCode[];
  readonly violating: readonly MemberCode[];
  /** Values that keep all checks; none if they are not known. */
  readonly keeping: readonly MemberCode[];
  /** Whether a PATCH can send the violating values. */
  readonly mayChange: boolean;
}

/** The test with what decides which test it is. */
export interface CheckTest extends CheckTestView {
  /** Whether a hook may make them keep the check. */
  readonly afterHooks: boolean;
}

/** A test for each check that a body can violate; none if tests cannot create items. */
export function checkTests(tested: TestedCollection): CheckTest[] {
  const { creates, samples, collection } = tested;
  if (!creates) return [];
  return (samples.checks?.violations ?? []).flatMap(({ check, values, repaired }) => {
    const shared = sharedIds(values, tested);
    const violating = membersCode(values, tested, shared);
    if (violating === undefined) return [];
    const fields = violating.flatMap(
      ({ name }) => collection.definition.fields.find((field) => field.name === name) ?? [],
    );
    // Of members that have to differ, an item may have taken the values.
    const mayRepeat = repaired !== undefined && !fields.some((field) => isVaried(field, tested));
    return [
      {
        name: check.name,
        named: wordsOfCheck(check),
        shared: shared.map(({ name, code }) => ({ name: nameOfShared(name), code })),
        violating,
        keeping: mayRepeat ? (membersCode(repaired, tested) ?? []) : [],
        mayChange: fields.every(({ immutable }) => !immutable),
        afterHooks: check.afterHooks,
      },
    ];
  });
}

/** What the error of a check names: its members, and the words of its message. */
export const wordsOfCheck = (check: CheckDefinition): readonly string[] => [
  ...shownMembers(check),
  checkMessage(check).replace(/\.$/, ''),
];

const isVaried = (field: Field, { samples }: TestedCollection): boolean =>
  samples.members.some((member) => member.field === field && member.kind === 'series');
