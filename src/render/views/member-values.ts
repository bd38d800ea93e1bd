/** Code of tests for values of members, with ids of items that the tests create. */
import { placeholderIdOf } from '../../expressions/candidate-values.ts';
import type { MemberValues } from '../../expressions/evaluate.ts';
import { answeredValue } from '../../types/member-code.ts';
import { valueCode } from '../../shared/literals.ts';
import { createFunctionOf } from './tested-collection.ts';
import type { MemberCode, TestedCollection } from './tested-collection.ts';

/** References whose id other members have too, with code that creates what they lead to. */
export const sharedIds = (values: MemberValues, tested: TestedCollection): MemberCode[] =>
  Object.keys(values)
    .filter(
      (name) => Object.values(values).filter((value) => value === placeholderIdOf(name)).length > 1,
    )
    .flatMap((name) => makingCode(name, tested) ?? []);

/** The constant for the id that several members have. */
export const nameOfShared = (reference: string): string =>
  `${reference.replace(/_+(.)/g, (_match, letter: string) => letter.toUpperCase())}OfBoth`;

/** Code that creates what a reference leads to; undefined if tests cannot. */
function makingCode(name: string, { relations, all }: TestedCollection): MemberCode | undefined {
  const relation = relations.find(({ field }) => field.name === name);
  return relation && { name, code: `(await ${createFunctionOf(relation, all)}(service)).id` };
}

/** Code for values of members; undefined if tests cannot create what a reference leads to. */
export function membersCode(
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
    const both = shared.find((one) => value === placeholderIdOf(one.name));
    if (both !== undefined) return { name, code: nameOfShared(both.name) };
    return value === placeholderIdOf(name) ? makingCode(name, tested) : undefined;
  });
  const made = members.filter((member) => member !== undefined);
  return made.length === members.length ? made : undefined;
}
