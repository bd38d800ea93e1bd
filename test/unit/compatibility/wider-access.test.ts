/** What a change of definitions lets somebody do that they could not, each from both sides. */
import { describe, expect, test } from 'vitest';

import { widerAccess } from '../../../src/compatibility/wider-access.ts';
import type { PlaceOf } from '../../../src/compatibility/types.ts';
import { buildModel } from '../../../src/model/build.ts';
import { service, single } from '../definition/support.ts';

const placeOf: PlaceOf = (key, at) => ({ file: key, line: at?.line ?? 1, column: 1 });
/** The tables are known, and have no column of this name. */
const lacksColumn = (_table: object, column: string): boolean => column === 'new_column';
const options = { placeOf, lacksColumn };

const model = async (text: string) => buildModel(service(await single(text)));

/** The messages for a change of one service into another. */
async function messages(before: string, now: string): Promise<string[]> {
  const found = widerAccess(await model(before), await model(now), options);
  return found.map(({ message }) => message);
}

/** A service with a collection of books that has these keys. */
const books = (keys: string, roles = '[editor, clerk]'): string =>
  `name: shop\nroles: ${roles}\ncollections:\n  books:\n    fields: { title: { type: string } }\n    ${keys}\n`;

const permissions = (given: string): string => books(`permissions: { ${given} }`);

describe('permissions', () => {
  test.each([
    [
      'read: authenticated',
      'read: public',
      ['callers without a credential may read all items of books, and could read none'],
    ],
    [
      'read: [editor], update: [admin]',
      'read: [editor, clerk], update: [admin]',
      ['users with the role clerk may read all items of books, and could read none'],
    ],
    [
      'read: [owner], update: [owner], delete: [owner]',
      'read: [owner, editor], update: [owner, editor], delete: authenticated',
      [
        'users with the role editor may read all items of books, and could read their own',
        'users with the role editor may change all items of books, and could change their own',
        'all users may remove all items of books, and could remove their own',
      ],
    ],
    [
      'read: public, create: [admin]',
      'read: public, create: [editor, clerk]',
      [
        'users with the role editor may create any items of books, and could create none',
        'users with the role clerk may create any items of books, and could create none',
      ],
    ],
    [
      'read: authenticated, create: [editor]',
      'read: authenticated, create: authenticated',
      ['all users may create any items of books, and could create none'],
    ],
    [
      'read: [admin], update: authenticated',
      'read: [clerk], update: authenticated',
      // A change answers the item, so who could not read it could not change it.
      [
        'users with the role clerk may read all items of books, and could read none',
        'users with the role clerk may change all items of books, and could change none',
      ],
    ],
  ])('%s becomes %s', async (before, now, expected) => {
    expect(await messages(permissions(before), permissions(now))).toEqual(expected);
    expect(await messages(permissions(now), permissions(before))).toEqual([]);
  });

  test('it has the cell of the table of permissions, and the place of the key', async () => {
    const before = await model(permissions('read: [editor], update: [admin]'));
    const now = await model(permissions('read: authenticated, update: [admin]'));
    expect(widerAccess(before, now, options)).toEqual([
      {
        at: { file: 'permissions', line: 4, column: 1 },
        message: 'all users may read all items of books, and could read none',
        cell: { collection: 'books', caller: 'user', action: 'read', before: 'none', now: 'all' },
      },
    ]);
  });

  test('a role that is new, and a collection that is new, give nobody more', async () => {
    const before = books('permissions: { read: [editor] }');
    const now = books('permissions: { read: [editor, guest] }', '[editor, clerk, guest]');
    const added = '  notes: { fields: { body: { type: text } }, permissions: { read: public } }\n';
    expect(await messages(before, now + added)).toEqual([]);
  });

  test('a role may be called as a row of the table', async () => {
    const of = (read: string): string =>
      books(`permissions: { read: ${read}, update: [admin] }`, '[user, stranger]');
    expect(await messages(of('[user]'), of('authenticated'))).toEqual([
      'all users may read all items of books, and could read none',
    ]);
    expect(await messages(of('[user]'), of('[user, stranger]'))).toEqual([
      'users with the role stranger may read all items of books, and could read none',
    ]);
  });

  test('a collection is followed to its new name', async () => {
    const before = permissions('read: [editor], update: [admin]');
    const now = permissions('read: public, update: [admin]').replace(
      'books:',
      'volumes:\n    renamed_from: books',
    );
    expect(await messages(before, now)).toEqual([
      'callers without a credential may read all items of volumes, and could read none',
    ]);
  });
});

