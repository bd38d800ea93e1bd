/** YAML that is no definition → plain values, without positions. */
import { Lexer, LineCounter } from 'yaml';

import { DEEPEST, parseYaml, findTooDeep } from './source.ts';

/** Values, or why there are none. */
type PlainYaml = { readonly value: unknown } | { readonly problem: string };

/**
 * Parses a YAML document. What several aliases stand for is one value in memory: an alias can stand in its own
 * value, and values have to be walked with a bound.
 */
export function parsePlainYaml(text: string): PlainYaml {
  if (hasTooManyTokens(text)) {
    return { problem: `it has more than ${MOST_TOKENS / 1e6} million tokens of YAML` };
  }
  const counter = new LineCounter();
  if (findTooDeep(text) !== undefined) return TOO_DEEP;
  try {
    const { document, second } = parseYaml(text, counter, { intAsBigInt: false });
    const [mistake] = document.errors;
    if (mistake?.message.includes('call stack') === true) return TOO_DEEP;
    if (mistake !== undefined) {
      const { line } = counter.linePos(mistake.pos[0]);
      return { problem: `line ${Math.max(1, line)} is not valid YAML: ${mistake.message}` };
    }
    if (second !== undefined) return { problem: 'it has several YAML documents' };
    // Aliases are not copied, so their number needs no bound.
    return { value: document.toJS({ maxAliasCount: -1 }) as unknown };
  } catch (error) {
    const [, alias] = /^Unresolved alias .*: (.+)$/s.exec((error as Error).message) ?? [];
    if (alias !== undefined) {
      return {
        problem: `it has no anchor &${alias} for *${alias}. Text that begins with * needs quotes`,
      };
    }
    // The library calls itself for each level.
    return TOO_DEEP;
  }
}

/** The library needs 300 bytes for each. */
const MOST_TOKENS = 3_000_000;

/** Whether a text has more than the library has memory for. */
function hasTooManyTokens(text: string): boolean {
  // A character makes two tokens at most.
  if (text.length * 2 <= MOST_TOKENS) return false;
  let count = 0;
  for (const _ of new Lexer().lex(text)) {
    count += 1;
    if (count > MOST_TOKENS) return true;
  }
  return false;
}

const TOO_DEEP = { problem: `values are nested deeper than ${DEEPEST} levels` };
