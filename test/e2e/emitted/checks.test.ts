/** A service with rules over several members; `everything` has such rules on PostgreSQL, too. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'checks',
  from: 'test/cases/checks/definitions.yaml',
  tests: ['PGlite'],
});
