/** What the types with `minimum` and `maximum` have in common. */
import { key } from '../reading/common-keys.ts';
import type { Issues } from '../reading/issues.ts';
import { shown } from '../reading/mismatch.ts';
import type { Key } from '../reading/records.ts';
import type { Shape } from '../reading/shapes.ts';
import type { MapTree, Tree } from '../reading/tree.ts';
import type { JsonValue } from '../shared/json.ts';
import type { LabelledValues, Limit } from './type.ts';

/** Inclusive bounds, each a value of the type. */
export interface Bounds<T> {
  readonly minimum?: T;
  readonly maximum?: T;
}

/** The two options. */
export const boundKeys = <T>(shape: Shape<T>): { minimum: Key<T>; maximum: Key<T> } => ({
  minimum: key(shape, 'The least value that is accepted.'),
  maximum: key(shape, 'The greatest value that is accepted.'),
});

/**
 * Adds the bounds to a type.
 * @param readValue reads a value of the type without bounds.
 */
export function withBounds<T extends object, V extends string | number>(
  type: T,
  tree: MapTree,
  issues: Issues,
  readValue: (type: T, tree: Tree, what: string, issues: Issues) => V | undefined,
  compare: (one: V, other: V) => number,
): T & Bounds<V> {
  const bound = (name: string): { tree: Tree; value: V } | undefined => {
    const entry = tree.entries.find((candidate) => candidate.name === name);
    if (entry === undefined) return undefined;
    const value = readValue(type, entry.value, name, issues);
    return value === undefined ? undefined : { tree: entry.value, value };
  };
  const minimum = bound('minimum');
  const maximum = bound('maximum');
  if (minimum && maximum && compare(minimum.value, maximum.value) > 0) {
    const message = `minimum ${shown(minimum.tree)} is over maximum ${shown(maximum.tree)}. Write ${shown(maximum.tree)} or less.`;
    issues.add(minimum.tree.at, 'bounds-cross', message);
    return type;
  }
  return {
    ...type,
    ...(minimum && { minimum: minimum.value }),
    ...(maximum && { maximum: maximum.value }),
  };
}

/** The value, where it lies within the bounds of its type; otherwise there is an issue. */
export function checkBounds<V extends number | string>(
  type: Bounds<V>,
  value: V | undefined,
  tree: Tree,
  what: string,
  issues: Issues,
  compare: (one: V, other: V) => number,
): V | undefined {
  if (value === undefined) return undefined;
  if (type.minimum !== undefined && compare(value, type.minimum) < 0) {
    const message = `${what} ${shown(tree)} is under minimum ${type.minimum}. Write ${type.minimum} or more.`;
    issues.add(tree.at, 'bad-value', message);
    return undefined;
  }
  if (type.maximum !== undefined && compare(value, type.maximum) > 0) {
    const message = `${what} ${shown(tree)} is over maximum ${type.maximum}. Write ${type.maximum} or less.`;
    issues.add(tree.at, 'bad-value', message);
    return undefined;
  }
  return value;
}

/** The bounds as limits. */
export const limitsOf = ({ minimum, maximum }: Bounds<string | number>): readonly Limit[] => [
  { key: 'minimum', side: 'minimum', value: minimum },
  { key: 'maximum', side: 'maximum', value: maximum },
];

/** The SQL condition that a value lies between two expressions; undefined for no bounds. */
export function sqlRange(value: string, minimum?: string, maximum?: string): string | undefined {
  const parts = [
    ...(minimum === undefined ? [] : [`${value} >= ${minimum}`]),
    ...(maximum === undefined ? [] : [`${value} <= ${maximum}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** Values at the limits of a type. */
export const valuesAtBounds = (
  minimum: JsonValue | undefined,
  maximum: JsonValue | undefined,
): LabelledValues => [
  ...(minimum === undefined ? [] : [['the smallest', minimum] as const]),
  ...(maximum === undefined ? [] : [['the largest', maximum] as const]),
];

/** The type, with absent bounds filled in. */
export const filledBounds = <T extends object, V>(
  type: T,
  minimum: V | undefined,
  maximum: V | undefined,
): T => ({
  ...type,
  ...(minimum !== undefined && !('minimum' in type) && { minimum }),
  ...(maximum !== undefined && !('maximum' in type) && { maximum }),
});

/** Whether every value within the inner bounds is within the outer ones. */
export const areBoundsWithin = (
  inner: Bounds<string>,
  outer: Bounds<string>,
  compare: (one: string, other: string) => number,
): boolean =>
  (outer.minimum === undefined ||
    (inner.minimum !== undefined && compare(inner.minimum, outer.minimum) >= 0)) &&
  (outer.maximum === undefined ||
    (inner.maximum !== undefined && compare(inner.maximum, outer.maximum) <= 0));
