/** Doc comments of emitted code. */
import { commentLines } from '../shared/literals.ts';

/** A doc comment before a member, or nothing. */
export function docComment(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return '';
  const lines = commentLines(text.trim());
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
