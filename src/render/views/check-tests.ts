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
  /** Constants for ids that several members have. */
  readonly shared: readonly MemberCode[];
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
        named: [...shownMembers(check), checkMessage(check).replace(/\.$/, '')],
        shared: shared.map(({ name, code }) => ({ name: nameOfShared(name), code })),
        violating,
        keeping: mayRepeat ? (membersCode(repaired, tested) ?? []) : [],
        mayChange: fields.every(({ immutable }) => !immutable),
      },
    ];
  });
}

const isVaried = (field: Field, { samples }: TestedCollection): boolean =>
  samples.members.some((member) => member.field === field && member.kind === 'series');

/** References whose id other members have too, with code that creates what they lead to. */
const sharedIds = (values: MemberValues, tested: TestedCollection): MemberCode[] =>
  Object.keys(values)
    .filter((name) => Object.values(values).filter((value) => value === idOf(name)).length > 1)
    .flatMap((name) => makingCode(name, tested) ?? []);

const nameOfShared = (reference: string): string =>
  `${reference.replace(/_+(.)/g, (_match, letter: string) => letter.toUpperCase())}OfBoth`;

/** Code that creates what a reference leads to; undefined if tests cannot. */
function makingCode(name: string, { relations, all }: TestedCollection): MemberCode | undefined {
  const relation = relations.find(({ field }) => field.name === name);
  return relation && { name, code: `(await ${makerOf(relation, all)}(service)).id` };
}

/** Code for values of members; undefined if tests cannot create what a reference leads to. */
function membersCode(
  values: MemberValues,
  tested: TestedCollection,
  shared: readonly MemberCode[] = [],
): MemberCode[] | undefined {
  const { fields } = tested.collection.definition;
  const members = Object.entries(values).map(([name, value]): MemberCode | undefined => {
    const field = fields.find((one) => one.name === name);
    if (field?.type.type !== 'reference' || value === null) {
      return { name, code: valueCode(field ? answeredValue(field.type, value) : value) };
    }
    const both = shared.find((one) => value === idOf(one.name));
    if (both !== undefined) return { name, code: nameOfShared(both.name) };
    return value === idOf(name) ? makingCode(name, tested) : undefined;
  });
  const made = members.filter((member) => member !== undefined);
  return made.length === members.length ? made : undefined;
}
