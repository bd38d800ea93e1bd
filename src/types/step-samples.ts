/** Example values that are counted: times of a day and durations, in microseconds. */

export const SECOND = 1_000_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** A quarter of an hour first; where the bounds leave no room for that, less. */
const STEPS = [MINUTE * 15, SECOND, 1];

/**
 * Different values between two bounds, from a start if that lies between them.
 * @returns fewer than asked for where there are no more.
 */
export function stepsBetween(start: number, low: number, high: number, count: number): number[] {
  const found = new Set<number>();
  const first = start >= low && start <= high ? start : low;
  for (const step of STEPS) {
    for (let value = first; value <= high && found.size < count; value += step) found.add(value);
    for (let value = first; value >= low && found.size < count; value -= step) found.add(value);
  }
  return [...found];
}
