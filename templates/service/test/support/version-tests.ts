/** Tests of a collection in an older version: what one version writes, the other shows. */
import { beforeEach, describe, expect, test } from 'vitest';

import { assignedIn } from './assigned.ts';
import type { Assigned } from './assigned.ts';
import { A_TIME } from './expected.ts';
import type { Item, TestService } from './service.ts';
import { pathOf, prepare, removeOthers } from './test-items.ts';
import type { Members, TestItems } from './test-items.ts';

/** A collection in the current version, and in an older one. */
export interface VersionPair {
  readonly version: number;
  readonly current: TestItems;
  readonly older: TestItems;
}

/** What one version sends, and what the other shows of it. */
export interface Written {
  /** Members with the values of the fixture: their names in both versions, and a value if the fixture lacks it. */
  readonly fixture?: readonly (readonly [
    member: string,
    shownAs: string | undefined,
    otherwise?: unknown,
  ])[];
  /** Members with other values. */
  readonly sent?: Members;
  readonly shown?: Members;
}

/** How the older version differs from the current one; what is absent does not differ. */
export interface VersionOptions extends VersionPair, Assigned {
  /** Whether the service sets `updated_at`. */
  readonly hasUpdatedAt: boolean;
  /** What the current version sends and the older one shows, and what the older one sends. */
  readonly toOlder: Written;
  readonly toCurrent: Written;
  /** Members that the older version can send back, and those that it needs and does not show. */
  readonly writable: readonly string[];
  readonly secrets?: readonly string[];
  /** Values that the older version shows as others. */
  readonly replaced?: readonly (readonly [
    member: string,
    value: string,
    olderMember: string,
    shown: unknown,
  ])[];
  /** Members in which only one of the versions searches. */
  readonly searchedInCurrent?: readonly string[];
  readonly searchedInOlder?: readonly string[];
  /** Whether there can be two items. */
  readonly several: boolean;
}

/** The named members of an item. */
const pick = (item: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));

/** The bodies of a version, and what the other version shows of them. */
function bodyOf({ fixture = [], sent, shown }: Written, { fixture: values }: TestItems) {
  const full: Members = { ...values.another() };
  const valueOf = (member: string, otherwise: unknown): unknown =>
    full[member] === undefined ? otherwise : full[member];
  const rows = fixture.map(([member, shownAs, otherwise]) => ({
    member,
    shownAs,
    value: valueOf(member, otherwise),
  }));
  return {
    given: { ...Object.fromEntries(rows.map((row) => [row.member, row.value])), ...sent },
    expected: {
      ...Object.fromEntries(
        rows.flatMap(({ shownAs, value }) => (shownAs === undefined ? [] : [[shownAs, value]])),
      ),
      ...shown,
    },
  };
}

