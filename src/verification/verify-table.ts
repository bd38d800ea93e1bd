/**
 * Compares the rows of an existing table with the items that a running service answers: each row in the list of its
 * collection, some by their own address, and the order of each sort. It needs the memory of a page, whatever the size of
 * the table.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { DatabaseSession } from '../database/session.ts';
import type { Collection } from '../model/types.ts';
import { keySpec } from '../types/key.ts';
import { ProblemList } from './problem-list.ts';
import type { RowProblem } from './problem-list.ts';
import type { ReadService, ServiceResponse } from './service-client.ts';
import { isSameJson, shownReferences, storedTable } from './stored-table.ts';
import type { StoredRow, StoredTable } from './stored-table.ts';

/** The result for one table. */
export interface VerifiedTable {
  readonly collection: string;
  /** As SQL writes it. */
  readonly table: string;
  /** The rows that were compared. */
  readonly rows: number;
  /** Of these, how many differ. Items without a row count too. */
  readonly different: number;
  /** The rows that the service does not show. */
  readonly notShown: number;
  /** The rows that soft_delete marks as removed: they are not compared. */
  readonly removed: number;
  /** The comparisons that others prevented: they changed the rows each time. */
  readonly changing: number;
  /** The first problems, and the number of all. */
  readonly problems: readonly RowProblem[];
  readonly problemCount: number;
}

export interface VerificationOptions {
  readonly session: DatabaseSession;
  readonly read: ReadService;
  /** Ends the pauses. */
  readonly signal: AbortSignal;
  /** Is called after each page with the number of rows so far. */
  readonly onProgress: (rows: number) => void;
}

/** The items of a page at most. */
const LARGEST_PAGE = 1_000;
/** The rows at each end of a sorted list whose order is compared. */
const MOST_SORTED = 1_000;
/** How often something is compared again, because others may have changed it meanwhile. */
const MOST_REPEATS = 10;
/** A page with more differences than this is not compared again. */
const MOST_RECHECKED = 1_000;
/** How often a page that cannot be read is tried again, and milliseconds before that. */
const MOST_RETRIES = 2;
const PAUSE = 200;
/** After so many items in a row that cannot be read, the others are not read. */
const MOST_UNREADABLE = 100;
/** Characters of a value in a message. */
const LONGEST_SHOWN = 80;

type Item = Readonly<Record<string, unknown>>;

/** The result for a page, or another part of a table. */
interface Comparison {
  readonly rows: number;
  readonly different: number;
  readonly notShown: number;
  readonly changing: number;
  readonly problems: ProblemList;
}

interface PageComparison extends Comparison {
  /** The path of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** The id of the last row; undefined if there is none. */
  readonly last: string | undefined;
  /** The ids of what differs, up to one more than are compared again. */
  readonly recheckIds: readonly string[];
}

/** The revisions that rows had before a page was read; undefined for an id without a row. */
type Revisions = ReadonlyMap<string, string | undefined>;

/** Compares a table with its collection. @param collection as the current version has it. */
export async function verifyTable(
  collection: Collection,
  options: VerificationOptions,
): Promise<VerifiedTable> {
  const table = storedTable(collection);
  const verifier = new TableVerifier(collection, table, options);
  try {
    await verifier.countRemoved();
    await verifier.compareRows();
    for (const member of collection.definition.sort) {
      await verifier.compareOrder(member);
      await verifier.compareOrder(`-${member}`);
    }
  } catch (error) {
    // A table that is gone, or a column that is or has another type.
    const { code = '', message } = error as { code?: string; message: string };
    if (!/^(?:22|42)[0-9A-Z]{3}$/.test(code)) throw error;
    verifier.addProblem(`its rows cannot be selected: ${message}`);
  }
  return { collection: collection.names.kebab, table: table.name, ...verifier.result() };
}

class TableVerifier {
  readonly #collection: Collection;
  readonly #table: StoredTable;
  readonly #options: VerificationOptions;
  readonly #references: ReturnType<typeof shownReferences>;
  readonly #path: string;
  readonly #limit: number;
  #rows = 0;
  #different = 0;
  #notShown = 0;
  #removed = 0;
  #changing = 0;
  readonly #problems = new ProblemList();

  constructor(collection: Collection, table: StoredTable, options: VerificationOptions) {
    this.#collection = collection;
    this.#table = table;
    this.#options = options;
    this.#references = shownReferences(collection);
    this.#path = collection.names.kebab;
    this.#limit = Math.min(collection.definition.pages.maximum, LARGEST_PAGE);
  }

