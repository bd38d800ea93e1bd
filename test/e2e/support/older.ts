/** An older version of the tool, as it might have been: this one, with a few things undone. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import { inject } from 'vitest';

import { makeProject, ROOT } from './project.ts';

/** What its `package.json` says. */
export const OLDER = '0.0.9';

/** A dependency that it had in another version. */
const RAISED = /"prettier": ".*"/;
const LOWER = '"prettier": "3.0.0"';

const PARTS = ['bin', 'examples', 'schema', 'scripts', 'src', 'templates', 'package.json'];

/** Builds it; gives the command. */
export async function buildOlder(): Promise<string> {
  const folder = join(inject('workshop'), 'older');
  mkdirSync(folder);
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const change = (file: string, from: RegExp, to: string): void => {
    const text = readFileSync(join(folder, file), 'utf8');
    if (!from.test(text)) throw new Error(`${file} no longer holds ${from}`);
    writeFileSync(join(folder, file), text.replace(from, to));
  };
  change('package.json', /"version": ".*"/, `"version": "${OLDER}"`);
  // A dependency that was raised since, and one that came with a script.
  change('templates/service/package.json', RAISED, LOWER);
  change('templates/service/package.json', /\n *"openapi": ".*",/, '');
  // Lines beside those that the team edits.
  change(
    'templates/collection/routes.ts.hbs',
    /\/\*\* Registers the endpoints, .*\*\//,
    '/** All endpoints. */',
  );
  // A file that was not there yet, and one that went.
  change('src/plan/outputs.ts', /\n *\['AGENTS\.md\.hbs', guide\],/, '');
  change(
    'src/plan/outputs.ts',
    /(\n *\['src\/server\.ts', copied\],)/,
    "$1\n  ['src/older.ts', copied],",
  );
  const gone = '/** What nobody needs any more. */\nexport const OLDER = true;\n';
  writeFileSync(join(folder, 'templates/service/src/older.ts'), gone);
  await execa(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  return join(folder, 'bin/create-service.js');
}

/** Makes a project by it: the dependency that was raised since has the version of this one in its `node_modules`. */
export const makeOlder = (command: string, name: string, from: string): Promise<string> =>
  makeProject(name, from, { git: true, command });
