/** Documents that are built to hurt: what `import` reads of them is bounded in time and memory. */
import { describe, expect, test } from 'vitest';

import {
  answers,
  booksWith,
  definitionOf,
  documentOf,
  object,
  planOf,
  planText,
  takes,
} from './support.ts';

const STRING = { type: 'string' };

describe('documents that are built to hurt', () => {
  const seconds = async (run: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await run();
    return (performance.now() - start) / 1000;
  };

  test('have bounded work', async () => {
    const schemas: Record<string, object> = {};
    for (let level = 0; level < 200; level += 1) {
      const $ref = `#/components/schemas/s${level + 1}`;
      schemas[`s${level}`] = object(
        Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, { $ref }])),
      );
      schemas[`a${level}`] = {
        allOf: Array.from({ length: 100 }, () => ({ $ref: `#/components/schemas/a${level + 1}` })),
      };
    }
    let deep: object = STRING;
    for (let level = 0; level < 100_000; level += 1) deep = { type: 'array', items: deep };
    const document = booksWith({
      title: STRING,
      wide: { $ref: '#/components/schemas/s0' },
      all: { $ref: '#/components/schemas/a0' },
    }) as Record<string, unknown>;
    expect(
      await seconds(async () => planOf({ ...document, components: { schemas } })),
    ).toBeLessThan(20);
    const nested = '{"type":"array","items":'.repeat(100_000);
    const text = JSON.stringify(booksWith({ title: STRING, value: 'DEEP' })).replaceAll(
      '"DEEP"',
      `${nested}{}${'}'.repeat(100_000)}`,
    );
    const plan = await planText(text);
    expect(definitionOf(plan, 'books')).toContain('  value: { type: json }\n');
  });

  test('with aliases of aliases, or of themselves', async () => {
    const levels = Array.from(
      { length: 40 },
      (_, n) =>
        `a${n}: &a${n} [${Array(9)
          .fill(n === 0 ? 'x' : `*a${n - 1}`)
          .join(', ')}]`,
    );
    const properties = '{ a: *t, b: { allOf: [*t] }, c: { enum: *a39 }, d: { default: *a39 } }';
    const list = `{ type: array, items: &t { type: object, properties: ${properties} } }`;
    const responses = `{ '200': { content: { application/json: { schema: ${list} } } } }`;
    const plan = await planText(
      ['openapi: 3.0.3', ...levels, `paths: { /books: { get: { responses: ${responses} } } }`].join(
        '\n',
      ),
    );
    expect(definitionOf(plan, 'books')).toContain('  c: { type: json }\n');
  });

  test('with more YAML than there is memory for are refused at once', async () => {
    const text = `openapi: 3.0.3\npaths: { /books: { get: { x: [${'a,'.repeat(3_000_000)}] } } }`;
    await expect(planText(text)).rejects.toThrow('it has more than 3 million tokens of YAML');
  });

  test('of many paths have at most 1,000 collections', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 3000 }, (_, n) => [
        `/things-${String.fromCharCode(97 + (n % 26))}${n}-items`,
        { get: answers({ type: 'array', items: object({ title: STRING }) }) },
      ]),
    );
    const plan = await planOf(documentOf(paths));
    expect(plan.collections).toHaveLength(1000);
    expect(plan.operations.at(-1)?.reason).toBe('a service has at most 1000 collections');
  });

  test('of many paths with one large schema have at most 50,000 members', async () => {
    const thing = { $ref: '#/components/schemas/thing' };
    const paths = Object.fromEntries(
      Array.from({ length: 800 }, (_, n) => [
        `/things-${String.fromCharCode(97 + (n % 26))}${n}-items`,
        { post: { ...takes(thing), ...answers(thing, '201') } },
      ]),
    );
    const members = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`m${n}`, STRING]));
    const components = { schemas: { thing: object(members) } };
    const plan = await planOf(documentOf(paths, { components }));
    expect(plan.collections).toHaveLength(27);
    expect(plan.operations.at(-1)?.reason).toBe(
      'the bodies of all collections have at most 50000 members',
    );
  });
});
