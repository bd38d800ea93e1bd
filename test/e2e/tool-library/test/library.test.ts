/** A season of the library, as its clients see it. */
import { Webhook as Verifier } from 'standardwebhooks';
import { expect, test } from 'vitest';

import type { Inspection } from '../src/collections/inspections/schema.ts';
import type { Invoice } from '../src/collections/invoices/schema.ts';
import type { Loan } from '../src/collections/loans/schema.ts';
import type { Person } from '../src/collections/people/schema.ts';
import type { Tool } from '../src/collections/tools/schema.ts';
import { makeCaller } from './support/callers.ts';
import { startReceiver } from './support/receiver.ts';
import type { ReceivedRequest } from './support/receiver.ts';
import { startService } from './support/service.ts';

const service = await startService({
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_RETRY_DELAYS: Array<string>(20).fill('1').join(','),
});
const { service: staff } = await makeCaller(service, 'staff', ['staff']);
const { id: inspectorId, service: inspector } = await makeCaller(service, 'inspector', [
  'inspector',
]);
const ada = await makeCaller(service, 'ada');
const bob = await makeCaller(service, 'bob');

const enter = (name: string, userId: string | null, email = `${name}@example.org`) =>
  staff.create<Person>('/people', { name, email, user_id: userId });

const adaPerson = await enter('ada', ada.id);
const bobPerson = await enter('bob', bob.id);

let labels = 0;
/** A tool that may be lent. */
async function usableTool(): Promise<Tool> {
  labels += 1;
  const label = `T-${String(labels).padStart(4, '0')}`;
  const { id } = await staff.create<Tool>('/tools', { name: 'Plane', label });
  const answer = await inspector.patch<Tool>(`/tools/${id}`, { state: 'usable' });
  expect(answer).toHaveStatus(200);
  return answer.body;
}

const DATES = { starts_on: '2026-05-01', ends_on: '2026-05-08' };

const request = async (tool: Tool): Promise<string> =>
  `/loans/${(await ada.service.create<Loan>('/loans', { ...DATES, tool_id: tool.id, borrower_id: adaPerson.id })).id}`;

test('people are numbered, and see themselves alone', async () => {
  expect(adaPerson.number).toBeGreaterThanOrEqual(100);
  expect(bobPerson.number).toBe(adaPerson.number + 1);
  expect((await ada.service.get('/people')).body).toEqual([adaPerson]);
  expect(await ada.service.get(`/people/${bobPerson.id}`)).toBeError(403);
  expect((await staff.get<Person[]>('/people?sort=number')).body.map(({ name }) => name)).toEqual([
    'ada',
    'bob',
  ]);
});

test('an address is free again when its person has left', async () => {
  const first = await enter('eve', null);
  const taken = await staff.post('/people', { name: 'Eve', email: 'eve@example.org' });
  expect(taken).toBeError(409, 'email');
  expect(await staff.patch(`/people/${first.id}`, { left: true })).toHaveStatus(200);
  const { id } = await enter('eve', null);
  expect(await staff.patch(`/people/${first.id}`, { left: false })).toBeError(409, 'email');
  expect(await staff.delete(`/people/${id}`)).toHaveStatus(204);
});

test('a tool begins as new, and only an inspector says that it is usable', async () => {
  const tool = { name: 'Saw', label: 'T-9000' };
  expect(await staff.post('/tools', { ...tool, state: 'usable' })).toBeError(422, 'state');
  const { id } = await staff.create<Tool>('/tools', tool);
  const path = `/tools/${id}`;
  expect(await staff.patch(path, { state: 'usable' })).toBeError(403);
  const retired = { state: 'retired', retired_on: '2026-01-01' };
  expect(await inspector.patch(path, retired)).toBeError(409, 'state');
  expect(await inspector.patch(path, { state: 'usable' })).toHaveStatus(200);
  expect(await inspector.patch(path, retired)).toBeError(403);
  expect(await staff.patch(path, { state: 'retired' })).toBeError(422, 'retired_on');
  expect(await staff.post('/tools', tool)).toBeError(409, 'label');
  expect(await staff.patch(path, retired)).toHaveStatus(200);
  expect(await staff.patch(path, { state: 'usable' })).toBeError(409, 'state');
  // The label of a retired tool may be used again.
  expect(await staff.post('/tools', tool)).toHaveStatus(201);
});

test('members request loans for themselves, and staff lend', async () => {
  const path = await request(await usableTool());
  const other = { ...DATES, tool_id: (await usableTool()).id, borrower_id: bobPerson.id };
  expect(await ada.service.post('/loans', other)).toBeError(403);
  expect(await staff.post('/loans', other)).toHaveStatus(201);
  const { body: own } = await ada.service.get<Loan[]>('/loans');
  expect(new Set(own.map(({ borrower_id: borrower }) => borrower))).toEqual(
    new Set([adaPerson.id]),
  );
  expect(await bob.service.get(path)).toBeError(403);
  expect(await ada.service.patch(path, { state: 'lent' })).toBeError(403);
  expect(await ada.service.patch(path, { state: 'returned' })).toBeError(409, 'state');
  expect(await ada.service.patch(path, { ends_on: '2026-04-30' })).toBeError(422, 'ends_on');
  expect(await staff.patch(path, { state: 'lent' })).toHaveStatus(200);
  expect(await ada.service.patch(path, { state: 'cancelled' })).toBeError(409, 'state');
  expect(await staff.patch(path, { state: 'returned' })).toHaveStatus(200);
});

