/** What parses: the formatter reads a file in less than a millisecond, and says so. */
import { formatFile } from '../render/format.ts';

/** The text in the style of emitted projects; undefined where it does not parse. */
export async function tryFormat(path: string, text: string): Promise<string | undefined> {
  try {
    return await formatFile(path, text);
  } catch {
    return undefined;
  }
}
