/** What the suites of emitted tests are called with, as code: values, and code that stands for some. */
import type { JsonValue } from '../../shared/json.ts';
import { valueCode, valueLiteral } from '../../shared/literals.ts';

/** Code among values, and the names in it that a test declares or imports. */
export class CodeText {
  readonly text: string;
  readonly uses: readonly string[];

  constructor(text: string, uses: readonly string[]) {
    this.text = text;
    this.uses = uses;
  }
}

export const codeText = (text: string, ...uses: readonly string[]): CodeText =>
  new CodeText(text, uses);

/** A name as code. */
export const nameText = (name: string): CodeText => codeText(name, name);

/** A value, or code that gives one; also within lists and objects. */
export type Option = JsonValue | CodeText | undefined | readonly Option[] | Options;

/** Options by their names; those that are undefined are left out. */
export interface Options {
  readonly [name: string]: Option;
}

/** An option as code. */
export function optionCode(option: Option): string {
  if (option === undefined) return 'undefined';
  if (option instanceof CodeText) return option.text;
  if (Array.isArray(option)) return `[${option.map((one: Option) => optionCode(one)).join(', ')}]`;
  if (typeof option !== 'object' || option === null) return valueCode(option);
  const members = Object.entries(option as Options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${valueLiteral({ [name]: 0 }).slice(1, -4)}: ${optionCode(value)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The names that an option uses. */
export function usedBy(option: Option): readonly string[] {
  if (option instanceof CodeText) return option.uses;
  return typeof option === 'object' && option !== null
    ? Object.values(option as Options).flatMap((one) => usedBy(one))
    : [];
}

/** The options that say something: no `false`, no empty list and no empty object. */
export const tellingOptions = (options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => isTelling(value)));

function isTelling(value: Option): boolean {
  if (value === undefined || value === false) return false;
  return typeof value !== 'object' || value === null || value instanceof CodeText
    ? true
    : Object.keys(value).length > 0;
}
