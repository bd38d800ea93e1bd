/** `import openapi.yaml`: what the report says of each operation is what the emitted service documents and answers. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { execa } from 'execa';
import { beforeAll, describe, expect, inject, test } from 'vitest';

import { AUTHORIZATION, makeProject, ROOT, runScript, start } from './support/project.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly result: 'same' | 'changed' | 'not-taken';
  readonly offered: { readonly method: string; readonly path: string } | null;
  readonly changes: readonly { readonly code: string; readonly text: string }[];
}

interface Report {
  readonly counts: Readonly<Record<'same' | 'changed' | 'notTaken' | 'operations', number>>;
  readonly operations: readonly Operation[];
}

interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

interface Described {
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface EmittedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const LIBRARY = path.join(ROOT, 'test/unit/import-openapi/library.yaml');
let workshop = '';

beforeAll(() => {
  workshop = path.join(inject('workshop'), 'import-openapi');
  mkdirSync(workshop);
});

const importInto = async (...words: readonly string[]) =>
  execa(inject('command'), ['import', ...words], { cwd: workshop, reject: false });

const reportIn = (folder: string): Report =>
  JSON.parse(readFileSync(path.join(workshop, folder, 'import-report.json'), 'utf8')) as Report;

/** The schema of the body of a success, or of the items in it. */
function itemSchema(document: EmittedDocument, written: Schema | undefined): Schema {
  const found =
    written?.$ref === undefined
      ? written
      : document.components.schemas[written.$ref.replace('#/components/schemas/', '')];
  if (found?.items !== undefined) return itemSchema(document, found.items);
  return found ?? {};
}

const json = (content: Described['requestBody'] | Described['responses'][string] | undefined) =>
  Object.entries(content?.content ?? {}).find(([type]) => type.startsWith('application/json'))?.[1]
    .schema;

test('the library becomes a service that has each operation as the report says', async () => {
  const { exitCode, stdout, stderr } = await importInto(LIBRARY, 'library');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(stderr).toContain('npx create-service library-service --from library/definitions');
  expect(stderr).toMatch(/^13 operations: \d+ same, \d+ changed, \d+ not taken\n/);
  const folder = path.join(workshop, 'library');
  expect(readdirSync(folder)).toEqual(['definitions', 'import-report.json', 'import-report.md']);
  const printed = await importInto(LIBRARY, '--report-only');
  expect(printed.stdout.trimEnd()).toBe(
    readFileSync(path.join(folder, 'import-report.md'), 'utf8').trimEnd(),
  );
  const report = reportIn('library');
  expect(report.counts).toMatchObject({ operations: 13, notTaken: 2 });
  expect(report.counts.same).toBeGreaterThanOrEqual(5);

  const project = await makeProject(
    'imported-library',
    path.relative(ROOT, path.join(folder, 'definitions')),
  );
  for (const script of ['types', 'build']) {
    const ended = await runScript(project, script);
    expect(ended.exitCode, ended.output).toBe(0);
  }
  const service = await start(project, { DATA_DIR: 'memory' });
  const response = await fetch(`${service.origin}/api/v1/openapi.json`);
  const emitted = (await response.json()) as EmittedDocument;
  const { parse } = await import('yaml');
  const source = parse(readFileSync(LIBRARY, 'utf8')) as EmittedDocument;
  for (const operation of report.operations) checkOperation(operation, source, emitted);
  await useAuthors(service.origin);
  expect(await service.stop()).toBe(0);
});

