/** A service with rules over several members. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'checks',
  from: 'test/cases/checks/definitions.yaml',
  tests: ['PGlite', 'PostgreSQL'],
});
