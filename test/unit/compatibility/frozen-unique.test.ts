/** Unique values of frozen versions: with the names of a version, and rules of members that it does not have. */
import { describe, expect, test } from 'vitest';

import { breaks } from './frozen-shop.ts';

const OLD = 'title: { type: string }, cost: { type: integer, name_in: { 1: price } }';
const NEW = `${OLD}, pages: { type: integer, since: 2 }`;
const BOTH = "unique: [{ fields: [title], where: 'cost > 1' }]";
const HIDDEN = "unique: [{ fields: [title], where: 'pages > 1' }]";

describe('unique values of a frozen version', () => {
  test('stay, whatever their members are called', async () => {
    expect(await breaks([OLD, BOTH], [OLD, BOTH])).toEqual([]);
    const renamed = OLD.replace('cost:', 'fee:').replace(
      'integer,',
      'integer, renamed_from: cost,',
    );
    expect(await breaks([OLD, BOTH], [renamed, BOTH.replace('cost', 'fee')])).toEqual([]);
    expect(await breaks([OLD, BOTH], [OLD, ''])).toEqual([]);
  });

  test('are told under the names of the version', async () => {
    expect(await breaks([OLD, ''], [OLD, BOTH])).toEqual([
      [
        'unique-new',
        [1],
        'breaks version 1: collection books has the unique field title among items where price > 1: clients that send values that are taken get 409',
      ],
    ]);
  });

  test('may have a rule about members that the version does not have', async () => {
    expect(await breaks([NEW, HIDDEN], [NEW, HIDDEN])).toEqual([]);
    expect(await breaks([NEW, HIDDEN], [NEW, ''])).toEqual([]);
    expect(await breaks([NEW, ''], [NEW, HIDDEN])).toEqual([
      ['unique-new', [1], expect.stringMatching(/pages > 1/)],
    ]);
    expect(await breaks([NEW, HIDDEN], [NEW, HIDDEN.replace('> 1', '> 0')])).toEqual([
      ['unique-new', [1], expect.stringMatching(/> 0/)],
    ]);
    for (const narrower of ['> 2', '> 1 and cost > 2']) {
      expect(await breaks([NEW, HIDDEN], [NEW, HIDDEN.replace('> 1', narrower)])).toEqual([]);
    }
    expect(await breaks([NEW, HIDDEN], [NEW, 'unique: [[title]]'])).toEqual([
      ['unique-new', [1], expect.stringMatching(/the unique field title:/)],
    ]);
    expect(await breaks([NEW, 'unique: [[title]]'], [NEW, HIDDEN])).toEqual([]);
    const renamed = NEW.replace(
      'pages: { type: integer',
      'size: { type: integer, renamed_from: pages',
    );
    expect(await breaks([NEW, HIDDEN], [renamed, HIDDEN.replace('pages', 'size')])).toEqual([]);
  });

  test('of members that the version does not have are no concern of it', async () => {
    const pages = "unique: [{ fields: [title, pages], where: 'cost > 1' }]";
    expect(await breaks([NEW, ''], [NEW, pages])).toEqual([]);
  });

  test('may have a rule with a value of an enum that gets another name', async () => {
    const [values, renamed] = [
      'values: [a, b, c]',
      'values: [a, { value: z, renamed_from: c }, b]',
    ];
    const older = ', type_in: { 1: { type: enum, values: { a: a, z: c, b: b } } }';
    const field = (text: string): string => `n: { type: integer }, s: { type: enum, ${text} }`;
    const where = (rule: string): string => `unique: [{ fields: [n], where: "${rule}" }]`;
    const before = [field(values), where("s = 'c'")] as const;
    const after = (text: string, rule: string) => breaks([...before], [field(text), where(rule)]);
    for (const text of [renamed + older, `values: [a, z, b]${older}`]) {
      expect(await after(text, "s = 'z'")).toEqual([]);
      expect(await after(text, "s = 'b'")).toEqual([['unique-new', [1], expect.any(String)]]);
    }
  });

  test('may have a rule with a value of an enum that the version does not have', async () => {
    const status =
      'n: { type: integer }, s: { type: enum, values: [x, { value: y, since: 2, as: x }], default: x }';
    const rule = `unique: [{ fields: [n], where: "s = 'y'" }]`;
    expect(await breaks([status, rule], [status, rule])).toEqual([]);
    expect(await breaks([status, ''], [status, rule])).toEqual([
      ['unique-new', [1], expect.stringMatching(/'y'/)],
    ]);
  });
});
