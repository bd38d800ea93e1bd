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
 * Renders outputs, sorted by path.
 * @param readTemplate gives the text of a template by its path below `templates/`.
 */
export async function renderFiles(
  outputs: readonly Renderable[],
  readTemplate: (path: string) => string,
): Promise<FileTree> {
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
  const files: OutputFile[] = [];
  const rest = outputs.values();
  const renderRest = async (): Promise<void> => {
    for (const output of rest) {
      const { target, ownership, content } = output;
      const text = textOf(output);
      const formatted = content.kind === 'copied' ? text : await formatFile(target, text);
      files.push({ path: target, text: formatted, ownership });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, renderRest));
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
