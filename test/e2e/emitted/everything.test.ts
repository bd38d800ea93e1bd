/** A service that uses all of the language. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'everything',
  from: 'test/definitions/everything',
  tests: ['PGlite', 'PostgreSQL'],
  requests: { PGlite: 3000, PostgreSQL: 3000 },
});
