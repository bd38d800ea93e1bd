/** The smallest service. Its own tests run on several versions of Node (packed.test.ts). */
import { testEmitted, WITHOUT_FORMAT } from '../support/emitted.ts';

testEmitted({
  name: 'minimal',
  from: 'test/cases/minimal/definitions.yaml',
  tests: [],
  scripts: WITHOUT_FORMAT,
  requests: { PostgreSQL: 500 },
});
