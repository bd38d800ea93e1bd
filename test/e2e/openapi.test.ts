/** The OpenAPI documents of emitted services, in the hands of tools that know nothing of us. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { execa } from 'execa';
import { expect, inject, test } from 'vitest';

import { documentOf, problemsOfDocument, writeDocument } from './support/document.ts';
import type { Document } from './support/document.ts';
import {
  AUTHORIZATION,
  makeBuiltProject,
  makeProject,
  ROOT,
  runScript,
  start,
} from './support/project.ts';

test('the document is valid and clean where only the Accept header names the version', async () => {
  // Those of services with both ways of versioning are validated in emitted/.
  const project = await makeProject('accept-only', 'test/cases/accept-only/definitions.yaml');
  expect(await problemsOfDocument(project)).toEqual([]);
});

test('npm run openapi reads .env, and refuses a bad variable in one line', async () => {
  const project = await makeProject('openapi-environment', 'test/e2e/definitions/counted.yaml');
  writeFileSync(
    join(project, '.env'),
    'PUBLIC_URL=https://api.example.org\nREDIS_URL=redis://nobody\n',
  );
  expect(await runScript(project, 'openapi')).toMatchObject({ exitCode: 0 });
  expect(documentOf(project).servers).toMatchObject([{ url: 'https://api.example.org' }]);
  expect(await runScript(project, 'openapi', { PORT: 'x' })).toEqual({
    exitCode: 1,
    output:
      'No document was written. Wrong configuration: PORT must be an integer from 0 to 65535.',
  });
});

test('clients that three tools generate type-check, and work', async () => {
  const project = await makeBuiltProject('served', 'examples/bookshop.yaml');
  await writeDocument(project);
  const folder = join(inject('workshop'), 'client');
  cpSync(join(ROOT, 'test/e2e/client'), folder, { recursive: true });
  await execa('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder });
  const document = join(project, 'openapi.json');
  for (const command of [
    ['openapi-typescript', document, '-o', 'api.d.ts'],
    ['openapi-ts', '-i', document, '-o', 'hey', '-c', '@hey-api/client-fetch', '--silent'],
    ['openapi-zod-client', document, '-o', 'zodios.ts', '--with-alias'],
  ]) {
    await execa('npx', command, { cwd: folder });
  }
  const compiled = await execa('npx', ['tsc'], { cwd: folder, reject: false });
  expect(compiled.stdout).toBe('');

  const service = await start(project, { DATA_DIR: 'memory' });
  const run = async (client: string): Promise<unknown> => {
    const words = [`dist/${client}.js`, service.origin, AUTHORIZATION];
    const { stdout } = await execa('node', words, { cwd: folder });
    return JSON.parse(stdout);
  };
  expect(await run('fetch-client')).toEqual({
    made: ['draft', 'draft', 'draft', 'draft', 'draft'],
    titles: ['Volume 4', 'Volume 3', 'Volume 2', 'Volume 1', 'Volume 0'],
    pages: 3,
    changed: 'published',
    refused: [422, expect.stringMatching(/title .*isbn /)],
    unknown: [401, 'Unauthorized'],
    removed: 204,
    gone: [410, 'Gone'],
    health: 'ready',
  });
  const story = {
    listed: [
      ['Part 2', 'draft'],
      ['Part 1', 'published'],
      ['Part 0', 'draft'],
    ],
    read: 'Part 2',
    changed: 'The end',
    late: [412, 'Precondition Failed'],
  };
  expect(await run('hey-api-client')).toEqual({
    ...story,
    refused: [422, expect.stringMatching(/title .*isbn /)],
  });
  expect(await run('zodios-client')).toEqual({
    ...story,
    refused: [409, 'Conflict'],
    unsent: 'refused by the client',
    user: 'grace',
  });

  await answersAsDescribed(service.origin, documentOf(project));
  expect(await service.stop()).toBe(0);
});

/** Asks for what there is, and holds each body against the schema that the document has for it. */
async function answersAsDescribed(origin: string, document: Document): Promise<void> {
  const schemas = new Ajv2020({ strict: false, validateFormats: false });
  schemas.addSchema(document, 'api');
  const schemaOf = (path: string, method: string, status: number): ValidateFunction => {
    const response = document.paths[path]?.[method]?.responses[status];
    const at = response?.$ref ?? `#/paths/${escape(path)}/${method}/responses/${status}`;
    return schemas.compile({ $ref: `api${at}/content/application~1json/schema` });
  };
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(origin + path.replace('{id}', id), {
      method: method.toUpperCase(),
      headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const value: unknown = await answer.json();
    const isValid = schemaOf(path.split('?')[0] ?? '', method, answer.status);
    expect(isValid(value), `${method} ${path}: ${JSON.stringify(isValid.errors)}`).toBe(true);
    return value;
  };
  let id = '';
  for (const [path, body] of [
    ['/api/v1/authors', { name: 'Ursula' }],
    ['/api/v1/tokens', {}],
    ['/api/v1/users', { username: 'grace', password: 'a long password' }],
  ] as const) {
    await ask('post', path, {});
    ({ id } = (await ask('post', path, body)) as { id: string });
    await ask('get', path);
    await ask('get', `${path}?fields=id`);
    await ask('get', `${path}?unheard_of=1`);
    await ask('get', `${path}/{id}`);
  }
}

const escape = (path: string): string =>
  encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
