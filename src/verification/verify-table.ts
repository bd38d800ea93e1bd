/**
 * Compares the rows of an existing table with the items that a running service answers: each row in the list of its
 * collection, some by their own address, and the order of each sort. Needs the memory of a page, whatever the table has.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { DatabaseSession } from '../database/session.ts';
import type { Collection } from '../model/types.ts';
import type { Answer, ReadService } from './service-client.ts';
import { isSameJson, shownReferences, storedTable } from './stored-table.ts';
import type { StoredRow, StoredTable } from './stored-table.ts';

/** Something that the service answers otherwise than the table has it. */
export interface RowProblem {
  /** The item; absent: the list. */
  readonly id?: string;
  /** A sentence without a full stop. */
  readonly message: string;
}

/** What came of one table. */
export interface VerifiedTable {
  readonly collection: string;
  /** As SQL writes it. */
  readonly table: string;
  /** The rows that were compared. */
  readonly rows: number;
  /** Of these, how many differ. Items that are no rows count too. */
  readonly different: number;
  /** The rows that the service does not show. */
  readonly notShown: number;
  /** The first of what is wrong, and how much that is in all. */
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

/** Rows that are selected at once, and that one page has at most. */
const MOST_AT_ONCE = 1_000;
/** The rows at each end of a sorted list whose order is compared. */
const MOST_SORTED = 1_000;
/** Problems that are kept of each table. */
const MOST_PROBLEMS = 10;
/** How often something is compared again, because others have changed it meanwhile. */
const MOST_REPEATS = 10;
/** How often a list that cannot be read is tried again, and milliseconds before that. */
const MOST_FAILURES = 2;
const PAUSE = 200;
/** With more problems than this, a page is not compared again. */
const MOST_SUSPECTS = 1_000;
/** Characters of a value in a message. */
const LONGEST_SHOWN = 80;

type Item = Readonly<Record<string, unknown>>;

/** What came of a page, or of a part of a table. */
interface Compared {
  readonly rows: number;
  readonly different: number;
  readonly notShown: number;
  readonly problems: ProblemList;
}

/** The first problems, and the number of all. */
class ProblemList {
  readonly first: RowProblem[] = [];
  count = 0;

  constructor(...messages: readonly string[]) {
    for (const message of messages) this.add({ message });
  }

  add(problem: RowProblem): void {
    this.count++;
    if (this.first.length < MOST_PROBLEMS) this.first.push(problem);
  }

  addAll({ first, count }: ProblemList): void {
    this.count += count;
    this.first.push(...first.slice(0, MOST_PROBLEMS - this.first.length));
  }
}

interface ComparedPage extends Compared {
  /** The path of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** The id of the last row; undefined if there is none. */
  readonly last: string | undefined;
  /** Whether the list cannot be read on. */
  readonly hasEnded: boolean;
  /** The ids with problems that rows which changed meanwhile would explain, and whether there are any. */
  readonly suspects: readonly string[];
  readonly isDoubtful: boolean;
}

/** The revisions that rows had before a page was read; undefined for an id that had no row. */
type Revisions = ReadonlyMap<string, string | undefined>;

/** Compares a table with its collection. @param collection as the current version has it. */
export async function verifyTable(
  collection: Collection,
  options: VerificationOptions,
): Promise<VerifiedTable> {
  const { definition, names } = collection;
  const table = storedTable(collection);
  const verifier = new TableVerifier(collection, table, options);
  await verifier.compareRows();
  for (const member of definition.sort) {
    await verifier.compareOrder(member);
    await verifier.compareOrder(`-${member}`);
  }
  return { collection: names.kebab, table: table.name, ...verifier.result() };
}

class TableVerifier {
  readonly #collection: Collection;
  readonly #table: StoredTable;
  readonly #options: VerificationOptions;
  readonly #references: ReturnType<typeof shownReferences>;
  readonly #limit: number;
  #rows = 0;
  #different = 0;
  #notShown = 0;
  readonly #problems = new ProblemList();

  constructor(collection: Collection, table: StoredTable, options: VerificationOptions) {
    this.#collection = collection;
    this.#table = table;
    this.#options = options;
    this.#references = shownReferences(collection);
    this.#limit = Math.min(collection.definition.pages.maximum, MOST_AT_ONCE);
  }

  result(): Omit<VerifiedTable, 'collection' | 'table'> {
    return {
      rows: this.#rows,
      different: this.#different,
      notShown: this.#notShown,
      problems: this.#problems.first,
      problemCount: this.#problems.count,
    };
  }

  /** Reads the whole list by its pages, in the order of ids, beside the rows of the table. */
  async compareRows(): Promise<void> {
    let after: string | null = null;
    let path: string | undefined = `${this.#path}?limit=${this.#limit}`;
    while (path !== undefined) {
      const compared: ComparedPage = await this.#compareSettled(path, after);
      this.#add(compared);
      after = compared.last ?? after;
      if (compared.hasEnded) {
        await this.#compareItems(after);
        return;
      }
      path = compared.next;
    }
  }

