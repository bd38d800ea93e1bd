/** The table of who may do what, as explain prints it. */
import { expect, test } from 'vitest';

import { accessOf, accessTable } from '../../../src/commands/explain/access.ts';
import { parseSingleFile } from '../../../src/definition/index.ts';
import { buildModel } from '../../../src/model/build.ts';

test('has a row for each kind of caller, and tells all, own and none apart', async () => {
  const text = `
name: shop
roles: [editor, clerk]
collections:
  books:
    fields: { title: { type: string } }
    permissions:
      { read: public, create: [editor], update: [owner, clerk], delete: [admin] }
  drafts:
    fields: { title: { type: string } }
    permissions: { read: [owner, clerk], update: authenticated, delete: public }
  letters:
    fields: { title: { type: string } }
    permissions: { read: [editor], update: [owner, clerk] }
  notes:
    fields: { title: { type: string } }
`;
  const file = { path: 'shop.yaml', bytes: new TextEncoder().encode(text) };
  const result = await parseSingleFile(file, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  expect(accessTable(accessOf(buildModel(result.service)))).toBe(
    [
      'COLLECTION  CALLER    READ  CREATE  UPDATE  DELETE',
      'books       stranger  yes   -       -       -',
      '            user      yes   -       own     -',
      '            editor    yes   yes     own     -',
      '            clerk     yes   -       yes     -',
      '            admin     yes   yes     yes     yes',
      // A change answers the item: it reaches no further than reading does.
      'drafts      stranger  -     -       -       yes',
      '            user      own   yes     own     yes',
      '            editor    own   yes     own     yes',
      '            clerk     yes   yes     yes     yes',
      '            admin     yes   yes     yes     yes',
      'letters     stranger  -     -       -       -',
      '            user      -     yes     -       yes',
      '            editor    yes   yes     own     yes',
      '            clerk     -     yes     -       yes',
      '            admin     yes   yes     yes     yes',
      'notes       stranger  -     -       -       -',
      '            user      yes   yes     yes     yes',
      '            editor    yes   yes     yes     yes',
      '            clerk     yes   yes     yes     yes',
      '            admin     yes   yes     yes     yes',
    ].join('\n'),
  );
});
