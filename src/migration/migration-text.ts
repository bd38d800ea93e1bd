/** The text of a migration: a comment for people, then its statements. */
import type { Draft } from './draft.ts';

/** Rather than let all requests wait behind it, a migration that finds a table busy gives up. */
const LOCK_TIMEOUT = `set local lock_timeout = '10s';`;

export function migrationText({ summary, locks }: Draft, statements: readonly string[]): string {
  const lines = [...new Set(summary)];
  if (locks.length > 0) {
    lines.push('', 'Holds these tables exclusively until the end of the migration:');
    lines.push(...locks.map((lock) => `- ${lock}`));
  }
  const comment = lines.map((line) => `-- ${line}`.trimEnd()).join('\n');
  return [`${comment}\n`, `${LOCK_TIMEOUT}\n`, ...statements.map((one) => `${one}\n`)].join('\n');
}
