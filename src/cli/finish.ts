/** What comes after a project is in place, and takes nothing of it back: install, git, a last word. */
import { usesExistingTables } from '../model/existing.ts';
import { DEFINITIONS } from '../disk/definitions.ts';
import { packageVersion } from '../disk/package.ts';
import { userError } from '../shared/errors.ts';
import type { CreateResult } from '../commands/create.ts';
import { warningsOf } from '../model/warnings.ts';
import { COMMANDS } from '../shared/package-manager.ts';
import type { PackageManager } from '../shared/package-manager.ts';
import type { CreateCommand } from './command.ts';
import { Interrupted } from './interrupted.ts';
import { issuesDocument } from '../definition/index.ts';
import { isNarrow, wrapped } from './narrow.ts';
import type { Printer } from './printer.ts';
import { withProgress } from './progress.ts';
import { commandLine } from './shell.ts';
import type { ExitStatus, World } from './world.ts';

/** A project that was created, or would be by a dry run. */
export type CreatedProject = Extract<CreateResult, { readonly ok: true }>;

/** The output of `--json` for it. */
export const createdDocument = ({ service, folder, files }: CreatedProject): object => ({
  ok: true,
  service: service.name,
  folder,
  warnings: issuesDocument(warningsOf(service)),
  files: files.map(({ path, ownership }) => ({ path, ownership })),
});

/** A command to go on with. */
interface Step {
  readonly line: string;
  /** Absent where the line says it. */
  readonly does?: string;
}

interface Surroundings {
  /** The project's folder as the user knows it. */
  readonly shown: string;
  readonly manager: PackageManager;
  readonly world: World;
  readonly printer: Printer;
}

export async function finish(
  command: CreateCommand,
  made: CreatedProject,
  { shown, manager, world, printer }: Surroundings,
): Promise<ExitStatus> {
  const { service, folder } = made;
  const commands = COMMANDS[manager];
  const enter = shown === '.' ? [] : [commandLine(['cd', shown])];
  const installing = commands.install;
  const failure = command.install
    ? await installAll(manager, folder, [...enter, installing], world, printer)
    : undefined;
  const git = command.git ? await initGit(folder, world, printer) : undefined;
  if (world.interrupted.aborted) throw stopped(shown, [...enter, installing]);
  if (failure !== undefined) throw failure;

  const steps: readonly Step[] = [
    ...enter.map((line) => ({ line })),
    ...(command.install ? [] : [{ line: installing }]),
    ...(usesExistingTables(service)
      ? [
          {
            line: 'cp .env.example .env',
            does: 'then set DATABASE_URL in it to the database of your tables',
          },
        ]
      : []),
    { line: `${commands.admin} ada`, does: 'creates an administrator' },
    ...(service.seeds
      ? [{ line: `${commands.run} seed`, does: 'creates the items of seeds/' }]
      : []),
    {
      line: `${commands.run} dev`,
      does: 'starts the service, and restarts it when a file changes',
    },
  ];
  const width = Math.max(...steps.map(({ line }) => line.length));
  const next = steps.map(({ line }) => line);
  printer.note(`\n${service.title} is ready. Next:\n`);
  for (const { line, does } of steps) {
    printer.note(
      `  ${printer.style.cyan(line)}${printer.style.dim(toldOf(does, width - line.length, world.columns))}`,
    );
  }
  const onward =
    'Then open http://127.0.0.1:3000/docs to read and try it. ' +
    `Its collections are defined in ${DEFINITIONS}/; README.md explains the project.`;
  printer.note(`\n${wrapped(onward, Math.min(world.columns, 80))}`);
  printer.document({
    ...createdDocument(made),
    dryRun: false,
    installed: command.install,
    git: git ?? 'none',
    next,
  });
  return 0;
}

/** What a step does, behind its line, or below it where there is no room. */
function toldOf(does: string | undefined, space: number, columns: number): string {
  if (does === undefined) return '';
  return isNarrow(columns)
    ? `\n${wrapped(does, columns, ' '.repeat(6))}`
    : `${' '.repeat(space)}  # ${does}`;
}

const stopped = (shown: string, next: readonly string[]): Interrupted =>
  new Interrupted(
    `Interrupted: the service was created in ${shown}. Continue with: ${next.join(' && ')}`,
  );

/** Answers with the error, which is told last: a service that is not installed is one still. */
async function installAll(
  manager: PackageManager,
  folder: string,
  next: readonly string[],
  { interrupted }: World,
  printer: Printer,
): Promise<Error | undefined> {
  const { install } = await import('../tasks/package-manager.ts');
  const outcome = await withProgress(printer, `Installing dependencies with ${manager}`, async () =>
    install(manager, folder, interrupted),
  );
  if (outcome.kind === 'installed') printer.note('Installed the dependencies.');
  if (outcome.kind !== 'failed') return undefined;
  for (const line of outcome.output) printer.problem(printer.style.dim(`  ${line}`));
  const { reason } = outcome;
  return userError('install-failed', {
    command: COMMANDS[manager].install,
    reason,
    next: next.join(' && '),
  });
}

const GIT_NOTES = {
  committed: 'Created a git repository with a first commit',
  staged: 'Created a git repository; git refused the first commit, so the files are staged',
  inside: 'The folder is in a git repository already: commit the files there',
  missing: 'Created no git repository: git is not installed',
  failed: 'Created no git repository: git failed',
  interrupted: 'Created no git repository',
} as const;

async function initGit(folder: string, world: World, printer: Printer): Promise<string> {
  if (world.interrupted.aborted) return 'interrupted';
  const { makeRepository } = await import('../tasks/git.ts');
  const { outcome, reason } = await makeRepository(
    folder,
    `Start from create-service ${packageVersion()}`,
    world.interrupted,
  );
  const why = reason === undefined || reason === '' ? '' : `: ${reason}`;
  printer.note(`${GIT_NOTES[outcome]}${why}.`);
  return outcome;
}
