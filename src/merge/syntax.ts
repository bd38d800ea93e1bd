/** What parses: the formatter reads a file in less than a millisecond, and says so. */
import { EMITTED_FORMAT, formatFile } from '../render/format.ts';

/** The text in the style of emitted projects; undefined where it does not parse. */
export async function tryFormat(path: string, text: string): Promise<string | undefined> {
  try {
    return await formatFile(path, text);
  } catch {
    return undefined;
  }
}

/**
 * A text in a layout that depends on its content alone. Formatting keeps two things that the team may change: blank
 * lines, and objects that stand on several lines.
 */
export async function withoutLayout(path: string, text: string): Promise<string> {
  // Blank lines in a template literal are no layout.
  const dense = text.includes('`') ? text : text.replaceAll(/\n\s*\n/g, '\n').trim();
  try {
    return await formatFile(path, dense, { ...EMITTED_FORMAT, objectWrap: 'collapse' });
  } catch {
    return dense;
  }
}