test('reports another owner path, and not one under new names', async () => {
  const shop = (owner: string, seller = 'seller_id'): string =>
    books(`permissions: { read: [owner], update: [owner] }\n    owner: ${owner}`).replace(
      'title: { type: string }',
      `title: { type: string }, ${seller}: { type: reference, to: users }, buyer_id: { type: reference, to: users }`,
    );
  const said =
    'the users at buyer_id may read and change items of books, and the users at seller_id could';
  expect(await messages(shop('seller_id'), shop('buyer_id'))).toEqual([said]);
  const renamed = shop('vendor_id', 'vendor_id').replace(
    'vendor_id: { type: reference',
    'vendor_id: { renamed_from: seller_id, type: reference',
  );
  expect(await messages(shop('seller_id'), renamed)).toEqual([]);
  // The field of before is gone, and another one has its name.
  const taken = shop('seller_id')
    .replace(', buyer_id: {', '')
    .replace(
      'seller_id: { type: reference, to: users } type: reference, to: users }',
      'seller_id: { type: reference, to: users, renamed_from: buyer_id }',
    );
  expect(await messages(shop('seller_id'), taken)).toHaveLength(1);
});

test.each([
  [
    '{ type: string, write_only: true }',
    '{ type: string }',
    'those who may read books may read the values of books.title, and nobody could',
  ],
  [
    '{ type: string, immutable: true }',
    '{ type: string }',
    'those who may change books may change books.title, and nobody could',
  ],
  [
    '{ type: string, set_by: service }',
    '{ type: string }',
    'those who may create or change books may set books.title, and only the service could',
  ],
])(
  'reports a member that is %s and becomes %s, and not the reverse',
  async (before, now, expected) => {
    const of = (member: string): string => books('').replace('{ type: string }', member);
    expect(await messages(of(before), of(now))).toEqual([expected]);
    expect(await messages(of(now), of(before))).toEqual([]);
  },
);

describe('steps', () => {
  const of = (by: string): string =>
    books('').replace(
      'title: { type: string }',
      `state: { type: enum, values: [new, sold], required: true, default: new${by} }`,
    );
  const limited = of(', transitions: { new: [{ to: sold, by: [editor] }], sold: [] }');
  test.each([
    [
      'one more role',
      of(', transitions: { new: [{ to: sold, by: [editor, clerk] }], sold: [] }'),
      'users with the role clerk may take books.state from new to sold, and only editor could',
    ],
    [
      'all who may change',
      of(', transitions: { new: [sold], sold: [] }'),
      'those who may change books may take books.state from new to sold, and only editor could',
    ],
    [
      'no transitions',
      of(''),
      'those who may change books may take books.state from new to sold, and only editor could',
    ],
  ])('%s', async (_what, now, expected) => {
    expect(await messages(limited, now)).toEqual([expected]);
    expect(await messages(now, limited)).toEqual([]);
  });
});

test('a step for those who may change items anyway is no wider access', async () => {
  const of = (by: string): string =>
    books('permissions: { update: [editor] }').replace(
      'title: { type: string }',
      `state: { type: enum, values: [new, sold], required: true, default: new, transitions: { new: [{ to: sold${by} }], sold: [] } }`,
    );
  expect(await messages(of(', by: [editor]'), of(''))).toEqual([]);
});

