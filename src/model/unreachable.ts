/** Values and steps of fields that no request can reach: no steps lead to them, or the checks exclude them. */
import { candidatesOf } from '../definition/rule.ts';
import type { CheckDefinition, CollectionDefinition, Field } from '../definition/types.ts';
import { holdsFor } from '../expressions/evaluate.ts';
import { membersOf } from '../expressions/expression.ts';
import { findValues, ruleCondition, searchBudget } from '../expressions/find-values.ts';
import type { SearchBudget, ValueCondition } from '../expressions/find-values.ts';
import type { Position } from '../reading/position.ts';
import { quote, quoteAll } from '../reading/quote.ts';
import type { JsonValue } from '../shared/json.ts';
import { reachableValues } from './test-steps.ts';

/** What no request can reach. */
export interface Unreachable {
  readonly at: Position;
  readonly code: 'value-unreachable' | 'step-unreachable';
  readonly message: string;
}

/** The most values or steps that one message names. */
const MOST_NAMED = 10;

/**
 * What no request can reach in a collection. Each of them is certain: where a search for values that keep the
 * checks gives up, nothing is said. Members that the service sets may have any value, as a hook may set it.
 */
export function unreachable(collection: CollectionDefinition): readonly Unreachable[] {
  const budget = searchBudget();
  const named = new Set(
    collection.checks.flatMap(({ expression }) => membersOf(expression).map(({ name }) => name)),
  );
  return collection.fields.flatMap((field) => {
    const excluded =
      named.has(field.name) && !isSpent(budget)
        ? excludedValues(field, collection, budget)
        : new Map<JsonValue, readonly CheckDefinition[]>();
    const shown = `${quote(field.name)} of ${quote(collection.name)}`;
    return [
      ...[...excluded].slice(0, MOST_NAMED).map(([value, checks]): Unreachable => {
        const which = `${checks.length === 1 ? 'check' : 'the checks'} ${quoteAll(checks.map(({ name }) => name))}`;
        const message = `no item can have ${textOf(value)} as ${shown}: ${which} ${checks.length === 1 ? 'excludes' : 'exclude'} it. Change ${checks.length === 1 ? 'the check' : 'one of them'}, or remove the value.`;
        return { at: field.at, code: 'value-unreachable', message };
      }),
      ...unreachableSteps(field, collection, excluded, shown, budget),
    ];
  });
}

/** The values of an enum or a boolean that no item can have, each with the checks that exclude it together. */
function excludedValues(
  { name, type }: Field,
  { fields, checks }: CollectionDefinition,
  budget: SearchBudget,
): ReadonlyMap<JsonValue, readonly CheckDefinition[]> {
  const values: readonly JsonValue[] =
    type.type === 'enum' ? type.values : type.type === 'boolean' ? [true, false] : [];
  if (values.length === 0) return new Map();
  const isExcludedBy = (some: readonly CheckDefinition[]): ((value: JsonValue) => boolean) => {
    const expressions = some.map(({ expression }) => expression);
    const candidates = candidatesOf(expressions, fields);
    const conditions = expressions.map((one) => ruleCondition(one, true));
    return (value) =>
      findValues(
        candidates.map((one) =>
          one.name === name ? { name, values: [value], isComplete: true } : one,
        ),
        conditions,
        budget,
      ).isImpossible;
  };
  const isExcluded = isExcludedBy(checks);
  return new Map(
    values.flatMap((value) => {
      if (isSpent(budget) || !isExcluded(value)) return [];
      // Those without which the value is still excluded are not named.
      const needed = checks.reduce<readonly CheckDefinition[]>((left, check) => {
        const others = left.filter((one) => one !== check);
        return !isSpent(budget) && isExcludedBy(others)(value) ? others : left;
      }, checks);
      return [[value, needed]];
    }),
  );
}

/** Whether searches with a budget give up at once: what they would need is not even prepared. */
const isSpent = ({ left }: SearchBudget): boolean => left < 0;

/** The values of a field with transitions to which no steps lead, and the steps that immutable members exclude. */
function unreachableSteps(
  field: Field,
  collection: CollectionDefinition,
  excluded: ReadonlyMap<JsonValue, unknown>,
  shown: string,
  budget: SearchBudget,
): readonly Unreachable[] {
  const { transitions } = field;
  if (transitions === undefined) return [];
  const isImpossible = impossibleSteps(field, collection, budget);
  const impossible = transitions.states.flatMap(({ value: from, steps }) =>
    steps
      .map(({ to }) => ({ from, to }))
      .filter((step) => !excluded.has(step.from) && !excluded.has(step.to) && isImpossible(step)),
  );
  const states = transitions.states.map(({ value, steps }) => ({
    value,
    steps: steps.filter(
      ({ to }) => !impossible.some((step) => step.from === value && step.to === to),
    ),
  }));
  const reached = reachableValues(
    { initial: transitions.initial, states },
    (value) => !excluded.has(value),
  );
  const others = states.filter(({ value }) => !reached.has(value) && !excluded.has(value));
  const { at } = transitions;
  return [
    ...impossible.slice(0, MOST_NAMED).map(({ from, to }): Unreachable => {
      const message = `no request can take the step of ${shown} from ${quote(from)} to ${quote(to)}: the checks allow no values of its immutable members with both. Change a check, or remove the step.`;
      return { at, code: 'step-unreachable', message };
    }),
    ...(others.length === 0
      ? []
      : [
          {
            at,
            code: 'value-unreachable' as const,
            message: `no steps of ${shown} lead from ${quoteAll(transitions.initial.slice(0, MOST_NAMED), 'or')} to ${quoteAll(others.slice(0, MOST_NAMED).map(({ value }) => value))}. Add a step, or an initial value.`,
          },
        ]),
  ];
}

/** Tells whether no item can have both values of a step one after the other, because members that never change would have to. */
function impossibleSteps(
  { name }: Field,
  { fields, checks }: CollectionDefinition,
  budget: SearchBudget,
): (step: { readonly from: string; readonly to: string }) => boolean {
  const expressions = checks.map(({ expression }) => expression);
  const named = expressions.flatMap((one) => membersOf(one).map((member) => member.name));
  const kept = new Set(
    fields.flatMap((field) => (field.immutable && !field.readOnly ? [field.name] : [])),
  );
  if (isSpent(budget) || kept.has(name) || !named.some((one) => kept.has(one))) return () => false;
  const later = (one: string): string => (kept.has(one) ? one : `${one} after the step`);
  const candidates = candidatesOf(expressions, fields).flatMap((one) =>
    kept.has(one.name) ? [one] : [one, { ...one, name: later(one.name) }],
  );
  const afterStep = expressions.map((expression): ValueCondition => {
    const { names, cost } = ruleCondition(expression, true);
    return {
      names: names.map(later),
      cost,
      accepts: (values) =>
        holdsFor(
          expression,
          Object.fromEntries(names.map((one) => [one, values[later(one)] ?? null])),
        ),
    };
  });
  const before = expressions.map((expression) => ruleCondition(expression, true));
  return ({ from, to }) => {
    if (isSpent(budget)) return false;
    const values = new Map([
      [name, [from]],
      [later(name), [to]],
    ]);
    const tried = candidates.map((one) => ({ ...one, values: values.get(one.name) ?? one.values }));
    return findValues(tried, [...before, ...afterStep], budget).isImpossible;
  };
}

const textOf = (value: JsonValue): string =>
  typeof value === 'string' ? quote(value) : String(value);
