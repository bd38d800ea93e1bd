/**
 * A project with each package manager but npm, which all other tests have: installed as `new` does
 * it, and then from its lock file as its Dockerfile does, compiled, and run.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, join } from 'node:path';

import { execa } from 'execa';
import { beforeAll, expect, inject, test } from 'vitest';

import { COMMANDS } from '../../src/shared/package-manager.ts';
import { buildImage, seenByDocker } from './support/image.ts';
import type { Image } from './support/image.ts';
import { makeDatabase, ROOT, start } from './support/project.ts';

/** The versions that projects name, as the packages that they are published as. */
const { devDependencies: VERSIONS } = JSON.parse(
  readFileSync(join(ROOT, 'templates/service/package.json'), 'utf8'),
) as { readonly devDependencies: Readonly<Record<string, string>> };

const MANAGERS = ['pnpm', 'yarn', 'bun'] as const;
type Manager = (typeof MANAGERS)[number];

const images = new Map<Manager, PromiseSettledResult<Image> | undefined>();
let env: { readonly PATH: string; readonly npm_config_prefix: string };

beforeAll(async () => {
  const place = join(inject('workshop'), 'managers');
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{ "private": true }');
  const packages = ['pnpm', '@yarnpkg/cli-dist', 'bun'].map((name) => `${name}@${VERSIONS[name]}`);
  await execa('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], {
    cwd: place,
  });
  // Corepack would put Yarn among the programs of this machine: here it is on the PATH already.
  const own = join(place, 'bin');
  mkdirSync(own);
  writeFileSync(join(own, 'corepack'), '#!/bin/sh\n[ "$*" = enable ]\n');
  chmodSync(join(own, 'corepack'), 0o755);
  // What the Dockerfile installs for all comes first, so that it is what runs.
  const folders = [join(place, 'image/bin'), join(place, 'node_modules/.bin'), own];
  env = {
    PATH: [...folders, process.env['PATH']].join(delimiter),
    npm_config_prefix: join(place, 'image'),
  };
  // All at once: most of it is waiting for the network and the disk.
  const results = await Promise.allSettled(MANAGERS.map(made));
  for (const [index, manager] of MANAGERS.entries()) images.set(manager, results[index]);
});

/** Makes a project, and the image that its Dockerfile yields. */
async function made(manager: Manager): Promise<Image> {
  const project = join(inject('workshop'), `with-${manager}`);
  const words = ['--from', join(ROOT, 'test/cases/minimal/definitions.yaml'), '--no-git', '--yes'];
  const tool = ['--tool', `file:${inject('tarball')}`];
  // In CI these would ask for the lock file that this makes.
  const { stderr } = await execa(
    inject('command'),
    ['new', project, ...words, ...tool, '--package-manager', manager],
    { env: { ...env, CI: 'true' } },
  );
  expect(stderr).toContain('Installed the dependencies.');
  const [program = '', ...rest] = COMMANDS[manager].exec.split(' ');
  await execa(program, [...rest, 'create-service', 'check'], { cwd: project, env });
  if (manager === 'bun') {
    // A runner of Bun's own, which cannot run the tests of Vitest.
    const own = await execa('bun', ['test'], { cwd: project, env, reject: false });
    expect(own).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('bun run test') as unknown,
    });
  }

  const folder = join(inject('workshop'), `image-${manager}`);
  // Where a lock file says that a tarball lies beside the project, it does.
  mkdirSync(join(folder, 'stage-build'), { recursive: true });
  symlinkSync(inject('tarball'), join(folder, 'stage-build', basename(inject('tarball'))));
  const image = await buildImage(project, folder, env);
  expect(seenByDocker(project)).toEqual(expect.arrayContaining([...image.copied]));
  return image;
}

test.each(MANAGERS)('%s', async (manager) => {
  const image = images.get(manager);
  if (image?.status !== 'fulfilled') throw image?.reason;
  const { service: folder } = image.value;
  expect(existsSync(join(folder, 'node_modules/typescript'))).toBe(false);
  expect(existsSync(join(folder, 'node_modules/@electric-sql/pglite'))).toBe(false);
  const service = await start(folder, { DATABASE_URL: await makeDatabase(`image_${manager}`) });
  expect((await fetch(`${service.origin}/docs`)).status).toBe(200);
  expect(await service.stop()).toBe(0);
});
