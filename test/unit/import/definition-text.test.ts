/** Imported definitions as text: the reader reads back the values that were written. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { checkDefinitions } from '../../../src/import/check-definitions.ts';
import { hostileText, longHostileText } from '../definition/generated.ts';

test('defaults, descriptions and checks with any text are read as they were written', async () => {
  const anyText = fc.oneof(hostileText, longHostileText);
  // A description has a character that is not blank.
  const description = anyText.filter((text) => text.trim() !== '');
  await fc.assert(
    fc.asyncProperty(anyText, description, async (text, words) => {
      const definition = {
        description: words,
        fields: { note: { type: 'string', default: text, description: words } },
        unique: [{ fields: ['note'], where: `note != '${text.replaceAll("'", "''")}'` }],
        checks: { other: { rule: `note != '${text.replaceAll("'", "''")}'` } },
      };
      const { issues, parsed } = await checkDefinitions(
        [{ name: 'notes', definition }],
        'shop',
        undefined,
      );
      expect(issues).toEqual([]);
      const [collection] = parsed!.service.collections;
      expect(collection).toMatchObject({
        description: words,
        fields: [{ name: 'note', default: text, description: words }],
      });
      const rule = { other: { value: text } };
      expect(collection!.checks[0]!.expression).toMatchObject(rule);
      expect(collection!.unique[0]!.where!.expression).toMatchObject(rule);
    }),
  );
});
