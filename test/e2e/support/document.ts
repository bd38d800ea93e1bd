/** The OpenAPI document of an emitted project, validated by third-party tools. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { validate } from '@readme/openapi-parser';
import { execa } from 'execa';

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
  if (exitCode !== 0) throw new Error(output);
}

/** What a validator and redocly, by the rules that it recommends, find in the document that a project writes. */
export async function problemsOfDocument(project: string): Promise<readonly unknown[]> {
  await writeDocument(project);
  const { stdout } = await execa(
    join(ROOT, 'node_modules/.bin/redocly'),
    ['lint', 'openapi.json', '--extends=recommended', '--format=json'],
    { cwd: project, reject: false, env: { REDOCLY_TELEMETRY: 'off' } },
  );
  const { totals, problems } = JSON.parse(stdout) as {
    totals: { ignored: number };
    problems: { message: string }[];
  };
  // A member that is called `constructor` redocly 2.77 looks for in the prototype, and misses.
  const real = problems.filter(({ message }) => !/['`]constructor['`]/.test(message));
  // The parser changes what it is given.
  const document = documentOf(project) as unknown as Parameters<typeof validate>[0];
  const result = await validate(document);
  return [
    ...real,
    ...(totals.ignored > 0 ? [`${totals.ignored} problems are ignored`] : []),
    ...(result.valid ? [] : [result]),
  ];
}
