/** Parses the text of a rule: its structure, before it is known which fields there are. */
import { KEYWORDS, ruleTokens } from './tokens.ts';
import type { Operator, RuleProblem, RuleToken } from './tokens.ts';

/** A name or a value of a comparison. */
export interface Term {
  readonly kind: 'name' | 'text' | 'number' | 'boolean' | 'null';
  /** A name or text without its quotes; anything else as it is written. */
  readonly value: string;
  /** Its place in the text of the rule, in UTF-16 units. */
  readonly at: number;
}

/** The structure of a rule. */
export type Syntax =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Syntax[] }
  | { readonly kind: 'not'; readonly part: Syntax }
  | {
      readonly kind: 'compare';
      readonly operator: Operator;
      readonly left: Term;
      readonly right: Term;
      readonly at: number;
    }
  | {
      readonly kind: 'in';
      readonly left: Term;
      readonly values: readonly Term[];
      readonly isNegated: boolean;
      readonly at: number;
    };

/** The most UTF-16 units of a rule. */
export const LONGEST_RULE = 1000;
/** The most levels of parentheses and `not`. */
export const DEEPEST_RULE = 16;

/** The structure of a rule, or its first mistake. */
export function parseRule(text: string): Syntax | RuleProblem {
  if (text.length > LONGEST_RULE) {
    const message = `has ${text.length} characters: a rule has at most ${LONGEST_RULE}. Write several checks.`;
    return { at: 0, message };
  }
  const tokens = ruleTokens(text);
  if ('message' in tokens) return tokens;
  try {
    return new RuleParser(tokens).whole();
  } catch (error) {
    if (error instanceof Mistake) return { at: error.at, message: error.message };
    throw error;
  }
}

/** Ends the parsing at the first mistake: the later ones mostly follow from it. */
class Mistake extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

class RuleParser {
  readonly #tokens: readonly RuleToken[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly RuleToken[]) {
    this.#tokens = tokens;
  }

  whole(): Syntax {
    if (this.#token().kind === 'end')
      this.#fail('is empty. Write one such as "ends_at > starts_at".');
    const syntax = this.#or();
    const { kind, value } = this.#token();
    if (kind === 'end') return syntax;
    if (value === ')') this.#fail('has a ")" too many. Remove it.');
    return this.#fail(
      `has ${shownToken(this.#token())} after its end. Write "and" or "or" before it.`,
    );
  }

  #or(): Syntax {
    return this.#chain('or', () => this.#and());
  }

  #and(): Syntax {
    return this.#chain('and', () => this.#not());
  }

  #chain(kind: 'and' | 'or', part: () => Syntax): Syntax {
    const first = part();
    const parts = [first];
    while (this.#takeKeyword(kind)) parts.push(part());
    return parts.length === 1 ? first : { kind, parts };
  }

  #not(): Syntax {
    if (!this.#takeKeyword('not')) return this.#primary();
    return { kind: 'not', part: this.#deeper(() => this.#not()) };
  }

  #primary(): Syntax {
    if (!this.#takeSymbol('(')) return this.#comparison();
    const inner = this.#deeper(() => this.#or());
    if (!this.#takeSymbol(')')) this.#fail('has a "(" that is not closed. Write ")".');
    return inner;
  }

  #comparison(): Syntax {
    const left = this.#term();
    const token = this.#token();
    const { kind, value, at } = token;
    if (kind === 'operator') {
      this.#next += 1;
      const right = this.#term();
      const after = this.#token();
      if (after.kind === 'operator') {
        this.#fail(
          `compares three things at once. Write "and": ${left.value} ${value} ${right.value} and ${right.value} ${after.value} …`,
        );
      }
      return { kind: 'compare', operator: value as Operator, left, right, at };
    }
    const isNegated = this.#takeKeyword('not');
    if (this.#takeKeyword('in')) return { kind: 'in', left, values: this.#list(), isNegated, at };
    const sees = kind === 'end' ? 'nothing' : shownToken(token);
    if (kind === 'name' && value.toLowerCase() === 'is') {
      return this.#fail(`has "${value}". Write "= null" or "!= null".`);
    }
    if (left.kind === 'name' && value === '(') {
      return this.#fail(
        `calls "${left.value}": a rule has no functions. Compare fields and values.`,
      );
    }
    return this.#fail(
      `has ${sees} after ${left.kind === 'text' ? `'${left.value}'` : `"${left.value}"`}, which is compared with nothing. Write an operator and a value, such as ${left.kind === 'name' ? left.value : 'field'} = true.`,
    );
  }

  #list(): readonly Term[] {
    if (!this.#takeSymbol('(')) this.#fail(`has an "in" without a list. Write in ('a', 'b').`);
    const values = [this.#term()];
    while (this.#takeSymbol(',')) values.push(this.#term());
    if (!this.#takeSymbol(')')) this.#fail('has a list that is not closed. Write ")".');
    return values;
  }

  #term(): Term {
    const token = this.#token();
    const { kind, value, at } = token;
    if (kind === 'name' || kind === 'text' || kind === 'number') {
      this.#next += 1;
      // In capitals, a keyword would be taken for a field.
      const word = value.toLowerCase();
      if (kind === 'name' && word !== value && KEYWORDS.has(word)) {
        throw new Mistake(at, `has "${value}". Write "${word}".`);
      }
      return { kind, value, at };
    }
    if (kind === 'keyword' && (value === 'null' || value === 'true' || value === 'false')) {
      this.#next += 1;
      return { kind: value === 'null' ? 'null' : 'boolean', value, at };
    }
    if (kind === 'end') return this.#fail('ends before a name or a value. Write what is missing.');
    const hint =
      kind === 'keyword' ? ` A field of this name stands in double quotes: "${value}".` : '';
    return this.#fail(
      `has ${shownToken(token)} where a name or a value belongs. Write a field or a value.${hint}`,
    );
  }

  #deeper(read: () => Syntax): Syntax {
    this.#depth += 1;
    if (this.#depth > DEEPEST_RULE) {
      this.#fail(`is nested deeper than ${DEEPEST_RULE} levels. Write several checks.`);
    }
    const syntax = read();
    this.#depth -= 1;
    return syntax;
  }

  #token(): RuleToken {
    return this.#tokens[this.#next]!;
  }

  #takeKeyword(word: string): boolean {
    const { kind, value } = this.#token();
    if (kind === 'name' && value !== word && value.toLowerCase() === word) {
      this.#fail(`has "${value}". Write "${word}".`);
    }
    return this.#take('keyword', word);
  }

  #takeSymbol(symbol: string): boolean {
    return this.#take('symbol', symbol);
  }

  #take(kind: RuleToken['kind'], value: string): boolean {
    const token = this.#token();
    if (token.kind !== kind || token.value !== value) return false;
    this.#next += 1;
    return true;
  }

  #fail(message: string): never {
    throw new Mistake(this.#token().at, message);
  }
}

const shownToken = ({ kind, value }: RuleToken): string =>
  kind === 'text' ? `'${value}'` : `"${value}"`;