test('of many that would lend a tool at once, one does', async () => {
  const tool = await usableTool();
  const paths = await Promise.all(Array.from({ length: 6 }, () => request(tool)));
  const answers = await Promise.all(paths.map((path) => staff.patch(path, { state: 'lent' })));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(5);
  const lent = await staff.get<Loan[]>(`/loans?state=lent&tool_id=${tool.id}`);
  expect(lent.body).toHaveLength(1);
});

test('of many that would end a request at once, one does', async () => {
  for (let round = 0; round < 5; round++) {
    const path = await request(await usableTool());
    const [lent, cancelled] = await Promise.all([
      staff.patch(path, { state: 'lent' }),
      ada.service.patch(path, { state: 'cancelled' }),
    ]);
    expect(new Set([lent.status, cancelled.status])).toEqual(new Set([200, 409]));
  }
});

test('an inspection names its inspector, and takes a broken tool out of use', async () => {
  const tool = await usableTool();
  const waiting = await request(tool);
  const path = `/tools/${tool.id}/inspections`;
  expect(await inspector.post(path, { passed: false })).toBeError(422, 'passed', 'remark');
  expect(await staff.post(path, { passed: true })).toBeError(403);
  const found = await inspector.create<Inspection>(path, { passed: false, remark: 'Loose handle' });
  expect(found).toMatchObject({ inspector_id: inspectorId, tool_id: tool.id });
  expect((await staff.get(`/tools/${tool.id}`)).body).toMatchObject({ state: 'broken' });
  const lend = await staff.patch(waiting, { state: 'lent' });
  expect(lend).toBeError(409);
  expect(lend.body).toMatchObject({ message: 'The tool is broken.' });
});

test('an invoice belongs to the borrower, and is paid once', async () => {
  const { id } = (await ada.service.get<Loan>(await request(await usableTool()))).body;
  const { id: invoice, number } = await staff.create<Invoice>('/invoices', {
    loan_id: id,
    amount: '12.5',
  });
  expect(number).toBeGreaterThanOrEqual(2000);
  const path = `/invoices/${invoice}`;
  const paid = { state: 'paid', paid_on: '2026-06-01' };
  expect(await staff.patch(path, paid)).toBeError(409, 'state');
  expect(await staff.patch(path, { state: 'sent' })).toHaveStatus(200);
  expect(await staff.patch(path, { state: 'paid' })).toBeError(422, 'paid_on');
  expect(await staff.patch(path, paid)).toHaveStatus(200);
  expect(await staff.patch(path, paid)).toHaveStatus(200);
  expect(await staff.patch(path, { state: 'void' })).toBeError(409, 'state');
  expect((await ada.service.get(path)).body).toMatchObject({ amount: '12.50', ...paid });
  expect(await bob.service.get(path)).toBeError(403);
  expect((await bob.service.get('/invoices')).body).toEqual([]);
});

test('a loan and an invoice are shown with what they refer to, as far as the reader may', async () => {
  const tool = await usableTool();
  const path = await request(tool);
  const { body: loan } = await ada.service.get<Loan>(path);
  const shown = await ada.service.get(`${path}?include=tool,borrower`);
  expect(shown.body).toEqual({ ...loan, tool, borrower: adaPerson });
  const { id } = await staff.create<Invoice>('/invoices', { loan_id: loan.id, amount: '1.00' });
  const { body: invoice } = await ada.service.get<Invoice>(`/invoices/${id}`);
  const list = await ada.service.get<(Invoice & { loan: object })[]>(
    '/invoices?include=loan.borrower,loan.tool&sort=-number&limit=1',
  );
  expect(list.body).toEqual([{ ...invoice, loan: { ...loan, tool, borrower: adaPerson } }]);
  expect(await bob.service.get(`${path}?include=tool`)).toBeError(403);
  expect(await ada.service.get(`${path}?include=tool.inspections`)).toBeError(400, 'include');
});

test('a receiver that is away gets each change of a loan once it is back, in order', async () => {
  const first = await startReceiver();
  const types = ['loan.created', 'loan.updated', 'invoice.created'];
  const body = { url: first.url, events: types };
  expect(await staff.post('/webhooks', body)).toBeError(403);
  const { id: webhook, secret } = await service.create<{ id: string; secret: string }>(
    '/webhooks',
    body,
  );
  const path = await request(await usableTool());
  const loanId = path.slice('/loans/'.length);
  const statesOf = (received: readonly ReceivedRequest[]): string[] =>
    received
      .map(({ event }) => event.data as Loan)
      .filter(({ id }) => id === loanId)
      .map(({ state }) => state);
  await expect.poll(() => statesOf(first.received)).toEqual(['requested']);

  const port = Number(new URL(first.url).port);
  await first.stop();
  expect(await staff.patch(path, { state: 'lent' })).toHaveStatus(200);
  const refused = await ada.service.patch(path, { state: 'cancelled' });
  expect(refused).toBeError(409, 'state');
  await expect
    .poll(
      async () =>
        (await service.get(`/webhooks/${webhook}/deliveries?item_id=${loanId}&status=pending`))
          .body,
    )
    .toMatchObject([{ attempts: [{ status: null }] }]);
  expect(await staff.patch(path, { state: 'returned' })).toHaveStatus(200);

  const second = await startReceiver(port);
  await expect.poll(() => statesOf(second.received)).toEqual(['lent', 'returned']);
  const own = second.received.filter(({ event }) => (event.data as Loan).id === loanId);
  for (const { text, headers } of own) {
    expect(new Verifier(secret).verify(text, headers)).toHaveProperty('type', 'loan.updated');
  }
  expect(await service.delete(`/webhooks/${webhook}`)).toHaveStatus(204);
  await second.stop();
});
