/** How the tests run. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/template.ts',
    setupFiles: 'test/support/matchers.ts',
    // Threads of one process compile PGlite once, and processes of their own would each.
    pool: 'threads',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // What a test waits for comes at once, but not on every machine.
    expect: { poll: { timeout: 10_000 } },
  },
});
