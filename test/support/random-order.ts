/**
 * Runs the tests of each file in random order: none may rely on one that ran before it. The seed is
 * another in every run, and told where a test fails; `--sequence.seed=n` repeats the order.
 */
import { TestRunner } from 'vitest';

type Config = ConstructorParameters<typeof TestRunner>[0];
type Suite = Parameters<TestRunner['onAfterRunSuite']>[0];

export default class RandomOrder extends TestRunner {
  constructor(config: Config) {
    super({ ...config, sequence: { ...config.sequence, shuffle: true } });
  }

  override async onAfterRunSuite(suite: Suite): Promise<void> {
    await super.onAfterRunSuite(suite);
    const isFile = 'filepath' in suite;
    if (isFile && suite.tasks.some(({ result }) => result?.state === 'fail'))
      console.error(
        `${suite.name} ran in the order of --sequence.seed=${this.config.sequence.seed}`,
      );
  }
}
