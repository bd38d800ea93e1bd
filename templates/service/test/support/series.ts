/** Values that must differ from each other. */

/** The n-th value, counted from 0. @throws where there are no more: then add some. */
export function nth<Value>(values: readonly Value[], n: number): Value {
  const value = values[n];
  if (value === undefined) throw new Error(`There are only ${values.length} values: add more.`);
  return value;
}
