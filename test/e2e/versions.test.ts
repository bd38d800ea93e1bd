/**
 * docs/versions.md, followed by somebody who has rows to keep and a client that knows version 1. The
 * client is in `old-client/`: after each step its own tests pass, on both databases, and it could be
 * generated anew from what version 1 says of itself by then.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { execa } from 'execa';
import { expect, inject, test } from 'vitest';

import { linkedInstalls } from './support/npm-shim.ts';
import { blocksOf, Reader } from './support/page.ts';
import { AUTHORIZATION, makeDatabase, ROOT, runScript, start } from './support/project.ts';
import type { Running } from './support/project.ts';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

async function ask(
  { origin }: Running,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await fetch(`${origin}/api${path}`, {
    method,
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { status, headers } = answer;
  return { status, headers, body: (await answer.json()) as Answer['body'] };
}

test('a client of version 1 works to its end', async () => {
  const folder = join(inject('workshop'), 'versions');
  mkdirSync(folder);
  symlinkSync(dirname(dirname(inject('command'))), join(folder, 'node_modules'));
  const reader = new Reader({ folder, env: linkedInstalls(join(folder, 'bin')) });
  const page = readFileSync(join(ROOT, 'docs/versions.md'), 'utf8');
  const project = join(folder, 'shop');
  const follow = async (section: string): Promise<void> => {
    const blocks = blocksOf(page, [section]);
    expect(blocks.length).toBeGreaterThan(1);
    await reader.follow(blocks);
    const built = await runScript(project, 'build');
    expect(built.exitCode, built.output).toBe(0);
  };

  const client = await oldClient();
  const databases = [
    { DATA_DIR: join(folder, 'data') },
    { DATABASE_URL: await makeDatabase('versions') },
  ];
  /** Starts the service on each database, with the rows of the steps before. */
  const onEach = async (act: (service: Running) => Promise<void>): Promise<void> => {
    for (const environment of databases) {
      const service = await start(project, environment);
      await act(service);
      expect(await service.stop()).toBe(0);
    }
  };
  const works = async ({ origin }: Running): Promise<void> => {
    const { exitCode, all } = await client.run(origin);
    expect(exitCode, all).toBe(0);
    expect(all).toMatch(/^# pass 6$/m);
    expect(await client.compileWith(`${origin}/api/v1/openapi.json`)).toBe('');
  };

  await follow('Version 1');
  await onEach(works);

  await follow('Version 2');
  await onEach(async (service) => {
    const { body: author } = await ask(service, 'POST', '/v2/authors', { name: 'Anna' });
    const { body: book } = await ask(service, 'POST', '/v2/books', {
      ...{ title: 'Later', price: 5, status: 'archived', pages: 300, author_id: author['id'] },
    });
    const path = `books/${String(book['id'])}`;
    const told = await ask(service, 'GET', `/v1/${path}`);
    expect(told.body).toMatchObject({ cost: 5, status: 'published', note: null });
    await ask(service, 'PUT', `/v1/${path}`, { title: 'L', cost: 6, author_id: author['id'] });
    const kept = await ask(service, 'GET', `/v2/${path}`);
    expect(kept.body).toMatchObject({ title: 'L', price: 6, pages: 300 });
    await works(service);
  });

  await follow('Version 3');
  await onEach(async (service) => {
    const { body: person } = await ask(service, 'POST', '/v3/people', { name: 'Berta' });
    const { status, body: book } = await ask(service, 'POST', '/v3/books', {
      ...{ title: 'Last', price: '70000', person_id: person['id'] },
    });
    expect(status).toBe(201);
    const told = await ask(service, 'GET', `/v1/books/${String(book['id'])}`);
    expect(told.body).toMatchObject({ cost: 70_000, author_id: person['id'] });
    expect(told.headers.get('deprecation')).toBe('@1777593600');
    expect(told.headers.get('sunset')).toBe('Sun, 01 Nov 2026 00:00:00 GMT');
    expect(told.headers.get('link')).toContain('rel="successor-version"');
    await works(service);
  });

  await follow('The end of version 1');
  await onEach(async (service) => {
    expect((await ask(service, 'GET', '/v1/books')).status).toBe(410);
    expect((await ask(service, 'GET', '/v2/books')).status).toBe(200);
    expect((await client.run(service.origin)).exitCode).toBe(1);
  });
}, 1_200_000);

/** The client as it was left: compiled, with its types as they were generated. */
async function oldClient() {
  const folder = join(inject('workshop'), 'old-client');
  cpSync(join(ROOT, 'test/e2e/old-client'), folder, { recursive: true });
  await execa('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
  await execa('npx', ['tsc'], { cwd: folder });
  return {
    /** What the compiler has against the client, with the types of a document in place of its own. */
    compileWith: async (document: string): Promise<string> => {
      const today = join(folder, 'today');
      cpSync(join(ROOT, 'test/e2e/old-client'), today, { recursive: true });
      await execa('npx', ['openapi-typescript', document, '-o', 'today/v1.d.ts'], { cwd: folder });
      const { stdout } = await execa('npx', ['tsc', '--noEmit', '--project', 'today'], {
        cwd: folder,
        reject: false,
      });
      return stdout;
    },
    run: (origin: string) =>
      execa('node', ['--test', '--test-reporter=tap', 'dist/client.test.js'], {
        cwd: folder,
        env: { SERVICE: origin, AUTHORIZATION },
        all: true,
        reject: false,
      }),
  };
}
