/** The table of who may do what, as explain prints it. */
import { expect, test } from 'vitest';

import { accessTable, ownersOf, ownerLines } from '../../../src/commands/explain/access.ts';
import { accessOf } from '../../../src/model/access.ts';
import { parseSingleFile } from '../../../src/definition/index.ts';
import { buildModel } from '../../../src/model/build.ts';
import { diagramOf } from '../../../src/render/views/diagram.ts';

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

test('says who owns the items, and that others than these cannot be created', async () => {
  const text = `
name: shop
roles: [clerk]
collections:
  cards:
    fields: { user_id: { type: reference, to: users } }
    permissions: { read: [owner, clerk], create: [clerk] }
    owner: user_id
  drafts:
    fields: { title: { type: string } }
    permissions: { update: owner }
  loans:
    fields: { card_id: { type: reference, to: cards } }
    permissions: { read: [owner, clerk], update: [clerk] }
    owner: card_id.user_id
  notes:
    fields: { title: { type: string } }
  wishes:
    fields: { user_id: { type: reference, to: users } }
    permissions: { read: public, create: public, update: [owner, clerk] }
    owner: user_id
`;
  const file = { path: 'shop.yaml', bytes: new TextEncoder().encode(text) };
  const result = await parseSingleFile(file, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  const model = buildModel(result.service);
  expect(ownerLines(ownersOf(model))).toEqual([
    '',
    '"own": only the items that belong to the caller. The owner of an item is',
    '  cards: the user at user_id',
    '  drafts: the user who created it',
    '  loans: the user at card_id.user_id',
    '  wishes: the user at user_id',
  ]);
  const creates = accessOf(model).map(
    ({ collection, caller, actions }) => `${collection} ${caller} ${actions.create}`,
  );
  expect(creates).toEqual(
    expect.arrayContaining([
      'cards clerk all',
      'drafts user all',
      'loans stranger none',
      'loans user own',
      'loans clerk all',
      'wishes stranger own',
      'wishes clerk all',
      'wishes admin all',
    ]),
  );
  expect(ownerLines([])).toEqual([]);
});

test('says that callers create no items of their own where a linking collection names the owner', async () => {
  const text = `
name: shop
roles: [clerk, editor]
collections:
  clubs:
    fields: { name: { type: string } }
    permissions: { read: [owner, clerk], create: [clerk, editor] }
    owner: passes.user_id
  halls:
    fields: { club_id: { type: reference, to: clubs } }
    permissions: { read: [owner, clerk], create: public }
    owner: club_id.passes.user_id
  passes:
    fields: { club_id: { type: reference, to: clubs, unique: true }, user_id: { type: reference, to: users } }
    permissions: { read: [clerk], create: [clerk] }
  rooms:
    fields: { name: { type: string } }
    permissions: { read: [owner, clerk], create: public }
    owner: keys.user_id
  keys:
    fields: { room_id: { type: reference, to: rooms, unique: true }, user_id: { type: reference, to: users } }
    permissions: { read: [clerk], create: [clerk] }
`;
  const file = { path: 'shop.yaml', bytes: new TextEncoder().encode(text) };
  const result = await parseSingleFile(file, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  const model = buildModel(result.service);
  const rows = accessOf(model);
  const creates = (name: string) =>
    rows.flatMap(({ collection, caller, actions }) =>
      collection === name ? `${caller} ${actions.create}` : [],
    );
  expect(creates('clubs')).toEqual([
    'stranger none',
    'user none',
    'clerk all',
    'editor none',
    'admin all',
  ]);
  expect(creates('halls').slice(0, 3)).toEqual(['stranger own', 'user own', 'clerk all']);
  expect(creates('rooms').slice(0, 3)).toEqual(['stranger all', 'user none', 'clerk all']);
  expect(ownerLines(ownersOf(model)).slice(2)).toEqual([
    '  clubs: the user at passes.user_id',
    '  halls: the user at club_id.passes.user_id',
    '  rooms: the user at keys.user_id',
  ]);
  const diagram = diagramOf(model);
  expect(diagram).toContain('  clubs |o--o| passes : "club_id (owner of clubs: passes.user_id)"\n');
  expect(diagram).toContain('  clubs |o--o{ halls : "club_id (owner: club_id.passes.user_id)"\n');
});
