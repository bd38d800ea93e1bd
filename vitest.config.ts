/**
 * The tests: `fast` ones in memory; `slow` ones, which start processes or a database, render many services, or try
 * random documents for seconds; `core`, the end-to-end tests that `npm test` runs; `e2e` ones of emitted projects; and `timed` ones
 * of these, which leave the machine idle for most of their time, and want it so. One group after the other, each two or
 * three files at a time.
 */
import { configDefaults, defineConfig } from 'vitest/config';

import LongestFirst from './test/support/longest-first.ts';

// What a test waits for comes at once, but not on every machine.
const expect = { poll: { timeout: 10_000 } };

/** Each of these starts processes or a database, renders many services, or tries random documents for seconds. */
const SLOW = [
  'test/cases/lives.test.ts',
  'test/merge/{lists,project}.test.ts',
  'test/package.test.ts',
  'test/unit/api/render.test.ts',
  'test/unit/check/compare-tables.test.ts',
  'test/unit/cli/**/*.test.ts',
  'test/unit/compatibility/{contract-files,contracts}.test.ts',
  'test/unit/database/temporary-administrator.test.ts',
  'test/unit/definition/{properties,regex-ambiguity,schema}.test.ts',
  'test/unit/emitted/{composite-ids,database-forms,empty-pglite,empty-tables,pglite-folder,repository}.test.ts',
  'test/unit/expressions/agreement.test.ts',
  'test/unit/import/{adopt,plan-import,sql-to-rule}.test.ts',
  'test/unit/import-openapi/{limits,properties}.test.ts',
  'test/unit/inherited-names.test.ts',
  'test/unit/migration/{change-existing-tables,expand,older-processes,properties,schema,squawk,walk}.test.ts',
  'test/unit/model/{existing-indexes,item-size,render-dependencies}.test.ts',
  'test/unit/plan/needed-outputs.test.ts',
  'test/unit/regenerate/*.test.ts',
  'test/unit/regular-expressions.test.ts',
  'test/unit/reimport/{edit-yaml,nothing-lost,plan-reimport,properties,renamed-columns}.test.ts',
  'test/unit/render/{identifiers,imports,prettier}.test.ts',
  'test/unit/tasks/git.test.ts',
  'test/unit/update/unified.test.ts',
  'test/unit/verification/{stored-table,verify-table}.test.ts',
];

/**
 * What each change may break, end to end: services with each two switches compile, the platform on PostgreSQL, the collections
 * of a service that uses all of the language, and the first hour with the packed tool.
 */
const CORE = 'test/e2e/{collections,database-forms,indexes,journey,pairs,transactions}.test.ts';

/** Each of these is about what happens in time: limits, faults, and two that do something at once. */
const TIMED =
  'test/e2e/{authentication,event-loop,faults,jobs,pipeline,preconditions,redis,robustness,rolling-restart}.test.ts';

/** What tests read at run time and do not import: templates, definitions, SQL, documents and expected files. */
const READ = [
  '**/templates/**',
  '**/{examples,docs,schema,scripts}/**',
  '**/test/**/*.{hbs,json,md,sql,txt,yaml}',
  '**/test/cases/**',
  '**/*.md',
];

export default defineConfig({
  test: {
    // After a change of these, `--changed` runs all tests, because the imports do not tell which tests it concerns.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, ...READ],
    // What `fast` and `slow` have their order from; all others go through their tests as they stand.
    sequence: { seed: Date.now(), sequencer: LongestFirst },
    reporters: [
      'default',
      ['json', { outputFile: '.tmp/test-report.json' }],
      './test/support/slowest-files.ts',
    ],
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/*.test.ts', 'test/{unit,merge}/**/*.test.ts', 'test/cases/*.test.ts'],
          exclude: SLOW,
          globalSetup: 'test/support/build.ts',
          setupFiles: 'test/support/properties.ts',
          runner: 'test/support/random-order.ts',
          // A minute's work of a machine that is busy with ten other things; no test takes two seconds alone.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect,
          // Files share processes and modules: that takes a third of the time.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'slow',
          include: SLOW,
          globalSetup: 'test/support/build.ts',
          setupFiles: 'test/support/properties.ts',
          runner: 'test/support/random-order.ts',
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect,
          // As in `fast`: without, each file would compile the templates and start a database again.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'core',
          include: [CORE],
          globalSetup: 'test/e2e/support/setup.ts',
          testTimeout: 1_200_000,
          hookTimeout: 1_200_000,
          expect,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/{,emitted/}*.test.ts'],
          exclude: [CORE, TIMED],
          globalSetup: 'test/e2e/support/setup.ts',
          // Installing, compiling and testing a project take minutes on a small machine.
          testTimeout: 1_200_000,
          hookTimeout: 1_200_000,
          expect,
          // The services under test leave a core idle for some of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'timed',
          include: [TIMED],
          globalSetup: 'test/e2e/support/setup.ts',
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
