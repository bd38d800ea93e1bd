/** Transitions as people read them: state diagrams, descriptions and explanations. */
import { render } from '../../../src/api.ts';
import { expect, test } from 'vitest';

import {
  explainedTransitions,
  transitionLines,
} from '../../../src/commands/explain/transitions.ts';
import { endpointAccess } from '../../../src/commands/explain/endpoints.ts';
import { buildModel } from '../../../src/model/build.ts';
import { stateDiagrams } from '../../../src/render/views/state-diagrams.ts';
import { describedField, transitionViews } from '../../../src/render/views/transitions.ts';
import { books, service } from '../definition/support.ts';

const TEXT = `status:
  type: enum
  values: [draft, 'in "use"; 1', __proto__]
  default: draft
  transitions:
    draft: ['in "use"; 1']
    'in "use"; 1': [{ to: __proto__, by: [editor, admin] }, draft]
    __proto__: []
title: { type: string }`;

const model = buildModel(service(await books(TEXT)));
const field = model.collections.find(({ definition }) => definition.name === 'books')?.definition
  .fields[0];

test('a state diagram has each value, the initial ones, and the roles of steps', () => {
  expect(stateDiagrams(model)).toEqual([
    {
      collection: 'books',
      member: 'status',
      steps: 3,
      diagram: `stateDiagram-v2
  state "draft" as s1
  state "in #34;use#34;#59; 1" as s2
  state "__proto__" as s3
  [*] --> s1
  s1 --> s2
  s2 --> s3: editor, admin
  s2 --> s1
  s3 --> [*]
`,
    },
  ]);
});

test('the description of a field lists its steps', () => {
  if (field === undefined) throw new Error('no field');
  const text = `A new item has \`draft\`.
A change is one of these steps, else it is refused (409):

- \`draft\` → "in \\\\"use\\\\"; 1"
- "in \\\\"use\\\\"; 1" → \`__proto__\` (only editor, admin), \`draft\`
- \`__proto__\` → none: it is final`;
  expect(describedField(field).description).toBe(text);
  expect(describedField({ ...field, description: ' The state. ' }).description).toBe(
    `The state.\n\n${text}`,
  );
  expect(transitionViews([field])).toEqual([
    {
      name: 'status',
      initial: ['draft'],
      steps: [
        { from: '"draft"', code: '[{"to": "in \\"use\\"; 1"}]' },
        {
          from: '"in \\"use\\"; 1"',
          code: '[{"to": "__proto__", "by": ["editor", "admin"]}, {"to": "draft"}]',
        },
        { from: '["__proto__"]', code: '[]' },
      ],
    },
  ]);
});

test('explain lists them', () => {
  const explained = explainedTransitions(model);
  expect(explained).toMatchObject([{ collection: 'books', member: 'status', initial: ['draft'] }]);
  expect(transitionLines(explained)).toEqual([
    '',
    'Other changes of these members are refused (409), and steps of other roles (403):',
    '  books.status: new items have draft',
    '    draft -> in "use"; 1',
    '    in "use"; 1 -> __proto__ (editor, admin), draft',
    '    __proto__ -> (final)',
  ]);
  expect(transitionLines([])).toEqual([]);
  const statuses = Object.fromEntries(
    endpointAccess(model)
      .filter(({ path }) => path === '/books/{id}')
      .map(({ method, statuses: all }) => [method, all]),
  );
  for (const method of ['PUT', 'PATCH'])
    expect(statuses[method]).toEqual(expect.arrayContaining([403, 409]));
  expect(statuses['DELETE']).not.toContain(409);
});

test.each([
  { values: 14, isDrawn: true },
  { values: 15, isDrawn: false },
])('the README draws the steps of $values values: $isDrawn', async ({ values, isDrawn }) => {
  const all = Array.from({ length: values }, (_, at) => `v${at}`);
  const text = JSON.stringify({
    collections: {
      papers: {
        fields: {
          status: {
            type: 'enum',
            values: all,
            default: 'v0',
            transitions: Object.fromEntries(
              all.map((from) => [from, all.filter((to) => to !== from)]),
            ),
          },
        },
      },
    },
  });
  const files = await render({ path: 'shop.json', text }, { tool: '0.0.0', packageManager: 'npm' });
  const readme = files.find((file) => file.path === 'README.md')?.text ?? '';
  expect(readme.includes('stateDiagram-v2')).toBe(isDrawn);
  expect(readme.includes('explain --format states')).toBe(!isDrawn);
});

test('a line of an explanation has no breaks, and nothing that moves the cursor', () => {
  const values = ['a\nb', '\u001b[2Jc'] as const;
  const states = [
    { value: values[0], steps: [{ to: values[1] }, { to: values[0], by: ['editor'] }] },
    { value: values[1], steps: [] },
  ];
  const untested = [{ from: values[0], to: values[1] }];
  const one = { collection: 'papers', member: 'status', initial: values, states, untested };
  expect(transitionLines([one]).slice(2)).toEqual([
    '  papers.status: new items have a\\nb or \\u001b[2Jc',
    '    a\\nb -> \\u001b[2Jc, a\\nb (editor)',
    '    \\u001b[2Jc -> (final)',
    '    not taken by emitted tests: a\\nb -> \\u001b[2Jc',
  ]);
});