  /** Compares a page until no change by others explains what differs. */
  async #compareSettled(path: string, after: string | null): Promise<ComparedPage> {
    let compared = await this.#comparePage(path, after);
    for (let failures = 0; compared.hasEnded && failures < MOST_FAILURES; failures++) {
      await sleep(PAUSE, undefined, { signal: this.#options.signal });
      compared = await this.#comparePage(path, after);
    }
    for (let repeat = 0; compared.isDoubtful && repeat < MOST_REPEATS; repeat++) {
      const { suspects } = compared;
      if (suspects.length > MOST_SUSPECTS) break;
      const before = await this.#revisionsOf(suspects);
      compared = await this.#comparePage(path, after, before);
    }
    return compared;
  }

  /** Compares the order of the first items of a list. @param sort as in a request. */
  async compareOrder(sort: string): Promise<void> {
    const { session } = this.#options;
    const select = this.#table.selectIds(sort, MOST_SORTED);
    const readIds = async (): Promise<readonly (string | undefined)[]> =>
      (await session.query<{ id: string }>(select)).map(({ id }) => id);
    let before = await readIds();
    let problem = await this.#orderProblem(sort, before);
    for (let repeat = 0; problem !== undefined && repeat < MOST_REPEATS; repeat++) {
      const now = await readIds();
      // The rows had one order before and after the list was read: that is the one which it should have.
      if (isSameJson(now, before)) break;
      before = now;
      problem = await this.#orderProblem(sort, before);
    }
    this.#add(outcome(...(problem === undefined ? [] : [problem])));
  }

  async #orderProblem(
    sort: string,
    wanted: readonly (string | undefined)[],
  ): Promise<string | undefined> {
    let at = 0;
    let path: string | undefined = `${this.#path}?limit=${this.#limit}&sort=${sort}`;
    while (path !== undefined && at < MOST_SORTED) {
      const answer: Answer = await this.#options.read(path);
      const items = itemsOf(answer);
      if (items === undefined) return `GET ${path} answers ${answer.status}`;
      for (const { id } of items.slice(0, MOST_SORTED - at)) {
        const row = wanted[at++];
        if (row === id) continue;
        return `with sort=${sort}, item ${at} is ${shown(id)}, and row ${at} is ${shown(row)}`;
      }
      path = answer.next;
    }
    return at < wanted.length ? `with sort=${sort}, the list ends after ${at} items` : undefined;
  }

  get #path(): string {
    return this.#collection.names.kebab;
  }

