/** The smallest service. Its own tests run on several versions of Node (packed.test.ts). */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'minimal',
  from: 'test/cases/minimal/definitions.yaml',
  tests: [],
  requests: { PostgreSQL: 500 },
});
