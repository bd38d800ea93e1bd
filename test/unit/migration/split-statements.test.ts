/** The generator and the emitted service split SQL into the same statements. */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { splitStatements } from '../../../src/migration/split-statements.ts';
import { splitStatements as splitInService } from '../../../templates/service/src/platform/database/apply-migrations.ts';

test.each<[what: string, sql: string, statements: readonly string[]]>([
  ['nothing', '', ['']],
  ['two statements', 'select 1; select 2', ['select 1', ' select 2']],
  ['a last semicolon', 'select 1;\n', ['select 1', '\n']],
  ['strings', `select ';', 'it''s;'; b`, [`select ';', 'it''s;'`, ' b']],
  ['a string with a comment', `select '--'; b`, [`select '--'`, ' b']],
  ['names', `select "a;""b"; b`, [`select "a;""b"`, ' b']],
  ['an E string', String.raw`select E'a\n;b'; b`, [String.raw`select E'a\n;b'`, ' b']],
  ['dollar quotes', `do $$ a; '; $$; b`, [`do $$ a; '; $$`, ' b']],
  ['dollar quotes within others', 'do $a$ $$;$$ ; $b$ $a$; b', ['do $a$ $$;$$ ; $b$ $a$', ' b']],
  ['parameters', 'select $1; select $2', ['select $1', ' select $2']],
  ['a comment', `a -- don't; b\n; c`, [`a -- don't; b\n`, ' c']],
  ['a comment at the end', 'a; -- b; c', ['a', ' -- b; c']],
  ['a comment over lines', `a /* "; ' -- \n */; b`, [`a /* "; ' -- \n */`, ' b']],
  ['a text that does not end', `a; 'b; c`, ['a', ` 'b; c`]],
])('splits %s', (_what, sql, statements) => {
  expect(splitStatements(sql)).toEqual(statements);
  expect(splitInService(sql)).toEqual(statements);
});

const PARTS = [
  "'",
  "''",
  '"',
  ';',
  '--',
  '\n',
  '/*',
  '*/',
  '$$',
  '$a$',
  '$1',
  "E'",
  '\\',
  'a',
  ' ',
];

test('the generator and the service split any text alike, and lose nothing of it', () => {
  const sql = fc.array(fc.constantFrom(...PARTS)).map((parts) => parts.join(''));
  fc.assert(
    fc.property(sql, (text) => {
      const statements = splitStatements(text);
      expect(splitInService(text)).toEqual(statements);
      expect(statements.join(';')).toBe(text);
    }),
  );
});
