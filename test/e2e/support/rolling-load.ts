/**
 * Clients of a bookshop of which two versions run at once. Each has items of its own, writes them by whichever
 * version is there, and knows the value that every member has in both.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { AUTHORIZATION } from './project.ts';

/** Values by the name of the stored member, which is that of the old version if both have it. */
type Values = Readonly<Record<string, unknown>>;

export type VersionName = 'old' | 'new';

/** A collection in one version. */
interface View {
  readonly path: string;
  /** The stored name of each member. */
  readonly members: Readonly<Record<string, string>>;
  /** What an item that this version creates has in members that only the other one has. */
  readonly others: Values;
}

interface Kind {
  readonly old: View;
  readonly new: View;
  readonly make: (client: Client, version: VersionName) => Values;
  /** Stored members that do not change. */
  readonly fixed: readonly string[];
  /** The stored member that lists are sorted by, and the one that they are filtered by. */
  readonly sorted: string;
  readonly filtered?: string;
  /** The stored member that both versions search. */
  readonly searched?: string;
}

interface Item {
  readonly id: string;
  readonly values: Values;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What the load saw. */
export interface RollingLoad {
  /** Where requests go; each client picks one of them for each request. */
  readonly targets: Map<VersionName, string>;
  /** How often each request got each status: `new books PATCH 200`. */
  readonly outcomes: Map<string, number>;
  /** Answers and values that are not as they should be. */
  readonly wrong: string[];
  readonly clients: readonly Client[];
  /** Waits until no client has a request under way that it began before. */
  readonly settle: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The backfill of `authors.biography`. */
export const BIOGRAPHY = "unknown; -- it's $1";

const same = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, name]));

const AUTHOR = same('name', 'born_on', 'website', 'biography');
const BOOK = same('isbn', 'price', 'status', 'author_id', 'published_at');
const SHELF = same('label', 'note', 'places');
const OPINION = same('book_id', 'rating', 'body');

const KINDS: Readonly<Record<string, Kind>> = {
  authors: {
    old: { path: 'authors', members: AUTHOR, others: { born_in: null } },
    new: { path: 'authors', members: { ...AUTHOR, born_in: 'born_in' }, others: {} },
    make: ({ word, some }, version) => ({
      name: word(),
      born_on: some([null, '1929-10-21']),
      website: some([null, `https://${word()}.example`]),
      biography: some([version === 'old' ? null : word(), word()]),
      born_in: some([null, 1929]),
    }),
    fixed: [],
    sorted: 'name',
    searched: 'name',
  },
  books: {
    old: {
      path: 'books',
      members: { ...BOOK, title: 'title' },
      others: { language: 'en', pages: 1, translator_id: null },
    },
    new: {
      path: 'books',
      members: { ...BOOK, ...same('language', 'pages', 'translator_id'), name: 'title' },
      others: {},
    },
    make: ({ word, some, isbn, idOf }, version) => ({
      title: word(),
      isbn: isbn(),
      price: some(['9.50', '10.00', '1000.00']),
      status: some(['draft', 'published', version === 'old' ? 'draft' : 'archived']),
      author_id: idOf('authors'),
      published_at: some([null, '2026-11-24T09:00:00.000Z']),
      language: some(['en', 'pl', null]),
      pages: some([1, 300]),
      translator_id: some([null, idOf('authors')]),
    }),
    fixed: [],
    sorted: 'title',
    filtered: 'author_id',
    searched: 'title',
  },
  opinions: {
    old: { path: 'reviews', members: { ...OPINION, reader: 'reader' }, others: {} },
    new: { path: 'opinions', members: OPINION, others: { reader: null } },
    make: ({ word, some, idOf }) => ({
      book_id: idOf('books'),
      rating: some([1, 5]),
      body: word(),
      reader: word(),
    }),
    fixed: ['book_id'],
    sorted: 'rating',
    filtered: 'book_id',
    searched: 'body',
  },
  shelves: {
    old: { path: 'shelves', members: SHELF, others: {} },
    new: { path: 'shelves', members: SHELF, others: {} },
    make: ({ word, some }) => ({
      label: word(),
      note: some([null, word()]),
      places: some([null, 0, 17, 10_000]),
    }),
    fixed: [],
    sorted: 'label',
  },
};
/** Collections of which items are deleted. */
const DELETED = ['books', 'opinions', 'shelves'];

/** The members that a version shows of an item. */
function shownOf(view: View, values: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(view.members).map(([member, stored]) => [member, values[stored]]),
  );
}

/** One client; it waits for each answer. */
export class Client {
  readonly items: Readonly<Record<string, Item[]>> = {
    authors: [],
    books: [],
    opinions: [],
    shelves: [],
  };
  /** The path and the id of each item that was deleted. */
  readonly deleted: { readonly kind: string; readonly id: string }[] = [];
  /** Whether the migration is done: nothing is null that the new version requires. */
  isMigrated = false;
  requests = 0;
  readonly #number: number;
  readonly #load: Pick<RollingLoad, 'targets' | 'outcomes' | 'wrong'>;
  #made = 0;

