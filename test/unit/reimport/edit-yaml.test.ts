/** Editing YAML so that it has another value: all that keeps its value keeps its layout and its comments. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Document, visit } from 'yaml';

import type { JsonObject, JsonValue } from '../../../src/shared/json.ts';
import {
  yamlComments,
  editYaml,
  lineOf,
  renameWrittenFields,
  definitionValue,
} from '../../../src/reimport/edit-yaml.ts';

const edited = (text: string, change: (value: never) => void, isJson = false): string => {
  const value = definitionValue(text);
  change(value as never);
  return editYaml(text, value, isJson);
};

test.each<[what: string, before: string, change: (value: never) => void, after: string]>([
  [
    'a scalar and a list in one line, with comments behind',
    'a: 1 # one\nb: [x, y] # list\n',
    (value: { a: number; b: string[] }) => {
      value.a = 2;
      value.b = ['w', 'x', 'z'];
    },
    'a: 2 # one\nb: [w, x, z] # list\n',
  ],
  [
    'fields in one line, in lines of their own, and over several lines',
    `fields:
  # the title
  title: { type: string, max_length: 40 } # shown
  length:
    type: integer
    maximum: 10 # at most
  rating: {
    type: enum,
    # in this order
    values: [G, PG], # two
  }
`,
    ({ fields }: { fields: Record<string, Record<string, unknown>> }) => {
      Object.assign(fields['title'] ?? {}, { required: true, max_length: 60 });
      Object.assign(fields['length'] ?? {}, { minimum: 1, maximum: 20 });
      Object.assign(fields['rating'] ?? {}, { values: ['G', 'R'] });
      fields['sub'] = { type: 'text' };
    },
    `fields:
  # the title
  title: { type: string, max_length: 60, required: true } # shown
  length:
    type: integer
    maximum: 20 # at most
    minimum: 1
  rating: {
    type: enum,
    # in this order
    values: [G, R], # two
  }
  sub: { type: text }
`,
  ],
  [
    'lists in lines of their own',
    'filter:\n  - a # first\n  - b\nunique:\n  - [a, b]\n',
    (value: Record<string, unknown>) => {
      value['filter'] = ['c', 'b', 'd'];
      value['unique'] = [['a', 'b'], { fields: ['a'], name: 'one' }];
    },
    'filter:\n  - c\n  # first\n  - b\n  - d\nunique:\n  - [a, b]\n  - { fields: [a], name: one }\n',
  ],
  [
    'the comment of a line that goes',
    'fields:\n  a: { type: text } # ours\n  b: { type: text }\n',
    ({ fields }: { fields: Record<string, unknown> }) => delete fields['a'],
    'fields:\n  # ours\n  b: { type: text }\n',
  ],
  [
    'a text without a newline at its end, and keys at the end',
    'a: |\n  long\n  text',
    (value: Record<string, unknown>) => (value['unique'] = [['a', 'b']]),
    'a: |\n  long\n  text\nunique:\n  - [a, b]\n',
  ],
  [
    'a text over several lines',
    'a: |\n  long\n  text\nb: >-\n  more\n# end\nc: 1\n',
    (value: Record<string, unknown>) => Object.assign(value, { a: 'short', b: 2 }),
    'a: short\nb: 2\n# end\nc: 1\n',
  ],
  [
    'an empty map and an empty value',
    'history: {}\nsort:\nlist: []\n',
    (value: Record<string, unknown>) => {
      value['history'] = { updated_at: 'x' };
      value['sort'] = ['a'];
      value['list'] = ['a', 'b'];
    },
    'history: { updated_at: x }\nsort: [a]\nlist: [a, b]\n',
  ],
  [
    'an alias that goes on to stand for the same',
    'a: &a { x: 1 }\nb: *a # as a\nc: 1\n',
    (value: Record<string, unknown>) => (value['c'] = 2),
    'a: &a { x: 1 }\nb: *a # as a\nc: 2\n',
  ],
  [
    'an anchor whose value changes in one place',
    'a: &a { x: 1 }\nb: *a # as a\nc: { <<: *a, y: 2 }\n',
    (value: Record<string, unknown>) => (value['a'] = { x: 3 }),
    'a: { x: 3 }\nb: { x: 1 } # as a\nc: { y: 2, x: 1 }\n',
  ],
  [
    'an anchor that goes, and an alias that stays',
    'fields:\n  # first\n  d: &i { type: text }\n  e: *i # as d\n',
    ({ fields }: { fields: Record<string, unknown> }) => delete fields['d'],
    'fields:\n  # first\n  e: { type: text } # as d\n',
  ],
  [
    'an anchor of a merge key that stands for something else',
    'fields:\n  a: &t { type: text }\n  b: { <<: *t, required: true } # merged\n',
    ({ fields }: { fields: Record<string, unknown> }) => (fields['a'] = 'none'),
    'fields:\n  a: none\n  b: { required: true, type: text } # merged\n',
  ],
  [
    'a map in lines of its own that loses its last key',
    '# the key\nkey: integer\nhistory: # when made\n  # the column\n  created_at: made # ours\nsort: []\n',
    (value: Record<string, unknown>) => (value['history'] = {}),
    '# the key\nkey: integer\nhistory: # when made\n  # the column\n  {}\n  # ours\nsort: []\n',
  ],
  [
    'names of members of objects',
    'fields:\n  constructor: { type: text }\n',
    ({ fields }: { fields: Record<string, unknown> }) => (fields['toString'] = { type: 'text' }),
    'fields:\n  constructor: { type: text }\n  toString: { type: text }\n',
  ],
])('%s', (_what, before, change, after) => {
  expect(edited(before, change)).toBe(after);
});

test('JSON stays JSON', () => {
  const before = '{\n  "fields": { "a": { "type": "text" } },\n  "sort": []\n}\n';
  const change = (value: { fields: Record<string, unknown>; sort: string[] }): void => {
    value.fields['b'] = { type: 'enum', values: ['x'] };
    value.sort = ['a'];
  };
  const after = edited(before, change, true);
  expect(after).toBe(
    '{\n  "fields": { "a": { "type": "text" }, "b": {"type":"enum","values":["x"]} },\n  "sort": ["a"]\n}\n',
  );
});

test('fields get other names, and lines are found', () => {
  const text = 'table: film\nfields:\n  # first\n  a: { x: 1 }\n  b: { y: 1 }\n';
  const renamed = renameWrittenFields(text, new Map([['a', 'c']]));
  expect(renamed).toBe('table: film\nfields:\n  # first\n  c: { x: 1 }\n  b: { y: 1 }\n');
  expect(lineOf(renamed, ['fields', 'c', 'x'])).toBe(4);
  expect(lineOf(renamed, ['fields', 'z'])).toBe(2);
  expect(lineOf(renamed, ['unique'])).toBe(1);
});

const key = fc.constantFrom('a', 'b', 'c', 'type', 'max length', 'x-y', '1', 'no');
const scalar = fc.oneof(
  fc.constantFrom(
    '',
    'text',
    'a: b',
    '# no',
    "it's",
    'null',
    '1',
    '\n',
    'two\nlines\n',
    '- x',
    '{',
    ',',
  ),
  fc.integer({ min: -9, max: 9 }),
  fc.boolean(),
  fc.constant(null),
);
const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const members = fc.dictionary(key, anyValue, {
  minKeys: 1,
  maxKeys: 5,
  noNullPrototype: true,
}) as fc.Arbitrary<JsonObject>;

test('whatever the layout, the text has the value and all comments', () => {
  fc.assert(
    fc.property(members, members, fc.infiniteStream(fc.nat(5)), (before, after, choices) => {
      const choose = (): number => choices.next().value as number;
      const document = new Document(before, { aliasDuplicateObjects: false });
      let count = 0;
      const comment = (): string | null => (choose() === 0 ? ` comment ${(count += 1)}` : null);
      visit(document, {
        Collection: (_, node) => {
          node.flow = choose() > 2;
        },
        Scalar: (_, node) => {
          node.comment = comment();
        },
      });
      const text = document.toString({ lineWidth: 0 });
      fc.pre(document.contents !== null && Object.keys(definitionValue(text)).length > 0);
      // The library writes some comments so that it cannot read the text again.
      fc.pre(JSON.stringify(definitionValue(text)) === JSON.stringify(before));
      const result = editYaml(text, after, false);
      expect(definitionValue(result)).toEqual(after);
      expect(yamlComments(result).toSorted()).toEqual(yamlComments(text).toSorted());
      expect(editYaml(result, after, false)).toBe(result);
      expect(editYaml(text, before, false)).toBe(text);
    }),
    { numRuns: 1000 },
  );
});

test('an anchor may have any number of aliases', () => {
  const row = `[${Array.from({ length: 101 }, () => '*a').join(', ')}]`;
  const text = `a: &a x\nrows: [${row}, [y]]\n`;
  expect(edited(text, (value: { rows: string[][] }) => value.rows.push(['z']))).toBe(
    `a: &a x\nrows: [${row}, [y], [z]]\n`,
  );
});
