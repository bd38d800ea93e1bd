/** Gives a rule its types: which members it names, and which values they are compared with. */
import { Issues } from '../reading/issues.ts';
import { nearest } from '../reading/nearest.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { Position } from '../reading/position.ts';
import type { Tree } from '../reading/tree.ts';
import { BUILT_IN_MEMBERS } from '../shared/built-in-members.ts';
import type { JsonValue } from '../shared/json.ts';
import { specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import { MIRRORED } from './expression.ts';
import type { Expression, LiteralOperand, MemberOperand } from './expression.ts';
import type { Syntax, Term } from './parse-rule.ts';
import type { RuleProblem } from './tokens.ts';

/** A field that a rule can name. */
export interface RuleField {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly writeOnly: boolean;
  /** Whether a hook or the database sets it after rules are judged. */
  readonly isSetLater?: boolean;
}

/**
 * The expression of a rule.
 * @param fields those of its collection.
 * @param unreadable the names of fields that were refused for reasons of their own: a rule that names one
 * has no expression, and no problem for it.
 * @returns the expression, or all problems of the rule.
 */
export function typeRule(
  syntax: Syntax,
  fields: readonly RuleField[],
  unreadable: readonly string[] = [],
): { readonly expression?: Expression; readonly problems: readonly RuleProblem[] } {
  const typing = new Typing(fields, unreadable);
  const expression = typing.expression(syntax);
  return { ...(expression !== undefined && { expression }), problems: typing.problems };
}

type Compare = Extract<Syntax, { readonly kind: 'compare' }>;
type In = Extract<Syntax, { readonly kind: 'in' }>;

class Typing {
  readonly problems: RuleProblem[] = [];
  readonly #fields: ReadonlyMap<string, RuleField>;
  readonly #unreadable: readonly string[];

  constructor(fields: readonly RuleField[], unreadable: readonly string[]) {
    this.#fields = new Map(fields.map((field) => [field.name, field]));
    this.#unreadable = unreadable;
  }

  expression(syntax: Syntax): Expression | undefined {
    switch (syntax.kind) {
      case 'and':
      case 'or': {
        const { kind } = syntax;
        const parts = syntax.parts.map((part) => this.expression(part));
        const all = parts.filter((part) => part !== undefined);
        return all.length === parts.length ? { kind, parts: all } : undefined;
      }
      case 'not': {
        const part = this.expression(syntax.part);
        return part && { kind: 'not', part };
      }
      case 'compare':
        return this.#compare(syntax);
      case 'in':
        return this.#in(syntax);
    }
  }

  #compare({ left, right, operator, at }: Compare): Expression | undefined {
    if (left.kind !== 'name' && right.kind !== 'name') {
      return this.#fail(
        left.at,
        `compares ${shownTerm(left)} with ${shownTerm(right)}: neither is a field. Write a field on one side.`,
      );
    }
    const isMirrored = left.kind !== 'name';
    const [first, second] = isMirrored ? [right, left] : [left, right];
    const member = this.#member(first);
    const other = second.kind === 'name' ? this.#member(second) : undefined;
    if (member === undefined || (second.kind === 'name' && other === undefined)) return undefined;
    if (second.kind === 'null') return this.#nullTest(member, operator, first, at);
    if (other?.name === member.name) {
      return this.#fail(
        at,
        `compares ${quote(member.name)} with itself. Name another field or a value.`,
      );
    }
    const { comparison } = specOf(member.type);
    if (comparison === undefined) {
      return this.#fail(
        first.at,
        `compares ${named(member)}: a ${member.type.type} can only be compared with null. Write "${member.name} = null" or "${member.name} != null".`,
      );
    }
    if (operator !== '=' && operator !== '!=' && !comparison.isOrdered) {
      return this.#fail(
        at,
        `compares ${named(member)} by "${operator}": a ${member.type.type} has no order. Write "=" or "!=".`,
      );
    }
    const operand =
      other === undefined ? this.#literal(second, member) : this.#comparable(member, other, second);
    return (
      operand && {
        kind: 'compare',
        operator: isMirrored ? MIRRORED[operator] : operator,
        member,
        other: operand,
      }
    );
  }

  #nullTest(
    member: MemberOperand,
    operator: Compare['operator'],
    { at }: Term,
    operatorAt: number,
  ): Expression | undefined {
    if (operator !== '=' && operator !== '!=') {
      return this.#fail(
        operatorAt,
        `compares null by "${operator}": null has no order. Write "=" or "!=".`,
      );
    }
    if (member.isRequired) {
      return this.#fail(
        at,
        `compares ${quote(member.name)} with null, and it is required: it is never null. Remove the comparison.`,
      );
    }
    return { kind: 'null', member, isNull: operator === '=' };
  }

  #comparable(
    member: MemberOperand,
    other: MemberOperand,
    { at }: Term,
  ): MemberOperand | undefined {
    const { comparison } = specOf(member.type);
    const types = comparison?.with ?? [];
    if (!types.includes(other.type.type)) {
      return this.#fail(
        at,
        `compares ${named(member)} with ${named(other)}. Compare it with ${types.length === 1 ? 'another' : 'one'} of the type ${enumerate(types, 'or')}, or with null.`,
      );
    }
    if (member.type.type === 'enum' && other.type.type === 'enum') {
      const { values } = other.type;
      if (member.type.values.some((value) => values.includes(value))) return other;
      return this.#fail(
        at,
        `compares ${quote(member.name)} with ${quote(other.name)}: they have no value in common. Remove the comparison.`,
      );
    }
    if (
      member.type.type === 'reference' &&
      other.type.type === 'reference' &&
      member.type.to !== other.type.to
    ) {
      return this.#fail(
        at,
        `compares ${quote(member.name)} with ${quote(other.name)}: one leads to ${member.type.to}, the other one to ${other.type.to}. Remove the comparison.`,
      );
    }
    return other;
  }

  #in({ left, values, isNegated, at }: In): Expression | undefined {
    if (left.kind !== 'name') {
      return this.#fail(left.at, `has ${shownTerm(left)} before "in". Write a field.`);
    }
    const member = this.#member(left);
    if (member === undefined) return undefined;
    if (specOf(member.type).comparison?.literal === undefined || member.type.type === 'boolean') {
      return this.#fail(at, `has a list of values for ${named(member)}. Write "=" or "!=".`);
    }
    const seen = new Set<JsonValue>();
    const read = values.map((term) => {
      if (term.kind === 'name') {
        return this.#fail(
          term.at,
          `has the field ${quote(term.value)} in a list: a list holds values. Write "or ${member.name} = ${term.value}" after it; a text stands in single quotes.`,
        );
      }
      if (term.kind === 'null') {
        const write = isNegated ? `and ${member.name} != null` : `or ${member.name} = null`;
        return this.#fail(term.at, `has null in a list. Write "${write}" after it.`);
      }
      const literal = this.#literal(term, member);
      if (literal === undefined) return undefined;
      if (seen.has(literal.value))
        return this.#fail(term.at, `has ${shownTerm(term)} twice in a list. Remove one.`);
      seen.add(literal.value);
      return literal;
    });
    const all = read.filter((one) => one !== undefined);
    return all.length === read.length ? { kind: 'in', member, values: all, isNegated } : undefined;
  }

  #member({ value: name, at }: Term): MemberOperand | undefined {
    const field = this.#fields.get(name);
    if (field === undefined) {
      if (!this.#unreadable.includes(name)) this.#fail(at, this.#unknown(name));
      return undefined;
    }
    if (field.writeOnly) {
      return this.#fail(
        at,
        `names ${quote(name)}, which is write_only: an error would tell what it holds. Remove it.`,
      );
    }
    if (field.isSetLater === true) {
      return this.#fail(
        at,
        `names ${quote(name)}, which is set after the values are checked. Name another field.`,
      );
    }
    return { kind: 'member', name, type: field.type, isRequired: field.required };
  }

  #unknown(name: string): string {
    if (BUILT_IN_MEMBERS.includes(name)) {
      return `names ${quote(name)}, which is set after the values are checked. Name a field of the collection.`;
    }
    const names = [...this.#fields.keys()];
    const near = nearest(name, names);
    const hint = near === undefined ? enumerate(names.slice(0, 10).map(quote), 'or') : quote(near);
    return `names ${quote(name)}, which is no field of the collection. Write ${hint}; a text stands in single quotes.`;
  }

  /** A value as the type of the member has it. */
  #literal(term: Term, { name, type }: MemberOperand): LiteralOperand | undefined {
    const kind = specOf(type).comparison?.literal;
    const { value, at } = term;
    if (kind === undefined) {
      return this.#fail(
        at,
        `compares ${quote(name)} (${type.type}) with a value: ids are different in each database. Compare it with null or with another field.`,
      );
    }
    if (term.kind !== kind) {
      return this.#fail(
        at,
        `compares ${quote(name)} (${type.type}) with ${shownTerm(term)}. ${WRITE[kind](value)}`,
      );
    }
    const { literal, message } = readLiteral(type, value, kind, name);
    return literal ?? this.#fail(at, message);
  }

  #fail(at: number, message: string): undefined {
    this.problems.push({ at, message });
    return undefined;
  }
}

