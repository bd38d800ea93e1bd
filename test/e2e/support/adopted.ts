/** A service over the tables of a database that `import --adopt` has read, and requests to it. */
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

import { execa } from 'execa';
import { expect, inject } from 'vitest';

import { AUTHORIZATION, makeProject, ROOT } from './project.ts';
import type { Running } from './project.ts';

interface Adopted {
  /** What the import printed. */
  readonly printed: string;
  /** The folder of the definitions, and that of the project. */
  readonly definitions: string;
  readonly project: string;
}

/**
 * Imports a database into a folder, and makes a project of the definitions, to which `service` adds lines.
 * @param options further ones of the command line.
 */
export async function adopt(
  url: string,
  name: string,
  service = '',
  options: readonly string[] = [],
): Promise<Adopted> {
  const folder = path.join(inject('workshop'), `${name}-definitions`);
  mkdirSync(folder);
  const words = ['import', url, name, '--adopt', ...options];
  const imported = await execa(inject('command'), words, { cwd: folder, reject: false });
  expect(imported.exitCode, imported.stderr).toBe(0);
  const definitions = path.join(folder, name, 'definitions');
  appendFileSync(path.join(definitions, 'service.yaml'), service);
  const project = await makeProject(name, path.relative(ROOT, definitions));
  return { printed: imported.stderr, definitions, project };
}

/** A response of the service. */
export interface Response {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Sends a request to the service as the administrator. @param target a path, or one below that of the version. */
export async function sendTo(
  { origin }: Running,
  method: string,
  target: string,
  {
    body,
    headers = {},
  }: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  // Links of the service are whole paths. An id may be `..`, so nothing is resolved here.
  const url = `${origin}${target.startsWith('/') ? '' : '/api/v1/'}${target}`;
  const response = await fetch(url, {
    method,
    headers: {
      authorization: AUTHORIZATION,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body: parsed };
}
