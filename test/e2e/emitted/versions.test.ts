/** A service with three versions, in which everything differs that can; `everything` has versions, too. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'library',
  from: 'test/cases/versions/definitions.yaml',
  tests: ['PostgreSQL'],
  documents: { versions: [1, 2, 3], database: 'PostgreSQL' },
});
