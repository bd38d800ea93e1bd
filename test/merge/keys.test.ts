/** Merges of package.json, other JSON and YAML by their keys. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

import { mergeVersions } from '../../src/merge/versions.ts';
import { mergedOf, mergedText, places } from './support.ts';

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

interface Package {
  readonly scripts?: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly packageManager?: string;
  readonly overrides?: Record<string, string>;
  readonly engines?: Record<string, string>;
}

async function mergedPackage(base: Package, theirs: Package, ours: Package): Promise<Package> {
  const texts = { base: json(base), theirs: json(theirs), ours: json(ours) };
  return JSON.parse(await mergedText('package.json', texts)) as Package;
}

describe('package.json', () => {
  test('a version that the team raised is not lowered', async () => {
    const result = await mergedPackage(
      { dependencies: { pg: '8.23.1' } },
      { dependencies: { pg: '8.23.2' } },
      { dependencies: { pg: '8.24.0' } },
    );
    expect(result.dependencies).toEqual({ pg: '8.24.0' });
  });

  test('a version that is generated higher than the team raised it', async () => {
    const result = await mergedPackage(
      { dependencies: { pg: '8.23.1' } },
      { dependencies: { pg: '9.0.0' } },
      { dependencies: { pg: '8.24.0' } },
    );
    expect(result.dependencies).toEqual({ pg: '9.0.0' });
  });

  test('a range of the team stays a range', async () => {
    const result = await mergedPackage(
      { dependencies: { pg: '8.23.1' } },
      { dependencies: { pg: '8.24.0' } },
      { dependencies: { pg: '^8.23.1' } },
    );
    expect(result.dependencies).toEqual({ pg: '^8.24.0' });
  });

  test('a dependency that the team took out stays out', async () => {
    const result = await mergedPackage(
      { dependencies: { ioredis: '6.0.0', pg: '8.23.1' } },
      { dependencies: { ioredis: '6.1.0', pg: '8.23.1' } },
      { dependencies: { pg: '8.23.1' } },
    );
    expect(result.dependencies).toEqual({ pg: '8.23.1' });
  });

  test('a dependency that the team moved is raised where it is now', async () => {
    const result = await mergedPackage(
      { dependencies: { pg: '8.23.1' }, devDependencies: { tsx: '4.0.0' } },
      { dependencies: { pg: '8.23.1' }, devDependencies: { tsx: '4.1.0' } },
      { dependencies: { pg: '8.23.1', tsx: '4.0.0' }, devDependencies: {} },
    );
    expect(result).toEqual({
      dependencies: { pg: '8.23.1', tsx: '4.1.0' },
      devDependencies: {},
    });
  });

  test('a dependency that the team moved, and that is generated there by now, has the version of there', async () => {
    const result = await mergedPackage(
      { devDependencies: { react: '1.0.0' } },
      { devDependencies: { react: '2.0.0' }, peerDependencies: { react: '^3.0.0' } },
      { devDependencies: {}, peerDependencies: { react: '^1.0.0' } },
    );
    expect(result.peerDependencies).toEqual({ react: '^3.0.0' });
    expect(result.devDependencies).toEqual({});
  });

  test('a package manager that the team took out stays out, and one that it raised stays', async () => {
    const [base, theirs] = [{ packageManager: 'pnpm@10.1.0' }, { packageManager: 'pnpm@10.2.0' }];
    expect(await mergedPackage(base, theirs, {})).toEqual({});
    const raised = { packageManager: 'pnpm@11.0.0' };
    expect(await mergedPackage(base, theirs, raised)).toEqual(raised);
  });

  test('a dependency that the team raised and that is no longer generated stays', async () => {
    const result = await mergedPackage(
      { dependencies: { ioredis: '6.0.0', pg: '8.23.1' } },
      { dependencies: { pg: '8.23.1' } },
      { dependencies: { ioredis: '6.2.0', pg: '8.23.1' } },
    );
    expect(result.dependencies).toEqual({ ioredis: '6.2.0', pg: '8.23.1' });
  });

  test('both sides add dependencies: all of them, in the order of the alphabet', async () => {
    const texts = {
      base: json({ dependencies: { fastify: '5.0.0', pg: '8.0.0' } }),
      theirs: json({ dependencies: { fastify: '5.0.0', ioredis: '6.0.0', pg: '8.0.0' } }),
      ours: json({ dependencies: { fastify: '5.0.0', 'lru-cache': '11.0.0', pg: '8.0.0' } }),
    };
    expect(await mergedOf('package.json', texts)).toEqual({
      kind: 'merged',
      how: 'keys',
      text: json({
        dependencies: { fastify: '5.0.0', ioredis: '6.0.0', 'lru-cache': '11.0.0', pg: '8.0.0' },
      }),
    });
  });

  test('one dependency added by both: the higher version', async () => {
    const result = await mergedPackage(
      { dependencies: { pg: '8.0.0' } },
      { dependencies: { ioredis: '6.0.0', pg: '8.0.0' } },
      { dependencies: { ioredis: '5.4.1', pg: '8.0.0' } },
    );
    expect(result.dependencies).toEqual({ ioredis: '6.0.0', pg: '8.0.0' });
  });

  test('a path or a tag is the choice of the team', async () => {
    const result = await mergedPackage(
      { devDependencies: { tool: '1.0.0', other: '1.0.0' } },
      { devDependencies: { tool: '2.0.0', other: '2.0.0' } },
      { devDependencies: { tool: 'workspace:*', other: 'latest' } },
    );
    expect(result.devDependencies).toEqual({ tool: 'workspace:*', other: 'latest' });
  });

  test('both sides add a script: both, that of the team first', async () => {
    const texts = {
      base: json({ scripts: { dev: 'a', test: 'b' } }),
      theirs: json({ scripts: { dev: 'a', test: 'b', check: 'c' } }),
      ours: json({ scripts: { dev: 'a', test: 'b', seed: 's' } }),
    };
    expect(await mergedText('package.json', texts)).toBe(
      json({ scripts: { dev: 'a', test: 'b', seed: 's', check: 'c' } }),
    );
  });

  test('scripts in an order of the team: what is generated anew follows those that it added', async () => {
    const texts = {
      base: json({ scripts: { build: 'b', test: 't' } }),
      theirs: json({ scripts: { build: 'b', lint: 'l', test: 't' } }),
      ours: json({ scripts: { test: 't', build: 'b', audit: 'a', seed: 's' } }),
    };
    expect(await mergedText('package.json', texts)).toBe(
      json({ scripts: { test: 't', build: 'b', audit: 'a', seed: 's', lint: 'l' } }),
    );
  });

  test('one script changed by both: a conflict at its line', async () => {
    const texts = {
      base: json({ scripts: { dev: 'a', test: 'b' } }),
      theirs: json({ scripts: { dev: 'a', test: 'c' } }),
      ours: json({ scripts: { dev: 'a', test: 'd' } }),
    };
    expect(await places('package.json', texts)).toEqual([
      { line: 4, what: '`scripts.test`: changed here to "d"; generated now: "c"' },
    ]);
  });

  test('a script removed here and changed by the generator: a conflict', async () => {
    const texts = {
      base: json({ scripts: { dev: 'a', test: 'b' } }),
      theirs: json({ scripts: { dev: 'a', test: 'c' } }),
      ours: json({ scripts: { dev: 'a' } }),
    };
    expect(await places('package.json', texts)).toEqual([
      { line: 2, what: '`scripts.test`: removed here; generated now: "c"' },
    ]);
  });

  test('overrides and engines: the higher', async () => {
    const result = await mergedPackage(
      { overrides: { cookie: '^1.1.1' }, engines: { node: '>=20.19' } },
      { overrides: { cookie: '^1.2.0' }, engines: { node: '>=22.0' } },
      { overrides: { cookie: '^1.1.5' }, engines: { node: '>=24' } },
    );
    expect(result).toEqual({ overrides: { cookie: '^1.2.0' }, engines: { node: '>=24' } });
  });

  test('the indentation of the team stays', async () => {
    const base = json({ scripts: { dev: 'a' }, dependencies: { pg: '8.0.0' } });
    const theirs = json({ scripts: { dev: 'a', check: 'c' }, dependencies: { pg: '8.0.0' } });
    const ours = `{\n\t"scripts": {\n\t\t"dev": "a",\n\t\t"seed": "s"\n\t},\n\t"dependencies": {\n\t\t"pg": "8.0.0"\n\t}\n}\n`;
    expect(await mergedText('package.json', { base, theirs, ours })).toBe(
      `{\n\t"scripts": {\n\t\t"dev": "a",\n\t\t"seed": "s",\n\t\t"check": "c"\n\t},\n\t"dependencies": {\n\t\t"pg": "8.0.0"\n\t}\n}\n`,
    );
  });

  test('a file that does not parse: a conflict at its line', async () => {
    const base = json({ scripts: { dev: 'a' } });
    const theirs = json({ scripts: { dev: 'b' } });
    const ours = `{\n  "scripts": {\n    "dev": "a",,\n  }\n}\n`;
    expect(await places('package.json', { base, theirs, ours })).toMatchObject([{ line: 3 }]);
  });
});

describe('versions', () => {
  test.each([
    ['8.23.1', '8.24.0', '8.23.2', '8.24.0'],
    ['8.23.1', '8.9.0', '8.10.0', '8.10.0'],
    ['1.0.0', '^1.2.0', '1.2.0', '^1.2.0'],
    ['1.0.0', '1.2.0', '^1.3.0', '^1.3.0'],
    ['1.0.0', '~1.0.0', '1.4.0', '~1.4.0'],
    ['^1.0.0', '1.1.0', '^1.2.0', '1.2.0'],
    // A lower bound alone takes no other sign, nor gives its own.
    ['>=20.0.0', '^20.1.0', '>=22.0.0', '>=22.0.0'],
    ['20.0.0', '>=20.1.0', '22.0.0', '22.0.0'],
    ['1.0.0', '2.0.0-beta.2', '2.0.0-beta.10', '2.0.0-beta.10'],
    ['1.0.0', '2.0.0', '2.0.0-rc.1', '2.0.0'],
    ['1.0.0', '2.0.0-alpha', '2.0.0-alpha.1', '2.0.0-alpha.1'],
    ['1.0.0', '2.0.0-alpha.beta', '2.0.0-alpha.1', '2.0.0-alpha.beta'],
    ['1.0.0', '2', '1.9.9', '2'],
    ['1.0.0', '1.x', '1.0.5', '1.0.5'],
    ['1.0.0', 'npm:other@2.0.0', '3.0.0', 'npm:other@2.0.0'],
    [undefined, '1.0.0', '1.1.0', '1.1.0'],
  ])('%s, here %s, generated %s: %s', (base, ours, theirs, expected) => {
    expect(mergeVersions(base, ours, theirs)).toBe(expected);
  });
});

describe('tsconfig and other JSON', () => {
  const base = `{\n  "compilerOptions": {\n    "target": "es2023",\n    "strict": true\n  },\n  "include": ["src", "test"]\n}\n`;

  test('comments stay, and what both sides add at one place is there', async () => {
    const theirs = base.replace('"strict": true', '"strict": true,\n    "noEmit": true');
    const ours = base.replace(
      '"strict": true',
      '// As in the other services.\n    "strict": true,\n    "jsx": "react-jsx"',
    );
    expect(await mergedText('tsconfig.json', { base, theirs, ours })).toBe(
      ours.replace('"jsx": "react-jsx"', '"jsx": "react-jsx",\n    "noEmit": true'),
    );
  });

  test('lists of names take the names of both', async () => {
    const theirs = base.replace('["src", "test"]', '["src", "test", "vitest.config.ts"]');
    const ours = base.replace('["src", "test"]', '["src", "test", "scripts"]');
    expect(await mergedText('tsconfig.json', { base, theirs, ours })).toBe(
      base.replace('["src", "test"]', '["src", "test", "scripts", "vitest.config.ts"]'),
    );
  });

  test('a name that one side takes out of a list, beside one that the other adds', async () => {
    const theirs = base.replace('["src", "test"]', '["src"]');
    const ours = base.replace('["src", "test"]', '["src", "test", "scripts"]');
    expect(await mergedText('tsconfig.json', { base, theirs, ours })).toBe(
      base.replace('["src", "test"]', '["src", "scripts"]'),
    );
  });

  test('several names that one side adds keep their order', async () => {
    const theirs = base.replace('["src", "test"]', '["types", "src", "test", "a", "c", "b"]');
    const ours = base.replace('["src", "test"]', '["src", "test", "scripts"]');
    expect(await mergedText('tsconfig.json', { base, theirs, ours })).toBe(
      base.replace('["src", "test"]', '["types", "src", "test", "scripts", "a", "c", "b"]'),
    );
  });

  test('a name that one side replaces, beside one that the other adds', async () => {
    const theirs = base.replace('["src", "test"]', '["src", "tests"]');
    const ours = base.replace('["src", "test"]', '["src", "test", "scripts"]');
    expect(await mergedText('tsconfig.json', { base, theirs, ours })).toBe(
      base.replace('["src", "test"]', '["src", "tests", "scripts"]'),
    );
  });

  test('one option changed by both: a conflict', async () => {
    const theirs = base.replace('es2023', 'es2024');
    const ours = base.replace('es2023', 'esnext');
    expect(await places('tsconfig.json', { base, theirs, ours })).toEqual([
      {
        line: 3,
        what: '`compilerOptions.target`: changed here to "esnext"; generated now: "es2024"',
      },
    ]);
  });

  test('one key added by both at far places: a conflict, though the lines do not meet', async () => {
    const before = `{\n  "a": 1,\n  "b": 2,\n  "c": 3,\n  "d": 4\n}\n`;
    const theirs = before.replace('"a": 1,', '"a": 1,\n  "x": 1,');
    const ours = before.replace('"c": 3,', '"c": 3,\n  "x": 2,');
    expect(await places('settings.json', { base: before, theirs, ours })).toEqual([
      { line: 5, what: '`x`: added here: 2; generated too: 1' },
    ]);
  });
});

describe('YAML', () => {
  const base = `services:
  app:
    build: .
    environment:
      PORT: 3000
      LOG_LEVEL: info
  database:
    image: postgres:17
`;

  test('what both sides add to one map is there, with the comments of both', async () => {
    const theirs = base.replace(
      '      LOG_LEVEL: info\n',
      '      LOG_LEVEL: info\n      # Signs cursors.\n      CURSOR_SECRET: change-me\n',
    );
    const ours = base.replace(
      '      LOG_LEVEL: info\n',
      '      LOG_LEVEL: info # quiet\n      SENTRY: https://example.com # ours\n',
    );
    expect(await mergedText('compose.yaml', { base, theirs, ours })).toBe(
      base.replace(
        '      LOG_LEVEL: info\n',
        '      LOG_LEVEL: info # quiet\n      SENTRY: https://example.com # ours\n      # Signs cursors.\n      CURSOR_SECRET: change-me\n',
      ),
    );
  });

  test('what both sides change on neighbouring lines', async () => {
    const theirs = base.replace('PORT: 3000', 'PORT: 8080');
    const ours = base.replace('LOG_LEVEL: info', 'LOG_LEVEL: debug');
    expect(await mergedText('compose.yaml', { base, theirs, ours })).toBe(
      base.replace('PORT: 3000', 'PORT: 8080').replace('LOG_LEVEL: info', 'LOG_LEVEL: debug'),
    );
  });

  test('one value changed by both: a conflict at its line', async () => {
    const theirs = base.replace('postgres:17', 'postgres:18');
    const ours = base.replace('postgres:17', 'postgres:16');
    expect(await places('compose.yaml', { base, theirs, ours })).toEqual([
      {
        line: 8,
        what: '`services.database.image`: changed here to "postgres:16"; generated now: "postgres:18"',
      },
    ]);
  });

  test('steps of a workflow: those of both sides, each at its place', async () => {
    const workflow = `jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - run: npm ci
      - run: npm test
`;
    const theirs = workflow.replace(
      '      - run: npm test\n',
      '      - run: npm run check\n      - run: npm test\n',
    );
    const ours = workflow.replace(
      '      - run: npm test\n',
      '      # Ours.\n      - name: Seed\n        run: npm run seed\n      - run: npm test\n',
    );
    expect(await mergedText('.github/workflows/ci.yml', { base: workflow, theirs, ours })).toBe(
      workflow.replace(
        '      - run: npm test\n',
        '      # Ours.\n      - name: Seed\n        run: npm run seed\n      - run: npm run check\n      - run: npm test\n',
      ),
    );
  });

  describe('a step that one side changes and the other removes is a conflict', () => {
    const workflow = `steps:
  - name: Lint
    run: npm run lint
  - run: npm test
`;
    const changed = workflow.replace('npm run lint', 'npm run lint -- --quiet');
    const removed = 'steps:\n  - run: npm test\n';

    test('changed here', async () => {
      const scenario = { base: workflow, theirs: removed, ours: changed };
      expect(await places('.github/workflows/ci.yml', scenario)).toMatchObject([
        { line: 2, what: expect.stringContaining('no longer generated') as string },
      ]);
    });

    test('removed here', async () => {
      const scenario = { base: workflow, theirs: changed, ours: removed };
      expect(await places('.github/workflows/ci.yml', scenario)).toMatchObject([
        { what: expect.stringContaining('removed here') as string },
      ]);
    });
  });

  test('several documents in one file: all of them stay', async () => {
    const before = 'a: 1\nb: 1\n---\nc: 1\n---\nd: 1\n';
    const theirs = before.replace('b: 1', 'b: 2').replace('d: 1', 'd: 2');
    const ours = before.replace('a: 1', 'a: 2');
    expect(await mergedText('deployment.yaml', { base: before, theirs, ours })).toBe(
      'a: 2\nb: 2\n---\nc: 1\n---\nd: 2\n',
    );
  });

  test('anchors: lines alone are merged', async () => {
    const before = `a: &x\n  k: 1\n  l: 2\nb: *x\n`;
    const theirs = before.replace('k: 1', 'k: 3');
    const ours = before.replace('l: 2', 'l: 4');
    expect(await mergedText('x.yaml', { base: before, theirs, ours })).toBe(
      `a: &x\n  k: 3\n  l: 4\nb: *x\n`,
    );
  });

  test('a file that does not parse: a conflict at its line', async () => {
    const theirs = base.replace('3000', '8080');
    const ours = base.replace('PORT: 3000', 'PORT: [3000');
    expect(await places('compose.yaml', { base, theirs, ours })).toHaveLength(1);
  });
});

describe('properties', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'constructor');
  const value = fc.oneof(fc.nat({ max: 3 }), fc.constantFrom('x', 'y'), fc.boolean());
  const tree = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value)), {
    noNullPrototype: true,
  });
  /** What one side does to an object: keys that it sets or takes out. */
  const edits = fc.dictionary(key, fc.option(value), { noNullPrototype: true });

  type Tree = Record<string, unknown>;
  const apply = (base: Tree, changes: Tree): Tree =>
    Object.fromEntries(
      [...new Set([...Object.keys(base), ...Object.keys(changes)])].flatMap((name) => {
        const changed = Object.hasOwn(changes, name) ? changes[name] : base[name];
        return changed === null ? [] : [[name, changed]];
      }),
    );

  test.each([
    ['settings.json', json],
    [
      'settings.yaml',
      (data: unknown) => (JSON.stringify(data) === '{}' ? '{}\n' : stringify(data)),
    ],
  ])('in %s, changes of both sides to different keys are all there', async (path, write) => {
    await fc.assert(
      fc.asyncProperty(tree, edits, edits, async (base, ours, theirs) => {
        const own = Object.fromEntries(Object.entries(ours).filter(([name]) => name < 'd'));
        const other = Object.fromEntries(Object.entries(theirs).filter(([name]) => name >= 'd'));
        const text = await mergedText(path, {
          base: write(base),
          theirs: write(apply(base, other)),
          ours: write(apply(base, own)),
        });
        expect(parse(text)).toEqual(apply(apply(base, own), other));
      }),
      { numRuns: 60 },
    );
  });
});
