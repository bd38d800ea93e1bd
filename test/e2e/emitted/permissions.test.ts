/** A service in which everybody may do something else. */
import { testEmitted, WITHOUT_FORMAT } from '../support/emitted.ts';

testEmitted({
  name: 'permissions',
  from: 'test/cases/permissions/definitions.yaml',
  tests: ['PGlite'],
  scripts: WITHOUT_FORMAT,
  requests: { PostgreSQL: 2000 },
});
