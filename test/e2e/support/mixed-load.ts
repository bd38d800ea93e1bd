/** Clients of a bookshop that read, create and fail at random, and check each answer. */
import { AUTHORIZATION } from './project.ts';

/** What the clients saw. */
export interface MixedLoad {
  /** How often each kind of request got each status: `create 201`. */
  readonly outcomes: Map<string, number>;
  /** The names of the authors, by id, and the ISBNs of the books whose creation was acknowledged. */
  readonly authors: Map<string, string>;
  readonly isbns: Set<string>;
  /** Answers that were not those of their request. */
  readonly wrong: string[];
  /** Requests that got no answer and were not cancelled by the client. */
  readonly lost: unknown[];
  readonly stop: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Starts so many clients. */
export function startMixedLoad(origin: string, clients: number): MixedLoad {
  const stopped = new AbortController();
  const [outcomes, authors] = [new Map<string, number>(), new Map<string, string>()];
  const [isbns, wrong, lost] = [new Set<string>(), [] as string[], [] as unknown[]];
  let made = 0;

  const ask = async (path: string, body?: object): Promise<Answer> => {
    const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' };
    const answer = await fetch(`${origin}/api/v1/${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers,
      // A request that hangs is one that is lost.
      signal: AbortSignal.timeout(30_000),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const tell = (kind: string, { status, body }: Answer, expected: number, isRight = true): void => {
    const key = `${kind} ${status}`;
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    if (status !== 503 && (status !== expected || !isRight)) {
      wrong.push(`${key}: ${JSON.stringify(body)}`);
    }
  };
  const some = <Value>(values: Iterable<Value>): Value | undefined => {
    const all = [...values];
    return all[Math.floor(Math.random() * all.length)];
  };
  const newIsbn = (): string => `978${String(made++).padStart(10, '0')}`;

  const createAuthor = async (): Promise<void> => {
    const name = `author ${made++}`;
    const answer = await ask('authors', { name });
    if (answer.status === 201) authors.set(String(answer.body['id']), name);
    tell('create', answer, 201, answer.body['name'] === name);
  };
  const createBook = async (): Promise<void> => {
    const [isbn, author_id] = [newIsbn(), some(authors.keys())];
    const answer = await ask('books', { title: isbn, isbn, author_id });
    if (answer.status === 201) isbns.add(isbn);
    tell('create a book', answer, 201, answer.body['isbn'] === isbn);
  };
  const readAuthor = async (): Promise<void> => {
    const [id, name] = some(authors) ?? [];
    const answer = await ask(`authors/${id}`);
    tell('read', answer, 200, answer.body['id'] === id && answer.body['name'] === name);
  };
  const readNobody = async (): Promise<void> => {
    const id = crypto.randomUUID();
    const answer = await ask(`authors/${id}`);
    tell('read nobody', answer, 404, String(answer.body['message']).includes(id));
  };
  const takeIsbn = async (): Promise<void> => {
    const [isbn, author_id] = [some(isbns), some(authors.keys())];
    if (isbn === undefined) return;
    tell('take an ISBN', await ask('books', { title: isbn, isbn, author_id }), 409);
  };
  const breakReference = async (): Promise<void> => {
    const isbn = newIsbn();
    const book = { title: isbn, isbn, author_id: crypto.randomUUID() };
    tell('break a reference', await ask('books', book), 422);
  };
  const cancel = async (): Promise<void> => {
    const signal = AbortSignal.timeout(Math.floor(Math.random() * 10));
    await fetch(`${origin}/api/v1/authors/${some(authors.keys())}`, { signal }).then(
      (answer) => answer.text(),
      () => {},
    );
  };
  // Reads are most of it.
  const kinds = [createAuthor, createBook, takeIsbn, breakReference, cancel, readNobody];
  kinds.push(readAuthor, readAuthor, readAuthor, readAuthor, readAuthor, readAuthor);

  const client = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const work = authors.size === 0 ? createAuthor : (some(kinds) ?? createAuthor);
      await work().catch((error: unknown) => lost.push(error));
    }
  };
  const done = Promise.all(Array.from({ length: clients }, client));
  return {
    outcomes,
    authors,
    isbns,
    wrong,
    lost,
    stop: async () => {
      stopped.abort();
      await done;
    },
  };
}
