/** Tests of checks: bodies that violate each, and similar ones that keep all. */
import type { CheckDefinition, Field } from '../../definition/types.ts';
import { checkMessage, shownMembers } from './checks.ts';
import { memberOptions } from './member-values.ts';
import type { Options } from './options.ts';
import type { TestedCollection } from './tested-collection.ts';

/** A test of one check. */
export interface CheckTest {
  readonly name: string;
  /** What the error names: members, and words of the message. */
  readonly named: readonly string[];
  readonly violating: Options;
  /** Values that keep all checks; undefined if none are known. */
  readonly keeping: Options | undefined;
  /** Whether a PATCH can send the violating values. */
  readonly mayChange: boolean;
  /** Whether a hook may make them keep the check. */
  readonly afterHooks: boolean;
}

/** A test for each check that a body can violate; none if tests cannot create items. */
export function checkTests(tested: TestedCollection): CheckTest[] {
  const { creates, samples, collection } = tested;
  if (!creates) return [];
  return (samples.checks?.violations ?? []).flatMap(({ check, values, repaired }) => {
    const violating = memberOptions(values, tested);
    if (violating === undefined) return [];
    const fields = collection.definition.fields.filter(({ name }) => Object.hasOwn(values, name));
    // Of members that have to differ, an item may have taken the values.
    const mayRepeat = repaired !== undefined && !fields.some((field) => isVaried(field, tested));
    return [
      {
        name: check.name,
        named: wordsOfCheck(check),
        violating,
        keeping: mayRepeat ? memberOptions(repaired, tested) : undefined,
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
