/** Expressions of emitted code. */
import { stringLiteral, valueLiteral } from '../shared/literals.ts';
import type { Code } from './type.ts';

/** A call of a function that is imported. Arguments that are empty are left out. */
export const call = (name: string, ...args: readonly string[]): Code => ({
  text: `${name}(${args.filter((arg) => arg !== '').join(', ')})`,
  uses: [name],
});

/** Code that imports nothing. */
export const plainCode = (text: string): Code => ({ text, uses: [] });

/** A function itself, as an argument. */
export const nameCode = (name: string): Code => ({ text: name, uses: [name] });

/** An object literal of those options that are there; nothing where none is. */
export function optionsCode(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `{ ${given
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === 'string' ? stringLiteral(value) : valueLiteral(value)}`,
    )
    .join(', ')} }`;
}
