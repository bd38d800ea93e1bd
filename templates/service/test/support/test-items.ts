/** Items that tests create through the API: what suites ask of each collection. */
import type { Database } from '../../src/platform/database/database.ts';
import { readAll } from './lists.ts';
import type { Item, TestService } from './service.ts';
import type { AllowedValues } from './values.ts';

/** Members of a body or an item, by name. */
export type Members = Readonly<Record<string, unknown>>;

/** An item as suites read it. */
export type AnyItem = Item & Members;

/** Creates an item that a reference leads to. @param given the members that matter to the test. */
export type Make = { make(service: TestService, given?: object): Promise<Item> }['make'];

/** What tests are about to do to an item: remove it, or change these members. */
export type Change = 'removal' | Members;

/** The values of a collection in `test/fixtures/`, which are the team's. */
export interface Fixture {
  valid(n?: number): object;
  another(): object;
  changed(): object;
  readonly allowed: AllowedValues;
  /** Makes the items that references lead to, by the member; absent if there are no references. */
  references?(service: TestService, given: object): Readonly<Record<string, Make>>;
  /**
   * Does what a rule asks for before a change, such as a line for an order that is to be paid; a fixture need
   * not have it. @param database where the change will be made: the service's, or a transaction of it.
   */
  prepare?(service: TestService, id: string, change: Change, database: Database): Promise<void>;
}

/** A collection, as suites test it. */
export interface TestItems {
  /** The path of the collection: `/order-lines`. */
  readonly path: string;
  /** `order lines` */
  readonly words: string;
  readonly fixture: Fixture;
  /** A body with the members that a POST needs. @param given the members that matter to the test. */
  body(service: TestService, given?: object): Promise<object>;
  /** Creates an item with such a body. */
  create(service: TestService, given?: object): Promise<Item>;
}

/** The path of an item. */
export const pathOf = ({ path }: Pick<TestItems, 'path'>, { id }: Item): string =>
  `${path}/${encodeURIComponent(id)}`;

/** Creates an item. @param given the members that matter to the test. */
export const createItem = async (
  service: TestService,
  items: TestItems,
  given?: object,
): Promise<AnyItem> => (await items.create(service, given)) as AnyItem;

/** Makes what a reference leads to, as the fixture does. @param given the members that matter to the test. */
export const makeReferred = async (
  service: TestService,
  items: TestItems,
  member: string,
  given?: object,
): Promise<Item> => makerIn(items.fixture.references?.(service, {}), items, member)(service, given);

/** What makes the items that a reference leads to. @throws if the fixture does not say it. */
function makerIn(
  makers: Readonly<Record<string, Make>> | undefined,
  { words }: TestItems,
  member: string,
): Make {
  const make = makers?.[member];
  if (make !== undefined) return make;
  throw new Error(`references() in the fixture of ${words} has to make what ${member} refers to`);
}

/** A body with all members, references among them. */
export async function fullBody(service: TestService, { fixture }: TestItems): Promise<Members> {
  const ids: Record<string, string> = {};
  for (const [member, make] of Object.entries(fixture.references?.(service, {}) ?? {})) {
    ids[member] = (await make(service)).id;
  }
  return { ...fixture.another(), ...ids };
}

/** An existing item, or a new one if there is none: unique members do not allow many. */
export async function anyItem(service: TestService, path: string, make: Make): Promise<Item> {
  const { body } = await service.get<Item[]>(`${path}?limit=1`);
  return body[0] ?? make(service);
}

/** Items that tests remove; users have no fixture. */
export type RemovedItems = Pick<TestItems, 'path'> & { readonly fixture?: Fixture };

/** Does what the fixture asks for before a change of an item. */
export async function prepare(
  service: TestService,
  { fixture }: RemovedItems,
  { id }: Item,
  change: Change,
  database: Database = service.database,
): Promise<void> {
  await fixture?.prepare?.(service, id, change, database);
}

/** Removes an item, after what the fixture asks for before it. @throws if the service refuses it. */
export async function removeItem(
  service: TestService,
  items: RemovedItems,
  item: Item,
): Promise<void> {
  await prepare(service, items, item, 'removal');
  const path = pathOf(items, item);
  const { status, body } = await service.delete(path);
  // The removal of another one may have removed it.
  if (![204, 404, 410].includes(status)) throw new Error(`DELETE ${path}: ${JSON.stringify(body)}`);
}

/** Removes the items of a collection that rules have made beside those of a test, the newest first. */
export async function removeOthers(
  service: TestService,
  items: RemovedItems,
  own: readonly Item[],
): Promise<void> {
  const ids = new Set(own.map(({ id }) => id));
  const others = (await readAll(service, items.path)).filter(({ id }) => !ids.has(id));
  for (const item of others.toReversed()) await removeItem(service, items, item);
}

/** Stands for the id of an item that a reference leads to. */
export class Made {
  readonly member: string;
  readonly index: number;

  constructor(member: string, index: number) {
    this.member = member;
    this.index = index;
  }
}

/** Stands for the id of an item that a reference leads to; the same in one body, for each `index` another. */
export const made = (member: string, index = 0): Made => new Made(member, index);

/** The members with ids in place of what `made` stands for. */
export async function withMade(
  service: TestService,
  items: TestItems,
  members: Members,
): Promise<Members> {
  let makers: ReturnType<NonNullable<Fixture['references']>> | undefined;
  const ids = new Map<string, string>();
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (!(value instanceof Made)) {
      found[name] = value;
      continue;
    }
    makers ??= items.fixture.references?.(service, {});
    const key = `${value.member} ${value.index}`;
    const id = ids.get(key) ?? (await makerIn(makers, items, value.member)(service)).id;
    ids.set(key, id);
    found[name] = id;
  }
  return found;
}
