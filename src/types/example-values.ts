/** Sample values of a type, and values that it refuses. Lists and objects are made of those of their parts. */
import type { JsonValue } from '../shared/json.ts';
import type { ReferenceType } from './reference.ts';
import type { FieldType, ScalarType } from './registry.ts';
import type { BoundaryValue, SampleMember, TypeSpec } from './type.ts';

/** Finds the specification of a type: `specOf`, which lists and objects cannot import. */
export type FindSpec = <T extends { readonly type: string }>(type: T) => TypeSpec<T>;

/**
 * Different values that a scalar takes, those of the definition first, then the plainest; fewer than
 * asked for where there are no more. None for a pattern that nothing was found for.
 */
export function differentValues(
  find: FindSpec,
  type: ScalarType,
  count: number,
  member: SampleMember,
): JsonValue[] {
  const spec = find(type);
  const given = (member.given ?? []).filter((value) => value !== spec.currentDefault);
  const more = spec.values(type, count, { ...member, given });
  return [...new Set([...given, ...more])].slice(0, count);
}

/** The values without repetitions. */
export function withoutDuplicates(values: readonly JsonValue[]): JsonValue[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = JSON.stringify(value);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** The parts of a field or property that decide its sample values. */
interface ValuedMember {
  readonly name: string;
  readonly type: FieldType;
  readonly example?: JsonValue;
  readonly default?: JsonValue;
}

/** One or two values of any type but a reference; none where a pattern has no sample. */
export function exampleValues(find: FindSpec, member: ValuedMember): JsonValue[] {
  const { type, name, example, default: defaultValue } = member;
  const given = [example, defaultValue].filter((value) => value !== undefined);
  if (type.type === 'reference') return [];
  const isScalar = (one: Exclude<FieldType, ReferenceType>): one is ScalarType =>
    find(one).isJson === undefined;
  return isScalar(type)
    ? differentValues(find, type, 2, { name, given })
    : find(type).values(type, 2, { name, given });
}

/** Values that a type refuses, each with its place. @param sample a value that it takes. */
export function refusedValues(
  find: FindSpec,
  type: FieldType,
  sample: JsonValue | undefined,
  member: string,
): BoundaryValue[] {
  const spec = find(type);
  return (
    spec.refusedParts?.(type, sample, member) ??
    spec.refused(type, sample).map(([why, value]) => ({ member, why, value }))
  );
}
