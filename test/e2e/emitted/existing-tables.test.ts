/** A service over existing tables, with versions, events, included references, transitions and checks. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'existing-tables',
  from: 'test/e2e/definitions/existing-tables.yaml',
  tests: ['PGlite', 'PostgreSQL'],
  // These do not depend on the tables, and run on PGlite in other services (readme.test.ts, everything.test.ts); older
  // versions read and write by the same SQL.
  notOnPglite: [
    'test/collections/v*/**',
    'test/{authentication,configuration,conventions,database-away,operation,users,webhook*}.test.ts',
  ],
  requests: { PGlite: 400 },
});
