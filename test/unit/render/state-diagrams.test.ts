/** Transitions as people read them: state diagrams, descriptions and explanations. */
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
