/** Reads the transitions of an enum field: the values that a new item may have, and the steps between values. */
import type { Issues } from '../reading/issues.ts';
import { isNull } from '../reading/mismatch.ts';
import { nearest } from '../reading/nearest.ts';
import type { Position } from '../reading/position.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { Located } from '../reading/shapes.ts';
import type { Entry } from '../reading/tree.ts';
import type { EnumType } from '../types/enum.ts';
import type { CommonOptions } from './common-options.ts';
import { STEPS } from './step-shape.ts';
import type { WrittenStep } from './step-shape.ts';
import type {
  Permission,
  StateDefinition,
  StepDefinition,
  TransitionsDefinition,
} from './types.ts';

/** The most values that one message names. */
const MOST_NAMED = 10;

/** The transitions of a field, which are absent if they are refused, and the roles that they name. */
export interface WrittenTransitions {
  readonly transitions: TransitionsDefinition | undefined;
  readonly roles: readonly Located<string>[];
}

/** Reads `transitions` and `initial` of an enum field; undefined if it has none. */
export function readTransitions(
  name: string,
  { values }: EnumType,
  common: CommonOptions,
  initialDefault: string | undefined,
  issues: Issues,
): WrittenTransitions | undefined {
  const { transitions, initial } = common;
  const before = issues.count;
  if (transitions === undefined) {
    if (initial === undefined) return undefined;
    const message = `field ${quote(name)} has initial without transitions: a change could take any value at once. Add "transitions:", or remove initial.`;
    issues.add(initial.keyAt, 'contradiction', message);
    return undefined;
  }
  checkOptions(name, common, issues);
  const roles: Located<string>[] = [];
  const known = new Set(values);
  const states = readStates(name, transitions, known, roles, issues);
  const start = readInitial(name, known, common, initialDefault, issues);
  const read = { initial: start, states, at: transitions.keyAt };
  return { transitions: issues.count > before ? undefined : read, roles };
}

/** Refuses options that make steps impossible, or their messages unsafe. */
function checkOptions(
  name: string,
  { required, immutable, write_only: writeOnly }: CommonOptions,
  issues: Issues,
): void {
  const start = `field ${quote(name)} has transitions`;
  if (required?.value === false) {
    const message = `${start}, so it is never null. Remove "required: false".`;
    issues.add(required.keyAt, 'contradiction', message);
  }
  if (immutable?.value === true) {
    const message = `${start} and is immutable: it could never take a step. Remove one.`;
    issues.add(immutable.keyAt, 'contradiction', message);
  }
  if (writeOnly?.value === true) {
    const message = `${start} and is write_only: a 409 names the value that it has. Remove one.`;
    issues.add(writeOnly.keyAt, 'contradiction', message);
  }
}

function readStates(
  name: string,
  { value: entries, keyAt }: Located<readonly Entry[]> & { readonly keyAt: Position },
  values: ReadonlySet<string>,
  roles: Located<string>[],
  issues: Issues,
): readonly StateDefinition[] {
  const states = new Map<string, readonly StepDefinition[]>();
  for (const entry of entries) {
    checkValue(entry.name, entry.at, 'transitions', values, issues);
    if (isNull(entry.value)) {
      const message = `transitions has no value for ${quote(entry.name)}. Write a list of steps, or [] if it is final.`;
      issues.add(entry.value.at, 'wrong-type', message);
    }
    const read = isNull(entry.value) ? [] : (STEPS.read(entry.value, 'transitions', issues) ?? []);
    states.set(entry.name, stepsFrom(entry.name, read, values, roles, issues));
  }
  const missing = [...values].filter((value) => !states.has(value)).slice(0, MOST_NAMED);
  if (missing.length > 0) {
    const write = missing.map((value) => quote(`${value}: []`));
    const message = `transitions of field ${quote(name)} has no steps from ${enumerate(missing.map(quote), 'and')}. Add steps, or write ${enumerate(write, 'and')} if there are none.`;
    issues.add(keyAt, 'bad-value', message);
  }
  // In the order of the values, whatever that of the keys is.
  return [...values].flatMap((value) => {
    const steps = states.get(value);
    return steps === undefined ? [] : [{ value, steps }];
  });
}

