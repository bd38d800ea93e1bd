/**
 * A condition of the database → a rule of the definition language. It reads what PostgreSQL writes back of a check or of
 * the predicate of an index: with parentheses around each part, and a cast behind each text.
 */
import { KEYWORDS } from '../expressions/tokens.ts';

/** A member of the items, and whether it is never null. */
interface RuleMember {
  readonly name: string;
  readonly required: boolean;
}

/** Gives the member that has the values of a column; undefined: none. */
export type MemberOf = (column: string) => RuleMember | undefined;

/**
 * @param sql as `pg_get_expr` writes it, or `pg_get_constraintdef` behind `CHECK`.
 * @returns a rule that is true, false or null for the same rows; undefined if it has no such form.
 */
export function sqlRule(sql: string, memberOf: MemberOf): string | undefined {
  const tokens = sqlTokens(sql);
  if (tokens === undefined) return undefined;
  try {
    return new ConditionReader(tokens, memberOf).whole();
  } catch (error) {
    if (error === UNREADABLE) return undefined;
    throw error;
  }
}

const UNREADABLE = new Error('the condition has no form as a rule');

interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'symbol';
  readonly value: string;
}

const TOKEN =
  /\s+|(?<word>[a-z_]\w*)|"(?<name>(?:[^"]|"")*)"|'(?<text>(?:[^']|'')*)'|(?<number>-?\d+(?:\.\d+)?)|(?<symbol>::|<>|<=|>=|[=<>()[\],.])/giuy;

/** Conditions that are nested more deeply are no rules: a rule has at most 16 levels. */
const DEEPEST = 32;

function sqlTokens(sql: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < sql.length) {
    const { groups } = TOKEN.exec(sql) ?? {};
    if (groups === undefined) return undefined;
    for (const [kind, value] of Object.entries(groups)) {
      if (value === undefined) continue;
      const plain = kind === 'text' ? value.replaceAll("''", "'") : value.replaceAll('""', '"');
      tokens.push({ kind: kind as Token['kind'], value: plain });
    }
  }
  return tokens;
}

/** Casts that PostgreSQL adds to a column to compare it with a constant, and that change no comparison. */
const HARMLESS_CASTS: ReadonlySet<string> = new Set(['text', 'bigint', 'numeric']);

const NUMBERS: ReadonlySet<string> = new Set(['smallint', 'integer', 'bigint', 'numeric']);

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['=', '='],
  ['<>', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
]);

