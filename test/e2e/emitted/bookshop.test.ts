/** The service of the README, whose tests run on PGlite where the README is followed (journey.test.ts). */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'bookshop',
  from: 'examples/bookshop.yaml',
  isLinted: true,
  tests: ['PostgreSQL'],
  hasConventions: true,
  isValidated: true,
  requests: { PostgreSQL: 3000 },
});
