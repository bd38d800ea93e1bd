/** Tests of members that are unique, alone or together, among all items or among some. */
import { expect, test } from 'vitest';

import type { AnyItem, Members, TestItems } from './test-items.ts';
import type { TestService } from './service.ts';
import { suite } from './suite.ts';
import { createItem, pathOf, prepare, removeOthers, withMade } from './test-items.ts';
import { clearable } from './values.ts';

/** Members that are unique. */
export interface UniqueMembers {
  readonly members: readonly string[];
  /** Those that refer to other items. */
  readonly references?: readonly string[];
  /** What an item is given of them beyond a body with the members that a POST needs. */
  readonly given?: Members;
  /** Those that several items may leave out. */
  readonly clearable?: readonly string[];
  /** Whether a PATCH of a second item can send them. */
  readonly mayChange?: boolean;
  /** What a POST with the values of a removed item answers; the words that an error names. */
  readonly again: 201 | 202 | readonly [status: 409, ...named: string[]];
}

/** Tests each group of members. */
export function uniqueTests(
  service: TestService,
  items: TestItems,
  groups: readonly UniqueMembers[],
): void {
  const { path } = items;
  const target = service.api + path;

  suite(service, items, () => {
    for (const { members, references = [], given = {}, mayChange, again, ...group } of groups) {
      const words = members.join(' and ');
      test(`${words} ${members.length > 1 ? 'are unique together' : 'is unique'}`, async () => {
        const first = await bodyWith(service, items, given);
        const item = await service.create<AnyItem>(path, first);
        const second = await sameBody(service, items, first, members, references);
        expect(await service.post(path, second)).toBeError(409, ...members);
        const keyed = { headers: { 'idempotency-key': 'once' }, body: second };
        expect(await service.request('POST', target, keyed)).toBeError(409, ...members);

        if (mayChange === true) {
          const other = await createItem(service, items);
          const same = pick(first, members);
          expect(await service.patch(pathOf(items, other), same)).toBeError(409, ...members);
        }

        await prepare(service, items, item, 'removal');
        expect(await service.delete(pathOf(items, item))).toHaveStatus(204);
        const answer = await service.request('POST', target, keyed);
        if (typeof again === 'number') expect(answer).toHaveStatus(again);
        else expect(answer).toBeError(...again);
      });

      const empty = group.clearable ?? [];
      if (clearable(empty, items.fixture.allowed).length === 0) continue;
      test(`allows several items without ${words}`, async () => {
        const none = Object.fromEntries(empty.map((member) => [member, null]));
        const two = [
          await createItem(service, items, none),
          await createItem(service, items, none),
        ];
        await removeOthers(service, items, two);
        expect((await service.get(path)).body).toHaveLength(2);
      });
    }
  });
}

/** Members that are unique among the items for which a condition holds. */
export interface UniqueWhere extends Pick<UniqueMembers, 'members' | 'references' | 'given'> {
  /** The condition. */
  readonly where: string;
  /** Members for which it holds, and members for which it does not, where some are known. */
  readonly inside: Members;
  readonly outside?: Members;
  /** Whether a PATCH can send them. */
  readonly mayChange?: boolean;
}

/** Tests each group of members. */
export function uniqueWhereTests(
  service: TestService,
  items: TestItems,
  groups: readonly UniqueWhere[],
): void {
  const { path } = items;

  suite(service, items, () => {
    for (const { members, references = [], where, mayChange, ...group } of groups) {
      const words = `${members.join(' and ')} ${members.length > 1 ? 'are unique together' : 'is unique'}`;
      test(`${words} where ${where}`, async () => {
        const inside = await withMade(service, items, group.inside);
        const first = { ...(await bodyWith(service, items, group.given ?? {})), ...inside };
        const item = await service.create<AnyItem>(path, first);
        const same = await sameBody(service, items, first, members, references);
        const second = { ...same, ...inside };
        const taken = [...members, `where ${where}`];
        expect(await service.post(path, second)).toBeError(409, ...taken);

        expect(await service.get(pathOf(items, item))).toHaveStatus(200);
        if (group.outside === undefined) return;
        const outside = await withMade(service, items, group.outside);
        const other = await service.create<AnyItem>(path, { ...second, ...outside });
        expect(other.id).not.toBe(item.id);
        if (mayChange !== true) return;
        const own = pathOf(items, other);
        expect(await service.patch(own, inside)).toBeError(409, ...taken);
        expect((await service.get(own)).body).toEqual(other);
        await prepare(service, items, item, 'removal');
        await service.delete(pathOf(items, item));
        await prepare(service, items, other, inside);
        expect(await service.patch(own, inside)).toHaveStatus(200);
      });
    }
  });
}

/** A body with some members beyond those that a POST needs. */
const bodyWith = async (
  service: TestService,
  items: TestItems,
  given: Members,
): Promise<Members> => ({
  ...(await items.body(service)),
  ...(await withMade(service, items, given)),
});

/** Another body with the same values of some members. */
const sameBody = async (
  service: TestService,
  items: TestItems,
  first: Members,
  members: readonly string[],
  references: readonly string[],
): Promise<Members> => ({
  ...(await items.body(service, pick(first, references))),
  ...pick(first, members),
});

const pick = (body: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, body[name]]));
