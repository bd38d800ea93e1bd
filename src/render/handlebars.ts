/** Handlebars as the templates use it: strict, nothing escaped, and a handful of helpers. */
import Handlebars from 'handlebars';

import {
  commentLines,
  markdownText,
  stringLiteral,
  stringsLiteral,
  stringUnion,
} from '../shared/literals.ts';
import { compileTemplate } from './precompiled.ts';
import { docComment } from './doc-comment.ts';

const engine = Handlebars.create();

/** All arguments but the last, which is Handlebars' own. */
const own = (args: readonly unknown[]): unknown[] => args.slice(0, -1);

/** The helpers of templates, beside those that Handlebars has. */
const HELPERS = {
  /** A text as a literal. */
  string: (text: string) => stringLiteral(text),
  /** An array of texts as a literal. */
  strings: (texts: readonly string[]) => stringsLiteral(texts),
  /** Texts as a union of literal types. */
  union: (texts: readonly string[]) => stringUnion(texts),
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
} as const;
engine.registerHelper(HELPERS);

/** A template that repeats for each collection is compiled once. */
const templates = new Map<string, (data: object) => string>();

/**
 * Fills a template in.
 * @param template its path below `templates/`
 * @param readTemplate gives the text of a template by its path.
 * @throws an error that names the template, the output, and what is missing: a bug of ours.
 */
export function fill(
  template: string,
  readTemplate: (path: string) => string,
  output: string,
  data: object,
): string {
  try {
    const filled = templates.get(template) ?? compileTemplate(engine, template, readTemplate);
    templates.set(template, filled);
    return filled(data);
  } catch (error) {
    throw new Error(`${template} → ${output}: ${(error as Error).message}`, { cause: error });
  }
}
