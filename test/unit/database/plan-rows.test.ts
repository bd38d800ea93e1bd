/** What a page is expected to read, by plans as PostgreSQL 18 writes them and sums done by hand. */
import { expect, test } from 'vitest';

import { readingOf } from '../../../src/database/plan-rows.ts';
import type { PlanContext, PlanNode } from '../../../src/database/plan-rows.ts';

const CONTEXT: PlanContext = {
  tables: new Map([['books', 200_000]]),
  listed: new Set(['books']),
  conditions: [
    { column: 'status', rows: 20_000 },
    { column: 'author_id', rows: 900 },
  ],
};

/** A step that yields this many rows. */
const step = (
  type: string,
  rows: number,
  rest: Partial<PlanNode> = {},
  ...plans: PlanNode[]
): PlanNode => ({
  'Node Type': type,
  'Plan Rows': rows,
  'Startup Cost': 0,
  'Total Cost': 100,
  ...rest,
  ...(plans.length > 0 && { Plans: plans }),
});

const walk = (rows: number, rest: Partial<PlanNode> = {}): PlanNode =>
  step('Index Scan', rows, { 'Relation Name': 'books', 'Index Name': 'by_date', ...rest });
const bitmap = (index: string, rows: number): PlanNode =>
  step('Bitmap Index Scan', rows, { 'Index Name': index, 'Index Cond': '(x = 1)' });
const limited = (plan: PlanNode, rows = 21): PlanNode =>
  step('Limit', Math.min(rows, plan['Plan Rows']), {}, plan);

const DRAFT = "((status)::text = 'author_id'::text)";

test.each<[what: string, plan: PlanNode, rows: number]>([
  ['an index in order, no filter: a page', limited(walk(200_000)), 21],
  // 200,000 × 21 / 2,000
  ['a filter on the way', limited(walk(2_000, { Filter: DRAFT })), 2_100],
  ['fewer matches than a page: the whole table', limited(walk(5, { Filter: DRAFT })), 200_000],
  ['a condition without a filter', limited(walk(20_000, { 'Index Cond': DRAFT })), 21],
  // 20,000 match the condition; of them 100 pass the filter: 20,000 × 21 / 100
  [
    'a condition and a filter',
    limited(walk(100, { 'Index Cond': DRAFT, Filter: '(author_id = $1)' })),
    4_200,
  ],
  [
    'a sort of a whole table',
    limited(step('Sort', 200_000, {}, step('Seq Scan', 200_000, { 'Relation Name': 'books' }))),
    200_000,
  ],
  [
    'a filtered scan that is sorted',
    limited(
      step('Sort', 300, {}, step('Seq Scan', 300, { 'Relation Name': 'books', Filter: DRAFT })),
    ),
    200_000,
  ],
  [
    'a bitmap that is sorted',
    limited(step('Sort', 20_000, {}, step('Bitmap Heap Scan', 20_000, {}, bitmap('a', 20_000)))),
    20_000,
  ],
  [
    'two bitmaps that are combined',
    limited(
      step(
        'Sort',
        90,
        {},
        step(
          'Bitmap Heap Scan',
          90,
          {},
          step('BitmapAnd', 90, {}, bitmap('a', 20_000), bitmap('b', 900)),
        ),
      ),
    ),
    20_900,
  ],
  // The first group has 10 % of the costs, and so of the rows.
  [
    'an incremental sort: one group at least',
    limited(
      step(
        'Incremental Sort',
        50_000,
        { 'Startup Cost': 10 },
        walk(50_000, { 'Index Cond': DRAFT }),
      ),
    ),
    5_000,
  ],
  // Two workers and 0.4 of the leader read 2.4 × 10,000.
  [
    'a parallel scan',
    limited(
      step(
        'Gather Merge',
        24_000,
        { 'Workers Planned': 2 },
        step('Sort', 10_000, {}, walk(10_000, { 'Index Cond': DRAFT, 'Parallel Aware': true })),
      ),
    ),
    24_000,
  ],
  // 3 authors, and a page of each: 3 + 3 × 21
  [
    'a page for each row of another table',
    limited(
      step(
        'Sort',
        63,
        {},
        step(
          'Nested Loop',
          63,
          {},
          step('Index Scan', 3, { 'Index Cond': '(user_id = $1)' }),
          limited(walk(900, { 'Index Cond': '(author_id = a.id)' })),
        ),
      ),
    ),
    66,
  ],
])('%s', (_what, plan, rows) => {
  expect(readingOf(plan, CONTEXT).rows).toBe(rows);
});

test('names the indexes that are used, and says what is sorted and scanned', () => {
  const scan = step('Seq Scan', 10, { 'Relation Name': 'books' });
  const plan = limited(step('Sort', 10, {}, step('Append', 10, {}, scan, walk(5), walk(5))));
  expect(readingOf(plan, CONTEXT)).toMatchObject({
    indexes: ['by_date'],
    isScan: true,
    isSorted: true,
  });
  expect(readingOf(limited(walk(5)), CONTEXT)).toMatchObject({ isScan: false, isSorted: false });
  const walks = [
    walk(5),
    walk(5, { Filter: DRAFT }),
    walk(5, { Filter: DRAFT, 'Index Cond': DRAFT }),
  ];
  expect(walks.map((node) => readingOf(node, CONTEXT).isWalk)).toEqual([false, true, false]);
  // The table of owners is a small one.
  const owners = step('Seq Scan', 300, { 'Relation Name': 'authors' });
  expect(readingOf(step('Nested Loop', 9, {}, owners, walk(3)), CONTEXT)).toMatchObject({
    isScan: false,
  });
});
