/** What to do with imported definitions. */
import path from 'node:path';

import type { Printer } from './printer.ts';
import { commandLine } from './shell.ts';

/** @param folder as messages call it. @param name that of the service in the definitions. */
export function printNextSteps(folder: string, name: string, printer: Printer): void {
  const definitions = path.join(folder, 'definitions');
  const next = commandLine(['npx', 'create-service', `${name}-service`, '--from', definitions]);
  printer.note(
    `Read ${path.join(folder, 'import-report.md')}, change ${definitions} as you like, and run:\n`,
  );
  printer.note(`  ${printer.style.cyan(next)}`);
}
