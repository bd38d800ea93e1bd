/** Transitions of an emitted service: random requests, races, hooks, jobs and versions, on both databases. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';

import { makeDatabase, makeProject } from './support/project.ts';

const TESTS = `import { afterEach, describe, expect, test } from 'vitest';

import { orderHooks } from '../src/collections/orders/hooks.ts';
import { updateOrder } from '../src/collections/orders/repository.ts';
import { reportHooks } from '../src/collections/reports/hooks.ts';
import { makeCaller } from './support/callers.ts';
import { NO_ID } from './support/expected.ts';
import { createOrder, orderBody } from './support/items/orders.ts';
import { reportBody } from './support/items/reports.ts';
import { API, startService } from './support/service.ts';
import type { Item } from './support/service.ts';

interface Order extends Item {
  readonly status: string;
  readonly phase: string;
}

const service = await startService();
const older = service.in(1);
const callers = {
  admin: service,
  editor: (await makeCaller(service, 'an editor', ['editor'])).service,
  clerk: (await makeCaller(service, 'a clerk', ['clerk'])).service,
  both: (await makeCaller(service, 'both', ['clerk', 'editor'])).service,
  nobody: (await makeCaller(service, 'nobody')).service,
};
const NO_HOOKS = { beforeCreate: undefined, beforeUpdate: undefined };
afterEach(() => Object.assign(orderHooks, NO_HOOKS));

const at = async (...way: readonly string[]): Promise<string> => {
  const [status, ...others] = way;
  const { id } = await service.create('/orders', { ...(await orderBody(service)), status });
  for (const next of others) {
    expect(await service.patch(\`/orders/\${id}\`, { status: next })).toHaveStatus(200);
  }
  return \`/orders/\${id}\`;
};

/** The steps, written down apart from the definitions; with a letter for each role that may take one. */
const STEPS = new Set([
  'draft submitted *',
  'submitted approved editor',
  'submitted rejected editor',
  'submitted rejected clerk',
  'rejected draft *',
  'rejected archived admin',
  'archived rejected admin',
]);
const ROLES = { admin: ['admin'], editor: ['editor'], clerk: ['clerk'], both: ['editor', 'clerk'], nobody: [] };
const VALUES = ['draft', 'submitted', 'approved', 'rejected', 'archived'];