function stepsFrom(
  from: string,
  written: readonly Located<WrittenStep>[],
  values: ReadonlySet<string>,
  roles: Located<string>[],
  issues: Issues,
): readonly StepDefinition[] {
  const seen = new Set<string>();
  return written.map(({ value: { to, by } }) => {
    if (!checkValue(to.value, to.at, `the steps from ${quote(from)}`, values, issues)) {
      // There is an issue.
    } else if (to.value === from) {
      const message = `the steps from ${quote(from)} name ${quote(from)} itself, which an item may keep anyway. Remove it.`;
      issues.add(to.at, 'contradiction', message);
    } else if (seen.has(to.value)) {
      const message = `the steps from ${quote(from)} name ${quote(to.value)} twice. Remove one, and name all roles in the other.`;
      issues.add(to.at, 'duplicate-entry', message);
    }
    seen.add(to.value);
    if (by === undefined) return { to: to.value };
    roles.push(...readRoles(by.value, issues));
    return { to: to.value, by: by.value.map(({ value }) => value) };
  });
}

/** The roles of a step that can be ones of the service; others are refused here. */
function readRoles(
  written: readonly Located<string>[],
  issues: Issues,
): readonly Located<string>[] {
  const seen = new Set<string>();
  return written.filter(({ value, at }) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    if (isRepeated) {
      issues.add(at, 'duplicate-entry', `by names ${quote(value)} twice. Remove one.`);
    }
    if (!['public', 'authenticated', 'owner'].includes(value)) return !isRepeated;
    const message = `${quote(value)} is not a role. Remove it; without by, all who may update the item may take the step.`;
    issues.add(at, 'bad-permission', message);
    return false;
  });
}

/** The values that a new item may have: as they are written, else the default, else all. */
function readInitial(
  name: string,
  values: ReadonlySet<string>,
  { initial, default: written }: CommonOptions,
  initialDefault: string | undefined,
  issues: Issues,
): readonly string[] {
  if (initial === undefined) {
    return initialDefault === undefined ? [...values] : [initialDefault];
  }
  const named = new Set<string>();
  for (const { value, at } of initial.value) {
    checkValue(value, at, 'initial', values, issues);
    if (named.has(value)) {
      issues.add(at, 'duplicate-entry', `initial names ${quote(value)} twice. Remove one.`);
    }
    named.add(value);
  }
  if (initialDefault !== undefined && !named.has(initialDefault) && written !== undefined) {
    const message = `default ${quote(initialDefault)} of field ${quote(name)} is not in initial: an item without a value could not be created. Add it to initial, or write another default.`;
    issues.add(written.value.at, 'contradiction', message);
  }
  return [...values].filter((value) => named.has(value));
}

/** Adds an issue for what is no value of the field. @returns whether it is one. */
function checkValue(
  value: string,
  at: Position,
  what: string,
  values: ReadonlySet<string>,
  issues: Issues,
): boolean {
  if (values.has(value)) return true;
  const known = [...values];
  const near = nearest(value, known);
  const few = known.slice(0, MOST_NAMED).map(quote);
  const hint = near === undefined ? enumerate(few, 'or') : quote(near);
  issues.add(at, 'bad-value', `${what}: ${quote(value)} is not one of the values. Write ${hint}.`);
  return false;
}

/** Adds an issue for each role of a step that may not update the item: only administrators could take it. */
export function checkStepRoles(
  roles: readonly Located<string>[],
  update: Permission,
  issues: Issues,
): void {
  if (update.kind !== 'some' || update.owner) return;
  for (const { value, at } of roles) {
    if (value === 'admin' || update.roles.includes(value)) continue;
    const message = `by names ${quote(value)}, which may not update the item. Add it to update of the permissions, or remove it.`;
    issues.add(at, 'contradiction', message);
  }
}