describe('steps and new items that pass by who had to agree', () => {
  const of = (transitions: string): string =>
    books('').replace(
      'title: { type: string }',
      `state: { type: enum, values: [new, ok, sold], required: true, default: new, transitions: ${transitions} }`,
    );
  const before = of('{ new: [{ to: ok, by: [editor] }], ok: [sold], sold: [] }');
  test.each([
    [
      'a step for all',
      of('{ new: [{ to: ok, by: [editor] }, sold], ok: [sold], sold: [] }'),
      ['those who may change books may take books.state from new to sold, and nobody could'],
    ],
    [
      'a step for another role',
      of('{ new: [{ to: ok, by: [editor] }, { to: sold, by: [clerk] }], ok: [sold], sold: [] }'),
      ['users with the role clerk may take books.state from new to sold, and nobody could'],
    ],
    [
      'a step for the same role',
      of('{ new: [{ to: ok, by: [editor] }, { to: sold, by: [editor] }], ok: [sold], sold: [] }'),
      [],
    ],
    [
      'a step from a value that all could leave',
      of('{ new: [{ to: ok, by: [editor] }], ok: [sold, new], sold: [] }'),
      [],
    ],
    [
      'a new initial value',
      of('{ new: [{ to: ok, by: [editor] }], ok: [sold], sold: [] }, initial: [new, ok]'),
      [
        'those who may create books may create them with books.state ok, and only editor could set it',
      ],
    ],
    [
      'an initial value that all could set',
      of('{ new: [{ to: ok, by: [editor] }], ok: [sold], sold: [] }, initial: [new, sold]'),
      [],
    ],
  ])('%s', async (_what, now, expected) => {
    expect(await messages(before, now)).toEqual(expected);
  });
});

describe('existing tables, whose rows are there already', () => {
  const of = (films: string): string =>
    `name: shop\nschema: service\nroles: [editor]\ncollections:\n  books: { fields: { title: { type: string } } }\n${films}`;
  const films = (more = '', read = 'public'): string =>
    of(`  films:
    table: film
    fields: { title: { type: string }${more} }
    permissions: { read: ${read}, create: [admin], update: [admin], delete: [admin] }
`);

  test('a new collection gives what its permissions say', async () => {
    expect(await messages(of(''), films())).toEqual([
      'callers without a credential may read all items of films, and could read none',
    ]);
    expect(await messages(of(''), films('', '[admin]'))).toEqual([]);
  });

  test('a new field shows a column that is there', async () => {
    expect(await messages(films(), films(', secret: { type: string }'))).toEqual([
      'those who may read films may read the values of films.secret, and nobody could',
    ]);
    const hidden = films(', secret: { type: string, write_only: true }');
    expect(await messages(films(), hidden)).toEqual([]);
    expect(await messages(films(), films(', new_column: { type: string }'))).toEqual([]);
    const renamed = films().replace(
      'film\n    fields: { title: {',
      'film\n    fields: { title: { column: secret,',
    );
    expect(await messages(films(), renamed)).toEqual([
      'those who may read films may read the values of films.title, and nobody could',
    ]);
  });
});

test('another table, and rows that were removed', async () => {
  const films = (keys: string): string => `name: shop
schema: service
collections:
  films:
    ${keys}
    fields: { title: { type: string } }
    permissions: { read: public, create: [admin], update: [admin], delete: [admin] }
`;
  expect(await messages(films('table: film'), films('table: staff'))).toEqual([
    'callers without a credential may read all items of films, and could read none',
  ]);
  const marked = films('table: film\n    soft_delete: { column: deleted_at }');
  expect(await messages(marked, films('table: film'))).toEqual([
    'those who may read films may read its removed items, and nobody could',
  ]);
  expect(await messages(films('table: film'), marked)).toEqual([]);
});

test('a role is told beside strangers where users may do less', async () => {
  // A new item of a collection with a linking owner path belongs to nobody.
  const of = (create: string): string => `name: shop
roles: [editor]
collections:
  members: { fields: { team_id: { type: reference, to: teams, required: true, unique: true }, user_id: { type: reference, to: users, required: true } } }
  teams:
    fields: { title: { type: string } }
    owner: members.user_id
    permissions: { read: [owner, editor], create: ${create} }
`;
  expect(await messages(of('[admin]'), of('public'))).toEqual([
    'callers without a credential may create any items of teams, and could create none',
    'users with the role editor may create any items of teams, and could create none',
  ]);
});

test('reports roles that may read users', async () => {
  const of = (read: string): string => `${books('')}users: { read: ${read} }\n`;
  expect(await messages(of('[editor]'), of('[editor, clerk]'))).toEqual([
    'users with the role clerk may read the names of all users, and could read their own',
  ]);
  expect(await messages(of('[editor, clerk]'), of('[editor]'))).toEqual([]);
});
