/** An emitted project as its users meet it: checked, tested, booted, and asked by strangers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readDefinitions } from './definitions.ts';
import { problemsOfDocument } from './document.ts';
import { fuzzDocument } from './documented-fuzz.ts';
import type { FuzzedDocument } from './documented-fuzz.ts';
import { fuzz } from './fuzz.ts';
import {
  AUTHORIZATION,
  makeBuiltProject,
  makeDatabase,
  ROOT,
  runCommand,
  runScript,
  start,
} from './project.ts';

export interface EmittedCase {
  readonly name: string;
  /** The definitions, from the root of this repository. */
  readonly from: string;
  /** Changes the project before its tests run. */
  readonly prepare?: (project: string) => void;
  /** The databases that its own tests run on. */
  readonly tests: readonly DatabaseName[];
  /** Whether the tests run that are the same for each service. */
  readonly hasConventions?: true;
  /** Tests that run in other projects. */
  readonly excluded?: readonly string[];
  /** Tests that do not run on PGlite: of what is the same there, and runs on PostgreSQL. */
  readonly notOnPglite?: readonly string[];
  /** Tests that do not run on PostgreSQL: they run there in another project. */
  readonly notOnPostgresql?: readonly string[];
  /** Whether the linter runs. Services with each two switches are linted together, in pairs.test.ts: this is for names and types. */
  readonly isLinted?: true;
  /** Whether its OpenAPI document is validated. */
  readonly isValidated?: true;
  /** How many random requests it gets on each database. */
  readonly requests?: Partial<Record<DatabaseName, number>>;
  /** The versions whose documents random requests are made from, and the database. */
  readonly documents?: { readonly versions: readonly number[]; readonly database: DatabaseName };
}

type DatabaseName = 'PGlite' | 'PostgreSQL';

/**
 * Tests that are the same for each service: they run in the bookshop (on PGlite where the README is followed: journey.test.ts) and in `everything`.
 * Some also run where they depend on what a project has: existing tables, and hostile names.
 */
export const CONVENTIONS =
  'test/{authentication,configuration,conventions,database-away,database-rules,docs,idempotency,late-bodies,operation,pages,preconditions,tokens,users}.test.ts';

/** The folders of the tests that each collection has. */
export const OF_COLLECTIONS = [
  'test/collections',
  'test/permissions',
  'test/repositories',
  'test/versions',
];

/** Requests for each version that are made from its document. */
const DOCUMENTED = 250;

/** The tests of one project, in the order in which they need each other. */
export function testEmitted({
  name,
  from,
  prepare,
  tests,
  hasConventions,
  excluded = [],
  notOnPglite = [],
  notOnPostgresql = [],
  isLinted,
  isValidated,
  requests = {},
  documents,
}: EmittedCase): void {
  let project = '';

  test('is emitted, has its packages and compiles', async () => {
    project = await makeBuiltProject(name, from);
    const { version } = JSON.parse(
      readFileSync(join(project, 'node_modules/create-service/package.json'), 'utf8'),
    ) as { version: string };
    expect(version).toBe(
      (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version,
    );
    prepare?.(project);
  });

  test('passes `npm run types`, which is no long work for an editor', async () => {
    const words = ['run', '--silent', 'types', '--', '--singleThreaded', '--extendedDiagnostics'];
    const { exitCode, output } = await runCommand(project, words, { env: {}, input: '' });
    expect(exitCode, output).toBe(0);
    // A type of TypeBox that is not resolved costs each thread 1,200,000.
    expect(Number(/Instantiations:\s+(\d+)/.exec(output)?.[1])).toBeLessThan(800_000);
  });

  test.each(isLinted ? [name] : [])('the linter has nothing to say about %s', async () => {
    const { exitCode, output } = await runScript(project, 'lint');
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: expect.not.stringMatching(/warning: |[1-9]\d* warnings?/i),
    });
  });

  test.each(isValidated ? [name] : [])(
    'the document of %s is valid, and clean under the rules that redocly recommends',
    async () => {
      expect(await problemsOfDocument(project)).toEqual([]);
    },
  );

  test.each(tests)('passes its own tests on %s', async (database) => {
    // Shuffled on one of the databases: nothing may rely on the order of tests.
    const isShuffled = database === 'PostgreSQL';
    const env = isShuffled ? { DATABASE_URL: await makeDatabase(`${name}_tests`) } : {};
    const patterns = [
      ...excluded,
      ...(hasConventions ? [] : [CONVENTIONS]),
      ...(database === 'PGlite' ? notOnPglite : notOnPostgresql),
    ];
    const words = [
      ...['run', '--silent', 'test', '--', ...(isShuffled ? ['--sequence.shuffle'] : [])],
      ...patterns.map((pattern) => `--exclude=${pattern}`),
    ];
    const { exitCode, output } = await runCommand(project, words, { env, input: '' });
    expect(exitCode, output).toBe(0);
    // Vitest prints the seed, by which an order can be repeated.
    expect(output.includes('Running tests with seed')).toBe(isShuffled);
  });

  const envOf = async (
    database: DatabaseName,
    purpose: string,
  ): Promise<Readonly<Record<string, string>>> =>
    database === 'PGlite'
      ? { DATA_DIR: 'memory' }
      : { DATABASE_URL: await makeDatabase(`${name}_${purpose}`) };

  const counts = Object.entries(requests) as [DatabaseName, number][];
  test.each(counts)('keeps the contract under random requests on %s', async (database, count) => {
    const service = await start(project, await envOf(database, 'fuzz'));
    const { statuses, violations } = await fuzz(service.origin, await readDefinitions(from), {
      requests: count,
      seed: 20_261_121,
      authorization: AUTHORIZATION,
    });
    expect(await service.stop()).toBe(0);
    expect(violations).toEqual([]);
    // A run that only met errors would have shown nothing.
    expect(statuses[200]).toBeGreaterThan(count / 20);
    expect(statuses[201]).toBeGreaterThan(count / 100);
  });

  if (documents === undefined) return;
  // Refused is only what no document can tell, such as a unique value that is taken.
  test('answers requests that are valid by the documents of all versions as they say', async () => {
    const service = await start(project, await envOf(documents.database, 'documented'));
    for (const version of documents.versions) {
      const response = await fetch(`${service.origin}/api/v${version}/openapi.json`);
      const document = (await response.json()) as FuzzedDocument;
      const report = await fuzzDocument(service.origin, document, {
        requests: DOCUMENTED,
        seed: 20_261_122 + version,
        authorization: AUTHORIZATION,
      });
      expect(report.problems).toEqual([]);
      // A run that only met refusals would have shown nothing.
      expect(report.statuses[200], `version ${version}`).toBeGreaterThan(DOCUMENTED / 10);
      expect(report.statuses[201], `version ${version}`).toBeGreaterThan(DOCUMENTED / 20);
    }
    expect(await service.stop()).toBe(0);
  });
}