  result(): Omit<VerifiedTable, 'collection' | 'table'> {
    return {
      rows: this.#rows,
      different: this.#different,
      notShown: this.#notShown,
      removed: this.#removed,
      changing: this.#changing,
      problems: this.#problems.first,
      problemCount: this.#problems.count,
    };
  }

  addProblem(message: string): void {
    this.#problems.add({ message });
  }

  async countRemoved(): Promise<void> {
    const { countRemoved } = this.#table;
    if (countRemoved === undefined) return;
    const [counted] = await this.#options.session.query<{ rows: number }>(countRemoved);
    this.#removed = counted?.rows ?? 0;
  }

  /** Reads the whole list by its pages, in the order of ids, beside the rows of the table. */
  async compareRows(): Promise<void> {
    let after: string | null = null;
    let path: string | undefined = `${this.#path}?limit=${this.#limit}`;
    while (path !== undefined) {
      const page: PageComparison | string = await this.#comparePageUntilStable(path, after);
      if (typeof page === 'string') {
        this.addProblem(`GET ${path} ${page}: the items from there on are read one by one`);
        await this.#compareItems(after);
        return;
      }
      this.#add(page);
      after = page.last ?? after;
      path = page.next;
    }
  }

  /** Compares the order of the first items of a list. @param sort as in a request. */
  async compareOrder(sort: string): Promise<void> {
    const { session } = this.#options;
    const select = this.#table.selectIds(sort, MOST_SORTED);
    const readIds = async (): Promise<readonly string[]> =>
      (await session.query<{ id: string }>(select)).map(({ id }) => id);
    let before = await readIds();
    for (let repeat = 0; repeat <= MOST_REPEATS; repeat++) {
      const problem = await this.#orderProblem(sort, before);
      if (problem === undefined) return;
      const now = await readIds();
      // The rows had one order before and after the list was read: that is the one which it should have.
      if (isSameJson(now, before)) {
        this.addProblem(problem);
        return;
      }
      before = now;
    }
    this.#changing++;
  }