function statusOf(caller: keyof typeof ROLES, from: string, to: string): number {
  const by = [...STEPS].filter((step) => step.startsWith(\`\${from} \${to} \`)).map((step) => step.split(' ')[2]);
  if (from === to) return 200;
  if (by.length === 0) return 409;
  const roles: readonly string[] = ROLES[caller];
  return roles.includes('admin') || by.some((role) => role === '*' || roles.includes(role ?? '')) ? 200 : 403;
}

test('random requests are accepted exactly if a step allows them', async () => {
  let seed = 20_261_123;
  const choose = <T>(all: readonly T[]): T => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return all[Math.floor((seed / 2_147_483_648) * all.length)] as T;
  };
  const seen = new Map<string, number>();
  let path = await at('draft');
  let from = 'draft';
  for (let n = 0; n < 600; n++) {
    const caller = choose(Object.keys(ROLES) as (keyof typeof ROLES)[]);
    const method = choose(['PATCH', 'PUT', 'POST']);
    const to = choose(VALUES);
    const client = callers[caller];
    if (method === 'POST') {
      const answer = await client.post<Order>('/orders', { ...(await orderBody(service)), status: to });
      expect(answer).toHaveStatus(to === 'draft' || to === 'submitted' ? 201 : 422);
      if (answer.status === 201) [path, from] = [\`/orders/\${answer.body.id}\`, to];
      continue;
    }
    const body = method === 'PATCH' ? { status: to } : { ...(await orderBody(service)), status: to };
    const answer = await client.request<Order>(method, \`\${API}\${path}\`, { body });
    const expected = statusOf(caller, from, to);
    expect([n, caller, method, from, to, answer.status]).toEqual([n, caller, method, from, to, expected]);
    seen.set(\`\${from} \${to} \${expected}\`, n);
    if (expected === 200) from = to;
    expect((await service.get<Order>(path)).body.status).toBe(from);
  }
  expect([...seen.keys()].filter((key) => key.endsWith('200')).length).toBeGreaterThan(8);
  expect([...seen.keys()].filter((key) => key.endsWith('403')).length).toBeGreaterThan(2);
  expect([...seen.keys()].filter((key) => key.endsWith('409')).length).toBeGreaterThan(8);
});

test('concurrent changes cannot skip a step', async () => {
  for (let round = 0; round < 10; round++) {
    const path = await at('submitted');
    const wanted = Array.from({ length: 12 }, (_none, n) => (n % 2 === 0 ? 'approved' : 'rejected'));
    const answers = await Promise.all(
      wanted.map(async (status) => ({ status, answer: await service.patch(path, { status }) })),
    );
    const { status: last } = (await service.get<Order>(path)).body;
    for (const { status, answer } of answers) expect(answer).toHaveStatus(status === last ? 200 : 409);
  }
});

test('concurrent changes take each step at most once', async () => {
  const path = await at('draft');
  const wanted = ['submitted', 'rejected', 'draft', 'submitted', 'rejected', 'archived', 'draft', 'approved'];
  const answers = await Promise.all(wanted.map((status) => service.patch<Order>(path, { status })));
  for (const { status } of answers) expect([200, 409]).toContain(status);
  const shown = answers.flatMap(({ status, body }) => (status === 200 ? [body as Order & { updated_at: string }] : []));
  const inOrder = shown.toSorted((one, other) => (one.updated_at < other.updated_at ? -1 : 1));
  let from = 'draft';
  for (const { status } of inOrder) {
    expect(statusOf('admin', from, status)).toBe(200);
    from = status;
  }
});

describe('messages', () => {
  test('name the values and what is possible', async () => {
    const draft = await at('draft');
    expect((await service.patch(draft, { status: 'approved' })).body).toMatchObject({
      message: 'status cannot change from "draft" to "approved": from there, "submitted" is possible.',
    });
    const final = await at('submitted', 'approved');
    expect((await service.patch(final, { status: 'draft' })).body).toMatchObject({
      message: 'status cannot change from "approved" to "draft": "approved" is final.',
    });
    const submitted = await at('submitted');
    expect((await callers.nobody.patch(submitted, { status: 'rejected' })).body).toMatchObject({
      message: 'The change of status from "submitted" to "rejected" needs the role editor or clerk.',
    });
    const body = await orderBody(service);
    const refused = await service.post('/orders', { ...body, status: 'approved' });
    expect(refused.body).toMatchObject({
      message: 'status must be "draft" or "submitted" in a new item.',
    });
    const wrong = { ...body, status: 'approved', nope: 1 };
    expect(await service.post('/orders', wrong)).toBeError(422, 'status', 'nope');
    expect(await older.post('/orders', { state: 'approved', nope: 1 })).toBeError(422, 'state', 'nope', 'title');
  });

  test('use the words of an older version', async () => {
    const archived = await at('submitted', 'rejected', 'archived');
    expect((await older.get(archived)).body).toHaveProperty('state', 'rejected');
    expect(await older.patch(archived, { state: 'rejected' })).toHaveStatus(200);
    expect((await service.get(archived)).body).toHaveProperty('status', 'archived');
    expect((await older.patch(archived, { state: 'draft' })).body).toMatchObject({
      message: 'state cannot change from "rejected" to "draft": "rejected" is final.',
    });
    const rejected = await at('submitted', 'rejected');
    expect((await older.patch(rejected, { state: 'approved' })).body).toMatchObject({
      message: 'state cannot change from "rejected" to "approved": from there, "draft" is possible.',
    });
    const body = { title: 'Title', state: 'rejected' };
    expect((await older.post('/orders', body)).body).toMatchObject({
      message: 'state must be "draft" or "submitted" in a new item.',
    });
    const nobody = callers.nobody.in(1);
    expect((await nobody.patch(await at('submitted'), { state: 'approved' })).body).toMatchObject({
      message: 'The change of state from "submitted" to "approved" needs the role editor.',
    });
  });
});

test('other errors come first, and nothing is stored', async () => {
  const path = await at('draft');
  const before = (await service.get(path)).body;
  const url = \`\${API}\${path}\`;
  const status = 'approved';
  expect(await service.patch(path, { status, title: 5 })).toBeError(422, 'title');
  expect(await service.patch(path, { status, author_id: NO_ID })).toBeError(422, 'author_id');
  const outdated = { headers: { 'if-match': '"x"' }, body: { status } };
  expect(await service.request('PATCH', url, outdated)).toBeError(412);
  const current = (await service.get(path)).headers.get('etag') ?? '';
  const matching = { headers: { 'if-match': current }, body: { status } };
  expect(await service.request('PATCH', url, matching)).toBeError(409, 'status');
  expect((await service.get(path)).body).toEqual(before);
  const body = { ...(await orderBody(service)), status };
  const keyed = { headers: { 'idempotency-key': 'once' }, body };
  expect(await service.request('POST', \`\${API}/orders\`, keyed)).toBeError(422, 'status');
  const fixed = { ...keyed, body: { ...body, status: 'draft' } };
  expect(await service.request('POST', \`\${API}/orders\`, fixed)).toHaveStatus(201);
});

describe('changes of hooks', () => {
  const setBy = (change: object): void =>
    void Object.assign(orderHooks, {
      beforeUpdate: (values: object) => ({ ...values, ...change }),
    });

  test('are steps of what is stored, whoever the caller is', async () => {
    const path = await at('submitted');
    setBy({ phase: 'closed' });
    expect(await service.patch(path, { title: 'Other' })).toBeError(409, 'phase', '"open"', '"closed"');
    expect((await service.get(path)).body).not.toHaveProperty('title', 'Other');
    setBy({ phase: 'paused', status: 'approved' });
    expect(await callers.nobody.patch(path, { title: 'Other' })).toHaveStatus(200);
    const after = (await service.get(path)).body;
    expect(after).toMatchObject({ title: 'Other', phase: 'paused', status: 'approved' });
  });

  test('cannot skip a step by changing what the item was before', async () => {
    const path = await at('draft');
    Object.assign(orderHooks, {
      beforeUpdate: (values: object, { before }: { before: object }) => {
        Object.assign(before, { phase: 'paused' });
        return { ...values, phase: 'closed' };
      },
    });
    expect(await service.patch(path, { title: 'Other' })).toBeError(409, 'phase');
  });

  test('do not make another change a step', async () => {
    const path = await at('draft');
    let calls = 0;
    Object.assign(orderHooks, {
      beforeUpdate: (values: object) => {
        calls += 1;
        return { ...values, status: 'draft' };
      },
    });
    expect(await service.patch(path, { status: 'approved' })).toBeError(409, 'status');
    expect(calls).toBe(0);
  });

  test('give new items an initial value', async () => {
    Object.assign(orderHooks, { beforeCreate: (values: object) => ({ ...values, phase: 'closed' }) });
    expect(await service.post('/orders', await orderBody(service))).toBeError(422, 'phase', '"open"');
    Object.assign(orderHooks, { beforeCreate: (values: object) => ({ ...values, status: 'submitted' }) });
    const { status } = await createOrder(service);
    expect(status).toBe('submitted');
  });

  test('and of other code are held to steps, and not to roles', async () => {
    const { id } = await createOrder(service, { status: 'submitted' });
    const change = (status: 'approved' | 'draft') =>
      updateOrder(service.database, id, undefined, (stored) => ({ ...stored, status }));
    await expect(change('draft')).rejects.toMatchObject({ statusCode: 409 });
    await expect(change('approved')).resolves.toMatchObject({ status: 'approved' });
  });
});

describe('a check that names a member which the service sets', () => {
  const PAID_AT = '2030-01-01T00:00:00.000Z';
  const PAID = { payment: 'paid' };

  test('is decided after hooks: a step that needs one is 422 without it, with the message of the check', async () => {
    const path = await at('draft');
    for (const answer of [
      await service.patch(path, PAID),
      await service.request('PUT', \`\${API}\${path}\`, { body: { ...(await orderBody(service)), ...PAID } }),
    ]) {
      expect(answer).toBeError(422);
      expect(answer.body).toMatchObject({ message: 'payment and paid_at: It has a date.' });
    }
    expect((await older.patch(path, { payment_state: 'paid' })).body).toMatchObject({
      message: 'payment_state and paid_at: It has a date.',
    });
    Object.assign(orderHooks, { beforeUpdate: (values: object) => ({ ...values, paid_at: PAID_AT }) });
    expect((await service.patch(path, PAID)).body).toMatchObject({ ...PAID, paid_at: PAID_AT });
    Object.assign(orderHooks, { beforeUpdate: (values: object) => ({ ...values, paid_at: null }) });
    expect(await service.patch(path, { payment: 'refunded' })).toBeError(422, 'payment', 'paid_at');
    expect((await service.get(path)).body).toMatchObject(PAID);
  });

  test('is decided after process: the POST of a job is accepted', async () => {
    const body = { ...(await reportBody(service)), is_public: true };
    await expect(service.create('/reports', body)).rejects.toThrow('the job failed: is_public and checked_by');
    const { process } = reportHooks;
    Object.assign(reportHooks, { process: (values: object) => ({ ...values, checked_by: 'Ada' }) });
    expect(await service.create('/reports', body)).toMatchObject({ is_public: true, checked_by: 'Ada' });
    Object.assign(reportHooks, { process });
  });
});

test('a step of roles needs a credential (401), and a role (403)', async () => {
  const anonymous = service.as(undefined);
  const { id } = await anonymous.create<{ id: string }>('/switches', {});
  const path = \`/switches/\${id}\`;
  expect(await anonymous.patch(path, { at: 'on' })).toBeError(401);
  expect(await callers.nobody.patch(path, { at: 'on' })).toBeError(403, 'at');
  expect(await callers.editor.patch(path, { at: 'on' })).toHaveStatus(200);
  expect(await anonymous.patch(path, { at: 'off' })).toHaveStatus(200);
});

test('jobs create items with an initial value, in the words of their version', async () => {
  const body = await reportBody(service);
  expect(await service.post('/reports', { ...body, state: 'done' })).toBeError(422, 'state', '"waiting"');
  expect(await older.post('/reports', { ...body, state: 'finished' })).toBeError(422, 'state', '"queued"');
  const { process } = reportHooks;
  Object.assign(reportHooks, { process: (values: object) => ({ ...values, state: 'done' }) });
  await expect(service.create('/reports', body)).rejects.toThrow(
    'the job failed: state must be "waiting" in a new item.',
  );
  await expect(older.create('/reports', body)).rejects.toThrow(
    'the job failed: state must be "queued" in a new item.',
  );
  Object.assign(reportHooks, { process });
  expect(await service.create('/reports', body)).toMatchObject({ state: 'waiting' });
});

test('documents describe steps in the words of each version', async () => {
  for (const [client, member, values] of [
    [service, 'status', ['\`archived\` (only admin)']],
    [older, 'state', ['\`rejected\` → \`draft\`']],
  ] as const) {
    const { body } = await client.get<{ paths: Record<string, any>; components: any }>('/openapi.json');
    const text = JSON.stringify(body);
    for (const value of values) expect(text).toContain(value);
    const [path = ''] = Object.keys(body.paths).filter((one) => one.endsWith('/orders/{id}'));
    const { responses } = body.paths[path].patch;
    expect(responses[409].description).toContain(\`change of \${member}\`);
    expect(responses[403].description).toContain(member);
    // No step of reports is that of roles.
    const [report = ''] = Object.keys(body.paths).filter((one) => one.endsWith('/reports/{id}'));
    expect(body.paths[report].patch.responses[403]?.description ?? '').not.toContain('step');
  }
});
`;

let project = '';
beforeAll(async () => {
  project = await makeProject('transitions', 'test/e2e/definitions/transitions.yaml');
  writeFileSync(join(project, 'test/steps.test.ts'), TESTS);
});

test.each(['PGlite', 'PostgreSQL'])('changes keep to steps on %s', async (database) => {
  const isServer = database === 'PostgreSQL';
  // Its other tests are those that `everything` has; what is emitted for each collection runs on one database.
  const words = isServer
    ? ['steps', 'collections/orders', 'collections/reports', 'openapi']
    : ['steps'];
  // The random requests take half of the usual limit on an idle machine.
  const run = await execa('npx', ['vitest', 'run', '--testTimeout=60000', ...words], {
    cwd: project,
    env: isServer ? { DATABASE_URL: await makeDatabase('transitions') } : {},
    all: true,
    reject: false,
  });
  expect(run, run.all).toMatchObject({ exitCode: 0 });
});
