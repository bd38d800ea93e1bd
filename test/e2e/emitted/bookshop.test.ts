/** The service of the README. */
import { testEmitted } from '../support/emitted.ts';

testEmitted({ name: 'bookshop', from: 'examples/bookshop.yaml', requests: 5000, onBoth: true });
