/**
 * The seed of the property tests: the same in every run, so that a red one says something about
 * the change that it came with. `FC_SEED=random` explores; `FC_SEED=n` repeats what it found.
 */
import fc from 'fast-check';

const { FC_SEED: given } = process.env;

if (given !== 'random')
  fc.configureGlobal({ seed: given === undefined ? 20261121 : Number(given) });