  #add({ rows, different, notShown, problems }: Compared): void {
    this.#rows += rows;
    this.#different += different;
    this.#notShown += notShown;
    this.#problems.addAll(problems);
    this.#options.onProgress(this.#rows);
  }

  /**
   * Compares a page with the rows after an id, up to the last item of the page.
   * @param before the revisions of what differed when the page was compared last: what has another one now is not told.
   */
  async #comparePage(
    path: string,
    after: string | null,
    before?: Revisions,
  ): Promise<ComparedPage> {
    const { read, session } = this.#options;
    const answer = await read(path);
    const items = itemsOf(answer);
    if (items === undefined) return unreadable(path, `answers ${answer.status}`);
    const ids = items.map(({ id }) => id);
    if (!ids.every((id) => this.#isId(id))) {
      return unreadable(path, 'has items without an id of its type');
    }
    const present = await session.query<{ id: string; isAfter: boolean }>(
      this.#table.selectRevisions,
      [ids, after],
    );
    if (!present.every(({ isAfter }) => isAfter)) {
      return unreadable(path, 'has items of pages before it');
    }
    const places = new Set(present.map(({ id }) => id));
    const rowItems = items.filter(({ id }) => places.has(String(id)));
    if (!rowItems.every(({ id }, at) => id === present[at]?.id)) {
      return unreadable(path, 'is not in the order of ids, or has an item twice');
    }
    const problems = new ProblemList();
    const suspects: string[] = [];
    let isDoubtful = false;
    /** Whether a problem is told. @param revision of the row; undefined if there is none. */
    const isCertain = (id: string, revision: string | undefined): boolean => {
      suspects.push(id);
      const isSame = before?.has(id) === true && before.get(id) === revision;
      isDoubtful ||= !isSame;
      return isSame || before === undefined;
    };
    const seen = { rows: 0, different: 0, notShown: 0 };
    let last: string | undefined;
    const until = answer.next === undefined ? null : (present.at(-1)?.id ?? after);
    for await (const row of this.#rowsBetween(after, until)) {
      const { id, revision } = row;
      last = id;
      if (!places.has(id)) {
        if (!isCertain(id, revision)) continue;
        seen.notShown++;
        const isFirst = before !== undefined && problems.count < MOST_PROBLEMS;
        const found = isFirst ? `, and ${await this.#statusOf(id)}` : '';
        problems.add({ id, message: `is not in the list${found}` });
        continue;
      }
      const found = this.#differences(row, rowItems[seen.rows] ?? {});
      if (seen.rows === 0) found.push(...(await this.#compareById(row)).messages);
      seen.rows++;
      if (found.length === 0 || !isCertain(id, revision)) continue;
      seen.different++;
      for (const message of found) problems.add({ id, message });
    }
    for (const id of ids.map(String).filter((one) => !places.has(one))) {
      if (!isCertain(id, undefined)) continue;
      seen.different++;
      problems.add({ id, message: 'is in the list, and is no row' });
    }
    // It leads nowhere.
    const hasEnded = answer.next !== undefined && seen.rows === 0;
    if (hasEnded) problems.add({ message: unreadableMessage(path, 'has no row of the table') });
    return {
      ...seen,
      ...{ problems, suspects, isDoubtful, next: answer.next, last, hasEnded },
    };
  }

  /** Reads the items of the rows after an id one by one. */
  async #compareItems(after: string | null): Promise<void> {
    for await (const row of this.#rowsBetween(after, null)) {
      const { id } = row;
      const { isShown, messages } = await this.#compareById(row);
      const problems = new ProblemList();
      for (const message of messages) problems.add({ id, message });
      this.#add({
        rows: isShown ? 1 : 0,
        different: isShown && messages.length > 0 ? 1 : 0,
        notShown: isShown ? 0 : 1,
        problems,
      });
    }
  }

  /** Reads an item by its own address, and those that it refers to, until its row does not change meanwhile. */
  async #compareById(
    first: StoredRow,
  ): Promise<{ readonly isShown: boolean; readonly messages: readonly string[] }> {
    const { id } = first;
    let row: StoredRow | undefined = first;
    for (let repeat = 0; row !== undefined && repeat < MOST_REPEATS; repeat++) {
      const { status, body } = await this.#read(id);
      const isShown = status === 200 && isItem(body);
      const messages = isShown
        ? [...this.#differences(row, body), ...(await this.#referenceProblems(row))]
        : [`GET ${this.#path}/${id} answers ${status}${status === 200 ? ', and no item' : ''}`];
      if (messages.length === 0) return { isShown, messages };
      const now = await this.#rowOf(id);
      if (now?.revision === row.revision) return { isShown, messages };
      row = now;
    }
    return { isShown: true, messages: [] };
  }

  async #referenceProblems({ values }: StoredRow): Promise<string[]> {
    const problems: string[] = [];
    for (const { member, path } of this.#references) {
      const target = values[this.#table.members.indexOf(member)];
      if (typeof target !== 'string') continue;
      const { status } = await this.#options.read(`${path}/${encodeURIComponent(target)}`);
      if (status === 200) continue;
      problems.push(`${member} is ${target}, and GET ${path}/${target} answers ${status}`);
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

  async #statusOf(id: string): Promise<string> {
    return `GET ${this.#path}/${id} answers ${(await this.#read(id)).status}`;
  }

  #read(id: string): Promise<Answer> {
    return this.#options.read(`${this.#path}/${encodeURIComponent(id)}`);
  }

  #isId(id: unknown): boolean {
    const { key } = this.#collection.definition;
    if (typeof id !== 'string') return false;
    if (key === 'uuid') return UUID.test(id);
    return NUMBER.test(id) && BigInt.asIntN(key === 'bigint' ? 64 : 32, BigInt(id)) === BigInt(id);
  }

  /** What an item has otherwise than its row. Members that only the item has are the team's. */
  #differences({ id, values, foreign }: StoredRow, item: Item): string[] {
    return [...this.#table.members, 'id'].flatMap((member, at) => {
      const stored = member === 'id' ? id : values[at];
      const text = foreign[at];
      if (typeof text === 'string') {
        return [`${member} is ${text} in the table, which the type of the field does not have`];
      }
      if (!Object.hasOwn(item, member)) return [`${member} is missing`];
      const value = item[member];
      if (isSameJson(value, stored)) return [];
      return [`${member} is ${shown(value)}, and ${shown(stored)} in the table`];
    });
  }

  /** The rows after an id, up to another one or to the end. */
  async *#rowsBetween(after: string | null, until: string | null): AsyncGenerator<StoredRow> {
    const { selectRange } = this.#table;
    for (let from = after; ;) {
      const rows = await this.#options.session.query<StoredRow>(selectRange, [
        from,
        until,
        MOST_AT_ONCE,
      ]);
      yield* rows;
      if (rows.length < MOST_AT_ONCE) return;
      from = rows.at(-1)?.id ?? null;
    }
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NUMBER = /^-?\d{1,19}$/;

const NO_ROWS = { rows: 0, different: 0, notShown: 0 };

/** What came of a list that is not about single rows. */
const outcome = (...messages: readonly string[]): Compared => ({
  ...NO_ROWS,
  problems: new ProblemList(...messages),
});

const unreadableMessage = (path: string, why: string): string =>
  `GET ${path} ${why}: the items from there on are read one by one`;

/** A page from which the list cannot be read on. */
const unreadable = (path: string, why: string): ComparedPage => ({
  ...outcome(unreadableMessage(path, why)),
  ...{ next: undefined, last: undefined, hasEnded: true, suspects: [], isDoubtful: false },
});

/** The items of a page; undefined if the answer is none. */
const itemsOf = ({ status, body }: Answer): readonly Item[] | undefined =>
  status === 200 && Array.isArray(body) && body.every(isItem) ? body : undefined;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;

/** A value for a message, cut. */
function shown(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
