/**
 * How a template becomes a function. Here its text is compiled, which takes longer than all else
 * that makes a service; the build puts a table of templates compiled ahead in the place of this
 * file (scripts/build.mjs), and neither their text nor the compiler is in the package.
 */
import type Handlebars from 'handlebars';

/** How templates are compiled; the build does the same. */
const COMPILE_OPTIONS = { noEscape: true, strict: true } as const;

/** The function of a template, by its path below `templates/`. */
export function compileTemplate(
  engine: typeof Handlebars,
  template: string,
  readTemplate: (path: string) => string,
): (data: object) => string {
  return engine.compile(readTemplate(template), COMPILE_OPTIONS);
}
