/** A service over existing tables, with versions, events, included references, transitions and checks. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'existing-tables',
  from: 'test/e2e/definitions/existing-tables.yaml',
  tests: ['PGlite', 'PostgreSQL'],
  // Webhooks do not depend on the tables; older versions read and write by the same SQL.
  notOnPglite: ['test/collections/v*/**', 'test/webhook*.test.ts'],
  requests: { PGlite: 400 },
  // PGlite creates the tables.
  documents: { versions: [1, 2], database: 'PGlite' },
});
