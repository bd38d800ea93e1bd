/**
 * A condition of the database → a rule of the definition language. It reads what PostgreSQL writes back of a check or of
 * the predicate of an index: with parentheses around each part, and a cast behind each text. What could mean
 * something else as a rule is not read.
 */
import { ownMember } from '../shared/json.ts';
import { baseType } from '../database/base-type.ts';
import type { DatabaseColumn, DatabaseType } from '../database/database-schema.ts';
import { KEYWORDS } from '../expressions/tokens.ts';

/** A member of the items, and the column that has its values. */
export interface RuleMember {
  readonly name: string;
  readonly required: boolean;
  readonly column: Pick<DatabaseColumn, 'type' | 'comparesExactly'>;
}

/** Gives the member that has the values of a column; undefined: none. */
export type MemberOf = (column: string) => RuleMember | undefined;

/**
 * @param sql as `pg_get_expr` writes it, or `pg_get_constraintdef` behind `CHECK`.
 * @returns a rule that is true, false or null for the same rows; undefined if it has no such form.
 */
export function sqlToRule(sql: string, memberOf: MemberOf): string | undefined {
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

/** Conditions that are nested more deeply do not become rules: a rule has at most 16 levels. */
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

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['=', '='],
  ['<>', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
]);

/** A column or a constant, with the types that it is cast to. */
interface Operand {
  /** As a rule writes it. */
  readonly text: string;
  readonly member?: RuleMember;
  readonly constant?: 'text' | 'number' | 'boolean';
  readonly casts: readonly string[];
}

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
    const left = this.#operand();
    const { text, member } = left;
    if (member === undefined) throw UNREADABLE;
    if (this.#takeWord('IS')) {
      const isNegated = this.#takeWord('NOT');
      if (this.#takeWord('NULL')) return `${text} ${isNegated ? '!=' : '='} null`;
      const value = this.#takeWord('TRUE') ? 'true' : this.#takeWord('FALSE') ? 'false' : undefined;
      if (value === undefined || isNegated) throw UNREADABLE;
      // Unlike `= true` it is never null.
      return member.required ? `${text} = ${value}` : `${text} = ${value} and ${text} != null`;
    }
    const token = this.#tokens[this.#next];
    const operator = token?.kind === 'symbol' ? OPERATORS.get(token.value) : undefined;
    if (operator === undefined) {
      // A column of booleans.
      if (baseType(member.column.type).name !== 'bool' || left.casts.length > 0) throw UNREADABLE;
      return `${text} = true`;
    }
    this.#next += 1;
    const isAny = this.#takeWord('ANY');
    if (!isAny && !this.#takeWord('ALL')) {
      return `${text} ${operator} ${comparedWith(left, this.#operand())}`;
    }
    if (operator !== (isAny ? '=' : '!=')) throw UNREADABLE;
    const values = this.#array().map((value) => comparedWith(left, value));
    return `${text} ${isAny ? 'in' : 'not in'} (${values.join(', ')})`;
  }

  /** `(ARRAY['a'::text, 'b'::text])`, which PostgreSQL casts to `text[]` for a `varchar`. */
  #array(): readonly Operand[] {
    this.#symbol('(');
    const inner = this.#takeSymbol('(');
    if (!this.#takeWord('ARRAY')) throw UNREADABLE;
    this.#symbol('[');
    const values = [this.#operand()];
    while (this.#takeSymbol(',')) values.push(this.#operand());
    this.#symbol(']');
    if (inner) this.#symbol(')');
    if (this.#casts().some((type) => type !== 'text[]')) throw UNREADABLE;
    this.#symbol(')');
    return values;
  }

  /** A column or a constant, with its casts. */
  #operand(): Operand {
    const hasParenthesis = this.#takeSymbol('(');
    const token = this.#tokens[this.#next];
    if (token === undefined || token.kind === 'symbol') throw UNREADABLE;
    this.#next += 1;
    const innerCasts = this.#casts();
    if (hasParenthesis) this.#symbol(')');
    const casts = [...innerCasts, ...this.#casts()];
    if (token.kind === 'text') {
      return { text: `'${token.value.replaceAll("'", "''")}'`, constant: 'text', casts };
    }
    if (token.kind === 'number') return { text: token.value, constant: 'number', casts };
    if (token.kind === 'word' && /^(?:true|false)$/i.test(token.value)) {
      return { text: token.value.toLowerCase(), constant: 'boolean', casts };
    }
    // PostgreSQL writes names in lower case, or in quotes; the rest are keywords, such as CURRENT_DATE.
    const isKeyword = token.kind === 'word' && token.value !== token.value.toLowerCase();
    const member = isKeyword ? undefined : this.#memberOf(token.value);
    if (member === undefined) throw UNREADABLE;
    return { text: KEYWORDS.has(member.name) ? `"${member.name}"` : member.name, member, casts };
  }

  /** The types behind `::`, with the words of their names: `character varying`, `public.mood`. */
  #casts(): readonly string[] {
    const types: string[] = [];
    while (this.#takeSymbol('::')) {
      let type = '';
      for (;;) {
        const token = this.#tokens[this.#next];
        if (token?.kind !== 'word' && token?.kind !== 'name') break;
        if (JOINTS.has(token.value.toUpperCase())) break;
        type += `${type === '' || type.endsWith('.') ? '' : ' '}${token.value}`;
        this.#next += 1;
        if (this.#takeSymbol('.')) type += '.';
      }
      if (this.#takeSymbol('[')) {
        this.#symbol(']');
        type += '[]';
      }
      types.push(type);
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

const inParentheses = (part: string): string => (/ (?:and|or) /.test(part) ? `(${part})` : part);

const INTEGERS: ReadonlySet<string> = new Set(['int2', 'int4', 'int8']);
/** In bytes; a cast to a narrower type fails for some values. */
const INTEGER_WIDTHS: Readonly<Record<string, number>> = { int2: 2, int4: 4, int8: 8 };
const CAST_WIDTHS: Readonly<Record<string, number>> = {
  smallint: 2,
  integer: 4,
  bigint: 8,
  numeric: 1000,
};
/** Casts of a constant that change no whole number. */
const INTEGER_CASTS: ReadonlySet<string> = new Set(['smallint', 'integer', 'bigint', 'numeric']);

/** What constants of a type are cast to; of other types none are compared. */
const CONSTANTS: Readonly<
  Record<string, { readonly kind: Operand['constant']; readonly casts: readonly string[] }>
> = {
  text: { kind: 'text', casts: ['text'] },
  varchar: { kind: 'text', casts: ['text', 'character varying'] },
  date: { kind: 'text', casts: ['date'] },
  uuid: { kind: 'text', casts: ['uuid'] },
  bool: { kind: 'boolean', casts: [] },
  float8: { kind: 'number', casts: ['double precision'] },
};

/** The right side of a comparison, as a rule writes it. */
function comparedWith({ member, casts }: Operand, other: Operand): string {
  if (member === undefined) throw UNREADABLE;
  const type = baseType(member.column.type);
  if (!member.column.comparesExactly || !casts.every((cast) => isNeutralCast(type, cast))) {
    throw UNREADABLE;
  }
  if (other.member === undefined) return constantFor(type, other);
  const { type: otherType, comparesExactly } = other.member.column;
  const base = baseType(otherType);
  const isSame =
    (INTEGERS.has(type.name) && INTEGERS.has(base.name)) ||
    (type.name === base.name && type.schema === base.schema && type.element === undefined);
  const isNeutral = other.casts.every((cast) => isNeutralCast(base, cast));
  if (!isSame || !isNeutral || !comparesExactly) throw UNREADABLE;
  return other.text;
}

/** Whether values of a type are the same as those of the type that they are cast to. */
const isNeutralCast = ({ name, kind, schema }: DatabaseType, cast: string): boolean =>
  (cast === 'text' && (kind === 'enum' || (schema === 'pg_catalog' && name === 'varchar'))) ||
  (ownMember(INTEGER_WIDTHS, name) ?? Infinity) <= (ownMember(CAST_WIDTHS, cast) ?? -1);

function constantFor(type: DatabaseType, { text, constant, casts }: Operand): string {
  const { name, kind, schema } = type;
  if (kind === 'enum') {
    const names = ['text', name, `${schema}.${name}`];
    return constantWith(text, constant === 'text' && casts.every((cast) => names.includes(cast)));
  }
  if (schema !== 'pg_catalog') throw UNREADABLE;
  if (INTEGERS.has(name) || name === 'numeric') {
    // `'-1'::integer` is a number, and 1.5 cast to an integer is another one.
    const number = constant === 'text' ? text.slice(1, -1) : text;
    const isNumber = constant !== 'boolean' && /^-?\d+(?:\.\d+)?$/.test(number);
    const isWhole = !number.includes('.');
    const isKept = casts.every(
      (cast) => cast === 'numeric' || (isWhole && INTEGER_CASTS.has(cast)),
    );
    const isCast = constant === 'number' || casts.length > 0;
    return constantWith(number, isNumber && isKept && isCast);
  }
  const expected = Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined;
  const isExpected =
    constant === expected?.kind && casts.every((cast) => expected?.casts.includes(cast));
  return constantWith(text, expected !== undefined && isExpected);
}

function constantWith(text: string, isReadable: boolean): string {
  if (!isReadable) throw UNREADABLE;
  return text;
}
