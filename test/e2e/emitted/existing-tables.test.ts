/** A service over existing tables, with versions, events, included references, transitions and checks. */
import { CONVENTIONS, testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'existing-tables',
  from: 'test/e2e/definitions/existing-tables.yaml',
  tests: ['PGlite', 'PostgreSQL'],
  hasConventions: true,
  // They do not depend on the tables; events.test.ts runs those of webhooks on both databases.
  excluded: [
    'test/webhook*.test.ts',
    'test/{authentication,configuration,database-away,docs,late-bodies,operation,tokens,users}.test.ts',
  ],
  // On PGlite: each kind of key, arrays, removal by a mark, and members that the database sets. What other collections do is the same
  // there.
  notOnPglite: [
    CONVENTIONS,
    'test/collections/v*/**',
    'test/collections/!(badges|castings|films|halls|words).test.ts',
  ],
  requests: { PGlite: 400 },
  // PGlite creates the tables.
  documents: { versions: [1, 2], database: 'PGlite' },
});
