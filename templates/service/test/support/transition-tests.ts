/** Tests of transitions: the steps of a member, who may take them, and values of new items. */
import { beforeAll, expect, test } from 'vitest';

import { makeCaller } from './callers.ts';
import type { TestService } from './service.ts';
import { takeStep, takeSteps } from './steps.ts';
import { suite } from './suite.ts';
import { pathOf, removeItem } from './test-items.ts';
import type { TestItems } from './test-items.ts';
import { unrestricted } from './values.ts';

/** The values on the way to a value: the first is given to a new item. */
type Way = readonly string[];

/** The transitions of members, as rows of tests. */
export interface Transitions {
  /** A value, the way to it, its steps, and other values that are refused. */
  readonly changes?: readonly (readonly [
    member: string,
    from: string,
    way: Way,
    steps: readonly string[],
    refused: readonly string[],
  ])[];
  /** A step of certain roles: the way to it, a caller, and the status of the answer. */
  readonly roles?: readonly (readonly [
    member: string,
    way: Way,
    to: string,
    caller: string,
    status: number,
  ])[];
  /** The roles of callers. */
  readonly callers?: Readonly<Record<string, readonly string[]>>;
  /** Values that a new item cannot have. */
  readonly others?: readonly (readonly [member: string, value: string])[];
}

/** Tests the transitions of a collection. */
export function transitionTests(
  service: TestService,
  items: TestItems,
  { changes = [], roles = [], callers = {}, others = [] }: Transitions,
): void {
  const { allowed } = items.fixture;
  const changing = unrestricted(changes, allowed);
  const later = unrestricted(others, allowed);
  const permitted = unrestricted(roles, allowed);
  // A fixture may restrict all of these members.
  if (changing.length + later.length + permitted.length === 0) return;
  suite(service, items, () => {
    test.each(changing)(
      '%s: %s changes only by steps',
      async (member, from, way, steps, refused) => {
        const item = await takeSteps(service, items, member, way);
        const path = pathOf(items, item);
        expect(await service.patch(path, { [member]: from })).toHaveStatus(200);
        for (const value of refused) {
          const answer = await service.patch(path, { [member]: value });
          expect(answer).toBeError(409, member, JSON.stringify(from), JSON.stringify(value));
        }
        expect((await service.get(path)).body).toHaveProperty([member], from);
        // Perhaps only one item may have the value.
        await removeItem(service, items, item);
        for (const value of steps) {
          const next = await takeSteps(service, items, member, way);
          const answer = await takeStep(service, items, next, member, value);
          expect(answer).toHaveStatus(200);
          expect(answer.body).toHaveProperty([member], value);
          await removeItem(service, items, next);
        }
      },
    );

    test.each(later)(
      'POST rejects %s: %s, which is not an initial value (422)',
      async (member, value) => {
        const body = { ...(await items.body(service)), [member]: value };
        expect(await service.post(items.path, body)).toBeError(422, member);
      },
    );

    const senders = new Map<string, TestService>();
    beforeAll(async () => {
      for (const [caller, own] of Object.entries(callers)) {
        senders.set(caller, (await makeCaller(service, `steps ${caller}`, own)).service);
      }
    });

    test.each(permitted)(
      '%s: after %j, a step to %s as "%s" answers %i',
      async (member, way, to, caller, status) => {
        const sender = senders.get(caller);
        if (sender === undefined) throw new Error(`the table names no caller ${caller}`);
        const given = items.body(service);
        const item = await takeSteps(service, items, member, way, given);
        const path = pathOf(items, item);
        // Only a PUT that is refused leaves the item as the PATCH needs it.
        if (status === 403) {
          const put = await sender.put(path, { ...(await given), [member]: to });
          expect(put).toHaveStatus(403);
        }
        expect(await takeStep(service, items, item, member, to, sender)).toHaveStatus(status);
        const stored = status === 200 ? to : way.at(-1);
        expect((await service.get(path)).body).toHaveProperty([member], stored);
      },
    );
  });
}
