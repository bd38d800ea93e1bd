/** `create-service [directory]`: makes a service. */
import path from 'node:path';

import { DEFINITIONS, hasDefinitions } from '../disk/definitions.ts';
import { packageRoot, packageVersion } from '../disk/package.ts';
import { toolSpec } from '../disk/tool-spec.ts';
import { enclosingWorkspace } from '../disk/workspace.ts';
import { displayPath } from '../shared/display-path.ts';
import { create } from '../commands/create.ts';
import { warningsOf } from '../model/warnings.ts';
import { COMMANDS, LOCK_FILES, managerRunning } from '../shared/package-manager.ts';
import type { PackageManager } from '../shared/package-manager.ts';
import type { CreateCommand } from './command.ts';
import { finish, createdDocument } from './finish.ts';
import type { CreatedProject } from './finish.ts';
import { counted } from '../reading/quote.ts';
import { printIssues, printWarnings } from './issues.ts';
import { ownerOf } from './owner.ts';
import type { Printer } from './printer.ts';
import { requireManager } from './require-manager.ts';
import type { ExitStatus, World } from './world.ts';

const EXAMPLES = path.join(packageRoot, 'examples');
const BOOKSHOP = path.join(EXAMPLES, 'bookshop.yaml');

export async function runCreate(
  typed: CreateCommand,
  world: World,
  printer: Printer,
): Promise<ExitStatus> {
  const cwd = path.resolve(world.cwd, typed.cwd ?? '.');
  const running = managerRunning(world.env['npm_config_user_agent']);
  const name = typed.packageManager ?? running.name;
  const manager =
    name === running.name ? running : { name, version: await askVersion(name, cwd, world) };
  const command = await complete(typed, cwd, name, world);
  const target = targetOf(command, cwd);
  const from = sourceOf(command, cwd, target);
  if (from === BOOKSHOP && command.from === undefined) {
    printer.note('Starting from the example bookshop; --from starts from your own definitions.');
  }
  if (command.install && !command.dryRun) await requireManager(manager, cwd, world);
  const result = await create({
    from,
    target,
    cwd,
    name: command.name,
    tool: command.tool ?? toolSpec(packageRoot, packageVersion()),
    manager,
    dryRun: command.dryRun,
    interrupted: world.interrupted,
    owner: ownerOf(world),
    isAlive: world.isAlive,
  });
  if (!result.ok) return printIssues(result.issues, printer);
  printWarnings(warningsOf(result.service), printer);
  const shown = displayPath(cwd, result.folder);
  if (command.dryRun) return printDryRun(result, shown, printer);
  printer.note(`Created ${printer.style.bold(shown)}: ${counted(result.files.length, 'file')}.`);
  const workspace = enclosingWorkspace(result.folder, name);
  if (workspace !== undefined) printer.note(workspaceNote(displayPath(cwd, workspace), name));
  return finish(command, result, { shown, manager: name, world, printer });
}

/** The version of a package manager that does not run this command; npm's is not recorded. */
async function askVersion(
  name: PackageManager,
  cwd: string,
  { interrupted }: World,
): Promise<string | undefined> {
  if (name === 'npm') return undefined;
  const { installedVersion } = await import('../tasks/package-manager.ts');
  return installedVersion(name, cwd, interrupted);
}

/** Asks on a terminal what nothing was typed of. */
async function complete(
  typed: CreateCommand,
  cwd: string,
  manager: PackageManager,
  world: World,
): Promise<CreateCommand> {
  if (!typed.bare || !world.canAsk || hasDefinitions(cwd)) return typed;
  const { askForNew } = await import('./ask.ts');
  return askForNew(typed, cwd, COMMANDS[manager].fetch, [
    { label: 'Bookshop', hint: 'an example: authors, books, reviews', from: undefined },
    { label: 'Atlas', hint: 'an example: the countries of the world', from: example(cwd, 'atlas') },
    { label: 'Almost nothing', hint: 'one collection', from: example(cwd, 'minimal.yaml') },
  ]);
}

function example(cwd: string, name: string): string {
  const file = path.join(EXAMPLES, name);
  const relative = displayPath(cwd, file);
  return relative.startsWith('..') ? file : relative;
}

/** What a project among workspaces has to change; it is made for a repository of its own. */
const workspaceNote = (file: string, manager: PackageManager): string =>
  `${file} declares workspaces. If this service becomes one of them, ${LOCK_FILES[manager]} stays ` +
  "beside that file: build the service's image from there, with a Dockerfile that copies both, and " +
  'move .github/workflows/ci.yml there.';

/** The folder to make; undefined where the name of the service decides. */
function targetOf({ directory, from }: CreateCommand, cwd: string): string | undefined {
  if (directory !== undefined) return path.resolve(cwd, directory);
  return from === undefined && hasDefinitions(cwd) ? cwd : undefined;
}

function sourceOf({ from }: CreateCommand, cwd: string, target: string | undefined): string {
  if (from !== undefined) return path.resolve(cwd, from);
  if (target !== undefined && hasDefinitions(target)) return path.join(target, DEFINITIONS);
  return BOOKSHOP;
}

/** What becomes of a file after it is written: `generate` keeps it up to date, or it is the team's. */
const KINDS = {
  merged: 'generated',
  once: 'yours',
  'until-edited': 'yours',
  append: 'migration',
} as const;

function printDryRun(made: CreatedProject, shown: string, printer: Printer): ExitStatus {
  const { files } = made;
  printer.result(
    files.map(({ path: file, ownership }) => `${KINDS[ownership].padEnd(9)}  ${file}\n`).join(''),
  );
  printer.note(`${counted(files.length, 'file')} would be in ${shown}. Nothing was written.`);
  printer.document({ ...createdDocument(made), dryRun: true });
  return 0;
}
