/** A service over existing tables, with versions, events, included references, transitions and checks. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'existing-tables',
  from: 'test/e2e/definitions/existing-tables.yaml',
  tests: ['PGlite', 'PostgreSQL'],
  requests: { PGlite: 400 },
});
