/**
 * Values of the members of checks, for tests: some that keep all checks in any combination, and for each check
 * some that violate it.
 */
import type { CheckDefinition, Field } from '../definition/types.ts';
import { storedValue } from '../definition/versions/older-form.ts';
import { candidateValues } from '../expressions/candidate-values.ts';
import type { CandidateValues } from '../expressions/candidate-values.ts';
import { holdsFor } from '../expressions/evaluate.ts';
import type { MemberValues } from '../expressions/evaluate.ts';
import { comparisonsOf, membersOf } from '../expressions/expression.ts';
import { findValues, searchBudget } from '../expressions/find-values.ts';
import type { SearchBudget, ValueCondition } from '../expressions/find-values.ts';
import { ownMember } from '../shared/json.ts';
import type { JsonValue } from '../shared/json.ts';
import { startValue } from './test-steps.ts';
import { withoutDuplicates } from '../types/example-values.ts';
import { specOf } from '../types/registry.ts';

/** Values that tests send of the members of checks. The ids of other items are those of `placeholderIdOf`. */
export interface CheckValues {
  /** Values that keep all checks in any combination; the first is that of a plain body. Null may be among them. */
  readonly kept: ReadonlyMap<string, readonly JsonValue[]>;
  /** For each check that a body can violate, values of its members. */
  readonly violations: readonly Violation[];
}

/** Values that violate a check. */
export interface Violation {
  readonly check: CheckDefinition;
  readonly values: MemberValues;
  /** Similar values that keep all checks, if some were found. */
  readonly repaired: MemberValues | undefined;
}

/** The most values of a member that keep all checks. */
const MOST_KEPT = 6;
/** The most combinations of values that are tried to keep them. */
const MOST_COMBINATIONS = 1000;

/** What `now` and `today` may be: tests hold for any moment between these. */
const MOMENTS = {
  now: ['2020-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'],
  today: ['2020-01-01', '2100-01-01'],
} as const;

/** How many values of members that have to differ keep all checks beside those of a plain body. */
const VARIED = [40, 12, 3, 1];

/**
 * Finds the values.
 * @param varied the values of members that have to differ from one item to the next.
 * @returns undefined if none were found, or if there are neither checks nor transitions.
 */
export function checkValues(
  fields: readonly Field[],
  checks: readonly CheckDefinition[],
  varied: ReadonlyMap<string, readonly JsonValue[]>,
): CheckValues | undefined {
  const starts = new Map(
    fields.flatMap((field) => {
      const start = startValue(field);
      return start === undefined ? [] : [[field.name, [start]]];
    }),
  );
  if (checks.length === 0) {
    return starts.size === 0 ? undefined : { kept: starts, violations: [] };
  }
  const rules = checks.map((check) => ruleOf(check, fields));
  const named = new Set(rules.flatMap(({ names }) => names));
  const members = fields.filter(({ name }) => named.has(name));
  const candidates = candidateValues(
    members,
    checks.map(({ expression }) => expression),
  ).map((one) => ({
    ...one,
    values: starts.get(one.name) ?? inOrder(fieldOf(members, one.name), one.values),
  }));
  // Members that a body needs keep their plain values, and the others follow them.
  const sorted = candidates.toSorted((one, other) => rank(one, members) - rank(other, members));
  const free = sorted.filter(({ name }) => !varied.has(name));
  for (const count of VARIED) {
    const some = new Map(
      [...varied]
        .filter(([name]) => named.has(name))
        .map(([name, values]) => [name, values.slice(0, count)]),
    );
    const whole = checks.map((check) => ruleOf(check, fields, some));
    const { values } = findValues(free, whole.map(holding));
    if (values === undefined) continue;
    const plain = {
      ...values,
      ...Object.fromEntries([...some].map(([name, [first]]) => [name, first ?? null])),
    };
    const budget = searchBudget();
    return {
      kept: new Map([...starts, ...keptValues(free, whole, values), ...some]),
      violations: rules.flatMap((rule) => violationOf(rule, rules, sorted, plain, budget) ?? []),
    };
  }
  return undefined;
}

const fieldOf = (fields: readonly Field[], name: string): Field => {
  const found = fields.find((field) => field.name === name);
  if (found === undefined) throw new Error(`no field called ${name}`);
  return found;
};

