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
/** How often a page is compared again, because something may have changed meanwhile: each, and all of a table. */
const MOST_REPEATS = 2;
const ALL_REPEATS = 50;
/** Milliseconds before that. */
const PAUSE = 200;
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
}

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
  readonly #limit: number;
  #repeats = ALL_REPEATS;
  #rows = 0;
  #different = 0;
  #notShown = 0;
  readonly #problems = new ProblemList();

  constructor(collection: Collection, table: StoredTable, options: VerificationOptions) {
    this.#collection = collection;
    this.#table = table;
    this.#options = options;
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
      const from: string | null = after;
      const page: string = path;
      const compared: ComparedPage = await this.#settled(() => this.#comparePage(page, from));
      this.#add(compared);
      after = compared.last ?? after;
      if (compared.hasEnded) {
        await this.#compareItems(after);
        return;
      }
      path = compared.next;
    }
  }

  /** Compares the order of the first items of a list. @param sort as in a request. */
  async compareOrder(sort: string): Promise<void> {
    const { session } = this.#options;
    this.#add(
      await this.#settled(async () => {
        const wanted = await session.query<{ id: string }>(
          this.#table.selectIds(sort, MOST_SORTED),
        );
        let at = 0;
        let path: string | undefined = `${this.#path}?limit=${this.#limit}&sort=${sort}`;
        while (path !== undefined && at < MOST_SORTED) {
          const answer: Answer = await this.#options.read(path);
          const items = itemsOf(answer);
          if (items === undefined) return outcome(`GET ${path} answers ${answer.status}`);
          for (const { id } of items.slice(0, MOST_SORTED - at)) {
            const row = wanted[at++]?.id;
            if (row === id) continue;
            return outcome(
              `with sort=${sort}, item ${at} is ${shown(id)}, and row ${at} is ${shown(row)}`,
            );
          }
          path = answer.next;
        }
        return at < wanted.length
          ? outcome(`with sort=${sort}, the list ends after ${at} items`)
          : outcome();
      }),
    );
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

  /** Compares again as long as something differs, because it may have changed meanwhile. */
  async #settled<Result extends Compared>(compare: () => Promise<Result>): Promise<Result> {
    let result = await compare();
    for (let repeat = 0; repeat < MOST_REPEATS && this.#repeats > 0; repeat++) {
      if (result.problems.count === 0) break;
      this.#repeats--;
      await sleep(PAUSE, undefined, { signal: this.#options.signal });
      result = await compare();
    }
    return result;
  }

  /** Compares a page with the rows after an id, up to the last item of the page. */
  async #comparePage(path: string, after: string | null): Promise<ComparedPage> {
    const answer = await this.#options.read(path);
    const items = itemsOf(answer);
    const ids = items?.map(({ id }) => id) ?? [];
    const wrong =
      items === undefined
        ? `answers ${answer.status}`
        : ids.every((id) => this.#isId(id))
          ? undefined
          : 'has items without an id of its type';
    if (wrong !== undefined) {
      const problems = new ProblemList(`GET ${path} ${wrong}: its items are read one by one`);
      return { ...NO_ROWS, problems, next: undefined, last: undefined, hasEnded: true };
    }
    const left = new Map((items ?? []).map((item) => [String(item['id']), item]));
    const places = new Map(ids.map((id, at) => [id, at]));
    const problems = new ProblemList();
    const seen = { rows: 0, different: 0, notShown: 0, place: -1 };
    let last: string | undefined;
    const until = answer.next === undefined ? null : String(ids.at(-1));
    for await (const row of this.#rowsBetween(after, until)) {
      const { id } = row;
      const item = left.get(id);
      if (item === undefined) {
        seen.notShown++;
        const status =
          problems.count < MOST_PROBLEMS
            ? `, and GET ${this.#path}/${id} answers ${(await this.#read(id)).status}`
            : '';
        problems.add({ id, message: `is not in the list${status}` });
        last = id;
        continue;
      }
      left.delete(id);
      const place = places.get(id) ?? 0;
      const found = [
        ...this.#differences(row, item),
        ...(place < seen.place ? [`is item ${place + 1} of its page, out of order`] : []),
        ...(seen.rows === 0 ? await this.#compareItem(row) : []),
      ];
      seen.rows++;
      seen.place = Math.max(place, seen.place);
      if (found.length > 0) seen.different++;
      for (const message of found) problems.add({ id, message });
      last = id;
    }
    for (const id of left.keys()) problems.add({ id, message: 'is in the list, and is no row' });
    return {
      rows: seen.rows,
      different: seen.different + left.size,
      notShown: seen.notShown,
      problems,
      next: answer.next,
      last,
      // A page without any of the rows after the one before it leads nowhere.
      hasEnded: answer.next !== undefined && seen.rows === 0,
    };
  }

  /** Reads the items of the rows after an id one by one. */
  async #compareItems(after: string | null): Promise<void> {
    for await (const row of this.#rowsBetween(after, null)) {
      const { id } = row;
      const answer = await this.#read(id);
      const isShown = answer.status === 200;
      const found = isShown
        ? this.#differences(row, answer.body as Item)
        : [`GET ${this.#path}/${id} answers ${answer.status}`];
      const problems = new ProblemList();
      for (const message of found) problems.add({ id, message });
      this.#add({
        rows: isShown ? 1 : 0,
        different: isShown && found.length > 0 ? 1 : 0,
        notShown: isShown ? 0 : 1,
        problems,
      });
    }
  }

  /** Reads an item by its own address, and those that it refers to. */
  async #compareItem(row: StoredRow): Promise<string[]> {
    const { status, body } = await this.#read(row.id);
    if (status !== 200) return [`GET ${this.#path}/${row.id} answers ${status}`];
    const problems = this.#differences(row, body as Item);
    for (const { member, path } of shownReferences(this.#collection)) {
      const target = row.values[this.#table.members.indexOf(member)];
      if (typeof target !== 'string') continue;
      const found = await this.#options.read(`${path}/${encodeURIComponent(target)}`);
      if (found.status !== 200) {
        problems.push(`${member} is ${target}, and GET ${path}/${target} answers ${found.status}`);
      }
    }
    return problems;
  }

  #read(id: string): Promise<Answer> {
    return this.#options.read(`${this.#path}/${encodeURIComponent(id)}`);
  }

  #isId(id: unknown): boolean {
    const { key } = this.#collection.definition;
    return typeof id === 'string' && (key === 'uuid' ? UUID : NUMBER).test(id);
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

/** The items of a page; undefined if the answer is none. */
const itemsOf = ({ status, body }: Answer): readonly Item[] | undefined =>
  status === 200 && Array.isArray(body) ? (body as readonly Item[]) : undefined;

/** A value for a message, cut. */
function shown(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
