/** A service that uses all of the language. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'everything',
  from: 'test/cases/everything/definitions',
  requests: 5000,
  onBoth: true,
});
