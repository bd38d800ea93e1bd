/** A service over existing tables, with versions, events, included references, transitions and checks. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'existing-tables',
  from: 'test/e2e/definitions/existing-tables.yaml',
  tests: ['PGlite', 'PostgreSQL'],
  // Tables of the service are those of `everything`, and so is what has nothing to do with tables.
  notOnPglite: [
    'test/collections/v*/**',
    'test/{authentication,configuration,conventions,database-away,operation,users,webhook*}.test.ts',
  ],
  requests: { PGlite: 400 },
});