class ConditionReader {
  readonly #tokens: readonly Token[];
  readonly #memberOf: MemberOf;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], memberOf: MemberOf) {
    this.#tokens = tokens;
    this.#memberOf = memberOf;
  }

  whole(): string {
    const rule = this.#chain();
    if (this.#next < this.#tokens.length) throw UNREADABLE;
    return rule;
  }

  /** PostgreSQL puts parentheses around each chain within another one. */
  #chain(): string {
    const parts = [this.#part()];
    const joint = this.#isWord('AND') ? 'and' : 'or';
    while (this.#takeWord(joint)) parts.push(this.#part());
    return parts.length === 1 ? parts.join('') : parts.map(inParentheses).join(` ${joint} `);
  }

  #part(): string {
    if (this.#takeWord('NOT')) return `not (${this.#deeper(() => this.#part())})`;
    const before = this.#next;
    if (this.#takeSymbol('(')) {
      const inner = this.#attempt(() =>
        this.#deeper(() => {
          const chain = this.#chain();
          this.#symbol(')');
          // `(status)::text = …` begins with a parenthesis too.
          if (this.#isSymbol('::')) throw UNREADABLE;
          return chain;
        }),
      );
      if (inner !== undefined) return inner;
      this.#next = before;
    }
    return this.#comparison();
  }

  #deeper(read: () => string): string {
    if (this.#depth === DEEPEST) throw UNREADABLE;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  #attempt(read: () => string): string | undefined {
    try {
      return read();
    } catch (error) {
      if (error === UNREADABLE) return undefined;
      throw error;
    }
  }

  #comparison(): string {
    const { text: left, required } = this.#operand();
    if (this.#takeWord('IS')) {
      const isNegated = this.#takeWord('NOT');
      if (this.#takeWord('NULL')) return `${left} ${isNegated ? '!=' : '='} null`;
      const value = this.#takeWord('TRUE') ? 'true' : this.#takeWord('FALSE') ? 'false' : undefined;
      if (value === undefined || isNegated) throw UNREADABLE;
      // Unlike `= true` it is never null.
      return required ? `${left} = ${value}` : `${left} = ${value} and ${left} != null`;
    }
    const token = this.#tokens[this.#next];
    const operator = token?.kind === 'symbol' ? OPERATORS.get(token.value) : undefined;
    // A column of booleans.
    if (operator === undefined) return `${left} = true`;
    this.#next += 1;
    const isAny = this.#takeWord('ANY');
    if (!isAny && !this.#takeWord('ALL')) return `${left} ${operator} ${this.#operand().text}`;
    if (operator !== (isAny ? '=' : '!=')) throw UNREADABLE;
    return `${left} ${isAny ? 'in' : 'not in'} (${this.#array().join(', ')})`;
  }

  /** `(ARRAY['a'::text, 'b'::text])`, with casts of the whole. */
  #array(): readonly string[] {
    this.#symbol('(');
    const inner = this.#takeSymbol('(');
    if (!this.#takeWord('ARRAY')) throw UNREADABLE;
    this.#symbol('[');
    const values = [this.#operand().text];
    while (this.#takeSymbol(',')) values.push(this.#operand().text);
    this.#symbol(']');
    if (inner) this.#symbol(')');
    this.#casts();
    this.#symbol(')');
    return values;
  }

  /** A column or a constant, with its casts. */
  #operand(): { readonly text: string; readonly required: boolean } {
    const inner = this.#takeSymbol('(');
    const token = this.#tokens[this.#next];
    this.#next += 1;
    const isColumn = token?.kind === 'name' || (token?.kind === 'word' && !isBoolean(token.value));
    const member = isColumn ? this.#memberOf(token.value) : undefined;
    const text = isColumn ? memberText(member) : constantText(token);
    if (text === undefined) throw UNREADABLE;
    const own = this.#casts();
    if (inner) this.#symbol(')');
    const casts = [...own, ...this.#casts()];
    if (isColumn && !casts.every((type) => HARMLESS_CASTS.has(type))) throw UNREADABLE;
    // `'-1'::integer` is a number.
    const isNumber = token?.kind === 'text' && casts.some((type) => NUMBERS.has(type));
    return { text: isNumber ? token.value : text, required: member?.required === true };
  }

  /** The names of types behind `::`, without what follows in them: `character varying` is `character`. */
  #casts(): readonly string[] {
    const types: string[] = [];
    while (this.#takeSymbol('::')) {
      const words: string[] = [];
      for (;;) {
        const token = this.#tokens[this.#next];
        if (token?.kind !== 'word' && token?.kind !== 'name') break;
        if (words.length > 0 && JOINTS.has(token.value)) break;
        words.push(token.value);
        this.#next += 1;
        this.#takeSymbol('.');
      }
      if (words.length === 0) throw UNREADABLE;
      if (this.#takeSymbol('[')) this.#symbol(']');
      types.push(words.join(' '));
    }
    return types;
  }

  #isWord(word: string): boolean {
    const token = this.#tokens[this.#next];
    return token?.kind === 'word' && token.value.toUpperCase() === word.toUpperCase();
  }

  #takeWord(word: string): boolean {
    const is = this.#isWord(word);
    if (is) this.#next += 1;
    return is;
  }

  #isSymbol(symbol: string): boolean {
    const token = this.#tokens[this.#next];
    return token?.kind === 'symbol' && token.value === symbol;
  }

  #takeSymbol(symbol: string): boolean {
    const is = this.#isSymbol(symbol);
    if (is) this.#next += 1;
    return is;
  }

  #symbol(symbol: string): void {
    if (!this.#takeSymbol(symbol)) throw UNREADABLE;
  }
}

/** What ends the name of a type. */
const JOINTS: ReadonlySet<string> = new Set(['AND', 'OR', 'IS', 'NOT']);

const isBoolean = (word: string): boolean => /^(?:true|false)$/i.test(word);

const memberText = (member: RuleMember | undefined): string | undefined =>
  member !== undefined && KEYWORDS.has(member.name) ? `"${member.name}"` : member?.name;

function constantText(token: Token | undefined): string | undefined {
  if (token?.kind === 'text') return `'${token.value.replaceAll("'", "''")}'`;
  if (token?.kind === 'number') return token.value;
  return token?.kind === 'word' ? token.value.toLowerCase() : undefined;
}

const inParentheses = (part: string): string => (/ (?:and|or) /.test(part) ? `(${part})` : part);
