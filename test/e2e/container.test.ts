/**
 * The image of an emitted project, made without Docker: what the Dockerfile copies and runs, in
 * empty folders, so that a file or a package that the image lacks is found.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import { expect, inject, test } from 'vitest';
import { parse } from 'yaml';

import { buildImage, seenByDocker } from './support/image.ts';
import { makeDatabase, makeProject, runScript, runSql, start } from './support/project.ts';

test('the Dockerfile yields a folder that runs, with PGlite if it is one of the dependencies, and without sources and compilers', async () => {
  const project = await makeProject('contained', 'examples/bookshop.yaml');
  // As a team does that runs the service on PGlite.
  const manifest = join(project, 'package.json');
  const json = JSON.parse(readFileSync(manifest, 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const { '@electric-sql/pglite': version, ...devDependencies } = json.devDependencies;
  const dependencies = { ...json.dependencies, '@electric-sql/pglite': version };
  writeFileSync(manifest, JSON.stringify({ ...json, dependencies, devDependencies }));
  await execa('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], {
    cwd: project,
  });
  // As a checkout is under umask 077.
  for (const file of ['package.json', 'src', 'migrations']) {
    await execa('chmod', ['-R', 'go-rwx', join(project, file)]);
  }
  const folder = join(inject('workshop'), 'image');
  const { service: image, copied, command } = await buildImage(project, folder);
  expect(seenByDocker(project)).toEqual(expect.arrayContaining([...copied]));
  for (const absent of [
    ...['src', 'test', 'node_modules/typescript', 'node_modules/create-service'],
    'node_modules/ioredis',
  ]) {
    expect(existsSync(join(image, absent)), absent).toBe(false);
  }
  const closed = await execa('find', ['.', '!', '-perm', '-o+r', '!', '-type', 'l'], {
    cwd: image,
  });
  expect(closed.stdout).toBe('');
  expect(command).toEqual(['node', '--enable-source-maps', 'dist/server.js']);
  const DATABASE_URL = await makeDatabase('contained');
  const running = await start(image, { DATABASE_URL });
  const answer = await fetch(`${running.origin}/api/v1/books`);
  expect(answer.status).toBe(200);
  expect(await running.stop()).toBe(0);

  // A file .env says what the environment does not.
  writeFileSync(join(image, '.env'), 'BODY_LIMIT=plenty\nLOG_LEVEL=error\n');
  const refused = await execa('node', ['dist/server.js'], { cwd: image, reject: false });
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr:
      'The service did not start. Wrong configuration: BODY_LIMIT must be an integer from 1 to 1073741824.',
  });
  const overruled = await start(image, { DATABASE_URL, BODY_LIMIT: '1000' });
  expect(await overruled.stop()).toBe(0);

  // A package that only some services use in production.
  const failure = async (env: Record<string, string>): Promise<string> =>
    (await execa('node', ['dist/server.js'], { cwd: image, reject: false, env })).stderr;
  const embedded = await start(image, { BODY_LIMIT: '1000', DATA_DIR: join(folder, 'data') });
  expect(await embedded.stop()).toBe(0);
  rmSync(join(image, 'node_modules/@electric-sql/pglite'), { recursive: true });
  expect(await failure({ BODY_LIMIT: '1000', DATA_DIR: join(folder, 'data') })).toBe(
    'The service did not start. The package @electric-sql/pglite is not installed. Set DATABASE_URL, ' +
      'or move it from devDependencies to dependencies in package.json.',
  );
});

test('compose.yaml sets what the service reads, and trusts its proxy alone', async () => {
  const project = await makeProject('composed', 'examples/scans.yaml');
  const compose = parse(readFileSync(join(project, 'compose.yaml'), 'utf8')) as {
    services: {
      api: { environment: Record<string, string> };
      worker: { command: string[]; environment: Record<string, string> };
    };
    configs: { role: { content: string } };
    networks: { default: { ipam: { config: [{ subnet: string }] } } };
  };
  const config = ['src/config.ts', 'src/platform/background-worker.ts']
    .map((file) => readFileSync(join(project, file), 'utf8'))
    .join('\n');
  const { environment } = compose.services.api;
  for (const name of Object.keys(environment)) expect(config).toContain(name);
  expect(environment['TRUST_PROXY']).toBe(compose.networks.default.ipam.config[0].subnet);
  // Those who answer requests run no jobs, and there is one who does, on the same database.
  const { worker } = compose.services;
  expect(environment['WORKERS']).toBe('0');
  expect(worker.environment).not.toHaveProperty('WORKERS');
  for (const name of Object.keys(worker.environment)) expect(config).toContain(name);
  const script = worker.command.at(-1) ?? '';
  expect(worker.command).toEqual(['node', '--enable-source-maps', script]);
  expect(existsSync(join(project, script.replace(/^dist/, 'src').replace(/js$/, 'ts')))).toBe(true);
  const noHint = (url: string | undefined): string | undefined => url?.replace(/:\?[^}]*/, '');
  expect(noHint(worker.environment['DATABASE_URL'])).toBe(noHint(environment['DATABASE_URL']));
  // No secret has a default, and the service does not know that of the superuser.
  expect(environment['DATABASE_URL']).toMatch(
    /^postgresql:\/\/service:\$\{DATABASE_PASSWORD:\?[^}]+\}@postgres:5432\/service$/,
  );
  expect(JSON.stringify([environment, worker.environment])).not.toContain('POSTGRES_PASSWORD');

  // The script of compose.yaml, with the value that psql would fill in.
  const [, sql = ''] = /<<'SQL'\n(.*)\nSQL$/s.exec(compose.configs.role.content.trim()) ?? [];
  const server = `${inject('postgresUrl')}/postgres`;
  for (const statement of sql.split(';').filter((text) => text.trim() !== '')) {
    await runSql(server, statement.replace(":'password'", "'a secret'"));
  }
  const url = server
    .replace('postgres:password', 'service:a%20secret')
    .replace(/postgres$/, 'service');
  const [role] = await runSql(url, 'select rolsuper from pg_roles where rolname = current_user');
  expect(role).toEqual({ rolsuper: false });
  const migrated = await runScript(project, 'migrate', { DATABASE_URL: url });
  expect(migrated).toEqual({ exitCode: 0, output: 'Applied 0001_initial.' });
});
