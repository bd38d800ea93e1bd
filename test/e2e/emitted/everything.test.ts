/** A service that uses all of the language. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'everything',
  from: 'test/definitions/everything',
  tests: ['PGlite', 'PostgreSQL'],
  hasConventions: true,
  // Older versions read and write by the same SQL. The others run on PGlite in the bookshop (readme.test.ts), and
  // webhooks in webhooks.test.ts.
  notOnPglite: [
    'test/collections/v*/**',
    'test/{authentication,configuration,database-away,operation,webhook*}.test.ts',
  ],
  isValidated: true,
  requests: { PGlite: 3000, PostgreSQL: 3000 },
  documents: { versions: [1, 2, 3], database: 'PostgreSQL' },
});
