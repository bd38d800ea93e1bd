/** What templates say of transitions: their code, and what clients are told of them. */
import type { Field, TransitionsDefinition } from '../../definition/types.ts';
import { markdownText, stringLiteral, valueLiteral } from '../../shared/literals.ts';

/** The transitions of a member, as code. */
export interface TransitionsView {
  readonly name: string;
  readonly initial: readonly string[];
  /** The steps from each value; both are code. */
  readonly steps: readonly { readonly from: string; readonly code: string }[];
}

/** The most values whose steps a description lists. */
const MOST_DESCRIBED = 50;

export const transitionViews = (fields: readonly Field[]): readonly TransitionsView[] =>
  fields.flatMap(({ name, transitions }) =>
    transitions === undefined
      ? []
      : [
          {
            name,
            initial: transitions.initial,
            steps: transitions.states.map(({ value, steps }) => ({
              from: value === '__proto__' ? '["__proto__"]' : stringLiteral(value),
              code: valueLiteral(steps),
            })),
          },
        ],
  );

/** Whether a new item may not have all values of a field. */
export const limitsInitial = (transitions: TransitionsDefinition | undefined): boolean =>
  transitions !== undefined && transitions.initial.length < transitions.states.length;

/** The code of the shape of a member, with its initial values. */
export const initialCode = (
  transitions: TransitionsDefinition | undefined,
  shape: string,
): string =>
  transitions !== undefined && limitsInitial(transitions)
    ? `withInitial(${valueLiteral(transitions.initial)}, ${shape})`
    : shape;

/** The description of a field, with its transitions. */
export function describedField<Described extends Field>(field: Described): Described {
  const { transitions, description } = field;
  if (transitions === undefined) return field;
  const own = description?.trim() ?? '';
  const text = transitionsInWords(transitions);
  return { ...field, description: own === '' ? text : `${own}\n\n${text}` };
}

/** Markdown: the initial values, and the steps from each value. */
function transitionsInWords({ initial, states }: TransitionsDefinition): string {
  const listed = states.slice(0, MOST_DESCRIBED);
  return [
    ...(initial.length === states.length
      ? []
      : [`A new item has ${initial.slice(0, MOST_DESCRIBED).map(code).join(' or ')}.`]),
    'A change is one of these steps, else it is refused (409):\n',
    ...listed.map(({ value, steps }) => `- ${code(value)} → ${stepsInWords(steps)}`),
    ...(states.length > listed.length ? ['- and more'] : []),
  ].join('\n');
}

const stepsInWords = (steps: TransitionsDefinition['states'][number]['steps']): string =>
  steps.length === 0
    ? 'none: it is final'
    : steps
        .map(({ to, by }) => (by === undefined ? code(to) : `${code(to)} (only ${by.join(', ')})`))
        .join(', ');

const code = (value: string): string =>
  /^[\w -]+$/.test(value) ? `\`${value}\`` : markdownText(JSON.stringify(value));
