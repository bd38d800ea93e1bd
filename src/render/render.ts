/** Outputs → files in memory: every template filled in and formatted. */
import type { FileTree, OutputFile, Ownership } from '../shared/files.ts';
import { formatFile } from './format.ts';
import { fill } from './handlebars.ts';

/** A file to render. */
export interface Renderable {
  /** Below `templates/`. */
  readonly template: string;
  /** Below the project. */
  readonly target: string;
  readonly ownership: Ownership;
  readonly content: Content;
}

/** How the text of a file is made of its template. A text that is copied is not formatted. */
export type Content =
  | { readonly kind: 'copied' }
  /** Gives the view that fills the template in. */
  | { readonly kind: 'filled'; readonly view: () => object }
  | { readonly kind: 'rewritten'; readonly rewrite: (template: string) => string };

/** How many outputs are under way at once: enough for all threads that format, and no more in memory. */
const AT_ONCE = 16;

/**
 * Gives the text of each output before it is formatted; fills each in once.
 * @param readTemplate gives the text of a template by its path below `templates/`.
 */
export function fillOnce(readTemplate: (path: string) => string): (output: Renderable) => string {
  const filled = new WeakMap<Renderable, string>();
  const textOf = ({ template, target, content }: Renderable): string => {
    switch (content.kind) {
      case 'copied':
        return readTemplate(template);
      case 'filled':
        return fill(template, readTemplate, target, content.view());
      case 'rewritten':
        return content.rewrite(readTemplate(template));
    }
  };
  return (output) => {
    const text = filled.get(output) ?? textOf(output);
    filled.set(output, text);
    return text;
  };
}

/**
 * Renders outputs, sorted by path.
 * @param outputs may be found out while others are formatted.
 * @param textOf gives the text of an output before it is formatted.
 */
export async function renderFiles(
  outputs: Iterable<Renderable>,
  textOf: (output: Renderable) => string,
): Promise<FileTree> {
  const files: OutputFile[] = [];
  const rest = outputs[Symbol.iterator]();
  const renderRest = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      const { target, ownership, content } = next.value;
      const text = textOf(next.value);
      const formatted = content.kind === 'copied' ? text : await formatFile(target, text);
      files.push({ path: target, text: formatted, ownership });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, renderRest));
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
