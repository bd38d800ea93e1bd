/** Splits the text of a rule into tokens with their places. */

/** A text that is no rule: what is wrong with it, where, and what to write instead. */
export interface RuleProblem {
  /** The place in the text of the rule, in UTF-16 units. */
  readonly at: number;
  readonly message: string;
}

/** A token. `at` and `end` are places in the text of the rule, in UTF-16 units. */
export interface RuleToken {
  readonly kind: 'name' | 'keyword' | 'text' | 'number' | 'operator' | 'symbol' | 'end';
  /** A name or text without its quotes; anything else as it is written. */
  readonly value: string;
  readonly at: number;
  readonly end: number;
}

/** The operators of comparisons. */
export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** Words that are no names unless they stand in double quotes. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...['and', 'or', 'not', 'in', 'null', 'true', 'false'],
]);

/** The tokens, by the group of the expression that matches them. */
const TOKEN =
  /(?<blank>[ \t\r\n]+)|(?<word>[A-Za-z_][A-Za-z0-9_]*)|"(?<name>[^"]*)"|'(?<text>(?:[^']|'')*)'|(?<number>-?[0-9]+(?:\.[0-9]+)?(?![0-9A-Za-z_.]))|(?<operator>!=|<=|>=|<>|==|&&|\|\||[=<>])|(?<symbol>[(),])/uy;

/** What other languages write, and what rules write in its place. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['==', '"="'],
  ['<>', '"!="'],
  ['&&', '"and"'],
  ['||', '"or"'],
  ['!', '"not"'],
]);

/** The tokens of a rule, the last of which is its end; or what is wrong. */
export function ruleTokens(text: string): readonly RuleToken[] | RuleProblem {
  const tokens: RuleToken[] = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return unreadable(text, at);
    const { blank, word, name, text: quoted, number, operator, symbol } = match.groups ?? {};
    const end = TOKEN.lastIndex;
    const add = (kind: RuleToken['kind'], value: string): unknown =>
      tokens.push({ kind, value, at, end });
    if (word !== undefined) add(KEYWORDS.has(word) ? 'keyword' : 'name', word);
    else if (name !== undefined) add('name', name);
    else if (quoted !== undefined) add('text', quoted.replaceAll("''", "'"));
    else if (number !== undefined) add('number', number);
    else if (symbol !== undefined) add('symbol', symbol);
    else if (operator !== undefined) {
      const write = FOREIGN.get(operator);
      if (write !== undefined) return { at, message: `has "${operator}". Write ${write}.` };
      add('operator', operator);
    } else if (blank === undefined) return unreadable(text, at);
    at = end;
  }
  return [...tokens, { kind: 'end', value: '', at: text.length, end: text.length }];
}

function unreadable(text: string, at: number): RuleProblem {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const write = FOREIGN.get(character);
  if (write !== undefined) return { at, message: `has "${character}". Write ${write}.` };
  if (character === "'" || character === '"') {
    const kind = character === "'" ? 'text' : 'name';
    return { at, message: `has a ${kind} whose quote is not closed. Close it.` };
  }
  if (/[0-9.-]/.test(character)) {
    const message =
      'has a number that cannot be read. Write digits, with a point between them if need be, such as -1.50; rules have no arithmetic.';
    return { at, message };
  }
  if ('+*/%'.includes(character)) {
    return {
      at,
      message: `has ${JSON.stringify(character)}: rules have no arithmetic. Compare fields and values.`,
    };
  }
  const message = `has ${JSON.stringify(character)}, which is no part of a rule. Write names of fields, values, and =, !=, <, <=, >, >=, in, and, or, not.`;
  return { at, message };
}
