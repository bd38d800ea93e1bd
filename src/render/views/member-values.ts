/** Values of members in tests, with ids of items that the tests create. */
import { placeholderIdOf } from '../../expressions/candidate-values.ts';
import type { MemberValues } from '../../expressions/evaluate.ts';
import { answeredValue } from '../../types/member-code.ts';
import { codeText } from './options.ts';
import type { CodeText, Options } from './options.ts';
import type { TestedCollection } from './tested-collection.ts';

/** Stands for the id of an item that a reference leads to; the same within a body. */
export const madeCode = (reference: string, index?: number): CodeText =>
  codeText(`made('${reference}'${index === undefined ? '' : `, ${index}`})`, 'made');

/** Values of members; undefined if tests cannot create what a reference leads to. */
export function memberOptions(
  values: MemberValues,
  { collection, relations }: TestedCollection,
): Options | undefined {
  const { fields } = collection.definition;
  const members = Object.entries(values).map(([name, value]): [string, Options[string]] => {
    const field = fields.find((one) => one.name === name);
    if (field?.type.type !== 'reference' || value === null) {
      return [name, field ? answeredValue(field.type, value) : value];
    }
    // Several members may have one id.
    const made = relations.find((one) => value === placeholderIdOf(one.field.name));
    return [name, made && madeCode(made.field.name)];
  });
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}
