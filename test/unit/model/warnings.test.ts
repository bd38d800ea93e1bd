/** What definitions are warned about, with the exact words and places. */
import { expect, test } from 'vitest';

import { issueLine, parseSingleFile } from '../../../src/definition/index.ts';
import { warningsOf } from '../../../src/model/warnings.ts';
import { warningsIn } from '../../../src/commands/plan-run.ts';

/** The warnings of a service with these collections, each a line. */
async function warnings(...collections: readonly string[]): Promise<readonly string[]> {
  const text = ['roles: [editor, clerk]', 'collections:', ...collections].join('\n');
  const file = { path: 'shop.yaml', bytes: new TextEncoder().encode(text) };
  const result = await parseSingleFile(file, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  return warningsOf(result.service).map((warning) => issueLine(warning, 'warning'));
}

const FIELDS = 'fields: { email: { type: string, unique: true } }';
const AUTHORS = (permission: string) =>
  `  authors: { fields: { name: { type: string } }, permissions: { delete: ${permission} } }`;
const BOOKS = (permission: string, onDelete = 'cascade') =>
  `  books: { fields: { author_id: { type: reference, to: authors, on_delete: ${onDelete} } }, permissions: { delete: ${permission} } }`;

test('a unique value of a collection that owners alone read', async () => {
  expect(await warnings(`  cards: { ${FIELDS}, permissions: { read: owner } }`)).toEqual([
    'shop.yaml:3:22 warning field "email" is unique, and read of "cards" is narrower than create or update: a 409 tells callers of values in items that they cannot read. Widen read, remove unique, or write "acknowledge: [unique-reveals]" if it is meant so.',
  ]);
  const group = 'fields: { a: { type: string }, b: { type: string } }, unique: [[a, b]]';
  expect(await warnings(`  cards: { ${group}, permissions: { read: [owner, editor] } }`)).toEqual([
    expect.stringMatching(/^shop\.yaml:3:75 warning "a" and "b" are unique together, and read of /),
  ]);
});

test('a unique value that only the service sets, and one that is meant so, give no warning', async () => {
  const set =
    'number: { type: string, set_by: service, required: true, unique: true }, shelf: { type: string, read_only: true }';
  const permissions = 'permissions: { read: owner }';
  const together = `fields: { ${set} }, unique: [[number, shelf]], ${permissions}`;
  expect(await warnings(`  cards: { ${together} }`)).toEqual([]);
  const meant = `acknowledge: [unique-reveals], ${permissions}`;
  expect(await warnings(`  cards: { ${FIELDS}, ${meant} }`)).toEqual([]);
  const other = `acknowledge: [index-shortened], ${permissions}`;
  expect(await warnings(`  cards: { ${FIELDS}, ${other} }`)).toHaveLength(1);
});

test.each([
  ['public', '{ read: [editor], create: public, update: [editor] }'],
  ['other roles', '{ read: [editor], create: [editor, clerk], update: [editor] }'],
  ['owners who change', '{ read: [owner, editor], create: [editor], update: owner }'],
])('a unique value that %s may write and not read', async (_who, permissions) => {
  expect(await warnings(`  cards: { ${FIELDS}, permissions: ${permissions} }`)).toHaveLength(1);
});

test('no unique number that the database assigns', async () => {
  const number =
    'fields: { number: { type: integer, set_by: service, default: sequence, required: true, unique: true } }';
  expect(await warnings(`  cards: { ${number}, permissions: { read: owner } }`)).toEqual([]);
});

test.each([
  ['everybody may read', '{ read: public, create: public, update: public }'],
  ['every caller may read', '{}'],
  ['those may read who write', '{ read: [owner, editor], create: [editor], update: [editor] }'],
])('no unique value that %s', async (_who, permissions) => {
  expect(await warnings(`  cards: { ${FIELDS}, permissions: ${permissions} }`)).toEqual([]);
});

test('a cascade into a collection with a stricter delete', async () => {
  expect(await warnings(AUTHORS('[editor]'), BOOKS('[admin]'))).toEqual([
    'shop.yaml:4:22 warning field "author_id" has on_delete "cascade", and delete of "authors" is wider than delete of "books": removing one removes "books" that the caller could not remove. Write on_delete "refuse", or narrow delete of "authors".',
  ]);
  expect(await warnings(AUTHORS('authenticated'), BOOKS('owner'))).toHaveLength(1);
  expect(await warnings(AUTHORS('public'), BOOKS('authenticated'))).toHaveLength(1);
});

test('no cascade into a collection with the same delete or a wider one, and nothing else', async () => {
  expect(await warnings(AUTHORS('[editor]'), BOOKS('[editor, clerk]'))).toEqual([]);
  expect(await warnings(AUTHORS('owner'), BOOKS('owner'))).toEqual([]);
  expect(await warnings(AUTHORS('public'), BOOKS('[admin]', 'refuse'))).toEqual([]);
  const users = 'fields: { user_id: { type: reference, to: users, on_delete: cascade } }';
  expect(await warnings(`  cards: { ${users}, permissions: { delete: [admin] } }`)).toEqual([]);
});

const CLUBS = (permissions: string) =>
  `  clubs: { fields: { name: { type: string } }, permissions: ${permissions} }`;
const TOURS = (permissions: string, to = 'clubs', options = 'required: true') =>
  `  tours: { fields: { club_id: { type: reference, to: ${to}, ${options} } }, permissions: ${permissions} }`;

test('a role that may create, and not read what it must refer to', async () => {
  expect(await warnings(CLUBS('{ read: [editor] }'), TOURS('{ create: [clerk] }'))).toEqual([
    'shop.yaml:4:22 warning role "clerk" may create "tours" and may not read "clubs", to which the required field "club_id" refers: every POST of theirs is 422. Add "clerk" to read of "clubs", or take "clerk" out of create of "tours".',
  ]);
  expect(await warnings(CLUBS('{ read: [admin] }'), TOURS('{ create: [editor, clerk] }'))).toEqual([
    expect.stringMatching(/ warning roles "editor" and "clerk" may create .* take "editor" and /),
  ]);
});

test.each([
  ['callers without the role "editor"', '{ read: [editor] }', '{}'],
  ['callers who are not administrators', '{ read: [admin] }', '{ create: authenticated }'],
  ['callers without credentials', '{}', '{ create: public }'],
  ['callers without credentials', '{ read: owner }', '{ create: public }'],
])('%s who may create, and not read what they must refer to', async (who, read, create) => {
  expect(await warnings(CLUBS(read), TOURS(create))).toEqual([
    `shop.yaml:4:22 warning ${who} may create "tours" and may not read "clubs", to which the required field "club_id" refers: every POST of theirs is 422. Widen read of "clubs", or narrow create of "tours".`,
  ]);
});

test('strangers who may create what must refer to a user', async () => {
  expect(await warnings(TOURS('{ create: public }', 'users'))).toEqual([
    expect.stringMatching(/ is 422\. Narrow create of "tours"\.$/),
  ]);
  expect(await warnings(TOURS('{ create: authenticated }', 'users'))).toEqual([]);
});

test.each([
  ['everybody reads', '{ read: public }', '{ create: public }', 'required: true'],
  ['may be left out', '{ read: [editor] }', '{}', 'nested: true'],
  ['those may read', '{ read: [editor, clerk] }', '{ create: [clerk] }', 'required: true'],
  ['those may own', '{ read: owner }', '{ create: [clerk] }', 'required: true'],
  ['administrators create', '{ read: [editor] }', '{ create: [admin] }', 'required: true'],
])('no reference that %s', async (_which, read, create, options) => {
  expect(await warnings(CLUBS(read), TOURS(create, 'clubs', options))).toEqual([]);
});

test('a role that may set a reference, and not read what it refers to', async () => {
  const club = CLUBS('{ read: [editor] }');
  expect(await warnings(club, TOURS('{ create: [clerk] }', 'clubs', 'nested: true'))).toEqual([
    'shop.yaml:4:22 warning role "clerk" may set "club_id" of "tours" and may not read "clubs": any id is 422. Add "clerk" to read of "clubs".',
  ]);
  const update = '{ create: [editor], update: [clerk] }';
  expect(await warnings(club, TOURS(update))).toEqual([
    expect.stringContaining('role "clerk" may set "club_id"'),
  ]);
  expect(await warnings(club, TOURS(update, 'clubs', 'immutable: true'))).toEqual([]);
  expect(await warnings(club, TOURS(update, 'clubs', 'read_only: true'))).toEqual([]);
  // Said already: those who create nothing.
  const both = await warnings(club, TOURS('{ create: [clerk], update: [clerk] }'));
  expect(both).toEqual([expect.stringContaining('every POST of theirs is 422')]);
});

test('a role that may refer to users, and not read them', async () => {
  const users = (permissions: string, rest = '') =>
    `  tours: { fields: { guide_id: { type: reference, to: users, nested: true } }, permissions: ${permissions}${rest} }`;
  expect(await warnings(users('{ create: [clerk], update: [clerk, editor] }'))).toEqual([
    `shop.yaml:3:22 warning roles "clerk" and "editor" may set "guide_id" of "tours" and may not read users: any id but the caller's own is 422. Write "users: { read: [clerk, editor] }" in the service.`,
  ]);
  expect(await warnings(users('{ create: [admin] }'))).toEqual([]);
  expect(await warnings(users('{ create: authenticated }'))).toEqual([]);
  const permissions = '{ read: [owner, clerk], create: [clerk, editor], update: owner }';
  // Editors own what they create, and clerks create for others.
  expect(await warnings(users(permissions, ', owner: guide_id'))).toEqual([
    expect.stringContaining('role "clerk" may set "guide_id"'),
  ]);
});

test('a role that may read users refers to them', async () => {
  const text = `
roles: [editor, clerk]
users: { read: [clerk] }
collections:
  tours: { fields: { guide_id: { type: reference, to: users } }, permissions: { create: [clerk, editor] } }
`;
  const file = { path: 'shop.yaml', bytes: new TextEncoder().encode(text) };
  const result = await parseSingleFile(file, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  expect(warningsOf(result.service).map(({ message }) => message)).toEqual([
    `role "editor" may set "guide_id" of "tours" and may not read users: any id but the caller's own is 422. Write "users: { read: [clerk, editor] }" in the service.`,
  ]);
});

test('an unchanged project is warned of it, too', async () => {
  const texts = {
    'service.yaml': 'name: shop\n',
    'collections/clubs.yaml':
      'fields: { name: { type: string } }\npermissions: { read: [admin] }\n',
    'collections/tours.yaml':
      'fields: { club_id: { type: reference, to: clubs, required: true } }\n',
  };
  const files = Object.entries(texts).map(([name, text]) => ({
    path: `definitions/${name}`,
    bytes: new TextEncoder().encode(text),
  }));
  expect(await warningsIn(files)).toHaveLength(1);
});

test('an entry of indexes that leaves out fields', async () => {
  const books = (length: number) =>
    `  books: { fields: { note: { type: string, max_length: ${length} }, code: { type: string, max_length: 200 } }, indexes: [[code], [note, code]] }`;
  expect(await warnings(books(500))).toEqual([
    'shop.yaml:3:3 warning an entry of indexes of "books" leaves out "code": with their values an index could have an entry larger than the 2,704 bytes that PostgreSQL takes, or more than 32 columns. Lower max_length or precision of its fields, or remove some.',
  ]);
  expect(await warnings(books(400))).toEqual([]);
});

const LINKED = (permissions: string, link = 'on_delete: cascade') =>
  `  clubs: { fields: { name: { type: string } }, permissions: ${permissions}, owner: passes.user_id }
  passes: { fields: { club_id: { type: reference, to: clubs, unique: true, ${link} }, user_id: { type: reference, to: users } }, permissions: { create: [editor], update: [editor] } }`;
const ABOUT_LINKS = /belongs to nobody until|make themselves the owners|by an owner is 409/;
const aboutLinks = async (...collections: string[]) =>
  (await warnings(...collections)).filter((line) => ABOUT_LINKS.test(line));

test('callers who may create only their own, where new items belong to nobody', async () => {
  expect(await aboutLinks(LINKED('{ read: [owner, editor], create: [editor, clerk] }'))).toEqual([
    'shop.yaml:3:3 warning role "clerk" may create "clubs", but only their own, and a new one belongs to nobody until one of "passes" refers to it: every POST of theirs is 403. Add "clerk" to read of "clubs", or take "clerk" out of create.',
  ]);
  expect(await aboutLinks(LINKED('{ read: [owner, editor] }'))).toEqual([
    expect.stringMatching(/callers without the role "editor" may .* Narrow create of "clubs"\.$/),
  ]);
  expect(await aboutLinks(LINKED('{ read: [owner, editor], create: [editor] }'))).toEqual([]);
  const update = '{ read: public, create: public, update: [editor, owner], delete: [admin] }';
  expect(await aboutLinks(LINKED(update))).toEqual([
    expect.stringContaining('signed-in callers without the role "editor" may create "clubs"'),
  ]);
});

test('callers without a role who may link items to themselves', async () => {
  const open = '{ read: public, create: [editor], update: [editor, owner] }';
  expect(await aboutLinks(LINKED(open))).toEqual([]);
  const links = (permissions: string, options = '') =>
    LINKED(open, options).replace('create: [editor], update: [editor] } }', permissions + ' } }');
  expect(await aboutLinks(links('create: authenticated, update: [editor]'))).toEqual([
    'shop.yaml:4:23 warning callers without a role may set "club_id" of "passes", and may read all of "clubs": they can make themselves the owners of items that have none. Narrow create and update of "passes", or read of "clubs".',
  ]);
  expect(await aboutLinks(links('create: [editor], update: [owner, editor]'))).toHaveLength(1);
  expect(
    await aboutLinks(links('create: [editor], update: [owner, editor]', 'immutable: true')),
  ).toEqual([]);
  // A reference to an item that the caller may not read is refused.
  const hidden = links('create: authenticated, update: [editor]');
  expect(await aboutLinks(hidden.replace('read: public', 'read: [owner, editor]'))).toEqual([]);
});

test('callers without a role who may change by whom items of others are owned', async () => {
  const clubs =
    '  clubs: { fields: { boss_id: { type: reference, to: bosses } }, permissions: { read: [owner, editor], create: [editor], update: [owner, editor] }, owner: boss_id.user_id }';
  const bosses = (update: string, options = '') =>
    `  bosses: { fields: { user_id: { type: reference, to: users${options} } }, permissions: { create: [editor], update: ${update} } }`;
  expect(await aboutLinks(clubs, bosses('authenticated'))).toEqual([
    'shop.yaml:4:23 warning callers without a role may change "user_id" of "bosses", by which "clubs" have their owners: they can make themselves the owners of items of others. Narrow update of "bosses".',
  ]);
  expect(await aboutLinks(clubs, bosses('authenticated', ', immutable: true'))).toEqual([]);
  expect(await aboutLinks(clubs, bosses('[editor]'))).toEqual([]);
  // Of their own items, owners may say whose they are.
  const own = clubs.replace('update: [owner, editor]', 'update: authenticated');
  expect(await aboutLinks(own, bosses('[editor]'))).toEqual([]);
  const linked = LINKED('{ read: [owner, editor], create: [editor] }', 'immutable: true');
  expect(await aboutLinks(linked.replace('update: [editor] } }', 'update: public } }'))).toEqual([
    expect.stringContaining('may change "user_id" of "passes", by which "clubs" have'),
  ]);
});

test('no cascade of the item that makes a caller the owner', async () => {
  const links = (remove: string) =>
    LINKED(`{ read: [owner, editor], create: [editor], delete: ${remove} }`).replace(
      'update: [editor] }',
      'update: [editor], delete: [editor] }',
    );
  const cascades = async (remove: string) =>
    (await warnings(links(remove))).filter((line) => line.includes('has on_delete "cascade"'));
  expect(await cascades('[owner, editor]')).toEqual([]);
  expect(await cascades('[owner, clerk]')).toHaveLength(1);
});

test('items that their owners may delete, if nothing referred to them', async () => {
  const permissions = '{ read: [owner, editor], create: [editor], delete: [owner, editor] }';
  expect(await aboutLinks(LINKED(permissions, 'on_delete: refuse'))).toEqual([
    'shop.yaml:3:3 warning delete of "clubs" names owner, but each DELETE by an owner is 409: the item of "passes" that gives an item its owner refers to it by "club_id". Write "on_delete: cascade" at "club_id", or take owner out of delete of "clubs".',
  ]);
  expect(await aboutLinks(LINKED(permissions))).toEqual([]);
  expect(await aboutLinks(LINKED(permissions, 'on_delete: clear'))).toEqual([]);
  const kept = permissions.replace('delete: [owner, editor]', 'delete: [editor]');
  expect(await aboutLinks(LINKED(kept, 'on_delete: refuse'))).toEqual([]);
});

test('roles and owners who may change items, and read none of those', async () => {
  const notes = (permissions: string) =>
    warnings(`  notes: { fields: { text: { type: string } }, permissions: ${permissions} }`);
  expect(await notes('{ read: [clerk], update: [editor, owner, clerk] }')).toEqual([
    'shop.yaml:3:3 warning owners and role "editor" may update "notes" and may not read what they may update: a change answers the whole item, so every PUT and PATCH of theirs is refused. Add owner and "editor" to read, or take owner and "editor" out of update.',
  ]);
  expect(await notes('{ read: [editor, owner], update: [editor, owner, admin] }')).toEqual([]);
  // What is true of all callers is meant of those who may read.
  expect(await notes('{ read: [editor], update: authenticated }')).toEqual([]);
});

/** What is warned of in a collection of orders with these fields and checks. */
const orders = (fields: string, checks: string) =>
  warnings(`  orders: { fields: { ${fields} }, checks: { ${checks} } }`);
const STATUS =
  'status: { type: enum, values: [open, paid, sent], default: open, transitions: { open: [paid], paid: [sent], sent: [] } }';

test('values that checks exclude, and those that no steps lead to without them', async () => {
  const needed =
    'paid: { rule: "status != \'paid\' or total > 10" }, cheap: { rule: "total < 10" }';
  expect(
    await orders(
      `${STATUS}, total: { type: integer, required: true }`,
      `${needed}, round: { rule: "total != 7" }`,
    ),
  ).toEqual([
    'shop.yaml:3:23 warning no item can have "paid" as "status" of "orders": the checks "paid" and "cheap" exclude it. Change one of them, or remove the value.',
    'shop.yaml:3:88 warning no steps of "status" of "orders" lead from "open" to "sent". Add a step, or an initial value.',
  ]);
  // A total of null keeps both checks.
  expect(await orders(`${STATUS}, total: { type: integer }`, needed)).toEqual([]);
  // A hook may set the member.
  expect(
    await orders(
      `${STATUS}, total: { type: integer, set_by: service, required: true, default: 1 }`,
      'paid: { rule: "status != \'paid\' or total > 10" }',
    ),
  ).toEqual([]);
});

test('values of an enum without transitions and of a boolean that checks exclude', async () => {
  expect(
    await orders(
      'kind: { type: enum, values: [a, b] }, is_open: { type: boolean, required: true }',
      'kind: { rule: "kind != \'b\'" }, open: { rule: "is_open = true" }',
    ),
  ).toEqual([
    'shop.yaml:3:23 warning no item can have "b" as "kind" of "orders": check "kind" excludes it. Change the check, or remove the value.',
    'shop.yaml:3:61 warning no item can have false as "is_open" of "orders": check "open" excludes it. Change the check, or remove the value.',
  ]);
});

test('a step for which an immutable member would have to change', async () => {
  const checks =
    'paid: { rule: "status != \'paid\' or total = 1" }, sent: { rule: "status != \'sent\' or total = 2" }';
  const total = (more: string) => `${STATUS}, total: { type: integer, required: true${more} }`;
  expect(await orders(total(', immutable: true'), checks)).toEqual([
    'shop.yaml:3:88 warning no request can take the step of "status" of "orders" from "paid" to "sent": the checks allow no values of its immutable members with both. Change a check, or remove the step.',
    'shop.yaml:3:88 warning no steps of "status" of "orders" lead from "open" to "sent". Add a step, or an initial value.',
  ]);
  expect(await orders(total(''), checks)).toEqual([]);
});

test('the values that a search tries are found once for a field, not for each of its values and steps', async () => {
  const values = Array.from({ length: 30 }, (_, at) => `v${at}`);
  const steps = values.map((value, at) => `${value}: [${values.slice(at + 1).join(', ')}]`);
  const status = `status: { type: enum, values: [${values.join(', ')}], default: v0, transitions: { ${steps.join(', ')} } }`;
  const service = `collections: { orders: { fields: { ${status}, total: { type: integer, required: true, immutable: true } }, checks: { a: { rule: "status != 'v1' or total > 1" } } } }`;
  const file = { path: 'shop.yaml', bytes: new TextEncoder().encode(service) };
  const result = await parseSingleFile(file, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  let reads = 0;
  // The type tells how often a search asks which values the member can have.
  const counted = result.service.collections.map((collection) => ({
    ...collection,
    fields: collection.fields.map((field) =>
      field.type.type === 'integer'
        ? {
            ...field,
            get type() {
              reads++;
              return field.type;
            },
          }
        : field,
    ),
  }));
  expect(warningsOf({ ...result.service, collections: counted })).toEqual([]);
  expect(reads).toBeGreaterThan(0);
  // Of 465 steps and 30 values, not one for each.
  expect(reads).toBeLessThan(30);
});
