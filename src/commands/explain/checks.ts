/** The checks of all collections, for people and for scripts. */
import { ruleText } from '../../expressions/rule-text.ts';
import type { Model } from '../../model/types.ts';
import { checkMessage, shownMembers } from '../../render/views/checks.ts';

/** A rule that each item of a collection keeps. */
export interface ExplainedCheck {
  readonly collection: string;
  readonly name: string;
  readonly rule: string;
  /** The members that it is about, which its error (422) names with the message. */
  readonly members: readonly string[];
  readonly message: string;
}

/** By collection, in the order of the definitions. */
export const explainedChecks = ({ collections }: Model): readonly ExplainedCheck[] =>
  collections.flatMap(({ definition }) =>
    definition.checks.map((check) => ({
      collection: definition.name,
      name: check.name,
      rule: ruleText(check.expression),
      members: shownMembers(check),
      message: checkMessage(check),
    })),
  );

/** The checks as lines for people; none if there are none. */
export const checkLines = (checks: readonly ExplainedCheck[]): readonly string[] =>
  checks.length === 0
    ? []
    : [
        '',
        'Values that violate one of these rules are refused (422):',
        ...checks.map(({ collection, name, rule }) => `  ${collection}.${name}: ${rule}`),
      ];
