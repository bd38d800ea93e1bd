/** Compares the transitions of two states of a field: a change that was allowed and is not breaks clients. */
import type { Field, StepDefinition, TransitionsDefinition } from '../definition/types.ts';
import type { BreakCode } from './break-catalogue.ts';
import { inlinePair, inlineYaml } from './definition-yaml.ts';
import { plainAdvice } from './types.ts';
import type { Advice } from './types.ts';

/** A breaking change of transitions; `what` lacks the subject of its sentence. */
interface TransitionBreak {
  readonly code: BreakCode;
  readonly what: string;
  readonly who: string;
  readonly advice: Advice;
}

/** The most steps that one message names. */
const MOST_NAMED = 5;

/** What no longer is allowed of an enum that clients send, between values that it still has. */
export function compareTransitions(before: Field, after: Field): TransitionBreak[] {
  const is = after.transitions;
  if (is === undefined || after.type.type !== 'enum' || before.type.type !== 'enum') return [];
  const values = new Set(after.type.values);
  const kept = before.type.values.filter((value) => values.has(value));
  const was = before.transitions;
  return [
    ...(was === undefined ? newTransitions(is, kept) : narrowerSteps(was, is, values)),
    ...narrowerInitial(was?.initial.filter((value) => values.has(value)) ?? kept, is),
  ];
}

/** Transitions where every change was allowed. */
function newTransitions(
  { states }: TransitionsDefinition,
  kept: readonly string[],
): TransitionBreak[] {
  const known = new Set(kept);
  const isFree = ({ to, by }: StepDefinition): boolean => by === undefined && known.has(to);
  const allowsAll = states
    .filter(({ value }) => known.has(value))
    .every(({ steps }) => steps.filter(isFree).length === kept.length - 1);
  if (allowsAll) return [];
  return [
    {
      code: 'step-narrower',
      what: 'has transitions now, and every change was allowed',
      who: 'clients that make another change get 409, or 403',
      advice: plainAdvice(
        'Leave "transitions" out: steps are about what is stored, and so hold for all versions.',
      ),
    },
  ];
}

/** Steps that are gone, or that fewer roles may take. */
function narrowerSteps(
  was: TransitionsDefinition,
  is: TransitionsDefinition,
  values: ReadonlySet<string>,
): TransitionBreak[] {
  const steps = new Map(is.states.map((state) => [state.value, state.steps]));
  const gone: string[] = [];
  const narrowed: string[] = [];
  for (const { value, steps: before } of was.states) {
    if (!values.has(value)) continue;
    for (const { to, by } of before.filter((step) => values.has(step.to))) {
      const step = steps.get(value)?.find((one) => one.to === to);
      const name = `${inlineYaml(value)} → ${inlineYaml(to)}`;
      if (step === undefined) gone.push(name);
      else if (!mayStill(by, step.by)) narrowed.push(`${name} (${rolesText(by)})`);
    }
  }
  return [
    ...(gone.length === 0
      ? []
      : [
          {
            code: 'step-narrower' as const,
            what: `no longer has the step ${few(gone)}`,
            who: 'clients that take it get 409',
            advice: plainAdvice(
              'Write it again: steps are about what is stored, and so hold for all versions.',
            ),
          },
        ]),
    ...(narrowed.length === 0
      ? []
      : [
          {
            code: 'step-narrower' as const,
            what: `lets fewer roles take the step ${few(narrowed)}`,
            who: 'clients with the other roles get 403',
            advice: plainAdvice('Name the former roles again, or leave "by" out.'),
          },
        ]),
  ];
}

/** Whether all who could take a step still can. Administrators always can. */
const mayStill = (
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): boolean =>
  after === undefined ||
  (before?.every((role) => role === 'admin' || after.includes(role)) ?? false);

const rolesText = (by: readonly string[] | undefined): string =>
  by === undefined ? 'all who may update it' : by.join(', ');

/** Initial values that are none any more. */
function narrowerInitial(
  before: readonly string[],
  { initial }: TransitionsDefinition,
): TransitionBreak[] {
  const gone = before.filter((value) => !initial.includes(value));
  if (gone.length === 0) return [];
  return [
    {
      code: 'initial-narrower',
      what: `no longer lets new items have ${few(gone.map((value) => inlineYaml(value)))}`,
      who: 'clients that create items with it get 422',
      advice: plainAdvice(`Write "${inlinePair('initial', [...initial, ...gone])}".`),
    },
  ];
}

const few = (names: readonly string[]): string =>
  names.length <= MOST_NAMED
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
