/**
 * Transitions: which values of a member may follow each other. A change that is no step is refused with
 * 409, a step of other roles with 403, and a new item with another value than an initial one with 422.
 */
import type { TObject, TSchema } from 'typebox';

import type { ChangeRule } from '../database/change-rule.ts';
import { refusal, taken } from '../openapi/responses.ts';
import type { BodyRule } from './body.ts';
import { conflict, unprocessable } from './errors.ts';
import type { Problem } from './validation.ts';

/** A change that is allowed. */
export interface Step {
  readonly to: string;
  /** The roles that may take it, beside administrators; absent: all who may update the item. */
  readonly by?: readonly string[];
}

/** The transitions of one member. */
export interface Transitions {
  /** The values that a new item may have. */
  readonly initial: readonly string[];
  /** By the value that an item has; a final value has none. */
  readonly steps: Readonly<Record<string, readonly Step[]>>;
  /** The names of a version, if not those of what is stored; null if it does not have the member. */
  readonly shown?: ShownTransitions | null;
}

/** What a version calls a member and its values. */
interface ShownTransitions {
  readonly member: string;
  readonly value: (stored: string) => string;
  /** Values that it shows as others. */
  readonly hidden?: readonly string[];
}

/** The transitions of a collection, by member. */
export type CollectionTransitions = Readonly<Record<string, Transitions>>;

/** What has transitions. */
export interface WithTransitions {
  readonly transitions?: CollectionTransitions;
}

declare module '../database/constraints.ts' {
  interface Resource extends WithTransitions {}
}

const INITIAL = Symbol('initial');

/** The shape of a member, for bodies of which a POST has one of these values. */
export const withInitial = <Shape extends TSchema>(
  values: readonly string[],
  shape: Shape,
): Shape => Object.assign(shape, { [INITIAL]: values });

/** Refuses other values than initial ones in the body of a POST. */
export const keepsInitial = (shape: TObject): BodyRule<unknown> => ({
  checkNew: (body, found) => initialProblems(shape, body, found),
});

/** A problem for each member of a POST that has another value than an initial one, unless `found` names it. */
const initialProblems = (
  { properties }: TObject,
  body: object,
  found: readonly Problem[],
): Problem[] =>
  Object.entries<TSchema & { [INITIAL]?: readonly string[] }>(properties).flatMap(
    ([name, member]) => {
      const value = valueOf(body, name);
      const { [INITIAL]: initial } = member;
      if (value === undefined || initial === undefined || initial.includes(value)) return [];
      if (found.some((problem) => problem.name === name)) return [];
      return [{ name, member: name, text: initialText(initial, JSON.stringify) }];
    },
  );

/** @throws 422 if a hook or code of your own gives a new item another value than an initial one. */
function refuseInitial({ transitions = {} }: WithTransitions, values: object): void {
  for (const [member, own] of Object.entries(transitions)) {
    const value = valueOf(values, member);
    if (value === undefined || own.initial.includes(value)) continue;
    const { name, quoted, isShown } = words(member, own);
    const possible = own.initial.filter(isShown);
    throw unprocessable(`${name} ${initialText(possible, quoted)}.`);
  }
}

/** The changes of values between two states of an item, each with the steps from its former value. */
export const changesOf = ({ transitions = {} }: WithTransitions, before: object, after: object) =>
  Object.entries(transitions).flatMap(([member, own]) => {
    const [from, to] = [valueOf(before, member), valueOf(after, member)];
    if (from === undefined || to === undefined || from === to) return [];
    return [{ ...words(member, own), from, to, steps: stepsFrom(own, from) }];
  });

/** @throws 409 if the change of a value is no step. */
function refuseOtherSteps(resource: WithTransitions, before: object, after: object): void {
  for (const { name, quoted, isShown, from, to, steps } of changesOf(resource, before, after)) {
    if (steps.some((step) => step.to === to)) continue;
    // A version may show several values as one.
    const targets = steps
      .map((step) => step.to)
      .filter((value) => isShown(value) && quoted(value) !== quoted(from));
    const possible =
      targets.length === 0
        ? `${quoted(from)} is final`
        : `from there, ${listed(targets, quoted)} is possible`;
    throw conflict(`${name} cannot change from ${quoted(from)} to ${quoted(to)}: ${possible}.`);
  }
}

/** Refuses other initial values, and changes that are no steps, before and after hooks. */
export const keepsTransitions: ChangeRule = {
  checkNew: refuseInitial,
  checkRequest: refuseOtherSteps,
  checkChange: refuseOtherSteps,
};

/**
 * For `response` in the schema of a PUT or PATCH: the refusals of changes that are no steps.
 * @param unique members whose values no two items share.
 */
export function stepRefusals(
  { transitions = {} }: WithTransitions,
  unique: readonly string[],
): object {
  const members = Object.entries(transitions).flatMap(([member, { shown }]) =>
    shown === null ? [] : [shown?.member ?? member],
  );
  if (members.length === 0) return taken(...unique);
  const clash =
    unique.length === 0
      ? ''
      : ` Another item has the same value, which is unique: ${unique.join(', ')}.`;
  const needsRoles = Object.values(transitions).some(({ steps }) =>
    Object.values(steps).some((some) => some.some(({ by }) => by !== undefined)),
  );
  return {
    ...(needsRoles && {
      403: refusal(
        `The caller does not have permission to do this, or to change ${listed(members)} by this step.`,
      ),
    }),
    409: refusal(`The change of ${listed(members)} is not a step that is allowed.${clash}`),
  };
}

const initialText = (values: readonly string[], quote: (value: string) => string): string =>
  `must be ${listed(values, quote)} in a new item`;

/** The value of a member; undefined if the values do not have it yet. */
function valueOf(values: object, member: string): string | undefined {
  const value = (values as Readonly<Record<string, unknown>>)[member];
  return typeof value === 'string' ? value : undefined;
}

const stepsFrom = ({ steps }: Transitions, from: string): readonly Step[] =>
  Object.hasOwn(steps, from) ? (steps[from] ?? []) : [];

/** What messages call the member and its values. */
const words = (member: string, { shown }: Transitions) => ({
  name: shown?.member ?? member,
  quoted: (value: string): string => JSON.stringify(shown?.value(value) ?? value),
  isShown: (value: string): boolean => shown?.hidden?.includes(value) !== true,
});

/** `"a", "b" or "c"`. */
export function listed(
  values: readonly string[],
  shown = (value: string): string => value,
): string {
  const all = values.map((value) => shown(value));
  const others = all.slice(0, -1).join(', ');
  return `${others === '' ? '' : `${others} or `}${all.at(-1) ?? ''}`;
}