  constructor(number: number, load: Pick<RollingLoad, 'targets' | 'outcomes' | 'wrong'>) {
    this.#number = number;
    this.#load = load;
  }

  readonly some = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(Math.random() * values.length)] as Value;
  /** A word that nothing else has. */
  readonly word = (): string => `w${this.#number}x${(this.#made++).toString(36)}`;
  readonly isbn = (): string => `978${this.#number}${String(this.#made++).padStart(9, '0')}`;
  readonly idOf = (kind: string): string | null => this.some(this.items[kind] ?? [])?.id ?? null;

  /** One request of a random kind. */
  async act(): Promise<void> {
    const name = this.some(Object.keys(KINDS));
    const [version] = this.some([...this.#load.targets]);
    const items = this.items[name] ?? [];
    const item = this.some(items);
    const choice = Math.random();
    if (item === undefined || choice < 0.2) await this.#create(name, version);
    else if (choice < 0.4) await this.read(name, item, version);
    else if (choice < 0.55) await this.#change(name, item, version, 'PATCH');
    else if (choice < 0.7) await this.#change(name, item, version, 'PUT');
    else if (choice < 0.8) await this.#list(name, item, version);
    else if (choice < 0.9) await this.#search(name, item, version);
    else if (DELETED.includes(name)) await this.#delete(name, item, version);
  }

  async #create(name: string, version: VersionName): Promise<void> {
    const kind = KINDS[name]!;
    const view = kind[version];
    const all = kind.make(this, version);
    const required = [all['author_id'], all['book_id']];
    if (required.includes(null)) return;
    const answer = await this.#ask(name, version, 'POST', `/${view.path}`, shownOf(view, all));
    if (answer.status !== 201) return this.#refuse(answer, `POST of ${name} by ${version}`);
    const { id } = answer.body as { id: string };
    const values = { ...all, ...view.others };
    this.#compare(view, values, answer.body, `created ${name} by ${version}`);
    this.items[name]?.push({ id, values });
  }

  /** Reads an item, and compares its members. */
  async read(name: string, item: Item, version: VersionName): Promise<void> {
    const view = KINDS[name]![version];
    const answer = await this.#ask(name, version, 'GET', `/${view.path}/${item.id}`);
    if (answer.status !== 200) this.#refuse(answer, `GET of ${name} by ${version}`);
    else this.#compare(view, item.values, answer.body, `read ${name} by ${version}`);
  }

  async #change(
    name: string,
    item: Item,
    version: VersionName,
    method: 'PATCH' | 'PUT',
  ): Promise<void> {
    const kind = KINDS[name]!;
    const view = kind[version];
    const made = { ...kind.make(this, version), id: item.id };
    const all: Record<string, unknown> = { ...item.values, ...made };
    for (const stored of kind.fixed) all[stored] = item.values[stored];
    const members = Object.entries(view.members);
    const changed = method === 'PUT' ? members : [this.some(members)];
    const values: Record<string, unknown> = { ...item.values };
    for (const [, stored] of changed) values[stored] = all[stored];
    const body = Object.fromEntries(changed.map(([member, stored]) => [member, all[stored]]));
    const path = `/${view.path}/${item.id}`;
    const answer = await this.#ask(name, version, method, path, body);
    const what = `${method} of ${name} by ${version}`;
    if (answer.status !== 200) return this.#refuse(answer, what);
    this.#compare(view, values, answer.body, what);
    const items = this.items[name] ?? [];
    items[items.indexOf(item)] = { id: item.id, values };
  }

  /** All items of a parent are those of this client. */
  async #list(name: string, item: Item, version: VersionName): Promise<void> {
    const kind = KINDS[name]!;
    const view = kind[version];
    const memberOf = (stored: string): string =>
      Object.entries(view.members).find(([, one]) => one === stored)?.[0] ?? '';
    const sort = memberOf(kind.sorted);
    const { filtered } = kind;
    const filter = filtered === undefined ? '' : `&${filtered}=${String(item.values[filtered])}`;
    const path = `/${view.path}?sort=${sort}&limit=100${filter}`;
    const answer = await this.#ask(name, version, 'GET', path);
    const what = `list of ${name} by ${version}`;
    if (answer.status !== 200) return this.#refuse(answer, what);
    if (filtered === undefined) return;
    const found = answer.body as (Values & { readonly id: string })[];
    const own = (this.items[name] ?? []).filter(
      ({ values }) => values[filtered] === item.values[filtered],
    );
    if (own.length < 100 && own.length !== found.length) {
      this.#load.wrong.push(`${what}: ${found.length} items instead of ${own.length}`);
    }
    for (const [at, one] of found.entries()) {
      const known = own.find(({ id }) => id === one.id);
      if (known !== undefined) this.#compare(view, known.values, one, what);
      const [before, after] = [found[at - 1]?.[sort], one[sort]];
      if (before !== undefined && (before as string) > (after as string)) {
        this.#load.wrong.push(`${what}: ${String(before)} is before ${String(after)}`);
      }
    }
  }

  async #search(name: string, item: Item, version: VersionName): Promise<void> {
    const kind = KINDS[name]!;
    if (kind.searched === undefined) return;
    const view = kind[version];
    const path = `/${view.path}?q=${String(item.values[kind.searched])}`;
    const answer = await this.#ask(name, version, 'GET', path);
    const what = `search of ${name} by ${version}`;
    if (answer.status !== 200) return this.#refuse(answer, what);
    const found = answer.body as { readonly id: string }[];
    if (found.length !== 1 || found[0]?.id !== item.id) {
      this.#load.wrong.push(`${what} for ${path}: ${JSON.stringify(found)}`);
    }
  }

  async #delete(name: string, item: Item, version: VersionName): Promise<void> {
    const { path } = KINDS[name]![version];
    const answer = await this.#ask(name, version, 'DELETE', `/${path}/${item.id}`);
    if (answer.status !== 204) return this.#refuse(answer, `DELETE of ${name} by ${version}`);
    this.#forget(name, item);
    if (name !== 'books') return;
    // The opinions of a book go with it.
    const all = this.items['opinions'] ?? [];
    for (const one of all.filter(({ values }) => values['book_id'] === item.id)) {
      this.#forget('opinions', one);
    }
  }

  #forget(name: string, item: Item): void {
    const items = this.items[name] ?? [];
    items.splice(items.indexOf(item), 1);
    this.deleted.push({ kind: name, id: item.id });
  }

  /** Reads everything that this client knows by one version. */
  async readAll(version: VersionName): Promise<void> {
    for (const [name, items] of Object.entries(this.items)) {
      for (const item of items) await this.read(name, item, version);
    }
    for (const { kind, id } of this.deleted) {
      const { path } = KINDS[kind]![version];
      const answer = await this.#ask(kind, version, 'GET', `/${path}/${id}`);
      if (answer.status !== 410) this.#refuse(answer, `GET of a deleted item of ${kind}`);
    }
  }

  #compare(view: View, values: Values, body: unknown, what: string): void {
    const found = body as Values;
    for (const [member, expected] of Object.entries(shownOf(view, values))) {
      const value = found[member];
      const isBackfilled = member === 'biography' && expected === null && value === BIOGRAPHY;
      const isRight = isBackfilled || (value === expected && !this.#isRequiredNull(member, value));
      if (!isRight) {
        const [is, should] = [value, expected].map((one) => JSON.stringify(one));
        this.#load.wrong.push(`${what}: ${member} is ${is} instead of ${should}`);
      }
    }
  }

  #isRequiredNull(member: string, value: unknown): boolean {
    return this.isMigrated && member === 'biography' && value === null;
  }

  #refuse({ status, body }: Answer, what: string): void {
    this.#load.wrong.push(`${what}: ${status} ${JSON.stringify(body)}`);
  }

  async #ask(
    name: string,
    version: VersionName,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer> {
    const answer = await ask(this.#load.targets.get(version) ?? '', method, path, body);
    this.requests++;
    const key = `${version} ${name} ${method} ${answer.status}`;
    this.#load.outcomes.set(key, (this.#load.outcomes.get(key) ?? 0) + 1);
    return answer;
  }
}

