/**
 * An expression as a condition of TypeScript. Where SQL has a third truth value, the emitted code asks for null
 * first: `values.ends_at === null || values.ends_at > '…'` holds unless the comparison is false.
 */
import { stringLiteral, valueLiteral } from '../shared/literals.ts';
import { specOf } from '../types/registry.ts';
import type { Code } from '../types/type.ts';
import type {
  ComparisonExpression,
  Expression,
  LiteralOperand,
  MemberOperand,
  MembershipExpression,
  NullTest,
} from './expression.ts';
import { isChain, withoutNot } from './without-not.ts';
import type { PositiveExpression } from './without-not.ts';

/** Whether a rule holds, as code over an object of the values. @param values the name of that object. */
export function ruleTypescript(expression: Expression, values = 'values'): Code {
  const positive = withoutNot(expression);
  const emitter = new Emitter(values);
  const text = emitter.code(positive, NOTHING);
  return { text, uses: [...emitter.uses].toSorted() };
}

/** What TypeScript knows of the members where some code is evaluated. */
interface Facts {
  /** Members that are not null, and those that are. */
  readonly present: ReadonlySet<string>;
  readonly absent: ReadonlySet<string>;
  /** Members whose type may be a single value: TypeScript refuses to compare them with another one. */
  readonly narrowed: ReadonlySet<string>;
  /** Values that members do not have, as `member value`. */
  readonly excluded: ReadonlySet<string>;
}

const NOTHING: Facts = {
  present: new Set(),
  absent: new Set(),
  narrowed: new Set(),
  excluded: new Set(),
};

/** The facts after a part of a chain: `and` goes on where it is true, `or` where it is false. */
function factsAfter(part: PositiveExpression, kind: 'and' | 'or', facts: Facts): Facts {
  const { narrowed, excluded } = facts;
  if (part.kind === 'and' || part.kind === 'or') {
    const counts = equalitiesIn(part);
    const repeated = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
    return { ...facts, narrowed: new Set([...narrowed, ...repeated]) };
  }
  if (part.kind !== 'compare') return facts;
  const { member, operator, other } = part;
  if (operator !== '=' && operator !== '!=') return facts;
  const isEqual = (operator === '=') === (kind === 'and');
  if (other.kind === 'member') {
    // Of texts and numbers, TypeScript learns nothing by that.
    const isKnown = [member, other].some(
      ({ name, type }) => type.type === 'enum' || type.type === 'boolean' || narrowed.has(name),
    );
    if (!isKnown) return facts;
    return { ...facts, narrowed: new Set([...narrowed, member.name, other.name]) };
  }
  if (isEqual || typeof other.value === 'boolean') {
    return { ...facts, narrowed: new Set([...narrowed, member.name]) };
  }
  return { ...facts, excluded: new Set([...excluded, `${member.name} ${String(other.value)}`]) };
}

/** How often each member is compared by `=` or `!=`. */
function equalitiesIn(expression: PositiveExpression): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = ({ name }: MemberOperand): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
  const visit = (one: PositiveExpression): void => {
    if (one.kind === 'and' || one.kind === 'or') {
      for (const part of one.parts) visit(part);
    } else if (one.kind === 'compare' && (one.operator === '=' || one.operator === '!=')) {
      add(one.member);
      if (one.other.kind === 'member') add(one.other);
    }
  };
  visit(expression);
  return counts;
}

/** Parts that nothing can violate, or keep: TypeScript refuses to compare what cannot be there. */
const TRUE = 'true';
const FALSE = 'false';

class Emitter {
  readonly uses = new Set<string>();
  readonly #values: string;

  constructor(values: string) {
    this.#values = values;
  }

  code(expression: PositiveExpression, facts: Facts): string {
    return expression.kind === 'and'
      ? this.#and(expression.parts, facts)
      : this.#or(expression.kind === 'or' ? expression.parts : [expression], facts);
  }

