/** The smallest service. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({
  name: 'minimal',
  from: 'test/cases/minimal/definitions.yaml',
  requests: 500,
  onBoth: false,
});
