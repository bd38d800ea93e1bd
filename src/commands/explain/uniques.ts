/** The unique members of all collections, for people and for scripts. */
import { ruleText } from '../../expressions/rule-text.ts';
import type { Model } from '../../model/types.ts';

/** Members that no two items of a collection have the same values of. */
export interface ExplainedUnique {
  readonly collection: string;
  readonly members: readonly string[];
  /** Which items it is about; absent: all. */
  readonly where?: string;
}

/** By collection, in the order of the definitions. */
export const explainedUniques = ({ collections }: Model): readonly ExplainedUnique[] =>
  collections.flatMap(({ definition: { name: collection, fields, unique } }) => [
    ...fields
      .filter((field) => field.unique)
      .map(({ name }): ExplainedUnique => ({ collection, members: [name] })),
    ...unique.map(({ fields: members, where }) => ({
      collection,
      members,
      ...(where && { where: ruleText(where.expression) }),
    })),
  ]);

/** These as lines for people; none if there are none. */
export const uniqueLines = (uniques: readonly ExplainedUnique[]): readonly string[] =>
  uniques.length === 0
    ? []
    : [
        '',
        'Values that another item has already are refused (409):',
        ...uniques.map(
          ({ collection, members, where }) =>
            `  ${collection}: ${members.join(' and ')}${where === undefined ? '' : ` where ${where}`}`,
        ),
      ];
