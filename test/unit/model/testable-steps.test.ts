/** The steps that tests of an emitted service take, and the values that items begin with. */
import { describe, expect, test } from 'vitest';

import { buildModel } from '../../../src/model/build.ts';
import { testableSteps, untestedSteps } from '../../../src/model/testable-steps.ts';
import { samplesOf } from '../../../src/model/samples.ts';
import { reachableValues, startValue, pathToValue } from '../../../src/model/test-steps.ts';
import { warningsOf } from '../../../src/model/warnings.ts';
import { fixtureValues } from '../../../src/render/views/fixture.ts';
import { books, service } from '../definition/support.ts';

async function booksOf(fields: string, rest = '') {
  const definitions = service(await books(fields, rest));
  const samples = samplesOf(buildModel(definitions)).get('books');
  if (samples === undefined) throw new Error('no samples');
  const { fields: read } = samples.collection.definition;
  const [field] = read;
  if (field === undefined) throw new Error('no field');
  return { definitions, samples, field };
}

const STEPS = 'transitions: { a: [b], b: [c, a], c: [], d: [a] }';
const FOUR = `status: { type: enum, values: [a, b, c, d], default: a, ${STEPS} }`;

describe('items of tests', () => {
  test.each([
    ['default: b, initial: [a, b]', 'b'],
    ['required: true, initial: [b]', 'b'],
    ['required: true', 'a'],
    ['default: a, read_only: true', undefined],
  ])('with %s begin with %s', async (options, start) => {
    const steps = 'transitions: { a: [b], b: [] }';
    const { field } = await booksOf(`status: { type: enum, values: [a, b], ${options}, ${steps} }`);
    expect(startValue(field)).toBe(start);
  });

  test('have one value, and change by a step', async () => {
    const { samples } = await booksOf(FOUR);
    expect(samples.checks?.kept.get('status')).toEqual(['a']);
    const { another, changed } = fixtureValues(samples);
    expect([another.get('status'), changed.get('status')]).toEqual(['a', 'b']);
  });

  test('do not change what is final', async () => {
    const { samples } = await booksOf(
      'status: { type: enum, values: [a, b], default: a, transitions: { a: [], b: [a] } }',
    );
    expect(fixtureValues(samples).changed.has('status')).toBe(false);
  });

  test('that are unique together have one value too', async () => {
    const { samples } = await booksOf(
      `${FOUR}\ntitle: { type: string, required: true }`,
      'unique: [[status, title]]',
    );
    expect(samples.capacity).toBe(40);
    expect(samples.members.find(({ field }) => field.name === 'status')).toMatchObject({
      kind: 'value',
      value: 'a',
    });
  });
});

describe('the values that items can have', () => {
  test('are reached by the shortest way', async () => {
    const { field, samples } = await booksOf(FOUR);
    const reached = reachableValues(field.transitions ?? { initial: [], states: [] });
    expect([...reached.keys()]).toEqual(['a', 'b', 'c']);
    expect(pathToValue(reached, 'c')).toEqual(['a', 'b', 'c']);
    expect(testableSteps(field, samples)).toEqual([
      { from: 'a', way: ['a'], to: ['b'], needsHook: [] },
      { from: 'b', way: ['a', 'b'], to: ['c', 'a'], needsHook: [] },
      { from: 'c', way: ['a', 'b', 'c'], to: [], needsHook: [] },
    ]);
  });

  test('keep the checks', async () => {
    const { field, samples } = await booksOf(
      `${FOUR}\npages: { type: integer }`,
      "checks: { counted: { rule: \"status not in ('b', 'd') or pages > 1\" } }\n",
    );
    expect(samples.checks?.kept.get('status')).toEqual(['a']);
    expect(testableSteps(field, samples)).toEqual([
      { from: 'a', way: ['a'], to: [], needsHook: [] },
    ]);
    expect(fixtureValues(samples).changed.has('status')).toBe(false);
  });

  test('need a hook where a check names a member that the service sets', async () => {
    const { field, samples } = await booksOf(
      `${FOUR}\ndone_at: { type: date, set_by: service }`,
      'checks: { dated: { rule: "status != \'c\' or done_at != null" } }\n',
    );
    const [, dated] = testableSteps(field, samples);
    expect(dated).toMatchObject({ from: 'b', to: ['a'], needsHook: [{ to: 'c' }] });
    expect(dated?.needsHook[0]?.checks.map(({ name }) => name)).toEqual(['dated']);
  });

  test('are at most twenty', async () => {
    const values = Array.from({ length: 30 }, (_none, n) => `v${n}`);
    const steps = values.map((value, n) => `${value}: [${values[n + 1] ?? ''}]`).join(', ');
    const { field, samples } = await booksOf(
      `status: { type: enum, values: [${values.join(', ')}], default: v0, transitions: { ${steps} } }`,
    );
    expect(testableSteps(field, samples)).toHaveLength(20);
  });

  test('are told if no steps lead to them', async () => {
    const { definitions } = await booksOf(FOUR);
    expect(warningsOf(definitions)).toEqual([
      {
        at: expect.objectContaining({
          file: 'definitions/collections/books.yaml',
          line: 3,
        }) as object,
        code: 'value-unreachable',
        message:
          'no steps of "status" of "books" lead from "a" to "d". Add a step, or an initial value.',
      },
    ]);
    const { definitions: all } = await booksOf(FOUR.replace('default: a', 'required: true'));
    expect(warningsOf(all)).toEqual([]);
  });
});

describe('steps that no test takes', () => {
  test('are those to values with which no item is known that keeps the checks, and those from there', async () => {
    const { field, samples } = await booksOf(
      FOUR,
      'checks: { never: { rule: "status != \'b\'" } }',
    );
    expect(untestedSteps(field, samples)).toEqual([
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'b', to: 'a' },
      { from: 'd', to: 'a' },
    ]);
  });

  test('are those beyond the first ten from a value', async () => {
    const values = Array.from({ length: 13 }, (_, index) => `v${index}`);
    const states = values.map(
      (value) => `${value}: [${value === 'v0' ? values.slice(1).join(', ') : ''}]`,
    );
    const { field, samples } = await booksOf(
      `status: { type: enum, values: [${values.join(', ')}], default: v0, transitions: { ${states.join(', ')} } }`,
    );
    expect(untestedSteps(field, samples)).toEqual([
      { from: 'v0', to: 'v11' },
      { from: 'v0', to: 'v12' },
    ]);
  });

  test('are none of a field without checks and with few steps', async () => {
    const { field, samples } = await booksOf(
      'status: { type: enum, values: [a, b], default: a, transitions: { a: [b], b: [a] } }',
    );
    expect(untestedSteps(field, samples)).toEqual([]);
  });
});
