/** Series of distinct values for unique members. */

/** The n-th value, counted from 0. @throws if the series has no more values. */
export function nth<Value>(values: readonly Value[], n: number): Value {
  const value = values[n];
  if (value === undefined) throw new Error(`There are only ${values.length} values: add more.`);
  return value;
}
