/** A service with three versions, in which everything differs that can. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'library',
  from: 'test/cases/versions/definitions.yaml',
  tests: ['PGlite', 'PostgreSQL'],
});
