/**
 * The tests: `fast` ones in memory and in small processes, `emitted` ones of whole emitted projects,
 * and `e2e` ones, which have the machine to themselves. One group after the other.
 */
import { defineConfig } from 'vitest/config';

// What a test waits for comes at once, but not on every machine.
const expect = { poll: { timeout: 10_000 } };

export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.tmp/test-report.json' }]],
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/*.test.ts', 'test/{unit,merge}/**/*.test.ts', 'test/cases/*.test.ts'],
          globalSetup: 'test/support/build.ts',
          setupFiles: 'test/support/properties.ts',
          // A minute's work of a machine that is busy with ten other things; no test takes two seconds alone.
          testTimeout: 300_000,
          expect,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'emitted',
          include: ['test/e2e/emitted/*.test.ts'],
          globalSetup: 'test/e2e/support/setup.ts',
          testTimeout: 1_200_000,
          expect,
          // Half of what they do keeps one core busy: two at a time use both.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/*.test.ts'],
          globalSetup: 'test/e2e/support/setup.ts',
          // Installing, compiling and booting take minutes on a small machine, one after another.
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