  /** The tests for null come first, so that TypeScript knows the types of what follows. */
  #and(parts: readonly PositiveExpression[], outer: Facts): string {
    const present = nullTests(parts, false);
    const absent = nullTests(parts, true);
    const isPresent = isAmong([...outer.present, ...present.map(({ name }) => name)]);
    const isAbsent = isAmong([...outer.absent, ...absent.map(({ name }) => name)]);
    if (present.some(isAbsent) || absent.some(isPresent)) return FALSE;
    const codes = [
      ...this.#compareNull(present, '!==', outer),
      ...this.#compareNull(absent, '===', outer),
    ];
    let facts = withNulls(outer, present, absent);
    for (const part of parts) {
      if (part.kind === 'null') continue;
      const code = this.#test(part, facts);
      if (code === FALSE) return FALSE;
      if (code !== TRUE) codes.push(inParentheses(code, '||'));
      facts = factsAfter(part, 'and', facts);
    }
    return codes.length === 0 ? TRUE : codes.join(' && ');
  }

  #or(parts: readonly PositiveExpression[], outer: Facts): string {
    const present = nullTests(parts, false);
    // A comparison with null violates nothing.
    const compared = parts.flatMap(comparedMembers).filter(({ isRequired }) => !isRequired);
    const absent = [...nullTests(parts, true), ...compared];
    if (present.some(isAmong([...outer.present, ...absent.map(({ name }) => name)]))) return TRUE;
    if (absent.some(isAmong([...outer.absent]))) return TRUE;
    const codes = [
      ...this.#compareNull(absent, '===', outer),
      ...this.#compareNull(present, '!==', outer),
    ];
    let facts = withNulls(outer, absent, present);
    for (const part of parts) {
      if (part.kind === 'null') continue;
      const code = this.#test(part, facts);
      if (code === TRUE) return TRUE;
      if (code !== FALSE) codes.push(code);
      facts = factsAfter(part, 'or', facts);
    }
    if (codes.length < 2) return codes[0] ?? FALSE;
    return codes.map((code) => inParentheses(code, '&&')).join(' || ');
  }

  /** Tests of members for null, each once, but for those that are known. */
  #compareNull(
    members: readonly MemberOperand[],
    sign: '===' | '!==',
    { present, absent }: Facts,
  ): readonly string[] {
    const isKnown = isAmong([...present, ...absent]);
    const unknown = members.filter((member) => !isKnown(member));
    return [...new Set(unknown.map((member) => `${this.#member(member)} ${sign} null`))];
  }

  /** A part of a chain. In one of `and`, the tests for null of a comparison belong to it. */
  #test(part: Exclude<PositiveExpression, NullTest>, facts: Facts): string {
    if (isChain(part)) return this.code(part, facts);
    const isGuarded = comparedMembers(part).every(
      ({ name, isRequired }) => isRequired || facts.present.has(name),
    );
    if (!isGuarded) return this.#or([part], facts);
    return part.kind === 'in' ? this.#membership(part) : this.#comparison(part, facts);
  }

  #comparison({ member, operator, other }: ComparisonExpression, facts: Facts): string {
    const [left, right] = [this.#member(member), this.#operand(other)];
    const { comparison } = specOf(member.type);
    const compare = comparison?.compareFunction ?? specOf(other.type).comparison?.compareFunction;
    const isEquality = operator === '=' || operator === '!=';
    const sign = isEquality ? (operator === '=' ? '===' : '!==') : operator;
    if (compare !== undefined) {
      this.uses.add(compare);
      return `${compare}(${left}, ${right}) ${sign} 0`;
    }
    const negation = operator === '!=' ? '!' : '';
    if (other.kind === 'literal' && typeof other.value === 'boolean') {
      return (operator === '=') === other.value ? left : `!${left}`;
    }
    if (!isEquality || !isNarrowed(member, other, facts)) return `${left} ${sign} ${right}`;
    if (other.kind === 'literal') return `${negation}[${right}].includes(${left})`;
    return comparison?.literal === 'number'
      ? `${left} - ${right} ${sign} 0`
      : `${negation}Object.is(${left}, ${right})`;
  }

  #membership({ member, values, isNegated }: MembershipExpression): string {
    const list = values.map((value) => this.#operand(value)).join(', ');
    return `${isNegated ? '!' : ''}[${list}].includes(${this.#member(member)})`;
  }

  #operand(operand: MemberOperand | LiteralOperand): string {
    if (operand.kind === 'member') return this.#member(operand);
    const { value } = operand;
    return typeof value === 'string' ? stringLiteral(value) : valueLiteral(value);
  }

  #member({ name }: MemberOperand): string {
    return `${this.#values}.${name}`;
  }
}

const withNulls = (
  facts: Facts,
  present: readonly MemberOperand[],
  absent: readonly MemberOperand[],
): Facts => ({
  ...facts,
  present: new Set([...facts.present, ...present.map(({ name }) => name)]),
  absent: new Set([...facts.absent, ...absent.map(({ name }) => name)]),
});

/** The members that a chain tests for null, or for the opposite. */
const nullTests = (
  parts: readonly PositiveExpression[],
  isNull: boolean,
): readonly MemberOperand[] =>
  parts.flatMap((part) => (part.kind === 'null' && part.isNull === isNull ? [part.member] : []));

const isAmong =
  (names: readonly string[]) =>
  ({ name }: MemberOperand): boolean =>
    names.includes(name);

/** Whether TypeScript may take a comparison for a mistake, because it knows the value of a side. */
function isNarrowed(
  member: MemberOperand,
  other: MemberOperand | LiteralOperand,
  { narrowed, excluded }: Facts,
): boolean {
  if (narrowed.has(member.name)) return true;
  if (other.kind === 'literal') return excluded.has(`${member.name} ${String(other.value)}`);
  const isExcluded = ({ name }: MemberOperand): boolean =>
    [...excluded].some((one) => one.startsWith(`${name} `));
  return narrowed.has(other.name) || isExcluded(member) || isExcluded(other);
}

/** The members whose null makes a comparison neither true nor false. */
function comparedMembers(part: PositiveExpression): readonly MemberOperand[] {
  if (part.kind === 'in') return [part.member];
  if (part.kind !== 'compare') return [];
  return part.other.kind === 'member' ? [part.member, part.other] : [part.member];
}

const inParentheses = (code: string, operator: '&&' | '||'): string =>
  code.includes(` ${operator} `) ? `(${code})` : code;
