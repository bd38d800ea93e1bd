/** One run of the command line: parse, do, tell what went wrong, answer the exit status. */
import { packageVersion } from '../disk/package.ts';
import { UserError } from '../shared/errors.ts';
import type { Command } from './command.ts';
import { Interrupted } from './interrupted.ts';
import { parseCommandLine } from './parse.ts';
import { printerOf } from './printer.ts';
import type { Printer } from './printer.ts';
import type { ExitStatus, World } from './world.ts';

export async function runCommandLine(world: World): Promise<ExitStatus> {
  let printer = printerOf(world, settingsBefore(world.argv));
  try {
    const { argv, cwd, columns, env } = world;
    const settings = { cwd, columns, shell: env['SHELL'], version: packageVersion() };
    const command = parseCommandLine(argv, settings);
    if (command.kind === 'text') {
      world.stdout.write(`${command.text.trimEnd()}\n`);
      return 0;
    }
    printer = printerOf(world, command);
    return await perform(command, world, printer);
  } catch (error) {
    if (error instanceof Interrupted) return printInterrupted(error, printer);
    if (world.interrupted.aborted) return printInterrupted(new Interrupted(), printer);
    return error instanceof UserError ? printUserError(error, printer) : printBug(error, printer);
  }
}

/** Each command is loaded when it is asked for. */
async function perform(
  command: Exclude<Command, { kind: 'text' }>,
  world: World,
  printer: Printer,
): Promise<ExitStatus> {
  if (command.kind === 'explain') {
    const { runExplain } = await import('./explain.ts');
    return runExplain(command, world, printer);
  }
  if (command.kind === 'generate') {
    const { runGenerate } = await import('./generate.ts');
    return runGenerate(command, world, printer);
  }
  if (command.kind === 'import') {
    const { runImport } = await import('./import.ts');
    return runImport(command, world, printer);
  }
  if (command.kind === 'import-openapi') {
    const { runImportOpenApi } = await import('./import-openapi.ts');
    return runImportOpenApi(command, world, printer);
  }
  if (command.kind === 'import-again') {
    const { runImportAgain } = await import('./import-again.ts');
    return runImportAgain(command, world, printer);
  }
  if (command.kind === 'verify') {
    const { runVerify } = await import('./verify.ts');
    return runVerify(command, world, printer);
  }
  if (command.kind === 'check') {
    const { runCheck } = await import('./check.ts');
    return runCheck(command, world, printer);
  }
  const { runCreate } = await import('./create.ts');
  return runCreate(command, world, printer);
}

/** How to tell of a command line that could not be read. */
function settingsBefore(argv: readonly string[]): Parameters<typeof printerOf>[1] {
  const has = (option: string): boolean => argv.includes(option);
  return { json: has('--json'), quiet: has('--quiet'), color: !has('--no-color') };
}

function printUserError(error: UserError, printer: Printer): ExitStatus {
  const { code, message, hint, place, status } = error;
  printer.problem(`${printer.style.red('error')} ${message}`);
  printer.problem(printer.style.dim(hint));
  printer.document({ ok: false, issues: [{ ...place, code, message, hint }] });
  return status;
}

function printInterrupted({ message }: Interrupted, printer: Printer): ExitStatus {
  printer.problem(message);
  printer.document({ ok: false, issues: [{ code: 'interrupted', message }] });
  return 130;
}

function printBug(error: unknown, printer: Printer): ExitStatus {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const tool = `create-service ${packageVersion()}`;
  printer.problem(`${printer.style.red('error')} this is a bug of ${tool}. Please report:`);
  printer.problem(stack);
  printer.document({ ok: false, issues: [{ code: 'bug', message: stack }] });
  return 1;
}
