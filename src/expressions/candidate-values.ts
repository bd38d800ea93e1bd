/** Candidate values of the members of rules: sample values, limits, and values at both sides of what they are compared with. */
import { Issues } from '../reading/issues.ts';
import type { JsonValue } from '../shared/json.ts';
import { exactText } from '../types/exact-decimal.ts';
import { exampleValues, withoutDuplicates } from '../types/example-values.ts';
import { specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import { isStringOrText } from '../types/text.ts';
import type { Expression, LiteralOperand } from './expression.ts';

/** A member that values are searched for. */
export interface SearchedMember {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly example?: JsonValue;
  readonly default?: JsonValue;
}

/** The values that a search tries for a member, the preferred ones first. */
export interface CandidateValues {
  readonly name: string;
  readonly values: readonly JsonValue[];
  /** Whether a search that finds nothing among these values may conclude that there is nothing. */
  readonly isComplete: boolean;
}

/** The most candidates of one member. */
const MOST_CANDIDATES = 48;

/** Stands for the id of a referenced item; distinct for each reference. */
export const placeholderIdOf = (reference: string): string => `the id of ${reference}`;

/** Candidates for all members of some rules. */
export function candidateValues(
  members: readonly SearchedMember[],
  expressions: readonly Expression[],
): readonly CandidateValues[] {
  const { pairs, literals } = comparisonsIn(expressions);
  const own = new Map(
    members.map((member) => [
      member.name,
      ownCandidates(member, literals.get(member.name) ?? [], members.length),
    ]),
  );
  return members.map((member) => {
    const { name, type, required } = member;
    const others = [...(pairs.get(name) ?? [])].flatMap((other) => own.get(other) ?? []);
    const fitting = others.flatMap((value) => canonicalValue(type, value) ?? []);
    const values = withoutDuplicates([...(own.get(name) ?? []), ...fitting]);
    return {
      name,
      values: [...values.slice(0, MOST_CANDIDATES), ...(required ? [] : [null])],
      isComplete:
        !hasForm(type) &&
        // There are values between any two.
        type.type !== 'number' &&
        values.length <= MOST_CANDIDATES &&
        // A chain of more than two members needs values that are no neighbours of those that rules name.
        [name, ...(pairs.get(name) ?? [])].every((one) => (pairs.get(one)?.size ?? 0) <= 1),
    };
  });
}

/** Whether a pattern or a format decides which texts are values. */
const hasForm = (type: FieldType): boolean =>
  type.type === 'string' && (type.pattern !== undefined || type.format !== undefined);

function ownCandidates(
  member: SearchedMember,
  literals: readonly LiteralOperand[],
  members: number,
): readonly JsonValue[] {
  const { name, type } = member;
  if (type.type === 'reference') return [placeholderIdOf(name)];
  const spec = specOf(type);
  if (spec.comparison === undefined) return exampleValues(specOf, member);
  const values = [
    ...exampleValues(specOf, member),
    // One for each member, one that differs from all, and one that is none of the literals.
    ...spec.values(type, members + literals.length + 2, { name }),
    ...literals.flatMap(({ value }) => [value, ...valuesBeside(type, value)]),
    ...(isStringOrText(type) ? [] : spec.accepted(type).map(([, value]) => value)),
  ];
  return withoutDuplicates(values.flatMap((value) => canonicalValue(type, value) ?? []));
}

/** Values around one, which a type with it as both bounds refuses, and the limits of the type. */
function valuesBeside(type: FieldType, value: JsonValue): readonly JsonValue[] {
  const spec = specOf(type);
  if (spec.comparison?.isOrdered !== true) return [];
  const narrow = { ...type, minimum: value, maximum: value } as FieldType;
  return [...spec.refused(narrow, value), ...spec.accepted(type)].map(([, one]) => one);
}

/** A value in the form of a type; undefined if the type does not take it. */
function canonicalValue(type: FieldType, value: JsonValue): JsonValue | undefined {
  if (type.type === 'reference') return value;
  const { comparison, jsonSchemaType } = specOf(type);
  let written = value;
  if (
    comparison?.literal === 'number' &&
    (typeof value === 'number' || typeof value === 'string')
  ) {
    const text = exactText(value);
    if (jsonSchemaType === 'string') written = text;
    else if (/^-?[0-9]+(\.[0-9]+)?$/.test(text)) written = Number(text);
    // Not the same number.
    if (typeof written === 'number' && exactText(written) !== text.replace(/\.0+$/, ''))
      return undefined;
  }
  if (typeof written === 'object') return undefined;
  const tree = {
    kind: 'scalar',
    at: { file: '', line: 1, column: 1 },
    value: written,
    source: String(written),
  } as const;
  return specOf(type).readValue(type, tree, '', new Issues());
}

interface Comparisons {
  /** The members that each member is compared with. */
  readonly pairs: ReadonlyMap<string, ReadonlySet<string>>;
  /** The literals that each member is compared with. */
  readonly literals: ReadonlyMap<string, readonly LiteralOperand[]>;
}

function comparisonsIn(expressions: readonly Expression[]): Comparisons {
  const pairs = new Map<string, Set<string>>();
  const literals = new Map<string, LiteralOperand[]>();
  const pair = (one: string, other: string): unknown =>
    pairs.set(one, (pairs.get(one) ?? new Set()).add(other));
  const add = (name: string, ...values: readonly LiteralOperand[]): unknown =>
    literals.set(name, [...(literals.get(name) ?? []), ...values]);
  const visit = (one: Expression): void => {
    if (one.kind === 'and' || one.kind === 'or') {
      for (const part of one.parts) visit(part);
    } else if (one.kind === 'not') visit(one.part);
    else if (one.kind === 'in') add(one.member.name, ...one.values);
    else if (one.kind === 'compare') {
      const { member, other } = one;
      if (other.kind === 'literal') add(member.name, other);
      else {
        pair(member.name, other.name);
        pair(other.name, member.name);
      }
    }
  };
  for (const expression of expressions) visit(expression);
  return { pairs, literals };
}