/** Tests an older version beside the current one. */
export function versionTests(service: TestService, options: VersionOptions): void {
  const { version, current, older, secrets = [] } = options;
  const inOlder = service.in(version);
  const updated = options.hasUpdatedAt ? { updated_at: A_TIME } : {};
  const assigned = (item: object): object => assignedIn(item, options);
  const toOlder = bodyOf(options.toOlder, current);
  const toCurrent = bodyOf(options.toCurrent, older);
  const full: Members = { ...older.fixture.another() };
  const hidden = Object.fromEntries(secrets.map((name) => [name, full[name]]));

  describe(`version ${version}`, () => {
    beforeEach(() => service.clear());

    test('shows items of the current version', async () => {
      const { id } = await current.create(service, toOlder.given);
      const answer = await inOlder.get(pathOf(older, { id }));
      expect(answer).toHaveStatus(200);
      expect(answer.body).toMatchObject({ id, ...toOlder.expected });
      expect((await inOlder.get<Item[]>(older.path)).body).toContainEqual(answer.body);
    });

    test('creates items that the current version shows', async () => {
      const { id } = await older.create(inOlder, toCurrent.given);
      const answer = await service.get(pathOf(current, { id }));
      expect(answer).toHaveStatus(200);
      expect(answer.body).toMatchObject({ id, ...toCurrent.expected });
      expect((await service.get<Item[]>(current.path)).body).toContainEqual(answer.body);
    });

    test.each(['PUT', 'PATCH'])(
      '%s of the item as it was read changes no stored member',
      async (method) => {
        const item = await current.create(service, toOlder.given);
        const before = await service.get<Item>(pathOf(current, item));
        const { body: shown } = await inOlder.get<Item>(pathOf(older, item));
        const own = inOlder.api + pathOf(older, item);
        const body = { ...pick(shown, options.writable), ...hidden };
        const answer = await inOlder.request<Item>(method, own, { body });
        expect(answer).toHaveStatus(200);
        expect(answer.body).toEqual({ ...shown, ...updated, ...assigned(answer.body) });
        const after = await service.get<Item>(pathOf(current, item));
        expect(after.body).toEqual({ ...before.body, ...updated, ...assigned(after.body) });
      },
    );

    test.each(options.replaced ?? [])(
      'keeps %s: %s, which it cannot represent',
      async (member, value, olderMember, shown) => {
        const item = await current.create(service);
        const [path, olderPath] = [pathOf(current, item), pathOf(older, item)];
        await prepare(service, current, item, { [member]: value });
        await service.patch(path, { [member]: value });
        expect((await inOlder.get(olderPath)).body).toHaveProperty(olderMember, shown);
        expect(await inOlder.patch(olderPath, { [olderMember]: shown })).toHaveStatus(200);
        expect((await service.get(path)).body).toHaveProperty(member, value);
        const refused = await inOlder.patch(olderPath, { [olderMember]: value });
        expect(refused).toBeError(422, olderMember);
      },
    );

    const query = '?q=quetzalcoatl';

    test.each(options.searchedInCurrent ?? [])(
      'does not search in %s, unlike the current version',
      async (member) => {
        const item = await current.create(service, { [member]: 'Quetzalcoatl' });
        await removeOthers(service, current, [item]);
        expect((await service.get(current.path + query)).body).toMatchObject([{ id: item.id }]);
        expect((await inOlder.get(older.path + query)).body).toEqual([]);
      },
    );

    test.each(options.searchedInOlder ?? [])(
      'searches in %s, unlike the current version',
      async (member) => {
        const item = await older.create(inOlder, { [member]: 'Quetzalcoatl' });
        await removeOthers(service, current, [item]);
        expect((await inOlder.get(older.path + query)).body).toMatchObject([{ id: item.id }]);
        expect((await service.get(current.path + query)).body).toEqual([]);
      },
    );

    if (options.several) cursorTest(service, inOlder, options);
    if (older.path !== current.path) pathTest(service, inOlder, options);
  });
}

function cursorTest(
  service: TestService,
  inOlder: TestService,
  { current, older }: VersionPair,
): void {
  test('has its own cursors', async () => {
    await current.create(service);
    await current.create(service);
    const page = await inOlder.get(`${older.path}?limit=1`);
    const cursor = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
    const next = `?limit=1&cursor=${cursor}`;
    expect(await inOlder.get(older.path + next)).toHaveStatus(200);
    expect(await service.get(current.path + next)).toBeError(400, 'cursor');
  });
}

function pathTest(
  service: TestService,
  inOlder: TestService,
  { current, older }: VersionPair,
): void {
  test('has its own path', async () => {
    expect(await inOlder.get(older.path)).toHaveStatus(200);
    expect(await inOlder.get(current.path)).toBeError(404);
    expect(await service.get(current.path)).toHaveStatus(200);
    expect(await service.get(older.path)).toBeError(404);
  });
}

/** Tests versions that do not have the collection. @param noId an id that no item has. */
export function versionAbsenceTests(
  service: TestService,
  noId: string,
  versions: readonly (readonly [version: number, path: string])[],
): void {
  describe('versions without the collection', () => {
    test.each(versions)('version %i answers 404 at %s', async (version, path) => {
      const without = service.in(version);
      expect(await without.get(path)).toBeError(404);
      expect(await without.post(path, {})).toBeError(404);
      expect(await without.get(`${path}/${noId}`)).toBeError(404);
      expect(await without.delete(`${path}/${noId}`)).toBeError(404);
    });
  });
}
