/** A service whose names and texts try to break out of generated code. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'hostile',
  from: 'test/cases/hostile/definitions.json',
  tests: ['PGlite'],
  requests: { PostgreSQL: 2000 },
});