/** One request as the administrator. */
export async function ask(
  origin: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // A request that hangs is one that is lost.
    signal: AbortSignal.timeout(30_000),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

/** Starts so many clients. */
export function startRollingLoad(origin: string, count: number): RollingLoad {
  const stopped = new AbortController();
  const [outcomes, wrong] = [new Map<string, number>(), [] as string[]];
  const targets = new Map<VersionName, string>([['old', origin]]);
  const clients = Array.from(
    { length: count },
    (_, number) => new Client(number, { targets, outcomes, wrong }),
  );
  const run = async (client: Client): Promise<void> => {
    while (!stopped.signal.aborted) {
      await client.act().catch((error: unknown) => {
        wrong.push(`no answer: ${String(error)} ${String((error as Error).cause)}`);
      });
      // The machine has other work.
      await sleep(5);
    }
  };
  const done = Promise.all(clients.map(run));
  return {
    targets,
    outcomes,
    wrong,
    clients,
    settle: async () => {
      const before = clients.map(({ requests }) => requests);
      const hasGoneOn = (): boolean =>
        clients.every(({ requests }, at) => requests > (before[at] ?? 0) + 1);
      while (!hasGoneOn() && !stopped.signal.aborted) await sleep(20);
    },
    stop: async () => {
      stopped.abort();
      await done;
    },
  };
}
