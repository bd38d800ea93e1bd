/**
 * The first hour with the packed tool: the README, command by command, then the page in a browser, and a change of the
 * definitions that reaches a PostgreSQL with rows.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';

import { launchBrowser, openDocs } from './support/browser.ts';
import { blocksOf, folderWithTool, pageOf, Reader } from './support/page.ts';
import { AUTHORIZATION, makeDatabase, runScript, start } from './support/project.ts';
import { freePort } from '../../src/tasks/free-port.ts';

describe.sequential('the first hour', () => {
  let project = '';

  test('five minutes, from nothing to a service with a collection and edits of one’s own', async () => {
    const port = await freePort();
    const blocks = blocksOf(pageOf('README.md').replaceAll(':3000', `:${port}`), ['Five minutes']);
    expect(blocks.length).toBeGreaterThan(10);
    const folder = folderWithTool('five minutes');
    project = join(folder, 'my-api');
    await new Reader({ folder, env: { PORT: String(port) } }).follow(blocks);
  });

  test('its page opens in a browser, with the collection that was added', async () => {
    await succeed('build');
    const service = await start(project, { DATA_DIR: 'memory' });
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const { page, problems } = await openDocs(browser, service.origin, {
      width: 1280,
      height: 860,
    });
    await page.locator('.opblock').filter({ hasText: 'Create a publisher' }).waitFor();
    expect(problems).toEqual([]);
    expect(await service.stop()).toBe(0);
  });

  test('a change of its definitions keeps the rows that a PostgreSQL has', async () => {
    const env = { DATABASE_URL: await makeDatabase('journey') };
    const before = await start(project, env);
    const sent = { name: 'Ace Books', country: 'us', founded: 1952 };
    const stored = await ask(before.origin, '/publishers', sent);
    expect(stored).toMatchObject({ ...sent, country: 'US' });
    expect(await before.stop()).toBe(0);

    const definition = join(project, 'definitions/collections/publishers.yaml');
    const text = readFileSync(definition, 'utf8');
    const changed = text
      .replace('founded: {', 'since: { renamed_from: founded,')
      .replace('fields:', 'fields:\n  imprints: { type: integer, required: true, default: 0 }')
      .replace('sort: [name, founded]', 'sort: [name, since]');
    writeFileSync(definition, changed);
    await execa('npx', ['create-service', 'generate'], { cwd: project });
    await execa('npx', ['create-service', 'check'], { cwd: project });
    await succeed('build');
    await succeed('migrate', env);

    const after = await start(project, env);
    const { founded, etag: _, updated_at: __, ...rest } = stored;
    expect(await ask(after.origin, `/publishers/${String(stored['id'])}`)).toMatchObject({
      ...rest,
      since: founded,
      imprints: 0,
    });
    expect(await ask(after.origin, '/publishers?sort=-since&limit=1')).toHaveLength(1);
    expect(await after.stop()).toBe(0);
  });

  async function succeed(script: string, env: Readonly<Record<string, string>> = {}) {
    const { exitCode, output } = await runScript(project, script, env);
    expect(exitCode, output).toBe(0);
  }
});

/** Sends a request, with POST if it has a body. @returns what a service answers, if that is a success. */
async function ask(origin: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(answer.ok, text).toBe(true);
  return JSON.parse(text) as Record<string, unknown>;
}
