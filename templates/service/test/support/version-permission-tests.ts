/** Tests of permissions in an older version of a collection. */
import { beforeEach, describe, expect, test } from 'vitest';

import { createAs, makeCaller, statusesOf } from './callers.ts';
import type { Caller, Target } from './callers.ts';
import type { Item, TestService } from './service.ts';
import { rowsOf } from './table.ts';
import { pathOf, prepare, removeOthers } from './test-items.ts';
import type { Members, TestItems } from './test-items.ts';

/** The callers of all versions. */
export interface VersionCallers {
  readonly services: Readonly<Record<string, TestService>>;
  /** The owner of items; absent if items belong to nobody, or an owner path names their owner. */
  readonly owner?: Caller;
}

/** Creates a caller for each role. @param isOwned whether items belong to those who create them. */
export async function makeVersionCallers(
  service: TestService,
  roles: readonly string[],
  isOwned: boolean,
): Promise<VersionCallers> {
  const owner = isOwned ? await makeCaller(service, 'owner') : undefined;
  const services: Record<string, TestService> = {
    'no credential': service.as(undefined),
    'no role': (await makeCaller(service, 'no role')).service,
  };
  for (const role of roles) {
    services[role] = (await makeCaller(service, `role ${role}`, [role])).service;
  }
  if (owner !== undefined) services['owner'] = owner.service;
  services['admin'] = service;
  return { services, ...(owner !== undefined && { owner }) };
}

/** What callers may do with a collection in an older version; what is absent, it has not. */
export interface VersionPermissionOptions {
  readonly version: number;
  readonly older: TestItems;
  /** The status of the response to each caller. `owner` owns the item at `{id}`. */
  readonly table: string;
  /** The nested paths of the table, each with the reference to the item at `{id}`. */
  readonly nested?: Readonly<Record<string, string>>;
  /** Whether a list has only items of the caller. */
  readonly listsOwn?: boolean;
  /** References to items that a caller may not read who may create these; and an id that no item has. */
  readonly references?: readonly (readonly [member: string, caller: string, noId: string])[];
}

/** Tests that an older version has the permissions of the current one. */
export function versionPermissionTests(
  service: TestService,
  { services, owner }: VersionCallers,
  options: VersionPermissionOptions,
): void {
  const { version, older, nested = {} } = options;
  const { path } = older;
  const inOlder = service.in(version);
  const callers = Object.fromEntries(
    Object.entries(services).map(([name, caller]) => [name, caller.in(version)]),
  );
  const create = (body: object): Promise<Item> =>
    owner === undefined
      ? inOlder.create(path, body)
      : createAs({ ...owner, service: owner.service.in(version) }, path, body);

  /** Creates the items that a path of the table needs. */
  async function arrange(method: string, row: string): Promise<Target> {
    await service.clear();
    const body = await older.body(inOlder);
    if (row === path) return { path, body };
    if (row === `${path}/{id}`) {
      const item = await create(body);
      if (method === 'DELETE') await prepare(inOlder, older, item, 'removal');
      return { path: pathOf(older, item), body };
    }
    const member = nested[row];
    if (member === undefined) throw new Error(`unknown path ${row}`);
    return { path: row.replace('{id}', String((body as Members)[member])), body };
  }

  describe(`version ${version}`, () => {
    beforeEach(() => service.clear());

    test.each(rowsOf(options.table))(
      '%s %s answers each caller by permission',
      async (method, row, statuses) => {
        expect(await statusesOf(callers, method, () => arrange(method, row))).toEqual(statuses);
      },
    );

    if (options.listsOwn === true) ownListTest(inOlder, callers, older, create);

    test.each(options.references ?? [])(
      'refuses %s of an item that the caller may not read (422)',
      async (member, caller, noId) => {
        const body = await older.body(inOlder);
        const sender = callerNamed(caller, callers);
        const hidden = await sender.post(path, body);
        const absent = await sender.post<Members>(path, { ...body, [member]: noId });
        expect(hidden).toBeError(422, member);
        expect(absent).toBeError(422, member);
        expect(hidden.body).toHaveProperty('message', absent.body['message']);
      },
    );
  });
}

type Callers = VersionCallers['services'];

function callerNamed(name: string, callers: Callers): TestService {
  const caller = callers[name];
  if (caller === undefined) throw new Error(`no caller is named ${name}`);
  return caller;
}

/** Tests a list that has only items of the caller. @param create creates an item of the owner. */
function ownListTest(
  service: TestService,
  callers: Callers,
  items: TestItems,
  create: (body: object) => Promise<Item>,
): void {
  test('lists only items of the caller', async () => {
    const own = await create(await items.body(service));
    const other = await items.create(service);
    await removeOthers(service, items, [own, other]);
    const answer = await callerNamed('owner', callers).get(`${items.path}?count=true`);
    expect(answer.body).toEqual([own]);
    expect(answer.headers.get('total-count')).toBe('1');
  });
}
