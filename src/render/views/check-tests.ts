/** Tests of checks: bodies that violate each, and similar ones that keep all. */
import type { Field } from '../../definition/types.ts';
import { idOf } from '../../expressions/candidate-values.ts';
import type { MemberValues } from '../../expressions/evaluate.ts';
import { answeredValue } from '../../types/member-code.ts';
import { valueCode } from '../../shared/literals.ts';
import { checkMessage, shownMembers } from './checks.ts';
import { makerOf } from './tested-collection.ts';
import type { MemberCode, TestedCollection } from './tested-collection.ts';

/** A test of one check. */
export interface CheckTestView {
  readonly name: string;
  /** What the error names: members, and words of the message. */
  readonly named: readonly string[];
  readonly violating: readonly MemberCode[];
  /** Values that keep all checks; none if they are not known. */
  readonly keeping: readonly MemberCode[];
  /** Whether a PATCH can send the violating values. */
  readonly mayChange: boolean;
}

/** A test for each check that a body can violate; none if tests cannot create items. */
export function checkTests(tested: TestedCollection): CheckTestView[] {
  const { creates, samples, collection } = tested;
  if (!creates) return [];
  return (samples.checks?.violations ?? []).flatMap(({ check, values, repaired }) => {
    const violating = membersCode(values, tested);
    if (violating === undefined) return [];
    const fields = violating.flatMap(
      ({ name }) => collection.definition.fields.find((field) => field.name === name) ?? [],
    );
    // Of members that have to differ, an item may have taken the values.
    const mayRepeat = repaired !== undefined && !fields.some((field) => isVaried(field, tested));
    return [
      {
        name: check.name,
        named: [...shownMembers(check), checkMessage(check).replace(/\.$/, '')],
        violating,
        keeping: mayRepeat ? (membersCode(repaired, tested) ?? []) : [],
        mayChange: fields.every(({ immutable }) => !immutable),
      },
    ];
  });
}

const isVaried = (field: Field, { samples }: TestedCollection): boolean =>
  samples.members.some((member) => member.field === field && member.kind === 'series');

/** Code for values of members; undefined if tests cannot create what a reference leads to. */
function membersCode(values: MemberValues, tested: TestedCollection): MemberCode[] | undefined {
  const { fields } = tested.collection.definition;
  const members = Object.entries(values).map(([name, value]): MemberCode | undefined => {
    const field = fields.find((one) => one.name === name);
    if (field?.type.type !== 'reference' || value === null) {
      return { name, code: valueCode(field ? answeredValue(field.type, value) : value) };
    }
    const relation = tested.collection.relations.find((one) => one.field === field);
    const isMade =
      value === idOf(name) &&
      relation !== undefined &&
      tested.all.get(relation.target.collection)?.obstacle === undefined;
    return isMade
      ? { name, code: `(await ${makerOf(relation, tested.all)}(service)).id` }
      : undefined;
  });
  const made = members.filter((member) => member !== undefined);
  return made.length === members.length ? made : undefined;
}
