/** Definitions as YAML with a line for each entry: any text is read again as it was. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { yamlLines } from '../../../src/compatibility/definition-yaml.ts';
import { hostileText, longHostileText } from '../definition/generated.ts';

test('texts stay on their line, and are read as they were written', () => {
  const text = fc.oneof(hostileText, longHostileText, fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), (one, values) => {
      const keys = { description: one, fields: { a: { type: 'enum', values, default: one } } };
      const lines = yamlLines(keys);
      expect(parse(lines)).toEqual(keys);
      expect(lines.split('\n')).toHaveLength(4);
    }),
  );
});
