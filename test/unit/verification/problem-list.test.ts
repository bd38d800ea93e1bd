import { expect, test } from 'vitest';

import { ProblemList } from '../../../src/verification/problem-list.ts';

test('keeps the first ten problems, and counts all', () => {
  const all = new ProblemList();
  for (const page of ['a', 'b', 'c']) {
    const problems = new ProblemList();
    for (let at = 0; at < 6; at++) problems.add({ message: `${page}${at}` });
    all.addAll(problems);
  }
  expect(all.count).toBe(18);
  expect(all.first.map(({ message }) => message).join(' ')).toBe('a0 a1 a2 a3 a4 a5 b0 b1 b2 b3');
});
