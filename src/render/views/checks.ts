/** What templates say of checks: their code, and what clients are told of them. */
import type { CheckDefinition } from '../../definition/types.ts';
import { membersOf } from '../../expressions/expression.ts';
import { ruleText } from '../../expressions/rule-text.ts';
import { ruleTypescript } from '../../expressions/rule-typescript.ts';
import type { Table } from '../../model/types.ts';

/** A check as a member of the object that has all of them. */
export interface CheckView {
  /** The name of its constraint. */
  readonly constraint: string;
  readonly members: readonly string[];
  readonly message: string;
  /** Whether `values` keep it. */
  readonly code: string;
  /** Its other properties. */
  readonly options: readonly { readonly name: string; readonly code: string }[];
}

/** The checks of a table, and the functions that their code calls. */
export function checkViews(
  { checks }: Table,
  shown: readonly CheckDefinition[] = checks.map(({ definition }) => definition),
): { readonly checks: readonly CheckView[]; readonly uses: readonly string[] } {
  const uses = new Set<string>();
  const views = checks.map(({ name: constraint, definition }): CheckView => {
    const code = ruleTypescript(definition.expression);
    for (const name of code.uses) uses.add(name);
    const check = shown.find(({ name }) => name === definition.name) ?? definition;
    return {
      constraint,
      members: shownMembers(check),
      message: checkMessage(check),
      code: code.text,
      options: definition.afterHooks ? [{ name: 'afterHooks', code: 'true' }] : [],
    };
  });
  return { checks: views, uses: [...uses] };
}

/** The members of a check that a version has. */
export const shownMembers = ({ expression, inView }: CheckDefinition): readonly string[] =>
  membersOf(expression)
    .map(({ name }) => name)
    .filter((name) => inView === undefined || !Object.hasOwn(inView.absent, name));

/** What clients are told that violate a check: a sentence. */
export function checkMessage({ message, expression, inView }: CheckDefinition): string {
  if (message !== undefined) return message;
  // The rule names members and values that the version does not have.
  if (inView !== undefined) return 'The values violate a rule of newer versions.';
  return `${ruleText(expression)} must hold.`;
}

/** The checks in the description of a body; empty if there are none. */
export const rulesInWords = (checks: readonly CheckDefinition[]): string =>
  checks.length === 0
    ? ''
    : [
        'Values that violate one of these rules are refused (422):\n',
        ...checks.map((check) => {
          const members = shownMembers(check).map((name) => `\`${name}\``);
          const start = members.length === 0 ? '' : `${members.join(', ')}: `;
          const end = check.afterHooks ? ' Checked with the values that the service sets.' : '';
          return `- ${start}${checkMessage(check)}${end}`;
        }),
      ].join('\n');
