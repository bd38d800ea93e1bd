/** Handlebars as the templates use it: strict, nothing escaped, and a handful of helpers. */
import { createHash } from 'node:crypto';

import Handlebars from 'handlebars';

import { commentLines, markdownText, stringLiteral } from './literals.ts';
import { precompiled } from './precompiled.ts';
import { docComment } from './views/shapes.ts';

const engine = Handlebars.create();

/** All arguments but the last, which is Handlebars' own. */
const own = (args: readonly unknown[]): unknown[] => args.slice(0, -1);

engine.registerHelper({
  /** A text as a literal. */
  string: (text: string) => stringLiteral(text),
  /** An array of texts as a literal. */
  strings: (texts: readonly string[]) => `[${texts.map(stringLiteral).join(', ')}]`,
  /** Texts as a union of literal types. */
  union: (texts: readonly string[]) => texts.map(stringLiteral).join(' | '),
  /** A doc comment of the paragraphs that are not empty. */
  doc: (...args: unknown[]) =>
    docComment(
      own(args)
        .filter((text) => text !== '')
        .join('\n\n'),
    ).trimEnd(),
  /** A text on lines of a comment that begins with `#` or `--`. */
  lines: (mark: string, text: string) =>
    commentLines(text)
      .map((line) => `${mark} ${line}`.trimEnd())
      .join('\n'),
  /** Names as code in a sentence of Markdown. */
  codes: (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', '),
  markdown: (text: string) => markdownText(text),
  join: (values: readonly unknown[]) => values.join(', '),
  concat: (...args: unknown[]) => own(args).join(''),
  capital: (text: string) => text.charAt(0).toUpperCase() + text.slice(1),
  or: (...args: unknown[]) => own(args).some((value) => !Handlebars.Utils.isEmpty(value)),
});

/** How templates are compiled; the build (scripts/build.mjs) does the same. */
const COMPILE_OPTIONS = { noEscape: true, strict: true } as const;

/** By their text: a template that repeats for each collection is compiled once. */
const templates = new Map<string, (data: object) => string>();

function compiled(source: string): (data: object) => string {
  const known = templates.get(source);
  if (known !== undefined) return known;
  const ahead = precompiled[createHash('sha256').update(source).digest('hex')];
  const template =
    ahead === undefined ? engine.compile(source, COMPILE_OPTIONS) : engine.template(ahead);
  templates.set(source, template);
  return template;
}

/**
 * Fills a template in.
 * @throws an error that names the template, the output, and what is missing: a bug of ours.
 */
export function fill(template: string, source: string, output: string, data: object): string {
  try {
    return compiled(source)(data);
  } catch (error) {
    throw new Error(`${template} → ${output}: ${(error as Error).message}`, { cause: error });
  }
}
