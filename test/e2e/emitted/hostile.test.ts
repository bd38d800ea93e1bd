/** A service whose names and texts want to break out. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'hostile',
  from: 'test/cases/hostile/definitions.json',
  requests: 2000,
  onBoth: false,
});