/** Holds what the report says of an operation against the document of the service. */
function checkOperation(
  { method, path: of, result, offered, changes }: Operation,
  source: EmittedDocument,
  emitted: EmittedDocument,
): void {
  const what = `${method} ${of}`;
  expect(offered === null, what).toBe(result === 'not-taken');
  if (offered === null) return;
  const own = emitted.paths[offered.path]?.[offered.method.toLowerCase()];
  expect(own, what).toBeDefined();
  if (own === undefined) return;
  const status = Object.keys(own.responses).find((one) => one.startsWith('2')) ?? '';
  const told = (code: string): readonly string[] =>
    changes.filter((one) => one.code === code).map(({ text }) => text);
  const [answered] = told('status');
  const documented = source.paths[of]?.[method.toLowerCase()];
  expect(answered === undefined ? status : answered.slice(0, 'answers 201'.length), what).toBe(
    answered === undefined
      ? Object.keys(documented?.responses ?? {}).find((one) => one.startsWith('2'))
      : `answers ${status}`,
  );
  const shown = itemSchema(emitted, json(own.responses[status]));
  const sent = itemSchema(emitted, json(own.requestBody));
  // Members of the document, by its own names, and what the report says of those that differ.
  const renamed = new Map(
    [...told('request'), ...told('response')].flatMap((text) => {
      const [, from, to] = /^(\w+) is called (\w+)$/.exec(text) ?? [];
      return from === undefined || to === undefined ? [] : [[from, to] as const];
    }),
  );
  const leftOut = new Set(
    told('response').flatMap((text) => /^(\w+) is left out$/.exec(text)?.[1] ?? []),
  );
  const added = told('response').flatMap((text) => /^(\w+) is added$/.exec(text)?.[1] ?? []);
  const members = sourceMembers(source, of, method);
  const expected = members
    .filter((name) => !leftOut.has(name))
    .map((name) => renamed.get(name) ?? name);
  expect(Object.keys(shown.properties ?? {}).toSorted(), what).toEqual(
    [...expected, ...added].toSorted(),
  );
  for (const text of told('request')) {
    const [, refused] = /^(\w+) is not accepted$/.exec(text) ?? [];
    expect(Object.keys(sent.properties ?? {}), what).not.toContain(refused);
  }
}

/** The members of the items that an operation of the library answers with. */
function sourceMembers(source: EmittedDocument, of: string, method: string): readonly string[] {
  const operation = source.paths[of]?.[method.toLowerCase()];
  const [status = ''] = Object.keys(operation?.responses ?? {});
  return namesIn(source, json(operation?.responses[status]));
}

function namesIn(source: EmittedDocument, schema: unknown): readonly string[] {
  const { $ref, items, allOf, properties } = (schema ?? {}) as Schema & {
    readonly allOf?: readonly unknown[];
  };
  if ($ref !== undefined) {
    return namesIn(source, source.components.schemas[$ref.replace('#/components/schemas/', '')]);
  }
  if (items !== undefined) return namesIn(source, items);
  const data = properties?.['data'];
  if (data !== undefined) return namesIn(source, data);
  return [
    ...(allOf ?? []).flatMap((part) => namesIn(source, part)),
    ...Object.keys(properties ?? {}),
  ];
}

