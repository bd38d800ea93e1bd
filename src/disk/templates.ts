/**
 * The texts of templates. Here each is a file; the build puts one archive of them in the place of
 * this file (scripts/build.mjs), which is small and read at once.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { packageRoot } from './package.ts';

/** The text of a template by its path below `templates/`. */
export function readTemplate(template: string): string {
  return readFileSync(path.join(packageRoot, 'templates', template), 'utf8');
}
