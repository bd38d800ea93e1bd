/** Tests of transitions: from each value the steps and other changes, the roles of steps, and values of new items. */
import type { Field } from '../../definition/types.ts';
import { MOST_CHANGES, mostTestedSteps, testableSteps } from '../../model/testable-steps.ts';
import type { TestableState } from '../../model/testable-steps.ts';
import type { Model } from '../../model/types.ts';
import type { JsonValue } from '../../shared/json.ts';
import { tellingOptions } from './options.ts';
import type { Options } from './options.ts';
import { wordsOfCheck } from './check-tests.ts';
import { callersOf, commonReach } from './permission-table.ts';
import type { Caller } from './permission-table.ts';
import type { TestedCollection } from './tested-collection.ts';

/** The tests of the transitions of a collection. */
export interface StepTests {
  /** What `transitionTests` is called with. */
  readonly options: Options;
  /** Member, the way to a value, a step from there that needs a hook, and what its error names otherwise. */
  readonly needsHook: readonly Row[];
}

type Row = readonly JsonValue[];

/** Undefined if no member that clients send has transitions, or if tests cannot create items. */
export function stepTests(tested: TestedCollection, model: Model): StepTests | undefined {
  const { creates, writable, samples } = tested;
  const fields = creates ? writable.filter(({ transitions }) => transitions !== undefined) : [];
  if (fields.length === 0) return undefined;
  const kept = fields.map((field) => ({ field, states: testableSteps(field, samples) }));
  const callers = changersOf(tested, model);
  const roles = kept.flatMap(({ field, states }) =>
    states.flatMap((state) => roleRows(field, state, callers)),
  );
  const used = callers.filter(({ label }) => roles.some((row) => row.caller === label));
  const changes = kept.flatMap(({ field, states }) => {
    const usable = states.map(({ from }) => from);
    const most = mostTestedSteps(samples);
    return states.map(({ from, way, to }): Row => [
      field.name,
      from,
      way,
      to.slice(0, most),
      usable.filter((value) => value !== from && !to.includes(value)).slice(0, MOST_CHANGES),
    ]);
  });
  const others = fields.flatMap(({ name, transitions }) =>
    (transitions?.states ?? [])
      .filter(({ value }) => transitions?.initial.includes(value) === false)
      .slice(0, MOST_CHANGES)
      .map(({ value }): Row => [name, value]),
  );
  return {
    options: tellingOptions({
      changes,
      others,
      roles: roles.map(({ row }) => row),
      callers: Object.fromEntries(
        used.map(({ label, role }) => [label, role === undefined ? [] : [role]]),
      ),
    }),
    needsHook: kept.flatMap(({ field, states }) =>
      states.flatMap(({ way, needsHook }) =>
        needsHook
          .slice(0, mostTestedSteps(samples))
          .map(({ to, checks }): Row => [field.name, way, to, checks.flatMap(wordsOfCheck)]),
      ),
    ),
  };
}

/** Callers beside administrators who may change all items. */
const changersOf = ({ collection }: TestedCollection, model: Model): readonly Caller[] => {
  const { update, read } = collection.definition.permissions;
  return callersOf(
    model.service.roles.filter((role) => role !== 'admin'),
    false,
  ).filter(
    (caller) =>
      caller.isKnown && caller.role !== 'admin' && commonReach([update, read], caller) === 'all',
  );
};

/** For each step of certain roles a caller who may take it, and one who may not. */
function roleRows(
  { name, transitions }: Field,
  { from, way, to }: TestableState,
  callers: readonly Caller[],
): { readonly caller: string; readonly row: Row }[] {
  const steps = transitions?.states.find(({ value }) => value === from)?.steps ?? [];
  return steps
    .filter((step) => to.includes(step.to))
    .slice(0, MOST_CHANGES)
    .flatMap((step) => {
      const { by } = step;
      if (by === undefined) return [];
      const may = ({ role }: Caller): boolean => role !== undefined && by.includes(role);
      const tried = [callers.find((caller) => !may(caller)), callers.find(may)];
      return tried.flatMap((caller) =>
        caller === undefined
          ? []
          : [
              {
                caller: caller.label,
                row: [name, way, step.to, caller.label, may(caller) ? 200 : 403],
              },
            ],
      );
    });
}
