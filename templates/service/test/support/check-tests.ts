/** Tests of checks: rules over several members, which the service and its database keep. */
import { expect, test } from 'vitest';

import type { TestService } from './service.ts';
import { takeStep, takeSteps } from './steps.ts';
import { suite } from './suite.ts';
import { createItem, pathOf, withMade } from './test-items.ts';
import type { Members, TestItems } from './test-items.ts';
import { unrestricted } from './values.ts';

/** A check, and values of members that violate it. */
export interface Check {
  readonly name: string;
  /** What the error names. */
  readonly named: readonly string[];
  readonly violating: Members;
  /** Similar values that keep all checks, where some are known. */
  readonly keeping?: Members;
  /** Whether a PATCH can send the violating values. */
  readonly mayChange?: boolean;
}

/** Tests checks that are decided before hooks. */
export function checkTests(service: TestService, items: TestItems, checks: readonly Check[]): void {
  suite(service, items, () => {
    for (const check of checks) {
      test(`refuses values that violate the check ${check.name} (422)`, async () => {
        const changes = await withMade(service, items, check.violating);
        const body = { ...(await items.body(service)), ...changes };
        expect(await service.post(items.path, body)).toBeError(422, ...check.named);
        if (check.mayChange === true) await refuseChange(service, items, check, changes, body);
        if (check.keeping !== undefined) {
          await createItem(service, items, await withMade(service, items, check.keeping));
        }
      });
    }
  });
}

/** Expects that a PATCH and a PUT are refused and change nothing. */
async function refuseChange(
  service: TestService,
  items: TestItems,
  { named }: Check,
  changes: Members,
  body: Members,
): Promise<void> {
  const item = await createItem(service, items);
  const own = pathOf(items, item);
  expect(await service.patch(own, changes)).toBeError(422, ...named);
  expect(await service.put(own, body)).toBeError(422, ...named);
  expect((await service.get(own)).body).toEqual(item);
}

/** Hooks that may set what a check asks for. */
export interface MendingHooks {
  readonly beforeCreate?: unknown;
  readonly beforeUpdate?: unknown;
}

/** A check that is decided after hooks. */
export interface LateCheck extends Check {
  /** Whether a POST can be tried: a job decides later, and some members are set by a hook alone. */
  readonly mayCreate?: boolean;
}

/** A step of a member that a check refuses: the values on the way to it, the next one, and what the error names. */
export type RefusedStep = readonly [
  member: string,
  way: readonly string[],
  to: string,
  named: readonly string[],
];

/** Tests checks that are decided after hooks; those that a hook may keep are left to the tests of the team. */
export function lateCheckTests(
  service: TestService,
  items: TestItems,
  hooks: MendingHooks,
  { checks = [], steps = [] }: { checks?: readonly LateCheck[]; steps?: readonly RefusedStep[] },
): void {
  const refused = unrestricted(steps, items.fixture.allowed);
  // A fixture may restrict all of these members.
  if (checks.length + refused.length === 0) return;

  suite(service, items, () => {
    for (const check of checks) {
      const { beforeCreate, beforeUpdate } = hooks;
      const mends = check.mayCreate === true ? (beforeCreate ?? beforeUpdate) : beforeUpdate;
      test.skipIf(mends !== undefined)(
        `without a hook, refuses values that violate the check ${check.name} (422)`,
        async () => {
          const changes = await withMade(service, items, check.violating);
          const body = { ...(await items.body(service)), ...changes };
          if (check.mayCreate === true) {
            expect(await service.post(items.path, body)).toBeError(422, ...check.named);
          }
          if (check.mayChange === true) await refuseChange(service, items, check, changes, body);
        },
      );
    }

    test.skipIf(hooks.beforeUpdate !== undefined).each(refused)(
      '%s: after %j, PATCH to %s is refused without a hook (422)',
      async (member, way, to, named) => {
        const item = await takeSteps(service, items, member, way);
        expect(await takeStep(service, items, item, member, to)).toBeError(422, ...named);
        expect((await service.get(pathOf(items, item))).body).toHaveProperty([member], way.at(-1));
      },
    );
  });
}
