/**
 * The tests: `fast` ones in memory, `commands` that start the command line, `emitted` ones of whole
 * emitted projects, and `e2e` ones, which have the machine to themselves. One group after the other.
 */
import { defineConfig } from 'vitest/config';

// What a test waits for comes at once, but not on every machine.
const expect = { poll: { timeout: 10_000 } };

/** Each of these starts processes, and some are about what happens to them. */
const COMMANDS = ['test/unit/cli/**/*.test.ts'];

export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.tmp/test-report.json' }]],
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/*.test.ts', 'test/{unit,merge}/**/*.test.ts', 'test/cases/*.test.ts'],
          exclude: COMMANDS,
          globalSetup: 'test/support/build.ts',
          setupFiles: 'test/support/properties.ts',
          // A minute's work of a machine that is busy with ten other things; no test takes two seconds alone.
          testTimeout: 300_000,
          expect,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'commands',
          include: COMMANDS,
          globalSetup: 'test/support/build.ts',
          setupFiles: 'test/support/properties.ts',
          testTimeout: 300_000,
          expect,
          sequence: { groupOrder: 1 },
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
          sequence: { groupOrder: 2 },
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
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
