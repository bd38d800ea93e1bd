/** The OpenAPI document of an emitted project, in the hands of tools that know nothing of us. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { validate } from '@readme/openapi-parser';
import { execa } from 'execa';
import { expect } from 'vitest';

import { ROOT, runScript } from './project.ts';

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationPart>>>>;
  readonly servers: readonly object[];
  readonly components: { readonly responses: Readonly<Record<string, ResponsePart>> };
}
interface OperationPart {
  readonly responses: Readonly<Record<string, ResponsePart & { readonly $ref?: string }>>;
}
interface ResponsePart {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/** Reads the document that a project has written. */
export const documentOf = (project: string): Document =>
  JSON.parse(readFileSync(join(project, 'openapi.json'), 'utf8')) as Document;

/** Has a project write its document. */
export async function writeDocument(project: string): Promise<void> {
  const { exitCode, output } = await runScript(project, 'openapi');
  expect(exitCode, output).toBe(0);
}

/** Validates the document of a project, and lints it by the rules that redocly recommends. */
export async function expectValidDocument(project: string): Promise<void> {
  await writeDocument(project);
  const { stdout } = await execa(
    join(ROOT, 'node_modules/.bin/redocly'),
    ['lint', 'openapi.json', '--extends=recommended', '--format=json'],
    { cwd: project, reject: false, env: { REDOCLY_TELEMETRY: 'off' } },
  );
  const { totals, problems } = JSON.parse(stdout) as {
    totals: object;
    problems: { message: string }[];
  };
  // A member that is called `constructor` redocly 2.77 looks for in the prototype, and misses.
  const real = problems.filter(({ message }) => !/['`]constructor['`]/.test(message));
  expect(real).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, ignored: 0 });
  // The parser changes what it is given.
  const document = documentOf(project) as unknown as Parameters<typeof validate>[0];
  expect(await validate(document)).toMatchObject({ valid: true });
}
