/** How the tests run. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/template.ts',
    setupFiles: 'test/support/matchers.ts',
    // Files share processes, with their modules and databases: that takes a third of the time. A file
    // that replaces modules by vi.mock needs a process of its own, as all have with `true`.
    isolate: false,
    // Vitest leaves one processor free by default: with two, files would run one after the other.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Generous, for slow machines: conditions are usually met at once.
    expect: { poll: { timeout: 10_000 } },
  },
});