/** A check over the members that a body can have. */
interface Rule {
  readonly check: CheckDefinition;
  readonly names: readonly string[];
  /** How many comparisons it takes to judge it. */
  readonly cost: number;
  /** Whether it holds, for each value that the other members may have. */
  readonly outcomes: (values: MemberValues) => readonly boolean[];
}

/** @param varied values of members that are not searched for: the rule is judged for each. */
function ruleOf(
  check: CheckDefinition,
  fields: readonly Field[],
  varied: ReadonlyMap<string, readonly JsonValue[]> = new Map(),
): Rule {
  const { expression, inView } = check;
  const others = new Map<string, readonly JsonValue[]>();
  const names: string[] = [];
  for (const { name, type } of membersOf(expression)) {
    const field = fields.find((one) => one.name === name);
    const values = varied.get(name);
    if (values !== undefined) others.set(name, values);
    else if (field !== undefined && !field.readOnly) names.push(name);
    else {
      const initial =
        field === undefined
          ? ((inView && ownMember(inView.absent, name)) ?? null)
          : (field.default ?? null);
      const isMoment = initial === specOf(type).currentDefault;
      others.set(name, isMoment ? MOMENTS[initial] : [initial]);
    }
  }
  const combinations = combinationsOf(others);
  const stored = (values: MemberValues): MemberValues =>
    inView === undefined
      ? values
      : Object.fromEntries(
          Object.entries(values).map(([name, value]) => {
            const conversion = ownMember(inView.converted, name);
            const isPlain = conversion === undefined || value === null;
            return [name, isPlain ? value : (storedValue(conversion, value) ?? null)];
          }),
        );
  return {
    check,
    names,
    cost: comparisonsOf(expression) * combinations.length,
    outcomes: (values) =>
      combinations.map((more) => holdsFor(expression, stored({ ...more, ...values }))),
  };
}

const holding = ({ names, cost, outcomes }: Rule): ValueCondition => ({
  names,
  cost,
  accepts: (values) => outcomes(values).every((holds) => holds),
});

const violating = ({ names, cost, outcomes }: Rule): ValueCondition => ({
  names,
  cost,
  accepts: (values) => outcomes(values).every((holds) => !holds),
});

/** What a body without the member has comes first, unless that depends on the moment. */
function inOrder(field: Field, values: readonly JsonValue[]): readonly JsonValue[] {
  const { default: defaultValue, required, type } = field;
  if (defaultValue === specOf(type).currentDefault && defaultValue !== undefined) return values;
  if (defaultValue === undefined && required) return values;
  return withoutDuplicates([defaultValue ?? null, ...values]);
}

const rank = ({ name }: CandidateValues, fields: readonly Field[]): number => {
  const field = fields.find((one) => one.name === name);
  return field?.required === true && field.default === undefined ? 0 : 1;
};

/** Adds to the plain values as many others as can be combined with each other. */
function keptValues(
  candidates: readonly CandidateValues[],
  rules: readonly Rule[],
  plain: MemberValues,
): ReadonlyMap<string, readonly JsonValue[]> {
  const kept = new Map(candidates.map(({ name }) => [name, [ownMember(plain, name) ?? null]]));
  const budget = searchBudget();
  const isKept = (name: string, value: JsonValue): boolean =>
    isKeptBeside(rules, kept, { name, value }, budget);
  const waiting = new Map(
    candidates.map(({ name, values }) => {
      const others = values.filter(
        (value) => JSON.stringify(value) !== JSON.stringify(ownMember(plain, name)),
      );
      const present = others.filter((value) => value !== null);
      const none = others.filter((value) => value === null);
      // Another value for changes, then none, then limits.
      return [name, [...present.slice(0, 1), ...none, ...present.slice(1)]];
    }),
  );
  for (let added = true; added;) {
    added = false;
    for (const [name, values] of waiting) {
      const own = kept.get(name) ?? [];
      const at = own.length < MOST_KEPT ? values.findIndex((value) => isKept(name, value)) : -1;
      if (at < 0) continue;
      own.push(...values.splice(at, 1));
      added = true;
    }
  }
  return kept;
}

