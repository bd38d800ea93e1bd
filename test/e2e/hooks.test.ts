/** Hooks of a team: what they know of a request, how often they run, and what follows the commit. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import { expect, test } from 'vitest';

import { edit } from './support/own-changes.ts';
import { makeDatabase, makeProject, runScript } from './support/project.ts';

const RETRIED = `import { expect, test } from 'vitest';

import { bookHooks } from '../src/collections/books/hooks.ts';
import { createBook } from './support/items/books.ts';
import { startService } from './support/service.ts';

const service = await startService();

/** Fails the first time with an error of PostgreSQL after which a transaction is worth another attempt. */
const deadlockOnce = () => {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
  };
};
/** Changes the given object: each attempt has to get one of its own. */
const marked = async (values: { title: string }) => {
  values.title += '!';
  return values;
};

test('a transaction that runs twice changes the values of a request once', async () => {
  Object.assign(bookHooks, { beforeCreate: marked, afterCreate: deadlockOnce() });
  const { id } = await createBook(service, { title: 'Emma' });
  const path = \`/books/\${id}\`;
  expect((await service.get(path)).body).toMatchObject({ title: 'Emma!' });
  Object.assign(bookHooks, { beforeUpdate: marked, afterUpdate: deadlockOnce() });
  const { status, body } = await service.patch(path, { title: 'Persuasion' });
  expect([status, body]).toMatchObject([200, { title: 'Persuasion!' }]);
});
`;

const CONTEXT = `import { expect, test } from 'vitest';

import type { Hooks } from '../src/platform/database/hooks.ts';
import { bookHooks } from '../src/collections/books/hooks.ts';
import { createPerson as createStoredPerson } from '../src/collections/people/repository.ts';
import type { PersonValues } from '../src/collections/people/schema.ts';
import type { Book, BookValues } from '../src/collections/books/schema.ts';
import { valid } from './fixtures/books.ts';
import { createBook } from './support/items/books.ts';
import { createPerson } from './support/items/people.ts';
import { basic, createUser } from './support/items/users.ts';
import { API, startService } from './support/service.ts';

const service = await startService();
const ada = await createUser(service, { username: 'ada', roles: ['admin'] });
const own = service.as(basic('ada'));

const PERSON: PersonValues = {
  name: 'Jane',
  born: null,
  score: null,
  country: null,
  nickname: null,
  home: null,
  notes: null,
};

const calls: unknown[] = [];
let refusal: Error | undefined;

const hooks: Hooks<Book, BookValues> = {
  beforeCreate(values, { principal }) {
    calls.push(['beforeCreate', principal?.username, principal?.userId === ada.id]);
    return values;
  },
  async afterCreate({ id, title }, { principal, database, afterCommit }) {
    calls.push(['afterCreate', principal?.username, title]);
    // The item is there for the transaction, and for others after the commit.
    const find = { text: 'select "title" from "books" where "id" = $1' };
    calls.push(await database.query(find, [id]));
    afterCommit(async () => {
      calls.push(['committed', await service.database.query(find, [id])]);
    });
    if (refusal !== undefined) throw refusal;
  },
  beforeUpdate(values, { principal, before }) {
    calls.push(['beforeUpdate', principal?.username, before.title, values.title]);
    return values;
  },
  afterUpdate({ title }, { principal, before }) {
    calls.push(['afterUpdate', principal?.username, before.title, title]);
  },
  beforeDelete({ title }, { principal }) {
    calls.push(['beforeDelete', principal?.username, title]);
  },
  afterDelete({ title }, { principal, afterCommit }) {
    afterCommit(() => void calls.push(['deleted', principal?.username, title]));
    calls.push(['afterDelete', principal?.username, title]);
  },
};
Object.assign(bookHooks, hooks);

const take = (): unknown[] => calls.splice(0);

test.each([1, 2, 3])('hooks of version %i know who changes what', async (version) => {
  const inVersion = own.in(version);
  const { id, person_id } = await createBook(own, { title: 'Emma' });
  const row = [{ title: 'Emma' }];
  expect(take()).toEqual([
    ['beforeCreate', 'ada', true],
    ['afterCreate', 'ada', 'Emma'],
    row,
    ['committed', row],
  ]);
  const path = \`/books/\${id}\`;
  expect((await inVersion.patch(path, { title: 'Persuasion' })).status).toBe(200);
  expect(take()).toEqual([
    ['beforeUpdate', 'ada', 'Emma', 'Persuasion'],
    ['afterUpdate', 'ada', 'Emma', 'Persuasion'],
  ]);
  const { headers } = await inVersion.get(path);
  expect((await own.put(path, { ...valid(), title: 'Sanditon', person_id })).status).toBe(200);
  expect(take()).toEqual([
    ['beforeUpdate', 'ada', 'Persuasion', 'Sanditon'],
    ['afterUpdate', 'ada', 'Persuasion', 'Sanditon'],
  ]);
  // A removal of another state calls no hook.
  const stale = { headers: { 'if-match': headers.get('etag') ?? '' } };
  const url = \`\${inVersion.api}\${path}\`;
  expect((await inVersion.request('DELETE', url, stale)).status).toBe(412);
  expect(take()).toEqual([]);
  expect((await inVersion.delete(path)).status).toBe(204);
  expect(take()).toEqual([
    ['beforeDelete', 'ada', 'Sanditon'],
    ['afterDelete', 'ada', 'Sanditon'],
    ['deleted', 'ada', 'Sanditon'],
  ]);
  expect((await inVersion.delete(path)).status).toBe(410);
  expect(take()).toEqual([]);
});

test('a repeated Idempotency-Key runs nothing after the commit again', async () => {
  const { id: person_id } = await createPerson(service);
  const body = { ...valid(), title: 'Once', person_id };
  const headers = { 'idempotency-key': 'once' };
  const send = () => own.request<Book>('POST', \`\${API}/books\`, { headers, body });
  const first = await send();
  expect([first.status, take().at(-1)]).toEqual([201, ['committed', [{ title: 'Once' }]]]);
  const second = await send();
  expect([second.status, second.body.id, take()]).toEqual([201, first.body.id, []]);
});

test('a hook may change the row that it deletes, also with If-Match', async () => {
  const { id } = await createBook(own, { title: 'Touched' });
  const path = \`\${API}/books/\${id}\`;
  const etag = (await own.request('GET', path)).headers.get('etag') ?? '';
  const touch = { text: 'update "books" set "title" = "title" where "id" = $1' };
  const beforeDelete: Hooks<Book, BookValues>['beforeDelete'] = async (item, { database }) => {
    await database.query(touch, [item.id]);
  };
  Object.assign(bookHooks, { beforeDelete });
  const answer = await own.request('DELETE', path, { headers: { 'if-match': etag } });
  expect(answer.status).toBe(204);
  Object.assign(bookHooks, { beforeDelete: hooks.beforeDelete });
  take();
});

test('a hook that changes the row of its update ends the request, and not the service', async () => {
  const { id } = await createBook(own, { title: 'Restless' });
  const touch = { text: 'update "books" set "title" = "title" where "id" = $1' };
  const beforeUpdate: Hooks<Book, BookValues>['beforeUpdate'] = async (values, context) => {
    await context.database.query(touch, [context.before.id]);
    return values;
  };
  Object.assign(bookHooks, { beforeUpdate });
  expect((await own.patch(\`/books/\${id}\`, { title: 'Calm' })).status).toBe(500);
  Object.assign(bookHooks, { beforeUpdate: hooks.beforeUpdate });
  take();
});

test('a taken value is 409, also if a hook made what the item refers to', async () => {
  const isbn = '9780000000001';
  const { id: person_id } = await createPerson(service);
  const values = { ...valid(), isbn, title: 'First', person_id };
  expect((await own.post('/books', values)).status).toBe(201);
  const beforeCreate: Hooks<Book, BookValues>['beforeCreate'] = async (given, { database }) => {
    const person = await createStoredPerson(database, { ...PERSON });
    return { ...given, person_id: person.id };
  };
  Object.assign(bookHooks, { beforeCreate });
  const { status, body } = await own.post('/books', { ...values, title: 'Second' });
  expect([status, body]).toMatchObject([409, { message: 'Another book already has this isbn.' }]);
  Object.assign(bookHooks, { beforeCreate: hooks.beforeCreate });
  take();
});

test('nothing follows a change that a hook refuses', async () => {
  refusal = new Error('no');
  await expect(createBook(own, { title: 'Refused' })).rejects.toThrow('An internal error');
  expect(take()).toEqual([
    ['beforeCreate', 'ada', true],
    ['afterCreate', 'ada', 'Refused'],
    [{ title: 'Refused' }],
  ]);
  refusal = undefined;
});
`;

const BACKGROUND = `import { expect, test } from 'vitest';

import { scanHooks } from '../src/collections/scans/hooks.ts';
import { createScan } from './support/items/scans.ts';
import { basic, createUser } from './support/items/users.ts';
import { startService } from './support/service.ts';

test('hooks of a job know who sent the POST', async () => {
  const service = await startService();
  await createUser(service, { username: 'ada', roles: ['admin'] });
  const calls: unknown[] = [];
  Object.assign(scanHooks, {
    process(values: object, { principal }: { principal: { username: string; roles: Set<string> } }) {
      calls.push(['process', principal.username, ...principal.roles]);
      return values;
    },
    afterCreate(_item: object, { principal, afterCommit }: {
      principal: { username: string };
      afterCommit: (work: () => void) => void;
    }) {
      afterCommit(() => void calls.push(['committed', principal.username]));
    },
  });
  await createScan(service.as(basic('ada')));
  expect(calls).toEqual([
    ['process', 'ada', 'admin'],
    ['committed', 'ada'],
  ]);
});
`;

const TICKET_HOOKS = `import type { CompletingHooks } from '../../platform/database/completing-hooks.ts';
import { newId } from '../../platform/http/uuid.ts';
import type { NewTicket, Ticket, TicketValues } from './schema.ts';

export const ticketHooks: CompletingHooks<Ticket, TicketValues, NewTicket> = {
  beforeCreate: (values) => ({ ...values, code: newId().slice(-12) }),
  beforeUpdate: (values, { principal }) => ({
    ...values,
    state: 'closed',
    closed_by_id: principal?.userId ?? null,
  }),
};
`;

const CODE_HOOKS = `= {
  beforeCreate: () => ({ code: crypto.randomUUID() }),
}`;

/** The owner of a task is who made it; the reference goes when that user does. */
const TASK_HOOKS = `= {
  beforeCreate: (values, { principal }) => ({ ...values, author_id: principal?.userId ?? null }),
}`;

const TICKETS = `import { expect, test } from 'vitest';

import { basic, createUser } from './support/items/users.ts';
import { API, startService } from './support/service.ts';

const service = await startService();

test('a sequence, a default and hooks set members, and requests do not', async () => {
  const ada = await createUser(service, { username: 'ada' });
  const own = service.as(basic('ada'));
  const numbers: number[] = [];
  for (const title of ['First', 'Second']) {
    const { status, body } = await own.post<{ number: number; serial: string }>('/tickets', {
      title,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ state: 'open', closed_by_id: null, code: expect.any(String) });
    expect(body.serial).toBe(String(body.number - 999));
    numbers.push(body.number);
  }
  // The test database may have been used before.
  const [first = 0, second = 0] = numbers;
  expect(first).toBeGreaterThanOrEqual(1000);
  expect(second).toBe(first + 1);
  for (const member of ['number', 'serial', 'code', 'state', 'closed_by_id']) {
    const { body } = await own.post('/tickets', { title: 'Third', [member]: null });
    expect(body).toMatchObject({ message: \`\${member} is read-only.\` });
  }
  const { body: listed } = await own.get<{ id: string }[]>('/tickets?sort=-number&number[gte]=' + second);
  expect(listed).toMatchObject([{ title: 'Second', number: second }]);
  const path = \`\${API}/tickets/\${listed[0]?.id}\`;
  const { body: closed } = await own.request('PATCH', path, { body: { title: 'Done' } });
  expect(closed).toMatchObject({ state: 'closed', closed_by_id: ada.id, number: second, title: 'Done' });
});
`;

/** Writes tests into a project, and runs them on both databases. @returns the output of those that fail. */
async function failuresOf(
  name: string,
  from: string,
  tests: Record<string, string>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const project = await makeProject(name, from);
  for (const [file, text] of Object.entries(tests)) {
    writeFileSync(join(project, `test/${file}.test.ts`), text);
  }
  expect(await runScript(project, 'types')).toMatchObject({ exitCode: 0 });
  for (const DATABASE_URL of ['', await makeDatabase(`hooks_${name}`)]) {
    const { exitCode, all } = await execa('npx', ['vitest', 'run', ...Object.keys(tests)], {
      cwd: project,
      env: { DATABASE_URL },
      all: true,
      reject: false,
    });
    if (exitCode !== 0) failures.push(all);
  }
  return failures;
}

test('hooks know the caller and the item before, once for each change that is stored', async () => {
  const tests = { retried: RETRIED, 'hook-context': CONTEXT };
  expect(await failuresOf('retried', 'test/cases/versions/definitions.yaml', tests)).toEqual([]);
});

test('hooks of background creations do, too', async () => {
  const tests = { 'hook-context': BACKGROUND };
  expect(await failuresOf('background', 'examples/scans.yaml', tests)).toEqual([]);
});

test('a project with members that only hooks can set compiles once they do', async () => {
  const project = await makeProject('tickets', 'test/e2e/definitions/tickets.yaml');
  const { exitCode, output } = await runScript(project, 'types');
  expect(exitCode).not.toBe(0);
  const missing = `'beforeCreate' is missing in type '{}' but required in type 'CompletingHooks`;
  expect(output.match(/^src.*error TS.*/gm)).toEqual([
    expect.stringMatching(/^src\/collections\/codes\/hooks\.ts/),
    expect.stringMatching(/^src\/collections\/tickets\/hooks\.ts/),
  ]);
  expect(output.split(missing)).toHaveLength(3);
  writeFileSync(join(project, 'src/collections/tickets/hooks.ts'), TICKET_HOOKS);
  edit(project, ['src/collections/codes/hooks.ts', '= {}', CODE_HOOKS]);
  edit(project, ['src/collections/tasks/hooks.ts', '= {}', TASK_HOOKS]);
  writeFileSync(join(project, 'test/set-by.test.ts'), TICKETS);
  for (const script of ['types', 'lint']) {
    expect(await runScript(project, script)).toMatchObject({ exitCode: 0 });
  }
  // What is emitted for each collection runs on one database.
  const names = ['tickets', 'codes', 'tasks', 'counters', 'imports', 'additions', 'openapi'];
  for (const [DATABASE_URL, files] of [
    ['', ['set-by']],
    [await makeDatabase('hooks_tickets'), ['set-by', ...names]],
  ] as const) {
    const tests = await execa('npx', ['vitest', 'run', ...files], {
      cwd: project,
      env: { DATABASE_URL },
      all: true,
      reject: false,
    });
    expect(tests.exitCode, tests.all).toBe(0);
  }
});
