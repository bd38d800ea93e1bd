/** A ticket shop with five rules in hooks: what they cost in tests are edits of fixtures alone, and few. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { CONVENTIONS } from './support/emitted.ts';
import { edit } from './support/own-changes.ts';
import { makeProject, ROOT, runCommand, runScript } from './support/project.ts';

/** A text of a fixture, and what replaces it. */
type Edit = readonly [from: string, to: string];

const IMPORTS = `import type { Allowed } from '../support/values.ts';\n`;
const CHANGE = `import type { Change } from '../support/test-items.ts';\n`;

/** Edits by fixture. */
const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  shows: [
    [IMPORTS, `${IMPORTS}import { createShow } from '../support/items/shows.ts';\n`],
    [
      '> = {};\n',
      `> = {};

/** A show that is on sale. */
export async function createShowOnSale(service: TestService, given?: Partial<ShowValues>) {
  const show = await createShow(service, { ends_at: '2999-12-31T13:00:00.000Z', ...given });
  await service.patch(\`/shows/\${show.id}\`, { status: 'published' });
  return show;
}
`,
    ],
  ],
  orders: [
    [
      `import { createShow } from '../support/items/shows.ts';\n`,
      `import type { Database } from '../../src/platform/database/database.ts';
import { createOrderLine } from '../support/items/order-lines.ts';
import { createOrder } from '../support/items/orders.ts';\n`,
    ],
    [IMPORTS, `${CHANGE}${IMPORTS}import { createShowOnSale } from './shows.ts';\n`],
    [`    used_code: 'Used code 1',\n`, ''],
    ['show_id: createShow,', 'show_id: createShowOnSale,'],
    [
      '> = {};\n',
      `> = { used_code: [null] };

/** An order has lines before it is paid, and none when it is removed. */
export async function prepare(service: TestService, id: string, change: Change, database: Database) {
  if (change !== 'removal') {
    if (change['status'] === 'paid') await createOrderLine(service, { order_id: id });
    return;
  }
  const lines = 'select "id" from "order_lines" where "order_id" = $1';
  const tickets = { text: \`delete from "tickets" where "order_line_id" in (\${lines})\` };
  await database.query(tickets, [id]);
  await database.query({ text: 'delete from "order_lines" where "order_id" = $1' }, [id]);
}

export async function createPaidOrder(service: TestService, given?: Partial<OrderValues>) {
  const order = await createOrder(service, given);
  await createOrderLine(service, { order_id: order.id });
  await service.patch(\`/orders/\${order.id}\`, { status: 'paid' });
  return order;
}
`,
    ],
  ],
  'order-lines': [
    [
      'import { createOrder }',
      `import type { Database } from '../../src/platform/database/database.ts';\nimport { createOrder }`,
    ],
    [IMPORTS, `${CHANGE}${IMPORTS}import { createShowOnSale } from './shows.ts';\n`],
    [
      'references(_service: TestService, _given: Partial<OrderLineValues>) {\n',
      `references(service: TestService, given: Partial<OrderLineValues>) {
  const show = showOf(service, given);
`,
    ],
    [
      '    order_id: createOrder,\n    ticket_type_id: createTicketType,\n',
      `    order_id: async (_service: TestService, order: object = {}) =>
      createOrder(service, { ...(await show), ...order }),
    ticket_type_id: async (_service: TestService) =>
      createTicketType(service, { ...(await show), stock: 1000 }),
`,
    ],
    [
      '> = {};\n',
      `> = {};

/** The show of the order or the ticket type that a test has chosen, or a new one. */
async function showOf(service: TestService, given: Partial<OrderLineValues>) {
  const { order_id: order, ticket_type_id: type } = given;
  const path = order === undefined ? \`/ticket-types/\${type}\` : \`/orders/\${order}\`;
  const { body } = await service.get<{ show_id?: string }>(path);
  return { show_id: body.show_id ?? (await createShowOnSale(service)).id };
}

/** The tickets of a line keep it from being removed. */
export async function prepare(_: TestService, id: string, change: Change, database: Database) {
  const text = 'delete from "tickets" where "order_line_id" = $1';
  if (change === 'removal') await database.query({ text }, [id]);
}
`,
    ],
  ],
  'check-ins': [
    [
      'import { createTicket }',
      `import type { OrderLine } from '../../src/collections/order-lines/schema.ts';\nimport { createTicket }`,
    ],
    [
      '    ticket_id: createTicket,\n',
      `    async ticket_id(service: TestService) {
      const ticket = await createTicket(service);
      const line = await service.get<OrderLine>(\`/order-lines/\${ticket.order_line_id}\`);
      await service.patch(\`/orders/\${line.body.order_id}\`, { status: 'paid' });
      return ticket;
    },
`,
    ],
  ],
  refunds: [
    [
      `import { createOrder } from '../support/items/orders.ts';\n`,
      `import { createPaidOrder } from './orders.ts';\n`,
    ],
    ['order_id: createOrder,', 'order_id: createPaidOrder,'],
  ],
};

/** The most lines that these edits may add. */
const MOST_LINES = 60;

let project = '';
let added = 0;
beforeAll(async () => {
  project = await makeProject('ticket-shop', 'test/e2e/ticket-shop/definitions');
  cpSync(join(ROOT, 'test/e2e/ticket-shop/src'), join(project, 'src'), { recursive: true });
  for (const [fixture, edits] of Object.entries(EDITS)) {
    const file = join(project, `test/fixtures/${fixture}.ts`);
    const before = readFileSync(file, 'utf8');
    for (const [from, to] of edits) edit(project, [`test/fixtures/${fixture}.ts`, from, to]);
    const known = new Set(before.split('\n'));
    const after = readFileSync(file, 'utf8').split('\n');
    added += after.filter((line) => !known.has(line)).length;
  }
});

test('with its rules and these edits, it passes `npm run types` and `npm run lint`', async () => {
  expect(added).toBeGreaterThan(30);
  expect(added).toBeLessThanOrEqual(MOST_LINES);
  for (const script of ['types', 'lint']) {
    const { exitCode, output } = await runScript(project, script);
    expect(exitCode, output).toBe(0);
  }
});

test('no emitted test is red or left out', async () => {
  const report = join(project, 'report.json');
  const words = ['run', '--silent', 'test', '--', `--exclude=${CONVENTIONS}`];
  const options = [...words, '--reporter=json', `--outputFile=${report}`];
  const { exitCode, output } = await runCommand(project, options, { env: {}, input: '' });
  const results = JSON.parse(readFileSync(report, 'utf8')) as object;
  expect(results, output).toMatchObject({ numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 });
  expect(exitCode).toBe(0);
});