  async #orderProblem(sort: string, expectedIds: readonly string[]): Promise<string | undefined> {
    let at = 0;
    let path: string | undefined = `${this.#path}?limit=${this.#limit}&sort=${sort}`;
    while (path !== undefined && at < MOST_SORTED) {
      const response: ServiceResponse = await this.#options.read(path);
      const items = itemsOf(response);
      if (items === undefined) return `GET ${path} ${response.outcome}`;
      if (items.length === 0 && response.next !== undefined) {
        return `GET ${path} has no items, and a link to the next page`;
      }
      for (const { id } of items.slice(0, MOST_SORTED - at)) {
        const expected = expectedIds[at++];
        if (expected !== undefined && expected === id) continue;
        return `with sort=${sort}, item ${at} is ${shown(id)}, and row ${at} is ${shown(expected)}`;
      }
      path = response.next;
    }
    return at < expectedIds.length
      ? `with sort=${sort}, the list ends after ${at} items`
      : undefined;
  }

  #add({ rows, different, notShown, changing, problems }: Comparison): void {
    this.#rows += rows;
    this.#different += different;
    this.#notShown += notShown;
    this.#changing += changing;
    this.#problems.addAll(problems);
    this.#options.onProgress(this.#rows);
  }

  /**
   * Compares a page, and again until no change by others explains a difference.
   * @returns also why the page cannot be read.
   */
  async #comparePageUntilStable(
    path: string,
    after: string | null,
  ): Promise<PageComparison | string> {
    let page = await this.#comparePage(path, after);
    for (let retry = 0; typeof page === 'string' && retry < MOST_RETRIES; retry++) {
      await sleep(PAUSE, undefined, { signal: this.#options.signal });
      page = await this.#comparePage(path, after);
    }
    if (typeof page === 'string' || page.recheckIds.length > MOST_RECHECKED) return page;
    for (let repeat = 0; page.recheckIds.length > 0 && repeat < MOST_REPEATS; repeat++) {
      const before = await this.#revisionsOf(page.recheckIds);
      const again = await this.#comparePage(path, after, before);
      if (typeof again === 'string') return again;
      page = again;
      if (page.changing === 0) break;
    }
    return page;
  }

  /**
   * Compares a page with the rows after an id, up to the last item of the page.
   * @param before the revisions of what differed when the page was last compared. A row that has another one now counts as
   * changing: only a difference of a row that did not change is a problem.
   * @returns why the page cannot be read, if it cannot.
   */
  async #comparePage(
    path: string,
    after: string | null,
    before?: Revisions,
  ): Promise<PageComparison | string> {
    const { read, session } = this.#options;
    const response = await read(path);
    const items = itemsOf(response);
    if (items === undefined) return response.outcome;
    const ids = items.map(({ id }) => id);
    if (!ids.every((id) => this.#isId(id))) {
      return `has an item whose id is not a valid ${this.#collection.definition.key}`;
    }
    const present = await session.query<{ id: string; isAfter: boolean }>(
      this.#table.selectRevisions,
      [ids, after],
    );
    if (!present.every(({ isAfter }) => isAfter)) return 'has items of pages before it';
    const rowIds = new Set(present.map(({ id }) => id));
    const shownIds = ids.filter((id) => rowIds.has(id));
    if (!shownIds.every((id, at) => id === present[at]?.id)) {
      return 'is not in the order of ids, or has an item twice';
    }
    const { next } = response;
    const last = present.at(-1)?.id;
    if (next !== undefined && last === undefined) return 'has no row of the table';

    const counts = { rows: 0, different: 0, notShown: 0, changing: 0 };
    const problems = new ProblemList();
    const recheckIds: string[] = [];
    const addDifference = (
      id: string,
      revision: string | undefined,
      count: 'different' | 'notShown',
      messages: readonly string[],
    ): void => {
      if (recheckIds.length <= MOST_RECHECKED) recheckIds.push(id);
      if (before !== undefined && !(before.has(id) && before.get(id) === revision)) {
        counts.changing++;
        if (count === 'different' && revision !== undefined) counts.rows--;
        return;
      }
      counts[count]++;
      for (const message of messages) problems.add({ id, message });
    };
    const itemOf = new Map(items.map((item) => [item['id'], item]));
    let lastRow: string | undefined;
    for await (const row of this.#rowsBetween(after, next === undefined ? null : (last ?? null))) {
      const { id, revision } = row;
      lastRow = id;
      const item = itemOf.get(id);
      if (item === undefined) {
        const isAsked = before !== undefined && counts.notShown < problems.most;
        const found = isAsked ? `, and GET ${this.#path}/${id} ${await this.#outcomeOf(id)}` : '';
        addDifference(id, revision, 'notShown', [`is not in the list${found}`]);
        continue;
      }
      const messages = this.#differences(row, item);
      if (counts.rows === 0 && messages.length === 0) {
        const own = await this.#compareByAddress(row);
        messages.push(...own.messages);
        if (own.kind === 'changing') counts.changing++;
      }
      counts.rows++;
      if (messages.length > 0) addDifference(id, revision, 'different', messages);
    }
    for (const id of ids.filter((one) => !rowIds.has(one))) {
      addDifference(id, undefined, 'different', ['is in the list, but the table has no such row']);
    }
    return { ...counts, problems, next, last: lastRow, recheckIds };
  }

  /** Reads the items of the rows after an id one by one. */
  async #compareItems(after: string | null): Promise<void> {
    let unreadable = 0;
    for await (const row of this.#rowsBetween(after, null)) {
      const { id } = row;
      const problems = new ProblemList();
      if (unreadable === MOST_UNREADABLE) {
        this.#add({ rows: 0, different: 0, notShown: 1, changing: 0, problems });
        continue;
      }
      const { kind, messages } = await this.#compareByAddress(row);
      for (const message of messages) problems.add({ id, message });
      unreadable = kind === 'unreadable' ? unreadable + 1 : 0;
      if (unreadable === MOST_UNREADABLE) {
        problems.add({ message: `after ${unreadable} such items, the others are not read` });
      }
      this.#add({
        rows: kind === 'read' ? 1 : 0,
        different: kind === 'read' && messages.length > 0 ? 1 : 0,
        notShown: kind === 'unreadable' ? 1 : 0,
        changing: kind === 'changing' ? 1 : 0,
        problems,
      });
    }
  }

  /** Reads an item by its own address, and those that it refers to, until its row does not change meanwhile. */
  async #compareByAddress(first: StoredRow): Promise<{
    readonly kind: 'read' | 'unreadable' | 'changing';
    readonly messages: readonly string[];
  }> {
    const { id } = first;
    const address = `GET ${this.#path}/${encodeURIComponent(id)}`;
    let row: StoredRow | undefined = first;
    for (let repeat = 0; row !== undefined && repeat <= MOST_REPEATS; repeat++) {
      const { status, outcome, body } = await this.#read(id);
      const isRead = status === 200 && isItem(body);
      const messages = isRead
        ? [
            ...this.#differences(row, body).map((message) => `${address}: ${message}`),
            ...(await this.#referenceProblems(row)),
          ]
        : [`${address} ${outcome}${status === 200 ? ' without an object' : ''}`];
      const kind = isRead ? 'read' : 'unreadable';
      if (messages.length === 0) return { kind, messages };
      const now = await this.#rowOf(id);
      if (now?.revision === row.revision) return { kind, messages };
      row = now;
    }
    return { kind: 'changing', messages: [] };
  }

  async #referenceProblems({ values }: StoredRow): Promise<string[]> {
    const problems: string[] = [];
    for (const { member, path, statuses } of this.#references) {
      const target = values[this.#table.members.indexOf(member)];
      if (typeof target !== 'string') continue;
      const { status, outcome } = await this.#options.read(`${path}/${encodeURIComponent(target)}`);
      if (status === undefined || !statuses.includes(status)) {
        problems.push(`${member} is ${target}, and GET ${path}/${target} ${outcome}`);
      }
    }
    return problems;
  }

  async #rowOf(id: string): Promise<StoredRow | undefined> {
    const [row] = await this.#options.session.query<StoredRow>(this.#table.selectRow, [id]);
    return row;
  }

  async #revisionsOf(ids: readonly string[]): Promise<Revisions> {
    const rows = await this.#options.session.query<{ id: string; revision: string }>(
      this.#table.selectRevisions,
      [ids, null],
    );
    const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
    return new Map(ids.map((id) => [id, revisions.get(id)]));
  }

  async #outcomeOf(id: string): Promise<string> {
    return (await this.#read(id)).outcome;
  }

  #read(id: string): Promise<ServiceResponse> {
    return this.#options.read(`${this.#path}/${encodeURIComponent(id)}`);
  }

  #isId(id: unknown): id is string {
    const { key } = this.#collection.definition;
    if (typeof id !== 'string') return false;
    if (key === 'uuid') return UUID.test(id);
    if (key === 'string') return true;
    if (key === 'composite') return this.#table.isCompositeId(id);
    return keySpec(key).isId(id);
  }

  /** How an item differs from its row. Members that only the item has are the team's. */
  #differences({ id, values, unrepresentable }: StoredRow, item: Item): string[] {
    const differences = [
      ...(item['id'] === id ? [] : [`id is ${shown(item['id'])}`]),
      ...(keySpec(this.#collection.definition.key).isId(id) ? [] : ['no path can have this id']),
    ];
    for (const [at, member] of this.#table.members.entries()) {
      const text = unrepresentable[at];
      if (typeof text === 'string') {
        differences.push(
          `${member} is ${text} in the table, which the type of the field does not have`,
        );
      } else if (!Object.hasOwn(item, member)) {
        differences.push(`${member} is missing`);
      } else if (!isSameJson(item[member], values[at])) {
        differences.push(
          `${member} is ${shown(item[member])}, and ${shown(values[at])} in the table`,
        );
      }
    }
    for (const member of this.#table.writeOnly) {
      if (Object.hasOwn(item, member)) differences.push(`${member} is shown, and is write-only`);
    }
    return differences;
  }

  /** The rows after an id, up to another one or to the end. */
  async *#rowsBetween(after: string | null, until: string | null): AsyncGenerator<StoredRow> {
    const { selectRange } = this.#table;
    // One more than a page, so that those of a page are selected at once.
    const limit = this.#limit + 1;
    for (let from = after; ;) {
      const rows = await this.#options.session.query<StoredRow>(selectRange, [from, until, limit]);
      yield* rows;
      if (rows.length < limit) return;
      from = rows.at(-1)?.id ?? null;
    }
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The items of a page; undefined if the response is none. */
const itemsOf = ({ status, body }: ServiceResponse): readonly Item[] | undefined =>
  status === 200 && Array.isArray(body) && body.every(isItem) ? body : undefined;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;

/** A value for a message, cut. */
function shown(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
