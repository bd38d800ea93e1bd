/**
 * Splits SQL into its statements, as the emitted `apply-migrations.ts` does.
 * Nested comments, and quotes after a backslash in E strings, are not supported.
 */
import { ownMember } from '../shared/json.ts';

/** What ends a comment. */
const CLOSE: Readonly<Record<string, string>> = { '--': '\n', '/*': '*/' };

export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  // The start of a text, a name or a comment, each of which may contain semicolons; or the end of a statement.
  const tokens = /'|"|--|\/\*|\$\w*\$|;/g;
  let start = 0;
  for (let match = tokens.exec(sql); match !== null; match = tokens.exec(sql)) {
    const [token] = match;
    if (token === ';') {
      statements.push(sql.slice(start, match.index));
      start = tokens.lastIndex;
      continue;
    }
    const close = ownMember(CLOSE, token) ?? token;
    const end = sql.indexOf(close, tokens.lastIndex);
    if (end < 0) break;
    tokens.lastIndex = end + close.length;
  }
  return [...statements, sql.slice(start)];
}
