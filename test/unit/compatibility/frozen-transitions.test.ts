/** Transitions in frozen contracts: recorded and compared under the names of a version. */
import { expect, test } from 'vitest';

import { contractFiles } from '../../../src/compatibility/contract-files.ts';
import { brokenContracts } from '../../../src/compatibility/frozen-contracts.ts';
import { parseFolder } from '../../../src/definition/index.ts';
import { viewOf } from '../../../src/definition/versions/view.ts';
import { file, OPTIONS, service, single } from '../definition/support.ts';

const shop = async (keys: string) =>
  service(
    await single(`name: shop
versions: [1, 2]
roles: [editor]
collections:
  orders:
    fields:
      title: { type: string }
      status:
        type: enum
        name_in: { 1: state }
        default: draft
        ${keys.replaceAll('\n', '\n        ')}`),
  );

const RENAMED = 'type_in: { 1: { type: enum, values: { draft: new, sent: out, paid: done } } }';
const VALUES = 'values: [draft, sent, paid]';
const STEPS = 'transitions: { draft: [sent], sent: [{ to: paid, by: [editor] }], paid: [] }';

/** The contract of version 1, as its files have it. */
async function contractOf(keys: string) {
  const applied = await shop(keys);
  const files = contractFiles(viewOf(applied, 1));
  const text = files.map((one) => (one.path.includes('orders') ? one.text : '')).join('');
  const read = await parseFolder(
    files.map((one) => file(one.path, one.text)),
    OPTIONS,
  );
  return { applied, text, recorded: [{ version: 1, view: service(read) }] };
}

async function breaks(before: string, after: string) {
  const { applied, recorded } = await contractOf(before);
  const placeOf = (key: string) => ({ file: key, line: 1, column: 1 });
  return brokenContracts(recorded, applied, await shop(after), placeOf, '2026-01-01').map(
    ({ code, versions, message }) => [code, versions, message],
  );
}

test('a contract has the steps between the values of its version', async () => {
  const { text, recorded } = await contractOf(`${VALUES}\n${RENAMED}\n${STEPS}`);
  expect(text).toContain(
    'transitions: { new: [out], out: [{ to: done, by: [editor] }], done: [] }, initial: [new]',
  );
  expect(
    recorded[0]?.view.collections[0]?.fields.find(({ name }) => name === 'state'),
  ).toMatchObject({
    required: true,
    transitions: {
      initial: ['new'],
      states: [
        { value: 'new', steps: [{ to: 'out' }] },
        { value: 'out', steps: [{ to: 'done', by: ['editor'] }] },
        { value: 'done', steps: [] },
      ],
    },
  });
});

test('values that the version does not have are no steps of its contract', async () => {
  const values = 'values: [draft, sent, { value: paid, since: 2, as: sent }]';
  const { text } = await contractOf(`${values}\n${STEPS}\ninitial: [paid, draft]`);
  expect(text).toContain('transitions: { draft: [sent], sent: [] }, initial: [draft]');
});

test('an older form may have more values, which have no steps', async () => {
  const { text } = await contractOf(
    `${VALUES}\n${STEPS}\ntype_in: { 1: { type: enum, values: [draft, sent, paid, lost] } }`,
  );
  expect(text).toContain('paid: [], lost: [] }');
});

test('a step that is gone is told under the names of the version', async () => {
  const before = `${VALUES}\n${RENAMED}\n${STEPS}`;
  expect(await breaks(before, before)).toEqual([]);
  expect(await breaks(before, before.replace('draft: [sent]', 'draft: []'))).toEqual([
    [
      'step-narrower',
      [1],
      expect.stringMatching(/"state" of orders no longer has the step new → out/),
    ],
  ]);
  expect(await breaks(before, before.replace('draft: [sent]', 'draft: [paid, sent]'))).toEqual([]);
});

test('a renamed value keeps its steps', async () => {
  const before = `${VALUES}\n${STEPS}`;
  const after = `values: [draft, { value: posted, renamed_from: sent }, paid]
type_in: { 1: { type: enum, values: { draft: draft, posted: sent, paid: paid } } }
${STEPS.replaceAll('sent', 'posted')}`;
  expect(await breaks(before, after)).toEqual([]);
});
