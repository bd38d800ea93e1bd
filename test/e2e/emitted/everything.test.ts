/** A service that uses all of the language. */
import { CONVENTIONS, testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'everything',
  from: 'test/definitions/everything',
  isLinted: true,
  tests: ['PGlite', 'PostgreSQL'],
  hasConventions: true,
  // The most fields, and three times the same: versions.test.ts has versions in which everything differs.
  excluded: ['test/collections/v{1,2}/rentals.test.ts'],
  // On PGlite the values of each type are stored and read, and jobs and events run. All else is the same SQL on one connection,
  // which the bookshop has there (readme.test.ts); webhooks.test.ts has webhooks.
  notOnPglite: [
    CONVENTIONS,
    'test/webhook*.test.ts',
    'test/collections/v*/**',
    'test/collections/!(accounts|files|lamps|media|moments|numbers|patterns|selects|shifts|texts).test.ts',
  ],
  isValidated: true,
  requests: { PGlite: 1000, PostgreSQL: 3000 },
  documents: { versions: [1, 2, 3], database: 'PostgreSQL' },
});
