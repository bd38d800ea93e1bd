/** A service in which everybody may do something else. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'permissions',
  from: 'test/cases/permissions/definitions.yaml',
  tests: ['PGlite'],
  requests: { PostgreSQL: 2000 },
});
