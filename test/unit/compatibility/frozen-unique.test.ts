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
    expect(await breaks([NEW, HIDDEN], [NEW, HIDDEN.replace('> 1', '> 2')])).toEqual([
      ['unique-new', [1], expect.stringMatching(/> 2/)],
    ]);
    expect(await breaks([NEW, HIDDEN], [NEW, HIDDEN.replace('> 1', '> 1 and cost > 2')])).toEqual(
      [],
    );
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
