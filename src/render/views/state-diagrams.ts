/** The transitions of fields as state diagrams of Mermaid. */
import type { TransitionsDefinition } from '../../definition/types.ts';
import type { Model } from '../../model/types.ts';
import { mermaidText } from '../../shared/literals.ts';

/** The diagram of a field with transitions. */
export interface StateDiagram {
  readonly collection: string;
  readonly member: string;
  /** Its lines, each with its end. */
  readonly diagram: string;
  /** How many steps it shows. */
  readonly steps: number;
}

/** One for each field with transitions, in the order of the definitions. */
export const stateDiagrams = ({ collections }: Model): readonly StateDiagram[] =>
  collections.flatMap(({ definition }) =>
    definition.fields.flatMap(({ name, transitions }) =>
      transitions === undefined
        ? []
        : [
            {
              collection: definition.name,
              member: name,
              diagram: diagramOfSteps(transitions),
              steps: transitions.states.reduce((sum, { steps }) => sum + steps.length, 0),
            },
          ],
    ),
  );

function diagramOfSteps({ initial, states }: TransitionsDefinition): string {
  // Values may hold what the syntax of identifiers does not allow.
  const ids = new Map(states.map(({ value }, at) => [value, `s${at + 1}`]));
  const idOf = (value: string): string => ids.get(value) ?? '';
  const lines = [
    'stateDiagram-v2',
    ...states.map(({ value }) => `  state "${mermaidText(value)}" as ${idOf(value)}`),
    ...initial.map((value) => `  [*] --> ${idOf(value)}`),
    ...states.flatMap(({ value, steps }) =>
      steps.length === 0
        ? [`  ${idOf(value)} --> [*]`]
        : steps.map(({ to, by }) => {
            const label = by === undefined ? '' : `: ${by.join(', ')}`;
            return `  ${idOf(value)} --> ${idOf(to)}${label}`;
          }),
    ),
  ];
  return `${lines.join('\n')}\n`;
}