/** Requests of a client of the imported document, to operations that are the same. */
async function useAuthors(origin: string): Promise<void> {
  const send = async (method: string, below: string, body?: object): Promise<Response> =>
    fetch(`${origin}/api/v1/authors${below}`, {
      method,
      headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const created = await send('POST', '', { name: 'Ada', homepage: null });
  expect(created.status).toBe(201);
  const author = (await created.json()) as Readonly<Record<string, unknown>>;
  expect(author).toMatchObject({ name: 'Ada', born_on: null, homepage: null });
  const changed = await send('PATCH', `/${String(author['id'])}`, { born_on: '1815-12-10' });
  expect([changed.status, await changed.json()]).toMatchObject([200, { born_on: '1815-12-10' }]);
  // Public in the document, and in the service.
  const listed = await fetch(`${origin}/api/v1/authors?limit=25`);
  expect([listed.status, await listed.json()]).toMatchObject([200, [{ name: 'Ada' }]]);
  expect((await send('DELETE', `/${String(author['id'])}`)).status).toBe(204);
}

describe('refuses in a sentence, and writes nothing', () => {
  const write = (name: string, text: string): string => {
    writeFileSync(path.join(workshop, name), text);
    return name;
  };

  test.each<[what: string, words: () => readonly string[], exitCode: number, stderr: RegExp]>([
    [
      'Swagger 2.0',
      () => [write('old.json', '{"swagger":"2.0"}'), 'shop'],
      1,
      /^error old\.json is a Swagger 2\.0 document, and import reads OpenAPI 3\.0, 3\.1 and 3\.2\nConvert it: npx swagger2openapi "old\.json"/,
    ],
    [
      'another version',
      () => [write('new.yaml', 'openapi: 4.0.0'), 'shop'],
      1,
      /^error new\.yaml is of the OpenAPI version "4\.0\.0"/,
    ],
    [
      'another file',
      () => [write('other.yaml', 'a: 1'), 'shop'],
      1,
      /^error other\.yaml is no OpenAPI document/,
    ],
    [
      'no operation',
      () => [write('empty.yaml', 'openapi: 3.1.0'), 'shop'],
      1,
      /^error empty\.yaml has no operation/,
    ],
    [
      'no YAML',
      () => [write('bad.yaml', 'openapi: [\n'), 'shop'],
      1,
      /^error bad\.yaml cannot be read: line 2 is not valid YAML/,
    ],
    [
      'text that begins with *',
      () => [write('alias.yaml', 'openapi: 3.1.0\ninfo: { title: *important }\n'), 'shop'],
      1,
      /^error alias\.yaml cannot be read: it has no anchor &important for \*important\. Text that/,
    ],
    [
      'nesting without end',
      () => [write('deep.yaml', `a: ${'['.repeat(100_000)}`), 'shop'],
      1,
      /^error deep\.yaml cannot be read: values are nested deeper than 64 levels/,
    ],
    [
      'indentation without end',
      () => [
        write(
          'indented.yaml',
          Array.from({ length: 3000 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'),
        ),
        'shop',
      ],
      1,
      /^error indented\.yaml cannot be read: values are nested deeper than 64 levels/,
    ],
    [
      'no UTF-8',
      () => {
        writeFileSync(path.join(workshop, 'latin.yaml'), Buffer.from([0x61, 0xe9]));
        return ['latin.yaml', 'shop'];
      },
      1,
      /^error latin\.yaml cannot be read: it is not UTF-8/,
    ],
    [
      'a large file',
      () => [write('large.yaml', ' '.repeat(17 * 1024 * 1024)), 'shop'],
      1,
      /^error large\.yaml has 17 MiB, and a document has at most 16 MiB/,
    ],
    ['a folder', () => ['.', 'shop'], 2, /^error .* is not a file\n/],
    [
      'no file',
      () => ['nothing.yaml', 'shop'],
      2,
      /^error this is not the URL of a PostgreSQL database, and there is no file nothing\.yaml/,
    ],
    [
      'no collection',
      () => [write('none.yaml', 'openapi: 3.1.0\npaths: { /status: { get: {} } }'), 'shop'],
      1,
      /^error no path becomes a collection/,
    ],
    [
      'a URL',
      () => ['https://example.com/openapi.yaml', 'shop'],
      2,
      /^error a document is read from a file, and not from the network/,
    ],
    [
      'the URL of a file',
      () => ['file:///tmp/openapi.yaml', 'shop'],
      2,
      /^error a document is read from a file, and file:\/\/\/tmp\/openapi\.yaml is no path\n/,
    ],
    [
      'paths in other files',
      () => [
        write('parts.yaml', 'openapi: 3.1.0\npaths: { /books: { $ref: books.yaml } }'),
        'shop',
      ],
      1,
      /^error all paths of parts\.yaml are in other files\nJoin the files first: npx @redocly\/cli bundle/,
    ],
    [
      'an option for databases',
      () => [LIBRARY, 'shop', '--adopt'],
      2,
      /^error --adopt is only for a database/,
    ],
  ])('%s', async (_what, words, status, message) => {
    const { exitCode, stdout, stderr } = await importInto(...words());
    expect({ exitCode, stdout }).toEqual({ exitCode: status, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect(readdirSync(workshop)).not.toContain('shop');
  });
});
