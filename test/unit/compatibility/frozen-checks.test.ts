/** Checks of frozen versions: with the names of a version, and of members that it does not have. */
import { describe, expect, test } from 'vitest';

import { breaks as breaksOf } from './frozen-shop.ts';

const breaks = (before: readonly [string, string], after: readonly [string, string]) =>
  breaksOf(withChecks(before), withChecks(after));

const withChecks = ([fields, checks]: readonly [string, string]): [string, string] => [
  fields,
  checks === '' ? '' : `checks: { ${checks} }`,
];

const OLD = 'title: { type: string }, cost: { type: integer, name_in: { 1: price } }';
const NEW = `${OLD}, pages: { type: integer, since: 2 }`;
const BOTH = "c: { rule: 'cost > 1 or title != null' }";
const HIDDEN = "d: { rule: 'pages > 1 or title != null' }";

describe('a check of a frozen version', () => {
  test('stays, whatever its members are called', async () => {
    expect(await breaks([OLD, BOTH], [OLD, BOTH])).toEqual([]);
    const renamed = OLD.replace('cost:', 'fee:').replace(
      'integer,',
      'integer, renamed_from: cost,',
    );
    expect(await breaks([OLD, BOTH], [renamed, BOTH.replace('cost', 'fee')])).toEqual([]);
    expect(await breaks([OLD, BOTH], [OLD, ''])).toEqual([]);
  });

  test('is told under the names of the version', async () => {
    expect(await breaks([OLD, ''], [OLD, BOTH])).toEqual([
      [
        'check-new',
        [1],
        'breaks version 1: collection books has the new check c (price > 1 or title != null): clients that send values that violate it get 422',
      ],
    ]);
  });

  test('may be about members that the version does not have', async () => {
    expect(await breaks([NEW, HIDDEN], [NEW, HIDDEN])).toEqual([]);
    expect(await breaks([NEW, HIDDEN], [NEW, ''])).toEqual([]);
    expect(await breaks([NEW, ''], [NEW, HIDDEN])).toEqual([
      ['check-new', [1], expect.stringMatching(/pages > 1/)],
    ]);
    const narrower = HIDDEN.replace('> 1', '> 2');
    expect(await breaks([NEW, HIDDEN], [NEW, narrower])).toEqual([
      ['check-new', [1], expect.stringMatching(/> 2/)],
    ]);
    const renamed = NEW.replace(
      'pages: { type: integer',
      'size: { type: integer, renamed_from: pages',
    );
    expect(await breaks([NEW, HIDDEN], [renamed, HIDDEN.replace('pages', 'size')])).toEqual([]);
  });

  test('may name a value of an enum that the version does not have', async () => {
    const status =
      'n: { type: integer }, s: { type: enum, values: [x, { value: y, since: 2, as: x }], default: x }';
    const check = `c: { rule: "s != 'y' or n != null" }`;
    expect(await breaks([status, check], [status, check])).toEqual([]);
    expect(await breaks([status, ''], [status, check])).toEqual([
      ['check-new', [1], expect.stringMatching(/'y'/)],
    ]);
  });
});
