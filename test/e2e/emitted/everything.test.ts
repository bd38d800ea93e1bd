/** A service that uses all of the language. */
import { CONVENTIONS, OF_COLLECTIONS, testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'everything',
  from: 'test/definitions/everything',
  isLinted: true,
  tests: ['PGlite', 'PostgreSQL'],
  hasConventions: true,
  // On PGlite the values of each type are stored and read, and jobs and events run. All else is the same SQL on one connection,
  // which the bookshop has there (journey.test.ts); webhooks.test.ts has webhooks.
  notOnPglite: [
    CONVENTIONS,
    'test/webhook*.test.ts',
    'test/collections/v*/**',
    'test/collections/!(accounts|files|lamps|media|moments|numbers|patterns|selects|shifts|texts).test.ts',
  ],
  // collections.test.ts has them.
  notOnPostgresql: OF_COLLECTIONS.map((folder) => `${folder}/**`),
  isValidated: true,
  requests: { PGlite: 1000, PostgreSQL: 3000 },
  documents: { versions: [1, 2, 3], database: 'PostgreSQL' },
});
