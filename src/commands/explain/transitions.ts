/** The transitions of all fields, for people and for scripts. */
import type { StateDefinition } from '../../definition/types.ts';
import { printable } from '../../reading/quote.ts';
import type { Model } from '../../model/types.ts';

/** The values of a member, and the steps between them. */
export interface ExplainedTransitions {
  readonly collection: string;
  readonly member: string;
  /** The values that a new item may have. */
  readonly initial: readonly string[];
  readonly states: readonly StateDefinition[];
}

/** By collection, in the order of the definitions. */
export const explainedTransitions = ({ collections }: Model): readonly ExplainedTransitions[] =>
  collections.flatMap(({ definition }) =>
    definition.fields.flatMap(({ name: member, transitions }) =>
      transitions === undefined
        ? []
        : [
            {
              collection: definition.name,
              member,
              initial: transitions.initial,
              states: transitions.states,
            },
          ],
    ),
  );

/** The transitions as lines for people; none if there are none. */
export const transitionLines = (all: readonly ExplainedTransitions[]): readonly string[] =>
  all.length === 0
    ? []
    : [
        '',
        'Other changes of these members are refused (409), and steps of other roles (403):',
        ...all.flatMap(({ collection, member, initial, states }) => [
          `  ${collection}.${member}: new items have ${initial.map(printable).join(' or ')}`,
          ...states.map(({ value, steps }) => `    ${printable(value)} -> ${stepsText(steps)}`),
        ]),
      ];

const stepsText = (steps: StateDefinition['steps']): string =>
  steps.length === 0
    ? '(final)'
    : steps
        .map(({ to, by }) =>
          by === undefined ? printable(to) : `${printable(to)} (${by.join(', ')})`,
        )
        .join(', ');
