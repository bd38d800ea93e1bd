/** Series of example values as code of tests. */
import type { JsonValue } from '../../shared/json.ts';
import { templateText } from '../../shared/literals.ts';

/** Series of fewer values than this are written down. */
const LONG = 40;

/** The n-th of some values as code, from `n`, where they follow a rule; undefined otherwise. */
export function ruleCode(values: readonly JsonValue[]): string | undefined {
  const [first] = values;
  if (
    typeof first === 'number' &&
    values.length >= LONG &&
    values.every((value, n) => value === first + n)
  ) {
    return `${first} + n`;
  }
  if (typeof first !== 'string' || values.length < LONG) return undefined;
  const parts = /^(.*?)(0?1)([^0-9]*)$/su.exec(first);
  if (parts === null) return undefined;
  const [, prefix = '', digits = '', suffix = ''] = parts;
  const numberOf = (n: number): string => String(n + 1).padStart(digits.length, '0');
  if (!values.every((value, n) => value === `${prefix}${numberOf(n)}${suffix}`)) return undefined;
  const number = digits.length === 1 ? 'n + 1' : `String(n + 1).padStart(${digits.length}, '0')`;
  return `\`${templateText(prefix)}\${${number}}${templateText(suffix)}\``;
}
