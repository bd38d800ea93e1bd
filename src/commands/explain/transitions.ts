/** The transitions of all fields, for people and for scripts. */
import type { StateDefinition } from '../../definition/types.ts';
import { printable } from '../../reading/quote.ts';
import { samplesOf } from '../../model/samples.ts';
import { untestedSteps } from '../../model/testable-steps.ts';
import type { UntestedStep } from '../../model/testable-steps.ts';
import type { Model } from '../../model/types.ts';

/** The values of a member, and the steps between them. */
export interface ExplainedTransitions {
  readonly collection: string;
  readonly member: string;
  /** The values that a new item may have. */
  readonly initial: readonly string[];
  readonly states: readonly StateDefinition[];
  /** The steps that emitted tests do not take. */
  readonly untested: readonly UntestedStep[];
}

/** By collection, in the order of the definitions. */
export function explainedTransitions(model: Model): readonly ExplainedTransitions[] {
  const all = samplesOf(model);
  return model.collections.flatMap((collection) => {
    const { name, fields } = collection.definition;
    return fields.flatMap((field) => {
      const { name: member, transitions } = field;
      if (transitions === undefined) return [];
      const { initial, states } = transitions;
      const samples = all.get(name);
      const untested = samples === undefined ? [] : untestedSteps(field, samples);
      return [{ collection: name, member, initial, states, untested }];
    });
  });
}

/** The transitions as lines for people; none if there are none. */
export const transitionLines = (all: readonly ExplainedTransitions[]): readonly string[] =>
  all.length === 0
    ? []
    : [
        '',
        'Other changes of these members are refused (409), and steps of other roles (403):',
        ...all.flatMap(({ collection, member, initial, states, untested }) => [
          `  ${collection}.${member}: new items have ${initial.map(printable).join(' or ')}`,
          ...states.map(({ value, steps }) => `    ${printable(value)} -> ${stepsText(steps)}`),
          ...untestedLines(untested),
        ]),
      ];

const untestedLines = (steps: readonly UntestedStep[]): readonly string[] =>
  steps.length === 0
    ? []
    : [
        `    not taken by emitted tests: ${steps.map(({ from, to }) => `${printable(from)} -> ${printable(to)}`).join(', ')}`,
      ];

const stepsText = (steps: StateDefinition['steps']): string =>
  steps.length === 0
    ? '(final)'
    : steps
        .map(({ to, by }) =>
          by === undefined ? printable(to) : `${printable(to)} (${by.join(', ')})`,
        )
        .join(', ');