const named = ({ name, type }: MemberOperand): string => `${quote(name)} (${type.type})`;

const shownTerm = ({ kind, value }: Term): string => (kind === 'text' ? `'${value}'` : value);

/** What to write where a value is of another kind. */
const WRITE = {
  text: () => 'Write a text in single quotes.',
  number: (value: string) =>
    /^-?[0-9]+(\.[0-9]+)?$/.test(value) ? `Write ${value} without quotes.` : 'Write a number.',
  boolean: () => 'Write true or false.',
} as const;

const NOWHERE: Position = { file: '', line: 1, column: 1 };

/** Reads a value as the field itself would: a rule has the canonical form. */
function readLiteral(
  type: FieldType,
  text: string,
  kind: 'text' | 'number' | 'boolean',
  name: string,
): { readonly literal?: LiteralOperand; readonly message: string } {
  const issues = new Issues();
  const what = `compares ${quote(name)} with a value that it cannot have:`;
  const value = specOf(type).readValue(type, scalarOf(type, text, kind), what, issues);
  const [issue] = issues.sorted();
  // Rules write all numbers without quotes.
  const message = (issue?.message ?? `${what} ${text}`).replace(
    /'(-?[0-9]+(?:\.[0-9]+)?)'/g,
    (quoted, number: string) => (kind === 'number' ? number : quoted),
  );
  return value === undefined ? { message } : { literal: { kind: 'literal', value, type }, message };
}

function scalarOf(type: FieldType, text: string, kind: 'text' | 'number' | 'boolean'): Tree {
  const scalar = { kind: 'scalar', at: NOWHERE, source: text } as const;
  if (kind === 'boolean') return { ...scalar, value: text === 'true' };
  // Exact numbers are texts in JSON.
  if (kind === 'text' || specOf(type).jsonSchemaType === 'string')
    return { ...scalar, value: text };
  const number = Number(text);
  const isExact = !/^-?[0-9]+$/.test(text) || Number.isSafeInteger(number);
  return { ...scalar, value: isExact ? number : BigInt(text) };
}
