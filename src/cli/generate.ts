/** `create-service generate`: brings a service up to date with its definitions. */
import path from 'node:path';

import { issueLine, issuesDocument } from '../definition/index.ts';
import { asOptions, collectionFrom } from '../definition/shorthand.ts';
import type { Shorthand } from '../definition/shorthand.ts';
import type { Issue } from '../reading/position.ts';
import { userError } from '../shared/errors.ts';
import { displayPath } from '../shared/display-path.ts';
import { definitionPathOf, locateProject } from '../project/open.ts';
import { generate } from '../commands/generate.ts';
import type { GenerateCommand } from './command.ts';
import { counted } from '../reading/quote.ts';
import { printIssues, printWarnings } from './issues.ts';
import { ownerOf } from './owner.ts';
import type { Printer } from './printer.ts';
import { printGenerated, printRecovered } from './print-generated.ts';
import type { ExitStatus, World } from './world.ts';

export async function runGenerate(
  command: GenerateCommand,
  world: World,
  printer: Printer,
): Promise<ExitStatus> {
  const cwd = path.resolve(world.cwd, command.cwd ?? '.');
  const shorthand = command.collection && shorthandOf(command.collection, cwd);
  const isWrong = shorthand !== undefined && shorthand.problems.length > 0;
  const result = await generate({
    cwd,
    ...(shorthand !== undefined && { added: shorthand.file }),
    // What else is wrong is told in the same breath.
    dryRun: command.dryRun || isWrong,
    allowDataLoss: command.allowDataLoss,
    allowBreaking: command.allowBreaking,
    allowWider: command.allowWider,
    restore: command.restore && path.resolve(cwd, command.restore),
    interrupted: world.interrupted,
    owner: ownerOf(world),
    isAlive: world.isAlive,
  });
  if (result.recovered !== undefined) {
    const folder = locateProject(cwd);
    const shown = (file: string): string => displayPath(cwd, path.join(folder, file));
    printRecovered(result.recovered, shown, printer);
  }
  if (shorthand !== undefined && (isWrong || !result.ok)) {
    return printProblems(shorthand, result.ok ? [] : result.issues, printer);
  }
  if (!result.ok) return printIssues(result.issues, printer);
  printWarnings(result.warnings, printer);
  return printGenerated(result, command, cwd, printer);
}

function shorthandOf(
  { name, fields }: NonNullable<GenerateCommand['collection']>,
  cwd: string,
): Shorthand {
  const folder = locateProject(cwd);
  const there = definitionPathOf(folder, name);
  if (there !== undefined) {
    const shown = displayPath(cwd, path.join(folder, there));
    throw userError('definition-exists', { name, path: shown });
  }
  return collectionFrom(name, fields);
}

/** Tells what is wrong with words; where a file is not there yet, its lines say nothing. */
function printProblems(
  { problems, words, file }: Shorthand,
  issues: readonly Issue[],
  printer: Printer,
): ExitStatus {
  const severity = printer.style.red('error');
  const told = [
    ...problems.map((message) => ({ code: 'usage', message })),
    ...issues.map((issue) => {
      const word = issue.at.file.endsWith(file.path) ? words.get(issue.at.line) : undefined;
      if (word === undefined) return issue;
      return { code: issue.code, message: `${JSON.stringify(word)}: ${asOptions(issue.message)}` };
    }),
  ];
  for (const one of told) {
    printer.problem('at' in one ? issueLine(one, severity) : `${severity} ${one.message}`);
  }
  printer.problem(`${counted(told.length, 'problem')}. Nothing was written.`);
  printer.problem(
    printer.style.dim('See create-service generate --help; every option is in definitions/ too.'),
  );
  printer.document({
    ok: false,
    issues: told.flatMap((one) => ('at' in one ? issuesDocument([one]) : one)),
  });
  return 2;
}