/** Values that violate one rule, and if possible no other one. */
function violationOf(
  rule: Rule,
  rules: readonly Rule[],
  candidates: readonly CandidateValues[],
  plain: MemberValues,
  budget: SearchBudget,
): Violation | undefined {
  const own = (first: MemberValues): readonly CandidateValues[] =>
    candidates.map(({ name, values, isComplete }) => {
      const usual = ownMember(first, name) ?? null;
      // Null keeps most rules: other values say more.
      const present = values.filter((value) => value !== null);
      const none = values.filter((value) => value === null);
      const all = withoutDuplicates([usual, ...present, ...none]);
      return { name, values: rule.names.includes(name) ? all : [usual], isComplete };
    });
  const others = rules.filter((other) => other !== rule).map(holding);
  const search = (first: MemberValues, conditions: readonly ValueCondition[]) =>
    findValues(own(first), conditions, budget).values;
  const values = search(plain, [violating(rule), ...others]) ?? search(plain, [violating(rule)]);
  if (values === undefined) return undefined;
  const repaired = search(values, [holding(rule), ...others]);
  const pick = (all: MemberValues): MemberValues =>
    Object.fromEntries(rule.names.map((name) => [name, ownMember(all, name) ?? null]));
  return { check: rule.check, values: pick(values), repaired: repaired && pick(repaired) };
}

/** Whether a value keeps all rules with every combination of the values that other members may have. */
function isKeptBeside(
  rules: readonly Rule[],
  kept: CheckValues['kept'],
  { name, value }: { readonly name: string; readonly value: JsonValue },
  budget: ReturnType<typeof searchBudget>,
): boolean {
  return rules
    .filter(({ names }) => names.includes(name))
    .every(({ names, cost, outcomes }) => {
      const sets = new Map(
        names.map((one) => [one, one === name ? [value] : (kept.get(one) ?? [])]),
      );
      const size = [...sets.values()].reduce((product, { length }) => product * length, 1);
      if (size > MOST_COMBINATIONS) return false;
      budget.left -= size * cost;
      return (
        budget.left >= 0 &&
        combinationsOf(sets).every((values) => outcomes(values).every((holds) => holds))
      );
    });
}

/** The values of a field with transitions that keep all checks beside the values that tests send. */
export function testableStates(
  { name, transitions }: Field,
  {
    fields,
    checks,
  }: { readonly fields: readonly Field[]; readonly checks: readonly CheckDefinition[] },
  values: CheckValues | undefined,
): ReadonlySet<string> {
  const rules = checks.map((check) => ruleOf(check, fields));
  const budget = searchBudget();
  const states = (transitions?.states ?? []).map(({ value }) => value);
  return new Set(
    states.filter((value) =>
      isKeptBeside(rules, values?.kept ?? new Map(), { name, value }, budget),
    ),
  );
}

/**
 * The checks that an item violates for certain if it has this value of a field beside those of a plain body.
 * @param varied members that differ from one item to the next.
 */
export function checksAgainst(
  { name }: Field,
  value: JsonValue,
  {
    fields,
    checks,
  }: { readonly fields: readonly Field[]; readonly checks: readonly CheckDefinition[] },
  values: CheckValues | undefined,
  varied: ReadonlySet<string>,
): readonly CheckDefinition[] {
  const sentOf = (one: string): readonly JsonValue[] => {
    if (one === name) return [value];
    const kept = values?.kept.get(one) ?? [];
    return varied.has(one) ? kept : kept.slice(0, 1);
  };
  return checks.filter((check) => {
    const { names, outcomes } = ruleOf(check, fields);
    if (!names.includes(name)) return false;
    const sets = new Map(names.map((one) => [one, sentOf(one)]));
    return combinationsOf(sets).every((sent) => outcomes(sent).every((holds) => !holds));
  });
}

/** Whether a value of a member keeps all checks; of a member that no check names, every value does. */
export const isKeptValue = (
  values: CheckValues | undefined,
  { name }: Pick<Field, 'name'>,
  value: JsonValue,
): boolean =>
  values?.kept.get(name)?.some((one) => JSON.stringify(one) === JSON.stringify(value)) ?? true;

/** All combinations of one value for each member; beyond a number of them, some. */
function combinationsOf(sets: ReadonlyMap<string, readonly JsonValue[]>): readonly MemberValues[] {
  let combinations: MemberValues[] = [{}];
  for (const [name, values] of sets) {
    const some = combinations.length < MOST_COMBINATIONS ? values : values.slice(0, 1);
    combinations = combinations.flatMap((one) => some.map((value) => ({ ...one, [name]: value })));
  }
  return combinations;
}
