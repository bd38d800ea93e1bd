/** How the tests run. */
import { defineConfig } from 'vitest/config';

/**
 * Threads of one process compile PGlite once, and processes of their own would each. But where threads
 * take and free WebAssembly, newer versions of Node may end with a failed check of V8
 * (nodejs/node#64500; seen on 24).
 */
const pool = Number.parseInt(process.versions.node, 10) < 22 ? 'threads' : 'forks';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/template.ts',
    setupFiles: 'test/support/matchers.ts',
    pool,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // What a test waits for comes at once, but not on every machine.
    expect: { poll: { timeout: 10_000 } },
  },
});
